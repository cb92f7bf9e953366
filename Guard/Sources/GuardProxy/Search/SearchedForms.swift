// SPDX-License-Identifier: Apache-2.0

/// The forms in which a text is searched for: as it is, in Base64 at each of its three alignments with both alphabets,
/// in hexadecimal digits, and in Base64 that was encoded once more in either. Each is found also where single
/// characters are escaped as in URLs, JSON or HTML, in any mixture.
package struct SearchedForms {
    enum Kind {
        case exact
        case base64
        case hexadecimal
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
    private var isBeginning = Array(repeating: false, count: 256)

    /// Forms of fewer characters would be found by chance.
    static let shortest = 6

    /// Texts of fewer than 8 bytes are not searched for.
    package init(_ texts: [[UInt8]]) {
        for (number, text) in texts.enumerated() where text.count >= 8 {
            add(.exact, text, number)
            for encoded in Self.base64(text) {
                add(.base64, encoded, number)
                // Basic authentication has Base64 on the way, which servers may encode again.
                for again in Self.base64(encoded) { add(.base64, again, number) }
                add(.hexadecimal, Self.hexadecimal(encoded), number)
            }
            add(.hexadecimal, Self.hexadecimal(text), number)
        }
    }

    package var isEmpty: Bool { patterns.isEmpty }

    /// Overwrites the forms.
    package mutating func wipe() {
        for index in patterns.indices { patterns[index].bytes.wipe() }
        patterns = []
        beginnings = Array(repeating: [], count: 256)
        isBeginning = Array(repeating: false, count: 256)
    }

    private mutating func add(_ kind: Kind, _ bytes: [UInt8], _ text: Int) {
        guard bytes.count >= Self.shortest, let first = bytes.first else { return }
        let number = patterns.count
        patterns.append(Pattern(kind: kind, bytes: bytes, text: text))
        var firsts: Set<UInt8> = [first, UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")]
        if first == UInt8(ascii: " ") { firsts.insert(UInt8(ascii: "+")) }
        if kind == .hexadecimal { firsts.insert(Self.capital(first)) }
        for byte in firsts {
            beginnings[Int(byte)].append(number)
            isBeginning[Int(byte)] = true
        }
    }

    private static func capital(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
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
    package static func base64(_ text: [UInt8], offset: Int) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let first = (offset * 8 + 5) / 6
        let end = (offset + text.count) * 8 / 6
        guard first < end else { return [] }
        func bit(_ number: Int) -> UInt8 {
            let index = number / 8 - offset
            return text[index] >> (7 - UInt8(number % 8)) & 1
        }
        return (first..<end).map { character in
            alphabet[Int((0..<6).reduce(UInt8(0)) { $0 << 1 | bit(character * 6 + $1) })]
        }
    }

    /// What is at a position.
    enum Match: Equatable {
        case none
        /// The bytes end before it is decided.
        case undecided
        case found(text: Int, end: Int)
    }

    func match(_ bytes: borrowing Span<UInt8>, at position: Int) -> Match {
        let first = bytes[position]
        guard isBeginning[Int(first)] else { return .none }
        var result = Match.none
        for number in beginnings[Int(first)] {
            let pattern = patterns[number]
            for isPlain in [true, false] {
                switch Self.match(bytes, at: position, pattern, isPlain: isPlain) {
                case .none: continue
                case .undecided: result = .undecided
                case .found(let text, let end): return .found(text: text, end: end)
                }
            }
        }
        return result
    }

    private static func match(
        _ bytes: borrowing Span<UInt8>, at start: Int, _ pattern: Pattern, isPlain: Bool
    ) -> Match {
        var position = start
        for (index, wanted) in pattern.bytes.enumerated() {
            var skipped = 0
            while true {
                guard position < bytes.count else { return .undecided }
                let literal = bytes[position]
                var escape = Escape.none
                if !isPlain { escape = Escape(bytes, at: position) }
                if case .one(let byte, let end) = escape, isSame(byte, wanted, pattern.kind) {
                    position = end
                    break
                }
                // Before the literal sign: what ends in the middle of an escape may be either.
                if case .undecided = escape { return .undecided }
                if isSame(literal, wanted, pattern.kind) {
                    position += 1
                    break
                }
                // Lines are broken in Base64 and in dumps.
                guard !isPlain, index > 0, skipped < 8 else { return .none }
                if case .one(let byte, let end) = escape, isBreak(byte, pattern.kind) {
                    position = end
                } else if isBreak(literal, pattern.kind) {
                    position += 1
                } else {
                    return .none
                }
                skipped += 1
            }
        }
        return .found(text: pattern.text, end: position)
    }

    private static func isSame(_ byte: UInt8, _ wanted: UInt8, _ kind: Kind) -> Bool {
        byte == wanted || kind == .hexadecimal && capital(wanted) == byte
    }

    private static func isBreak(_ byte: UInt8, _ kind: Kind) -> Bool {
        switch kind {
        case .exact: false
        case .base64: byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
        case .hexadecimal: byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == UInt8(ascii: ":")
        }
    }
}
