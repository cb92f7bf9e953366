// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The last month in which a card is valid.
public struct CardExpiry: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Four digits.
    public let year: Int
    /// 1 to 12.
    public let month: Int

    /// Whether `left` is the earlier month.
    public static func < (left: CardExpiry, right: CardExpiry) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
    /// The month as printed on the card: 02/29.
    public var description: String { "\(month < 10 ? "0" : "")\(month)/\(year % 100 < 10 ? "0" : "")\(year % 100)" }
}

extension Rule where Value == CardExpiry {
    /// The month and year on a card that is valid on `today`: 02/29, 2/2029, 0229, also with spaces, a hyphen or a dot.
    /// Years of two digits are in this century. A year more than `years` ahead is refused.
    ///
    /// Trims. Errors: `.required`, `.expiry`, `.expired`.
    public static func cardExpiry(today: CalendarDate, years: Int = 20) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 40, let text = UTF8Text.string(utf8), let (month, year) = read(text),
                (1...12).contains(month)
            else { throw Reason(.expiry) }
            let expiry = CardExpiry(year: year < 100 ? 2000 + year : year, month: month)
            guard expiry.year - today.year <= years else { throw Reason(.expiry) }
            guard expiry >= CardExpiry(year: today.year, month: today.month) else { throw Reason(.expired) }
            return expiry
        }
    }

    private static func read(_ text: String) -> (month: Int, year: Int)? {
        // One separator between them, and spaces.
        let written = text.filter { !$0.isWhitespace }
        var parts = (written.count == text.count ? [] : text.split(whereSeparator: \.isWhitespace))
        if parts.count != 2 || parts.contains(where: { $0.contains(where: isSign) }) {
            parts = written.split(omittingEmptySubsequences: false, whereSeparator: isSign)
        }
        return value(of: parts)
    }

    private static func isSign(_ character: Character) -> Bool {
        character == "/" || character == "-" || character == "." || ("\u{2010}"..."\u{2015}").contains(character)
    }

    private static func value(of typed: [Substring]) -> (month: Int, year: Int)? {
        var parts = typed.map { part in
            part.unicodeScalars.compactMap(UTF8Text.digit).count == part.unicodeScalars.count
                ? part.unicodeScalars.compactMap(UTF8Text.digit) : []
        }
        if parts.count == 1, parts[0].count == 4 || parts[0].count == 6 {
            parts = [Array(parts[0][..<2]), Array(parts[0][2...])]
        }
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2 || parts[1].count == 4 else {
            return nil
        }
        func value(_ digits: [UInt8]) -> Int { digits.reduce(0) { $0 * 10 + Int($1) } }
        return (value(parts[0]), value(parts[1]))
    }
}

extension PaymentCard.Network {
    /// The number of digits in the security code of its cards.
    public var securityCodeLength: ClosedRange<Int> {
        switch self {
        case .americanExpress: 4...4
        case .unknown: 3...4
        default: 3...3
        }
    }
}

extension Rule where Value == Secret {
    /// The security code of a card of `network`, also known as CVC, CVV or CID. Trims. Errors: `.required`, `.cvc`.
    public static func securityCode(of network: PaymentCard.Network = .unknown) -> Rule {
        let length = network.securityCodeLength
        let reason = Reason(.cvc, minimum: String(length.lowerBound), maximum: String(length.upperBound))
        return Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard UTF8Text.allSatisfy(utf8, { UTF8Text.digit($0) != nil }) else { throw reason }
            return Secret(try Digits.secret(of: utf8, in: length, otherwise: reason))
        }
    }
}
