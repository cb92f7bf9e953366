// SPDX-License-Identifier: Apache-2.0

/// Why a field is wrong. It never contains what was typed.
public struct Reason: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; an app adds its own under its own name.
    public struct Code: Hashable, Sendable {
        /// The name by which messages refer to it.
        public let name: String
        /// A kind of error. Names with a dot are reserved for apps.
        public init(_ name: String) { self.name = name }
    }

    /// The kind of error.
    public let code: Code
    /// The smallest accepted value, for errors about limits.
    public let minimum: String?
    /// The largest accepted value, for errors about limits.
    public let maximum: String?
    /// What the policy accepts, independent of language: the schemes of an address, the form of a date.
    public let details: [String]
    /// For an app's own codes: the message, if the app has no table of messages.
    public let message: String?

    /// A reason. `message` is shown unchanged, in place of a message from a table.
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

    /// The message in English. `Messages` has it in the user's language.
    public var description: String { Messages.english.text(for: self) }

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
    /// An invisible character, which `details` names: U+202E.
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
    /// Not a card number: wrong length for its network, or a wrong digit.
    public static let card = Self("card")
    /// Not a code of `minimum` digits.
    public static let oneTimeDigits = Self("oneTimeDigits")
    /// Not the security code of a card: `minimum` to `maximum` digits.
    public static let cvc = Self("cvc")
    /// Not a month and a year as printed on a card.
    public static let expiry = Self("expiry")
    /// A card that is no longer valid.
    public static let expired = Self("expired")
    /// Not the number of a bank account (IBAN).
    public static let iban = Self("iban")
    /// Not a postal code of the country, whose codes look like `details`.
    public static let postal = Self("postal")
    /// Not the name of a person.
    public static let personName = Self("personName")
    /// Not a login name.
    public static let userName = Self("userName")
    /// Not a UUID.
    public static let uuid = Self("uuid")
    /// Not a number of the kind that `details` names, for example ИНН: wrong length or a wrong digit.
    public static let identifier = Self("identifier")
    /// Not a calendar date in the form that `details` shows.
    public static let date = Self("date")
    /// A password in common use, or an easily guessed one.
    public static let commonPassword = Self("commonPassword")
    /// A password that contains the user's or the service's name.
    public static let contextWord = Self("contextWord")
    /// Different from the field that it must repeat.
    public static let different = Self("different")
    /// Refused by the server.
    public static let refused = Self("refused")
    /// The server could not be asked.
    public static let unreachable = Self("unreachable")
    /// The content could not be read; try again.
    public static let unavailable = Self("unavailable")
}
