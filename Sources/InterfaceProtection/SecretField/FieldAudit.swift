// SPDX-License-Identifier: Apache-2.0

/// A check for debug builds: fields that ask for something secret and show it in clear.
public enum FieldAudit {
    /// What is known of a text field. Its content is not asked for.
    public struct Field: Sendable, Equatable {
        /// `textContentType`, or what stands for it.
        public var contentType: String?
        /// The accessibility identifier, the restoration identifier or the name of the property.
        public var name: String?
        /// The placeholder, in the user's language.
        public var placeholder: String?
        /// Whether its text is masked.
        public var isSecure: Bool

        /// A field.
        public init(contentType: String? = nil, name: String? = nil, placeholder: String? = nil, isSecure: Bool) {
            self.contentType = contentType
            self.name = name
            self.placeholder = placeholder
            self.isSecure = isSecure
        }
    }

    /// A field that should be secure and isn't.
    public struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// The word that tells.
        public let word: String
        /// Where it stands: content type, name or placeholder.
        public let place: String

        /// What may be printed and logged.
        public var description: String { "a text field whose \(place) says \"\(word)\" is not secure" }
    }

    /// What is wrong with `field`; nil if nothing is.
    public static func finding(for field: Field) -> Finding? {
        guard !field.isSecure else { return nil }
        let places = [("content type", field.contentType), ("name", field.name), ("placeholder", field.placeholder)]
        for (place, text) in places {
            if let text, let word = tellingWord(in: text) { return Finding(word: word, place: place) }
        }
        return nil
    }

    /// Whole words: "pin" does not hide in "spinning", nor "card" in "discard".
    private static func tellingWord(in text: String) -> String? {
        let words = words(of: text)
        for (index, word) in words.enumerated() where isTelling(word) {
            let before = index > 0 ? words[index - 1] : ""
            if !(harmlessBefore[word]?.contains(before) ?? false) { return word }
        }
        return nil
    }

    private static func isTelling(_ word: String) -> Bool {
        telling.contains(word) || tellingStems.contains { word.hasPrefix($0) }
    }

    /// Splits at everything but letters, and where camel case begins a word.
    private static func words(of text: String) -> [String] {
        var words = [""]
        var wasLower = false
        for character in text.prefix(200) {
            let startsWord = character.isUppercase && wasLower
            if !character.isLetter || startsWord { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() }
            wasLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    private static let telling: Set<String> = [
        "password", "passwords", "passwd", "passcode", "passphrase", "pin", "code", "otp", "card", "cvv", "cvc", "cvn",
        "secret",
        "пин", "код", "кода", "карта", "карты", "карте",
    ]
    private static let tellingStems = ["пароль", "пароля", "парол"]
    private static let harmlessBefore: [String: Set<String>] = [
        "code": [
            "postal", "post", "zip", "country", "area", "promo", "promotion", "discount", "voucher", "currency",
            "language",
        ],
        "код": ["почтовый", "телефонный"],
        "card": ["business", "loyalty", "v"],
    ]
}
