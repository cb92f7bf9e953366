// SPDX-License-Identifier: Apache-2.0

/// What the user reads about a wrong field.
public struct Messages: Sendable {
    /// The language's code: "en".
    public let language: String

    private let text: @Sendable (Reason) -> String?

    /// Messages in another language, or other words: `text` gives the message of a reason, or nil for the English one.
    public init(language: String, text: @escaping @Sendable (Reason) -> String?) {
        self.language = language
        self.text = text
    }

    /// The message for `reason`: a whole sentence, without what was typed.
    public func text(for reason: Reason) -> String {
        if let message = reason.message { return message }
        return text(reason) ?? EnglishMessages.text(for: reason) ?? "This is not right."
    }

    /// The message for `problem`, after the field's label.
    public func text(for problem: FormProblem) -> String { "\(problem.label): \(text(for: problem.reason))" }

    /// English.
    public static let english = Messages(language: "en", text: EnglishMessages.text)
    /// Russian.
    public static let russian = Messages(language: "ru", text: RussianMessages.text)

    /// The first language of `preferences` that there are messages in, else English; `others` are looked at before ours. Takes
    /// codes as systems write them: `ru-RU`, `ru_RU.UTF-8`.
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
