// SPDX-License-Identifier: Apache-2.0

/// The holder of an ИНН.
public enum INNHolder: Sendable, Equatable {
    /// An organization: ten digits.
    case organization
    /// A person: twelve digits.
    case person
    /// Either.
    case any
}

/// Numbers that Russian authorities and banks assign. Each value is the digits alone; spaces and hyphens may
/// separate them.
extension Rule where Value == String {
    /// ИНН, of ten or twelve digits. The last digit, or the last two, are check digits. Trims. Errors:
    /// `.required`, `.identifier`.
    public static func inn(_ holder: INNHolder = .any) -> Rule {
        identifier("ИНН") { digits in
            switch digits.count {
            case 10 where holder != .person: checkDigit(digits, [2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[9]
            case 12 where holder != .organization:
                checkDigit(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[10]
                    && checkDigit(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[11]
            default: false
            }
        }
    }

    /// СНИЛС, of eleven digits. For numbers over 001-001-998, the last two are check digits. Trims. Errors:
    /// `.required`, `.identifier`.
    public static var snils: Rule {
        identifier("СНИЛС") { digits in
            guard digits.count == 11, digits.prefix(9).contains(where: { $0 > 0 }) else { return false }
            let number = digits.prefix(9).reduce(0) { $0 * 10 + $1 }
            guard number > 1_001_998 else { return true }
            let sum = zip(digits, (1...9).reversed()).reduce(0) { $0 + $1.0 * $1.1 } % 101
            return sum % 100 == digits[9] * 10 + digits[10]
        }
    }

    /// ОГРН or ОГРНИП, of thirteen or fifteen digits, of which the last is a check digit. Trims. Errors:
    /// `.required`, `.identifier`.
    public static var ogrn: Rule {
        identifier("ОГРН") { digits in
            guard digits.count == 13 || digits.count == 15, let first = digits.first, first > 0 else { return false }
            let number = digits.dropLast().reduce(0) { $0 * 10 + $1 }
            return number % (digits.count - 2) % 10 == digits.last
        }
    }

    /// БИК, of nine digits: Russia's own code and the bank's. It has no check digit: see `russianAccount`. Trims.
    /// Errors: `.required`, `.identifier`.
    public static var bik: Rule {
        identifier("БИК") { $0.count == 9 && $0[0] == 0 && [0, 1, 2, 4].contains($0[1]) }
    }

    /// КПП: the tax office (four digits), the reason (two digits or letters), and a number (three digits). Trims.
    /// Errors: `.required`, `.identifier`.
    public static var kpp: Rule {
        let reason = Reason(.identifier, details: ["КПП"])
        return Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 40, let text = Compact.text(of: utf8), text.count == 9,
                (text[..<4] + text[6...]).allSatisfy(UTF8Text.isDigit), text[..<4] != Array("0000".utf8)[...]
            else { throw reason }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// An account of twenty digits at the bank of `bik`. The ninth digit is a check digit over both. Trims. Errors:
    /// `.required`, `.identifier`.
    public static func russianAccount(bik: String) -> Rule {
        let bank = bik.utf8.map { Int($0) - 48 }
        return identifier("расчётный счёт") { digits in
            guard digits.count == 20, bank.count == 9, bank.allSatisfy((0...9).contains) else { return false }
            // At the Bank of Russia itself, "0" and the office; at any other bank, that bank's own number.
            let isCentral = bank[6...].elementsEqual([0, 0, 0]) || bank[6...].elementsEqual([0, 0, 1])
            let head = isCentral ? [0] + bank[4..<6] : Array(bank[6...])
            let sum = (head + digits).enumerated().reduce(0) { $0 + $1.element * [7, 1, 3][$1.offset % 3] % 10 }
            return sum % 10 == 0
        }
    }

    private static func identifier(_ name: String, _ isRight: @escaping @Sendable ([Int]) -> Bool) -> Rule {
        let reason = Reason(.identifier, details: [name])
        return Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard let digits = Compact.digits(of: utf8), digits.contains(where: { $0 > 0 }), isRight(digits) else {
                throw reason
            }
            return digits.map { String($0) }.joined()
        }
    }

    private static func checkDigit(_ digits: [Int], _ weights: [Int]) -> Int {
        zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 } % 11 % 10
    }
}
