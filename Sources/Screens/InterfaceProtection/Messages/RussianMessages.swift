// SPDX-License-Identifier: Apache-2.0

enum RussianMessages {
    static let table = try? MessageTable(language: "ru", texts)

    // After "не менее" and the like stands the genitive, which has one form for 1, 21, 31 and another for all others.
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
        "phone": "Это не номер телефона. Укажите его с кодом страны: +7 495 123-45-67.",
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
        "date": "Такой даты нет. Образец: {details}.",
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
