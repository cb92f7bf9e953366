// SPDX-License-Identifier: Apache-2.0

/// TOML 1.0: tables, dotted names, strings of all four kinds, inline tables and arrays.
enum TOMLText {
    /// Keys: the table's names, then the name's parts.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        var reader = Reader(bytes: bytes)
        reader.read()
        return reader.fields
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0
        var fields: [Field] = []
        var table: [String] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func read() {
            while at < bytes.count, fields.count < Format.mostFields {
                while at < bytes.count, Byte.isSpaceOrEnd(bytes[at]) { at += 1 }
                guard at < bytes.count else { return }
                if bytes[at] == 0x23 {
                    skipLine()
                } else if bytes[at] == 0x5B {
                    while at < bytes.count, bytes[at] == 0x5B { at += 1 }
                    table = names()
                    skipLine()
                } else {
                    let names = names()
                    guard !names.isEmpty, at < bytes.count, bytes[at] == 0x3D else {
                        skipLine()
                        continue
                    }
                    at += 1
                    value(table + names)
                    skipLine()
                }
            }
        }

        private mutating func skipLine() {
            at = bytes.first(0x0A, in: min(at, bytes.count)..<bytes.count).map { $0 + 1 } ?? bytes.count
        }

        private mutating func skipBlanks() { while at < bytes.count, Byte.isSpace(bytes[at]) { at += 1 } }

        /// `a.b."c d"`.
        private mutating func names() -> [String] {
            var names: [String] = []
            while at < bytes.count, names.count < Format.mostDepth {
                skipBlanks()
                guard at < bytes.count else { break }
                if bytes[at] == 0x22 || bytes[at] == 0x27 {
                    let line = bytes.first(0x0A, in: at..<bytes.count) ?? bytes.count
                    guard let quoted = QuotedText.range(bytes, at..<line) else { return [] }
                    names.append(bytes.text(quoted))
                    at = quoted.upperBound + 1
                } else {
                    let start = at
                    while at < bytes.count, Byte.isWord(bytes[at]) || bytes[at] == 0x2D { at += 1 }
                    guard at > start else { return [] }
                    names.append(bytes.text(start..<at))
                }
                skipBlanks()
                guard at < bytes.count, bytes[at] == 0x2E else { break }
                at += 1
            }
            return names
        }

        private mutating func value(_ names: [String]) {
            skipBlanks()
            guard at < bytes.count else { return }
            let first = bytes[at]
            if first == 0x22 || first == 0x27 {
                string(names, first)
            } else if first == 0x7B || first == 0x5B {
                let end = end(ofCollectionAt: at)
                fields += FlowText.fields(bytes, at..<end, names)
                at = end
            } else {
                let start = at
                while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x23 { at += 1 }
                let range = bytes.trimmed(start..<at)
                if !range.isEmpty { fields.append(Field(names, range)) }
            }
        }

        private mutating func string(_ names: [String], _ quote: UInt8) {
            if at + 2 < bytes.count, bytes[at + 1] == quote, bytes[at + 2] == quote {
                at += 3
                if at < bytes.count, bytes[at] == 0x0A { at += 1 }
                let start = at
                while at < bytes.count,
                    !(bytes[at] == quote && at + 2 < bytes.count && bytes[at + 1] == quote && bytes[at + 2] == quote)
                {
                    at += bytes[at] == 0x5C && quote == 0x22 ? 2 : 1
                }
                at = min(at, bytes.count)
                if at > start { fields.append(Field(names, start..<at, .block)) }
                at = min(bytes.count, at + 3)
                return
            }
            let line = bytes.first(0x0A, in: at..<bytes.count) ?? bytes.count
            guard let quoted = QuotedText.range(bytes, at..<line) else { return }
            if !quoted.isEmpty {
                let hasEscapes = quote == 0x22 && bytes[quoted].contains(0x5C)
                fields.append(Field(names, quoted, hasEscapes ? .backslashed : .plain))
            }
            at = quoted.upperBound + 1
        }

        /// Where the brackets are balanced again; strings don't count.
        private func end(ofCollectionAt start: Int) -> Int {
            var (at, depth) = (start, 0)
            while at < bytes.count {
                switch bytes[at] {
                case 0x5B, 0x7B: depth += 1
                case 0x5D, 0x7D:
                    depth -= 1
                    if depth == 0 { return at + 1 }
                case 0x22, 0x27:
                    let line = bytes.first(0x0A, in: at..<bytes.count) ?? bytes.count
                    if let quoted = QuotedText.range(bytes, at..<line) { at = quoted.upperBound }
                default: break
                }
                at += 1
            }
            return bytes.count
        }
    }
}
