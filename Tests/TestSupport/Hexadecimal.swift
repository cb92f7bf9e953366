// SPDX-License-Identifier: Apache-2.0

extension Sequence<UInt8> {
    /// Two digits for each byte.
    package var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// The bytes of pairs of digits; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
