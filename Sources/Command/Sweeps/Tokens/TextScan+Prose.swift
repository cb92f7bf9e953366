// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// What people write for each other: "the password is X", "Login: user / X", "pw X".
extension TextScan {
    /// Whether the text round a name is for people.
    func isProse(_ name: Range<Int>) -> Bool {
        switch kind {
        case .prose, .log: return true
        case .json: return isWithinString(name) && isMessage(name)
        case .source:
            return isElementText(name) || isComment(name) || isWithinString(name) && isMessage(name)
        case .config, .script: return isComment(name) || isElementText(name) || isWithinString(name) && isMessage(name)
        case .commands, .keys: return false
        }
    }

    /// Words in a string, not the string itself.
    private func isWithinString(_ name: Range<Int>) -> Bool {
        let line = line(name.lowerBound)
        let quotes = bytes[line.lowerBound..<name.lowerBound].count { $0 == 0x22 }
        guard quotes % 2 == 1 else { return false }
        let isWhole =
            bytes[name.lowerBound - 1] == 0x22 && name.upperBound < end
            && (bytes[name.upperBound] == 0x22 || bytes[name.upperBound] == 0x5C)
        return !isWhole
    }

    /// A string for people has blanks round the name.
    private func isMessage(_ name: Range<Int>) -> Bool {
        let line = line(name.lowerBound)
        return Self.messages.isIn(bytes, line.lowerBound..<name.lowerBound)
    }

    private static let messages = WordList([
        "description", "note", "comment", "text", "message", "body", "summary", "content",
    ])

    private func isElementText(_ name: Range<Int>) -> Bool {
        let least = max(0, name.lowerBound - 200)
        let end = bytes.last(in: least..<name.lowerBound) { $0 == 0x3C || $0 == 0x0A || $0 == 0x3E }
        guard let end, bytes[end] == 0x3E else { return false }
        return end < 1 || bytes[end - 1] != 0x3D && bytes[end - 1] != 0x2D
    }

    /// A line that begins with the mark of a comment.
    func isComment(_ name: Range<Int>) -> Bool {
        let content = bytes.trimmed(line(name.lowerBound))
        guard let first = content.first.map({ bytes[$0] }) else { return false }
        let second = content.count > 1 ? bytes[content.lowerBound + 1] : 0
        switch first {
        case 0x23, 0x27: return true
        case 0x2F: return second == 0x2F || second == 0x2A
        case 0x2D: return second == 0x2D
        case 0x2A, 0x3B: return second == 0x20
        case 0x3C: return bytes.matches("<!--", at: content.lowerBound, end: content.upperBound)
        default: return bytes.matches("rem ", at: content.lowerBound, end: content.upperBound)
        }
    }

    /// Looks behind a name for the value that a sentence gives it. True: there was one.
    mutating func prose(_ name: Range<Int>, _ facts: NameFacts) -> Bool {
        guard let meaning = proseMeaning(name, facts), isProse(name) else { return false }
        let line = line(name.lowerBound)
        let limit = min(line.upperBound, name.upperBound + 160)
        var (at, words) = (name.upperBound, 0)
        // The name of a network alone means a password less often.
        let isNetwork = facts.prose == .network
        while at < limit {
            at = skipMarks(at, limit)
            guard at < limit else { break }
            if let next = connective(at, limit) {
                let isExplicit = words == 0 && !isNetwork
                if isExplicit, phrase(next, limit, name) { return true }
                guard let value = proseWord(next, limit) else { break }
                let isWhole = isExplicit || words <= 2 && !isNetwork && isLetters(Array(bytes[value.range]), name)
                return take(value, name, meaning, isWhole ? nil : isNetwork ? .strict : .loose)
            }
            guard let word = proseWord(at, limit) else { break }
            // The name of a block.
            if bytes.matches("{", at: skipMarks(afterWord(word), limit), end: limit) { return false }
            if Self.connectives.contains(bytes, word.range) {
                var next = skipMarks(afterWord(word), limit)
                if next < limit, bytes[next] == 0x3A { next = skipMarks(next + 1, limit) }
                if next >= limit, limit == line.upperBound { return nextLine(line, name, meaning) }
                if phrase(next, limit, name) { return true }
                for _ in 0..<2 {
                    guard let value = proseWord(next, limit) else { return false }
                    if take(value, name, meaning, isNetwork ? .strict : .loose) { return true }
                    guard Self.adverbs.contains(bytes, value.range) else { return false }
                    next = skipMarks(afterWord(value), limit)
                }
                return false
            }
            if isDenial(word.range) { return false }
            let isOnly = words == 0 && bytes.trimmed(line) == name.lowerBound..<max(name.lowerBound, afterWord(word))
            if !isNetwork,
                take(word, name, meaning, isOnly || isNamed(word, words, name) ? nil : words == 0 ? .loose : .strict)
            {
                return true
            }
            let last = word.range.upperBound
            if bytes[last - 1] == 0x3F || last < limit && bytes[last] == 0x3F { break }
            if last < limit, [0x2E, 0x21, 0x3B].contains(bytes[last]) { return false }
            words += 1
            guard words <= 5 else { return false }
            at = afterWord(word)
        }
        return kind == .prose && words <= 5 && (phraseBelow(line, name) || nextMessage(line, name, meaning))
    }

    /// A word in quotes directly behind a name without doubt.
    private func isNamed(_ word: WrittenValue, _ words: Int, _ name: Range<Int>) -> Bool {
        words == 0 && word.isQuoted && word.range.count >= 8 && kind == .prose
            && bytes[word.range].contains(where: Byte.isDigit) && SecretName.isDoubtless(bytes.text(name))
    }

    private func afterWord(_ word: WrittenValue) -> Int { word.range.upperBound + (word.isQuoted ? 1 : 0) }

    private mutating func take(
        _ written: WrittenValue, _ name: Range<Int>, _ meaning: SecretName.Meaning, _ alone: SecretValue.Alone?
    ) -> Bool {
        // No token is shorter.
        if meaning != .password, written.range.count < 12 || isTestVector(written.range) { return false }
        let first = bytes[written.range.lowerBound]
        if first == 0x22 || isAssignment(written.range)
            || bytes.matches(exactly: "e1N", at: written.range.lowerBound, end: written.range.upperBound)
        {
            return false
        }
        var value = written.form.decoded(bytes[written.range])
        defer { value.wipe() }
        let isOne: Bool
        switch meaning {
        case .password where isNumber(written.range, of: name): isOne = true
        case .password where names.facts(of: name, in: bytes).prose == .number:
            isOne = false
        case .password:
            isOne =
                alone == nil && (isLetters(value, name) || isBesideAccount(written, name))
                || alone.map { SecretValue.isAlone(value, $0) }
                    ?? (SecretValue.isOne(value, .password, isQuoted: written.isQuoted, .prose)
                        && (kind == .prose || SecretValue.isAlone(value, .loose)) && isWritten(value))
        case .token, .weak:
            isOne =
                !value.contains(0x28) && first != 0x2F && first != 0x2E
                && (value.count >= 16 && SecretValue.isOne(value, meaning, isQuoted: true, .prose)
                    && (kind != .log || !SecretValue.isIdentifier(value))
                    || alone != .strict && SecretValue.isAlone(value, .strict) && !SecretValue.isIdentifier(value))
                && !SecretValue.isWordy(String(decoding: value, as: UTF8.self))
        }
        guard isOne, !isInside(name) else { return false }
        let word = meaning == .password ? "password" : "token"
        add(
            .assignment, "prose/\(word)", "a value beside a name", written.range, written.form, service: "",
            account: bytes.text(name))
        return true
    }

    /// A line about a standard's test vectors.
    private func isTestVector(_ value: Range<Int>) -> Bool {
        let line = line(value.lowerBound)
        return Self.vectors.isIn(bytes, line.lowerBound..<value.lowerBound)
    }

    static let vectors = WordList(["test vector", "testvector", "testvektor", "test-vector", " rfc "])

    /// `request=7f3a`: another name and its value.
    private func isAssignment(_ value: Range<Int>) -> Bool {
        let name = bytes[value].prefix { Byte.isWord($0) || $0 == 0x2D || $0 == 0x2E }
        let rest = bytes[value].dropFirst(name.count)
        return !name.isEmpty && rest.first == 0x3D && rest.count > 1 && rest.dropFirst().first != 0x3D
    }

    /// In a text for people: no type, version or word with a sign of the sentence behind it.
    func isWritten(_ value: [UInt8]) -> Bool {
        let text = String(decoding: value, as: UTF8.self)
        if value.allSatisfy(Byte.isDigit) { return value.count >= 6 }
        if SecretValue.isTechnical(value, text) || value.last == 0x3F || value.contains(0x28) { return false }
        return value.contains(where: Byte.isDigit)
            || value.dropLast().contains { "!@#$%^&*+=~_-.".utf8.contains($0) }
                && value.contains { $0 >= 0x80 || Byte.isUpper($0) || Byte.isLower($0) } && !SecretValue.isWordy(text)
    }

    /// What a name means in a sentence: words that are too common for programs count too.
    private func proseMeaning(_ name: Range<Int>, _ facts: NameFacts) -> SecretName.Meaning? {
        switch facts.prose {
        case .passe:
            return bytes.matches("de ", at: name.lowerBound - 3, end: end)
                || bytes.matches("palavra ", at: name.lowerBound - 8, end: end) ? .password : nil
        case .word:
            return bytes.matches("кодовое ", at: name.lowerBound - 15, end: end)
                || bytes.matches("mật ", at: name.lowerBound - 6, end: end) ? .password : nil
        case .network, .number: return .password
        case .key:
            // A key of what: another word of the line says it.
            let line = line(name.lowerBound)
            return Self.publicKeys.isIn(bytes, line) ? nil : Self.keyed.isIn(bytes, line) ? .password : .weak
        case .other: return facts.meaning
        }
    }

    private static let keyed = WordList([
        "wifi", "wi-fi", "wlan", "wpa", "vpn", "router", "netzwerk", "red ", "réseau", "rete", "wep", "psk", "gast",
    ])
    private static let publicKeys = WordList([
        "public", "öffentlich", "publique", "cache", "ssh", "gpg", "pgp", "host", "foreign", "primary",
    ])
    private static let connectives = WordSet([
        "is", "ist", "lautet", "es", "est", "é", "è", "was", "war", "becomes", "to", "auf", "jest", "to:", "är", "er",
        "is:", "ist:", "lautet:", "это", "now", "jetzt", "était", "era", "remains", "bleibt",
    ])
    private static let adverbs = WordSet([
        "now", "still", "jetzt", "noch", "nun", "immer", "nu", "currently", "ahora", "maintenant", "теперь", "just",
        "simply", "set", "to", "the", "same:", "again",
    ])
    private static let denials = [
        "forgot", "vergess", "oubli", "olvid", "forget", "reset", "policy", "require", "must", "should", "expire",
        "läuft", "laeuft", "caduca", "change", "änder", "length", "rule", "regel", "hash", "field", "strength",
        "prompt", "manager", "generat", "invalid", "incorrect", "wrong", "mismatch", "minimum", "забыл", "not",
    ]

    private static let denialList = WordList(denials)

    /// Whether a word begins as one of those that deny.
    private func isDenial(_ word: Range<Int>) -> Bool {
        if bytes.isASCII(word) { return Self.denialList.begins(bytes, word) }
        return Self.denials.contains(where: bytes.text(word).lowercased().hasPrefix)
    }

    private static let connectiveFirsts = ByteSet(":=-→：⇒–")

    /// `:`, `=`, `->`, an arrow, in one of the usual forms. Returns what is behind it.
    private func connective(_ at: Int, _ limit: Int) -> Int? {
        guard at < limit, Self.connectiveFirsts.contains(bytes[at]) else { return nil }
        for mark in [":=", "=>", "->", "→", "：", ":", "=", "⇒", "–"]
        where bytes.matches(exactly: mark, at: at, end: limit) {
            var next = at + mark.utf8.count
            next = skipMarks(next, limit)
            // Another one: "password =: X".
            if next < limit, [0x3D, 0x3E, 0x3A].contains(bytes[next]) { next += 1 }
            return next
        }
        return nil
    }

    /// Blanks, marks of emphasis, and tags.
    private func skipMarks(_ start: Int, _ limit: Int) -> Int {
        var at = start
        while at < limit {
            if Byte.isSpace(bytes[at]) || bytes[at] == 0x2A || bytes[at] == 0x29 || bytes[at] == 0x7E {
                at += 1
            } else if bytes[at] == 0x3C, at + 1 < limit, Byte.isLetter(bytes[at + 1]) || bytes[at + 1] == 0x2F,
                !Self.blocks.contains(where: { bytes.matches($0, at: at, end: limit) }),
                let close = bytes[at..<min(limit, at + 120)].firstIndex(of: 0x3E)
            {
                // KeePass: what is protected is encrypted.
                if bytes.text(at..<close).contains("rotected=\"True") { return limit }
                at = close + 1
            } else if bytes[at] == 0xC2, at + 1 < limit, bytes[at + 1] == 0xA0 {
                at += 2
            } else if bytes[at] == 0x26, bytes.matches(exactly: "&nbsp;", at: at, end: limit) {
                at += 6
            } else {
                return at
            }
        }
        return at
    }

    /// Tags that end a sentence.
    private static let blocks: [StaticString] = [
        "</h", "</div", "<div", "<p", "</p", "<li", "</li", "<ul", "</ul", "<h1", "<h2", "<h3",
    ]

    private static let quotes: [(open: String, close: String)] = [
        ("\"", "\""), ("``", "``"), ("`", "`"), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ("“", "“"),
        ("\\\"", "\\\""),
        ("&quot;", "&quot;"), ("==", "=="),
    ]
    private static let quoteFirsts = ByteSet("\"`'“«\\&=")

    /// The word that begins here, without the marks round it.
    func proseWord(_ start: Int, _ limit: Int) -> WrittenValue? {
        let at = skipMarks(start, limit)
        guard at < limit else { return nil }
        for (open, close) in Self.quoteFirsts.contains(bytes[at]) ? Self.quotes : []
        where bytes.matches(exactly: open, at: at, end: limit) {
            let low = at + open.utf8.count
            guard
                let high = (low..<limit).first(where: { bytes.matches(exactly: close, at: $0, end: limit) }),
                high > low, high - low <= 128
            else { continue }
            return WrittenValue(range: open == "«" ? unspaced(low..<high) : low..<high, isQuoted: true)
        }
        var high = at
        while high < limit, high - at < 128 {
            let byte = bytes[high]
            if byte <= 0x20 || byte == 0x3C || byte == 0x22 || byte == 0x60 || byte == 0x7C { break }
            if byte == 0xC2, high + 1 < limit, bytes[high + 1] == 0xA0 { break }
            if byte == 0x5C, high + 1 < limit, [0x6E, 0x72, 0x74, 0x22].contains(bytes[high + 1]) { break }
            if byte == 0x2C, high + 1 >= limit || bytes[high + 1] <= 0x20 { break }
            high += 1
        }
        let isEmphasised = at > 0 && bytes[at - 1] == 0x2A
        while high > at + 1,
            [0x2E, 0x2C, 0x3B, 0x29, 0x27, 0x5D].contains(bytes[high - 1]) || isEmphasised && bytes[high - 1] == 0x2A
        { high -= 1 }
        // A colon behind a word belongs to the sentence.
        if high > at + 1, bytes[high - 1] == 0x3A { high -= 1 }
        return high > at ? WrittenValue(range: at..<high) : nil
    }

    /// Without the blanks of French quotation marks.
    private func unspaced(_ range: Range<Int>) -> Range<Int> {
        var range = bytes.trimmed(range)
        if bytes[range].starts(with: [0xC2, 0xA0]) { range = range.lowerBound + 2..<range.upperBound }
        if bytes[range].suffix(2).elementsEqual([0xC2, 0xA0]) { range = range.lowerBound..<range.upperBound - 2 }
        return range
    }

    /// A question for a password, and the answer in the next line: one word behind the sender.
    private mutating func nextMessage(_ line: Range<Int>, _ name: Range<Int>, _ meaning: SecretName.Meaning) -> Bool {
        var start = line.upperBound
        while start < end, start - line.upperBound < 3, bytes[start] == 0x0D || bytes[start] == 0x0A { start += 1 }
        guard start < end, start > line.upperBound else { return false }
        let next = bytes.trimmed(self.line(start))
        var at = next.lowerBound
        if let sender = (at..<min(next.upperBound, at + 80)).last(where: {
            (bytes[$0] == 0x3A || bytes[$0] == 0x3E) && $0 + 1 < next.upperBound && bytes[$0 + 1] == 0x20
        }) {
            // An identifier, of a commit or a client.
            if bytes.matches("id", at: sender - 2, end: sender), sender < 3 || !Byte.isLower(bytes[sender - 3]) {
                return false
            }
            at = sender + 2
        }
        let rest = bytes.trimmed(at..<next.upperBound)
        guard !rest.isEmpty, let value = proseWord(rest.lowerBound, rest.upperBound),
            afterWord(value) >= rest.upperBound - 1
        else { return false }
        return take(value, name, meaning, at > next.lowerBound ? .loose : .strict)
    }

    /// `the pw is`, and the password at the beginning of the next line.
    private mutating func nextLine(_ line: Range<Int>, _ name: Range<Int>, _ meaning: SecretName.Meaning) -> Bool {
        var start = line.upperBound
        while start < end, start - line.upperBound < 2, bytes[start] == 0x0D || bytes[start] == 0x0A { start += 1 }
        guard kind == .prose, start < end, start > line.upperBound, case let next = self.line(start),
            let value = proseWord(start, next.upperBound)
        else { return false }
        return take(value, name, meaning, .loose)
    }

    /// `Login: user / password`, `admin/password`: behind a word that means an account.
    mutating func login(_ at: Int) -> Int {
        guard kind == .prose || kind == .log || kind == .json || kind == .source && isElementText(at..<at) else {
            return at + 1
        }
        let line = line(at)
        let limit = min(line.upperBound, at + 160)
        var slash = at
        while let next = bytes.first(0x2F, in: slash + 1..<max(slash + 1, limit)) {
            slash = next
            guard slash > at, slash + 1 < limit, bytes[slash + 1] != 0x2F, bytes[slash - 1] != 0x2F,
                bytes[slash - 1] != 0x3C, bytes[slash - 1] != 0x3A
            else { continue }
            let isSpaced = Byte.isSpace(bytes[slash - 1]) || bytes[slash - 1] == 0x60
            let isOpen = Byte.isSpace(bytes[slash + 1])
            guard isSpaced == isOpen, let value = proseWord(slash + 1, limit),
                !bytes[value.range].contains(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x3D })
            else { continue }
            // Without blanks the account is one word at the anchor.
            if !isSpaced,
                bytes[at..<slash].contains(where: { !Byte.isWord($0) && $0 != 0x2D && $0 != 0x2E && $0 != 0x40 })
            {
                continue
            }
            guard SecretValue.isAlone(Array(bytes[value.range]), .strict) else { continue }
            if !isSpaced {
                let account = bytes.text(at..<slash).lowercased()
                guard at == 0 || !Byte.isWord(bytes[at - 1]) && ![0x2F, 0x2E, 0x2D].contains(bytes[at - 1]),
                    ["admin", "administrator", "root", "guest", "sysadmin", "user"].contains(account),
                    bytes[value.range].contains(where: { Byte.isUpper($0) || "!@#$%^&*+".utf8.contains($0) })
                else { continue }
            }
            add(
                .assignment, "prose/login", "a value beside an account", value.range, service: "",
                account: bytes.text(bytes.trimmed(at..<slash)))
            return value.range.upperBound
        }
        return told(at, limit)
    }

    /// `root on db1 is now PASSWORD`.
    private mutating func told(_ at: Int, _ limit: Int) -> Int {
        guard bytes.matches("root", at: at, end: end) || bytes.matches("admin", at: at, end: end),
            let verb = (at..<min(limit, at + 60)).first(where: {
                bytes.matches(" is now ", at: $0, end: limit) || bytes.matches(" ist jetzt ", at: $0, end: limit)
                    || bytes.matches(" changed to ", at: $0, end: limit)
            }), let start = (verb + 5..<limit).first(where: { bytes[$0] == 0x20 }),
            let value = proseWord(start + 1, limit), SecretValue.isAlone(Array(bytes[value.range]), .strict)
        else { return toldInQuotes(at, limit) }
        add(
            .assignment, "prose/login", "a value beside an account", value.range, service: "",
            account: bytes.text(at..<verb))
        return value.range.upperBound
    }
}
