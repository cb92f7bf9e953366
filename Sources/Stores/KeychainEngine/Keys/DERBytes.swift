// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// Writes DER values.
package enum DERBytes {
    /// A value with its tag and length.
    package static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        guard count > 127 else { return [tag, UInt8(count)] + content }
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, Array(parts.joined())) }

    /// INTEGER of a magnitude, with or without leading zeros.
    static func integer(_ magnitude: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        return value(0x02, digits.first.map { $0 < 0x80 } ?? false ? digits : [0] + digits)
    }

    static func identifier(_ identifier: ASN1ObjectIdentifier) -> [UInt8] {
        var serializer = DER.Serializer()
        // Never fails for the identifiers in this source.
        try? serializer.serialize(identifier)
        return serializer.serializedBytes
    }
}
