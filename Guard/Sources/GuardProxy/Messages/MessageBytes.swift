// SPDX-License-Identifier: Apache-2.0

/// A message breaks the format (Documentation/Formats/GuardMessages.md, "Proxy").
package struct MalformedMessage: Error {
    package init() {}
}

/// Reads the parts of a message.
struct MessageReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func slice(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw MalformedMessage() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) throws -> I {
        try slice(MemoryLayout<I>.size).reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }

    mutating func flag() throws -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw MalformedMessage()
        }
    }

    mutating func prefixed() throws -> [UInt8] { Array(try slice(Int(try integer(UInt32.self)))) }

    mutating func text() throws -> String {
        guard let text = String(validating: try prefixed(), as: UTF8.self) else { throw MalformedMessage() }
        return text
    }

    mutating func optionalText() throws -> String? { try flag() ? try text() : nil }

    mutating func list<Part>(_ part: (inout Self) throws -> Part) throws -> [Part] {
        let count = Int(try integer(UInt16.self))
        return try (0..<count).map { _ in try part(&self) }
    }

    func end() throws { guard position == bytes.count else { throw MalformedMessage() } }
}

/// Writes the parts of a message.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    init(kind: UInt8) { bytes = [1, kind] }

    mutating func integer<I: FixedWidthInteger>(_ value: I) {
        for shift in stride(from: I.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func text(_ text: String) {
        integer(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }
}
