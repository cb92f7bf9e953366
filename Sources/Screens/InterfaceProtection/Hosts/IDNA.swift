// SPDX-License-Identifier: Apache-2.0

/// Host names as a browser reads them: non-transitional processing of UTS #46, with its checks of joiners and
/// direction (Documentation/Formats/HostTables.md).
enum IDNA {
    /// One label of a name, in lower case.
    struct Label {
        /// xn--e1afmkfd.
        let ascii: ArraySlice<UInt8>
        /// пример; empty if the label is ASCII.
        let decoded: ArraySlice<Unicode.Scalar>

        var isASCII: Bool { decoded.isEmpty }
    }

    /// The labels of `text`, mapped and decoded; nil if a browser refuses it. Empty labels are kept.
    static func labels(of text: Span<UInt8>) -> [Label]? {
        guard let (mapped, isPlain) = Mapping.shared.map(text) else { return nil }
        var (labels, start): ([Label], Int) = ([], 0)
        for index in 0...mapped.count where index == mapped.count || mapped[index] == "." {
            guard let label = label(mapped[start..<index], isPlain: isPlain) else { return nil }
            labels.append(label)
            start = index + 1
        }
        guard labels.contains(where: { Bidi.isRightToLeft($0.decoded) }) else { return labels }
        return labels.allSatisfy({ Bidi.isInOrder($0) }) ? labels : nil
    }

    /// A label of mapped text; nil if it isn't valid. A plain label contains only ASCII and plain letters.
    private static func label(_ part: ArraySlice<Unicode.Scalar>, isPlain: Bool) -> Label? {
        let startsEncoded = part.starts(with: encodedPrefix)
        guard !part.allSatisfy(\.isASCII) else {
            let ascii = part.map { UInt8($0.value) }[...]
            guard startsEncoded else { return Label(ascii: ascii, decoded: []) }
            guard let decoded = Punycode.decode(ascii.dropFirst(4)), isValid(decoded[...]),
                decoded.allSatisfy(Mapping.shared.isValid), Mapping.composed(decoded) == decoded,
                Punycode.encoded(decoded[...])?[...] == ascii
            else { return nil }
            return Label(ascii: ascii, decoded: decoded[...])
        }
        guard !startsEncoded, isPlain || isValid(part), let ascii = Punycode.encoded(part) else { return nil }
        return Label(ascii: ascii[...], decoded: part)
    }

    private static let encodedPrefix: [Unicode.Scalar] = ["x", "n", "-", "-"]

    /// Whether a label beyond ASCII follows the rules for marks and joiners.
    private static func isValid(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = label.first, !isMark(first), !label.contains("."), !label.allSatisfy(\.isASCII) else {
            return false
        }
        return Joiners.areInPlace(label)
    }

    /// Whether `scalar` is a letter that the mapping leaves unchanged. Text of such letters and ASCII contains no marks
    /// and is already composed. This covers most of what people write, without the tables.
    static func isPlainLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE0...0xF6, 0xF8...0xFF, 0x3AC...0x3CE, 0x430...0x45F, 0x561...0x586, 0x5D0...0x5EA, 0x620...0x63F,
            0x641...0x64A, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FA5, 0xAC00...0xD7A3:
            true
        default: false
        }
    }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 || isPlainLetter(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }
}

extension IDNA {
    /// Whether registries register a label of these letters. IDNA 2008 (RFC 5892) has no symbols, and some letters only
    /// in places that its rules allow. UTS #46, which browsers use, is wider.
    static func isOfDomain(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        label.indices.allSatisfy { index in
            let scalar = label[index]
            if scalar.isASCII || isPlainLetter(scalar) { return true }
            func before(_ range: ClosedRange<UInt32>) -> Bool {
                index > label.startIndex && range.contains(label[index - 1].value)
            }
            func after(_ range: ClosedRange<UInt32>) -> Bool {
                index + 1 < label.endIndex && range.contains(label[index + 1].value)
            }
            switch scalar.value {
            case 0x200C, 0x200D, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
            // Appendices A.3 to A.7: between two l, before a Greek letter, after a Hebrew one, beside Japanese ones.
            case 0xB7: return before(0x6C...0x6C) && after(0x6C...0x6C)
            case 0x375: return after(0x370...0x3FF) || after(0x1F00...0x1FFF)
            case 0x5F3, 0x5F4: return before(0x5D0...0x5F2)
            case 0x30FB: return label.contains { (0x3041...0x30FA).contains($0.value) || $0.properties.isIdeographic }
            // Marks of typography, symbols and music, and parts of old Korean syllables.
            case 0x640, 0x7FA, 0x302E...0x302F, 0x3031...0x3035, 0x303B, 0x20D0...0x20FF, 0x1D100...0x1D1FF,
                0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB:
                return false
            default: break
            }
            switch scalar.properties.generalCategory {
            // Letters that are still in upper case after the mapping have no lower case: Cherokee.
            case .uppercaseLetter, .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
                .decimalNumber:
                return true
            default: return false
            }
        }
    }

    /// Whether a name may contain `scalar`: a letter of either case, a mark or a digit, but not a
    /// compatibility look-alike.
    static func isLetterOfName(_ scalar: Unicode.Scalar) -> Bool {
        if isPlainLetter(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .format:
            break
        default: return false
        }
        return Mapping.shared.isValid(scalar)
            || scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy(Mapping.shared.isValid)
    }

    /// The composed form (NFC) of `text`.
    static func composed(_ text: String) -> [Unicode.Scalar] { Mapping.composed(Array(text.unicodeScalars)) }

    static func composed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] { Mapping.composed(text) }

    static func joinersAreInPlace(_ word: ArraySlice<Unicode.Scalar>) -> Bool { Joiners.areInPlace(word) }
}

/// Reads the numbers of the tables: five bits to a character, lowest bits first.
struct TableReader {
    private var bytes: String.UTF8View.Iterator

    init(_ text: String) { bytes = text.utf8.makeIterator() }

    mutating func number() -> UInt32 {
        var (value, shift): (UInt32, UInt32) = (0, 0)
        while let byte = bytes.next() {
            let bits = UInt32(byte - 48)
            value |= (bits & 31) << shift
            shift += 5
            if bits < 32 { break }
        }
        return value
    }

    mutating func signed() -> Int {
        let value = Int(number())
        return value & 1 == 0 ? value >> 1 : -(value >> 1)
    }
}

extension Array where Element == UInt32 {
    /// The last row that starts at or before `value`; rows are sorted.
    fileprivate func row(of value: UInt32) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

/// The mapping of UTS #46.
private struct Mapping {
    static let shared = Mapping()

    private enum Kind { static let (valid, refused, ignored): (UInt32, UInt32, UInt32) = (0, 1, 2) }

    private var starts: [UInt32] = []
    /// One value for each range. Below 3 it is a kind. From 3 on it is the replacement's offset times 64, plus its
    /// length, plus 3.
    private var kinds: [UInt32] = []
    private var replacements: [Unicode.Scalar] = []

    private init() {
        var reader = TableReader(IDNA.mappingText)
        var start: UInt32 = 0
        for _ in 0..<IDNA.mappingCount {
            let value = reader.number()
            start += value >> 2
            starts.append(start)
            guard value & 3 == 3 else {
                kinds.append(value & 3)
                continue
            }
            let length = reader.number()
            kinds.append(UInt32(replacements.count) << 6 + length + 3)
            for _ in 0..<length {
                guard let scalar = Unicode.Scalar(UInt32(Int(start) + reader.signed())) else { continue }
                replacements.append(scalar)
            }
        }
    }

    func isValid(_ scalar: Unicode.Scalar) -> Bool {
        guard let row = starts.row(of: scalar.value) else { return false }
        return kinds[row] == Kind.valid && !scalar.isUppercaseASCII
    }

    /// The mapped and composed (NFC) `text`, and whether it contains only plain letters and ASCII. nil if a character
    /// is refused.
    func map(_ text: Span<UInt8>) -> (mapped: [Unicode.Scalar], isPlain: Bool)? {
        var mapped: [Unicode.Scalar] = []
        mapped.reserveCapacity(text.count)
        var isPlain = true
        let isRight = UTF8Text.allSatisfy(text) { scalar in
            if scalar.isASCII {
                mapped.append(Unicode.Scalar(UTF8Text.lowercased(UInt8(scalar.value))))
                return true
            }
            if IDNA.isPlainLetter(scalar) {
                mapped.append(scalar)
                return true
            }
            isPlain = false
            guard let row = starts.row(of: scalar.value), kinds[row] != Kind.refused else { return false }
            switch kinds[row] {
            case Kind.valid: mapped.append(scalar)
            case Kind.ignored: break
            default:
                let kind = kinds[row] - 3
                mapped += replacements[Int(kind >> 6)..<Int(kind >> 6 + kind & 63)]
            }
            return true
        }
        guard isRight else { return nil }
        return (isPlain ? mapped : Self.composed(mapped), isPlain)
    }

    /// `text` in the composed form (NFC).
    static func composed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard text.contains(where: { $0.value >= 0x300 }) else { return text }
        guard text.contains(where: { IDNA.isMark($0) || isComposedFurther($0.value) }) else { return text }
        return Composition.composed(text)
    }
}

extension Mapping {
    /// Parts of Korean syllables, and blocks with alternative forms of other characters.
    private static func isComposedFurther(_ value: UInt32) -> Bool {
        switch value {
        case 0x340...0x387, 0x1100...0x11FF, 0x1F70...0x1FFF, 0x2000...0x2001, 0x2126...0x212B, 0x2329...0x232A, 0x2ADC,
            0xF900...0xFB4F, 0x1D15E...0x1D1C0, 0x2F800...0x2FA1D:
            true
        default: false
        }
    }
}

/// The direction, joining type and script of a character.
struct HostCharacter {
    private static let table: (starts: [UInt32], values: [UInt32]) = {
        var reader = TableReader(IDNA.propertyText)
        var (starts, values, start): ([UInt32], [UInt32], UInt32) = ([], [], 0)
        for _ in 0..<IDNA.propertyCount {
            start += reader.number()
            starts.append(start)
            values.append(reader.number())
        }
        return (starts, values)
    }()

    enum Direction: UInt32 {
        case left, right, arabicLetter, number, separator, terminator, arabicNumber, commonSeparator, mark, neutral
        case paragraph, segment, space, other
    }

    enum Joining: UInt32 { case none, left, dual, right, transparent, causing }

    let direction: Direction
    let joining: Joining
    /// 0: no script, or every script; 1 to 9: those of `Script`.
    let script: UInt32

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            joining = .none
            switch scalar {
            case "a"..."z", "A"..."Z": (direction, script) = (.left, Script.latin)
            case "0"..."9": (direction, script) = (.number, 0)
            case "+", "-": (direction, script) = (.separator, 0)
            case ".", ",", "/", ":": (direction, script) = (.commonSeparator, 0)
            case "#", "$", "%": (direction, script) = (.terminator, 0)
            default: (direction, script) = (.other, 0)
            }
            return
        }
        let value = Self.table.starts.row(of: scalar.value).map { Self.table.values[$0] } ?? 0
        direction = Direction(rawValue: value & 15) ?? .other
        joining = Joining(rawValue: value >> 4 & 7) ?? .none
        script = value >> 7
    }

    /// The script alone, with a fast path for the commonest letters.
    static func script(of scalar: Unicode.Scalar) -> UInt32 {
        switch scalar.value {
        case 0x61...0x7A, 0x41...0x5A: Script.latin
        case ..<0x80: 0
        case 0x3B1...0x3C9: Script.greek
        case 0x410...0x45F: Script.cyrillic
        case 0x4E00...0x9FA5: Script.han
        default: HostCharacter(scalar).script
        }
    }

    enum Script {
        static let (latin, greek, cyrillic): (UInt32, UInt32, UInt32) = (1, 2, 3)
        static let (han, kana, hangul, bopomofo): (UInt32, UInt32, UInt32, UInt32) = (6, 7, 8, 9)
    }
}

/// RFC 5892, appendices A.1 and A.2: where a zero-width joiner or non-joiner is allowed, since it changes how
/// letters join.
private enum Joiners {
    static func areInPlace(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        guard label.contains(where: { $0 == "\u{200C}" || $0 == "\u{200D}" }) else { return true }
        return label.indices.allSatisfy { index in
            let scalar = label[index]
            guard scalar == "\u{200C}" || scalar == "\u{200D}" else { return true }
            if index > label.startIndex, label[index - 1].properties.canonicalCombiningClass == .virama { return true }
            guard scalar == "\u{200C}" else { return false }
            let before = label[..<index].reversed().lazy.map { HostCharacter($0).joining }.first { $0 != .transparent }
            let after = label[(index + 1)...].lazy.map { HostCharacter($0).joining }.first { $0 != .transparent }
            return (before == .left || before == .dual) && (after == .right || after == .dual)
        }
    }
}

/// RFC 5893: labels that keep their order if some are written from the right.
private enum Bidi {
    static func isRightToLeft(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        label.contains { scalar in
            // No character before Hebrew is written from the right, and no ideograph.
            guard scalar.value >= 0x590, !(0x2E80...0xD7FF).contains(scalar.value) else { return false }
            switch HostCharacter(scalar).direction {
            case .right, .arabicLetter, .arabicNumber: return true
            default: return false
            }
        }
    }

    static func isInOrder(_ label: IDNA.Label) -> Bool {
        let directions =
            label.isASCII
            ? label.ascii.map { HostCharacter(Unicode.Scalar($0)).direction }
            : label.decoded.map { HostCharacter($0).direction }
        guard let first = directions.first else { return true }
        let last = directions.last { $0 != .mark }
        if first == .left {
            return last == .left || last == .number ? directions.allSatisfy { leftAllowed.contains($0) } : false
        }
        guard first == .right || first == .arabicLetter else { return false }
        guard last == .right || last == .arabicLetter || last == .number || last == .arabicNumber else { return false }
        guard !(directions.contains(.number) && directions.contains(.arabicNumber)) else { return false }
        return directions.allSatisfy { rightAllowed.contains($0) }
    }

    private static let leftAllowed: Set<HostCharacter.Direction> = [
        .left, .number, .separator, .commonSeparator, .terminator, .other, .neutral, .mark,
    ]
    private static let rightAllowed: Set<HostCharacter.Direction> = [
        .right, .arabicLetter, .arabicNumber, .number, .separator, .commonSeparator, .terminator, .other, .neutral,
        .mark,
    ]
}

extension Unicode.Scalar {
    fileprivate var isUppercaseASCII: Bool { (0x41...0x5A).contains(value) }
}
