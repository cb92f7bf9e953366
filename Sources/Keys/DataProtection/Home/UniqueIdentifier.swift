// SPDX-License-Identifier: Apache-2.0

import Readers

/// 16 random bytes that identify a home or a keybag.
package struct UniqueIdentifier: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless there are 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let number = { (part: ArraySlice<UInt8>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        let bytes = Array(bytes)
        self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
    }

    package static func random() -> UniqueIdentifier {
        UniqueIdentifier(high: UInt64.random(in: 1...UInt64.max), low: UInt64.random(in: 0...UInt64.max))
    }

    var halves: (high: UInt64, low: UInt64) { (high, low) }

    package var bytes: [UInt8] {
        [high, low].flatMap { number in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }

    /// Reads the form of RFC 9562: 8-4-4-4-12 hexadecimal digits in lower case; nil for any other text.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], text == text.lowercased() else { return nil }
        let digits = parts.joined().compactMap(\.hexDigitValue)
        guard digits.count == 32 else { return nil }
        self.init(bytes: stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// In the form of RFC 9562.
    package var text: String {
        var text = hexadecimal
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return text
    }

    /// 32 hexadecimal digits.
    package var hexadecimal: String { String(hexadecimal: bytes) }
}
