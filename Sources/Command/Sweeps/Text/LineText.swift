// SPDX-License-Identifier: Apache-2.0

/// Formats of one name and value a line: INI and its relatives, `.env`, Java's properties, `name value`.
struct LineText {
    /// What differs between them.
    struct Syntax {
        var separators: [UInt8] = [0x3D]
        var comments: [UInt8] = Array("#;".utf8)
        /// A blank and one of `comments` ends a value without quotes.
        var endsAtComment = false
        var hasQuotes = true
        var hasSections = true
        /// `export`, `set` or `declare -x` before a name, `$env:` and `-`.
        var hasCommands = false
        /// A blank separates too.
        var separatesAtBlank = false
        /// A line that begins with a blank goes on with the value of the one before (Python's configparser).
        var backslashes = false

        static let ini = Syntax(separators: Array("=:".utf8))
        static let git = Syntax(endsAtComment: true, backslashes: true)
        static let properties = Syntax(
            separators: Array("=:".utf8), comments: Array("#!".utf8), hasQuotes: false, hasSections: false,
            separatesAtBlank: true, backslashes: true)
        static let environment = Syntax(
            comments: Array("#".utf8), endsAtComment: true, hasSections: false, hasCommands: true, backslashes: true)
        static let words = Syntax(
            separators: Array("=:".utf8), comments: Array("#".utf8), endsAtComment: true, hasSections: true,
            separatesAtBlank: true, backslashes: true)
    }

    let syntax: Syntax

    init(_ syntax: Syntax) { self.syntax = syntax }

    /// Keys: the section and the name, or the name alone where the format has no sections.
    func fields(_ bytes: [UInt8]) -> [Field] {
        var fields: [Field] = []
        var section = ""
        for line in bytes.lines(in: 0..<bytes.count) {
            let content = bytes.trimmed(line)
            guard let first = bytes[content].first, !syntax.comments.contains(first) else { continue }
            if syntax.hasSections, first == UInt8(ascii: "[") {
                guard let end = bytes.first(UInt8(ascii: "]"), in: content) else { continue }
                section = Self.section(bytes.text(content.lowerBound + 1..<end))
                // git permits a name behind its section.
                guard let field = field(bytes, bytes.trimmed(end + 1..<content.upperBound)) else { continue }
                fields.append(Field([section] + field.keys, field.range, field.form))
                continue
            }
            guard let field = field(bytes, content) else { continue }
            fields.append(syntax.hasSections ? Field([section] + field.keys, field.range, field.form) : field)
            if fields.count >= Format.mostFields { break }
        }
        return fields
    }

    /// `remote "origin"` of git as `remote.origin`.
    private static func section(_ text: String) -> String {
        guard let quote = text.firstIndex(of: "\""), text.hasSuffix("\"") else { return text }
        let name = text[..<quote].reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        return String(name) + "." + text[text.index(after: quote)...].dropLast()
    }

    private func field(_ bytes: [UInt8], _ line: Range<Int>) -> Field? {
        guard let name = name(bytes, line), !name.range.isEmpty else { return nil }
        let value = bytes.trimmed(name.end..<line.upperBound)
        guard !value.isEmpty else { return nil }
        let keys = [bytes.text(name.range)]
        if syntax.hasQuotes, let quoted = QuotedText.range(bytes, value) {
            return quoted.isEmpty
                ? nil : Field(keys, quoted, QuotedText.form(bytes, quoted, by: bytes[value.lowerBound]))
        }
        let end = syntax.endsAtComment ? commentStart(bytes, value) : value.upperBound
        let plain = bytes.trimmed(value.lowerBound..<end)
        guard !plain.isEmpty else { return nil }
        let isEscaped = syntax.backslashes && bytes[plain].contains(0x5C)
        return Field(keys, plain, isEscaped ? .backslashed : .plain)
    }

    private func commentStart(_ bytes: [UInt8], _ value: Range<Int>) -> Int {
        var at = value.lowerBound
        while at + 1 < value.upperBound {
            if Byte.isSpace(bytes[at]), syntax.comments.contains(bytes[at + 1]) { return at }
            at += 1
        }
        return value.upperBound
    }

    /// The name, and where its value begins.
    private func name(_ bytes: [UInt8], _ line: Range<Int>) -> (range: Range<Int>, end: Int)? {
        var start = line.lowerBound
        if syntax.hasCommands {
            for command in ["export ", "set -x ", "set -gx ", "declare -x ", "$env:", "- ", "setx ", "set "] {
                let word = Array(command.utf8)
                if bytes[start..<line.upperBound].starts(with: word) {
                    start = bytes.trimmed(start + word.count..<line.upperBound).lowerBound
                }
            }
        }
        // Registry addresses of npm have colons: `//host:port/:_authToken=`. The last colon before `=` is part of it.
        let body = start..<line.upperBound
        var end: Int?
        var isBlank = false
        for at in body {
            let byte = bytes[at]
            if byte == 0x3D, syntax.separators.contains(byte) {
                (end, isBlank) = (at, false)
                break
            }
            if end == nil, syntax.separators.contains(byte), at + 1 < body.upperBound, bytes[start] != 0x2F,
                syntax.separatesAtBlank || Byte.isSpace(bytes[at + 1])
            {
                end = at
                break
            }
            if end == nil, syntax.separatesAtBlank, Byte.isSpace(byte) {
                let next = bytes.trimmed(at..<body.upperBound).lowerBound
                isBlank = next >= body.upperBound || !syntax.separators.contains(bytes[next])
                end = isBlank ? at : next
                break
            }
        }
        guard let end else { return nil }
        return (bytes.trimmed(start..<end), end + 1)
    }
}

extension LineText {
    /// Each line as one field of the key `line`, but comments.
    static func whole(_ bytes: [UInt8]) -> [Field] {
        bytes.lines(in: 0..<bytes.count).map { bytes.trimmed($0) }.filter {
            !$0.isEmpty && bytes[$0.lowerBound] != 0x23
        }
        .prefix(Format.mostFields).map { Field(["line"], $0) }
    }
}

/// Strings in quotes, with or without backslashes.
enum QuotedText {
    /// What is between the quotes, if the range begins with one that ends in it. Nil: it doesn't.
    static func range(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard let quote = bytes[range].first, quote == 0x22 || quote == 0x27 || quote == 0x60 else { return nil }
        var at = range.lowerBound + 1
        while at < range.upperBound {
            if bytes[at] == 0x5C, quote == 0x22 {
                at += 2
                continue
            }
            if bytes[at] == quote { return range.lowerBound + 1..<at }
            at += 1
        }
        return nil
    }

    /// Backslashes count only where there are some.
    static func form(_ bytes: [UInt8], _ range: Range<Int>, by quote: UInt8) -> ClearSecret.Form {
        quote == 0x22 && bytes[range].contains(0x5C) ? .backslashed : .plain
    }
}
