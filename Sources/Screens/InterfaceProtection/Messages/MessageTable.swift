// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The messages of one language as data: a JSON file of reason names and messages, so a new language needs no code.
///
/// ```json
/// {
///   "language": "de",
///   "messages": {
///     "required": "Bitte ausfüllen.",
///     "tooShort": "Mindestens {minimum} {minimum:one=Zeichen|other=Zeichen}."
///   }
/// }
/// ```
///
/// A message can contain these placeholders:
///
/// - `{minimum}`, `{maximum}` and `{details}`: the policy's values. `{details}` is a list, joined with the
///   message `or`.
/// - `{minimum:one=...|other=...}`: the word for that number, by the plural forms of Unicode's CLDR (`zero`, `one`,
///   `two`, `few`, `many`, `other`). `other` is required.
///
/// The names of a range are `range`, `range.minimum`, `range.maximum` and `range.unknown`, by which limits are known.
struct MessageTable: Sendable {
    let language: String
    private let templates: [String: Template]

    init(language: String, _ texts: [String: String]) throws(MessageError) {
        self.language = language
        var templates: [String: Template] = [:]
        for (name, text) in texts {
            guard let template = Template(text) else {
                throw MessageError(
                    .placeholder,
                    "the message of \"\(name)\" has a placeholder that is not known: \(text). Write {minimum}, {maximum} or {details}.",
                    name: name)
            }
            templates[name] = template
        }
        self.templates = templates
    }

    /// The message for `reason`; nil if there is none of that name.
    func text(for reason: Reason) -> String? {
        var name = reason.code.name
        if reason.code == .range, reason.minimum == nil || reason.maximum == nil {
            name += reason.minimum != nil ? ".minimum" : reason.maximum != nil ? ".maximum" : ".unknown"
        } else if reason.minimum != nil, reason.minimum == reason.maximum, templates[name + ".exact"] != nil {
            name += ".exact"
        } else if reason.details.isEmpty, templates[name + ".plain"] != nil {
            name += ".plain"
        }
        let or = templates["or"]?.text(Reason(.required), language: language, or: "") ?? ", "
        return templates[name]?.text(reason, language: language, or: or)
    }
}

/// A message with placeholders for the policy's values.
private struct Template: Sendable {
    private enum Part: Sendable {
        case text(String)
        case value(String)
        case word(String, [String: String])
    }
    private var parts: [Part] = []

    init?(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            parts.append(.text(String(rest[..<open])))
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let body = rest[rest.index(after: open)..<close].split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(body[0])
            guard ["minimum", "maximum", "details"].contains(name) else { return nil }
            if body.count == 1 {
                parts.append(.value(name))
            } else {
                var words: [String: String] = [:]
                for form in body[1].split(separator: "|", omittingEmptySubsequences: false) {
                    let halves = form.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    guard halves.count == 2, ["zero", "one", "two", "few", "many", "other"].contains(halves[0]) else {
                        return nil
                    }
                    words[String(halves[0])] = String(halves[1])
                }
                guard words["other"] != nil, name != "details" else { return nil }
                parts.append(.word(name, words))
            }
            rest = rest[rest.index(after: close)...]
        }
        guard !rest.contains("}") else { return nil }
        parts.append(.text(String(rest)))
    }

    func text(_ reason: Reason, language: String, or: String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): return text
            case .value("details"):
                guard let last = reason.details.last else { return "" }
                let others = reason.details.dropLast().joined(separator: ", ")
                return others.isEmpty ? last : others + or + last
            case .value(let name): return Self.number(name, reason)
            case .word(let name, let words):
                let category = PluralCategory.of(Self.number(name, reason), language: language)
                return words[category] ?? words["other"] ?? ""
            }
        }.joined()
    }

    private static func number(_ name: String, _ reason: Reason) -> String {
        (name == "minimum" ? reason.minimum : reason.maximum) ?? ""
    }
}

/// The plural form for a whole number, by the rules of CLDR for languages whose forms differ from English.
private enum PluralCategory {
    static func of(_ number: String, language: String) -> String {
        guard let number = Int(number).map({ abs($0) }) else { return "other" }
        let (last, lastTwo) = (number % 10, number % 100)
        let isFew = (2...4).contains(last) && !(12...14).contains(lastTwo)
        switch language.prefix(2) {
        case "ru", "uk", "be", "sr", "hr", "bs":
            return last == 1 && lastTwo != 11 ? "one" : isFew ? "few" : "many"
        case "pl": return number == 1 ? "one" : isFew ? "few" : "many"
        case "cs", "sk": return number == 1 ? "one" : (2...4).contains(number) ? "few" : "other"
        case "lt":
            return last == 1 && lastTwo != 11 ? "one" : last > 1 && !(11...19).contains(lastTwo) ? "few" : "other"
        case "fr", "pt": return number < 2 ? "one" : "other"
        case "ja", "zh", "ko", "th", "vi", "id", "ms", "lo", "my": return "other"
        case "ar":
            switch number {
            case 0: return "zero"
            case 1: return "one"
            case 2: return "two"
            default: return (3...10).contains(lastTwo) ? "few" : (11...99).contains(lastTwo) ? "many" : "other"
            }
        default: return number == 1 ? "one" : "other"
        }
    }
}

extension Messages {
    private struct File: Decodable {
        let language: String
        let messages: [String: String]
    }

    /// Messages from a JSON file that a translator writes: `language`, and `messages` by the names of reasons. A
    /// missing message is in English.
    ///
    /// Errors: `MessageError` if the file can't be read, or names an unknown placeholder or reason. Names with a dot
    /// are the app's own and are accepted.
    public init(json: Data) throws {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: json)
        } catch {
            throw MessageError(
                .malformed,
                "this is not a file of messages: {\"language\": \"de\", \"messages\": {\"required\": \"...\"}} is the form",
                cause: error
            )
        }
        let table = try MessageTable(language: file.language, file.messages)
        for name in file.messages.keys.sorted() where !name.contains(".") && EnglishMessages.texts[name] == nil {
            throw MessageError(
                .unknownReason, "\"\(name)\" is not a reason: the names are those of Reason.Code")
        }
        self.init(language: file.language) { table.text(for: $0) }
    }

    /// The names that a file of messages may have, with the English messages: a translator's starting point. They are
    /// those of `Reason.Code` and their variants.
    public static var template: [String: String] { EnglishMessages.texts }
}
