// SPDX-License-Identifier: Apache-2.0

/// A sign of a text, read with a number of levels of escapes undone: as in URLs, JSON, C, HTML and quoted-printable.
/// Echoes are often escaped twice: JSON in JSON, a URL in a URL.
enum Sign: Equatable {
    /// The bytes end in the middle of what may be one.
    case undecided
    /// `isScalar`: of Unicode, and not a byte of an encoding.
    case one(UInt32, isScalar: Bool, end: Int)

    /// As many as are tried.
    static let levels = 3

    /// Whether an escape may begin with a byte.
    static func mayBegin(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "="): true
        default: false
        }
    }

    /// Level 0 is the byte itself. What is no escape on a level is what it is on the one before.
    init(_ bytes: borrowing Span<UInt8>, at position: Int, level: Int) {
        guard position < bytes.count else {
            self = .undecided
            return
        }
        guard level > 0 else {
            self = .one(UInt32(bytes[position]), isScalar: false, end: position + 1)
            return
        }
        self = Sign(bytes, at: position, level: level - 1)
        guard case .one(let value, _, let end) = self, let byte = UInt8(exactly: value), Self.mayBegin(byte) else {
            return
        }
        var reader = EscapeReader(level: level - 1, position: end)
        let escape: Self? =
            switch byte {
            case UInt8(ascii: "+"): .one(0x20, isScalar: false, end: end)
            case UInt8(ascii: "%"): reader.percent(bytes)
            case UInt8(ascii: "="): reader.number(bytes, base: 16, 2...2, isScalar: false)
            case UInt8(ascii: "\\"): reader.backslash(bytes)
            default: reader.entity(bytes)
            }
        if let escape { self = escape }
    }
}

/// Reads what follows the first sign of an escape, itself on a level. Nil: it is none.
struct EscapeReader {
    fileprivate let level: Int
    fileprivate var position: Int

    fileprivate init(level: Int, position: Int) { (self.level, self.position) = (level, position) }

    /// The next sign as ASCII; 0 for others. Nil: there is none yet.
    private func next(_ bytes: borrowing Span<UInt8>) -> (byte: UInt8, end: Int)? {
        guard case .one(let value, _, let end) = Sign(bytes, at: position, level: level) else { return nil }
        return (value < 0x80 ? UInt8(value) : 0, end)
    }

    mutating func number(
        _ bytes: borrowing Span<UInt8>, base: UInt32, _ counts: ClosedRange<Int>, isScalar: Bool,
        closing: UInt8? = nil
    ) -> Sign? {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < counts.upperBound {
            guard let (byte, end) = next(bytes) else { return .undecided }
            guard let digit = Self.digit(byte), digit < base else { break }
            value = value * base + digit
            count += 1
            position = end
        }
        guard counts.contains(count), value < (isScalar ? 0x11_0000 : 256) else { return nil }
        if let closing {
            guard let (byte, end) = next(bytes) else { return .undecided }
            guard byte == closing else { return nil }
            position = end
        }
        return .one(value, isScalar: isScalar, end: position)
    }

    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
        default: nil
        }
    }

    /// `%41`, and `%u0041` as old scripts write it.
    mutating func percent(_ bytes: borrowing Span<UInt8>) -> Sign? {
        guard let (byte, end) = next(bytes) else { return .undecided }
        guard byte | 0x20 == UInt8(ascii: "u") else { return number(bytes, base: 16, 2...2, isScalar: false) }
        position = end
        return number(bytes, base: 16, 4...4, isScalar: true)
    }

    mutating func backslash(_ bytes: borrowing Span<UInt8>) -> Sign? {
        guard let (byte, end) = next(bytes) else { return .undecided }
        switch byte {
        case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"):
            position = end
            guard let (brace, after) = next(bytes) else { return .undecided }
            if brace == UInt8(ascii: "{") {
                position = after
                return number(bytes, base: 16, 1...8, isScalar: true, closing: UInt8(ascii: "}"))
            }
            if byte == UInt8(ascii: "x") { return number(bytes, base: 16, 2...2, isScalar: false) }
            return number(bytes, base: 16, byte == UInt8(ascii: "u") ? 4...4 : 8...8, isScalar: true)
        default: break
        }
        switch Self.afterBackslash(byte) {
        case .none: return nil
        case .byte(let byte): return .one(UInt32(byte), isScalar: false, end: end)
        case .digits: return number(bytes, base: 8, 3...3, isScalar: false)
        }
    }

    /// What a byte is behind a backslash.
    enum AfterBackslash {
        case none
        case byte(UInt8)
        /// More follows.
        case digits
    }

    static func afterBackslash(_ byte: UInt8) -> AfterBackslash {
        switch byte {
        case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"), UInt8(ascii: "0")...UInt8(ascii: "3"): .digits
        case UInt8(ascii: "n"): .byte(0x0A)
        case UInt8(ascii: "r"): .byte(0x0D)
        case UInt8(ascii: "t"): .byte(0x09)
        case UInt8(ascii: "b"): .byte(0x08)
        case UInt8(ascii: "f"): .byte(0x0C)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0, 0x80...0xFF: .none
        default: .byte(byte)
        }
    }

    private static let names: [([UInt8], UInt8)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("nbsp;", " "), ("sol;", "/"),
        ("plus;", "+"), ("equals;", "="), ("colon;", ":"), ("period;", "."), ("lowbar;", "_"), ("percnt;", "%"),
    ].map { name, character in (Array(name.utf8), Array(character.utf8)[0]) }

    private static let entityBeginnings = (UInt8.min...UInt8.max).map { byte in names.contains { $0.0[0] == byte } }

    /// Whether a byte may follow the first sign of an entity of HTML.
    static func mayBeginEntity(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || entityBeginnings[Int(byte)]
    }

    mutating func entity(_ bytes: borrowing Span<UInt8>) -> Sign? {
        guard let (first, end) = next(bytes) else { return .undecided }
        if first == UInt8(ascii: "#") {
            position = end
            guard let (mark, after) = next(bytes) else { return .undecided }
            let isHexadecimal = mark | 0x20 == UInt8(ascii: "x")
            if isHexadecimal { position = after }
            return number(
                bytes, base: isHexadecimal ? 16 : 10, 1...7, isScalar: true, closing: UInt8(ascii: ";"))
        }
        for (name, byte) in Self.names where name[0] == first {
            position = end
            var count = 1
            while count < name.count {
                guard let (sign, end) = next(bytes) else { return .undecided }
                guard sign == name[count] else { break }
                position = end
                count += 1
            }
            if count == name.count { return .one(UInt32(byte), isScalar: true, end: position) }
        }
        return nil
    }
}
