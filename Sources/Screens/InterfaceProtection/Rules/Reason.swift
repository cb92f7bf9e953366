// SPDX-License-Identifier: Apache-2.0

/// Why a field is wrong. It never holds what was typed.
public struct Reason: Error, Sendable, Equatable {
    /// The kind of fault; an app adds its own with a name of its own.
    public struct Code: Hashable, Sendable {
        /// The name under which messages know it.
        public let name: String
        /// A kind of fault. Names with a dot are kept for apps.
        public init(_ name: String) { self.name = name }
    }

    /// The kind of fault.
    public let code: Code
    /// The least that would do, where that is the point.
    public let minimum: String?
    /// The most that would do, where that is the point.
    public let maximum: String?
    /// What would do, in words of no language, where the policy says so: the schemes of an address, the form of a date.
    public let details: [String]
    /// For an app's own codes: the message, if the app has no table of messages.
    public let message: String?

    /// A reason. `message` is shown as it is, in place of a message from a table.
    public init(
        _ code: Code, minimum: String? = nil, maximum: String? = nil, details: [String] = [], message: String? = nil
    ) {
        self.code = code
        self.minimum = minimum
        self.maximum = maximum
        self.details = details
        self.message = message
    }

    init(_ code: Code, minimum: Int) { self.init(code, minimum: String(minimum)) }
    init(_ code: Code, maximum: Int) { self.init(code, maximum: String(maximum)) }

    /// A refusal by a server, in its own words.
    public static func refused(_ message: String) -> Reason { Reason(.refused, message: message) }
}

extension Reason.Code {
    /// Nothing was typed.
    public static let required = Self("required")
    /// Fewer code points than `minimum`.
    public static let tooShort = Self("tooShort")
    /// More code points than `maximum`.
    public static let tooLong = Self("tooLong")
    /// A character that is not allowed here.
    public static let character = Self("character")
    /// A character that nobody sees, which `details` names: U+202E.
    public static let hidden = Self("hidden")
    /// Not UTF-8.
    public static let notText = Self("notText")
    /// Not a number.
    public static let number = Self("number")
    /// A number, date or amount outside `minimum`...`maximum`.
    public static let range = Self("range")
    /// More digits after the separator than `maximum`.
    public static let fraction = Self("fraction")
    /// Not a sum of money.
    public static let amount = Self("amount")
    /// Not in the form of an e-mail address.
    public static let email = Self("email")
    /// Not in the form of an international telephone number.
    public static let phone = Self("phone")
    /// Not a web address.
    public static let webAddress = Self("webAddress")
    /// A web address whose scheme is not one of `details`: http instead of https.
    public static let scheme = Self("scheme")
    /// The address of a host that is not on the public Internet.
    public static let privateHost = Self("privateHost")
    /// Not a card number: wrong length for its kind, or a digit is wrong.
    public static let card = Self("card")
    /// Not a code of `minimum` digits.
    public static let oneTimeDigits = Self("oneTimeDigits")
    /// Not the security code of a card: `minimum` to `maximum` digits.
    public static let cvc = Self("cvc")
    /// Not a month and a year as they are printed on a card.
    public static let expiry = Self("expiry")
    /// A card that is no longer valid.
    public static let expired = Self("expired")
    /// Not the number of a bank account (IBAN).
    public static let iban = Self("iban")
    /// Not a postal code of the country, whose codes look like `details`.
    public static let postal = Self("postal")
    /// Not the name of a person.
    public static let personName = Self("personName")
    /// Not a name to log in with.
    public static let userName = Self("userName")
    /// Not a UUID.
    public static let uuid = Self("uuid")
    /// Not a number of the kind that `details` names, for example ИНН: of another length, or with a wrong digit.
    public static let identifier = Self("identifier")
    /// Not a date of the calendar, in the form that `details` shows.
    public static let date = Self("date")
    /// A password that others use, or that is easily guessed.
    public static let commonPassword = Self("commonPassword")
    /// A password that contains the user's or the service's name.
    public static let contextWord = Self("contextWord")
    /// Not the same as the field it has to repeat.
    public static let different = Self("different")
    /// Refused by the server.
    public static let refused = Self("refused")
    /// The server could not be asked.
    public static let unreachable = Self("unreachable")
    /// The content could not be read; try again.
    public static let unavailable = Self("unavailable")
}
