// SPDX-License-Identifier: Apache-2.0

import Readers
import Sealing

/// The plaintext of a row's attributes (Documentation/Formats/Keychain.md, "Attributes").
package struct EncodedAttributes: Equatable, Sendable {
    package static let limit = 1 << 20
    private static let version: UInt8 = 1

    package var attributes: Attributes
    package var hasSecret: Bool
    /// Whether former secrets are kept beside the secret.
    package var hasPast: Bool

    package init(_ attributes: Attributes, hasSecret: Bool, hasPast: Bool = false) {
        self.attributes = attributes
        self.hasSecret = hasSecret
        self.hasPast = hasPast
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 512)
        writer.integer(Self.version)
        writer.integer(UInt8((hasSecret ? 1 : 0) | (hasPast ? 0x80 : 0)))
        writer.integer(UInt16(truncatingIfNeeded: attributes.count))
        for (name, value) in attributes {
            writer.integer(UInt8(truncatingIfNeeded: name.text.utf8.count))
            writer.append(name.text.utf8)
            writer.value(value)
        }
        return writer.bytes
    }

    /// Throws `SealingError.malformed` for anything that `bytes` does not write.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        try self.init(&reader)
    }

    init(_ reader: inout ByteReader) throws {
        guard try reader.integer(UInt8.self) == Self.version else { throw SealingError.malformed }
        let flags = try reader.integer(UInt8.self)
        // An item without a secret has no former ones.
        guard flags & 0x7F <= 1, flags != 0x80 else { throw SealingError.malformed }
        hasSecret = flags & 1 != 0
        hasPast = flags & 0x80 != 0
        let count = Int(try reader.integer(UInt16.self))
        attributes = Attributes(minimumCapacity: min(count, 64))
        for _ in 0..<count {
            guard let name = AttributeName(bytes: try reader.slice(Int(try reader.integer(UInt8.self)))),
                attributes.append(name, try reader.value())
            else { throw SealingError.malformed }
        }
        try reader.end()
    }
}

extension ByteWriter {
    fileprivate mutating func value(_ value: AttributeValue) {
        integer(value.typeCode)
        switch value {
        case .text(let text): prefixed(text.utf8)
        case .data(let bytes): prefixed(bytes)
        case .number(let number): integer(number)
        case .date(let seconds): integer(seconds.bitPattern)
        }
    }
}

extension ByteReader {
    private mutating func date() throws -> Double {
        let seconds = Double(bitPattern: try integer())
        guard CalendarTime.seconds.contains(seconds) else { throw SealingError.malformed }
        return seconds
    }

    fileprivate mutating func value() throws -> AttributeValue {
        switch try integer(UInt8.self) {
        case 1: .text(try text(Int(try integer(UInt32.self))))
        case 2: .data(try prefixed(limit: EncodedAttributes.limit))
        case 3: .number(try integer(Int64.self))
        case 4: .date(try date())
        default: throw SealingError.malformed
        }
    }
}

extension Attribute {
    /// The bytes by which two values of this attribute are equal (Documentation/Formats/Keychain.md, "Blind index").
    func canonicalBytes(of value: AttributeValue) -> [UInt8] {
        switch kind {
        case .blob, .data, .accessControl, .uuid: value.plainBytes
        case .number, .synchronizable, .tombstone, .string, .accessible, .date: value.typedBytes
        }
    }

    /// Whether searches and identity treat two values as the same.
    func equal(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch (kind, left, right) {
        case (_, .data(let left), .data(let right)): left == right
        case (_, .number(let left), .number(let right)): left == right
        // Not the equality of `String`, which treats different Unicode forms as the same.
        case (_, .text(let left), .text(let right)): left.hasBytes(of: right)
        default: canonicalBytes(of: left) == canonicalBytes(of: right)
        }
    }
}

extension AttributeValue {
    fileprivate var plainBytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): littleEndianBytes(of: number)
        case .date(let seconds): bigEndianBytes(of: seconds.bitPattern)
        }
    }

    fileprivate var typedBytes: [UInt8] {
        switch self {
        case .number(let number): [typeCode] + bigEndianBytes(of: UInt64(bitPattern: number))
        case .text, .data, .date: [typeCode] + plainBytes
        }
    }

    /// As in Documentation/Formats/Keychain.md, "Attributes".
    var typeCode: UInt8 {
        switch self {
        case .text: 1
        case .data: 2
        case .number: 3
        case .date: 4
        }
    }
}

private func bigEndianBytes(of bits: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
}
