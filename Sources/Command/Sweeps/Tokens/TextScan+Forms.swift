// SPDX-License-Identifier: Apache-2.0

import Readers

/// The forms in which formats and languages give a name its value, besides `name = value`.
extension TextScan {
    /// Types and functions that only carry a value.
    private static let wrappers = [
        "secretstr", "securestring", "base64", "bytes", "new ", "some(", "string(", "from", "buffer", "data(", "hex",
        "encode", "sensitive", "secret(", "redact", "masked", "password(", "value(", "b64", "symmetrickey", "decode",
    ]

    /// `name: NAME`, then `value: VALUE`, in YAML, JSON and attributes of XML.
    func namedValue(_ start: Int) -> WrittenValue? {
        var at = skipAll(start, most: 120)
        // Another member or attribute may be between.
        for _ in 0..<3 where kind == .json && !bytes.matches("\"value", at: at, end: end) {
            guard let key = quoted(at), case let colon = skipBlanks(key.range.upperBound + 1), colon < end,
                bytes[colon] == 0x3A, let other = quoted(skipBlanks(colon + 1)),
                other.range.upperBound + 1 < end, bytes[other.range.upperBound + 1] == 0x2C
            else { break }
            at = skipAll(other.range.upperBound + 2, most: 120)
        }
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

    /// `"apikey": [{"key": "value", "value": VALUE}]`, in collections of requests.
    func listedValue(_ start: Int) -> WrittenValue? {
        let open = skipAll(start, most: 8)
        guard open < end, bytes[open] == 0x5B else { return nil }
        let limit = min(end, open + 300)
        guard let close = bytes[open..<limit].firstIndex(of: 0x5D) ?? (limit < end ? limit : nil) else { return nil }
        var at = open
        while let colon = bytes.first(0x3A, in: at..<close) {
            at = colon + 1
            guard let key = quoted(skipBlanks(at)), bytes[key.range].elementsEqual("value".utf8) else { continue }
            return namedValue(key.range.upperBound + 1)
        }
        return nil
    }

    /// `{"value": VALUE, "designation": "password"}`: the value comes before what it is.
    func designated(_ name: Range<Int>) -> WrittenValue? {
        let low = max(0, name.lowerBound - 200)
        let before = bytes[low..<name.lowerBound]
        guard let open = before.lastIndex(of: 0x7B), let quote = before.dropLast().lastIndex(of: 0x22),
            let start = before[..<quote].lastIndex(of: 0x22), open < start,
            ["designation", "type", "name", "label", "id", "key", "title", "purpose", "k"].contains(
                bytes.text(start + 1..<quote).lowercased()),
            let value = (open..<start).first(where: { bytes.matches("\"value\"", at: $0, end: start) })
        else { return nil }
        let colon = skipBlanks(value + 7)
        guard colon < start, bytes[colon] == 0x3A else { return nil }
        return quoted(skipBlanks(colon + 1))
    }

    /// `variable "NAME" { default = "VALUE" }` of Terraform.
    func blockDefault(_ at: Int) -> WrittenValue? {
        let limit = min(end, at + 400)
        guard let close = bytes[at..<limit].firstIndex(of: 0x7D),
            let start = (at..<close).first(where: { bytes.matches("default", at: $0, end: close) })
        else { return nil }
        let equals = skipBlanks(start + 7)
        return equals < close && bytes[equals] == 0x3D ? quoted(skipBlanks(equals + 1)) : nil
    }

    /// The text of an element of XML.
    func elementText(_ start: Int) -> WrittenValue? {
        guard kind != .source || bytes[max(0, start - 1)] == 0x3E else { return nil }
        if bytes.matches("<![CDATA[", at: start, end: end) {
            var stop = start + 9
            while stop < end, stop - start < SecretValue.longest, !bytes.matches("]]>", at: stop, end: end) {
                stop += 1
            }
            return WrittenValue(range: start + 9..<max(start + 9, stop), isQuoted: true)
        }
        var high = start
        // Windows' answer files: <Password><Value>VALUE</Value>.
        let inner = skipAll(start, most: 80)
        if bytes.matches("<value>", at: inner, end: end) { return elementText(inner + 7) }
        while high < end, high - start < SecretValue.longest, bytes[high] != 0x3C, bytes[high] != 0x0A { high += 1 }
        guard high + 1 < end, bytes[high] == 0x3C, bytes[high + 1] == 0x2F else { return nil }
        let range = bytes.trimmed(start..<high)
        return range.isEmpty
            ? nil : WrittenValue(range: range, form: bytes[range].contains(0x26) ? .xml : .plain, isQuoted: true)
    }

    /// `<key>NAME</key><string>VALUE</string>`.
    func propertyListValue(_ at: Int) -> WrittenValue? {
        guard bytes.matches("</key>", at: at, end: end) else { return nil }
        let next = skipAll(at + 6, most: 40)
        if bytes.matches("<string>", at: next, end: end) { return elementText(next + 8) }
        // KeePass: <Value ProtectInMemory="True">; with Protected="True" it is encrypted.
        guard bytes.matches("<value", at: next, end: end),
            let close = bytes[next..<min(end, next + 80)].firstIndex(of: 0x3E),
            !bytes.text(next..<close).contains("Protected=\"True\"")
        else { return nil }
        return elementText(close + 1)
    }

    /// `name: |` and `name: >-` of YAML, with one line below; `? name` with `: value` below; `NAME=\` of properties.
    func blockScalar(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        guard kind == .config, [0x7C, 0x3E, 0x5C].contains(bytes[at]) else { return nil }
        let line = line(at)
        guard line.upperBound - at <= 3,
            bytes[at + 1..<max(at + 1, line.upperBound)].allSatisfy({ "-+0123456789".utf8.contains($0) })
        else { return nil }
        var next = line.upperBound
        while next < end, next - line.upperBound < 3, bytes[next] == 0x0D || bytes[next] == 0x0A { next += 1 }
        guard next < end, Byte.isSpace(bytes[next]) else { return nil }
        let content = bytes.trimmed(self.line(next))
        guard !content.isEmpty, !bytes[content].starts(with: Array("-----".utf8)) else { return nil }
        return WrittenValue(range: content)
    }

    /// `? name`, and `: value` in the next line (YAML 1.2, section 8.2.2).
    func explicitPair(_ name: Range<Int>, _ at: Int) -> WrittenValue? {
        guard kind == .config, name.lowerBound >= 2, bytes.matches("? ", at: name.lowerBound - 2, end: end) else {
            return nil
        }
        let colon = skipAll(at, most: 40)
        guard colon + 1 < end, bytes[colon] == 0x3A else { return nil }
        return bareOrQuoted(skipBlanks(colon + 1))
    }

    /// `userPassword:: BASE64` of LDIF (RFC 2849).
    func encodedValue(_ start: Int, _ name: Range<Int>) -> WrittenValue? {
        let line = line(name.lowerBound)
        guard kind != .source, bytes.trimmed(line).lowerBound == name.lowerBound else { return nil }
        let range = bytes.trimmed(min(start, line.upperBound)..<line.upperBound)
        let decoded = ClearSecret.Form.base64.decoded(bytes[range])
        guard range.count >= 8, range.count.isMultiple(of: 4), decoded.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return nil
        }
        return WrittenValue(range: range, form: .base64)
    }

    /// `process.env.NAME ?? "VALUE"`, `ENV["NAME"] || "VALUE"`: what counts where the variable isn't set.
    func fallback(_ at: Int) -> WrittenValue? {
        let limit = min(end, at + 160)
        let isVariable =
            (["process.env", "import.meta.env", "os.environ", "env[", "system.getenv", "os.getenv", "getenv("]
            as [StaticString])
            .contains { bytes.matches($0, at: at, end: limit) }
        guard isVariable else { return nil }
        for next in at..<max(at, limit - 2) {
            if bytes[next] == 0x3B { return nil }
            let isOr =
                bytes[next] == 0x3F && bytes[next + 1] == 0x3F || bytes[next] == 0x7C && bytes[next + 1] == 0x7C
                || bytes[next] == 0x3F && bytes[next + 1] == 0x3A || bytes.matches(" or ", at: next, end: limit)
            if isOr { return quoted(skipAll(next + (bytes[next] == 0x20 ? 4 : 2), most: 80)) }
        }
        return nil
    }

    /// `SecretStr("VALUE")`, `SymmetricKey(data: Data(base64Encoded: "VALUE")!)`.
    func wrapped(_ at: Int) -> WrittenValue? {
        var next = at
        while next < end, next - at < 80, bytes[next] != 0x22, bytes[next] != 0x27 {
            guard Byte.isWord(bytes[next]) || " .(:<>&".utf8.contains(bytes[next]) else { return nil }
            next += 1
        }
        guard next < end, next > at, bytes[at..<next].contains(0x28) else { return nil }
        let text = bytes.text(at..<next).lowercased()
        guard Self.wrappers.contains(where: text.contains),
            !["env", "get", "load", "read", "forkey", "find"].contains(where: text.contains)
        else { return nil }
        return quoted(next)
    }

    func sqlFunction(_ at: Int, _ name: Range<Int>) -> WrittenValue? {
        // PASSWORD('secret') of MySQL.
        guard bytes.matches("password", at: name.lowerBound, end: name.upperBound), name.count == 8,
            kind == .commands || kind == .prose || kind == .source || kind == .log
        else { return nil }
        guard at + 1 < end, bytes[at + 1] == 0x27, Byte.isUpper(bytes[name.lowerBound]) else { return nil }
        return quoted(at + 1)
    }

    /// `Const NAME As String = "VALUE"`.
    func typed(_ name: Range<Int>, _ at: Int) -> WrittenValue? {
        guard bytes.matches("as ", at: at, end: end) else { return nil }
        let line = line(at)
        guard let equals = bytes.first(0x3D, in: at..<line.upperBound), equals - at < 40 else { return nil }
        return quoted(skipBlanks(equals + 1))
    }
}
