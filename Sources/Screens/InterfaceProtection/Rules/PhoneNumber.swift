// SPDX-License-Identifier: Apache-2.0

/// A telephone number in the international form of E.164. Whether it is in use, only a call can tell.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// `+` and digits, nothing else.
    public let e164: String
    /// The country code: 44.
    public let countryCode: Int

    /// What may be printed and logged.
    public var description: String { e164 }
}

extension Rule where Value == PhoneNumber {
    /// An international number: `+`, a country code, and a number that the country's numbering plan has. Spaces of all kinds,
    /// hyphens, dots and one pair of parentheses may stand between digits, which may be those of any script. What is
    /// dialled inside the country only is left out: `+44 (0)20 7946 0958` is +442079460958. Trims.
    /// Errors: `.required`, `.phone`.
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

/// The digits of a number as it was typed, and which of them stood in parentheses.
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
