// SPDX-License-Identifier: Apache-2.0

enum RussianMessages {
    static func text(for reason: Reason) -> String? {
        switch reason.code {
        case .required: "Заполните это поле."
        case .tooShort: "Не менее \(count(reason.minimum))."
        case .tooLong: "Не более \(count(reason.maximum))."
        case .character: "Здесь есть недопустимый символ."
        case .notText: "Это не текст."
        case .number: "Это не число."
        case .range: range(reason)
        case .email: "Это не адрес электронной почты: name@example.com."
        case .phone: "Укажите номер с кодом страны: +7 495 123-45-67."
        case .webAddress: "Это не веб-адрес: https://example.com."
        case .scheme: "Адрес должен начинаться с https://."
        case .card: "Это не номер карты. Проверьте цифры."
        case .oneTimeDigits: "Код состоит из \(digits(reason.minimum))."
        case .date: "Такой даты нет."
        case .commonPassword: "Этот пароль часто используют или легко угадать. Выберите другой."
        case .contextWord: "Пароль не должен содержать ваше имя или название сервиса."
        case .different: "Значения не совпадают."
        case .refused: "Сервер не принимает это значение."
        case .unreachable: "Не удалось связаться с сервером. Попробуйте ещё раз."
        case .unavailable: "Не удалось прочитать поле. Попробуйте ещё раз."
        default: nil
        }
    }

    // The genitive, which has one form for 1, 21, 31 and another for all others: 1 символа, 11 символов, 21 символа.
    private static func count(_ number: String?) -> String { genitive(number, one: "символа", many: "символов") }
    private static func digits(_ number: String?) -> String { genitive(number, one: "цифры", many: "цифр") }

    private static func genitive(_ number: String?, one: String, many: String) -> String {
        let number = number ?? ""
        return "\(number) \(number.hasSuffix("1") && !number.hasSuffix("11") ? one : many)"
    }

    private static func range(_ reason: Reason) -> String {
        switch (reason.minimum, reason.maximum) {
        case (let minimum?, let maximum?): "Допустимо от \(minimum) до \(maximum)."
        case (let minimum?, nil): "Не меньше \(minimum)."
        case (nil, let maximum?): "Не больше \(maximum)."
        case (nil, nil): "Значение вне допустимых пределов."
        }
    }
}
