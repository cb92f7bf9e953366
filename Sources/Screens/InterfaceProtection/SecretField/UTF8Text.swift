// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Reads UTF-8 without making a string of it. Linear in the number of bytes.
package enum UTF8Text {
    /// The number of code points; nil if it isn't UTF-8 (overlong forms, surrogates, incomplete sequences).
    package static func codePoints(in text: Span<UInt8>) -> Int? {
        var count = 0
        var index = 0
        while index < text.count {
            guard let (_, width) = scalar(at: index, in: text) else { return nil }
            index += width
            count += 1
        }
        return count
    }

    /// The code point that starts at `index` and its number of bytes; nil if none does.
    package static func scalar(at index: Int, in text: Span<UInt8>) -> (Unicode.Scalar, width: Int)? {
        let first = text[index]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let (width, smallest): (Int, UInt32) =
            switch first {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            default: (0, 0)
            }
        guard width > 0, index + width <= text.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(width))
        for offset in 1..<width {
            let byte = text[index + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, width)
    }

    /// Where code point number `position` starts, in valid UTF-8; the end if there are fewer.
    package static func offset(ofCodePoint position: Int, in text: Span<UInt8>) -> Int {
        var seen = 0
        for index in text.indices where text[index] & 0xC0 != 0x80 {
            if seen == position { return index }
            seen += 1
        }
        return text.count
    }

    /// Calls `body` with each code point until it returns false. False if it did, or if `text` isn't UTF-8.
    package static func allSatisfy(_ text: Span<UInt8>, _ body: (Unicode.Scalar) -> Bool) -> Bool {
        var index = 0
        while index < text.count {
            guard let (scalar, width) = scalar(at: index, in: text), body(scalar) else { return false }
            index += width
        }
        return true
    }
}

extension UTF8Text {
    /// The ASCII letter in lower case; any other byte unchanged.
    package static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Whether `byte` is an ASCII letter, or part of a code point beyond ASCII.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(lowercased(byte)) || byte >= 0x80
    }

    /// Whether `byte` is an ASCII digit.
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The string, if it is UTF-8. Not for secrets: a string can't be wiped.
    package static func string(_ text: Span<UInt8>) -> String? {
        guard codePoints(in: text) != nil else { return nil }
        return String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
    }

    /// Its code points, if it is UTF-8. Not for secrets either.
    static func scalars(of text: Span<UInt8>) -> [Unicode.Scalar]? {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.count)
        return allSatisfy(text) { scalar in
            scalars.append(scalar)
            return true
        } ? scalars : nil
    }

    /// The string of `text`.
    static func string(of text: some Sequence<Unicode.Scalar>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        for scalar in text { append(scalar, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        let value = scalar.value
        func rest(_ shift: UInt32) -> UInt8 { UInt8(0x80 | value >> shift & 0x3F) }
        switch value {
        case ..<0x80: bytes.append(UInt8(value))
        case ..<0x800:
            bytes.append(UInt8(0xC0 | value >> 6))
            bytes.append(rest(0))
        case ..<0x10000:
            bytes.append(UInt8(0xE0 | value >> 12))
            bytes.append(rest(6))
            bytes.append(rest(0))
        default:
            bytes.append(UInt8(0xF0 | value >> 18))
            bytes.append(rest(12))
            bytes.append(rest(6))
            bytes.append(rest(0))
        }
    }
}

extension UTF8Text {
    /// The range of `text` without spaces of all kinds and invisible marks at both ends.
    package static func core(of text: Span<UInt8>) -> Range<Int> {
        var (start, end) = (0, text.count)
        while start < end, let (scalar, width) = scalar(at: start, in: text), isTrimmed(scalar) { start += width }
        while start < end {
            var first = end - 1
            while first > start, text[first] & 0xC0 == 0x80 { first -= 1 }
            guard let (scalar, width) = scalar(at: first, in: text), first + width == end, isTrimmed(scalar) else {
                break
            }
            end = first
        }
        return start..<end
    }

    /// White space, and zero-width marks that text contains after copying: byte order, direction, joining.
    static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0xAD, 0x61C, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F,
            0x205F...0x2069,
            0x3000, 0xFEFF:
            true
        default: false
        }
    }

    static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// A copy of `text` without its line ends. Errors: `SecretFieldError` `.notText`, and `SecretMemory`'s own.
    static func withoutLineEnds(_ text: Span<UInt8>) throws -> SecretBytes {
        /// Calls `body` with each kept byte and its new offset.
        func pick(_ body: (UInt8, Int) -> Void) throws -> Int {
            var (index, kept) = (0, 0)
            while index < text.count {
                guard let (scalar, width) = scalar(at: index, in: text) else { throw SecretFieldError(.notText) }
                for place in index..<index + width where !isLineEnd(scalar) {
                    body(text[place], kept)
                    kept += 1
                }
                index += width
            }
            return kept
        }
        let count = try pick { _, _ in }
        return try SecretBytes(count: count) { new in
            _ = try pick { byte, place in new.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
        }
    }

    /// `text` with the decimal digits of every script as ASCII digits. Not for secrets.
    static func withASCIIDigits(_ text: String) -> String {
        string(of: text.unicodeScalars.map { scalar in digit(scalar).map { Unicode.Scalar($0 + 48) } ?? scalar })
    }

    /// The value of a decimal digit of any script; nil for any other character.
    static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.isASCII { return isDigit(UInt8(scalar.value)) ? UInt8(scalar.value - 48) : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return UInt8(value)
    }
}
