// SPDX-License-Identifier: Apache-2.0

enum EnglishMessages {
    static let table = try? MessageTable(language: "en", texts)

    static let texts = [
        "or": " or ",
        "required": "Please fill this in.",
        "tooShort": "At least {minimum} {minimum:one=character|other=characters}, please.",
        "tooLong": "At most {maximum} {maximum:one=character|other=characters}, please.",
        "character": "A character here is not allowed.",
        "hidden": "There is a character here that can't be seen ({details}). Please type the text again, or remove it.",
        "notText": "This is not text.",
        "number": "This is not a number.",
        "amount": "This is not an amount of money.",
        "fraction": "At most {maximum} {maximum:one=digit|other=digits} after the decimal sign, please.",
        "range": "From {minimum} to {maximum}, please.",
        "range.minimum": "{minimum} or more, please.",
        "range.maximum": "{maximum} or less, please.",
        "range.unknown": "This is out of range.",
        "email": "This is not an e-mail address: name@example.com.",
        "phone": "This is not a telephone number. Write it with the country code: +44 20 7946 0123.",
        "webAddress": "This is not a web address: https://example.com.",
        "scheme": "The address must begin with {details}.",
        "privateHost": "This address leads into a private network. Please give a public one.",
        "card": "This is not a card number. Please check the digits.",
        "cvc": "The security code has {minimum} to {maximum} digits.",
        "cvc.exact": "The security code has {minimum} {minimum:one=digit|other=digits}.",
        "expiry": "Write the month and the year as they are on the card: 02/29.",
        "expired": "This card has expired.",
        "iban": "This is not an IBAN. Please check the letters and digits.",
        "postal": "A postal code here looks like {details}.",
        "postal.plain": "This is not a postal code of that country.",
        "personName": "A name has letters, spaces, hyphens and apostrophes.",
        "userName": "Use letters or digits of one alphabet, with single dots, hyphens or underscores between them.",
        "uuid": "This is not a UUID: 32 hexadecimal digits in five groups.",
        "identifier": "This is not a right {details}. Please check the digits.",
        "oneTimeDigits": "The code has {minimum} {minimum:one=digit|other=digits}.",
        "date": "There is no such date. Write it like this: {details}.",
        "date.plain": "There is no such date.",
        "commonPassword": "Many people use this password, or it is easily guessed. Please choose another one.",
        "contextWord": "The password must not contain your name or the service's.",
        "different": "The two are not the same.",
        "refused": "The server does not accept this.",
        "unreachable": "The server could not be asked. Please try again.",
        "unavailable": "This could not be read. Please try again.",
    ]

    static func text(for reason: Reason) -> String? { table?.text(for: reason) }
}
