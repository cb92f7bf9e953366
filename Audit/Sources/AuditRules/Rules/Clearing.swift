// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R5: a screen with secret fields is left, and the fields keep their text.
package struct Clearing: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "field-not-cleared", category: "R5", title: "A secret stays in a field after the screen is left",
        explanation: """
            A field that a password or a PIN was typed into keeps its text for as long as the controller lives: under a pushed screen, in the app switcher, in memory. The rule fires on the outlet of a secret field if nothing empties it when the screen disappears, \
            and no action empties it whatever its outcome; emptying it after a failure alone is not enough. \
            It doesn't on one that a closure for success empties, on a screen that is popped, dismissed or replaced and opens no other: its fields are released with it; nor on one-time codes, numbers of cards without a security code, and fields that are never made. \
            State of a SwiftUI view goes with the view, so there only text kept by an object that outlives the screen counts.
            """,
        masvs: "MASVS-STORAGE-2", cwe: 316,
        plainRemedy: """
            override func viewDidDisappear(_ animated: Bool) {
                super.viewDidDisappear(animated)
                passwordField.text = nil
            }
            """,
        zamokRemedy: """
            let password = SecretField()  // its ClearingPolicy says when it is emptied
            passwordField.edits(password)
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for type in project.types.values.sorted(by: { $0.place < $1.place }) {
            if let finding = screen(type, project) { findings.append(finding) }
            if let finding = halfReset(type, project) { findings.append(finding) }
            findings += kept(type, project)
        }
        return findings.sorted { $0.place < $1.place }
    }

    // MARK: Screens of UIKit

    private func screen(_ type: TypeModel, _ project: ProjectModel) -> Finding? {
        guard
            project.inherits(
                type,
                where: {
                    $0.hasSuffix("ViewController") || $0.hasSuffix("TableController") || $0.hasSuffix("FormController")
                })
        else { return nil }
        let fields = type.declarations.flatMap(\.properties).filter { isSecretField($0, type, project) }
        guard !fields.isEmpty else { return nil }
        let search = ClearingSearch(type, project)
        let kept = fields.filter { !search.isCleared($0.name) }
        guard !kept.isEmpty, !isReleased(type, kept, project) else { return nil }
        guard let first = kept.min(by: { $0.place < $1.place }) else { return nil }
        let names = kept.map(\.name).joined(separator: ", ")
        var chain = kept.prefix(4).map { Step("\($0.name) takes a secret", at: $0.place) }
        for (function, note) in search.partly.prefix(2) { chain.append(Step(note, at: function.place)) }
        let message =
            search.partly.isEmpty
            ? "\(names): the text is never emptied." : "\(names): the text isn't emptied when the screen is left."
        return Finding(Self.description.id, at: first.place, message, chain: chain)
    }

    private func isSecretField(_ property: Property, _ type: TypeModel, _ project: ProjectModel) -> Bool {
        guard !property.isStatic, !property.isComputed, isMade(property, type, project) else { return false }
        let short = property.type.map { String($0.prefix { $0 != "?" && $0 != "!" && $0 != "<" }) } ?? ""
        guard
            short.hasSuffix("Field") || short.hasSuffix("TextView") || short.hasSuffix("PinView")
                || short.hasSuffix("CodeView")
        else { return false }
        if let words = SecretWords(name: property.name) {
            // A field that chooses a coin.
            if words.isBareToken, project.tradesTokens { return false }
            return isEmptied(words.kind, type)
        }
        let isSecured = project.assignments(to: "isSecureTextEntry").contains { site in
            guard site.function.owner == type.name, case .member(let base?, _) = site.target.kind else { return false }
            if case .boolean(false) = site.value.kind { return false }
            return base.lastName == property.name
        }
        if isSecured { return true }
        return project.resources.fields(of: type.shortName, property: property.name).contains {
            $0.isSecure || SecretWords.kind(ofText: $0.placeholder).map { isEmptied($0, type) } == true
        }
    }

    /// Whether a person would want such a value to be gone: a number of a card is one beside its code alone, a one-time
    /// code is worth nothing once it was used, and what is about a person opens nothing.
    private func isEmptied(_ kind: SecretKind, _ type: TypeModel) -> Bool {
        guard !kind.isPersonal, kind != .oneTimeCode else { return false }
        guard kind == .card else { return true }
        return type.properties.keys.contains { name in
            SecretWords.words(of: name).contains { ["cvv", "cvc", "cvv2", "cvc2", "expiry", "security"].contains($0) }
        }
    }

    /// An instance variable that nothing is ever put into is no field.
    private func isMade(_ property: Property, _ type: TypeModel, _ project: ProjectModel) -> Bool {
        property.isOutlet || property.value != nil || !property.isConstant && property.file.hasSuffix(".swift")
            || !project.assignments(to: property.name, of: type).isEmpty
            || !project.resources.fields(of: type.shortName, property: property.name).isEmpty
    }

    // MARK: Screens that go

    private static let leaving: Set<String> = [
        "dismiss", "popViewController", "popToRootViewController", "popToViewController", "popViewControllerAnimated",
        "popToRootViewControllerAnimated", "dismissViewControllerAnimated", "popToViewControllerAnimated",
    ]
    private static let opening: Set<String> = [
        "pushViewController", "performSegue", "present", "show", "showDetailViewController",
        "performSegueWithIdentifier",
        "presentViewController",
    ]
    /// What is shown over a screen for a moment.
    private static let passing: Set<String> = [
        "alert", "picker", "activity", "sheet", "hud", "toast", "popover", "popup", "loading", "indicator", "dialog",
    ]

    /// Whether a screen goes by itself, and opens none that it would stay alive under: its fields are released with it,
    /// unless another object has got their text.
    private func isReleased(_ type: TypeModel, _ fields: [Property], _ project: ProjectModel) -> Bool {
        let names = Set(fields.map(\.name))
        var leaves = false
        var isKept = false
        for function in type.allFunctions {
            for call in function.calls {
                if Self.leaving.contains(call.name) { leaves = true }
                guard Self.opening.contains(call.name) else { continue }
                let shown = call.arguments.first?.value
                if call.name.hasPrefix("performSegue") || !isPassing(shown, function, project) { return false }
            }
            function.body.visit { part in
                guard case .binary("=", let target, let value) = part.kind else { return }
                if target.lastName == "rootViewController" { leaves = true }
                guard case .member(let base?, let member) = target.kind, base.dotted != "self", member != "text" else {
                    return
                }
                value.visit { inner in
                    if case .member(let field?, "text") = inner.kind, names.contains(field.lastName ?? "") {
                        isKept = true
                    }
                }
            }
        }
        return leaves && !isKept
    }

    private func isPassing(_ shown: Expression?, _ function: Function, _ project: ProjectModel) -> Bool {
        guard let shown else { return false }
        let type = project.scope(of: function).type(of: shown) ?? ""
        var words = SecretWords.words(of: type) + SecretWords.words(of: shown.lastName ?? "")
        if case .call(let callee, _) = shown.kind { words += SecretWords.words(of: callee.dotted) }
        return words.contains(where: Self.passing.contains) || type == "UIAlertController"
    }

    // MARK: Own fields that forget a part

    /// A view whose `reset` empties its field, but not the property that mirrors the text.
    private func halfReset(_ type: TypeModel, _ project: ProjectModel) -> Finding? {
        guard SecretWords(name: type.shortName) != nil,
            project.inherits(type, where: { $0.hasSuffix("View") || $0.hasSuffix("Field") || $0 == "UIControl" })
        else { return nil }
        for name in ["reset", "clear", "empty", "clearText"] {
            guard let reset = type.functions[name]?.first,
                ClearingSearch.emptied(in: reset.body).contains(where: { _ in true })
            else { continue }
            let emptied = Set(ClearingSearch.emptied(in: reset.body)).union(ClearingSearch.assigned(in: reset.body))
            for property in type.properties.values.sorted(by: { $0.name < $1.name }) {
                guard !property.isConstant, !property.isComputed, property.type.map({ $0.hasPrefix("String") }) == true,
                    !emptied.contains(property.name)
                else { continue }
                guard let function = type.allFunctions.first(where: { takesText($0, property.name) }) else { continue }
                return Finding(
                    Self.description.id, at: reset.place,
                    "\(name)() empties the field, but \(property.name) keeps what was typed.",
                    chain: [
                        Step("\(property.name) takes the text", at: function.place),
                        Step("\(name)() leaves it", at: reset.place),
                    ])
            }
        }
        return nil
    }

    private func takesText(_ function: Function, _ property: String) -> Bool {
        var found = false
        let textNames = function.parameters.filter { $0.type.hasPrefix("String") }.map(\.name)
        function.body.visit { part in
            guard case .binary(let operation, let target, let value) = part.kind, operation == "=" || operation == "+=",
                target.lastName == property
            else { return }
            if value.literal != nil { return }
            value.visit { inner in
                guard let name = inner.lastName else { return }
                if name == "text" || name == "currentText" || textNames.contains(name) || operation == "+=" {
                    found = true
                }
            }
            if case .name(let local) = value.kind, local.lowercased().contains("text") { found = true }
        }
        return found
    }

    // MARK: Objects that outlive a SwiftUI screen

    private func kept(_ type: TypeModel, _ project: ProjectModel) -> [Finding] {
        let isModel = project.inherits(type, from: "ObservableObject") || type.attribute("Observable") != nil
        guard isModel, outlives(type, project) else { return [] }
        return type.declarations.flatMap(\.properties).compactMap { property in
            guard !property.isComputed, !property.isConstant,
                property.type.map({ $0 == "String" || $0 == "String?" }) == true,
                let kind = SecretWords.kind(ofName: property.name),
                kind == .password || kind == .pin || kind == .card || kind == .secret,
                let field = boundField(property.name, project),
                !ClearingSearch.isEmptied(property.name, of: type, project)
            else { return nil }
            return Finding(
                Self.description.id, at: property.place,
                "\(type.shortName) outlives the screen and keeps \(property.name).",
                chain: [
                    Step("\(property.name) is typed here", at: field),
                    Step("\(type.shortName) keeps it", at: property.place),
                ])
        }
    }

    private func outlives(_ type: TypeModel, _ project: ProjectModel) -> Bool {
        if type.properties.values.contains(where: { $0.isStatic && $0.name == "shared" }) { return true }
        return project.types.values.contains { owner in
            owner.attribute("main") != nil
                && owner.properties.values.contains { $0.type.map { $0 == type.shortName } == true }
        }
    }

    /// The field that types into `$model.name`.
    private func boundField(_ name: String, _ project: ProjectModel) -> Place? {
        for call in project.calls(to: "SecureField") + project.calls(to: "TextField") {
            for argument in call.plainArguments where argument.label == "text" || argument.label == nil {
                if case .member(let base?, name) = argument.value.kind, base.root?.hasPrefix("$") == true {
                    return call.place
                }
            }
        }
        return nil
    }
}

/// Where a type empties its fields.
final class ClearingSearch {
    private let leaving: Set<String>
    private let acting: Set<String>
    /// Functions that empty a field in some cases only.
    let partly: [(Function, String)]

    private static let leaveNames: Set<String> = [
        "viewWillDisappear", "viewDidDisappear", "didMove", "willMove", "deinit", "prepareForReuse",
        "applicationWillResignActive", "applicationDidEnterBackground",
        "sceneWillResignActive", "sceneDidEnterBackground", "dismiss",
    ]

    init(_ type: TypeModel, _ project: ProjectModel) {
        var leaving: Set<String> = []
        var acting: Set<String> = []
        var partly: [(Function, String)] = []
        let lifecycle: Set<String> = [
            "viewDidLoad", "viewWillAppear", "viewDidAppear", "awakeFromNib", "init", "loadView",
        ]
        let own = Set(project.ancestors(of: type).map(\.name))
        for model in project.ancestors(of: type) {
            for function in model.allFunctions {
                if Self.leaveNames.contains(function.name) {
                    for reached in project.functionsReached(from: function, hops: 2)
                    where reached.owner.map(own.contains) == true {
                        leaving.formUnion(Self.emptied(in: reached.body))
                    }
                } else if Self.isAction(function) {
                    acting.formUnion(Self.emptiedAtTop(of: function, own, project))
                }
                acting.formUnion(Self.emptiedAfterSuccess(in: function, own, project))
                if !lifecycle.contains(function.name), !Self.emptied(in: function.body).isEmpty,
                    !Self.leaveNames.contains(function.name)
                {
                    partly.append((function, "\(function.name) empties it in some cases only"))
                }
            }
        }
        self.leaving = leaving
        self.acting = acting
        self.partly = partly
    }

    func isCleared(_ field: String) -> Bool {
        leaving.contains(field) || leaving.contains("*") || acting.contains(field) || acting.contains("*")
    }

    private static func isAction(_ function: Function) -> Bool {
        if function.attributes.contains(where: {
            $0.name == "IBAction" || $0.name == "objc" || $0.name == "IBSegueAction"
        }) {
            return true
        }
        return ["textFieldShouldReturn", "prepare", "textFieldDidEndEditing"].contains(function.name)
            || function.name.hasPrefix("on") || function.name.hasPrefix("did")
            || function.name.hasSuffix("Tapped") || function.name.hasSuffix("Pressed")
    }

    private static func emptiedAtTop(of function: Function, _ own: Set<String>, _ project: ProjectModel) -> Set<String>
    {
        var result: Set<String> = []
        let scope = project.scope(of: function)
        for statement in function.body {
            guard case .expression(let value) = statement.kind else { continue }
            result.formUnion(emptied(by: value))
            guard case .call(let callee, let arguments) = value.kind else { continue }
            let call = CallSite(expression: value, callee: callee, arguments: arguments, caller: function)
            for target in project.targets(of: call, scope: scope) where target.owner.map(own.contains) == true {
                for inner in target.body {
                    if case .expression(let value) = inner.kind { result.formUnion(emptied(by: value)) }
                }
            }
        }
        return result
    }

    /// What a closure for success empties, itself or by a function of the class.
    private static func emptiedAfterSuccess(
        in function: Function, _ own: Set<String>, _ project: ProjectModel
    ) -> Set<String> {
        var result: Set<String> = []
        let scope = project.scope(of: function)
        for call in function.calls {
            for argument in call.arguments where ["success", "onSuccess"].contains(argument.label ?? "") {
                guard let closure = argument.value.closure else { continue }
                result.formUnion(emptied(in: closure.body))
                closure.body.visit { part in
                    guard case .call(let callee, let arguments) = part.kind else { return }
                    let inner = CallSite(expression: part, callee: callee, arguments: arguments, caller: function)
                    for target in project.targets(of: inner, scope: scope)
                    where target.owner.map(own.contains) == true { result.formUnion(emptied(in: target.body)) }
                }
            }
        }
        return result
    }

    /// The fields that any statement empties; `*` for a loop over them.
    static func emptied(in statements: [Statement]) -> [String] {
        var result: [String] = []
        statements.visit { result += emptied(by: $0) }
        return result
    }

    static func assigned(in statements: [Statement]) -> [String] {
        var result: [String] = []
        statements.visit { part in
            if case .binary("=", let target, _) = part.kind, let name = target.lastName { result.append(name) }
            if case .call(let callee, _) = part.kind, callee.lastName == "removeAll",
                case .member(let base?, _) = callee.kind, let name = base.lastName
            {
                result.append(name)
            }
        }
        return result
    }

    private static func emptied(by part: Expression) -> [String] {
        switch part.kind {
        case .binary("=", let target, let value):
            guard case .member(let base?, let name) = target.kind,
                name == "text" || name == "attributedText" || name == "stringValue"
            else { return [] }
            switch value.kind {
            case .none: break
            case .text: guard value.literal?.isEmpty == true else { return [] }
            case .call(let callee, let arguments):
                guard callee.lastName == "String", arguments.isEmpty else { return [] }
            default: return []
            }
            return names(base)
        case .call(let callee, _):
            guard case .member(let base?, let name) = callee.kind, let word = SecretWords.words(of: name).first else {
                return []
            }
            // `clearText()` empties; `clearError()` and `resetBorder()` don't.
            guard
                ["clear", "reset", "empty", "wipe", "erase"].contains(word)
                    && SecretWords.words(of: name).dropFirst().allSatisfy(contents.contains) || name == "removeAll"
            else { return [] }
            if name == "removeAll" || name == "removeAllCharacters", case .member(let field?, "text") = base.kind {
                return names(field)
            }
            return names(base)
        default: return []
        }
    }

    private static let contents: Set<String> = [
        "text", "texts", "all", "field", "fields", "content", "contents", "input", "value", "password", "passcode",
        "pin",
        "code", "secret", "form", "textfield", "textfields", "and", "it", "now", "string", "buffer", "secure",
        "securely",
    ]

    private static func names(_ base: Expression) -> [String] {
        guard let name = base.lastName else { return [] }
        return name == "$0" || name == "field" || name == "textField" || name == "$field" ? ["*", name] : [name]
    }

    /// Whether `name = ""` is anywhere in the project, for this type's property.
    static func isEmptied(_ name: String, of type: TypeModel, _ project: ProjectModel) -> Bool {
        project.assignments(to: name, of: type).contains { $0.value.isNone || $0.value.literal?.isEmpty == true }
    }
}
