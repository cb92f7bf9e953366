// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Base64 from secret to secret.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ secret: Secret) throws -> SecretBytes {
        try secret.withBytes { span in
            let bytes = Span<UInt8>(_bytes: span)
            return try SecretBytes(count: (bytes.count + 2) / 3 * 4) { text in
                for group in 0..<(bytes.count + 2) / 3 {
                    var bits: UInt32 = 0
                    for offset in 0..<3 {
                        let index = group * 3 + offset
                        bits = bits << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
                    }
                    for place in 0..<4 {
                        let isPadding = group * 3 + place > bytes.count
                        let character =
                            isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                        text.storeBytes(of: character, toByteOffset: group * 4 + place, as: UInt8.self)
                    }
                }
            }
        }
    }
}
