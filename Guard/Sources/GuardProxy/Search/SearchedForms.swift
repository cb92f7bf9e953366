// SPDX-License-Identifier: Apache-2.0

/// The forms in which a text is searched for: as it is, in capitals or small letters, in Base64 at each of its three
/// alignments with both alphabets, in Base32, in hexadecimal digits, in Base64 that was encoded once more, in Latin-1
/// and in UTF-16 and UTF-32; as it is also with its quotes doubled, as CSV and SQL have them. Each is
/// found also where single characters are escaped as in URLs, JSON, HTML or quoted-printable, once or several times, in
/// any mixture, and where lines are broken.
package struct SearchedForms {
    enum Kind {
        /// Capitals are the same as small letters.
        case caseless
        case base64
        /// Digits of bytes: capitals are the same as small letters, and dumps separate bytes.
        case hexadecimal
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
    /// For each of `beginnings` the second byte, as a small letter; 0 for one that may be a break or an escape.
    private var seconds: [UInt8] = []
    private var filter = ByteFilter()

    /// Forms of fewer characters would be found by chance.
    static let shortest = 6
    /// Line ends, blanks and zeros between two characters.
    static let mostBreaks = 128
    /// Other separators between two bytes in hexadecimal digits.
    private static let mostSeparators = 4
    /// Bytes from the beginning of a form to its end, for a text without escapes of escapes.
    private(set) var mostBytes = 64 << 10

    /// Texts of fewer than 8 bytes are not searched for.
    package init(_ texts: [[UInt8]]) {
        // It doesn't grow: what is left of a smaller one would not be overwritten.
        bytes.reserveCapacity(texts.reduce(0) { $0 + 168 * $1.count + 1024 })
        for (number, text) in texts.enumerated() where text.count >= 8 {
            add(text, number)
            mostBytes = max(mostBytes, 64 * (text.count + text.count { Self.quotes.contains($0) }))
        }
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
                for third in Self.separators where pattern.kind == .hexadecimal { set(second, third, 1) }
            }
            for first in same(pattern, 0) {
                for second in Self.starts { set(first, second) }
            }
        }
        for first in Self.starts {
            for second in UInt8.min...UInt8.max where mayFollow(second, first) { set(first, second) }
        }
        filter = ByteFilter(
            patterns.map { pattern in
                (0..<3).map { place in
                    Array(same(pattern, place))
                        + (place == 2 && pattern.kind == .hexadecimal ? Self.separators : [])
                }
            }, pairs, blankIsFirst: begins(0x20))
    }

    /// What two bytes in hexadecimal digits may have between them: `67-68`, `0x67, 0x68`.
    private static let separators = Array("-_.,0".utf8)

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
        seconds = [UInt8](repeating: 0, count: places[256])
        for (number, pattern) in patterns.enumerated() {
            for byte in same(pattern, 0) {
                beginnings[next[Int(byte)]] = number
                let second = Self.small(bytes[pattern.bytes.lowerBound + 1])
                seconds[next[Int(byte)]] = Self.isBreak(UInt32(second)) || Sign.mayBegin(second) ? 0 : second
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
        seconds.wipe()
        places = []
        filter.wipe()
    }

    private static let quotes = Array("\"'".utf8)

    private mutating func add(_ text: [UInt8], _ number: Int) {
        let plain = append(text)
        add(.caseless, plain, number)
        let quotes = Self.quotes.filter(text.contains)
        var choices = quotes.map { [$0] }
        if quotes.count > 1 { choices.append(quotes) }
        for doubled in choices {
            let with = append(text.lazy.flatMap { doubled.contains($0) ? [$0, $0] : [$0] })
            add(.caseless, with, number)
        }
        for encoded in base64(plain, number) {
            // Basic authentication has Base64 on the way, which servers may encode again.
            _ = base64(encoded, number)
            add(.hexadecimal, hexadecimal(encoded), number)
        }
        for offset in 0..<5 {
            let start = bytes.count
            Self.digits(plain, offset: offset, bits: 5, in: &bytes)
            add(.caseless, start..<bytes.count, number)
        }
        add(.hexadecimal, hexadecimal(plain), number)
        guard let string = String(validating: text, as: UTF8.self) else { return }
        let little = append(string.utf16.lazy.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let big = append(string.utf16.lazy.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        _ = base64(little, number) + base64(big, number)
        // Without the last zeros, so that the order of the bytes doesn't matter.
        if text.allSatisfy({ $0 < 0x80 }) {
            for zeros in [1, 3] {
                let wide = append(text.lazy.flatMap { [$0] + [UInt8](repeating: 0, count: zeros) })
                add(.hexadecimal, hexadecimal(wide.lowerBound..<wide.upperBound - zeros), number)
            }
        } else {
            add(.hexadecimal, hexadecimal(little), number)
            add(.hexadecimal, hexadecimal(big), number)
        }
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
        let other = pattern.kind == .base64 ? byte : Self.other(byte)
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

        /// The longer one of two; undecided if one of them is, and more bytes may follow.
        func with(_ other: Match, _ isEnd: Bool) -> Match {
            switch (self, other) {
            case (_, .none): self
            case (.none, _): other
            case (.undecided, _): isEnd ? other : self
            case (_, .undecided): isEnd ? self : other
            case (.found(_, let end), .found(_, let otherEnd)): otherEnd > end ? other : self
            }
        }
    }

    /// The next position from this one on at which a pattern may begin. The last three always are.
    func candidate(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int { filter.next(bytes, from: start) }

    /// Whether a text has one of the texts in any form.
    func isIn(_ text: String) -> Bool {
        guard !isEmpty else { return false }
        var text = text
        return text.withUTF8 { bytes in
            let span = unsafe Span(_unsafeElements: bytes)
            var signs = ReadSigns()
            var position = 0
            while position < span.count {
                position = candidate(span, from: position)
                if case .found = match(span, at: position, isEnd: true, &signs) { return true }
                position += 1
            }
            return false
        }
    }

    /// The longest form at a position: a secret may begin with another one. `isEnd`: nothing follows the bytes.
    func match(_ bytes: borrowing Span<UInt8>, at position: Int, isEnd: Bool, _ signs: inout ReadSigns) -> Match {
        guard position < bytes.count else { return .none }
        let first = bytes[position]
        var result = match(bytes, at: position, as: first, isEnd, &signs)
        guard Sign.mayBegin(first) else { return result }
        var known = (value: UInt32(first), isScalar: false)
        for level in 1...Sign.levels where isEnd || result != .undecided {
            guard case .one(let value, let isScalar, _) = signs.sign(bytes, at: position, level: level) else {
                return isEnd ? result : .undecided
            }
            guard value != known.value || isScalar != known.isScalar else { continue }
            known = (value, isScalar)
            for byte in Self.firsts(value, isScalar) {
                result = result.with(match(bytes, at: position, as: byte, isEnd, &signs), isEnd)
            }
        }
        return result
    }

    /// Tries the patterns with this first byte.
    private func match(
        _ bytes: borrowing Span<UInt8>, at position: Int, as byte: UInt8, _ isEnd: Bool, _ signs: inout ReadSigns
    ) -> Match {
        var result = Match.none
        guard places[Int(byte)] < places[Int(byte) + 1] else { return result }
        let patterns = self.bytes.span
        // Without any escape all levels are the same.
        var (level, hasEscape) = (0, true)
        while hasEscape, level <= Sign.levels {
            let second = Self.second(bytes, at: position, as: byte, level, &signs)
            hasEscape = second.hasEscape
            for place in places[Int(byte)]..<places[Int(byte) + 1] {
                guard second.mayBe(seconds[place]) else { continue }
                let pattern = self.patterns[beginnings[place]]
                let one = Self.match(bytes, at: position, pattern, patterns, level, &hasEscape, &signs)
                result = result.with(one, isEnd)
                if result == .undecided, !isEnd { return result }
            }
            level += 1
        }
        return result
    }

    /// What the second sign of a pattern may be at a position: most patterns with the same first one are none of it.
    private struct Second {
        /// As small letters.
        var bytes = FewBytes()
        var isAny = false
        var hasEscape = false

        /// `byte`: 0 for one that may be a break or an escape.
        func mayBe(_ byte: UInt8) -> Bool { isAny || byte == 0 || bytes.contains(byte) }
    }

    /// Whether it is a capital or not doesn't matter here.
    private static func small(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func second(
        _ bytes: borrowing Span<UInt8>, at start: Int, as byte: UInt8, _ most: Int, _ signs: inout ReadSigns
    ) -> Second {
        var second = Second()
        var position = start + 1
        if Sign.mayBegin(bytes[start]) {
            second.hasEscape = true
            var level = most
            while true {
                guard level >= 0 else { return second }
                guard case .one(let value, let isScalar, let end) = signs.sign(bytes, at: start, level: level),
                    !isScalar || value < 0x80
                else {
                    second.isAny = true
                    return second
                }
                position = end
                if let value = UInt8(exactly: value), small(value) == small(byte) { break }
                level -= 1
            }
        }
        if most == 0 {
            while position < bytes.count, isBreak(UInt32(bytes[position])) { position += 1 }
        } else if position < bytes.count, Sign.mayBegin(bytes[position]) || isBreak(UInt32(bytes[position])) {
            let run = signs.breaks(bytes, from: position, most)
            // Most of these have no escape in them, and then nothing is lost.
            second.hasEscape = second.hasEscape || run.count > 0
            guard run.count <= mostBreaks else { return second }
            position = run.end
        }
        guard position < bytes.count else {
            second.isAny = true
            return second
        }
        signs.steps += 1
        guard Sign.mayBegin(bytes[position]) else {
            second.bytes.add(small(bytes[position]))
            return second
        }
        second.hasEscape = true
        for level in 0...most {
            guard case .one(let value, let isScalar, _) = signs.sign(bytes, at: position, level: level),
                !isScalar || value < 0x80
            else {
                second.isAny = true
                return second
            }
            if let value = UInt8(exactly: value) { second.bytes.add(small(value)) }
        }
        return second
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
        _ most: Int, _ hasEscape: inout Bool, _ signs: inout ReadSigns
    ) -> Match {
        var (position, index, skipped, separated) = (start, pattern.bytes.lowerBound, 0, 0)
        next: while index < pattern.bytes.upperBound {
            guard position < bytes.count else { return .undecided }
            signs.steps += 1
            // Most bytes are as they are.
            let byte = bytes[position]
            var rest: Int?
            if !Sign.mayBegin(byte) {
                let isBetweenBytes = pattern.kind == .hexadecimal && (index - pattern.bytes.lowerBound) & 1 == 0
                if isBetweenBytes, index > pattern.bytes.lowerBound, separated < mostSeparators {
                    switch separatorEnd(bytes, position) {
                    case .undecided where !isSame(UInt32(byte), patterns[index], pattern.kind): return .undecided
                    case .found(_, let end):
                        (position, skipped, separated) = (end, 0, separated + 1)
                        continue next
                    default: break
                    }
                }
                if isSame(UInt32(byte), patterns[index], pattern.kind) {
                    (position, index, skipped, separated) = (position + 1, index + 1, 0, 0)
                    continue
                }
                if isBreak(UInt32(byte)) { rest = position + 1 }
            } else {
                // Escapes before the literal sign: what ends in the middle of an escape may be either.
                hasEscape = true
                var level = most
                while level >= 0 {
                    guard case .one(let value, let isScalar, let end) = signs.sign(bytes, at: position, level: level)
                    else {
                        return .undecided
                    }
                    if isScalar, value >= 0x80 {
                        let wanted = index..<pattern.bytes.upperBound
                        switch scalar(value, bytes, end, level, patterns, wanted, &signs) {
                        case .undecided: return .undecided
                        case .found(let used, let end):
                            (position, index, skipped, separated) = (end, index + used, 0, 0)
                            continue next
                        case .none: break
                        }
                    }
                    if isSame(value, patterns[index], pattern.kind) {
                        (position, index, skipped, separated) = (end, index + 1, 0, 0)
                        continue next
                    }
                    if rest == nil, isBreak(value) { rest = end }
                    level -= 1
                }
            }
            guard let rest, index > pattern.bytes.lowerBound, skipped < mostBreaks else { return .none }
            let wanted = patterns[index]
            if most == 0 || isBreak(UInt32(wanted)) || Sign.mayBegin(wanted) {
                (position, skipped) = (rest, skipped + 1)
            } else {
                // None of a whole run can be what is wanted.
                let run = signs.breaks(bytes, from: position, most)
                skipped += run.count
                guard skipped <= mostBreaks else { return .none }
                if run.isUndecided { return .undecided }
                // What has a break on some level is a run of one at least.
                position = max(run.end, rest)
            }
        }
        return .found(text: pattern.text, end: position)
    }

    /// Where a separator between two bytes in hexadecimal digits ends.
    private static func separatorEnd(_ bytes: borrowing Span<UInt8>, _ position: Int) -> Match {
        switch bytes[position] {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ","):
            return .found(text: 0, end: position + 1)
        case UInt8(ascii: "0"):
            guard position + 1 < bytes.count else { return .undecided }
            return bytes[position + 1] | 0x20 == UInt8(ascii: "x") ? .found(text: 0, end: position + 2) : .none
        default: return .none
        }
    }

    /// A scalar of Unicode where UTF-8 is wanted. `found`: the number of its bytes, and where the next sign is.
    private static func scalar(
        _ value: UInt32, _ bytes: borrowing Span<UInt8>, _ end: Int, _ level: Int, _ patterns: borrowing Span<UInt8>,
        _ wanted: Range<Int>, _ signs: inout ReadSigns
    ) -> Match {
        var (value, end) = (value, end)
        if 0xD800...0xDBFF ~= value {
            guard case .one(let low, _, let after) = signs.sign(bytes, at: end, level: level) else { return .undecided }
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
        value == UInt32(wanted) || kind != .base64 && value == UInt32(other(wanted))
    }

    /// Lines are broken in Base64, in mail and in dumps; UTF-16 and UTF-32 have zeros. Dumps have colons also.
    static func isBreak(_ value: UInt32) -> Bool {
        switch value {
        case 0x0A, 0x0D, 0x20, 0x09, 0x00, 0x3A: true
        default: false
        }
    }
}
