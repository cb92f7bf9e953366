// SPDX-License-Identifier: Apache-2.0

/// A check for debug builds: finds fields that ask for a secret and show it unmasked.
public enum FieldAudit {
    /// What is known about a text field, without its content.
    public struct Field: Sendable, Equatable {
        /// `textContentType`, or its equivalent.
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

    /// A field that should be secure but isn't.
    public struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// The word that shows it.
        public let word: String
        /// Where the word is: content type, name or placeholder.
        public let place: String

        /// The finding, safe to print and log.
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

    /// The word that shows it, unless the words around it mean something else.
    private static func tellingWord(in text: String) -> String? {
        let words = words(of: text)
        guard !words.isEmpty else { return nil }
        let spelled = words.joined(separator: " ")
        if let type = AuditWords.contentTypes[words.joined()] { return type ? spelled : nil }
        for word in words where AuditWords.secret.contains(where: { $0.matches(word) }) {
            if !words.contains(where: { other in AuditWords.takesBack.contains { $0.matches(other) } }) { return word }
        }
        // Text without spaces between words.
        let whole = words.joined()
        if let found = AuditWords.unspaced.first(where: whole.contains),
            !AuditWords.unspacedTakesBack.contains(where: whole.contains)
        {
            return found
        }
        return AuditWords.pairs.lazy.compactMap { $0.finding(in: words) }.first
    }

    /// The words in lower case and without accents. Splits at everything but letters, which includes digits, and where
    /// camel case begins a word.
    private static func words(of text: String) -> [String] {
        var words: [[Unicode.Scalar]] = [[]]
        var wasLower = false
        for scalar in Composition.letters(of: String(text.prefix(200))) {
            let isLetter = scalar.properties.isAlphabetic
            let isUpper = scalar.properties.isUppercase
            if !isLetter || (isUpper && wasLower) { words.append([]) }
            if isLetter { words[words.count - 1] += Array(scalar.properties.lowercaseMapping.unicodeScalars) }
            wasLower = isLetter && !isUpper
        }
        return words.filter { !$0.isEmpty }.map { String(String.UnicodeScalarView($0)) }
    }
}
