// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Readers

/// Text from bytes, as Apple's systems before iOS 18 and macOS 15 read it, and as all others do.
@Suite struct ValidTextTests {
    private static let cases: [[UInt8]] = [
        [], [0x00], [0x41, 0x00, 0x42], Array("замок 🔐 é e\u{301}".utf8),
        // U+FFFD itself, whole and cut off; a byte order mark.
        [0xEF, 0xBF, 0xBD], [0xEF, 0xBF], [0xEF, 0xBB, 0xBF, 0x41],
        // Stray and missing continuation bytes; overlong forms; surrogates; beyond U+10FFFF; never in UTF-8.
        [0x80], [0x41, 0xBF], [0xC3], [0xC3, 0x41], [0xE2, 0x82], [0xF0, 0x9F, 0x94], [0xC0, 0x80], [0xC1, 0xBF],
        [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF, 0xFF],
    ]

    // Rule: bytes that are not UTF-8 are no text on older systems | `comparingUTF8` returned what decoding gave
    @Test func `UTF-8 is refused by the same bytes on older systems`() {
        for bytes in Self.cases {
            #expect(String(comparingUTF8: bytes) == String(validating: bytes, as: UTF8.self), "\(bytes)")
        }
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [0x41, first, second]
                #expect(String(comparingUTF8: bytes) == String(validating: bytes, as: UTF8.self), "\(bytes)")
            }
        }
    }

    @Test(arguments: [
        [], [0x41], [0xD83D, 0xDD10], [0xFFFD], [0xFEFF], [0xD83D], [0xDD10], [0xDD10, 0xD83D], [0xD83D, 0x41],
        [0x41, 0xD83D],
    ]) func `UTF-16 is refused by the same units on older systems`(units: [UInt16]) {
        #expect(String(comparingUTF16: units) == String(validating: units, as: UTF16.self))
    }
}
