// SPDX-License-Identifier: Apache-2.0

/// The mark at the end of each placeholder, by which one of another run is known: 5 characters made from those before
/// (Documentation/Formats/GuardMessages.md, "Placeholders").
package enum PlaceholderMark {
    private static let count = 5
    /// Characters before the mark.
    private static let least = 22
    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Whether a word of a text has a mark.
    package static func isIn(_ text: String) -> Bool {
        text.utf8.count >= least + count
            && text.utf8.split(whereSeparator: { !isOfPlaceholder($0) }).contains { word in
                word.count >= least + count && of(word.dropLast(count)).elementsEqual(word.suffix(count))
            }
    }

    private static func isOfPlaceholder(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// FNV-1a of 64 bits, in five digits of 62.
    private static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<count).map { _ in
            defer { value /= 62 }
            return signs[Int(value % 62)]
        }
    }
}
