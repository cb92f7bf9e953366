// SPDX-License-Identifier: Apache-2.0

/// A telephone number in the international form of E.164. Only a call shows whether it is in use.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// `+` and digits only.
    public let e164: String
    /// The country code: 44.
    public let countryCode: Int
    /// The digits to dial after the call is answered, one to nine; nil if none were typed.
    public let extensionDigits: String?

    /// The number, with its extension as RFC 3966 writes it, safe to print and log.
    public var description: String { e164 + (extensionDigits.map { ";ext=" + $0 } ?? "") }
}

extension Rule where Value == PhoneNumber {
    /// An international number: `+`, a country code, and a number in that country's numbering plan.
    ///
    /// Spaces of all kinds, hyphens, dots and one pair of parentheses may separate digits of any script. Digits dialled
    /// only inside the country are removed: `+44 (0)20 7946 0958` is +442079460958. An extension may follow: `ext. 12`,
    /// `x12`, `#12`, `;ext=12`, `доб. 12`. A link (`tel:+44-20-7946-0958`, RFC 3966) is taken too.
    ///
    /// Trims. Errors: `.required`, `.phone`.
    public static var phone: Rule { phone(in: nil) }

    /// Like `phone`, and also a number as it is dialled in `region` (ISO 3166: "GB"): `020 7946 0958`, or with the
    /// region's prefix for other countries, `00 49 30 ...`. For a region that is unknown, international numbers only.
    public static func phone(in region: String) -> Rule { phone(in: NumberingPlans.region(region)) }

    private static func phone(in region: NumberingPlans.Region?) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 160, let typed = TypedPhoneNumber(utf8),
                let (code, digits) = typed.international(in: region)
            else { throw Reason(.phone) }
            return PhoneNumber(
                e164: "+" + digits.map { String($0) }.joined(), countryCode: code,
                extensionDigits: typed.extensionDigits.map { $0.map { String($0) }.joined() })
        }
    }
}

/// The digits of a number as typed, and which of them were in parentheses.
private struct TypedPhoneNumber {
    private var digits: [UInt8] = []
    private var enclosed: Range<Int>?
    private var hasPlus = false
    private(set) var extensionDigits: [UInt8]?

    init?(_ text: Span<UInt8>) {
        guard var scalars = UTF8Text.scalars(of: text)?[...] else { return nil }
        if String(String.UnicodeScalarView(scalars.prefix(4))).lowercased() == "tel:" { scalars = scalars.dropFirst(4) }
        if let mark = scalars.firstIndex(where: Self.beginsExtension) {
            guard let dialled = Self.extensionDigits(of: scalars[mark...]) else { return nil }
            extensionDigits = dialled
            scalars = scalars[..<mark]
            while let last = scalars.last, last.properties.isWhitespace || last == "," { scalars.removeLast() }
        }
        if let first = scalars.first, first == "+" || first == "\u{FF0B}" {
            hasPlus = true
            scalars.removeFirst()
        }
        guard read(scalars), digits.count <= 20 else { return nil }
    }

    /// False if there is anything but a number.
    private mutating func read(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        var (opening, wasDigit, wasClosing): (Int?, Bool, Bool) = (nil, false, false)
        for scalar in scalars {
            let digit = UTF8Text.digit(scalar)
            switch scalar {
            case _ where digit != nil: digits.append(digit ?? 0)
            case "(", "\u{FF08}":
                guard opening == nil else { return false }
                opening = digits.count
            case ")", "\u{FF09}":
                guard let opening, enclosed == nil else { return false }
                enclosed = opening..<digits.count
            case "-", ".", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FF0D}", "\u{FF0E}":
                guard wasDigit || wasClosing else { return false }
            case _ where scalar.properties.isWhitespace && !UTF8Text.isLineEnd(scalar): break
            default: return false
            }
            wasDigit = digit != nil
            wasClosing = scalar == ")" || scalar == "\u{FF09}"
        }
        return wasDigit && (opening == nil) == (enclosed == nil)
    }

    private static func beginsExtension(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "#" || scalar == ";" || scalar == "\u{FF03}" || scalar.properties.isAlphabetic
    }

    private static let words: Set<String> = [
        "x", "#", "ext", "extn", "extension", ";ext", "xtn", "доб", "добавочный", "anexo", "interno", "int", "poste",
        "durchwahl", "dw", "內線", "内线", "内線",
    ]

    /// What is dialled behind one of the words; nil if it is none, or has not one to nine digits.
    private static func extensionDigits(of text: ArraySlice<Unicode.Scalar>) -> [UInt8]? {
        let word = text.prefix { UTF8Text.digit($0) == nil }
        let rest = text.dropFirst(word.count)
        let letters = word.filter { !$0.properties.isWhitespace && !".:=".unicodeScalars.contains($0) }
        let digits = rest.compactMap(UTF8Text.digit)
        guard words.contains(UTF8Text.string(of: letters).lowercased().replacing("\u{FF03}", with: "#")),
            (1...9).contains(digits.count), digits.count == rest.count
        else { return nil }
        return digits
    }

    /// The country code and the digits to dial from abroad; nil if the plan has no such number.
    func international(in region: NumberingPlans.Region?) -> (code: Int, digits: [UInt8])? {
        if hasPlus { return Self.international(digits, enclosed) }
        guard let region else { return nil }
        for prefix in region.prefixes where digits.starts(with: prefix) {
            let moved = enclosed.flatMap { range in
                range.lowerBound >= prefix.count
                    ? range.lowerBound - prefix.count..<range.upperBound - prefix.count : nil
            }
            if let found = Self.international(Array(digits.dropFirst(prefix.count)), moved) { return found }
        }
        let code = String(region.code).utf8.map { $0 - 48 }
        for trunk in NumberingPlans.trunks(of: region.code) where digits.starts(with: trunk) {
            let whole = code + digits.dropFirst(trunk.count)
            if NumberingPlans.contain(whole) { return (region.code, whole) }
        }
        return NumberingPlans.contain(code + digits) ? (region.code, code + digits) : nil
    }

    private static func international(_ digits: [UInt8], _ enclosed: Range<Int>?) -> (code: Int, digits: [UInt8])? {
        guard let code = NumberingPlans.countryCode(of: digits) else { return nil }
        let trunks = NumberingPlans.trunks(of: code)
        let start = String(code).utf8.count
        if let enclosed, enclosed.lowerBound >= start, trunks.contains(Array(digits[enclosed])) {
            let rest = Array(digits[..<enclosed.lowerBound] + digits[enclosed.upperBound...])
            if NumberingPlans.contain(rest) { return (code, rest) }
        }
        if NumberingPlans.contain(digits) { return (code, digits) }
        for trunk in trunks where digits[start...].starts(with: trunk) {
            let rest = Array(digits[..<start] + digits[(start + trunk.count)...])
            if NumberingPlans.contain(rest) { return (code, rest) }
        }
        return nil
    }
}

/// The world's numbering plans, as an automaton over the digits after the plus sign
/// (Documentation/Formats/NumberingPlans.md). It accepts a number exactly if its country has assigned such numbers.
enum NumberingPlans {
    /// Whether `digits`, each 0 to 9, are a country code and a number of one of its plans.
    static func contain(_ digits: [UInt8]) -> Bool {
        var place = 0
        var mayEnd = false
        for (index, digit) in digits.enumerated() {
            guard index == 0 || place > 0 else { return false }
            while arcs[place] >> (20 + UInt32(digit)) & 1 == 0 {
                guard arcs[place] >> 18 & 1 == 0 else { return false }
                place += 1
            }
            mayEnd = arcs[place] >> 19 & 1 == 1
            place = Int(arcs[place] & 0x3FFFF)
        }
        return mayEnd
    }

    /// The country code at the start of `digits`; nil if there is none.
    static func countryCode(of digits: [UInt8]) -> Int? {
        var code = 0
        for digit in digits.prefix(3) {
            code = code * 10 + Int(digit)
            if trunks[code] != nil { return code }
        }
        return nil
    }

    /// The digits dialled before a number inside the country, never after its code: "0" in Britain.
    static func trunks(of code: Int) -> [[UInt8]] { trunks[code] ?? [] }

    /// A region's country code, and the digits dialled there before a country code.
    struct Region: Sendable {
        let code: Int
        let prefixes: [[UInt8]]
    }

    /// The region with the code of ISO 3166; nil if it is unknown.
    static func region(_ name: String) -> Region? { regions[name.uppercased()] }

    private static let regions: [String: Region] = {
        var regions: [String: Region] = [:]
        for entry in regionText.split(separator: " ") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, let code = Int(parts[1]) else { continue }
            let prefixes = parts[2].split(separator: "/").map { $0.utf8.map { $0 - 48 } }
            regions[String(parts[0])] = Region(code: code, prefixes: prefixes)
        }
        return regions
    }()

    // Each arc, from the highest bit: ten bits for its digits, one for whether a number may end after it, one for
    // whether it is its node's last. The rest is the index of the next arcs, or 0 if there are none.
    private static let arcs: [UInt32] = {
        var arcs: [UInt32] = []
        arcs.reserveCapacity(arcCount)
        var (value, count): (UInt32, Int) = (0, 0)
        for byte in arcText.utf8 {
            (value, count) = (value << 6 | UInt32(byte - 48), count + 1)
            guard count == 5 else { continue }
            arcs.append(value)
            (value, count) = (0, 0)
        }
        return arcs
    }()

    private static let trunks: [Int: [[UInt8]]] = {
        var trunks: [Int: [[UInt8]]] = [:]
        for entry in trunkText.split(separator: " ") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let code = Int(parts[0]) else { continue }
            trunks[code] = parts[1].split(separator: "/").map { $0.utf8.map { $0 - 48 } }
        }
        return trunks
    }()
}
