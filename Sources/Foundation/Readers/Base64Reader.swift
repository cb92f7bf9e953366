// SPDX-License-Identifier: Apache-2.0

/// Base64 as property lists hold it: bytes outside the alphabet are skipped, as Apple's reader does (profiles made for
/// tests have such texts), and reading ends at the padding.
package enum Base64Reader {
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
        return table
    }()

    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        let table = values
        var decoded: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
            if byte == UInt8(ascii: "=") { break }
            let value = table[Int(byte)]
            if value == 0xFF { continue }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count == 4 {
                decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
                decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
                decoded.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (0, 0)
            }
        }
        if count == 3 {
            decoded.append(UInt8(truncatingIfNeeded: bits >> 10))
            decoded.append(UInt8(truncatingIfNeeded: bits >> 2))
        } else if count == 2 {
            decoded.append(UInt8(truncatingIfNeeded: bits >> 4))
        }
        return decoded
    }
}
