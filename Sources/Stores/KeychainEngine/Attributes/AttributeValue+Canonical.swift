// SPDX-License-Identifier: Apache-2.0

import Sealing

extension Attribute {
    /// The bytes by which two values of this attribute are equal (Documentation/Formats/Keychain.md, "Blind index").
    func canonicalBytes(of value: AttributeValue) -> [UInt8] {
        switch kind {
        case .blob, .data, .accessControl, .uuid: value.plainBytes
        case .number, .synchronizable, .tombstone, .string, .accessible, .date: value.typedBytes
        }
    }

    /// Whether two values are the same to searches and to identity.
    func equal(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch (kind, left, right) {
        case (_, .data(let left), .data(let right)): left == right
        case (_, .number(let left), .number(let right)): left == right
        // Not String's own equality, which takes different Unicode forms for the same.
        case (_, .text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
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
