// SPDX-License-Identifier: Apache-2.0

/// A character that is escaped as in URLs, JSON, C or HTML.
enum Escape: Equatable {
    case none
    /// The bytes end in the middle of what may be one.
    case undecided
    case one(UInt8, end: Int)

    /// The longest escape of one byte.
    static let longest = 12

    init(_ bytes: borrowing Span<UInt8>, at position: Int) {
        switch bytes[position] {
        case UInt8(ascii: "%"): self = Self.digits(bytes, position + 1, base: 16, 2...2, closing: nil)
        case UInt8(ascii: "+"): self = .one(0x20, end: position + 1)
        case UInt8(ascii: "\\"): self = Self.backslash(bytes, position + 1)
        case UInt8(ascii: "&"): self = Self.entity(bytes, position + 1)
        default: self = .none
        }
    }

    private static func digits(
        _ bytes: borrowing Span<UInt8>, _ start: Int, base: Int, _ counts: ClosedRange<Int>, closing: UInt8?
    ) -> Self {
        var (value, count, position) = (0, 0, start)
        while count < counts.upperBound {
            guard position < bytes.count else { return .undecided }
            guard let digit = digit(bytes[position]), digit < base else { break }
            value = value * base + digit
            count += 1
            position += 1
        }
        guard counts.contains(count), value < 256 else { return .none }
        if let closing {
            guard position < bytes.count else { return .undecided }
            guard bytes[position] == closing else { return .none }
            position += 1
        }
        return .one(UInt8(value), end: position)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte) - 55
        default: nil
        }
    }

    private static func backslash(_ bytes: borrowing Span<UInt8>, _ position: Int) -> Self {
        guard position < bytes.count else { return .undecided }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "u"): return digits(bytes, position + 1, base: 16, 4...4, closing: nil)
        case UInt8(ascii: "x"): return digits(bytes, position + 1, base: 16, 2...2, closing: nil)
        case UInt8(ascii: "n"): return .one(0x0A, end: position + 1)
        case UInt8(ascii: "r"): return .one(0x0D, end: position + 1)
        case UInt8(ascii: "t"): return .one(0x09, end: position + 1)
        case UInt8(ascii: "b"): return .one(0x08, end: position + 1)
        case UInt8(ascii: "f"): return .one(0x0C, end: position + 1)
        case UInt8(ascii: "0")...UInt8(ascii: "3"): return digits(bytes, position, base: 8, 3...3, closing: nil)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return .none
        default: return .one(byte, end: position + 1)
        }
    }

    private static let names: [([UInt8], UInt8)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("nbsp;", " "), ("sol;", "/"),
        ("plus;", "+"), ("equals;", "="), ("colon;", ":"), ("period;", "."), ("lowbar;", "_"), ("percnt;", "%"),
    ].map { name, character in (Array(name.utf8), Array(character.utf8)[0]) }

    private static func entity(_ bytes: borrowing Span<UInt8>, _ position: Int) -> Self {
        guard position < bytes.count else { return .undecided }
        guard bytes[position] == UInt8(ascii: "#") else {
            for (name, byte) in names {
                var count = 0
                while count < name.count, position + count < bytes.count, bytes[position + count] == name[count] {
                    count += 1
                }
                if count == name.count { return .one(byte, end: position + count) }
                if position + count == bytes.count { return .undecided }
            }
            return .none
        }
        guard position + 1 < bytes.count else { return .undecided }
        let isHexadecimal = bytes[position + 1] | 0x20 == UInt8(ascii: "x")
        return digits(
            bytes, position + (isHexadecimal ? 2 : 1), base: isHexadecimal ? 16 : 10, 1...7,
            closing: UInt8(ascii: ";"))
    }
}
