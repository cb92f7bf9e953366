// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// Hides lengths up to 32 bytes: length (4) ‖ bytes ‖ zeros.
package enum Padding {
    static let block = 32
    private static let prefix = 4

    static func paddedCount(_ count: Int) -> Int { (count + prefix + block - 1) / block * block }

    package static func pad(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(bytes)
        writer.append(repeatElement(0, count: paddedCount(bytes.count) - bytes.count - prefix))
        return writer.bytes
    }

    static func pad(_ secret: borrowing SecretBytes) throws -> SecretBytes {
        let count = secret.count
        return try SecretBytes(count: paddedCount(count)) { span in
            for index in 0..<prefix {
                let byte = UInt8(truncatingIfNeeded: count >> (24 - 8 * index))
                span.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
            try secret.copy(into: &span, at: prefix)
        }
    }

    /// For bytes that need no guarded memory: attributes.
    package static func unpad(_ padded: borrowing SecretBytes) throws -> [UInt8] {
        let end = prefix + (try checkedCount(padded))
        guard let bytes = try padded.exposingBytes(prefix..<end) else { throw SealingError.malformed }
        return bytes
    }

    static func unpad(secret padded: borrowing SecretBytes) throws -> SecretBytes {
        let end = prefix + (try checkedCount(padded))
        guard let secret = try padded.part(prefix..<end) else { throw SealingError.malformed }
        return secret
    }

    private static func checkedCount(_ padded: borrowing SecretBytes) throws -> Int {
        try padded.withBytes { span in
            guard let length = span.bigEndian(at: 0, as: UInt32.self), paddedCount(Int(length)) == span.byteCount
            else { throw SealingError.malformed }
            for offset in prefix + Int(length)..<span.byteCount
            where span.bigEndian(at: offset, as: UInt8.self) != 0 { throw SealingError.malformed }
            return Int(length)
        }
    }
}
