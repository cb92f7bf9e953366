// SPDX-License-Identifier: Apache-2.0

/// A telephone number in the international form of E.164. Whether it is in use, only a call can tell.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// `+` and 7 to 15 digits, nothing else.
    public let e164: String

    /// What may be printed and logged.
    public var description: String { e164 }
}

extension Rule where Value == PhoneNumber {
    /// An international number: `+`, a country code, at least 7 and at most 15 digits in all. Spaces, hyphens, dots and one
    /// pair of parentheses may stand between digits. Errors: `.required`, `.phone`.
    public static var phone: Rule {
        Rule { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 40, utf8[0] == UInt8(ascii: "+") else { throw Reason(.phone) }
            var digits = ""
            var parentheses = ""
            var wasDigit = false
            for index in 1..<utf8.count {
                let byte = utf8[index]
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.unicodeScalars.append(Unicode.Scalar(byte))
                case UInt8(ascii: "("), UInt8(ascii: ")"): parentheses.unicodeScalars.append(Unicode.Scalar(byte))
                case UInt8(ascii: " "): break
                case UInt8(ascii: "-"), UInt8(ascii: "."):
                    guard wasDigit || utf8[index - 1] == UInt8(ascii: ")") else { throw Reason(.phone) }
                default: throw Reason(.phone)
                }
                wasDigit = UTF8Text.isDigit(byte)
            }
            guard wasDigit, (7...15).contains(digits.utf8.count), digits.first != "0",
                parentheses.isEmpty || parentheses == "()"
            else { throw Reason(.phone) }
            return PhoneNumber(e164: "+" + digits)
        }
    }
}
