// SPDX-License-Identifier: Apache-2.0

/// A telephone number in the international form of E.164. Only a call shows whether it is in use.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// `+` and digits only.
    public let e164: String
    /// The country code: 44.
    public let countryCode: Int

    /// The number, safe to print and log.
    public var description: String { e164 }
}

extension Rule where Value == PhoneNumber {
    /// An international number: `+`, a country code, and a number in that country's numbering plan.
    ///
    /// Spaces of all kinds, hyphens, dots and one pair of parentheses may separate digits of any script. Digits dialled
    /// only inside the country are removed: `+44 (0)20 7946 0958` is +442079460958.
    ///
    /// Trims. Errors: `.required`, `.phone`.
    public static var phone: Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 160, let typed = TypedPhoneNumber(utf8),
                let code = NumberingPlans.countryCode(of: typed.digits),
                let digits = typed.dialled(behind: code)
            else { throw Reason(.phone) }
            return PhoneNumber(e164: "+" + digits.map { String($0) }.joined(), countryCode: code)
        }
    }
}

/// The digits of a number as typed, and which of them were in parentheses.
private struct TypedPhoneNumber {
    private(set) var digits: [UInt8] = []
    private var enclosed: Range<Int>?

    init?(_ text: Span<UInt8>) {
        var (opening, wasDigit, wasClosing, isFirst): (Int?, Bool, Bool, Bool) = (nil, false, false, true)
        var isClosed = false
        var index = 0
        while index < text.count {
            guard let (scalar, width) = UTF8Text.scalar(at: index, in: text) else { return nil }
            index += width
            if isFirst {
                guard scalar == "+" || scalar == "\u{FF0B}" else { return nil }
                isFirst = false
                continue
            }
            let digit = UTF8Text.digit(scalar)
            switch scalar {
            case _ where digit != nil: digits.append(digit ?? 0)
            case "(", "\u{FF08}":
                guard opening == nil else { return nil }
                opening = digits.count
            case ")", "\u{FF09}":
                guard let opening, !isClosed else { return nil }
                enclosed = opening..<digits.count
                isClosed = true
            case "-", ".", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FF0D}", "\u{FF0E}":
                guard wasDigit || wasClosing else { return nil }
            case _ where scalar.properties.isWhitespace && !UTF8Text.isLineEnd(scalar): break
            default: return nil
            }
            wasDigit = digit != nil
            wasClosing = scalar == ")" || scalar == "\u{FF09}"
        }
        guard wasDigit, (opening == nil) == !isClosed, digits.count <= 20 else { return nil }
    }

    /// The digits to dial from abroad; nil if the plan has no such number.
    func dialled(behind code: Int) -> [UInt8]? {
        let trunks = NumberingPlans.trunks(of: code)
        let start = String(code).utf8.count
        if let enclosed, enclosed.lowerBound >= start, trunks.contains(Array(digits[enclosed])) {
            let rest = Array(digits[..<enclosed.lowerBound] + digits[enclosed.upperBound...])
            if NumberingPlans.contain(rest) { return rest }
        }
        if NumberingPlans.contain(digits) { return digits }
        for trunk in trunks where digits[start...].starts(with: trunk) {
            let rest = Array(digits[..<start] + digits[(start + trunk.count)...])
            if NumberingPlans.contain(rest) { return rest }
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
