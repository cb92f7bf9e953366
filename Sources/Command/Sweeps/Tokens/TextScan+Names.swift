// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// A value as it is written in a text.
struct WrittenValue {
    var range: Range<Int>
    var form: ClearSecret.Form = .plain
    var isQuoted = false
}

extension TextScan {
    func isNameByte(_ byte: UInt8) -> Bool { Byte.isWord(byte) || byte == 0x2D || byte == 0x2E || byte >= 0x80 }

    /// The name round a place, and whether it is an option of a command.
    private func identifier(_ at: Int) -> Range<Int> {
        var (low, high) = (at, at)
        while low > 0, at - low < 96, isNameByte(bytes[low - 1]), !isMark(endingAt: low) { low -= 1 }
        while high < end, high - at < 96,
            isNameByte(bytes[high]) && !isMark(high) || bytes[high] == 0x20 && isKeyWord(high)
        {
            high += 1
        }
        while low < high, bytes[low] == 0x2D || bytes[low] == 0x2E { low += 1 }
        while high > low, bytes[high - 1] == 0x2D || bytes[high - 1] == 0x2E { high -= 1 }
        // A blank of libedit before it.
        if low > 0, bytes[low - 1] == 0x5C, bytes.matches("040", at: low, end: high) { low += 3 }
        return low..<high
    }

    /// A quotation mark, an arrow, a full-width colon and their like in UTF-8: no part of a name.
    private func isMark(_ at: Int) -> Bool {
        guard at + 1 < end else { return false }
        switch bytes[at] {
        case 0xC2: return true
        case 0xE2: return bytes[at + 1] < 0x90
        case 0xE3: return bytes[at + 1] == 0x80
        // And the mark of the byte order.
        case 0xEF: return bytes[at + 1] == 0xBC || bytes[at + 1] == 0xBB
        default: return false
        }
    }

    private func isMark(endingAt end: Int) -> Bool {
        bytes[end - 1] >= 0x80
            && (end >= 2 && bytes[end - 2] == 0xC2 || end >= 3 && isMark(end - 3) && bytes[end - 3] != 0xC2)
    }

    /// `checksum/secret`: what is before a slash says what it is.
    private func isChecksum(_ name: Range<Int>) -> Bool {
        name.lowerBound > 0 && bytes[name.lowerBound - 1] == 0x2F
            && (["checksum", "hash", "digest"] as [StaticString]).contains {
                name.lowerBound > $0.utf8CodeUnitCount
                    && bytes.matches($0, at: name.lowerBound - 1 - $0.utf8CodeUnitCount, end: name.lowerBound)
            }
    }

    /// `API key: ...` for people.
    private func isKeyWord(_ blank: Int) -> Bool {
        bytes.matches(" key", at: blank, end: end) && blank >= 3 && bytes.matches("api", at: blank - 3, end: end)
            && (blank + 4 == end || !isNameByte(bytes[blank + 4]))
    }

    /// Looks at a name that may mean a secret. Returns where the search goes on.
    mutating func name(_ at: Int) -> Int {
        let name = identifier(at)
        guard name.count >= 2, name.count <= 96, name.upperBound > at else { return at + 1 }
        let facts = names.facts(of: name, in: bytes)
        // Behind a call's name its own anchor may be.
        if facts.isPlain { return name.upperBound < end && bytes[name.upperBound] == 0x28 ? at + 1 : name.upperBound }
        enter(name.lowerBound)
        if let value = defaultOf(name) {
            if let meaning = facts.meaning, meaning != .weak,
                SecretValue.isAlone(Array(bytes[value.range]), .loose)
            {
                _ = accept(value, name, facts, .password)
            }
            return name.upperBound
        }
        if facts.traits.contains(.isTuple), let value = tuple(name) { _ = accept(value, name, facts, .password) }
        if facts.traits.contains(.isBearer) {
            bearer(name.upperBound)
            return name.upperBound
        }
        // The value first: most names in sources have none.
        let value = assigned(name) ?? valueBefore(name)
        if let value, facts.traits.contains(.isUser), facts.meaning != .password, takeComposite(value) {
            return max(name.upperBound, value.range.lowerBound)
        }
        if let value, value.range.count >= 4, !isChecksum(name),
            let meaning = isDeviceName(name, facts) || isNumberName(name, facts, value)
                ? .password : facts.meaning ?? storageKey(facts, value),
            accept(value, name, facts, meaning)
        {
            return max(name.upperBound, value.range.lowerBound)
        }
        if let value, facts.traits.contains(.isUser), facts.meaning == .password, takeComposite(value) {
            return max(name.upperBound, value.range.lowerBound)
        }
        if facts.traits.contains(.isBlock) { _ = block(name.upperBound - 1) }
        // Directly behind `=` the value was judged already.
        let isJudged = kind != .source && name.upperBound < end && bytes[name.upperBound] == 0x3D
        if value == nil || !isJudged { _ = prose(name, facts) }
        return name.upperBound
    }

    /// `user:SECRET`.
    private mutating func takeComposite(_ written: WrittenValue) -> Bool {
        guard written.range.count >= 8, written.isQuoted || kind.allowsBareValues,
            bytes[written.range].contains(0x3A) || bytes[written.range].contains(0x2F),
            !bytes[written.range].contains(0x20)
        else { return false }
        return takeUserAndPassword(written.range)
    }

    /// `fs.azure.account.key.ACCOUNT`: 64 bytes in Base64 below a name that has a key in it.
    private func storageKey(_ facts: NameFacts, _ value: WrittenValue) -> SecretName.Meaning? {
        facts.traits.contains(.hasKey) && value.range.count == 88
            && bytes[value.range].suffix(2).elementsEqual([0x3D, 0x3D]) ? .token : nil
    }

    /// `${NAME:-VALUE}`; an empty value where a reference has none.
    private func defaultOf(_ name: Range<Int>) -> WrittenValue? {
        guard name.lowerBound >= 2, bytes[name.lowerBound - 1] == 0x7B, bytes[name.lowerBound - 2] == 0x24 else {
            return nil
        }
        // A variable of Robot Framework: `${NAME}`, two blanks, the value.
        if let value = robot(name) { return value }
        let rest = name.upperBound..<min(end, name.upperBound + 200)
        guard rest.count > 2, bytes[rest.lowerBound] == 0x3A, bytes[rest.lowerBound + 1] == 0x2D,
            let close = bytes[rest].firstIndex(of: 0x7D), close > rest.lowerBound + 2
        else { return WrittenValue(range: name.upperBound..<name.upperBound) }
        return WrittenValue(range: rest.lowerBound + 2..<close)
    }

    private func robot(_ name: Range<Int>) -> WrittenValue? {
        guard kind == .prose || kind == .config, bytes.trimmed(line(name.lowerBound)).lowerBound == name.lowerBound - 2,
            name.upperBound + 3 < end, bytes[name.upperBound] == 0x7D
        else { return nil }
        var at = name.upperBound + 1
        if bytes[at] == 0x3D { at += 1 }
        guard at + 1 < end, bytes[at] == 0x09 || bytes[at] == 0x20 && bytes[at + 1] == 0x20 else { return nil }
        return WrittenValue(range: bareWord(skipBlanks(at)))
    }

    /// Whether a name is in an expression, an example, or among the texts of a screen.
    func isInside(_ name: Range<Int>) -> Bool {
        let line = line(name.lowerBound)
        let low = max(line.lowerBound, name.lowerBound - 120)
        guard low < name.lowerBound else { return false }
        let before = bytes.text(low..<name.lowerBound).lowercased()
        if before.contains("{{"), !before.contains("}}") { return true }
        if before.hasSuffix("alias ") { return true }
        if ["example:", "e.g. ", "beispiel:", "ex. "].contains(where: before.contains) { return true }
        guard kind == .source || kind == .json else { return false }
        return ["errors", "messages", "labels", "placeholders", "hints", "test_ids", "testids"].contains {
            before.contains($0)
        }
    }

    /// The community of SNMP is a password by what it does; the two that every device has are none.
    private func isCommunity(_ name: Range<Int>, _ facts: NameFacts, _ value: [UInt8]) -> Bool {
        isDeviceName(name, facts) && bytes.text(name).lowercased().hasSuffix("community") && value.count >= 4
            && value.allSatisfy { Byte.isWord($0) || "-.!#$%&*+?@".utf8.contains($0) }
            && value.contains(where: Byte.isLetter)
            && ![
                "public", "private", "none", "both", "standard", "extended", "internet", "additive", "no-export",
                "local-as",
            ]
            .contains(String(decoding: value, as: UTF8.self).lowercased())
    }

    /// `pin: 4711`, `alarm_code: "7391"`.
    private func isNumberName(_ name: Range<Int>, _ facts: NameFacts, _ value: WrittenValue) -> Bool {
        guard !facts.traits.isDisjoint(with: [.isOfNumber, .isNumber]), (4...10).contains(value.range.count),
            bytes[value.range].allSatisfy(Byte.isDigit),
            kind != .source || value.isQuoted && !SecretValue.isRun(Array(bytes[value.range]))
        else { return false }
        guard name.count == 4, !facts.traits.contains(.isNumber) else { return true }
        // `code`, of what the words before it say.
        let before = bytes.text(max(0, name.lowerBound - 120)..<name.lowerBound).lowercased()
        return ["alarm", "lock", "door", "safe"].contains { before.contains($0) }
    }

    private mutating func accept(
        _ written: WrittenValue, _ name: Range<Int>, _ facts: NameFacts, _ meaning: SecretName.Meaning
    ) -> Bool {
        var form = written.form
        var value = form.decoded(bytes[written.range])
        defer { value.wipe() }
        let text = bytes.text(name)
        // The key of a cache or of a row is a hash or an identifier.
        let parent = name.count == 3 && meaning == .weak ? parentMeaning(name) : nil
        let meaning = parent ?? meaning
        let isQuery =
            name.count == 3 && name.lowerBound > 0 && [0x3F, 0x26].contains(bytes[name.lowerBound - 1])
            && kind.hasCommands
            && SecretValue.isDigest(value)
        if name.count == 3, meaning == .weak, !isQuery, !isInCipher(name),
            value.count < (SecretValue.isGenerated(value) ? 24 : 32)
                || value.allSatisfy({ Byte.isHex($0) || $0 == 0x2D })
                || SecretValue.isDigest(Array(value.prefix(40)))
        {
            return false
        }
        if kind == .log, meaning != .password,
            SecretValue.isIdentifier(value) || SecretValue.isIdentifier(Array(value.prefix(40))),
            !["api", "secret", "private"].contains(where: text.lowercased().contains)
        {
            return false
        }
        if meaning == .weak, let basic = ClearSecret.Form.userAndPassword(bytes[written.range]),
            !basic.password.isEmpty,
            !SecretValue.isExample(value), !Placeholder.isOne(basic.password)
        {
            form = .basic
        } else {
            guard
                SecretValue.isOne(value, meaning, isQuoted: written.isQuoted, kind)
                    || isNumberName(name, facts, written) || isInCipher(name) && SecretValue.isDigest(value) || isQuery
                    || isCommunity(name, facts, value) || isKeyBelow(parent, value) || isBytes(written, meaning)
                    || isWeakValue(value, written, name, text, meaning),
                !value.elementsEqual(text.utf8), !isInside(name), !isInExample(name.lowerBound),
                !isExampleLine(name.lowerBound)
            else { return false }
        }
        if kind == .prose, !written.isQuoted, !isWritten(value), !isNumberName(name, facts, written) { return false }
        let word = meaning == .password ? "password" : "token"
        add(.assignment, "assignment/\(word)", "a value beside a name", written.range, form, service: "", account: text)
        return true
    }

    /// A short word, a phrase or few digits, where the name leaves no doubt and the value is its own.
    private func isWeakValue(
        _ value: [UInt8], _ written: WrittenValue, _ name: Range<Int>, _ text: String, _ meaning: SecretName.Meaning
    ) -> Bool {
        guard written.range.lowerBound > name.upperBound, kind != .config || !isComment(name) else { return false }
        // Behind a comma is the next of a list, but for a function that takes a name and a value.
        let between = bytes[name.upperBound..<min(written.range.lowerBound, name.upperBound + 160)]
        if between.contains(0x2C), name.lowerBound < 2 || bytes[name.lowerBound - 2] != 0x28,
            bytes[max(0, name.lowerBound - 1)] != 0x7B, !isSettingName(name)
        {
            return false
        }
        if kind == .source, !between.contains(where: { ":=>,".utf8.contains($0) }), !isDefined(name), !isLispName(name)
        {
            return false
        }
        var kind = isDefined(name) ? TextKind.config : kind
        if kind == .source, !written.isQuoted,
            Self.connections.isIn(bytes, max(0, name.lowerBound - 120)..<name.lowerBound)
        {
            kind = .config
        }
        return meaning == .password && SecretName.isDoubtless(text)
            && SecretValue.isWeak(value, isQuoted: written.isQuoted, kind)
            || value.contains(0x20) && SecretName.isPhrase(text)
                && SecretValue.isWeak(value, isQuoted: written.isQuoted, kind)
    }

    private static let connections = WordList(["host=", "user=", "server=", "uid=", "user id=", "username=", "dbname="])

    /// `user_pref("mail.password", "VALUE")`.
    private func isSettingName(_ name: Range<Int>) -> Bool {
        let line = line(name.lowerBound)
        guard let open = bytes[line.lowerBound..<name.lowerBound].lastIndex(of: 0x28) else { return false }
        return bytes[open..<name.lowerBound].count { $0 == 0x22 || $0 == 0x27 } == 1
            && !bytes[open..<name.lowerBound].contains { $0 == 0x2C || $0 == 0x5B }
    }

    private func isDefined(_ name: Range<Int>) -> Bool {
        bytes.matches("define ", at: name.lowerBound - 7, end: name.lowerBound)
    }

    /// A hexadecimal key below a name that says of what.
    private func isKeyBelow(_ parent: SecretName.Meaning?, _ value: [UInt8]) -> Bool {
        parent != nil && SecretValue.isDigest(value) && !SecretValue.isSequence(value)
    }

    /// A key as an array of bytes.
    private func isBytes(_ written: WrittenValue, _ meaning: SecretName.Meaning) -> Bool {
        guard kind == .source || kind == .config, written.isQuoted, bytes[written.range].contains(0x2C),
            written.range.count >= 40
        else {
            return false
        }
        let parts = bytes[written.range].split(separator: 0x2C)
        let line = line(written.range.lowerBound)
        // A standard's test vector.
        if Self.vectors.isIn(bytes, max(0, line.lowerBound - 120)..<line.upperBound) { return false }
        return parts.count >= 16 && Set(parts.map { bytes.text(bytes.trimmed($0.startIndex..<$0.endIndex)) }).count >= 8
    }

    /// `crypt` => [`key` => ...]: what the key is for is just before it.
    private func isInCipher(_ name: Range<Int>) -> Bool {
        guard name.count == 3 else { return false }
        return Self.ciphers.isIn(bytes, max(0, name.lowerBound - 40)..<name.lowerBound)
    }

    private static let ciphers = WordList(["crypt", "cipher", "secret", "hmac", "signing", "jwt"])

    /// `Bearer TOKEN`.
    private mutating func bearer(_ at: Int) {
        // `("Bearer", "TOKEN")`.
        if at + 1 < end, bytes[at] == 0x22 || bytes[at] == 0x27, bytes[at + 1] == 0x2C,
            let written = quoted(skipBlanks(at + 2))
        {
            _ = schemed(written.range)
            return
        }
        guard at + 1 < end, bytes[at] == 0x20 else { return }
        let range = bareWord(at + 1)
        let value = Array(bytes[range])
        if SecretValue.isOne(value, .token, isQuoted: false, .config), value.count >= 16 {
            add(.assignment, "header/bearer", "a header Authorization", range, service: "", account: "Authorization")
        }
    }

    /// `auth=("user", "password")`, `.auth("user", "password")`, `.login("user", "password")`: the second string.
    private func tuple(_ name: Range<Int>) -> WrittenValue? {
        var at = skipBlanks(name.upperBound)
        if at < end, bytes[at] == 0x3D { at = skipBlanks(at + 1) }
        guard at < end, bytes[at] == 0x28, let first = quoted(skipBlanks(at + 1)) else { return nil }
        at = skipBlanks(first.range.upperBound + 1)
        guard at < end, bytes[at] == 0x2C else { return nil }
        return quoted(skipBlanks(at + 1))
    }

    /// Blanks, and in histories of libedit their form `\040`.
    func skipBlanks(_ start: Int) -> Int {
        var at = start
        while at < end {
            if Byte.isSpace(bytes[at]) {
                at += 1
            } else if bytes[at] == 0x5C, bytes.matches("\\040", at: at, end: end) {
                at += 4
            } else {
                break
            }
        }
        return at
    }

    func skipLineEnds(_ start: Int) -> Int {
        var at = start
        while at < end, at - start < 40, Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
        return at
    }

    func skipAll(_ start: Int, most: Int) -> Int {
        var at = start
        while at < end, at - start < most, Byte.isSpaceOrEnd(bytes[at]) || bytes[at] == 0x2C { at += 1 }
        return at
    }

    /// The value that is assigned to a name, in any of the usual ways.
    private func assigned(_ name: Range<Int>) -> WrittenValue? {
        var at = name.upperBound
        let isFlag = name.lowerBound > 0 && bytes[name.lowerBound - 1] == 0x2D
        let isElement = name.lowerBound > 0 && bytes[name.lowerBound - 1] == 0x3C
        var isQuotedName = false
        if at < end, [0x22, 0x27, 0x60].contains(bytes[at]) {
            (isQuotedName, at) = (true, at + 1)
        } else if at + 1 < end, bytes[at] == 0x5C, bytes[at + 1] == 0x22 {
            (isQuotedName, at) = (true, at + 2)
        }
        if at < end, bytes[at] == 0x5D { at += 1 }
        if at < end, bytes[at] == 0x3F || bytes[at] == 0x21 { at += 1 }
        let beforeBlanks = at
        at = isQuotedName && kind == .json ? skipLineEnds(at) : skipBlanks(at)
        guard at < end else { return nil }
        if isQuotedName, kind == .json, let value = designated(name) { return value }
        if bytes[at] == 0x0A || bytes[at] == 0x0D, let value = explicitPair(name, at) { return value }
        switch bytes[at] {
        case 0x3D: return afterEquals(at, name)
        case 0x3A: return afterColon(at, name, isQuotedName)
        case 0x7C, 0x3F:
            guard let equals = bytes[at..<min(end, at + 3)].firstIndex(of: 0x3D) else { return nil }
            return value(equals + 1, name, isQuotedName: false)
        case 0x2E where at > beforeBlanks && at + 1 < end && bytes[at + 1] == 0x20:
            // `(:password . "VALUE")` of Lisp.
            return quoted(skipBlanks(at + 1))
        case 0x2C where isQuotedName:
            let argument = skipAll(at + 1, most: 40)
            if bytes.matches("default=", at: argument, end: end) { return quoted(skipBlanks(argument + 8)) }
            if let value = namedValue(at) { return value }
            guard isFlag || kind != .commands && kind != .log && kind != .keys, let next = quoted(argument) else {
                return nil
            }
            // A list of names.
            return SecretName.judged(bytes.text(next.range)) == nil || bytes[next.range].count(where: Byte.isDigit) > 1
                ? next : nil
        case 0x2C where name.lowerBound > 0 && bytes[name.lowerBound - 1] == 0x7B && kind != .json:
            // `{name, "VALUE"}` of Erlang.
            return quoted(skipLineEnds(at + 1))
        case 0x29: return arrayElement(at, name)
        case 0x5B: return kind == .source ? byteArray(at) ?? behindBracket(at, name) : nil
        case 0x3C where at + 1 < end && bytes[at + 1] == 0x2D: return value(at + 2, name, isQuotedName: false)
        case 0x3E: return isElement || isQuotedName ? elementText(at + 1) : nil
        case 0x3C: return propertyListValue(at)
        case 0x28: return sqlFunction(at, name)
        case 0x7B: return isQuotedName ? blockDefault(at) : nil
        case 0x27, 0x22:
            // PASSWORD 'secret' of SQL, NAME "secret" of configurations.
            guard at > beforeBlanks, kind != .json, !isQuotedName else { return namedValue(beforeBlanks) }
            // The name of a block: `credentials "host" {`.
            if let block = quoted(at), bytes.matches("{", at: skipBlanks(block.range.upperBound + 1), end: end) {
                return nil
            }
            let isDefined = bytes.matches("define ", at: name.lowerBound - 7, end: name.lowerBound)
            return isFlag || isDefined || kind != .source || isLispName(name)
                || bytes.matches("password", at: name.upperBound - 8, end: name.upperBound) ? quoted(at) : nil
        default:
            if let value = namedValue(beforeBlanks) { return value }
            if at > beforeBlanks, let value = elementBehindAttributes(at, name) { return value }
            if isQuotedName, kind == .source, bytes.matches("to ", at: at, end: end) {
                return quoted(skipBlanks(at + 3))
            }
            if at > beforeBlanks, let value = typed(name, at) ?? pictured(at) ?? directiveValue(name, at) {
                return value
            }
            if isFlag, at > beforeBlanks, kind.allowsBareValues, bytes[at] != 0x2D { return bareOrQuoted(at) }
            return at > beforeBlanks && isCommandAssignment(name) ? bareOrQuoted(at) : nil
        }
    }

    /// `char NAME[33] = "VALUE"`.
    private func behindBracket(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        guard let close = bytes[at..<min(end, at + 24)].firstIndex(of: 0x5D), case let equals = skipBlanks(close + 1),
            equals < end, bytes[equals] == 0x3D
        else { return nil }
        return quoted(skipBlanks(equals + 1))
    }

    private func afterEquals(_ start: Int, _ name: Range<Int>) -> WrittenValue? {
        var at = start + 1
        while at < end, at - start < 3, bytes[at] == 0x3D || bytes[at] == 0x3E { at += 1 }
        return value(at, name, isQuotedName: false)
    }

    private func afterColon(_ start: Int, _ name: Range<Int>, _ isQuotedName: Bool) -> WrittenValue? {
        var at = start + 1
        guard at < end else { return nil }
        if bytes[at] == 0x3D { return value(at + 1, name, isQuotedName: false) }
        if bytes[at] == 0x3A { return encodedValue(at + 1, name) }
        // A part of an identifier such as `arn:aws:...:secret:NAME`.
        if name.lowerBound > 1, bytes[name.lowerBound - 1] == 0x3A, bytes[name.lowerBound - 2] > 0x20,
            !Byte.isSpace(bytes[at])
        {
            return nil
        }
        if isQuotedName, let member = listedValue(at) { return member }
        if kind == .source || kind == .config, case let next = skipBlanks(at), next < end, bytes[next] == 0x5B,
            let array = byteArray(next)
        {
            return array
        }
        if kind == .source, !isQuotedName {
            // A type between the name and its value: `let token: String = "..."`.
            let next = skipBlanks(at)
            if next < end, Byte.isLetter(bytes[next]) || bytes[next] == 0x26 {
                var type = next
                while type < end, type - next < 48,
                    Byte.isWord(bytes[type])
                        || [0x3C, 0x3E, 0x3F, 0x26, 0x27, 0x2E, 0x20, 0x5B, 0x5D, 0x21].contains(bytes[type])
                {
                    type += 1
                }
                if type < end, bytes[type] == 0x3D { at = type + 1 }
            }
        }
        return value(at, name, isQuotedName: isQuotedName)
    }

    /// `set -x NAME VALUE`, `ENV NAME VALUE`, `config set NAME VALUE`.
    private func isCommandAssignment(_ name: Range<Int>) -> Bool {
        guard kind == .commands || kind == .script else { return false }
        let before = bytes.text(line(name.lowerBound).lowerBound..<name.lowerBound)
        return [
            "-x ", "-gx ", "-Ux ", "-xg ", "ENV ", "ARG ", "setx ", "config set ", "configure set ", "config --global ",
            "config ", "secret set ", "alias set ",
        ].contains {
            before.contains($0)
        }
    }

    /// Whether a name is inside a string, as in `"...;Password=VALUE;"` and in `?access_token=VALUE`.
    private func isInString(_ name: Range<Int>) -> Bool {
        guard name.lowerBound > 0, name.upperBound < end, bytes[name.upperBound] == 0x3D else { return false }
        if [0x3B, 0x22, 0x27, 0x3F, 0x26].contains(bytes[name.lowerBound - 1]) { return true }
        // Behind a blank or a comma only if a string is open.
        if bytes[line(name.lowerBound).lowerBound..<name.lowerBound].count(where: { $0 == 0x27 }) % 2 == 1,
            bytes[name.lowerBound - 1] == 0x20,
            bytes[name.upperBound + 1 < end ? name.upperBound + 1 : name.upperBound] > 0x27
        {
            return true
        }
        return bytes[line(name.lowerBound).lowerBound..<name.lowerBound].count { $0 == 0x22 } % 2 == 1
    }

    func bareOrQuoted(_ at: Int) -> WrittenValue? {
        quoted(at) ?? (at < end ? WrittenValue(range: bareWord(at)) : nil)
    }

    private func value(_ start: Int, _ name: Range<Int>, isQuotedName: Bool) -> WrittenValue? {
        let at = skipBlanks(start)
        guard at < end else { return nil }
        if isInString(name), kind == .source || kind == .json {
            // In a string of three quotes others may be.
            if bytes[at] == 0x22, bytes.text(line(name.lowerBound).lowerBound..<name.lowerBound).contains("\"\"\"") {
                return quoted(at)
            }
            // In a string of JSON one with other quotes, as in notebooks.
            if bytes[at] == 0x27 { return quoted(at) }
            return at == start && ![0x22, 0x27, 0x5C].contains(bytes[at]) ? WrittenValue(range: bareWord(at)) : nil
        }
        if let quoted = quoted(at) { return quoted }
        if kind == .source, let other = fallback(at) ?? wrapped(at) ?? ternary(at) ?? defaulted(at) { return other }
        if kind == .config, bytes.matches("!!str ", at: at, end: end) {
            let scalar = skipBlanks(at + 6)
            return quoted(scalar) ?? WrittenValue(range: bareWord(scalar))
        }
        if let block = blockScalar(at, name) { return block }
        if bytes[at] == 0x0A || bytes[at] == 0x0D {
            // On the next line, in quotes; or below the name, as `value: ...`.
            let next = skipAll(at, most: 80)
            return kind == .source || kind == .json
                ? quoted(next) ?? fallback(next) : kind == .config ? namedValue(at) : nil
        }
        guard kind.allowsBareValues, !isQuotedName || kind == .config else { return nil }
        let line = line(name.lowerBound)
        guard at < line.upperBound else { return nil }
        var first = line.lowerBound
        while first < name.lowerBound, [0x20, 0x09, 0x2D, 0x22, 0x27].contains(bytes[first]) { first += 1 }
        if bytes.matches("export ", at: first, end: end) { first += 7 }
        if kind == .config, first == name.lowerBound, let whole = wholeLine(at, line) { return whole }
        return WrittenValue(range: bareWord(at))
    }

    /// The rest of a line of a configuration.
    private func wholeLine(_ at: Int, _ line: Range<Int>) -> WrittenValue? {
        var high = at
        while high < line.upperBound {
            if Byte.isSpace(bytes[high]), high + 1 < line.upperBound, bytes[high + 1] == 0x23 || bytes[high + 1] == 0x3B
            {
                break
            }
            high += 1
        }
        var range = bytes.trimmed(at..<high)
        while let last = bytes[range].last, last == 0x2C || last == 0x3B {
            range = range.lowerBound..<range.upperBound - 1
        }
        guard !range.isEmpty, bytes[range.lowerBound] != 0x7C, bytes[range.lowerBound] != 0x3E,
            bytes[range.lowerBound] != 0x21
        else { return nil }
        // Another pair behind a separator: only the word counts.
        if bytes[range].contains(0x3B), bytes[range].contains(0x3D) { return nil }
        return WrittenValue(range: range)
    }

    /// A word without quotes.
    func bareWord(_ at: Int) -> Range<Int> {
        var high = at
        // A mark such as [FILTERED].
        if at < end, bytes[at] == 0x5B, let close = bytes[at..<min(end, at + 64)].firstIndex(of: 0x5D) {
            return at..<close + 1
        }
        while high < end, high - at <= SecretValue.longest {
            let byte = bytes[high]
            if byte <= 0x20 || byte == 0x22 || byte == 0x27 || byte == 0x60 || byte == 0x3C || byte == 0x3E { break }
            if byte == 0x3B || byte == 0x7C { break }
            if byte == 0x5C, high + 1 < end,
                bytes[high + 1] == 0x6E || bytes[high + 1] == 0x22 || bytes[high + 1] == 0x72 && kind == .source
                    || bytes.matches("\\040", at: high, end: end)
            {
                break
            }
            if byte == 0x26, kind != .config || isQuery(at), isEndedByAnd(high, at) { break }
            if byte == 0x2C, high + 1 >= end || bytes[high + 1] <= 0x20 || isPair(high + 1) { break }
            if byte == 0x29 || byte == 0x5D || byte == 0x7D,
                high + 1 >= end || bytes[high + 1] <= 0x20
                    || [0x2C, 0x3B, 0x22, 0x27, 0x29, 0x5D, 0x7D].contains(bytes[high + 1])
            {
                break
            }
            high += 1
        }
        // The full stop of a sentence.
        if kind == .prose || kind == .log, high > at + 1, bytes[high - 1] == 0x2E { high -= 1 }
        return at..<high
    }

    /// Whether `&` separates a value from what follows: another name, another command, or the rest of a query.
    private func isEndedByAnd(_ at: Int, _ start: Int) -> Bool {
        at + 1 >= end || bytes[at + 1] <= 0x20 || bytes[at + 1] == 0x26 || isPair(at + 1) || isQuery(start)
            || bytes.matches("&quot;", at: at, end: end) || bytes.matches("&amp;", at: at, end: end)
    }

    private func isQuery(_ at: Int) -> Bool {
        let line = line(at)
        return bytes[line.lowerBound..<at].contains { $0 == 0x3F || $0 == 0x26 }
    }

    /// Whether NAME= begins here.
    private func isPair(_ at: Int) -> Bool {
        var next = at
        while next < end, next - at < 32, Byte.isWord(bytes[next]) { next += 1 }
        return next > at && next < end && (bytes[next] == 0x3D || bytes[next] == 0x3A)
    }

    /// A string in quotes that begins here, perhaps with a letter before them.
    func quoted(_ start: Int) -> WrittenValue? {
        var at = start
        guard at < end else { return nil }
        // <<"">> of Erlang, q{} of Perl.
        if at + 2 < end, bytes[at] == 0x3C, bytes[at + 1] == 0x3C, bytes[at + 2] == 0x22 { at += 2 }
        if kind == .source, at + 1 < end, bytes[at] == 0x71 || bytes[at] == 0x25, let value = bracketed(at) {
            return value
        }
        // f"", b'', r"", @"", L"", N''.
        if at + 1 < end, [0x66, 0x62, 0x72, 0x75, 0x40, 0x4C, 0x42, 0x52, 0x24, 0x4E].contains(bytes[at]),
            [0x22, 0x27].contains(bytes[at + 1])
        {
            at += 1
        }
        if bytes[at] == 0x5C, at + 1 < end, bytes[at + 1] == 0x22 || bytes[at + 1] == 0x27 { return escapedQuoted(at) }
        let quote = bytes[at]
        guard quote == 0x22 || quote == 0x27 || quote == 0x60 else { return nil }
        var low = at + 1
        if low + 1 < end, bytes[low] == quote, bytes[low + 1] == quote { low += 2 }
        var high = low
        while high < end, bytes[high] != quote {
            if bytes[high] == 0x0A || high - low > SecretValue.longest { return nil }
            high += bytes[high] == 0x5C && quote != 0x60 ? 2 : 1
        }
        guard high < end, high > low else { return nil }
        let hasEscapes = bytes[low..<high].contains(0x5C)
        return WrittenValue(
            range: low..<high, form: hasEscapes ? (kind == .json ? .json : .backslashed) : .plain, isQuoted: true)
    }

    /// `q{value}`, `qq(value)`, `%q[value]`.
    private func bracketed(_ start: Int) -> WrittenValue? {
        var at = start
        while at < end, at - start < 3, [0x25, 0x71, 0x51].contains(bytes[at]) { at += 1 }
        guard at > start, at < end, let close = [0x7B: 0x7D, 0x28: 0x29, 0x5B: 0x5D, 0x7C: 0x7C][bytes[at]] as UInt8?,
            let high = bytes[at + 1..<min(end, at + 256)].firstIndex(of: close), high > at + 1
        else { return nil }
        return WrittenValue(range: at + 1..<high, isQuoted: true)
    }

    /// `\"value\"` in a string of JSON, as in notebooks.
    private func escapedQuoted(_ at: Int) -> WrittenValue? {
        let low = at + 2
        var high = low
        while high + 1 < end, high - low <= SecretValue.longest {
            if bytes[high] == 0x0A { return nil }
            if bytes[high] == 0x5C, bytes[high + 1] == bytes[at + 1] {
                return high > low ? WrittenValue(range: low..<high, isQuoted: true) : nil
            }
            high += 1
        }
        return nil
    }
}
