// SPDX-License-Identifier: Apache-2.0

enum EnglishMessages {
    static func text(for reason: Reason) -> String? {
        switch reason.code {
        case .required: "Please fill this in."
        case .tooShort: "At least \(count(reason.minimum)), please."
        case .tooLong: "At most \(count(reason.maximum)), please."
        case .character: "A character here is not allowed."
        case .notText: "This is not text."
        case .number: "This is not a number."
        case .range: range(reason)
        case .email: "This is not an e-mail address: name@example.com."
        case .phone: "Write the number with the country code: +44 20 7946 0123."
        case .webAddress: "This is not a web address: https://example.com."
        case .scheme: "The address must begin with https://."
        case .card: "This is not a card number. Please check the digits."
        case .oneTimeDigits: "The code has \(reason.minimum ?? "") \(reason.minimum == "1" ? "digit" : "digits")."
        case .date: "There is no such date."
        case .commonPassword: "Many people use this password, or it is easily guessed. Please choose another one."
        case .contextWord: "The password must not contain your name or the service's."
        case .different: "The two are not the same."
        case .refused: "The server does not accept this."
        case .unreachable: "The server could not be asked. Please try again."
        case .unavailable: "This could not be read. Please try again."
        default: nil
        }
    }

    private static func count(_ number: String?) -> String {
        "\(number ?? "") \(number == "1" ? "character" : "characters")"
    }

    private static func range(_ reason: Reason) -> String {
        switch (reason.minimum, reason.maximum) {
        case (let minimum?, let maximum?): "From \(minimum) to \(maximum), please."
        case (let minimum?, nil): "\(minimum) or more, please."
        case (nil, let maximum?): "\(maximum) or less, please."
        case (nil, nil): "This is out of range."
        }
    }
}
