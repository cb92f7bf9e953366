// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

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
        // A label over several fields tells nothing of the one whose placeholder says "User name".
        let label = Self.namesPerson(placeholder) ? "" : field.label
        let texts = [placeholder, label].filter { !$0.isEmpty }
        let type = field.traits["textContentType"] ?? ""
        if ["password", "new-password", "newPassword"].contains(type), !Self.namesOther(properties + texts) {
            self.init(
                kind: .password, witness: Self.quoted(texts.first ?? properties.first ?? "with textContentType \(type)")
            )
            return
        }
        // A field that asks for a number is none for a password, nor is one for addresses.
        guard !["emailAddress", "URL", "twitter", "webSearch"].contains(field.traits["keyboardType"] ?? "") else {
            return nil
        }
        let names = properties + [field.accessibilityIdentifier, Self.withoutPrefix(field.customClass ?? "")]
        if let found = Self(names: names, texts: texts, isNumeric: field.isNumeric) ?? Self(scene: field, properties) {
            self = found
        } else {
            return nil
        }
        // What is pasted into a view of several lines is a phrase of words.
        if field.element == "textView", kind == .password, witness.lowercased().contains("phrase") {
            self.init(kind: .seed, witness: witness)
        }
        if ["one-time-code", "oneTimeCode"].contains(type), isShown { return nil }
        if kind == .oneTimeCode, field.isNumeric { return nil }
        let company = names + [field.owner, field.scene, field.label]
        if kind == .oneTimeCode, Self.isOfPicture(company) { return nil }
        if kind == .pin, Self.isPostal(names + texts, company + [field.place.file]) { return nil }
    }

    private static func has(_ words: Set<String>, _ names: [String]) -> Bool {
        names.contains { name in
            SecretWords.words(of: name).contains(where: words.contains)
                || SecretWords.words(of: name.lowercased()).contains(where: words.contains)
        }
    }

    /// Whether a placeholder asks for a name or an address.
    private static func namesPerson(_ placeholder: String) -> Bool {
        SecretWords(text: placeholder) == nil
            && has(["username", "user", "email", "mail", "login", "phone"], [placeholder.lowercased()])
    }

    /// The letters of a picture against robots, by the field's names and the scene's.
    static func isOfPicture(_ names: [String]) -> Bool {
        has(SecretWords.picture, names)
    }

    /// A postal code, which is called so in India: nothing of a lock is beside it, but an address or a delivery.
    private static func isPostal(_ names: [String], _ company: [String]) -> Bool {
        let isPinCode = names.contains { SecretWords.words(of: $0.lowercased()).joined().contains("pincode") }
        return isPinCode
            && has(
                [
                    "address", "addresses", "delivery", "shipping", "product", "products", "checkout", "city", "state",
                    "postal", "postcode", "zip", "landmark", "order",
                ], company)
    }

    /// `TextField` of `PWTextField`: two capitals before the classes of a project are no word.
    private static func withoutPrefix(_ type: String) -> String {
        let capitals = type.prefix { $0.isUppercase }
        return capitals.count == 3 ? String(type.dropFirst(2)) : type
    }

    /// What the name of a field says; `pin` is one there.
    static func kind(ofField name: String) -> SecretKind? {
        guard let words = SecretWords(name: name) else { return nil }
        let isField = ["field", "textfield", "tf", "input", "entry", "textbox", "txt"]
            .contains(SecretWords.words(of: name).last ?? "")
        return !words.isWeak || words.kind == .pin && isField ? words.kind : nil
    }

    // MARK: What a scene tells

    private static let ordinals: Set<String> = [
        "old", "new", "current", "previous", "repeat", "repeated", "confirm", "again", "retype", "re", "enter",
        "verify", "confirmation", "first", "second", "third", "alt", "altes", "neu", "neues", "wiederholen", "nueva",
        "actual", "ancien", "nouveau", "the", "type", "your",
    ]
    private static let wordWords: Set<String> = [
        "word", "wort", "palabra", "mot", "palavra", "parola", "woord", "слово", "ord", "kelime", "słowo",
    ]
    static let recovery: Set<String> = [
        "phrase", "mnemonic", "seed", "recovery", "recover", "backup", "restore", "passphrase", "bip39", "memorizing",
        "memorising", "mnemonics",
    ]

    /// A field that says nothing itself: "New" in the scene "Change password", and one of several words in a scene for a
    /// recovery phrase.
    private init?(scene field: InterfaceField, _ properties: [String]) {
        let label = SecretWords.words(of: field.label.lowercased())
        let placeholder = SecretWords.words(of: field.placeholder.lowercased())
        let names = properties.map { SecretWords.words(of: $0) } + [label, placeholder]
        let company = SecretWords.words(of: field.owner) + SecretWords.words(of: field.scene.lowercased())
        let isWhole =
            field.element == "textView"
            && names.contains { words in words.contains { ["words", "phrase", "mnemonic"].contains($0) } }
        if company.contains(where: Self.recovery.contains), isWhole || names.contains(where: Self.isNumberedWord) {
            self.init(
                kind: .seed,
                witness: Self.quoted([field.label, field.placeholder].first { !$0.isEmpty } ?? properties.first ?? ""))
            return
        }
        guard placeholder.isEmpty, label.allSatisfy(Self.ordinals.contains), !field.isNumeric,
            properties.allSatisfy({ SecretWords.words(of: $0).allSatisfy(Self.isNeutral) }),
            let words = SecretWords(text: field.scene), words.kind == .password, !words.isWeak
        else { return nil }
        self.init(kind: .password, witness: "of the scene " + Self.quoted(field.scene))
    }

    private static func isNeutral(_ word: String) -> Bool {
        ordinals.contains(word) || word.allSatisfy(\.isNumber)
            || ["text", "field", "txt", "tf", "textfield", "input", "one", "two", "three", "view", "edit"].contains(
                word)
    }

    /// "Word 2", "3rd word", `firstWord`, `word12Field`.
    static func isNumberedWord(_ words: [String]) -> Bool {
        let numbers: Set<String> = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth", "one", "two", "three", "four", "no", "number", "nr",
        ]
        return words.contains(where: wordWords.contains)
            && words.contains { numbers.contains($0) || $0.allSatisfy(\.isNumber) }
    }

    /// Whether it is as Apple has it in a field for one-time codes, which the system fills in. A PIN that stays is not
    /// one: its field has that content type for the pad of numbers.
    private var isShown: Bool { kind != .pin }

    init?(binding: String?, texts: [String], contentType: String?) {
        let kinds: [String: SecretKind] = [
            "password": .password, "newPassword": .password, "creditCardNumber": .card,
            "creditCardSecurityCode": .card,
        ]
        if let contentType, let kind = kinds[contentType], !Self.namesOther([binding].compactMap { $0 } + texts) {
            self.init(
                kind: kind, witness: texts.first.map(Self.quoted) ?? binding ?? "with textContentType \(contentType)")
            return
        }
        self.init(names: binding.map { [$0] } ?? [], texts: texts, isNumeric: false)
        if contentType == "oneTimeCode", isShown { return nil }
    }

    /// The words of a recovery phrase, in a view that is named after one: `TextField("", text: $words[0])`.
    init?(phrase binding: String?, of function: Function) {
        let company = SecretWords.words(of: function.owner ?? "")
        guard let binding, company.contains(where: Self.recovery.contains),
            ["phrase", "words", "word", "mnemonic", "seed", "wordlist", "inputwords", "enteredwords", "enteredphrase"]
                .contains(SecretWords.words(of: binding).joined())
        else { return nil }
        self.init(kind: .seed, witness: binding)
    }

    /// What a field says itself is surer than its content type, by which some apps keep the system from filling it in.
    private static func namesOther(_ names: [String]) -> Bool {
        guard !names.contains(where: { SecretWords(name: $0) != nil || SecretWords(text: $0) != nil }) else {
            return false
        }
        return has(others, names)
    }

    private static let others: Set<String> = [
        "email", "mail", "username", "nickname", "firstname", "lastname", "name", "phone", "mobile", "address", "url",
        "link", "website", "twitter", "facebook", "telegram", "linkedin", "youtube", "wechat", "instagram", "whatsapp",
        "search", "city", "street", "country", "amount", "sum", "price", "message", "subject", "title", "note", "notes",
        "comment", "description", "about", "company", "date", "birthday", "login", "user", "captcha",
    ]

    private init(kind: SecretKind, witness: String) {
        self.kind = kind
        self.witness = witness
    }

    /// The placeholder speaks first: an outlet may have an old name.
    private init?(names: [String], texts: [String], isNumeric: Bool) {
        var weak: FieldMeaning?
        for text in texts where !Self.isCaptcha(text) {
            if SecretWords.words(of: text.lowercased()).joined() == "lockcode" {
                self.init(kind: .pin, witness: Self.quoted(text))
                return
            }
            guard let words = SecretWords(text: text) else { continue }
            let meaning = FieldMeaning(kind: words.kind, witness: Self.quoted(text))
            // A field for an OTP asks for nothing else.
            guard words.isWeak, words.kind != .oneTimeCode else {
                self = meaning
                return
            }
            weak = weak ?? meaning
        }
        // A placeholder with other words takes the outlet's name back: "name on the card".
        for name in names {
            guard let words = SecretWords(name: name) ?? SecretWords(holder: name) else { continue }
            let meaning = FieldMeaning(kind: words.kind, witness: name)
            guard words.isWeak else {
                self = meaning
                return
            }
            // Two weak words, or a weak one and a keyboard of digits, are one strong word.
            if weak?.kind == words.kind || isNumeric && words.kind == .pin || Self.kind(ofField: name) == .pin {
                self = meaning
                return
            }
            weak = weak ?? meaning
        }
        guard let weak, isNumeric && weak.kind == .pin else { return nil }
        self = weak
    }

    /// The text of a picture, which everyone sees.
    private static func isCaptcha(_ text: String) -> Bool {
        let low = text.lowercased()
        return ["captcha", "图形验证", "圖形驗證", "图片验证", "图形码"].contains { low.contains($0) }
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
            // `String(format: "%@ (%@)", passwordText, optionalText)`
            if let literal = first.literal, literal.contains("%"), arguments.count > 1 {
                let texts = arguments.dropFirst().compactMap { shown($0.value, in: function, project) }
                return ([literal] + texts).joined(separator: " ")
            }
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
        if let text = chosen(value, in: function, project) { return text }
        // `L10n.passwordPlaceholder`, `R.string.password()`
        guard let name = value.lastName else { return nil }
        return SecretWords.words(of: name).filter { !["placeholder", "title", "label", "text", "prompt"].contains($0) }
            .joined(separator: " ")
    }

    /// The first argument of a field, its prompt and its label; where they say nothing, the text before it.
    static func around(_ call: CallSite, _ project: ProjectModel) -> [String] {
        let own = said(call, project)
        guard own.allSatisfy(saysNothing) else { return own }
        return own + [beside(call, project)].compactMap { $0 }
    }

    private static let fillers: Set<String> = [
        "digit", "digits", "enter", "here", "required", "optional", "number", "numbers", "type", "characters", "value",
    ]

    private static func saysNothing(_ text: String) -> Bool {
        SecretWords.words(of: text.lowercased()).allSatisfy { fillers.contains($0) || $0.allSatisfy(\.isNumber) }
    }

    /// `Text("Password")` right before the field, or the title of the section that holds it alone.
    private static func beside(_ call: CallSite, _ project: ProjectModel) -> String? {
        let span = call.expression.span
        var found: String?
        func look(_ statements: [Statement], in outer: [Argument]) {
            guard let index = statements.firstIndex(where: { $0.span.start <= span.start && span.end <= $0.span.end }),
                case .expression(let value) = statements[index].kind, value.span.start == span.start
            else { return }
            if index > 0, case .expression(let before) = statements[index - 1].kind {
                before.visit { part in
                    if case .call(let callee, _) = part.kind, callee.lastName == "Text",
                        part.span.start == before.span.start
                    {
                        found = shown(part, in: call.caller, project)
                    }
                }
            } else if statements.count == 1 {
                let titles = outer.filter { !$0.isTrailing && ($0.label == nil || $0.label == "header") }
                found = titles.lazy.compactMap { shown($0.value, in: call.caller, project) }.first
            }
        }
        for part in project.surroundings(of: call.caller).around(call.expression) {
            guard case .call(_, let arguments) = part.kind else { continue }
            for argument in arguments {
                if let closure = argument.value.closure { look(closure.body, in: arguments) }
            }
            if found != nil { break }
        }
        return found
    }

    private static func said(_ call: CallSite, _ project: ProjectModel) -> [String] {
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

    private static let hints: Set<String> = ["placeholder", "placeholderText", "attributedPlaceholder"]

    /// The texts that functions give to the fields of their type, by `Type.property`.
    static func placeholders(_ project: ProjectModel) -> [String: String] {
        var found: [String: String] = [:]
        for function in project.functions {
            guard let owner = function.owner else { continue }
            function.body.visit { part in
                guard case .binary("=", let target, let value) = part.kind,
                    case .member(let base?, let member) = target.kind, hints.contains(member), let name = base.lastName,
                    let text = Texts.shown(value, in: function, project)
                else { return }
                found["\(owner).\(function.kind == .initialValue ? function.name : name)"] = text
            }
        }
        return found
    }

    /// The text for a secret among those that a property of an enum chooses from: `kind.placeholder`.
    private static func chosen(_ value: Expression, in function: Function, _ project: ProjectModel) -> String? {
        guard case .member(let base?, let name) = value.kind,
            let type = project.scope(of: function).type(of: base).flatMap({ project.declared($0) }),
            let getter = type.functions[name]?.first(where: { $0.kind == .getter })
        else { return nil }
        var texts: [String] = []
        getter.body.visit { part in
            if let text = part.literal { texts.append(project.resources.texts[text] ?? text) }
        }
        return texts.first { SecretWords.kind(ofText: $0) != nil }
    }

    static let numeric: Set<String> = [
        "numberPad", "decimalPad", "phonePad", "asciiCapableNumberPad", "UIKeyboardTypeNumberPad",
        "UIKeyboardTypeDecimalPad", "UIKeyboardTypePhonePad", "UIKeyboardTypeASCIICapableNumberPad",
    ]

    /// Whether a modifier behind the field gives it a keyboard of digits.
    static func isNumeric(_ call: CallSite, _ project: ProjectModel) -> Bool {
        modifier("keyboardType", of: call, project).map { numeric.contains($0) } ?? false
    }

    /// What a modifier behind the field says of its content: `password` of `.textContentType(.password)`.
    static func contentType(of call: CallSite, _ project: ProjectModel) -> String? {
        modifier("textContentType", of: call, project)
    }

    private static func modifier(_ name: String, of call: CallSite, _ project: ProjectModel) -> String? {
        for part in project.surroundings(of: call.caller).around(call.expression) {
            guard case .call(let callee, let arguments) = part.kind,
                case .member(let base?, name) = callee.kind, base.span.start == call.expression.span.start
            else { continue }
            return arguments.first?.value.lastName
        }
        return nil
    }
}
