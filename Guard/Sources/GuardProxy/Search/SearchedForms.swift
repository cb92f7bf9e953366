// SPDX-License-Identifier: Apache-2.0

/// The forms in which a text is searched for: as it is, in capitals or small letters, in Base64 at each of its three
/// alignments with both alphabets, in Base32, in hexadecimal digits, in Base64 that was encoded once more, in Latin-1
/// and in UTF-16 and UTF-32. Each is found also where single characters are escaped as in URLs, JSON, HTML or
/// quoted-printable, once or several times, in any mixture, and where lines are broken.
package struct SearchedForms {
    enum Kind {
        /// Capitals are the same as small letters.
        case caseless
        case base64
    }

    /// Those of its bytes are `bytes` of all.
    struct Pattern {
        let kind: Kind
        let bytes: Range<Int>
        /// The number of the text.
        let text: Int
    }

    /// Of all patterns, and of what they are made from, in one piece that is overwritten.
    private var bytes: [UInt8] = []

    private(set) var patterns: [Pattern] = []
    /// The numbers of the patterns that may begin with a byte: those from one place to that of the next byte.
    private var beginnings: [Int] = []
    private var places: [Int] = []
    private var filter = ByteFilter()

    /// Forms of fewer characters would be found by chance.
    static let shortest = 6
    /// Line ends, blanks and zeros between two characters.
    static let mostBreaks = 64

    /// Texts of fewer than 8 bytes are not searched for.
    package init(_ texts: [[UInt8]]) {
        // It doesn't grow: what is left of a smaller one would not be overwritten.
        bytes.reserveCapacity(texts.reduce(0) { $0 + 144 * $1.count + 512 })
        for (number, text) in texts.enumerated() where text.count >= 8 { add(text, number) }
        guard !patterns.isEmpty else { return }
        sort()
        // A bit for each two bytes with which a pattern may begin, and for the next two.
        var pairs = [UInt8](repeating: 0, count: ByteFilter.pairsSize)
        func set(_ first: UInt8, _ second: UInt8, _ place: Int = 0) {
            pairs[place << 13 | Int(first) << 5 | Int(second >> 3)] |= 1 << (second & 7)
        }
        for pattern in patterns {
            for second in same(pattern, 1) {
                for first in same(pattern, 0) { set(first, second) }
                for third in same(pattern, 2) { set(second, third, 1) }
            }
            for first in same(pattern, 0) {
                for second in Self.starts { set(first, second) }
            }
        }
        for first in Self.starts {
            for second in UInt8.min...UInt8.max where mayFollow(second, first) { set(first, second) }
        }
        filter = ByteFilter(
            patterns.map { pattern in (0..<3).map { same(pattern, $0) } }, pairs, blankIsFirst: begins(0x20))
    }

    private static let starts = (UInt8.min...UInt8.max).filter { Sign.mayBegin($0) }

    /// The patterns by their first bytes.
    private mutating func sort() {
        places = [Int](repeating: 0, count: 257)
        for pattern in patterns {
            for byte in same(pattern, 0) { places[Int(byte) + 1] += 1 }
        }
        for byte in 0..<256 { places[byte + 1] += places[byte] }
        var next = places
        beginnings = [Int](repeating: 0, count: places[256])
        for (number, pattern) in patterns.enumerated() {
            for byte in same(pattern, 0) {
                beginnings[next[Int(byte)]] = number
                next[Int(byte)] += 1
            }
        }
    }

    /// Whether a pattern begins with a byte.
    private func begins(_ byte: UInt8) -> Bool { places[Int(byte)] < places[Int(byte) + 1] }

    /// Whether an escape that begins with the one byte, and goes on with the other, may be the beginning of a pattern.
    private func mayFollow(_ second: UInt8, _ first: UInt8) -> Bool {
        guard first != UInt8(ascii: "+") else { return begins(0x20) }
        guard !Sign.mayBegin(second) else { return true }
        switch (first, second) {
        case (UInt8(ascii: "%"), UInt8(ascii: "u")), (UInt8(ascii: "%"), UInt8(ascii: "U")): return true
        case (UInt8(ascii: "%"), _), (UInt8(ascii: "="), _):
            guard let digit = EscapeReader.digit(second) else { return false }
            return (UInt8.min..<16).contains { low in
                let byte = UInt8(truncatingIfNeeded: digit) << 4 | low
                return begins(byte) || Sign.mayBegin(byte)
            }
        case (UInt8(ascii: "&"), _): return EscapeReader.mayBeginEntity(second)
        default:
            switch EscapeReader.afterBackslash(second) {
            case .none: return false
            case .byte(let byte): return begins(byte)
            case .digits: return true
            }
        }
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Overwrites the forms.
    package mutating func wipe() {
        bytes.wipe()
        patterns = []
        beginnings = []
        places = []
        filter.wipe()
    }

    private mutating func add(_ text: [UInt8], _ number: Int) {
        let plain = append(text)
        add(.caseless, plain, number)
        for encoded in base64(plain, number) {
            // Basic authentication has Base64 on the way, which servers may encode again.
            _ = base64(encoded, number)
            add(.caseless, hexadecimal(encoded), number)
        }
        for offset in 0..<5 {
            let start = bytes.count
            Self.digits(plain, offset: offset, bits: 5, in: &bytes)
            add(.caseless, start..<bytes.count, number)
        }
        add(.caseless, hexadecimal(plain), number)
        guard let string = String(validating: text, as: UTF8.self) else { return }
        let little = append(string.utf16.lazy.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let big = append(string.utf16.lazy.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        _ = base64(little, number) + base64(big, number)
        // UTF-16 and UTF-32 of ASCII are found as it is, with zeros between.
        guard text.contains(where: { $0 >= 0x80 }) else { return }
        add(.caseless, little, number)
        add(.caseless, big, number)
        if string.unicodeScalars.allSatisfy({ $0.value < 256 }) {
            add(.caseless, append(string.unicodeScalars.lazy.map { UInt8($0.value) }), number)
        }
        // Bytes of UTF-8 that were taken for Latin-1, and encoded again.
        add(.caseless, append(text.lazy.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }), number)
    }

    /// Where they are.
    private mutating func append(_ other: some Sequence<UInt8>) -> Range<Int> {
        let start = bytes.count
        for byte in other { bytes.append(byte) }
        return start..<bytes.count
    }

    private mutating func add(_ kind: Kind, _ range: Range<Int>, _ text: Int) {
        guard range.count >= Self.shortest else { return }
        patterns.append(Pattern(kind: kind, bytes: range, text: text))
    }

    private static func other(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): byte ^ 0x20
        default: byte
        }
    }

    /// The one or two bytes that are the same as a byte of a pattern.
    private func same(_ pattern: Pattern, _ index: Int) -> FewBytes {
        let byte = bytes[pattern.bytes.lowerBound + index]
        let other = pattern.kind == .caseless ? Self.other(byte) : byte
        return FewBytes(byte, other == byte ? nil : other)
    }

    private mutating func hexadecimal(_ range: Range<Int>) -> Range<Int> {
        let start = bytes.count
        for index in range {
            for digit in [bytes[index] >> 4, bytes[index] & 15] { bytes.append(digit < 10 ? 48 + digit : 87 + digit) }
        }
        return start..<bytes.count
    }

    /// Adds Base64 at three alignments, with both alphabets. Returns where it is.
    private mutating func base64(_ range: Range<Int>, _ number: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for offset in 0..<3 {
            let start = bytes.count
            Self.digits(range, offset: offset, bits: 6, in: &bytes)
            let encoded = start..<bytes.count
            ranges.append(encoded)
            guard bytes[encoded].contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else {
                continue
            }
            for index in encoded {
                let byte = bytes[index]
                bytes.append(
                    byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
                )
            }
            ranges.append(encoded.upperBound..<bytes.count)
        }
        for encoded in ranges { add(.base64, encoded, number) }
        return ranges
    }

    /// The characters that depend on the text alone, if `offset` other bytes precede it.
    package static func base64(_ text: [UInt8], offset: Int) -> [UInt8] {
        var bytes = text
        bytes.reserveCapacity(text.count * 7 / 3 + 8)
        digits(text.indices, offset: offset, bits: 6, in: &bytes)
        defer { bytes.wipe() }
        return Array(bytes[text.count...])
    }

    private static let alphabet64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let alphabet32 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Appends the digits of 5 or 6 bits of some of the bytes.
    private static func digits(_ range: Range<Int>, offset: Int, bits: Int, in bytes: inout [UInt8]) {
        let alphabet = bits == 6 ? alphabet64 : alphabet32
        // Bits of the first digit that belong to what precedes the text are left out with it.
        var skipped = (bits - offset * 8 % bits) % bits
        var (value, count): (UInt32, Int) = (0, 0)
        for index in range {
            value = value << 8 | UInt32(bytes[index])
            count += 8
            if skipped > 0 {
                let dropped = min(skipped, count)
                count -= dropped
                skipped -= dropped
            }
            while count >= bits {
                count -= bits
                bytes.append(alphabet[Int(value >> UInt32(count)) & (1 << bits - 1)])
            }
            value &= 1 << UInt32(count) - 1
        }
    }

    /// What is at a position.
    enum Match: Equatable {
        case none
        /// The bytes end before it is decided.
        case undecided
        case found(text: Int, end: Int)
    }

    /// The next position from this one on at which a pattern may begin. The last three always are.
    func candidate(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int { filter.next(bytes, from: start) }

    /// Whether a text has one of the texts in any form.
    func isIn(_ text: String) -> Bool {
        guard !isEmpty else { return false }
        var text = text
        return text.withUTF8 { bytes in
            let span = unsafe Span(_unsafeElements: bytes)
            var position = 0
            while position < span.count {
                position = candidate(span, from: position)
                if case .found = match(span, at: position) { return true }
                position += 1
            }
            return false
        }
    }

    func match(_ bytes: borrowing Span<UInt8>, at position: Int) -> Match {
        let first = bytes[position]
        var result = match(bytes, at: position, as: first)
        if case .found = result { return result }
        guard Sign.mayBegin(first) else { return result }
        var known = (value: UInt32(first), isScalar: false)
        for level in 1...Sign.levels {
            guard case .one(let value, let isScalar, _) = Sign(bytes, at: position, level: level) else {
                return .undecided
            }
            guard value != known.value || isScalar != known.isScalar else { continue }
            known = (value, isScalar)
            for byte in Self.firsts(value, isScalar) {
                switch match(bytes, at: position, as: byte) {
                case .none: continue
                case .undecided: result = .undecided
                case .found(let text, let end): return .found(text: text, end: end)
                }
            }
        }
        return result
    }

    /// Tries the patterns with this first byte.
    private func match(_ bytes: borrowing Span<UInt8>, at position: Int, as byte: UInt8) -> Match {
        var result = Match.none
        let patterns = self.bytes.span
        for place in places[Int(byte)]..<places[Int(byte) + 1] {
            let pattern = self.patterns[beginnings[place]]
            // Without any escape all levels are the same.
            var (level, hasEscape) = (0, true)
            while hasEscape, level <= Sign.levels {
                hasEscape = false
                switch Self.match(bytes, at: position, pattern, patterns, level, &hasEscape) {
                case .none: break
                case .undecided: result = .undecided
                case .found(let text, let end): return .found(text: text, end: end)
                }
                level += 1
            }
        }
        return result
    }

    /// The first bytes of patterns that a sign may be.
    private static func firsts(_ value: UInt32, _ isScalar: Bool) -> FewBytes {
        let byte = UInt8(exactly: value)
        guard isScalar, value >= 0x80 else { return FewBytes(byte) }
        // One of a surrogate pair has the first byte of four.
        guard let scalar = Unicode.Scalar(value) else { return FewBytes(0xF0, 0xF1, 0xF2, 0xF3, 0xF4) }
        return FewBytes(byte, UTF8.encode(scalar)?.first)
    }

    /// Whether a pattern is at a position, with at most so many levels of escapes.
    private static func match(
        _ bytes: borrowing Span<UInt8>, at start: Int, _ pattern: Pattern, _ patterns: borrowing Span<UInt8>,
        _ most: Int, _ hasEscape: inout Bool
    ) -> Match {
        var (position, index, skipped) = (start, pattern.bytes.lowerBound, 0)
        next: while index < pattern.bytes.upperBound {
            guard position < bytes.count else { return .undecided }
            // Most bytes are as they are.
            let byte = bytes[position]
            if !Sign.mayBegin(byte) {
                if isSame(UInt32(byte), patterns[index], pattern.kind) {
                    (position, index, skipped) = (position + 1, index + 1, 0)
                } else {
                    guard isBreak(UInt32(byte)), index > pattern.bytes.lowerBound, skipped < mostBreaks else {
                        return .none
                    }
                    (position, skipped) = (position + 1, skipped + 1)
                }
                continue
            }
            // Escapes before the literal sign: what ends in the middle of an escape may be either.
            hasEscape = true
            var level = most
            var rest: Int?
            while level >= 0 {
                guard case .one(let value, let isScalar, let end) = Sign(bytes, at: position, level: level) else {
                    return .undecided
                }
                if isScalar, value >= 0x80 {
                    switch scalar(value, bytes, end, level, patterns, index..<pattern.bytes.upperBound) {
                    case .undecided: return .undecided
                    case .found(let used, let end):
                        (position, index, skipped) = (end, index + used, 0)
                        continue next
                    case .none: break
                    }
                }
                if isSame(value, patterns[index], pattern.kind) {
                    (position, index, skipped) = (end, index + 1, 0)
                    continue next
                }
                if rest == nil, isBreak(value) { rest = end }
                level -= 1
            }
            guard let rest, index > pattern.bytes.lowerBound, skipped < mostBreaks else { return .none }
            (position, skipped) = (rest, skipped + 1)
        }
        return .found(text: pattern.text, end: position)
    }

    /// A scalar of Unicode where UTF-8 is wanted. `found`: the number of its bytes, and where the next sign is.
    private static func scalar(
        _ value: UInt32, _ bytes: borrowing Span<UInt8>, _ end: Int, _ level: Int, _ patterns: borrowing Span<UInt8>,
        _ wanted: Range<Int>
    ) -> Match {
        var (value, end) = (value, end)
        if 0xD800...0xDBFF ~= value {
            guard case .one(let low, _, let after) = Sign(bytes, at: end, level: level) else { return .undecided }
            guard 0xDC00...0xDFFF ~= low else { return .none }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            end = after
        }
        guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar), encoded.count <= wanted.count
        else {
            return .none
        }
        var index = wanted.lowerBound
        for byte in encoded {
            guard patterns[index] == byte else { return .none }
            index += 1
        }
        return .found(text: encoded.count, end: end)
    }

    private static func isSame(_ value: UInt32, _ wanted: UInt8, _ kind: Kind) -> Bool {
        value == UInt32(wanted) || kind == .caseless && value == UInt32(other(wanted))
    }

    /// Lines are broken in Base64, in mail and in dumps; UTF-16 and UTF-32 have zeros. Dumps have colons also.
    static func isBreak(_ value: UInt32) -> Bool {
        switch value {
        case 0x0A, 0x0D, 0x20, 0x09, 0x00, 0x3A: true
        default: false
        }
    }
}
