// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a sum is written: the separator before its fraction, and the one allowed between its thousands.
public struct AmountStyle: Sendable, Equatable {
    /// The separator before the fraction.
    public let separator: Character
    /// The separator between thousands; a space represents spaces of all kinds. nil: none is allowed.
    public let grouping: Character?

    /// A style.
    public init(separator: Character, grouping: Character?) {
        self.separator = separator
        self.grouping = grouping
    }

    /// 1,234.50
    public static let point = AmountStyle(separator: ".", grouping: ",")
    /// 1 234,50
    public static let comma = AmountStyle(separator: ",", grouping: " ")
    /// 1.234,50
    public static let commaWithPoints = AmountStyle(separator: ",", grouping: ".")
}

extension Rule where Value == Decimal {
    /// A sum of money in `range`, exactly as typed. It has at most 18 digits, of which at most `fractionDigits` follow
    /// the separator. Thousands may be grouped. Trims.
    ///
    /// Errors: `.required`, `.amount`, `.fraction`, `.range`.
    public static func amount(
        in range: ClosedRange<Decimal>, fractionDigits: Int = 2, style: AmountStyle = .point
    ) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 80, let text = UTF8Text.string(utf8), let typed = TypedAmount(text, style) else {
                throw Reason(.amount)
            }
            guard typed.fractionDigits <= max(0, fractionDigits) else {
                throw Reason(.fraction, maximum: max(0, fractionDigits))
            }
            guard range.contains(typed.value) else {
                throw Reason(
                    .range, minimum: style.text(of: range.lowerBound), maximum: style.text(of: range.upperBound))
            }
            return typed.value
        }
    }
}

extension AmountStyle {
    func text(of value: Decimal) -> String { String(value.description.map { $0 == "." ? separator : $0 }) }
}

private struct TypedAmount {
    let value: Decimal
    let fractionDigits: Int

    init?(_ text: String, _ style: AmountStyle) {
        let isNegative = text.hasPrefix("-") || text.hasPrefix("\u{2212}")
        let unsigned = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let halves = unsigned.split(separator: style.separator, omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count), let whole = Self.whole(halves[0], style.grouping),
            let fraction = halves.count == 2 ? Self.digits(halves[1]) : [], halves.count == 1 || !fraction.isEmpty,
            whole.count + fraction.count <= 18
        else { return nil }
        let significand = (whole + fraction).reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        value = Decimal(
            sign: isNegative && significand > 0 ? .minus : .plus, exponent: -fraction.count,
            significand: Decimal(significand))
        fractionDigits = fraction.count
    }

    /// The digits of the part before the separator: in groups of three, or in no groups.
    private static func whole(_ text: Substring, _ grouping: Character?) -> [UInt8]? {
        let groups = text.split(omittingEmptySubsequences: false) { character in
            guard let grouping else { return false }
            return character == grouping || (grouping == " " && character.isWhitespace && !character.isNewline)
        }
        guard let first = groups.first, groups.count == 1 || (1...3).contains(first.count),
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        let digits = groups.compactMap(digits)
        guard digits.count == groups.count, digits.first?.isEmpty == false else { return nil }
        return digits.flatMap { $0 }
    }

    private static func digits(_ text: Substring) -> [UInt8]? {
        let digits = text.unicodeScalars.compactMap(UTF8Text.digit)
        return digits.count == text.unicodeScalars.count ? digits : nil
    }
}

extension Rule where Value == UUID {
    /// A UUID of 32 hexadecimal digits in five groups, in any case. Trims. Errors: `.required`, `.uuid`.
    public static var uuid: Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            // Foundation's parser accepts signs and 0x as digits.
            let isRight = utf8.indices.allSatisfy { index in
                [8, 13, 18, 23].contains(index) ? utf8[index] == UInt8(ascii: "-") : Host.isHexDigit(utf8[index])
            }
            guard utf8.count == 36, isRight, let text = UTF8Text.string(utf8), let uuid = UUID(uuidString: text) else {
                throw Reason(.uuid)
            }
            return uuid
        }
    }
}
