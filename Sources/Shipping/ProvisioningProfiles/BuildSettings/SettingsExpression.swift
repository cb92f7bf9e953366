// SPDX-License-Identifier: Apache-2.0

/// An unparsed value: text and references. `$(NAME:operator)`, `${NAME}`, `$[NAME]` and `$NAME` refer to other
/// settings. The name and an operator's operand may contain
/// references: `$(PROFILE_$(CONFIGURATION):default=$(PROFILE))`.
struct SettingsExpression {
    struct Reference {
        var name: [Part]
        var operators: [(name: String, operand: [Part]?)] = []
        /// A bare undefined `$NAME` stays unchanged; in brackets it is empty.
        let isBracketed: Bool
    }

    enum Part {
        case text(String)
        indirect case reference(Reference)
    }

    let parts: [Part]

    init(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        parts = reader.parts(until: nil, depth: 0)
    }
}

extension SettingsExpression {
    /// Reads from left to right. An unclosed bracket counts as closed at the end, as in Xcode.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        /// More deeply nested references stay text.
        private static let maximumDepth = 32
        private static let closing: [UInt8: UInt8] = [
            UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}"),
            UInt8(ascii: "["): UInt8(ascii: "]"),
        ]

        private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

        private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        /// Parts up to the end or, inside brackets, up to a colon or `delimiter`.
        mutating func parts(until delimiter: UInt8?, depth: Int) -> [Part] {
            var parts: [Part] = []
            var start = position
            while let byte {
                if let delimiter, byte == delimiter || byte == UInt8(ascii: ":") { break }
                guard byte == UInt8(ascii: "$"), depth < Self.maximumDepth else {
                    position += 1
                    continue
                }
                if start < position { parts.append(.text(text(start..<position))) }
                parts.append(dollar(depth))
                start = position
            }
            if start < position { parts.append(.text(text(start..<position))) }
            return parts
        }

        /// Reads what follows a dollar: a reference, `$$` for one dollar, or a dollar alone.
        private mutating func dollar(_ depth: Int) -> Part {
            position += 1
            guard let byte else { return .text("$") }
            if let end = Self.closing[byte] { return .reference(bracketed(end, depth)) }
            guard byte.beginsName else {
                if byte == UInt8(ascii: "$") { position += 1 }
                return .text("$")
            }
            var name: [Part] = [.text(word { $0.continuesName })]
            if self.byte == UInt8(ascii: "$"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "(") {
                name.append(dollar(depth + 1))
            }
            return .reference(Reference(name: name, isBracketed: false))
        }

        private mutating func bracketed(_ end: UInt8, _ depth: Int) -> Reference {
            position += 1
            var reference = Reference(name: parts(until: end, depth: depth + 1), isBracketed: true)
            while byte == UInt8(ascii: ":") {
                position += 1
                let name = word { $0.continuesOperator }
                var operand: [Part]?
                if byte == UInt8(ascii: "=") {
                    position += 1
                    operand = parts(until: end, depth: depth + 1)
                }
                while let byte, byte != UInt8(ascii: ":"), byte != end { position += 1 }
                reference.operators.append((name, operand))
            }
            if byte == end { position += 1 }
            return reference
        }

        private mutating func word(_ isPart: (UInt8) -> Bool) -> String {
            let start = position
            while let byte, isPart(byte) { position += 1 }
            return text(start..<position)
        }
    }
}

extension UInt8 {
    private var isLetter: Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self
    }
    private var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// The first letter of a setting's name.
    var beginsName: Bool { isLetter || self == UInt8(ascii: "_") }
    /// A letter of a setting's name.
    var continuesName: Bool { beginsName || isDigit }
    /// A letter of an operator's name.
    fileprivate var continuesOperator: Bool { continuesName || [0x2B, 0x2D, 0x2E].contains(self) }
}
