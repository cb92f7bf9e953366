// SPDX-License-Identifier: Apache-2.0

import Readers

/// The number of a bank account in international form (ISO 13616). Only its bank knows whether the account exists.
public struct IBAN: Sendable, Hashable, CustomStringConvertible {
    /// The number without spaces, in upper case.
    public let text: String

    /// The country: "DE".
    public var country: String { String(text.prefix(2)) }
    /// The number in groups of four, as people write it.
    public var grouped: String {
        stride(from: 0, to: text.count, by: 4)
            .map { String(text.dropFirst($0).prefix(4)) }.joined(separator: " ")
    }
    /// The country and the last four characters, safe to print and log.
    public var description: String { "\(country) •••• \(text.suffix(4))" }
}

extension Rule where Value == IBAN {
    /// An IBAN of a country that has them, with the letters and digits that its banks use and correct check digits:
    /// those of ISO 13616 and, in 25 countries, the national ones. Spaces of all kinds and hyphens may separate the
    /// characters. Trims. Errors: `.required`, `.iban`.
    public static var iban: Rule {
        Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 120, let characters = Compact.text(of: utf8), characters.count >= 5,
                let country = String(validUTF8: characters.prefix(2)),
                UTF8Text.isDigit(characters[2]), UTF8Text.isDigit(characters[3]),
                // 98 less a remainder by 97: others have the right remainder, too, but are never calculated.
                (2...98).contains(Int(characters[2]) * 10 + Int(characters[3]) - 528),
                IBANForms.fits(characters[4...], country: country),
                NationalCheckDigits.remainder(characters[4...] + characters[..<4]) == 1,
                NationalCheckDigits.areRight(in: characters[4...], country: country)
            else { throw Reason(.iban) }
            return IBAN(text: String(decoding: characters, as: UTF8.self))
        }
    }
}

/// The characters after the check digits in each country, by the registry of ISO 13616: a count of digits (n), letters
/// (a), or either (c).
private enum IBANForms {
    static let table: [String: [(count: Int, kind: Character)]] = {
        var table: [String: [(count: Int, kind: Character)]] = [:]
        for entry in text.split(separator: " ") {
            var (form, count): ([(count: Int, kind: Character)], Int) = ([], 0)
            for character in entry.dropFirst(2) {
                if let digit = character.wholeNumberValue {
                    count = count * 10 + digit
                } else {
                    form.append((count, character))
                    count = 0
                }
            }
            table[String(entry.prefix(2))] = form
        }
        return table
    }()

    static func fits(_ characters: ArraySlice<UInt8>, country: String) -> Bool {
        guard let form = table[country], form.reduce(0, { $0 + $1.count }) == characters.count else { return false }
        var rest = characters
        for part in form {
            let isRight = rest.prefix(part.count).allSatisfy { character in
                switch part.kind {
                case "n": UTF8Text.isDigit(character)
                case "a": !UTF8Text.isDigit(character)
                default: true
                }
            }
            guard isRight else { return false }
            rest = rest.dropFirst(part.count)
        }
        return true
    }

    private static let text = """
        AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BI23n BR23n1a1c BY4c4n16c CH5n12c CR18n \
        CY8n16c CZ20n DE18n DJ23n DK14n DO4c20n EE16n EG25n ES20n FI14n FK2a12n FO14n FR10n11c2n GB4a14n GE2a16n \
        GI4a15c GL14n GR7n16c GT24c HN4a20n HR17n HU24n IE4a14n IL19n IQ4a15n IS22n IT1a10n12c JO4a4n18c KW4a22c \
        KZ3n13c LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MC10n11c2n MD20c ME18n MK3n10c2n MN16n MR23n \
        MT4a5n18c MU4a19n3a NI4a20n NL4a10n NO11n OM3n16c PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n \
        RU14n15c SA2n18c SC4a20n3a SD14n SE20n SI15n SK20n SM1a10n12c SO19n ST21n SV4a20n TL19n TN20n TR6n16c \
        UA6n19c VA18n VG4a16n XK16n YE4a4n18c
        """
}

/// Text that people write with spaces and hyphens in between.
enum Compact {
    /// The ASCII letters of `text`, in upper case, and its digits. nil if it contains anything besides these, spaces
    /// and hyphens.
    static func text(of text: Span<UInt8>) -> [UInt8]? {
        var characters: [UInt8] = []
        let isRight = UTF8Text.allSatisfy(text) { scalar in
            if let digit = UTF8Text.digit(scalar) {
                characters.append(digit + 48)
                return true
            }
            switch scalar {
            case "a"..."z": characters.append(UInt8(scalar.value) - 32)
            case "A"..."Z": characters.append(UInt8(scalar.value))
            case "-", "\u{2010}"..."\u{2015}", "\u{2212}": break
            default: return scalar.properties.isWhitespace && !UTF8Text.isLineEnd(scalar)
            }
            return true
        }
        return isRight ? characters : nil
    }

    /// The values of the digits; nil if there is a letter among them.
    static func digits(of text: Span<UInt8>) -> [Int]? {
        guard text.count <= 160, let characters = self.text(of: text), characters.allSatisfy(UTF8Text.isDigit) else {
            return nil
        }
        return characters.map { Int($0) - 48 }
    }
}
