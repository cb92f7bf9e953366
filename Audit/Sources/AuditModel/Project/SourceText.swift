// SPDX-License-Identifier: Apache-2.0

/// What a file of text holds, as UTF-8 with a line feed at the end of each line: readers know no other form.
package struct SourceText: Sendable {
    package let bytes: [UInt8]
    /// As they stand in the file.
    let original: [UInt8]
    /// Whether all of it is text: valid, and without a zero byte.
    package let isWhole: Bool
    /// Whether there is a zero byte in it, which no source has: the file is encrypted, or not what its name says.
    package let hasZero: Bool
    /// Whether the file has another form, so that nothing can be changed in it by its places in `bytes`.
    package let isConverted: Bool

    package init(_ file: [UInt8]) {
        original = file
        guard let form = Form(file) else {
            hasZero = file.contains(0)
            isWhole = !hasZero && Self.isUTF8(file)
            let lines = hasZero ? nil : Self.withLineFeeds(file)
            bytes = lines ?? file
            isConverted = lines != nil
            return
        }
        let units = form.units(file)
        let text =
            form.width == 2
            ? String(decoding: units.lazy.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
            : String(decoding: units, as: UTF32.self)
        let converted = Array(text.utf8)
        bytes = Self.withLineFeeds(converted) ?? converted
        hasZero = bytes.contains(0)
        isWhole = !hasZero && file.count % form.width == 0 && (units.contains(0xFFFD) || !text.contains("\u{FFFD}"))
        isConverted = true
    }

    /// How wide a unit is, and which of its bytes comes first.
    private struct Form {
        let width: Int
        let isBigEndian: Bool

        /// Nil for UTF-8. By the mark; UTF-16 without one by the zeros beside its first two letters.
        init?(_ file: [UInt8]) {
            if file.starts(with: [0xFF, 0xFE, 0, 0]) {
                (width, isBigEndian) = (4, false)
            } else if file.starts(with: [0, 0, 0xFE, 0xFF]) {
                (width, isBigEndian) = (4, true)
            } else if file.starts(with: [0xFF, 0xFE]) {
                (width, isBigEndian) = (2, false)
            } else if file.starts(with: [0xFE, 0xFF]) {
                (width, isBigEndian) = (2, true)
            } else if file.count >= 4, file[1] == 0, file[3] == 0, file[0] != 0, file[2] != 0 {
                (width, isBigEndian) = (2, false)
            } else if file.count >= 4, file[0] == 0, file[2] == 0, file[1] != 0, file[3] != 0 {
                (width, isBigEndian) = (2, true)
            } else {
                return nil
            }
        }

        func units(_ file: [UInt8]) -> [UInt32] {
            let units = stride(from: 0, to: file.count - file.count % width, by: width).map { start in
                (0..<width).reduce(UInt32(0)) { unit, part in
                    unit << 8 | UInt32(file[start + (isBigEndian ? part : width - 1 - part)])
                }
            }
            return units.first == 0xFEFF ? Array(units.dropFirst()) : units
        }
    }

    /// A line feed for each carriage return that none follows; nil where there is none such.
    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(0x0D) else { return nil }
        var result = bytes
        var isChanged = false
        for index in bytes.indices where bytes[index] == 0x0D {
            guard index + 1 == bytes.count || bytes[index + 1] != 0x0A else { continue }
            result[index] = 0x0A
            isChanged = true
        }
        return isChanged ? result : nil
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80 || String(validating: bytes, as: UTF8.self) != nil
    }
}
