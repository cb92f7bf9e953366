// SPDX-License-Identifier: Apache-2.0

/// The lines of a Swift file without comments, string literals, and code that Linux certainly doesn't compile. Reads
/// line by line, each byte once.
struct PortedLines {
    private let bytes: [UInt8]
    private var position = 0
    private var isAtEnd = false
    /// The nesting depth of `/*` comments.
    private var comments = 0
    /// The string literal that is open.
    private var literal: Literal?
    /// The enclosing literals: code in `\(...)` is nested in them, with the number of its open brackets.
    private var around: [(literal: Literal, brackets: Int)] = []
    /// One element for each open `#if`.
    private var conditions: [Branches] = []
    /// The number of these whose current branch isn't compiled.
    private var left = 0

    struct Line {
        var code = ""
        /// Whether a comment contains `zamok:allow(port)` and a reason.
        var isAllowed = false
    }

    private struct Literal {
        /// Delimited by three quotes, on several lines.
        let isLong: Bool
        /// The number of number signs around the quotes.
        let signs: Int
    }

    private struct Branches {
        /// Whether this branch is compiled on Linux; nil: it depends.
        var isCompiled: Bool?
        /// Whether this branch or an earlier one is certainly compiled.
        var isDecided: Bool
        /// Whether this branch or an earlier one may be compiled.
        var depends: Bool
    }

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next line; nil after the last.
    mutating func next() -> Line? {
        guard !isAtEnd else { return nil }
        var line = Line()
        var kept: [UInt8] = []
        while let byte = byte(), !Self.isEnd(byte) {
            if literal != nil {
                readLiteral(byte)
            } else if comments > 0 || starts("/*") {
                let step = starts("/*") ? 1 : starts("*/") ? -1 : 0
                comments += step
                position += step == 0 ? 1 : 2
            } else if starts("//") {
                let start = position
                while let byte = self.byte(), !Self.isEnd(byte) { position += 1 }
                line.isAllowed = Self.allows(bytes[start..<position])
            } else {
                readCode(byte, &kept)
            }
        }
        endLine()
        let code = String(decoding: kept, as: UTF8.self)
        line.code = follow(code) || left > 0 ? "" : code
        return line
    }

    private mutating func endLine() {
        // A single-line literal ends with its line, even if it is unterminated.
        if let open = literal, !open.isLong { literal = nil }
        while let last = around.last, !last.literal.isLong { around.removeLast() }
        guard let byte = byte() else {
            isAtEnd = true
            return
        }
        position += 1
        if byte == UInt8(ascii: "\r"), self.byte() == UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func readCode(_ byte: UInt8, _ kept: inout [UInt8]) {
        var signs = 0
        while self.byte(signs) == UInt8(ascii: "#") { signs += 1 }
        if self.byte(signs) == UInt8(ascii: "\"") {
            position += signs
            literal = Literal(isLong: starts("\"\"\""), signs: signs)
            position += starts("\"\"\"") ? 3 : 1
            return
        }
        kept += bytes[position..<position + max(1, signs)]
        position += max(1, signs)
        guard let last = around.indices.last, signs == 0 else { return }
        if byte == UInt8(ascii: "(") { around[last].brackets += 1 }
        if byte == UInt8(ascii: ")") { around[last].brackets -= 1 }
        if around[last].brackets == 0 { literal = around.removeLast().literal }
    }

    private mutating func readLiteral(_ byte: UInt8) {
        guard let open = literal else { return }
        if byte == UInt8(ascii: "\""), !open.isLong || starts("\"\"\"") {
            let quotes = open.isLong ? 3 : 1
            position += quotes
            var signs = 0
            while signs < open.signs, self.byte(signs) == UInt8(ascii: "#") { signs += 1 }
            if signs == open.signs { literal = nil }
            position += signs
            return
        }
        position += 1
        guard byte == UInt8(ascii: "\\") else { return }
        var signs = 0
        while signs < open.signs, self.byte(signs) == UInt8(ascii: "#") { signs += 1 }
        guard signs == open.signs, let next = self.byte(signs), !Self.isEnd(next) else { return }
        position += signs + 1
        guard next == UInt8(ascii: "(") else { return }
        around.append((open, 1))
        literal = nil
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func starts(_ sign: String) -> Bool { bytes[position...].starts(with: sign.utf8) }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// Whether a comment allows the line. It needs a reason.
    private static func allows(_ comment: ArraySlice<UInt8>) -> Bool {
        let word = "zamok:allow(port)"
        guard comment.count < 4096, let found = comment.firstRange(of: Array(word.utf8)) else { return false }
        return comment[found.upperBound...].contains { $0 > 0x20 }
    }

    /// Tracks `#if` and related directives; returns whether the line is one.
    private mutating func follow(_ code: String) -> Bool {
        let text = code.drop(while: \.isWhitespace)
        guard let word = ["#if", "#elseif", "#else", "#endif"].first(where: { Self.begins(text, $0) }) else {
            return false
        }
        let condition = text.dropFirst(word.count)
        if word == "#if" {
            let isCompiled = PortedCondition.value(condition)
            if isCompiled == false { left += 1 }
            conditions.append(
                Branches(isCompiled: isCompiled, isDecided: isCompiled == true, depends: isCompiled == nil))
        } else if var last = conditions.popLast() {
            if last.isCompiled == false { left -= 1 }
            guard word != "#endif" else { return true }
            let own = word == "#else" ? true : PortedCondition.value(condition)
            last.isCompiled = last.isDecided ? false : last.depends && own == true ? nil : own
            last.isDecided = last.isDecided || last.isCompiled == true
            last.depends = last.depends || last.isCompiled == nil
            if last.isCompiled == false { left += 1 }
            conditions.append(last)
        }
        return true
    }

    private static func begins(_ text: Substring, _ word: String) -> Bool {
        text.hasPrefix(word) && text.dropFirst(word.count).first.map { !$0.isLetter } ?? true
    }
}

/// The value of an `#if` condition on Linux, if this package is available.
enum PortedCondition {
    /// Modules that only Apple's systems have: those reported for a file, and others.
    private static let foreign = Set(PortedSource.modules.keys).union([
        "AuthenticationServices", "Cocoa", "CoreData", "CoreGraphics", "CryptoTokenKit", "Darwin", "DeviceCheck",
        "MobileCoreServices", "ObjectiveC", "WatchConnectivity", "WatchKit", "WebKit", "XPC",
    ])
    private static let present: Set = ["Foundation", "Dispatch", "Glibc", "Security", "LocalAuthentication"]

    /// `nil`: the value depends on more than the system.
    static func value(_ text: some StringProtocol) -> Bool? {
        var rest = Substring(text.filter { !$0.isWhitespace })
        let value = alternatives(&rest, depth: 0)
        return rest.isEmpty ? value : nil
    }

    private static func alternatives(_ rest: inout Substring, depth: Int) -> Bool? {
        var value = conjunction(&rest, depth: depth)
        while take("||", &rest) {
            let next = conjunction(&rest, depth: depth)
            value = value == true || next == true ? true : value == nil || next == nil ? nil : false
        }
        return value
    }

    private static func conjunction(_ rest: inout Substring, depth: Int) -> Bool? {
        var value = single(&rest, depth: depth)
        while take("&&", &rest) {
            let next = single(&rest, depth: depth)
            value = value == false || next == false ? false : value == nil || next == nil ? nil : true
        }
        return value
    }

    private static func single(_ rest: inout Substring, depth: Int) -> Bool? {
        guard depth < 32 else { return nil }
        if take("!", &rest) { return single(&rest, depth: depth + 1).map { !$0 } }
        if take("(", &rest) {
            let value = alternatives(&rest, depth: depth + 1)
            return take(")", &rest) ? value : nil
        }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest.dropFirst(name.count)
        guard take("(", &rest) else { return name == "true" ? true : name == "false" ? false : nil }
        let argument = rest.prefix { $0 != ")" }
        rest = rest.dropFirst(argument.count + 1)
        let module = argument.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        switch name {
        case "os": return argument == "Linux"
        case "canImport":
            return foreign.contains(String(module)) ? false : present.contains(String(module)) ? true : nil
        case "targetEnvironment": return false
        default: return nil
        }
    }

    private static func take(_ sign: String, _ rest: inout Substring) -> Bool {
        guard rest.hasPrefix(sign) else { return false }
        rest = rest.dropFirst(sign.count)
        return true
    }
}
