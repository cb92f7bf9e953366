// SPDX-License-Identifier: Apache-2.0

/// A word of Objective-C.
package struct ObjCToken: Sendable {
    package enum Kind: Sendable {
        case name, number, text
        /// `@interface`, `@property`, `@selector` and the like, with the `@`.
        case directive
        case mark
    }

    package let kind: Kind
    /// Of a text, what stands between the quotes, as written.
    package let text: String
    package let line: Int
    package let column: Int

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
}

/// Cuts Objective-C into words: no comments, no lines for the preprocessor, nothing of `#if DEBUG` and `#if 0`.
struct ObjCTokenizer {
    private(set) var tokens: [ObjCToken] = []
    /// `#define NAME @"text"`.
    private(set) var definitions: [(name: String, text: String, line: Int)] = []
    /// `#define DLog(...) NSLog(__VA_ARGS__)`: the name, and what follows its parameters; without those for debugging.
    private(set) var macros: [(name: String, parameters: [String], text: String)] = []
    /// Names that stand for `[NSUserDefaults standardUserDefaults]`.
    private(set) var preferences: [(name: String, line: Int)] = []
    /// Names that are macros in debug builds alone.
    private(set) var debugMacros: Set<String> = []
    /// Without the line ends that have a backslash before them, which are none to a compiler.
    private let bytes: [UInt8]
    /// Where those were, in order.
    private var joints: ArraySlice<Int>
    private var at = 0
    private var line = 1
    private var lineStart = 0
    /// For each `#if` that is open, what its present branch is for.
    private var branches: [Branch] = []
    /// For each of them the braces that were open before it, and what its first branch opens.
    private var braces: [(before: Int, opened: Int?)] = []
    private var openBraces = 0
    private var isOut: Bool { branches.contains(.developers) }

    private enum Branch { case developers, users, all }

    private static let maximumTokens = 2_000_000

    init(_ bytes: [UInt8]) {
        (self.bytes, joints) = Self.joined(bytes)
        let bytes = self.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        var isFirst = true
        while at < bytes.count, tokens.count < Self.maximumTokens {
            while let joint = joints.first, joint <= at {
                joints.removeFirst()
                line += 1
                lineStart = joint
            }
            let byte = bytes[at]
            if byte == 0x0A {
                newLine()
                isFirst = true
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                at += 1
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                skipComment()
            } else if byte == UInt8(ascii: "#"), isFirst {
                directive()
            } else {
                isFirst = false
                word(byte)
            }
        }
    }

    private static func joined(_ bytes: [UInt8]) -> (bytes: [UInt8], joints: ArraySlice<Int>) {
        let backslash = UInt8(ascii: "\\")
        guard bytes.contains(backslash) else { return (bytes, []) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var joints: ArraySlice<Int> = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == backslash, index + 1 < bytes.count {
                let isLong = index + 2 < bytes.count && bytes[index + 1] == 0x0D && bytes[index + 2] == 0x0A
                if bytes[index + 1] == 0x0A || isLong {
                    joints.append(result.count)
                    index += isLong ? 3 : 2
                    continue
                }
            }
            result.append(bytes[index])
            index += 1
        }
        return (result, joints)
    }

    private func peek(_ distance: Int) -> UInt8 { at + distance < bytes.count ? bytes[at + distance] : 0 }

    private mutating func newLine() {
        at += 1
        line += 1
        lineStart = at
    }

    private mutating func skipComment() {
        at += 2
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                at += 2
                return
            }
            if bytes[at] == 0x0A { newLine() } else { at += 1 }
        }
    }

    // MARK: Words

    private mutating func word(_ byte: UInt8) {
        let (first, column) = (at, at - lineStart + 1)
        var kind = ObjCToken.Kind.mark
        var text: String?
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            kind = byte == UInt8(ascii: "'") ? .number : .text
            text = quoted(byte)
        case UInt8(ascii: "@") where peek(1) == UInt8(ascii: "\""):
            at += 1
            kind = .text
            text = quoted(UInt8(ascii: "\""))
        case UInt8(ascii: "@") where Self.isLetter(peek(1)):
            kind = .directive
            at += 1
            skipName()
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            kind = .number
            while at < bytes.count, Self.isName(bytes[at]) || bytes[at] == UInt8(ascii: ".") { at += 1 }
        case _ where Self.isLetter(byte):
            kind = .name
            skipName()
        default: at += Self.isPair(byte, peek(1)) ? 2 : 1
        }
        guard !isOut, !isSecondBrace(byte) else { return }
        let written = text ?? String(decoding: bytes[first..<at], as: UTF8.self)
        tokens.append(ObjCToken(kind: kind, text: written, line: line, column: column))
    }

    /// Whether a brace stands in a later branch of `#if` whose first one opened or closed some: only those of one branch count.
    private mutating func isSecondBrace(_ byte: UInt8) -> Bool {
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else { return false }
        if braces.contains(where: { $0.opened.map { $0 != 0 } ?? false }) { return true }
        openBraces += byte == UInt8(ascii: "{") ? 1 : -1
        return false
    }

    /// Marks that would read as another one if they were cut: `==` as `=`.
    private static func isPair(_ first: UInt8, _ second: UInt8) -> Bool {
        switch second {
        case UInt8(ascii: "="): "=!<>+-|".utf8.contains(first)
        case UInt8(ascii: ">"): first == UInt8(ascii: "-")
        case UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: ":"): first == second
        default: false
        }
    }

    private mutating func skipName() {
        while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
    }

    /// What stands in quotes, which end at the latest with the line.
    private mutating func quoted(_ quote: UInt8) -> String {
        at += 1
        let first = at
        while at < bytes.count, bytes[at] != quote, bytes[at] != 0x0A {
            at += bytes[at] == UInt8(ascii: "\\") && peek(1) != 0x0A && at + 1 < bytes.count ? 2 : 1
        }
        let text = String(decoding: bytes[first..<at], as: UTF8.self)
        if at < bytes.count, bytes[at] == quote { at += 1 }
        return text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"),
            0x80...:
            true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: The preprocessor

    private mutating func directive() {
        let startLine = line
        let text = wholeLine()
        let parts = text.dropFirst().split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
        let rest = parts.count > 1 ? parts[1].drop { $0 == " " || $0 == "\t" } : ""
        switch parts.first {
        case "if", "ifdef", "ifndef": braces.append((openBraces, nil))
        case "elif", "else":
            if let last = braces.last, last.opened == nil, !isOut {
                braces[braces.count - 1].opened = openBraces - last.before
            }
        case "endif": _ = braces.popLast()
        default: break
        }
        switch parts.first {
        case "if", "ifdef": branches.append(Self.branch(rest))
        case "ifndef": branches.append(Self.branch(rest) == .developers ? .users : .all)
        case "elif":
            if branches.popLast() != nil { branches.append(Self.branch(rest)) }
        case "else":
            switch branches.popLast() {
            case .developers: branches.append(.all)
            case .users: branches.append(.developers)
            case .all: branches.append(.all)
            case nil: break
            }
        case "endif": _ = branches.popLast()
        case "define": define(rest, startLine)
        default: break
        }
    }

    private static func branch(_ condition: Substring) -> Branch {
        let words = condition.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "!" || $0 == "|") }
        if words.contains(where: { $0.contains("|") }) { return .all }
        if words.first == "0" { return .developers }
        guard let debug = words.firstIndex(where: { $0 == "DEBUG" || $0 == "!DEBUG" }) else { return .all }
        let isNegated = words[debug].hasPrefix("!") || words.contains { $0.hasPrefix("!") } || words.last == "0"
        return isNegated ? .users : .developers
    }

    private mutating func wholeLine() -> String {
        let first = at
        while at < bytes.count, bytes[at] != 0x0A {
            if bytes[at] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") { skipComment() } else { at += 1 }
        }
        return String(decoding: bytes[first..<at], as: UTF8.self)
    }

    private mutating func define(_ rest: Substring, _ line: Int) {
        if let open = rest.firstIndex(of: "("), rest[..<open].utf8.allSatisfy(Self.isName),
            let close = rest[open...].firstIndex(of: ")")
        {
            let name = String(rest[..<open])
            let text = String(rest[rest.index(after: close)...].prefix(400))
            let parameters = rest[rest.index(after: open)..<close].split { ", \t".contains($0) }.map(String.init)
            if isOut { debugMacros.insert(name) } else { macros.append((name, parameters, text)) }
            return
        }
        guard !isOut, let space = rest.firstIndex(where: { $0 == " " || $0 == "\t" }) else { return }
        let value = rest[space...].drop { $0 == " " || $0 == "\t" }
        if value.filter({ $0 != " " && $0 != "(" }).hasPrefix("[NSUserDefaultsstandardUserDefaults]") {
            preferences.append((String(rest[..<space]), line))
        }
        guard value.hasPrefix("@\"") || value.hasPrefix("\"") else { return }
        let text = value.drop { $0 == "@" }.dropFirst().prefix { $0 != "\"" }
        definitions.append((String(rest[..<space]), String(text), line))
    }
}
