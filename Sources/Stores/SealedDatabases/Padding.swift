// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

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

    /// Lends what was padded to `body`.
    package static func unpad<R: ~Copyable>(_ padded: RawSpan, _ body: (RawSpan) throws -> R) throws -> R {
        guard let length = padded.bigEndian(at: 0, as: UInt32.self), paddedCount(Int(length)) == padded.byteCount
        else { throw SealingError.malformed }
        let end = prefix + Int(length)
        for offset in end..<padded.byteCount where padded.bigEndian(at: offset, as: UInt8.self) != 0 {
            throw SealingError.malformed
        }
        return try body(padded.extracting(prefix..<end))
    }
}
