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

    struct Pattern {
        let kind: Kind
        var bytes: [UInt8]
        /// The number of the text.
        let text: Int
    }

    private(set) var patterns: [Pattern] = []
    /// For each byte: the patterns that may begin with it.
    private var beginnings: [[Int]] = Array(repeating: [], count: 256)
    /// For each two bytes what they may be. What most bytes of an answer are asked is this alone.
    private var pairs: [Pair] = []

    private enum Pair: UInt8 {
        case none
        case beginning
        /// The first is one of a pattern, the second a break: what follows decides.
        case broken
    }

    /// Forms of fewer characters would be found by chance.
    static let shortest = 6
    /// Line ends, blanks and zeros between two characters.
    static let mostBreaks = 64

    /// Texts of fewer than 8 bytes are not searched for.
    package init(_ texts: [[UInt8]]) {
        for (number, text) in texts.enumerated() where text.count >= 8 { add(text, number) }
        guard !patterns.isEmpty else { return }
        pairs = Self.escapes
        for pattern in patterns {
            for first in Self.same(pattern.bytes[0], pattern.kind) {
                for second in Self.same(pattern.bytes[1], pattern.kind) { set(first, second, .beginning) }
                for second in Self.starts { set(first, second, .beginning) }
                for second in Self.breaks { set(first, second, .broken) }
            }
        }
        guard !beginnings[0x20].isEmpty else { return }
        for second in UInt8.min...UInt8.max { set(UInt8(ascii: "+"), second, .beginning) }
    }

    private static let starts = (UInt8.min...UInt8.max).filter { Sign.mayBegin($0) }
    private static let breaks = (UInt8.min...UInt8.max).filter { isBreak(UInt32($0)) }

    /// Those with the first sign of an escape, without patterns.
    private static let escapes: [Pair] = {
        var pairs = [Pair](repeating: .none, count: 1 << 16)
        for first in starts where first != UInt8(ascii: "+") {
            for second in UInt8.min...UInt8.max where Sign.mayBegin(second) || mayFollow(second, first) {
                pairs[Int(first) << 8 | Int(second)] = .beginning
            }
        }
        return pairs
    }()

    private mutating func set(_ first: UInt8, _ second: UInt8, _ pair: Pair) {
        let index = Int(first) << 8 | Int(second)
        if pairs[index] != .beginning { pairs[index] = pair }
    }

    /// Whether an escape that begins with the one byte may go on with the other.
    private static func mayFollow(_ second: UInt8, _ first: UInt8) -> Bool {
        switch (first, second | 0x20) {
        case (UInt8(ascii: "%"), UInt8(ascii: "u")), (UInt8(ascii: "&"), UInt8(ascii: "a")...UInt8(ascii: "z")): true
        case (UInt8(ascii: "%"), UInt8(ascii: "a")...UInt8(ascii: "f")),
            (UInt8(ascii: "="), UInt8(ascii: "a")...UInt8(ascii: "f")):
            true
        case (UInt8(ascii: "%"), _), (UInt8(ascii: "="), _): (48...57).contains(second)
        case (UInt8(ascii: "&"), _): second == UInt8(ascii: "#")
        default: true
        }
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Overwrites the forms.
    package mutating func wipe() {
        for index in patterns.indices { patterns[index].bytes.wipe() }
        patterns = []
        beginnings = Array(repeating: [], count: 256)
        for index in pairs.indices { pairs[index] = .none }
        pairs = []
    }

    private mutating func add(_ text: [UInt8], _ number: Int) {
        add(.caseless, text, number)
        for encoded in Self.base64(text) {
            add(.base64, encoded, number)
            // Basic authentication has Base64 on the way, which servers may encode again.
            for again in Self.base64(encoded) { add(.base64, again, number) }
            add(.caseless, Self.hexadecimal(encoded), number)
        }
        for offset in 0..<5 { add(.caseless, Self.digits(text, offset: offset, bits: 5), number) }
        add(.caseless, Self.hexadecimal(text), number)
        guard let string = String(validating: text, as: UTF8.self) else { return }
        let units = Array(string.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for encoded in Self.base64(little) + Self.base64(big) { add(.base64, encoded, number) }
        // UTF-16 and UTF-32 of ASCII are found as it is, with zeros between.
        guard text.contains(where: { $0 >= 0x80 }) else { return }
        add(.caseless, little, number)
        add(.caseless, big, number)
        let scalars = string.unicodeScalars.map(\.value)
        if scalars.allSatisfy({ $0 < 256 }) { add(.caseless, scalars.map { UInt8($0) }, number) }
        // Bytes of UTF-8 that were taken for Latin-1, and encoded again.
        add(.caseless, text.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }, number)
    }

    private mutating func add(_ kind: Kind, _ bytes: [UInt8], _ text: Int) {
        guard bytes.count >= Self.shortest else { return }
        let number = patterns.count
        patterns.append(Pattern(kind: kind, bytes: bytes, text: text))
        for byte in Self.same(bytes[0], kind) { beginnings[Int(byte)].append(number) }
    }

    private static func other(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): byte ^ 0x20
        default: byte
        }
    }

    private static func same(_ byte: UInt8, _ kind: Kind) -> Set<UInt8> {
        kind == .caseless ? [byte, other(byte)] : [byte]
    }

    private static func hexadecimal(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return text.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// At three alignments, with both alphabets.
    private static func base64(_ text: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { offset in
            let encoded = base64(text, offset: offset)
            let other = encoded.map { byte in
                byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
            }
            return other == encoded ? [encoded] : [encoded, other]
        }
    }

    /// The characters that depend on the text alone, if `offset` other bytes precede it.
    package static func base64(_ text: [UInt8], offset: Int) -> [UInt8] { digits(text, offset: offset, bits: 6) }

    private static let alphabet64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let alphabet32 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Digits of 5 or 6 bits.
    private static func digits(_ text: [UInt8], offset: Int, bits: Int) -> [UInt8] {
        let alphabet = bits == 6 ? alphabet64 : alphabet32
        // Bits of the first digit that belong to what precedes the text are left out with it.
        var skipped = (bits - offset * 8 % bits) % bits
        var (value, count): (UInt32, Int) = (0, 0)
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 8 / bits)
        for byte in text {
            value = value << 8 | UInt32(byte)
            count += 8
            if skipped > 0 {
                let dropped = min(skipped, count)
                count -= dropped
                skipped -= dropped
            }
            while count >= bits {
                count -= bits
                result.append(alphabet[Int(value >> UInt32(count)) & (1 << bits - 1)])
            }
            value &= 1 << UInt32(count) - 1
        }
        return result
    }

    /// What is at a position.
    enum Match: Equatable {
        case none
        /// The bytes end before it is decided.
        case undecided
        case found(text: Int, end: Int)
    }

    /// The next position from this one on at which a pattern may begin. The last one is always one.
    func candidate(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
        var position = start
        let last = bytes.count - 1
        let pairs = pairs.span
        while position < last {
            switch pairs[Int(bytes[position]) << 8 | Int(bytes[position + 1])] {
            case .none: break
            case .beginning: return position
            case .broken: if goesOn(bytes, position) { return position }
            }
            position += 1
        }
        return position
    }

    /// Whether what is behind breaks may be the second byte of a pattern.
    private func goesOn(_ bytes: borrowing Span<UInt8>, _ position: Int) -> Bool {
        let first = Int(bytes[position]) << 8
        var next = position + 2
        let end = next + Self.mostBreaks
        while next < bytes.count, next < end {
            switch pairs[first | Int(bytes[next])] {
            case .none: return false
            case .beginning: return true
            case .broken: next += 1
            }
        }
        return true
    }

    func match(_ bytes: borrowing Span<UInt8>, at position: Int) -> Match {
        let first = bytes[position]
        var result = match(bytes, at: position, as: first)
        if case .found = result { return result }
        guard Sign.mayBegin(first) else { return result }
        var tried: [UInt8] = [first]
        for level in 1...Sign.levels {
            guard case .one(let value, let isScalar, _) = Sign(bytes, at: position, level: level) else {
                return .undecided
            }
            for byte in Self.firsts(value, isScalar) where !tried.contains(byte) {
                tried.append(byte)
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
        for number in beginnings[Int(byte)] {
            // Without any escape all levels are the same.
            var (level, hasEscape) = (0, true)
            while hasEscape, level <= Sign.levels {
                hasEscape = false
                switch Self.match(bytes, at: position, patterns[number], level, &hasEscape) {
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
    private static func firsts(_ value: UInt32, _ isScalar: Bool) -> [UInt8] {
        var bytes = UInt8(exactly: value).map { [$0] } ?? []
        if isScalar, value >= 0x80 {
            // One of a surrogate pair has the first byte of four.
            let scalar = Unicode.Scalar(value)
            bytes += scalar.map { Array(UTF8.encode($0) ?? .init()).prefix(1) } ?? [0xF0, 0xF1, 0xF2, 0xF3, 0xF4]
        }
        return bytes
    }

    /// Whether a pattern is at a position, with at most so many levels of escapes.
    private static func match(
        _ bytes: borrowing Span<UInt8>, at start: Int, _ pattern: Pattern, _ most: Int, _ hasEscape: inout Bool
    ) -> Match {
        var (position, index, skipped) = (start, 0, 0)
        let count = pattern.bytes.count
        next: while index < count {
            guard position < bytes.count else { return .undecided }
            // Escapes before the literal sign: what ends in the middle of an escape may be either.
            let isEscape = Sign.mayBegin(bytes[position])
            if isEscape { hasEscape = true }
            var level = isEscape ? most : 0
            var rest: Int?
            while level >= 0 {
                guard case .one(let value, let isScalar, let end) = Sign(bytes, at: position, level: level) else {
                    return .undecided
                }
                if isScalar, value >= 0x80 {
                    switch scalar(value, bytes, end, level, pattern.bytes, index) {
                    case .undecided: return .undecided
                    case .found(let used, let end):
                        (position, index, skipped) = (end, index + used, 0)
                        continue next
                    case .none: break
                    }
                }
                if isSame(value, pattern.bytes[index], pattern.kind) {
                    (position, index, skipped) = (end, index + 1, 0)
                    continue next
                }
                if rest == nil, isBreak(value) { rest = end }
                level -= 1
            }
            guard let rest, index > 0, skipped < mostBreaks else { return .none }
            (position, skipped) = (rest, skipped + 1)
        }
        return .found(text: pattern.text, end: position)
    }

    /// A scalar of Unicode where UTF-8 is wanted. `found`: the number of its bytes, and where the next sign is.
    private static func scalar(
        _ value: UInt32, _ bytes: borrowing Span<UInt8>, _ end: Int, _ level: Int, _ wanted: [UInt8], _ index: Int
    ) -> Match {
        var (value, end) = (value, end)
        if 0xD800...0xDBFF ~= value {
            guard case .one(let low, _, let after) = Sign(bytes, at: end, level: level) else { return .undecided }
            guard 0xDC00...0xDFFF ~= low else { return .none }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            end = after
        }
        guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar),
            wanted[index...].starts(with: encoded)
        else { return .none }
        return .found(text: encoded.count, end: end)
    }

    private static func isSame(_ value: UInt32, _ wanted: UInt8, _ kind: Kind) -> Bool {
        value == UInt32(wanted) || kind == .caseless && value == UInt32(other(wanted))
    }

    /// Lines are broken in Base64, in mail and in dumps; UTF-16 and UTF-32 have zeros. Dumps have colons also.
    private static func isBreak(_ value: UInt32) -> Bool {
        switch value {
        case 0x0A, 0x0D, 0x20, 0x09, 0x00, 0x3A: true
        default: false
        }
    }
}
