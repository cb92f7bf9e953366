// SPDX-License-Identifier: Apache-2.0

/// `.netrc` (GNU inetutils, ftp(1)): words in any number of lines. `macdef` ends at an empty line.
enum NetrcText {
    /// Keys: the machine (`default` has the name `default`), the login, and `password` or `account`.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        var fields: [Field] = []
        var (machine, login) = ("", "")
        // A password may come before its login.
        var pending: [(name: String, range: Range<Int>, form: ClearSecret.Form)] = []
        func flush() {
            // Anonymous users give an address in place of a password.
            if ["anonymous", "ftp"].contains(login) { pending = [] }
            fields += pending.map { Field([machine, login, $0.name], $0.range, $0.form) }
            (pending, login) = ([], "")
        }
        var (isMacro, before) = (false, "")
        for line in bytes.lines(in: 0..<bytes.count) {
            let content = bytes.trimmed(line)
            if content.isEmpty { isMacro = false }
            guard !isMacro, bytes[content].first != 0x23 else { continue }
            for word in WordText.words(bytes, content) {
                let text = bytes.text(word.range)
                // The word before may be on another line.
                switch before {
                case "machine": machine = text
                case "login": login = text
                // An account is a second password for few servers, a name for most.
                case "account" where !SecretValue.isAlone(Array(bytes[word.range]), .loose): break
                case "password", "passwd", "account": pending.append((before, word.range, word.form))
                default:
                    if text == "macdef" {
                        isMacro = true
                    } else if text == "machine" || text == "default" {
                        flush()
                        if text == "default" { machine = text }
                    }
                    before = isMacro ? "" : text
                    continue
                }
                before = ""
            }
            if fields.count >= Format.mostFields { break }
        }
        flush()
        return fields
    }
}

/// Words separated by blanks, some in quotes.
enum WordText {
    static func words(_ bytes: [UInt8], _ range: Range<Int>) -> [(range: Range<Int>, form: ClearSecret.Form)] {
        var words: [(Range<Int>, ClearSecret.Form)] = []
        var at = range.lowerBound
        while at < range.upperBound {
            if Byte.isSpaceOrEnd(bytes[at]) {
                at += 1
            } else if let quoted = QuotedText.range(bytes, at..<range.upperBound) {
                words.append((quoted, QuotedText.form(bytes, quoted, by: bytes[at])))
                at = quoted.upperBound + 1
            } else {
                let start = at
                while at < range.upperBound, !Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
                words.append((start..<at, .plain))
            }
        }
        return words
    }
}

/// `.pgpass` (PostgreSQL, "The Password File"): `host:port:database:user:password`, with `\:` and `\\`.
enum PgpassText {
    /// Keys: host, port, database, user.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        bytes.lines(in: 0..<bytes.count).compactMap { line in
            guard !line.isEmpty, bytes[line.lowerBound] != 0x23 else { return nil }
            var parts: [Range<Int>] = []
            var (start, at) = (line.lowerBound, line.lowerBound)
            while at < line.upperBound, parts.count < 4 {
                if bytes[at] == 0x5C {
                    at += 2
                } else {
                    if bytes[at] == 0x3A {
                        parts.append(start..<at)
                        start = at + 1
                    }
                    at += 1
                }
            }
            guard parts.count == 4, start < line.upperBound else { return nil }
            let password = start..<line.upperBound
            return Field(parts.map(bytes.text), password, bytes[password].contains(0x5C) ? .backslashed : .plain)
        }
    }
}

/// The password in a URL: `scheme://user:password@host`.
enum URLText {
    struct Parts: Equatable {
        let scheme, user, password, host: Range<Int>
    }

    /// The parts of the URL whose `://` begins at `colon`; nil: it has no password. RFC 3986, section 3.2: the
    /// authority ends at `/`, `?` or `#`, and user information ends at its last `@`.
    static func parts(_ bytes: [UInt8], colon: Int, in range: Range<Int>) -> Parts? {
        var start = colon
        while start > range.lowerBound, Byte.isWord(bytes[start - 1]) || [0x2B, 0x2D, 0x2E].contains(bytes[start - 1]) {
            start -= 1
        }
        let begin = colon + 3
        guard start < colon, begin < range.upperBound else { return nil }
        var (end, at) = (begin, -1)
        var colonInside = -1
        while end < range.upperBound, end - begin < 2048 {
            let byte = bytes[end]
            if byte <= 0x20 || byte == 0x22 || byte == 0x27 || byte == 0x60 || byte == 0x3C || byte == 0x3E { break }
            if byte == 0x2F || byte == 0x3F || byte == 0x23 {
                // Passwords with a slash that isn't encoded occur: another `@` before the next `/` decides.
                if at >= 0 || colonInside < 0 { break }
                guard let later = laterAt(bytes, end, range.upperBound) else { break }
                end = later
                continue
            }
            if byte == 0x3A, colonInside < 0 { colonInside = end }
            if byte == 0x40 { at = end }
            end += 1
        }
        guard at > 0, colonInside >= begin, colonInside < at - 1 else { return nil }
        return Parts(
            scheme: start..<colon, user: begin..<colonInside, password: colonInside + 1..<at, host: at + 1..<end)
    }

    /// The first URL with a password.
    static func firstParts(_ bytes: [UInt8]) -> Parts? {
        let range = 0..<bytes.count
        return range.first { bytes.matches("://", at: $0, end: range.upperBound) }.flatMap {
            parts(bytes, colon: $0, in: range)
        }
    }

    private static func laterAt(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end, at - start < 64 {
            let byte = bytes[at]
            if byte <= 0x20 || byte == 0x22 || byte == 0x27 || byte == 0x60 || byte == 0x2C || byte == 0x3B {
                return nil
            }
            if byte == 0x40 { return at + 1 < end && Byte.isWord(bytes[at + 1]) ? at : nil }
            // A port and a path: no password.
            if byte == 0x2F, at == start, Byte.isDigit(bytes[start - 1]) { return nil }
            at += 1
        }
        return nil
    }
}
