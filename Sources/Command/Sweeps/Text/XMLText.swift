// SPDX-License-Identifier: Apache-2.0

/// XML 1.0 as configurations use it: no document type with entities of its own.
enum XMLText {
    /// Text of elements, with the elements' names as keys; attributes, with `@NAME` as the last key. Names lose their
    /// prefixes.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        var reader = Reader(bytes: bytes)
        reader.read()
        return reader.fields
    }

    static func unescaped(_ written: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            guard byte == 0x26, let end = rest.prefix(12).firstIndex(of: 0x3B) else {
                bytes.append(byte)
                continue
            }
            let name = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            guard let text = entity(name) else {
                bytes.append(byte)
                continue
            }
            bytes += Array(text.utf8)
            rest = rest[(end + 1)...]
        }
        return bytes
    }

    private static func entity(_ name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
            let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0
        var fields: [Field] = []
        var names: [String] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func read() {
            while let open = bytes.first(0x3C, in: at..<bytes.count), fields.count < Format.mostFields {
                at = open + 1
                if bytes.matches("!--", at: at, end: bytes.count) {
                    skip(past: "-->")
                } else if bytes.matches("![CDATA[", at: at, end: bytes.count) {
                    let start = at + 8
                    skip(past: "]]>")
                    add(bytes.trimmed(start..<max(start, at - 3)), .plain)
                } else if at < bytes.count, bytes[at] == 0x2F {
                    skip(past: ">")
                    if !names.isEmpty { names.removeLast() }
                } else if at < bytes.count, bytes[at] == 0x3F || bytes[at] == 0x21 {
                    skip(past: ">")
                } else if !element() {
                    return
                }
            }
        }

        private mutating func skip(past text: StaticString) {
            while at < bytes.count, !bytes.matches(text, at: at, end: bytes.count) { at += 1 }
            at = min(bytes.count, at + text.utf8CodeUnitCount)
        }

        private mutating func add(_ range: Range<Int>, _ form: ClearSecret.Form) {
            guard !range.isEmpty, !names.isEmpty else { return }
            fields.append(Field(names, range, form))
        }

        private func isName(_ byte: UInt8) -> Bool {
            Byte.isWord(byte) || byte == 0x2D || byte == 0x2E || byte == 0x3A || byte >= 0x80
        }

        private mutating func name() -> String? {
            let start = at
            while at < bytes.count, isName(bytes[at]) { at += 1 }
            guard at > start else { return nil }
            let text = bytes.text(start..<at)
            return text.lastIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
        }

        /// A start tag, with its attributes and the text behind it. False: the nesting is too deep.
        private mutating func element() -> Bool {
            guard let name = name() else { return true }
            guard names.count < Format.mostDepth else { return false }
            names.append(name)
            while at < bytes.count, bytes[at] != 0x3E {
                if bytes[at] == 0x2F {
                    at += 1
                    guard at < bytes.count, bytes[at] == 0x3E else { continue }
                    at += 1
                    names.removeLast()
                    return true
                }
                guard isName(bytes[at]) else {
                    at += 1
                    continue
                }
                attribute()
            }
            at = min(bytes.count, at + 1)
            let end = bytes.first(0x3C, in: at..<bytes.count) ?? bytes.count
            let text = bytes.trimmed(at..<end)
            add(text, bytes[text].contains(0x26) ? .xml : .plain)
            return true
        }

        private mutating func attribute() {
            guard let name = name() else { return }
            while at < bytes.count, Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
            guard at < bytes.count, bytes[at] == 0x3D else { return }
            at += 1
            while at < bytes.count, Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
            guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27,
                let end = bytes.first(bytes[at], in: at + 1..<bytes.count)
            else { return }
            let range = at + 1..<end
            if !range.isEmpty {
                fields.append(Field(names + ["@" + name], range, bytes[range].contains(0x26) ? .xml : .plain))
            }
            at = end + 1
        }
    }
}
