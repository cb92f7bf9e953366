// SPDX-License-Identifier: Apache-2.0

/// The part of YAML 1.2 that configurations use: mappings and sequences by indentation, scalars of all styles, and
/// flow collections on one line. Aliases are not followed.
enum YAMLText {
    /// Keys: the names of the mappings from the outside in, and the numbers of elements.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        let start = bytes.trimmed(0..<bytes.count)
        if bytes[start].first == 0x7B { return JSONText.fields(bytes, in: start) }
        var reader = Reader(bytes: bytes)
        for line in bytes.lines(in: 0..<bytes.count) {
            reader.read(line)
            if reader.fields.count >= Format.mostFields { break }
        }
        reader.endBlock()
        return reader.fields
    }

    private struct Level {
        let indent: Int
        let key: String
        /// The number of an element.
        var number: Int?
    }

    private struct Reader {
        let bytes: [UInt8]
        var fields: [Field] = []
        private var levels: [Level] = []
        /// A scalar in block style that began on a line before: its names, its indentation, its bytes so far.
        private var block: (keys: [String], indent: Int, range: Range<Int>?)?

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func endBlock() {
            if let block, let range = block.range { fields.append(Field(block.keys, range, .block)) }
            block = nil
        }

        mutating func read(_ line: Range<Int>) {
            let content = bytes.trimmed(line)
            guard !content.isEmpty else { return }
            let indent = content.lowerBound - line.lowerBound
            if let block {
                if indent > block.indent {
                    let start = block.range?.lowerBound ?? content.lowerBound
                    self.block?.range = start..<content.upperBound
                    return
                }
                endBlock()
            }
            guard bytes[content.lowerBound] != 0x23 else { return }
            if indent == 0, bytes.matches("---", at: content.lowerBound, end: content.upperBound) {
                levels = []
                return
            }
            item(content, indent)
        }

        private mutating func item(_ content: Range<Int>, _ indent: Int) {
            var (rest, indent) = (content, indent)
            while rest.count >= 1, bytes[rest.lowerBound] == 0x2D,
                rest.count == 1 || Byte.isSpace(bytes[rest.lowerBound + 1])
            {
                var number = 0
                while let last = levels.last, last.indent > indent || (last.indent == indent && last.number != nil) {
                    if last.indent == indent { number = (last.number ?? -1) + 1 }
                    levels.removeLast()
                }
                guard levels.count < Format.mostDepth else { return }
                levels.append(Level(indent: indent, key: "\(number)", number: number))
                let next = bytes.trimmed(rest.lowerBound + 1..<rest.upperBound)
                indent += next.lowerBound - rest.lowerBound
                rest = next
            }
            guard !rest.isEmpty else { return }
            guard let (key, end) = key(rest) else { return value(rest, levels.map(\.key), indent) }
            while let last = levels.last, last.indent >= indent { levels.removeLast() }
            guard levels.count < Format.mostDepth else { return }
            let names = levels.map(\.key) + [key]
            levels.append(Level(indent: indent, key: key))
            value(bytes.trimmed(end..<rest.upperBound), names, indent)
        }

        /// A name before `:`, and where its value begins.
        private func key(_ range: Range<Int>) -> (String, Int)? {
            if let quoted = QuotedText.range(bytes, range) {
                let end = quoted.upperBound + 1
                guard end < range.upperBound, bytes[end] == 0x3A else { return nil }
                return (bytes.text(quoted), end + 1)
            }
            for at in range where bytes[at] == 0x3A {
                if at + 1 == range.upperBound || Byte.isSpace(bytes[at + 1]) {
                    return (bytes.text(bytes.trimmed(range.lowerBound..<at)), at + 1)
                }
            }
            return nil
        }

        private mutating func value(_ range: Range<Int>, _ names: [String], _ indent: Int) {
            var range = range
            // Tags and anchors.
            while let first = bytes[range].first, first == 0x21 || first == 0x26,
                let end = bytes[range].firstIndex(where: Byte.isSpace)
            {
                range = bytes.trimmed(end..<range.upperBound)
            }
            guard let first = bytes[range].first, first != 0x23, first != 0x2A else { return }
            if first == 0x7C || first == 0x3E {
                block = (names, indent, nil)
            } else if first == 0x7B || first == 0x5B {
                fields += FlowText.fields(bytes, range, names)
            } else if let quoted = QuotedText.range(bytes, range) {
                guard !quoted.isEmpty else { return }
                fields.append(Field(names, quoted, QuotedText.form(bytes, quoted, by: first)))
            } else {
                var end = range.lowerBound
                while end < range.upperBound,
                    !(Byte.isSpace(bytes[end]) && end + 1 < range.upperBound && bytes[end + 1] == 0x23)
                {
                    end += 1
                }
                let plain = bytes.trimmed(range.lowerBound..<end)
                if !plain.isEmpty { fields.append(Field(names, plain)) }
            }
        }
    }
}

/// A collection in flow style of YAML, and an inline table or array of TOML: `{ name: value, name = value }`, `[a, b]`.
enum FlowText {
    static func fields(_ bytes: [UInt8], _ range: Range<Int>, _ names: [String]) -> [Field] {
        var reader = Reader(bytes: bytes, at: range.lowerBound, end: range.upperBound)
        reader.value(names, 0)
        return reader.fields
    }

    private struct Reader {
        let bytes: [UInt8]
        var at: Int
        let end: Int
        var fields: [Field] = []

        private mutating func skipBlanks() { while at < end, Byte.isSpaceOrEnd(bytes[at]) { at += 1 } }

        mutating func value(_ names: [String], _ depth: Int) {
            skipBlanks()
            guard at < end, depth < Format.mostDepth else {
                at = end
                return
            }
            let first = bytes[at]
            if first == 0x7B || first == 0x5B { return collection(names, depth) }
            if let scalar = scalar(), !scalar.range.isEmpty {
                fields.append(Field(names, scalar.range, scalar.form))
            }
        }

        private mutating func scalar() -> (range: Range<Int>, form: ClearSecret.Form)? {
            if let quoted = QuotedText.range(bytes, at..<end) {
                let form = QuotedText.form(bytes, quoted, by: bytes[at])
                at = quoted.upperBound + 1
                return (quoted, form)
            }
            let start = at
            while at < end, ![0x2C, 0x7D, 0x5D].contains(bytes[at]) {
                if [0x3A, 0x3D].contains(bytes[at]), at + 1 < end, Byte.isSpace(bytes[at + 1]) { break }
                at += 1
            }
            let range = bytes.trimmed(start..<at)
            return (range, .plain)
        }

        private mutating func collection(_ names: [String], _ depth: Int) {
            let close: UInt8 = bytes[at] == 0x7B ? 0x7D : 0x5D
            at += 1
            var number = 0
            while at < end {
                skipBlanks()
                guard at < end, bytes[at] != close else { break }
                if bytes[at] == 0x2C {
                    at += 1
                    continue
                }
                let before = at
                if close == 0x5D {
                    value(names + ["\(number)"], depth + 1)
                    number += 1
                } else if let name = scalar() {
                    skipBlanks()
                    if at < end, bytes[at] == 0x3A || bytes[at] == 0x3D {
                        at += 1
                        value(names + [bytes.text(name.range)], depth + 1)
                    }
                }
                if at == before { at += 1 }
            }
            at = min(end, at + 1)
        }
    }
}
