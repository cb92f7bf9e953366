// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// The well-formed number of a payment card. Only its bank knows whether the card is valid.
public struct PaymentCard: Sendable, CustomStringConvertible, CustomReflectable {
    /// A network that issues card numbers.
    public enum Network: String, Sendable, CaseIterable {
        case visa, mastercard, mir, americanExpress, discover, dinersClub, jcb, unionPay, maestro, ruPay, elo, hipercard
        case unknown
    }

    /// The digits, wiped with the last handle.
    public let number: Secret
    /// The last four digits, safe to show.
    public let lastFour: String
    /// The network to which the number belongs.
    public let network: Network

    /// The last four digits, safe to print and log.
    public var description: String { "•••• \(lastFour)" }
    /// Empty, so that no dump shows the content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Rule where Value == PaymentCard {
    /// A card number: 12 to 19 digits, as many as its network has, with a correct last digit (Luhn). Spaces and hyphens
    /// may separate digits. Trims. Errors: `.required`, `.card`.
    public static var paymentCard: Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            let digits = try Digits.secret(of: utf8, in: 12...19, otherwise: Reason(.card))
            do {
                let (network, isRight, lastFour) = try digits.withBytes { span in
                    let bytes = Span<UInt8>(_bytes: span)
                    let network = PaymentCard.Network(startingLike: bytes)
                    return (
                        network, network.lengths.contains(bytes.count) && hasLuhnSum(bytes), Digits.last(4, of: bytes)
                    )
                }
                guard isRight else { throw Reason(.card) }
                return PaymentCard(number: Secret(digits), lastFour: lastFour, network: network)
            } catch let reason as Reason {
                throw reason
            } catch {
                throw Reason(.unavailable)
            }
        }
    }

    private static func hasLuhnSum(_ digits: Span<UInt8>) -> Bool {
        let sum = Digits.luhnSum(of: digits.count) { digits[$0] }
        return sum > 0 && sum.isMultiple(of: 10)
    }
}

extension PaymentCard.Network {
    /// By the first digits, as ISO/IEC 7812 assigns them.
    init(startingLike digits: Span<UInt8>) {
        var (prefix, issuer) = (0, 0)
        for index in 0..<min(6, digits.count) {
            issuer = issuer * 10 + Int(digits[index]) - 48
            if index < 4 { prefix = issuer }
        }
        // Networks of one country use parts of the ranges of others.
        if let national = Self.nationalIssuers.first(where: { $0.0.contains { $0.contains(issuer) } }) {
            self = national.1
            return
        }
        self =
            switch prefix {
            case 2200...2204: .mir
            case 2221...2720, 5100...5599: .mastercard
            case 3400...3499, 3700...3799: .americanExpress
            case 3000...3059, 3095...3095, 3600...3699, 3800...3999: .dinersClub
            case 3528...3589: .jcb
            case 4000...4999: .visa
            case 6011...6011, 6440...6599: .discover
            case 6200...6299, 8100...8171: .unionPay
            case 5000...5099, 5600...5999, 6000...6999: .maestro
            default: .unknown
            }
    }

    /// The first six digits of the cards of Elo and Hipercard (Brazil) and of RuPay (India).
    private static let nationalIssuers: [([ClosedRange<Int>], Self)] = [
        (
            [
                401_178...401_179, 431_274...431_274, 438_935...438_935, 451_416...451_416, 457_393...457_393,
                457_631...457_632, 504_175...504_175, 506_699...506_778, 509_000...509_999, 627_780...627_780,
                636_297...636_297, 636_368...636_368, 650_031...650_033, 650_035...650_051, 650_405...650_439,
                650_485...650_538, 650_541...650_598, 650_700...650_718, 650_720...650_727, 650_901...650_978,
                651_652...651_679, 655_000...655_019, 655_021...655_058,
            ], .elo
        ),
        (
            [
                384_100...384_100, 384_140...384_140, 384_160...384_160, 606_282...606_282, 637_095...637_095,
                637_568...637_568, 637_599...637_599, 637_609...637_609, 637_612...637_612,
            ], .hipercard
        ),
        ([508_500...508_999, 606_985...607_984, 608_001...608_500, 652_150...653_149, 817_200...820_199], .ruPay),
    ]

    /// The possible numbers of digits.
    var lengths: Set<Int> {
        switch self {
        case .visa: [13, 16, 18, 19]
        case .mastercard, .ruPay, .elo: [16]
        case .hipercard: [13, 16, 19]
        case .americanExpress: [15]
        case .mir, .discover, .jcb, .unionPay: Set(16...19)
        case .dinersClub: Set(14...19)
        case .maestro, .unknown: Set(12...19)
        }
    }
}

/// Digits with separators.
enum Digits {
    /// The sum of the Luhn algorithm (ISO/IEC 7812-1, annex B) over `count` digits in ASCII: divisible by ten if they
    /// are right.
    static func luhnSum(of count: Int, digit: (Int) -> UInt8) -> Int {
        var sum = 0
        for index in 0..<count {
            let value = Int(digit(index)) - 48
            sum += (count - index).isMultiple(of: 2) ? value * 2 - (value > 4 ? 9 : 0) : value
        }
        return sum
    }

    /// The digits of `text`, of any script, as a secret in ASCII, without the single spaces and hyphens of any kind
    /// between them.
    static func secret(
        of text: Span<UInt8>, in counts: ClosedRange<Int>, otherwise reason: Reason
    ) throws(Reason) -> SecretBytes {
        var (count, isBehindDigit) = (0, false)
        let isRight = UTF8Text.allSatisfy(text) { scalar in
            if UTF8Text.digit(scalar) != nil {
                (count, isBehindDigit) = (count + 1, true)
                return true
            }
            defer { isBehindDigit = false }
            return isBehindDigit && isBetween(scalar)
        }
        guard isRight, isBehindDigit || count == 0 else { throw reason }
        guard counts.contains(count) else { throw reason }
        do {
            return try SecretBytes(count: count) { digits in
                var next = 0
                _ = UTF8Text.allSatisfy(text) { scalar in
                    guard let digit = UTF8Text.digit(scalar) else { return true }
                    digits.storeBytes(of: digit + 48, toByteOffset: next, as: UInt8.self)
                    next += 1
                    return true
                }
            }
        } catch {
            throw Reason(.unavailable)
        }
    }

    /// A space or a hyphen, of any kind.
    private static func isBetween(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "\u{2010}"..."\u{2015}", "\u{2212}": true
        default: scalar.properties.isWhitespace && !UTF8Text.isLineEnd(scalar)
        }
    }

    static func last(_ count: Int, of digits: Span<UInt8>) -> String {
        UTF8Text.string(digits.extracting(max(0, digits.count - count)..<digits.count)) ?? ""
    }
}

extension Rule where Value == Secret {
    /// A code of exactly `digits` digits, from an app or a message. Spaces and hyphens may separate them. Trims.
    /// Errors: `.required`, `.oneTimeDigits`.
    public static func oneTimeCode(digits: Int = 6) -> Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            let reason = Reason(.oneTimeDigits, minimum: digits)
            guard digits > 0 else { throw reason }
            return Secret(try Digits.secret(of: utf8, in: digits...digits, otherwise: reason))
        }
    }
}
