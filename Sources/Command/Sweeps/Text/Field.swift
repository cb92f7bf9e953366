// SPDX-License-Identifier: Apache-2.0

/// A value in a file of a known format: where it is, how it is written, and the names above it.
package struct Field: Sendable, Equatable {
    /// The names from the outside in: a section and a name in INI, all members in JSON. An element of an array has no
    /// name of its own: its number as text.
    package let keys: [String]
    /// The bytes of the value as written, without quotes.
    package let range: Range<Int>
    /// How they become the value.
    package let form: ClearSecret.Form

    package init(_ keys: [String], _ range: Range<Int>, _ form: ClearSecret.Form = .plain) {
        (self.keys, self.range, self.form) = (keys, range, form)
    }
}

/// A file's format, as far as secrets need it: where its values are. A reader never fails: what isn't of the format
/// gives no fields.
package enum Format: String, Sendable, CaseIterable {
    case ini, git, properties, environment, words, json, toml, yaml, xml

    package func fields(_ bytes: [UInt8]) -> [Field] {
        switch self {
        case .ini: LineText(.ini).fields(bytes)
        case .git: LineText(.git).fields(bytes)
        case .properties: LineText(.properties).fields(bytes)
        case .environment: LineText(.environment).fields(bytes)
        case .words: LineText(.words).fields(bytes)
        case .json: JSONText.fields(bytes)
        case .toml: TOMLText.fields(bytes)
        case .yaml: YAMLText.fields(bytes)
        case .xml: XMLText.fields(bytes)
        }
    }

    /// The most fields of one file; a hostile one has no more.
    static let mostFields = 100_000
    /// The deepest nesting.
    static let mostDepth = 100
}

/// Bytes as the readers meet them.
enum Byte {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    static func isSpaceOrEnd(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
    static func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
    static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
    static func lower(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - 0x30 }
        return isHex(byte) ? (byte | 0x20) - 0x61 + 10 : nil
    }
}

extension [UInt8] {
    /// The lines of a range, without their ends.
    func lines(in range: Range<Int>) -> LineSequence { LineSequence(bytes: self, range: range) }

    /// The range without blanks at either end.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, Byte.isSpaceOrEnd(self[low]) { low += 1 }
        while high > low, Byte.isSpaceOrEnd(self[high - 1]) { high -= 1 }
        return low..<high
    }

    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}

/// Lines end with LF or CR LF; a CR alone ends none.
struct LineSequence: Sequence, IteratorProtocol {
    let bytes: [UInt8]
    let range: Range<Int>
    private var position: Int

    init(bytes: [UInt8], range: Range<Int>) {
        (self.bytes, self.range, position) = (bytes, range, range.lowerBound)
    }

    mutating func next() -> Range<Int>? {
        guard position < range.upperBound else { return nil }
        let end = bytes.first(0x0A, in: position..<range.upperBound) ?? range.upperBound
        let line = position..<(end > position && bytes[end - 1] == 0x0D ? end - 1 : end)
        position = end + 1
        return line
    }
}
