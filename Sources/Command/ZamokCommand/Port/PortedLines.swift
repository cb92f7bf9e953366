// SPDX-License-Identifier: Apache-2.0

/// The lines of a Swift file without comments, without what stands in string literals, and without what Linux surely doesn't compile.
struct PortedLines {
    private(set) var lines: [String] = []
    /// Depth of comments that began with `/*`.
    private var comments = 0
    /// What ends the string literal that is open over several lines: `"""` with its number signs.
    private var ending: String?
    /// For each `#if` that is open.
    private var conditions: [Branches] = []

    private struct Branches {
        /// Whether this branch is compiled on Linux; nil: that depends.
        var isCompiled: Bool?
        /// Whether it or a branch before surely is.
        var isDecided: Bool
        /// Whether it or a branch before may be.
        var depends: Bool
    }

    init(_ text: String) {
        // CR LF is one character, and a line's end.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let code = withoutComments(line)
            lines.append(follow(code) || conditions.contains { $0.isCompiled == false } ? "" : code)
        }
    }

    private mutating func withoutComments(_ line: Substring) -> String {
        var kept = ""
        var rest = line
        while let character = rest.first {
            if let end = ending {
                ending = rest.hasPrefix(end) ? nil : end
                // A backslash and what it stands before are two characters of a literal without number signs.
                let count = ending == nil ? end.count : character == "\\" && !end.hasSuffix("#") ? 2 : 1
                rest = rest.dropFirst(count)
            } else if comments > 0 || rest.hasPrefix("/*") {
                let isEnd = rest.hasPrefix("*/")
                let isBegin = rest.hasPrefix("/*")
                comments += isBegin ? 1 : isEnd ? -1 : 0
                rest = rest.dropFirst(isBegin || isEnd ? 2 : 1)
            } else if rest.hasPrefix("//") {
                break
            } else if let literal = Self.literal(rest) {
                ending = literal.end
                rest = rest.dropFirst(literal.begin)
            } else {
                kept.append(character)
                rest = rest.dropFirst()
            }
        }
        // One of a single line ends with it, whatever stands there.
        if let end = ending, !end.hasPrefix("\"\"\"") { ending = nil }
        return kept
    }

    /// How many characters begin the literal that stands first, and what ends it.
    private static func literal(_ text: Substring) -> (begin: Int, end: String)? {
        let signs = text.prefix { $0 == "#" }
        let quotes = text.dropFirst(signs.count).hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        guard text.dropFirst(signs.count).hasPrefix(quotes) else { return nil }
        return (signs.count + quotes.count, quotes + signs)
    }

    /// Whether the line is one of `#if` and its kind; keeps them.
    private mutating func follow(_ code: String) -> Bool {
        let text = code.drop(while: \.isWhitespace)
        guard let word = ["#if", "#elseif", "#else", "#endif"].first(where: { Self.begins(text, $0) }) else {
            return false
        }
        let condition = text.dropFirst(word.count)
        if word == "#if" {
            let isCompiled = PortedCondition.value(condition)
            conditions.append(
                Branches(isCompiled: isCompiled, isDecided: isCompiled == true, depends: isCompiled == nil))
        } else if var last = conditions.popLast(), word != "#endif" {
            let own = word == "#else" ? true : PortedCondition.value(condition)
            last.isCompiled = last.isDecided ? false : last.depends && own == true ? nil : own
            last.isDecided = last.isDecided || last.isCompiled == true
            last.depends = last.depends || last.isCompiled == nil
            conditions.append(last)
        }
        return true
    }

    private static func begins(_ text: Substring, _ word: String) -> Bool {
        text.hasPrefix(word) && text.dropFirst(word.count).first.map { !$0.isLetter } ?? true
    }
}

/// What the condition of an `#if` comes to on Linux with this package beside.
enum PortedCondition {
    /// Modules that only Apple's systems have: those of which a file is told, and others.
    private static let foreign = Set(PortedSource.modules.keys).union([
        "AuthenticationServices", "Cocoa", "CoreData", "CoreGraphics", "CryptoTokenKit", "Darwin", "DeviceCheck",
        "MobileCoreServices", "ObjectiveC", "WatchConnectivity", "WatchKit", "WebKit", "XPC",
    ])
    private static let present: Set = ["Foundation", "Dispatch", "Glibc", "Security", "LocalAuthentication"]

    /// nil: it depends on more than the system.
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
