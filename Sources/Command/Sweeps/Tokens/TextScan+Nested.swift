// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Names that mean something by what they are in.
extension TextScan {
    /// What `key` means by the name of the object, the table or the section that it is in.
    func parentMeaning(_ name: Range<Int>) -> SecretName.Meaning? {
        guard kind == .json || kind == .config, let parent = parent(name) else { return nil }
        let text = bytes.text(parent)
        if Self.otherParents.isIn(bytes, parent) { return nil }
        let meaning = SecretName.judged(text) ?? SecretName.judged(text + "_key")
        return meaning == nil || meaning == .weak && !Self.parents.isIn(bytes, parent) ? nil : .token
    }

    private static let otherParents = WordList(["public", "cache", "sort", "primary", "foreign", "object", "hash"])
    private static let parents = WordList(["key", "auth", "crypt", "token", "secret"])

    /// The name of what a name is in: of an object in braces, of the line above that is less far in, of the section.
    func parent(_ name: Range<Int>) -> Range<Int>? {
        let line = line(name.lowerBound)
        let content = bytes.trimmed(line)
        let isFirst =
            content.lowerBound == name.lowerBound
            || content.lowerBound + 1 == name.lowerBound && bytes[content.lowerBound] == 0x22
        if kind == .json || !isFirst || bytes[content.lowerBound] == 0x22 { return objectName(name.lowerBound) }
        let depth = content.lowerBound - line.lowerBound
        var above = line
        for _ in 0..<12 {
            guard above.lowerBound > 1 else { return nil }
            above = self.line(above.lowerBound - 1)
            let content = bytes.trimmed(above)
            guard let first = bytes[content].first, first != 0x23, first != 0x3B else { continue }
            if first == 0x5B { return content.lowerBound + 1..<max(content.lowerBound + 1, content.upperBound - 1) }
            if content.lowerBound - above.lowerBound < depth {
                if bytes[content].last == 0x7B { return objectName(content.upperBound) }
                return bytes[content].last == 0x3A ? content.lowerBound..<content.upperBound - 1 : nil
            }
        }
        return nil
    }

    /// The name before the brace that is open at a place.
    private func objectName(_ at: Int) -> Range<Int>? {
        var (low, depth) = (at, 0)
        while low > 0, at - low < 400 {
            low -= 1
            if bytes[low] == 0x7D { depth += 1 }
            guard bytes[low] == 0x7B else { continue }
            depth -= 1
            if depth < 0 { break }
        }
        guard depth < 0 else { return nil }
        while low > 0, Byte.isSpaceOrEnd(bytes[low - 1]) || ":=>\"'".utf8.contains(bytes[low - 1]) { low -= 1 }
        let high = low
        while low > 0, high - low < 64, isNameByte(bytes[low - 1]) { low -= 1 }
        return low < high ? low..<high : nil
    }

    /// Whether a name is in an object or a list of examples, as descriptions of interfaces have them.
    func isInExample(_ at: Int) -> Bool {
        guard kind == .config || kind == .json else { return false }
        var above = line(at)
        var depth = bytes.trimmed(above).lowerBound - above.lowerBound
        for _ in 0..<16 {
            guard depth > 0, above.lowerBound > 1 else { return false }
            above = line(above.lowerBound - 1)
            let content = bytes.trimmed(above)
            guard !content.isEmpty, content.lowerBound - above.lowerBound < depth else { continue }
            depth = content.lowerBound - above.lowerBound
            var low = content.lowerBound
            while low < content.upperBound, "\"'- ".utf8.contains(bytes[low]) { low += 1 }
            if bytes.matches("example", at: low, end: content.upperBound) { return true }
        }
        return false
    }
}

/// Maps and lists below a name that says what all of their values are.
extension TextScan {
    private static let mostEntries = 200

    /// `"RegisteredUsers": {"name": "SECRET"}`, `PARTNER_KEYS = { ["x"] = "SECRET" }`, `api_keys: [SECRET]`.
    mutating func block(_ at: Int) -> Int {
        guard kind.hasAssignments, kind != .log, kind != .commands else { return at + 1 }
        var (low, high) = (at, at)
        while low > 0, at - low < 64, isNameByte(bytes[low - 1]) { low -= 1 }
        while high < end, high - at < 16, isNameByte(bytes[high]) { high += 1 }
        let name = low..<high
        var next = high
        while next < end, next - high < 40, Byte.isSpaceOrEnd(bytes[next]) || ":=>\"'])".utf8.contains(bytes[next]) {
            next += 1
        }
        guard next < end, next > high, let meaning = SecretName.ofBlock(bytes.text(name)) else { return at + 1 }
        guard "{[(".utf8.contains(bytes[next]) else {
            if kind == .config, bytes[high] == 0x3A { below(name, meaning) }
            return at + 1
        }
        entries(next, bytes.text(name), meaning)
        return at + 1
    }

    /// `name: SECRET` and `- SECRET`, in the lines of YAML below a name that are further in.
    private mutating func below(_ name: Range<Int>, _ meaning: SecretName.Meaning) {
        let first = line(name.lowerBound)
        let content = bytes.trimmed(first)
        guard content.upperBound == name.upperBound + 1, content.lowerBound == name.lowerBound else { return }
        var (start, depth) = (first.upperBound, -1)
        for _ in 0..<Self.mostEntries {
            while start < end, bytes[start] == 0x0A || bytes[start] == 0x0D { start += 1 }
            guard start < end else { return }
            let line = line(start)
            start = line.upperBound
            var entry = bytes.trimmed(line)
            guard !entry.isEmpty, bytes[entry.lowerBound] != 0x23 else { continue }
            let own = entry.lowerBound - line.lowerBound
            if depth < 0 { depth = own }
            guard own == depth, own >= content.lowerBound - first.lowerBound else { return }
            if bytes[entry].starts(with: [0x2D, 0x20]) {
                entry = entry.lowerBound + 2..<entry.upperBound
            } else {
                guard own > content.lowerBound - first.lowerBound, let colon = bytes.first(0x3A, in: entry),
                    colon + 1 < entry.upperBound, Byte.isSpace(bytes[colon + 1])
                else { return }
                entry = skipBlanks(colon + 1)..<entry.upperBound
            }
            if let written = bareOrQuoted(entry.lowerBound), written.range.upperBound >= entry.upperBound - 1 {
                self.entry(written, bytes.text(name), meaning)
            }
        }
    }

    private mutating func entries(_ open: Int, _ name: String, _ meaning: SecretName.Meaning) {
        let isList = bytes[open] != 0x7B
        let limit = min(end, open + 16_384)
        var (at, depth, count) = (open + 1, 1, 0)
        var (isValue, label) = (isList, 0..<0)
        while at < limit, depth > 0, count < Self.mostEntries {
            switch bytes[at] {
            case 0x7B, 0x28: depth += 1
            case 0x5B:
                // `["name"] = ...` of Lua.
                if !(depth == 1 && !isValue) { depth += 1 }
            case 0x7D, 0x29: depth -= 1
            case 0x5D: if isList || depth > 1 || isValue { depth -= isList || depth > 1 ? 1 : 0 }
            case 0x3A, 0x3D: if depth == 1 { isValue = true }
            case 0x2C, 0x0A: if depth == 1 { isValue = isList }
            case 0x23 where kind == .config: while at < limit, bytes[at] != 0x0A { at += 1 }
            case 0x22, 0x27, 0x60:
                guard let written = quoted(at) else {
                    at += 1
                    continue
                }
                at = written.range.upperBound + 1
                // A name is followed by what joins it with its value.
                let next = skipBlanks(at)
                let isName = next < end && (bytes[next] == 0x3A || bytes[next] == 0x3D || bytes[next] == 0x2D)
                if depth == 1, isName { label = written.range }
                if depth == 1, isValue, !isName, !isHarmlessEntry(label) {
                    count += 1
                    entry(written, name, meaning)
                }
                continue
            default: break
            }
            at += 1
        }
    }

    private func isHarmlessEntry(_ label: Range<Int>) -> Bool {
        guard !label.isEmpty, let last = SecretName.words(bytes.text(label)).last else { return false }
        return [
            "id", "name", "type", "url", "uri", "email", "mail", "user", "username", "expiry", "expires", "scope",
            "updated", "created", "host", "role", "path", "file", "version", "login",
        ].contains(last)
    }

    private mutating func entry(_ written: WrittenValue, _ name: String, _ meaning: SecretName.Meaning) {
        let value = written.form.decoded(bytes[written.range])
        let isOne: Bool
        switch meaning {
        case .password:
            isOne =
                SecretValue.isAlone(value, .loose) && SecretValue.isOne(value, .password, isQuoted: true, kind)
                && !SecretValue.isIdentifier(value)
        default:
            isOne =
                SecretValue.isOne(value, .token, isQuoted: true, kind) && value.count >= 16
                && !SecretValue.isWordy(String(decoding: value, as: UTF8.self))
        }
        guard isOne, !isInExample(written.range.lowerBound) else { return }
        add(
            .assignment, "assignment/\(meaning == .password ? "password" : "token")", "a value below a name",
            written.range, written.form, service: "", account: name)
    }
}

extension SecretName {
    /// What the values of a block are; nil: something else.
    static func ofBlock(_ name: String) -> Meaning? {
        let words = words(name)
        guard let last = words.last,
            !words.contains(where: {
                [
                    "public", "primary", "foreign", "cache", "ssh", "authorized", "host", "known", "trusted", "sort",
                    "hash", "hashed", "encrypted", "example", "examples", "test", "csrf",
                ].contains($0)
            })
        else { return nil }
        switch last {
        case "passwords", "users", "accounts", "credentials", "logins", "passwds", "userlist": return .password
        case "secrets", "tokens", "apikeys": return .token
        case "keys": return words.count > 1 ? .token : nil
        default: return last.hasSuffix("users") || last.hasSuffix("passwords") ? .password : nil
        }
    }
}
