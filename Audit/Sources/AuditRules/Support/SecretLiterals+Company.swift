// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Literals that no assignment names: what is beside them tells, or what they are given to.
extension SecretLiterals {
    // MARK: Forms and queries

    /// `client_secret=...` in the text of a form or a query, and `"api_key":"..."` in one of JSON.
    mutating func pairs(_ parts: [TextPart], _ expression: Expression) {
        for (index, part) in parts.enumerated() {
            guard case .literal(let text) = part, text.utf8.contains(UInt8(ascii: "=")), text.utf8.count < 4096,
                !text.utf8.contains(UInt8(ascii: " "))
            else { continue }
            let fields = text.split(omittingEmptySubsequences: true) { "&?;".contains($0) }
            for (number, field) in fields.enumerated() {
                // What goes on behind the literal isn't known.
                if number == fields.count - 1, index + 1 < parts.count { continue }
                guard let mark = field.firstIndex(of: "=") else { continue }
                let value = String(field[field.index(after: mark)...])
                pair(String(field[..<mark]), value, in: text, expression)
            }
        }
    }

    private mutating func pair(_ name: String, _ value: String, in text: String, _ expression: Expression) {
        guard !value.utf8.contains(where: { "%<>{}$".utf8.contains($0) }), !LiteralSecret.isStandIn(value) else {
            return
        }
        if ["key", "secret", "salt", "signkey", "appsecret"].contains(name.lowercased()), signs,
            LiteralSecret.looksRandom(value) || LiteralSecret.looksMixed(value)
        {
            found.append(HardcodedSecrets.finding(name, .key, at: function.place(expression)))
            return
        }
        guard let words = SecretWords(name: name), !words.kind.isPersonal,
            !PublicKeys.isPublic(name, text + " " + (function.owner ?? ""), function.file)
        else { return }
        let isOpaque = !words.isWeak && words.kind != .password && LiteralSecret.isOpaque(value)
        guard isOpaque || !words.isWeak && LiteralSecret.isSecret(value, named: words) else { return }
        found.append(HardcodedSecrets.finding(name, words.kind, at: function.place(expression)))
    }

    /// Whether the function makes a signature or a hash.
    private var signs: Bool {
        function.calls.contains {
            WeakCryptography.isHash($0.name) || $0.name.lowercased().contains("hmac")
        }
    }

    // MARK: What is hashed

    /// A literal that is hashed alone: what comes out is a signature that the server knows.
    mutating func hashed(_ callee: Expression, _ arguments: [Argument]) {
        guard WeakCryptography.isHash(callee.lastName ?? "") else { return }
        if case .member(let base?, _) = callee.kind { hashed(base) }
        if let first = arguments.first?.value { hashed(first) }
    }

    mutating func hashed(_ value: Expression) {
        guard let text = HardcodedSecrets.literal(in: value), LiteralSecret.looksRandom(text),
            !LiteralSecret.isStandIn(text)
        else { return }
        found.append(HardcodedSecrets.finding("What is hashed", .key, at: function.place(value)))
    }

    // MARK: Fields

    static let contents: Set<String> = ["text", "stringValue", "attributedText"]

    /// How many fields get a text that isn't empty.
    func filledFields() -> Int {
        var fields: Set<String> = []
        function.body.visit { part in
            guard case .binary("=", let target, let value) = part.kind,
                case .member(let field?, let member) = target.kind, Self.contents.contains(member),
                value.literal?.isEmpty == false, Self.isField(field.lastName ?? "")
            else { return }
            fields.insert(field.dotted)
        }
        return fields.count
    }

    private static func isField(_ name: String) -> Bool {
        ["field", "textfield", "tf", "input", "entry", "box", "textbox", "txt", "edit"]
            .contains(SecretWords.words(of: name).last ?? "")
            || SecretWords.words(of: name).first == "txt"
    }

    /// `passwordField.text = "..."`: beside the fields of a whole log-in, every word that is filled in is one that serves.
    mutating func fill(_ field: Expression, _ value: Expression, isBesideOthers: Bool) {
        guard let name = field.lastName, Self.isField(name), let text = value.literal,
            let words = SecretWords(name: name), !words.isWeak, words.kind == .password || words.kind == .pin
        else { return }
        let isFilled =
            isBesideOthers && (4...64).contains(text.utf8.count) && SecretWords(text: text) == nil
            && SecretWords(name: text) == nil && !text.contains { $0.isWhitespace || "*\u{2022}\u{25CF}.".contains($0) }
        guard isFilled || LiteralSecret.isSecret(text, named: words) else { return }
        found.append(HardcodedSecrets.finding(name, words.kind, at: function.place(value)))
    }

    // MARK: Defaults of parameters

    /// `init(defaultPassword: String = "...")`
    mutating func defaults() {
        for parameter in function.parameters {
            guard let text = parameter.text, let words = SecretWords(name: parameter.name), !words.isWeak,
                LiteralSecret.isSecret(text, named: words),
                !PublicKeys.isPublic(parameter.name, function.owner ?? "", function.file)
            else { continue }
            found.append(HardcodedSecrets.finding(parameter.name, words.kind, at: function.place))
        }
    }

    // MARK: Keys of ciphers

    /// A constant of the source that a cipher or an HMAC takes as its key, whatever it is called.
    mutating func cipherKey(_ callee: Expression, _ arguments: [Argument]) {
        let plain = arguments.filter { !$0.isTrailing }
        let key: Expression?
        switch callee.lastName {
        case "CCCrypt", "CCCryptorCreate": key = plain.count > 3 ? plain[3].value : nil
        case "CCHmac": key = plain.count > 1 ? plain[1].value : nil
        case "CCHmacInit": key = plain.count > 2 ? plain[2].value : nil
        case "AES", "ChaCha20", "Blowfish", "HMAC", "Rabbit": key = plain.first { $0.label == "key" }?.value
        case "SymmetricKey": key = plain.first { $0.label == "data" }?.value
        default: key = nil
        }
        guard let key, SourceConstants(function, in: project).holds(key), let source = source(of: key, depth: 0),
            source.text.utf8.count >= 8, !source.text.utf8.contains(UInt8(ascii: " ")),
            !LiteralSecret.isStandIn(source.text)
        else { return }
        found.append(HardcodedSecrets.finding(source.name, .key, at: source.place))
    }

    /// A constant that a function of the app may take as a key.
    func isNamedKey(_ value: Expression) -> Bool {
        switch value.kind {
        case .name, .member: break
        default: return false
        }
        guard let property = project.scope(of: function).property(of: value), let text = property.value?.literal else {
            return false
        }
        return (8...128).contains(text.utf8.count) && text.utf8.contains(where: LiteralSecret.Shape.isDigit)
            && LiteralSecret.isOpaque(text)
    }

    private func source(of value: Expression, depth: Int) -> (name: String, text: String, place: Place)? {
        guard depth < 6 else { return nil }
        let scope = project.scope(of: function)
        var found: (name: String, text: String, place: Place)?
        value.visit { part in
            guard found == nil else { return }
            if let text = part.literal {
                found = ("The key of a cipher", text, function.place(part))
                return
            }
            guard case .name(let name) = part.kind else {
                if case .member = part.kind, let property = scope.property(of: part), let text = property.value?.literal
                {
                    found = (property.name, text, property.place)
                }
                return
            }
            if let constant = scope.constants[name] {
                found = source(of: constant, depth: depth + 1)
            } else if let property = scope.property(of: part), let text = property.value?.literal {
                found = (property.name, text, property.place)
            }
        }
        return found
    }
}
