// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The messages of one language as data, so that a language can be added without code: a JSON file of reasons' names and messages.
///
/// ```json
/// {"language": "de", "messages": {"required": "Bitte ausfüllen.", "tooShort": "Mindestens {minimum} {minimum:one=Zeichen|other=Zeichen}."}}
/// ```
///
/// In a message, `{minimum}`, `{maximum}` and `{details}` stand for what the policy says; `{minimum:one=...|other=...}` for the word that
/// goes with that number, by the plural forms of Unicode's CLDR (`one`, `few`, `many`, `other`). `{details}` is a list, joined with
/// the message `or`. Of a range the names are `range`, `range.minimum`, `range.maximum`, by what is known.
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

    /// The message; nil if there is none of that name.
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

/// A message with places for what the policy says.
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

/// Which form of a word goes with a whole number, by the rules of CLDR for the languages that have others than English.
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

    /// Messages from a file of JSON, as a translator writes it: `language`, and `messages` by the names of reasons. What it leaves out is
    /// English. Errors: `MessageError` if it can't be read or names an unknown placeholder or reason (names
    /// with a dot are the app's own).
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

    /// The names that a file of messages may have, those of Reason.Code and their variants, with the English messages: what a translator
    /// begins with.
    public static var template: [String: String] { EnglishMessages.texts }
}
