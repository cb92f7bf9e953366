// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// What a field asks for, by its placeholder, label, outlets, binding and traits together.
struct FieldMeaning {
    let kind: SecretKind
    /// What says so, for a message: `passwordField`, `"Password"`.
    let witness: String

    /// Whether such a secret is masked while it is typed. Answers and recovery phrases are copied from paper, word by word.
    var isMasked: Bool { Self.isMasked(kind) }

    static func isMasked(_ kind: SecretKind) -> Bool { ![.answer, .seed, .secret].contains(kind) && !kind.isPersonal }

    init?(_ field: InterfaceField, outlets: [InterfaceFile.Outlet]) {
        let properties = outlets.map(\.property).filter { !["delegate", "nextField", "view"].contains($0) }
        // What a text view shows in many words explains something.
        let placeholder =
            field.element == "textView" && SecretWords.words(of: field.placeholder).count > 5 ? "" : field.placeholder
        let texts = [placeholder, field.label].filter { !$0.isEmpty }
        let type = field.traits["textContentType"] ?? ""
        if ["password", "new-password", "newPassword"].contains(type) {
            self.init(
                kind: .password, witness: Self.quoted(texts.first ?? properties.first ?? "with textContentType \(type)")
            )
            return
        }
        // A field that asks for a number is none for a password, nor is one for addresses.
        guard !["emailAddress", "URL", "twitter", "webSearch"].contains(field.traits["keyboardType"] ?? "") else {
            return nil
        }
        self.init(
            names: properties + [field.accessibilityIdentifier, field.customClass ?? ""], texts: texts,
            isNumeric: field.isNumeric)
        if ["one-time-code", "oneTimeCode"].contains(type), isShown { return nil }
    }

    /// Whether it is as Apple has it in a field for one-time codes, which the system fills in. A PIN that stays is not
    /// one: its field has that content type for the pad of numbers.
    private var isShown: Bool { kind != .pin }

    init?(binding: String?, texts: [String], contentType: String?) {
        let kinds: [String: SecretKind] = [
            "password": .password, "newPassword": .password, "creditCardNumber": .card,
            "creditCardSecurityCode": .card,
        ]
        if let contentType, let kind = kinds[contentType] {
            self.init(
                kind: kind, witness: texts.first.map(Self.quoted) ?? binding ?? "with textContentType \(contentType)")
            return
        }
        self.init(names: binding.map { [$0] } ?? [], texts: texts, isNumeric: false)
        if contentType == "oneTimeCode", isShown { return nil }
    }

    private init(kind: SecretKind, witness: String) {
        self.kind = kind
        self.witness = witness
    }

    /// The placeholder speaks first: an outlet may have an old name.
    private init?(names: [String], texts: [String], isNumeric: Bool) {
        var weak: FieldMeaning?
        for text in texts {
            guard let words = SecretWords(text: text) else { continue }
            let meaning = FieldMeaning(kind: words.kind, witness: Self.quoted(text))
            guard words.isWeak else {
                self = meaning
                return
            }
            weak = weak ?? meaning
        }
        // A placeholder with other words takes the outlet's name back: "name on the card".
        for name in names {
            guard let words = SecretWords(name: name) else { continue }
            let meaning = FieldMeaning(kind: words.kind, witness: name)
            guard words.isWeak else {
                self = meaning
                return
            }
            // Two weak words, or a weak one and a keyboard of digits, are one strong word.
            if weak?.kind == words.kind || isNumeric && words.kind == .pin {
                self = meaning
                return
            }
            weak = weak ?? meaning
        }
        guard let weak, isNumeric && weak.kind == .pin else { return nil }
        self = weak
    }

    private static func quoted(_ text: String) -> String { "\u{201C}\(text.prefix(60))\u{201D}" }
}

/// Texts that stand with a field on the screen.
enum Texts {
    /// The words of a text that is shown: a literal, or the key and the text of a localized one.
    static func shown(_ value: Expression, in function: Function, _ project: ProjectModel) -> String? {
        if let literal = project.scope(of: function).literal(value) {
            return project.resources.texts[literal] ?? literal
        }
        if case .call(_, let arguments) = value.kind, let first = arguments.first?.value {
            if let literal = first.literal { return project.resources.texts[literal] ?? literal }
            // `Text(isSocial ? "RESET" : L10n.password)`, `String(localized: .login(.token))`
            if case .choice(_, let then, let otherwise) = first.kind {
                let sides = [then, otherwise].compactMap { shown($0, in: function, project) }
                return sides.first { SecretWords(text: $0) != nil } ?? sides.first
            }
            switch first.kind {
            case .member, .call: return shown(first, in: function, project)
            default: return nil
            }
        }
        // `L10n.passwordPlaceholder`, `R.string.password()`
        guard let name = value.lastName else { return nil }
        return SecretWords.words(of: name).filter { !["placeholder", "title", "label", "text", "prompt"].contains($0) }
            .joined(separator: " ")
    }

    /// The first argument of a field, its prompt and its label.
    static func around(_ call: CallSite, _ project: ProjectModel) -> [String] {
        let label = call.arguments.lazy.compactMap { $0.isTrailing ? $0.value.closure : nil }.first.flatMap(view)
        return [call.arguments.first { $0.label == nil && !$0.isTrailing }?.value, call.argument("prompt"), label]
            .compactMap { value in value.flatMap { shown($0, in: call.caller, project) } }
    }

    /// `Text("Password")` of `{ Text("Password") }`.
    private static func view(_ closure: Closure) -> Expression? {
        guard closure.body.count == 1, case .expression(let value) = closure.body[0].kind else { return nil }
        var text: Expression?
        value.visit { part in
            if text == nil, case .call(let callee, _) = part.kind, callee.lastName == "Text" { text = part }
        }
        return text
    }

    /// What a modifier behind the field says of its content: `password` of `.textContentType(.password)`.
    static func contentType(of call: CallSite) -> String? {
        var found: String?
        call.caller.body.visit { part in
            guard case .call(let callee, let arguments) = part.kind,
                case .member(let base?, "textContentType") = callee.kind,
                base.span.start == call.expression.span.start, base.span.end >= call.expression.span.end
            else { return }
            found = arguments.first?.value.lastName
        }
        return found
    }
}
