// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A value as it is written in a text.
struct WrittenValue {
    var range: Range<Int>
    var form: ClearSecret.Form = .plain
    var isQuoted = false
}

extension TextScan {
    private func isNameByte(_ byte: UInt8) -> Bool { Byte.isWord(byte) || byte == 0x2D || byte == 0x2E || byte >= 0x80 }

    /// The name round a place, and whether it is an option of a command.
    private func identifier(_ at: Int) -> Range<Int> {
        var (low, high) = (at, at)
        while low > 0, at - low < 96, isNameByte(bytes[low - 1]) { low -= 1 }
        while high < end, high - at < 96, isNameByte(bytes[high]) || bytes[high] == 0x20 && isKeyWord(high) {
            high += 1
        }
        while low < high, bytes[low] == 0x2D || bytes[low] == 0x2E { low += 1 }
        while high > low, bytes[high - 1] == 0x2D || bytes[high - 1] == 0x2E { high -= 1 }
        // A blank of libedit before it.
        if low > 0, bytes[low - 1] == 0x5C, bytes.matches("040", at: low, end: high) { low += 3 }
        return low..<high
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
        if let value = tuple(name) { accept(value, name, .password) }
        if name.count == 6, bytes.matches("bearer", at: name.lowerBound, end: name.upperBound) {
            bearer(name.upperBound)
            return name.upperBound
        }
        // The value first: most names in sources have none.
        if let value = assigned(name), value.range.count >= 4, !isChecksum(name),
            let meaning = meaning(bytes.text(name))
        {
            accept(value, name, meaning)
        }
        return name.upperBound
    }

    /// A text has few names, each many times.
    private mutating func meaning(_ name: String) -> SecretName.Meaning? {
        if let known = meanings[name] { return known }
        let meaning = SecretName.judged(name)
        if meanings.count < 1024 { meanings[name] = .some(meaning) }
        return meaning
    }

    private mutating func accept(_ written: WrittenValue, _ name: Range<Int>, _ meaning: SecretName.Meaning) {
        var form = written.form
        var value = form.decoded(bytes[written.range])
        defer { value.wipe() }
        let text = bytes.text(name)
        // The key of a cache or of a row is a hash or an identifier.
        if name.count == 3, value.count < 32 || value.allSatisfy({ Byte.isHex($0) || $0 == 0x2D }) { return }
        if let basic = ClearSecret.Form.userAndPassword(bytes[written.range]), meaning == .weak,
            !basic.password.isEmpty,
            !SecretValue.isExample(value), !Placeholder.isOne(basic.password)
        {
            form = .basic
        } else {
            guard SecretValue.isOne(value, meaning, isQuoted: written.isQuoted, kind), !value.elementsEqual(text.utf8)
            else { return }
        }
        let word = meaning == .password ? "password" : "token"
        add(.assignment, "assignment/\(word)", "a value beside a name", written.range, form, service: "", account: text)
    }

    /// `Bearer TOKEN`.
    private mutating func bearer(_ at: Int) {
        guard at + 1 < end, bytes[at] == 0x20 else { return }
        let range = bareWord(at + 1)
        let value = Array(bytes[range])
        if SecretValue.isOne(value, .token, isQuoted: false, .config), value.count >= 16 {
            add(.assignment, "header/bearer", "a header Authorization", range, service: "", account: "Authorization")
        }
    }

    /// `auth=("user", "password")`, `.auth("user", "password")`, `.login("user", "password")`: the second string.
    private func tuple(_ name: Range<Int>) -> WrittenValue? {
        guard
            bytes.matches("auth", at: name.upperBound - 4, end: end)
                || bytes.matches("login", at: name.upperBound - 5, end: end)
        else { return nil }
        let text = bytes.text(name).lowercased()
        guard
            text == "auth" || text.hasSuffix(".auth") || text.hasSuffix(".login") || text.hasSuffix("basic_auth")
                || text.hasSuffix("basicauth")
        else { return nil }
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

    private func skipAll(_ start: Int, most: Int) -> Int {
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
        at = skipBlanks(at)
        guard at < end else { return nil }
        switch bytes[at] {
        case 0x3D: return afterEquals(at, name)
        case 0x3A: return afterColon(at, name, isQuotedName)
        case 0x7C, 0x3F:
            guard let equals = bytes[at..<min(end, at + 3)].firstIndex(of: 0x3D) else { return nil }
            return value(equals + 1, name, isQuotedName: false)
        case 0x2C where isQuotedName:
            if let value = namedValue(at) { return value }
            return isFlag || kind == .source || kind == .script || kind == .json || kind == .prose || kind == .config
                ? quoted(skipAll(at + 1, most: 40)) : nil
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
            return isFlag || isDefined || kind != .source
                || bytes.matches("password", at: name.lowerBound, end: name.upperBound) ? quoted(at) : nil
        default:
            if let value = namedValue(beforeBlanks) { return value }
            if isQuotedName, kind == .source, bytes.matches("to ", at: at, end: end) {
                return quoted(skipBlanks(at + 3))
            }
            if let value = onlyPair(name, at, beforeBlanks) { return value }
            if isFlag, at > beforeBlanks, kind.allowsBareValues, bytes[at] != 0x2D { return bareOrQuoted(at) }
            return at > beforeBlanks && isCommandAssignment(name) ? bareOrQuoted(at) : nil
        }
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
        if bytes[at] == 0x3A { return nil }
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

    /// `name: NAME`, then `value: VALUE`, in YAML, JSON and attributes of XML.
    private func namedValue(_ start: Int) -> WrittenValue? {
        var at = skipAll(start, most: 120)
        if at < end, [0x22, 0x27].contains(bytes[at]) { at += 1 }
        guard bytes.matches("value", at: at, end: end), at > start else { return nil }
        at += 5
        if at < end, [0x22, 0x27].contains(bytes[at]) { at += 1 }
        at = skipBlanks(at)
        guard at < end, bytes[at] == 0x3A || bytes[at] == 0x3D else { return nil }
        let begin = skipBlanks(at + 1)
        if let quoted = quoted(begin) { return quoted }
        guard kind.allowsBareValues, begin < end else { return nil }
        return WrittenValue(range: bareWord(begin))
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

    /// `NAME VALUE` as the whole line of a configuration.
    private func onlyPair(_ name: Range<Int>, _ at: Int, _ beforeBlanks: Int) -> WrittenValue? {
        guard kind == .config, at > beforeBlanks else { return nil }
        let content = bytes.trimmed(line(name.lowerBound))
        guard content.lowerBound == name.lowerBound, at < content.upperBound else { return nil }
        let value = at..<content.upperBound
        guard !bytes[value].contains(where: Byte.isSpace), bytes[value].contains(where: Byte.isDigit),
            bytes[value].contains(where: Byte.isLetter)
        else { return nil }
        return WrittenValue(range: value)
    }

    /// `variable "NAME" { default = "VALUE" }` of Terraform.
    private func blockDefault(_ at: Int) -> WrittenValue? {
        let limit = min(end, at + 400)
        guard let close = bytes[at..<limit].firstIndex(of: 0x7D),
            let start = (at..<close).first(where: { bytes.matches("default", at: $0, end: close) })
        else { return nil }
        let equals = skipBlanks(start + 7)
        return equals < close && bytes[equals] == 0x3D ? quoted(skipBlanks(equals + 1)) : nil
    }

    /// Whether a name is inside a string, as in `"...;Password=VALUE;"` and in `?access_token=VALUE`.
    private func isInString(_ name: Range<Int>) -> Bool {
        guard name.lowerBound > 0, name.upperBound < end, bytes[name.upperBound] == 0x3D else { return false }
        if [0x3B, 0x22, 0x27, 0x3F, 0x26].contains(bytes[name.lowerBound - 1]) { return true }
        // Behind a blank or a comma only if a string is open.
        return bytes[line(name.lowerBound).lowerBound..<name.lowerBound].count { $0 == 0x22 } % 2 == 1
    }

    private func sqlFunction(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        // PASSWORD('secret') of MySQL.
        guard bytes.matches("password", at: name.lowerBound, end: name.upperBound), name.count == 8,
            kind == .commands || kind == .prose || kind == .source || kind == .log
        else { return nil }
        guard at + 1 < end, bytes[at + 1] == 0x27, Byte.isUpper(bytes[name.lowerBound]) else { return nil }
        return quoted(at + 1)
    }

    /// The text of an element of XML.
    private func elementText(_ start: Int) -> WrittenValue? {
        guard kind != .source || bytes[max(0, start - 1)] == 0x3E else { return nil }
        if bytes.matches("<![CDATA[", at: start, end: end) {
            var stop = start + 9
            while stop < end, stop - start < SecretValue.longest, !bytes.matches("]]>", at: stop, end: end) {
                stop += 1
            }
            return WrittenValue(range: start + 9..<max(start + 9, stop), isQuoted: true)
        }
        var high = start
        while high < end, high - start < SecretValue.longest, bytes[high] != 0x3C, bytes[high] != 0x0A { high += 1 }
        guard high + 1 < end, bytes[high] == 0x3C, bytes[high + 1] == 0x2F else { return nil }
        let range = bytes.trimmed(start..<high)
        return range.isEmpty
            ? nil : WrittenValue(range: range, form: bytes[range].contains(0x26) ? .xml : .plain, isQuoted: true)
    }

    /// `<key>NAME</key><string>VALUE</string>`.
    private func propertyListValue(_ at: Int) -> WrittenValue? {
        guard bytes.matches("</key>", at: at, end: end) else { return nil }
        let next = skipAll(at + 6, most: 40)
        guard bytes.matches("<string>", at: next, end: end) else { return nil }
        return elementText(next + 8)
    }

    private func bareOrQuoted(_ at: Int) -> WrittenValue? {
        quoted(at) ?? (at < end ? WrittenValue(range: bareWord(at)) : nil)
    }

    private func value(_ start: Int, _ name: Range<Int>, isQuotedName: Bool) -> WrittenValue? {
        let at = skipBlanks(start)
        guard at < end else { return nil }
        if isInString(name), kind == .source || kind == .json {
            return at == start && ![0x22, 0x27, 0x5C].contains(bytes[at]) ? WrittenValue(range: bareWord(at)) : nil
        }
        if let quoted = quoted(at) { return quoted }
        if kind == .config, bytes.matches("!!str ", at: at, end: end) {
            let scalar = skipBlanks(at + 6)
            return quoted(scalar) ?? WrittenValue(range: bareWord(scalar))
        }
        if bytes[at] == 0x0A || bytes[at] == 0x0D {
            // On the next line, in quotes; or below the name, as `value: ...`.
            return kind == .source || kind == .json
                ? quoted(skipAll(at, most: 80)) : kind == .config ? namedValue(at) : nil
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
                bytes[high + 1] == 0x6E || bytes[high + 1] == 0x22 || bytes.matches("\\040", at: high, end: end)
            {
                break
            }
            if byte == 0x26, kind != .config || isQuery(at) { break }
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
        // f"", b'', r"", @"", L"".
        if at + 1 < end, [0x66, 0x62, 0x72, 0x75, 0x40, 0x4C, 0x42, 0x52, 0x24].contains(bytes[at]),
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
