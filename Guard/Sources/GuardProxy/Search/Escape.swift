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
}

/// The signs of one text, each read once: patterns may begin at every byte of a run of escapes, and would read the same
/// ones again and again.
struct ReadSigns {
    /// Of each byte its sign with one to three levels of escapes undone, then the run of breaks that begins there with
    /// as many; 0: not read yet. Empty until there is an escape.
    private var known: [UInt64] = []
    private static let width = 2 * Sign.levels
    /// Where the breaks of a run are, while it is read.
    private var run: [Int] = []
    /// What was looked at: signs that were read, compared or passed over.
    var steps = 0

    private mutating func prepare(_ count: Int) {
        if known.isEmpty { known = [UInt64](repeating: 0, count: Self.width * count) }
    }

    /// Level 0 is the byte itself. What is no escape on a level is what it is on the one before.
    mutating func sign(_ bytes: borrowing Span<UInt8>, at position: Int, level: Int) -> Sign {
        guard position < bytes.count else { return .undecided }
        let byte = bytes[position]
        guard level > 0, Sign.mayBegin(byte) else {
            return .one(UInt32(byte), isScalar: false, end: position + 1)
        }
        prepare(bytes.count)
        let place = Self.width * position + level - 1
        if known[place] != 0 { return Self.sign(known[place], position) }
        let sign = read(bytes, position, level)
        known[place] = Self.number(sign, position)
        return sign
    }

    private static func number(_ sign: Sign, _ position: Int) -> UInt64 {
        guard case .one(let value, let isScalar, let end) = sign else { return 1 }
        return 2 | (isScalar ? 4 : 0) | UInt64(value) << 3 | UInt64(end - position) << 32
    }

    private static func sign(_ number: UInt64, _ position: Int) -> Sign {
        guard number & 2 != 0 else { return .undecided }
        return .one(
            UInt32(truncatingIfNeeded: number >> 3) & 0x1F_FFFF, isScalar: number & 4 != 0,
            end: position + Int(number >> 32))
    }

    private mutating func read(_ bytes: borrowing Span<UInt8>, _ position: Int, _ level: Int) -> Sign {
        steps += 1
        let before = sign(bytes, at: position, level: level - 1)
        guard case .one(let value, _, let end) = before, let byte = UInt8(exactly: value), Sign.mayBegin(byte) else {
            return before
        }
        var reader = EscapeReader(level: level - 1, position: end)
        let escape: Sign? =
            switch byte {
            case UInt8(ascii: "+"): .one(0x20, isScalar: false, end: end)
            case UInt8(ascii: "%"): reader.percent(bytes, &self)
            case UInt8(ascii: "="): reader.equals(bytes, &self)
            case UInt8(ascii: "\\"): reader.backslash(bytes, &self)
            default: reader.entity(bytes, &self)
            }
        return escape ?? before
    }

    /// Breaks that follow one another.
    struct Run {
        var count: Int
        /// Where the next sign is.
        let end: Int
        /// The bytes end before it is known whether another break follows.
        let isUndecided: Bool
    }

    /// The run of breaks that begins at a position, with at most so many levels of escapes, at least one.
    mutating func breaks(_ bytes: borrowing Span<UInt8>, from start: Int, _ most: Int) -> Run {
        prepare(bytes.count)
        run.removeAll(keepingCapacity: true)
        var position = start
        var found = Run(count: 0, end: bytes.count, isUndecided: true)
        reading: while position < bytes.count {
            let number = known[Self.width * position + Sign.levels + most - 1]
            if number != 0 {
                found = Run(
                    count: Int(number >> 3 & 0xFFF_FFFF), end: Int(number >> 32), isUndecided: number & 4 != 0)
                break
            }
            steps += 1
            switch breakEnd(bytes, position, most) {
            case .undecided:
                found = Run(count: 0, end: position, isUndecided: true)
                break reading
            case .none:
                found = Run(count: 0, end: position, isUndecided: false)
                break reading
            case .end(let end):
                run.append(position)
                position = end
            }
        }
        for place in run.reversed() {
            found.count += 1
            known[Self.width * place + Sign.levels + most - 1] =
                2 | (found.isUndecided ? 4 : 0) | UInt64(found.count) << 3 | UInt64(found.end) << 32
        }
        return found
    }

    /// A break at a position.
    private enum BreakEnd {
        case undecided
        case none
        case end(Int)
    }

    private mutating func breakEnd(_ bytes: borrowing Span<UInt8>, _ position: Int, _ most: Int) -> BreakEnd {
        guard Sign.mayBegin(bytes[position]) else {
            return SearchedForms.isBreak(UInt32(bytes[position])) ? .end(position + 1) : .none
        }
        for level in stride(from: most, to: 0, by: -1) {
            guard case .one(let value, _, let end) = sign(bytes, at: position, level: level) else { return .undecided }
            if SearchedForms.isBreak(value) { return .end(end) }
        }
        return .none
    }
}

/// Reads what follows the first sign of an escape, itself on a level. Nil: it is none.
struct EscapeReader {
    private let level: Int
    private var position: Int

    fileprivate init(level: Int, position: Int) { (self.level, self.position) = (level, position) }

    /// Digits of a number, with zeros before it.
    private static let mostDigits = 16

    /// The next sign as ASCII; 0 for others. Nil: there is none yet.
    private func next(_ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns) -> (byte: UInt8, end: Int)? {
        guard case .one(let value, _, let end) = signs.sign(bytes, at: position, level: level) else { return nil }
        signs.steps += 1
        return (value < 0x80 ? UInt8(value) : 0, end)
    }

    /// What a number ends with, beside its digits.
    private enum Closing {
        case nothing
        case required(UInt8)
        case optional(UInt8)
    }

    private mutating func number(
        _ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns, base: UInt32, _ counts: ClosedRange<Int>,
        isScalar: Bool, _ closing: Closing = .nothing
    ) -> Sign? {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < counts.upperBound {
            guard let (byte, end) = next(bytes, &signs) else { return .undecided }
            guard let digit = Self.digit(byte), digit < base else { break }
            value = value * base + digit
            guard value < (isScalar ? 0x11_0000 : 256) else { return nil }
            count += 1
            position = end
        }
        guard counts.contains(count) else { return nil }
        switch closing {
        case .nothing: break
        case .required(let wanted), .optional(let wanted):
            guard let (byte, end) = next(bytes, &signs) else { return .undecided }
            if byte == wanted { position = end } else if case .required = closing { return nil }
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
    fileprivate mutating func percent(_ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns) -> Sign? {
        guard let (byte, end) = next(bytes, &signs) else { return .undecided }
        guard byte | 0x20 == UInt8(ascii: "u") else { return number(bytes, &signs, base: 16, 2...2, isScalar: false) }
        position = end
        return number(bytes, &signs, base: 16, 4...4, isScalar: true)
    }

    /// `=41` of quoted-printable, and its soft end of a line.
    fileprivate mutating func equals(_ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns) -> Sign? {
        guard let (byte, end) = next(bytes, &signs) else { return .undecided }
        switch byte {
        case 0x0A: return .one(0x0A, isScalar: false, end: end)
        case 0x0D:
            position = end
            guard let (second, after) = next(bytes, &signs) else { return .undecided }
            return .one(0x0A, isScalar: false, end: second == 0x0A ? after : end)
        default: return number(bytes, &signs, base: 16, 2...2, isScalar: false)
        }
    }

    fileprivate mutating func backslash(_ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns) -> Sign? {
        guard let (byte, end) = next(bytes, &signs) else { return .undecided }
        switch byte {
        case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"):
            position = end
            guard let (brace, after) = next(bytes, &signs) else { return .undecided }
            if brace == UInt8(ascii: "{") {
                position = after
                return number(
                    bytes, &signs, base: 16, 1...Self.mostDigits, isScalar: true, .required(UInt8(ascii: "}")))
            }
            if byte == UInt8(ascii: "x") { return number(bytes, &signs, base: 16, 2...2, isScalar: false) }
            return number(bytes, &signs, base: 16, byte == UInt8(ascii: "u") ? 4...4 : 8...8, isScalar: true)
        default: break
        }
        switch Self.afterBackslash(byte) {
        case .none: return nil
        case .byte(let byte): return .one(UInt32(byte), isScalar: false, end: end)
        case .digits: return number(bytes, &signs, base: 8, 3...3, isScalar: false)
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

    /// The entities of HTML that are signs of ASCII, and the blank that isn't broken. Browsers read the first nine
    /// also without the end.
    private static let names: [([UInt8], UInt8)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("nbsp", " "), ("AMP", "&"), ("LT", "<"), ("GT", ">"),
        ("QUOT", "\""), ("apos;", "'"), ("Tab;", "\t"), ("NewLine;", "\n"), ("excl;", "!"), ("num;", "#"),
        ("dollar;", "$"), ("percnt;", "%"), ("lpar;", "("), ("rpar;", ")"), ("ast;", "*"), ("midast;", "*"),
        ("plus;", "+"), ("comma;", ","), ("period;", "."), ("sol;", "/"), ("colon;", ":"), ("semi;", ";"),
        ("equals;", "="), ("quest;", "?"), ("commat;", "@"), ("lsqb;", "["), ("lbrack;", "["), ("bsol;", "\\"),
        ("rsqb;", "]"), ("rbrack;", "]"), ("Hat;", "^"), ("lowbar;", "_"), ("UnderBar;", "_"), ("grave;", "`"),
        ("DiacriticalGrave;", "`"), ("lcub;", "{"), ("lbrace;", "{"), ("verbar;", "|"), ("vert;", "|"),
        ("VerticalLine;", "|"), ("rcub;", "}"), ("rbrace;", "}"), ("NonBreakingSpace;", " "),
    ].map { name, character in (Array(name.utf8), Array(character.utf8)[0]) }

    private static let entityBeginnings = (UInt8.min...UInt8.max).map { byte in names.contains { $0.0[0] == byte } }

    /// Whether a byte may follow the first sign of an entity of HTML.
    static func mayBeginEntity(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || entityBeginnings[Int(byte)]
    }

    fileprivate mutating func entity(_ bytes: borrowing Span<UInt8>, _ signs: inout ReadSigns) -> Sign? {
        guard let (first, end) = next(bytes, &signs) else { return .undecided }
        if first == UInt8(ascii: "#") {
            position = end
            guard let (mark, after) = next(bytes, &signs) else { return .undecided }
            let isHexadecimal = mark | 0x20 == UInt8(ascii: "x")
            if isHexadecimal { position = after }
            return number(
                bytes, &signs, base: isHexadecimal ? 16 : 10, 1...Self.mostDigits, isScalar: true,
                .optional(UInt8(ascii: ";")))
        }
        guard Self.mayBeginEntity(first) else { return nil }
        for (name, byte) in Self.names where name[0] == first {
            position = end
            var count = 1
            while count < name.count {
                guard let (sign, end) = next(bytes, &signs) else { return .undecided }
                guard sign == name[count] else { break }
                position = end
                count += 1
            }
            guard count == name.count else { continue }
            guard name[count - 1] != UInt8(ascii: ";") else { return .one(UInt32(byte), isScalar: true, end: position) }
            guard let (closing, end) = next(bytes, &signs) else { return .undecided }
            return .one(UInt32(byte), isScalar: true, end: closing == UInt8(ascii: ";") ? end : position)
        }
        return nil
    }
}
