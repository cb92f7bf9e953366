// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// What is shown of a secret.
package enum MaskedSecret {
    /// The shortest secret of which characters are shown.
    package static let shortest = 12

    /// The first and the last two characters and the number of bytes; the number alone for a secret that is shorter
    /// than ``shortest`` bytes, has several lines, or other characters than those of ASCII there. Throws
    /// ``SecretMemoryError`` in a child after fork.
    package static func text(_ secret: Secret) throws -> String {
        let count = secret.count
        let number = count == 1 ? "1 byte" : "\(count) bytes"
        guard count >= shortest else { return number }
        let ends: [UInt8]? = try secret.withBytes { bytes in
            let ends = [0, 1, count - 2, count - 1].map { bytes.byteOffsets.contains($0) ? Self.byte(bytes, $0) : 0 }
            return ends.allSatisfy { (0x21..<0x7F).contains($0) } ? ends : nil
        }
        guard let ends else { return number }
        let text = ends.map { String(Unicode.Scalar($0)) }
        return "\(text[0])\(text[1])…\(text[2])\(text[3]), \(number)"
    }

    private static func byte(_ bytes: RawSpan, _ index: Int) -> UInt8 {
        bytes.extracting(index..<index + 1).withByte
    }
}
