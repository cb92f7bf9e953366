// SPDX-License-Identifier: Apache-2.0

/// The check digits inside the national part of an IBAN, behind those of ISO 13616. The registry of ISO 13616 names the
/// digits; each country's banks define the calculation. Not checked: countries whose banks use several calculations, or
/// have numbers without (Germany, Britain, the Netherlands, Iceland), and those without check digits.
enum NationalCheckDigits {
    /// Whether the digits of `number`, the characters after the first four, are right, where they are checked.
    /// Its form must be that of the country.
    static func areRight(in number: ArraySlice<UInt8>, country: String) -> Bool {
        let text = Array(number)
        switch country {
        // ISO 7064, MOD 97-10, over all of it.
        case "BA", "ME", "MK", "PT", "RS", "SI", "TL", "XK": return remainder(text) == 1
        case "BE": return last(2, of: text, are: nonZero(remainder(text.prefix(10))))
        case "TN", "MR": return last(2, of: text, are: 97 - remainder(text.dropLast(2)) * 100 % 97)
        case "FR", "MC": return last(2, of: text, are: 97 - remainder(text.dropLast(2).map(keyDigit)) * 100 % 97)
        case "IT", "SM": return text.first == checkLetter(of: text.dropFirst())
        case "ES":
            return sum([4, 8, 5, 10, 9, 7, 3, 6], text.prefix(8), and: text[8], 11)
                && sum([1, 2, 4, 8, 5, 10, 9, 7, 3, 6], text.suffix(10), and: text[9], 11)
        case "NO":
            // Accounts of the former postal giro have seven digits of their own.
            if text.prefix(4).allSatisfy({ $0 == UInt8(ascii: "0") }) { return hasLuhnSum(text.suffix(7)) }
            // Of an account that begins with 00 some banks calculate the digit without the bank's number.
            return sum([5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1], text, 11)
                || (text[4...5].allSatisfy { $0 == UInt8(ascii: "0") } && sum([5, 4, 3, 2, 1], text.suffix(5), 11))
        case "FI": return hasLuhnSum(text[...])
        case "EE": return sum([7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1], text.suffix(14), 10)
        case "HR": return isMixed(text.prefix(7)) && isMixed(text.suffix(10))
        case "CZ", "SK":
            return sum([10, 5, 8, 4, 2, 1], text[4..<10], 11)
                && sum([6, 3, 7, 9, 10, 5, 8, 4, 2, 1], text.suffix(10), 11)
        case "HU":
            let weights = [9, 7, 3, 1, 9, 7, 3, 1]
            return sum(weights, text.prefix(8), 10) && sum(weights + weights, text.suffix(16), 10)
        case "PL": return sum([3, 9, 7, 1, 3, 9, 7, 1], text.prefix(8), 10)
        case "AL": return sum([9, 7, 3, 1, 9, 7, 3, 1], text.prefix(8), 10)
        default: return true
        }
    }

    private static func value(_ character: UInt8) -> Int {
        UTF8Text.isDigit(character) ? Int(character) - 48 : Int(character) - 55
    }

    /// The remainder of division by 97 of the number that the characters are, with A to Z as 10 to 35.
    static func remainder(_ text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { ($0 * (UTF8Text.isDigit($1) ? 10 : 100) + value($1)) % 97 }
    }

    private static func nonZero(_ remainder: Int) -> Int { remainder == 0 ? 97 : remainder }

    private static func last(_ count: Int, of text: [UInt8], are expected: Int) -> Bool {
        text.suffix(count).reduce(0) { $0 * 10 + value($1) } == expected
    }

    /// Whether the weighted sum is divisible.
    private static func sum(_ weights: [Int], _ digits: some Sequence<UInt8>, _ divisor: Int) -> Bool {
        zip(weights, digits).reduce(0) { $0 + $1.0 * value($1.1) } % divisor == 0
    }

    /// Spain: 11 less the remainder is the digit, with 1 for 10 and 0 for 11.
    private static func sum(
        _ weights: [Int], _ digits: some Sequence<UInt8>, and digit: UInt8, _ divisor: Int
    ) -> Bool {
        let rest = divisor - zip(weights, digits).reduce(0) { $0 + $1.0 * value($1.1) } % divisor
        return value(digit) == (rest == 11 ? 0 : rest == 10 ? 1 : rest)
    }

    private static func hasLuhnSum(_ digits: ArraySlice<UInt8>) -> Bool {
        Digits.luhnSum(of: digits.count) { digits[digits.startIndex + $0] }.isMultiple(of: 10)
    }

    /// ISO 7064, MOD 11,10.
    private static func isMixed(_ digits: ArraySlice<UInt8>) -> Bool {
        let product = digits.dropLast().reduce(10) { product, digit in
            let sum = (product + value(digit)) % 10
            return (sum == 0 ? 10 : sum) * 2 % 11
        }
        return (product + value(digits.last ?? 0)) % 10 == 1
    }

    /// The digit of a letter in the French key: A to I, J to R and S to Z count from 1, 1 and 2.
    private static func keyDigit(_ character: UInt8) -> UInt8 {
        guard !UTF8Text.isDigit(character) else { return character }
        let letter = Int(character) - 65
        return UInt8(48 + (letter < 18 ? letter % 9 + 1 : letter - 16))
    }

    private static let oddPlaces: [Int] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ]

    /// The Italian check letter.
    private static func checkLetter(of text: ArraySlice<UInt8>) -> UInt8 {
        let sum = text.enumerated().reduce(0) { sum, place in
            let order = UTF8Text.isDigit(place.element) ? value(place.element) : Int(place.element) - 65
            return sum + (place.offset.isMultiple(of: 2) ? oddPlaces[order] : order)
        }
        return UInt8(65 + sum % 26)
    }
}
