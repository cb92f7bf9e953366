// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R1: fields for secrets that show what is typed.
package struct SecureEntry: Rule {
    package static let description = RuleDescription(
        id: "secure-entry", category: "R1", title: "A secret is shown while it is typed",
        explanation: """
            A field without secure entry shows a password, PIN, card number, security code or key to whoever looks at the screen, to \
            recordings and to the keyboard's memory. It fires on fields of storyboards and xibs, on fields made in code, on fields of alerts \
            and on SwiftUI's TextField whose placeholder, label, outlet or binding asks for a secret. It doesn't where secure entry is set \
            anywhere: as a trait, a runtime attribute, through the outlet, by the field's class or a superclass, in the alert's closure, nor on \
            a TextField that takes a SecureField's place under a condition, as one does while a reveal button is pressed, \
            nor on views of several lines, which can't be masked, and the number of a patient's or member's card on a keyboard of digits.
            """,
        masvs: "MASVS-PLATFORM-3", cwe: 549,
        plainRemedy:
            "passwordField.isSecureTextEntry = true // UIKit\nSecureField(\"Password\", text: $password) // SwiftUI",
        zamokRemedy:
            "SecretField from InterfaceProtection masks, refuses other keyboards and is emptied when its screen goes.")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let secured = SecuredFields(project)
        let inCode =
            alerts(project) + oldAlerts(project) + madeInCode(project, secured) + swiftUI(project) + components(project)
            + FormRows(project).findings()
        let known = Set(inCode.map { "\($0.place.file):\($0.place.line)" })
        let made = FieldWrappers(project, secured).findings().filter {
            !known.contains("\($0.place.file):\($0.place.line)")
        }
        return project.resources.interfaces.flatMap { interface($0, project, secured) }
            + (inCode + made + project.resources.objectiveC.flatMap(objectiveCAlerts)).oncePerLine()
    }

    // MARK: Storyboards and xibs

    private func interface(_ file: InterfaceFile, _ project: ProjectModel, _ secured: SecuredFields) -> [Finding] {
        file.fields.compactMap { field in
            // A view of several lines can't be masked: what its keyboard learns is judged by keyboard-cache.
            guard !field.isSecure, field.isVisible, field.element != "searchBar", field.element != "textView",
                field.customClass.map({ secured.isSecure(type: $0) }) != true
            else { return nil }
            let outlets = file.outlets(of: field)
            guard let meaning = FieldMeaning(field, outlets: outlets), meaning.isMasked,
                !(meaning.kind == .card && field.isNumeric && isOfMember(field, file)),
                // The code of two-factor log-in may be seen; its keyboard learns nothing here.
                meaning.kind != .oneTimeCode || field.traits["autocorrectionType"] != "no"
            else { return nil }
            for outlet in outlets where secured.contains(outlet.property, of: outlet.owner) { return nil }
            // One that says NO stands there already.
            let fix =
                field.traits["secureTextEntry"] != nil
                ? nil
                : field.traitsOffset.map {
                    [Edit(file: file.path, range: $0..<$0, text: " secureTextEntry=\"YES\"")]
                }
            return Finding(
                Self.description.id, at: field.place,
                "The field \(meaning.witness) asks for \(meaning.kind.article) and shows it while it is typed.",
                chain: outlets.filter { $0.property != "delegate" }.prefix(2).map {
                    Step("\($0.owner).\($0.property) leads to it, and nothing makes it secure", at: $0.place)
                }, certainty: .likely, fix: fix ?? [])
        }
    }

    /// Whether a card is one of a patient or a member, whose number is typed on digits: it pays nothing.
    private func isOfMember(_ field: InterfaceField, _ file: InterfaceFile) -> Bool {
        let company = [field.placeholder.lowercased(), field.label.lowercased(), field.owner, field.scene, file.path]
        let isPaid = file.fields.contains { other in
            SecretWords.words(of: other.placeholder.lowercased()).contains { ["cvv", "cvc", "expiry"].contains($0) }
        }
        return !isPaid
            && company.flatMap { SecretWords.words(of: $0) }.contains {
                [
                    "patient", "patients", "member", "membership", "medical", "health", "insurance", "clinic",
                    "hospital",
                    "library", "student", "loyalty", "bonus", "sim",
                ].contains($0)
            }
    }

    // MARK: Alerts

    private func alerts(_ project: ProjectModel) -> [Finding] {
        (project.calls(to: "addTextField") + project.calls(to: "addTextFieldWithConfigurationHandler")).compactMap {
            call in
            let body = call.arguments.lazy.compactMap({ $0.value.closure }).first?.body ?? []
            var text: String?
            var isSecure = false
            var fix: [Edit] = []
            body.visit { expression in
                guard case .binary("=", let target, let value) = expression.kind else { return }
                switch target.lastName {
                case "isSecureTextEntry", "secureTextEntry":
                    if case .boolean(false) = value.kind {} else { isSecure = true }
                case "placeholder":
                    text = Texts.shown(value, in: call.caller, project) ?? text
                    fix = Changes.secureEntry(besidePlaceholder: expression, call.caller.file)
                default: break
                }
            }
            // `field.makeSecure()` of an extension.
            body.visit { part in
                guard !isSecure, case .call(let callee, let arguments) = part.kind, case .member = callee.kind else {
                    return
                }
                let site = CallSite(expression: part, callee: callee, arguments: arguments, caller: call.caller)
                isSecure = project.targets(of: site).contains { $0.body.setsSecure }
            }
            let shown = text ?? heading(of: call, project) ?? askedByCaller(call, project)
            guard !isSecure, let text = shown, let words = SecretWords(text: text),
                !words.isWeak || words.kind == .pin,
                FieldMeaning.isMasked(words.kind)
            else { return nil }
            let kind = words.kind
            return Finding(
                Self.description.id, at: call.place,
                "The alert's field \u{201C}\(text)\u{201D} asks for \(kind.article) and shows it while it is typed.",
                certainty: .likely, fix: fix)
        }
    }

    /// `UIAlertView` with a field that shows what is typed.
    private func oldAlerts(_ project: ProjectModel) -> [Finding] {
        project.assignments(to: "alertViewStyle").compactMap { site in
            guard ["UIAlertViewStylePlainTextInput", "plainTextInput"].contains(site.value.lastName ?? ""),
                !site.function.body.setsSecure
            else { return nil }
            let alerts = site.function.calls.filter { $0.name == "UIAlertView" }
            let texts = alerts.count == 1 ? alerts[0].plainArguments.prefix(2).map(\.value) : []
            let kinds = texts.compactMap { Texts.shown($0, in: site.function, project) }
                .compactMap { SecretWords.kind(ofText: $0) }
            guard let kind = kinds.first, FieldMeaning.isMasked(kind) else { return nil }
            return Finding(
                Self.description.id, at: site.function.place(site.target),
                "The alert's field asks for \(kind.article) and shows it while it is typed.", certainty: .likely)
        }
    }

    /// The title or message of the alert, where its only field has no text of its own.
    private func heading(of call: CallSite, _ project: ProjectModel) -> String? {
        let calls = call.caller.calls
        let alerts = calls.filter { $0.name == "UIAlertController" }
        let isTold = call.arguments.allSatisfy { $0.value.isNone || $0.value.closure != nil }
        guard alerts.count == 1, isTold, !call.caller.body.setsSecure,
            calls.count(where: { $0.name == "addTextField" }) == 1
        else { return nil }
        return ["title", "message"].compactMap { alerts[0].argument($0) }
            .compactMap { Texts.shown($0, in: call.caller, project) }.first { SecretWords.kind(ofText: $0) != nil }
    }

    /// What the caller of a helper asks for, if the helper asks for any text: in what it passes, or puts into that
    /// before.
    private func askedByCaller(_ call: CallSite, _ project: ProjectModel) -> String? {
        let helper = call.caller
        guard helper.kind == .function, !helper.body.setsSecure,
            helper.parameters.contains(where: { ["title", "message", "prompt", "text"].contains($0.name) }),
            helper.calls.count(where: { $0.name == "addTextField" }) == 1
        else { return nil }
        for site in project.callers(of: helper).prefix(8) {
            for argument in site.plainArguments {
                var values = [argument.value]
                if case .name(let name) = argument.value.kind {
                    site.caller.body.visit { part in
                        guard case .binary("=", let target, let value) = part.kind, target.lastName == name else {
                            return
                        }
                        values.append(value)
                    }
                }
                let texts = values.compactMap { Texts.shown($0, in: site.caller, project) }
                if let text = texts.first(where: { [.password, .pin].contains(SecretWords.kind(ofText: $0)) }) {
                    return text
                }
            }
        }
        return nil
    }

    private func objectiveCAlerts(_ file: ObjCFile) -> [Finding] {
        file.calls.compactMap { call in
            guard call.name == "addTextFieldWithConfigurationHandler:", let block = call.arguments.first else {
                return nil
            }
            let assigned = file.assignments.filter { block.contains($0.value.lowerBound) }
            let sends = file.calls.filter { block.contains($0.range.lowerBound) }
            let isSecure =
                assigned.contains { $0.target.lowercased().hasSuffix("securetextentry") && file.text($0.value) != "NO" }
                || sends.contains { $0.name == "setSecureTextEntry:" }
            guard !isSecure else { return nil }
            let words = assigned.filter { $0.target.hasSuffix(".placeholder") }.flatMap { file.tokens[$0.value] }
            let texts = words.filter { $0.kind == .text }.map(\.text)
            // `PASSWORD_STRING()`: a constant or a function that gives the text.
            let names = words.filter { $0.kind == .name }.map(\.text)
            guard
                let kind = texts.lazy.compactMap({ SecretWords.kind(ofText: $0) }).first
                    ?? names.lazy.compactMap({ SecretWords.kind(ofName: $0) }).first, FieldMeaning.isMasked(kind)
            else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The alert's field asks for \(kind.article) and shows it while it is typed.",
                certainty: .likely)
        }
    }

    // MARK: Fields made in code

    private static let fieldTypes: Set<String> = ["UITextField", "UITextView", "NSTextField"]

    private func madeInCode(_ project: ProjectModel, _ secured: SecuredFields) -> [Finding] {
        var findings: [Finding] = []
        let placeholders = Texts.placeholders(project)
        // A model of a screen is given the screen's field.
        for type in project.types.values where !type.shortName.hasSuffix("VM") && !type.shortName.hasSuffix("ViewModel")
        {
            for property in type.properties.values where !property.isOutlet && !property.isComputed {
                guard
                    let kind = FieldMeaning.kind(ofField: property.name) ?? Self.keyOfCipher(property, type)
                        ?? placeholders["\(type.name).\(property.name)"].flatMap({ SecretWords.kind(ofText: $0) }),
                    FieldMeaning.isMasked(kind),
                    let fieldType = made(property, project), !fieldType.hasSuffix("TextView"),
                    isPlainField(fieldType, project, secured),
                    !secured.contains(property.name, of: type.name), !isLabel(property.name),
                    kind != .oneTimeCode
                        || !isNumeric(property, type, project)
                            && !FieldMeaning.isOfPicture([property.name, type.name]),
                    !isHidden(property, type, project)
                else { continue }
                findings.append(
                    Finding(
                        Self.description.id, at: property.place,
                        "\(property.name) is for \(kind.article), and nothing makes it secure.", certainty: .likely))
            }
        }
        return findings + madeInFunctions(project)
    }

    /// `keyField` of a screen that encrypts.
    private static func keyOfCipher(_ property: Property, _ type: TypeModel) -> SecretKind? {
        let words = SecretWords.words(of: property.name).filter {
            !["text", "field", "input", "textfield"].contains($0)
        }
        let company = SecretWords.words(of: type.shortName)
        let encrypts = company.contains { ["crypto", "encrypt", "encryption", "cipher", "decrypt"].contains($0) }
        return words == ["key"] && encrypts ? .key : nil
    }

    /// Whether a field is hidden and stays so: only dots for what is typed are drawn.
    private func isHidden(_ property: Property, _ type: TypeModel, _ project: ProjectModel) -> Bool {
        let sites = project.assignments(to: "isHidden").filter { site in
            guard site.function.owner == type.name, case .member(let base?, _) = site.target.kind else { return false }
            return base.lastName == property.name
        }
        return !sites.isEmpty && sites.allSatisfy { if case .boolean(true) = $0.value.kind { true } else { false } }
    }

    /// Whether a class gives its field a keyboard of digits.
    private func isNumeric(_ property: Property, _ type: TypeModel, _ project: ProjectModel) -> Bool {
        project.assignments(to: "keyboardType").contains { site in
            guard site.function.owner == type.name, Texts.numeric.contains(site.value.lastName ?? "") else {
                return false
            }
            guard case .member(let base?, _) = site.target.kind else { return site.function.name == property.name }
            return base.lastName == property.name || site.function.name == property.name
        }
    }

    /// `let pinField = UITextField()` in a function, and fields of alerts that get their placeholder afterwards.
    private func madeInFunctions(_ project: ProjectModel) -> [Finding] {
        let makers = (project.calls(to: "UITextField") + project.calls(to: "addTextField")).map(\.caller)
        var seen: Set<ObjectIdentifier> = []
        return makers.filter { $0.kind != .initialValue && seen.insert(ObjectIdentifier($0)).inserted }.flatMap {
            function in
            var made: [String: SourceSpan] = [:]
            var (texts, secure): ([String: (text: String, span: SourceSpan)], Set<String>) = ([:], [])
            func look(_ statements: [Statement]) {
                statements.visitStatements { statement in
                    guard case .bind(let binding) = statement.kind, let name = binding.names.first,
                        case .call(let callee, _)? = binding.value?.kind, callee.lastName == "UITextField"
                    else { return }
                    made[name] = statement.span
                }
            }
            look(function.body)
            function.body.visit { part in
                if let closure = part.closure { look(closure.body) }
                guard case .binary("=", let target, let value) = part.kind,
                    case .member(let base?, let name) = target.kind
                else { return }
                if name == "isSecureTextEntry" {
                    if case .boolean(false) = value.kind { return }
                    secure.insert(base.dotted)
                } else if name == "placeholder", let text = Texts.shown(value, in: function, project) {
                    texts[base.dotted] = (text, part.span)
                }
            }
            var findings: [Finding] = []
            func add(_ kind: SecretKind?, _ name: String, _ span: SourceSpan) {
                guard let kind, FieldMeaning.isMasked(kind), !secure.contains(name), !isLabel(name) else { return }
                findings.append(
                    Finding(
                        Self.description.id, at: function.place(span),
                        "\(name) is for \(kind.article), and nothing makes it secure.", certainty: .likely))
            }
            for (name, span) in made.sorted(by: { $0.value.start < $1.value.start }) {
                let text = texts[name].flatMap { SecretWords.kind(ofText: $0.text) }
                add(text ?? (texts[name] == nil ? SecretWords.kind(ofName: name) : nil), name, span)
            }
            for (name, said) in texts.sorted(by: { $0.value.span.start < $1.value.span.start })
            where name.contains("textFields") {
                add(SecretWords.kind(ofText: said.text), name, said.span)
            }
            return findings
        }
    }

    private func isLabel(_ name: String) -> Bool { name.lowercased().contains("label") }

    /// The type of the field that a property's own value makes.
    private func made(_ property: Property, _ project: ProjectModel) -> String? {
        guard let value = property.value ?? assigned(property, project) else { return nil }
        var made: String?
        if case .call(let callee, let arguments) = value.kind, let name = callee.lastName,
            let owner = property.owner.flatMap({ project.type($0) })
        {
            // A function of the class makes it, and makes none secure.
            let makers = project.members(named: name, of: owner)
            let tells = arguments.contains { ($0.label ?? "").lowercased().contains("secur") }
            if let type = makers.first?.returns, !tells,
                !makers.contains(where: { $0.body.setsSecure })
            {
                return type
            }
        }
        value.visit { expression in
            if case .call(let callee, _) = expression.kind, let name = callee.lastName, made == nil,
                name.first?.isUppercase == true,
                name.hasSuffix("Field") || name.hasSuffix("TextView") || isField(name, project)
            {
                made = name
            }
        }
        return made
    }

    /// Whether a class of the project is one of fields under another name: `InputBox`.
    private func isField(_ name: String, _ project: ProjectModel) -> Bool {
        guard name.hasSuffix("Box") || name.hasSuffix("Input") || name.hasSuffix("TF") || name.hasSuffix("Edit") else {
            return false
        }
        return project.declared(name).map { project.inherits($0, from: "UITextField") } ?? false
    }

    /// The value that the class gives a property later: `field = UITextField(frame: .zero)`.
    private func assigned(_ property: Property, _ project: ProjectModel) -> Expression? {
        guard property.type.map({ $0.contains("Field") || $0.contains("TextView") }) ?? false,
            let owner = property.owner.flatMap({ project.type($0) })
        else { return nil }
        return project.assignments(to: property.name, of: owner).first { !$0.value.isNone }?.value
    }

    private func isPlainField(_ type: String, _ project: ProjectModel, _ secured: SecuredFields) -> Bool {
        if Self.fieldTypes.contains(type) { return true }
        guard let model = project.declared(type) else {
            // A field of a library, which shows what is typed unless it is told otherwise.
            return (type.hasSuffix("TextField") || type.hasSuffix("TextView")) && !secured.isSecure(type: type)
                && type != "TextField"
        }
        return project.inherits(model) { Self.fieldTypes.contains($0) } && !secured.isSecure(type: type)
    }

    // MARK: SwiftUI

    private func swiftUI(_ project: ProjectModel) -> [Finding] {
        let fields = SecureFields(project)
        return project.calls(to: "TextField").compactMap { call in
            guard case .name = call.callee.kind, let binding = call.argument("text"),
                project.declared("TextField") == nil
            else { return nil }
            let name = binding.lastName.map { $0.hasPrefix("$") ? String($0.dropFirst()) : $0 }
            guard
                let meaning = FieldMeaning(
                    binding: name, texts: Texts.around(call, project), contentType: Texts.contentType(of: call, project)
                ),
                meaning.isMasked, meaning.kind != .oneTimeCode || !Texts.isNumeric(call, project),
                !Alternatives(to: call, binding, in: fields).hasSecureField
                    || Alternatives.isShownAtFirst(call, in: project), !isNumber(call)
            else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The TextField \(meaning.witness) asks for \(meaning.kind.article) and shows it; a SecureField doesn't.",
                certainty: .likely, fix: Changes.secureField(call, project))
        }
    }

    /// Views of the app that show what is typed into a binding of their own: `InputField(title: "Password", text: $password)`.
    private func components(_ project: ProjectModel) -> [Finding] {
        var fields: [String: (label: String, call: CallSite)] = [:]
        for call in project.calls(to: "TextField") {
            guard let binding = call.argument("text")?.lastName, let owner = call.caller.owner,
                let type = project.type(owner)
            else { continue }
            let name = String(binding.drop { $0 == "$" })
            guard let property = type.properties[name],
                property.attribute("Binding") != nil || property.type?.hasPrefix("Binding<") == true,
                // One that can be secure is so where it is asked to.
                asked(type) != nil
                    || !type.allFunctions.contains(where: { $0.calls.contains { $0.name == "SecureField" } })
            else { continue }
            fields[type.shortName] = (name, call)
        }
        return fields.sorted { $0.key < $1.key }.flatMap { component, field in
            project.calls(to: component).compactMap { use -> Finding? in
                guard case .name = use.callee.kind, !isAskedSecure(use, component, project),
                    let given = use.argument(field.label)?.lastName,
                    given.hasPrefix("$") || use.argument(field.label)?.root?.hasPrefix("$") == true
                else { return nil }
                let texts = use.plainArguments.filter { $0.label != field.label }.compactMap {
                    Texts.shown($0.value, in: use.caller, project)
                }
                guard
                    let meaning = FieldMeaning(
                        binding: String(given.drop { $0 == "$" }), texts: texts,
                        contentType: Texts.contentType(of: use, project)
                    ),
                    meaning.isMasked
                else { return nil }
                return Finding(
                    Self.description.id, at: use.place,
                    "\(component) \(meaning.witness) asks for \(meaning.kind.article) and shows it; a SecureField doesn't.",
                    chain: [Step("\(component) shows what is typed", at: field.call.place)], certainty: .likely)
            }
        }
    }

    /// The flag by which a component is made secure: `isSecure`.
    private func asked(_ type: TypeModel) -> Property? {
        type.properties.values.filter { property in
            let words = SecretWords.words(of: property.name)
            return !property.isComputed && property.attributes.isEmpty
                && words.contains { ["secure", "secured", "secret", "masked", "password", "obscured"].contains($0) }
                && (property.type == "Bool"
                    || property.value.map { if case .boolean = $0.kind { true } else { false } } == true)
        }.min { $0.name < $1.name }
    }

    /// Whether a use of such a component asks for it, or does so in a way that can't be told.
    private func isAskedSecure(_ use: CallSite, _ component: String, _ project: ProjectModel) -> Bool {
        guard let type = project.type(component), let flag = asked(type) else { return false }
        guard let given = use.argument(flag.name) ?? flag.value else { return true }
        if case .boolean(false) = given.kind { return false }
        return true
    }

    private func isNumber(_ call: CallSite) -> Bool { call.argument("value") != nil || call.argument("format") != nil }
}

extension [Statement] {
    /// Whether a body makes a field secure, always or where it is asked to.
    var setsSecure: Bool {
        var sets = false
        visit { if case .binary("=", let target, _) = $0.kind, target.lastName == "isSecureTextEntry" { sets = true } }
        return sets
    }
}
