// SPDX-License-Identifier: Apache-2.0

/// JSON (RFC 8259) with the comments and last commas that editors and agents permit (JSONC).
enum JSONText {
    /// Every string, number and `true`; keys are the members' names, and the numbers of elements.
    static func fields(_ bytes: [UInt8]) -> [Field] { fields(bytes, in: 0..<bytes.count) }

    static func fields(_ bytes: [UInt8], in range: Range<Int>) -> [Field] {
        var reader = Reader(bytes: bytes, at: range.lowerBound, end: range.upperBound)
        if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { reader.at += 3 }
        _ = reader.value([], 0)
        return reader.fields
    }

    private struct Reader {
        let bytes: [UInt8]
        var at: Int
        let end: Int
        var fields: [Field] = []

        mutating func skipBlanks() {
            while at < end {
                if Byte.isSpaceOrEnd(bytes[at]) {
                    at += 1
                } else if bytes[at] == 0x2F, at + 1 < end, bytes[at + 1] == 0x2F {
                    at = bytes.first(0x0A, in: at..<end) ?? end
                } else if bytes[at] == 0x2F, at + 1 < end, bytes[at + 1] == 0x2A {
                    at += 2
                    while at < end, !(bytes[at] == 0x2A && at + 1 < end && bytes[at + 1] == 0x2F) { at += 1 }
                    at = min(end, at + 2)
                } else {
                    return
                }
            }
        }

        /// The content of a string that begins here.
        mutating func string() -> Range<Int>? {
            guard at < end, bytes[at] == 0x22 else { return nil }
            let start = at + 1
            at = start
            while at < end, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
            guard at < end else { return nil }
            at += 1
            return start..<at - 1
        }

        /// False: this is no JSON; what was found so far stays.
        mutating func value(_ keys: [String], _ depth: Int) -> Bool {
            skipBlanks()
            guard at < end, depth < Format.mostDepth, fields.count < Format.mostFields else { return false }
            switch bytes[at] {
            case 0x22:
                guard let range = string() else { return false }
                fields.append(Field(keys, range, bytes[range].contains(0x5C) ? .json : .plain))
                return true
            case 0x7B: return object(keys, depth)
            case 0x5B: return array(keys, depth)
            default:
                let start = at
                while at < end, Byte.isWord(bytes[at]) || [0x2B, 0x2D, 0x2E].contains(bytes[at]) { at += 1 }
                if at > start, Byte.isDigit(bytes[start]) || bytes.matches(exactly: "true", at: start, end: at) {
                    fields.append(Field(keys, start..<at))
                }
                return at > start
            }
        }

        private mutating func object(_ keys: [String], _ depth: Int) -> Bool {
            at += 1
            while true {
                skipBlanks()
                guard at < end else { return false }
                if bytes[at] == 0x7D {
                    at += 1
                    return true
                }
                if bytes[at] == 0x2C {
                    at += 1
                    continue
                }
                guard let name = string() else { return false }
                skipBlanks()
                guard at < end, bytes[at] == 0x3A else { return false }
                at += 1
                let form: ClearSecret.Form = bytes[name].contains(0x5C) ? .json : .plain
                guard value(keys + [String(decoding: form.decoded(bytes[name]), as: UTF8.self)], depth + 1) else {
                    return false
                }
            }
        }

        private mutating func array(_ keys: [String], _ depth: Int) -> Bool {
            at += 1
            var number = 0
            while true {
                skipBlanks()
                guard at < end else { return false }
                if bytes[at] == 0x5D {
                    at += 1
                    return true
                }
                if bytes[at] == 0x2C {
                    at += 1
                    continue
                }
                guard value(keys + ["\(number)"], depth + 1) else { return false }
                number += 1
            }
        }
    }
}
