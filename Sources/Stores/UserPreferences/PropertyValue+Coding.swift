// SPDX-License-Identifier: Apache-2.0

import Readers
import Sealing

/// The encoding of a value (Documentation/Formats/Preferences.md, "Values").
extension PropertyValue {
    static let depthLimit = 64
    static let valueLimit = 1_000_000
    /// The maximum size of one preference, in bytes.
    static let sizeLimit = 16 << 20

    func encode(into writer: inout ByteWriter) {
        switch self {
        case .boolean(let value): writer.integer(UInt8(value ? 1 : 0))
        case .integer(let value):
            writer.integer(UInt8(2))
            writer.integer(value)
        case .real(let value):
            writer.integer(UInt8(3))
            writer.integer(value.bitPattern)
        case .date(let seconds):
            writer.integer(UInt8(4))
            writer.integer(seconds.bitPattern)
        case .data(let bytes):
            writer.integer(UInt8(5))
            writer.prefixed(bytes)
        case .string(let text):
            writer.integer(UInt8(6))
            writer.prefixed(Array(text.utf8))
        case .array(let items):
            writer.integer(UInt8(7))
            writer.integer(UInt32(truncatingIfNeeded: items.count))
            for item in items { item.encode(into: &writer) }
        case .dictionary(let entries):
            writer.integer(UInt8(8))
            writer.integer(UInt32(truncatingIfNeeded: entries.count))
            // Sorted, so that equal values have equal bytes.
            for (key, value) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                writer.prefixed(Array(key.utf8))
                value.encode(into: &writer)
            }
        }
    }

    /// Reads one value. Errors: `SealingError.malformed`.
    static func decode(from reader: inout ByteReader) throws -> PropertyValue {
        var budget = valueLimit
        return try decode(from: &reader, depth: 1, &budget)
    }

    private static func decode(
        from reader: inout ByteReader, depth: Int, _ budget: inout Int
    ) throws -> PropertyValue {
        budget -= 1
        guard depth <= depthLimit, budget >= 0 else { throw SealingError.malformed }
        switch try reader.integer(UInt8.self) {
        case 0: return .boolean(false)
        case 1: return .boolean(true)
        case 2: return .integer(try reader.integer())
        case 3: return .real(Double(bitPattern: try reader.integer()))
        case 4:
            let seconds = Double(bitPattern: try reader.integer())
            guard CalendarTime.seconds.contains(seconds) else { throw SealingError.malformed }
            return .date(seconds)
        case 5: return .data(try reader.prefixed(limit: sizeLimit))
        case 6: return .string(try text(from: &reader))
        case 7:
            var items: [PropertyValue] = []
            for _ in 0..<(try count(from: &reader)) {
                items.append(try decode(from: &reader, depth: depth + 1, &budget))
            }
            return .array(items)
        case 8:
            var entries: [String: PropertyValue] = [:]
            for _ in 0..<(try count(from: &reader)) {
                let key = try text(from: &reader)
                entries[key] = try decode(from: &reader, depth: depth + 1, &budget)
            }
            return .dictionary(entries)
        default: throw SealingError.malformed
        }
    }

    private static func text(from reader: inout ByteReader) throws -> String {
        guard let text = String(validUTF8: try reader.prefixed(limit: sizeLimit)) else {
            throw SealingError.malformed
        }
        return text
    }

    /// Every value has at least one byte, so a count can't exceed the remaining bytes.
    private static func count(from reader: inout ByteReader) throws -> Int {
        let count = Int(try reader.integer(UInt32.self))
        guard count <= reader.remaining else { throw SealingError.malformed }
        return count
    }

    /// Why a value can't be stored.
    enum Fault: Error {
        case size, date
    }

    /// Checks the value against the limits of the format.
    func check() throws(Fault) {
        var budget = Self.valueLimit
        try check(depth: 1, &budget)
    }

    private func check(depth: Int, _ budget: inout Int) throws(Fault) {
        budget -= 1
        guard depth <= Self.depthLimit, budget >= 0 else { throw .size }
        switch self {
        case .array(let items): for item in items { try item.check(depth: depth + 1, &budget) }
        case .dictionary(let entries): for item in entries.values { try item.check(depth: depth + 1, &budget) }
        case .date(let seconds): guard CalendarTime.seconds.contains(seconds) else { throw .date }
        default: return
        }
    }
}
