// SPDX-License-Identifier: Apache-2.0

/// What the user reads about a wrong field.
public struct Messages: Sendable {
    /// The language's code: "en".
    public let language: String

    private let text: @Sendable (Reason) -> String?

    /// Messages in another language or wording. `text` returns the message of a reason, or nil for the English one.
    public init(language: String, text: @escaping @Sendable (Reason) -> String?) {
        self.language = language
        self.text = text
    }

    /// The message for `reason`: a whole sentence that never contains the typed text.
    public func text(for reason: Reason) -> String {
        if let message = reason.message { return message }
        return text(reason) ?? EnglishMessages.text(for: reason) ?? "This is not right."
    }

    /// The message for `problem`, prefixed with the field's label.
    public func text(for problem: FormProblem) -> String { "\(problem.label): \(text(for: problem.reason))" }

    /// English.
    public static let english = Messages(language: "en", text: EnglishMessages.text)
    /// Russian.
    public static let russian = Messages(language: "ru", text: RussianMessages.text)

    /// The first language of `preferences` that has messages, otherwise English. `others` come before the built-in
    /// ones. Language codes may be in system form: `ru-RU`, `ru_RU.UTF-8`.
    public static func preferring(_ preferences: [String], others: [Messages] = []) -> Messages {
        for preference in preferences {
            let language = preference.lowercased().prefix { $0.isLetter }
            let all = others + [english, russian]
            if let found = all.first(where: { $0.language.lowercased().prefix { $0.isLetter } == language }) {
                return found
            }
        }
        return english
    }
}

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
        "phone": "This is not a telephone number. Check it, or add the country code: +44 20 7946 0123.",
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
        "identifier": "This is not a valid {details}. Please check the digits.",
        "oneTimeDigits": "The code has {minimum} {minimum:one=digit|other=digits}.",
        "date": "There is no such date. Write it like this, the year with four digits: {details}.",
        "date.plain": "There is no such date.",
        "commonPassword": "Many people use this password, or it is easily guessed. Please choose another one.",
        "contextWord": "The password must not contain your name, your address or the service's name.",
        "different": "The two are not the same.",
        "refused": "The server does not accept this.",
        "unreachable": "The server could not be asked. Please try again.",
        "unavailable": "This could not be read. Please try again.",
    ]

    static func text(for reason: Reason) -> String? { table?.text(for: reason) }
}

enum RussianMessages {
    static let table = try? MessageTable(language: "ru", texts)

    // "Не менее" and similar phrases take the genitive. It has one form for 1, 21, 31 and another for all
    // other numbers.
    static let texts = [
        "or": " или ",
        "required": "Заполните это поле.",
        "tooShort": "Не менее {minimum} {minimum:one=символа|other=символов}.",
        "tooLong": "Не более {maximum} {maximum:one=символа|other=символов}.",
        "character": "Здесь есть недопустимый символ.",
        "hidden": "Здесь есть невидимый символ ({details}). Введите текст заново или удалите этот символ.",
        "notText": "Это не текст.",
        "number": "Это не число.",
        "amount": "Это не денежная сумма.",
        "fraction": "Не более {maximum} {maximum:one=цифры|other=цифр} после запятой.",
        "range": "Допустимо от {minimum} до {maximum}.",
        "range.minimum": "Не меньше {minimum}.",
        "range.maximum": "Не больше {maximum}.",
        "range.unknown": "Значение вне допустимых пределов.",
        "email": "Это не адрес электронной почты: name@example.com.",
        "phone": "Это не номер телефона. Проверьте цифры или укажите его с кодом страны: +7 495 123-45-67.",
        "webAddress": "Это не веб-адрес: https://example.com.",
        "scheme": "Адрес должен начинаться с {details}.",
        "privateHost": "Этот адрес ведёт в частную сеть. Укажите общедоступный.",
        "card": "Это не номер карты. Проверьте цифры.",
        "cvc": "Код безопасности состоит из {minimum}–{maximum} цифр.",
        "cvc.exact": "Код безопасности состоит из {minimum} {minimum:one=цифры|other=цифр}.",
        "expiry": "Укажите месяц и год, как на карте: 02/29.",
        "expired": "Срок действия карты истёк.",
        "iban": "Это не IBAN. Проверьте буквы и цифры.",
        "postal": "Почтовый индекс здесь выглядит так: {details}.",
        "postal.plain": "Это не почтовый индекс этой страны.",
        "personName": "Имя состоит из букв, пробелов, дефисов и апострофов.",
        "userName": "Используйте буквы одного алфавита и цифры; между ними — по одной точке, дефису или подчёркиванию.",
        "uuid": "Это не UUID: нужны 32 шестнадцатеричные цифры в пяти группах.",
        "identifier": "Неверный номер ({details}). Проверьте цифры.",
        "oneTimeDigits": "Код состоит из {minimum} {minimum:one=цифры|other=цифр}.",
        "date": "Такой даты нет. Образец, год из четырёх цифр: {details}.",
        "date.plain": "Такой даты нет.",
        "commonPassword": "Этот пароль часто используют или легко угадать. Выберите другой.",
        "contextWord": "Пароль не должен содержать ваше имя или название сервиса.",
        "different": "Значения не совпадают.",
        "refused": "Сервер не принимает это значение.",
        "unreachable": "Не удалось связаться с сервером. Попробуйте ещё раз.",
        "unavailable": "Не удалось прочитать поле. Попробуйте ещё раз.",
    ]

    static func text(for reason: Reason) -> String? { table?.text(for: reason) }
}
