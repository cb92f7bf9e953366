// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XKBD: what the keyboard learns from fields that aren't secure.
package struct KeyboardCache: Rule {
    package static let description = RuleDescription(
        id: "keyboard-cache", category: "XKBD", title: "The keyboard learns a secret",
        explanation: """
            Where autocorrection is on, the keyboard keeps the words that are typed and offers them in other places. It fires on fields that \
            ask for an answer to a security question, a recovery phrase or a key, with autocorrection left on, \
            and on views of several lines for any secret. It doesn't on secure fields, on \
            keyboards of digits, on fields with autocorrection switched off anywhere, nor on fields which secure-entry finds: they want to be \
            secure.
            """,
        masvs: "MASVS-STORAGE-2", cwe: 524,
        plainRemedy:
            "field.autocorrectionType = .no; field.spellCheckingType = .no // UIKit\n.autocorrectionDisabled() // SwiftUI",
        zamokRemedy: "SecretField from InterfaceProtection switches the keyboard's memory off.")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let switched = names(project)
        let classes = switchingClasses(project)
        return project.resources.interfaces.flatMap { file in
            file.fields.compactMap { field in
                let outlets = file.outlets(of: field)
                guard !field.isUncached, field.element != "searchBar",
                    !isSwitching(field.customClass, classes, project),
                    let meaning = FieldMeaning(field, outlets: outlets), !meaning.kind.isPersonal,
                    !meaning.isMasked || field.element == "textView" && meaning.kind != .oneTimeCode,
                    !outlets.contains(where: { switched.contains($0.property) })
                else { return nil }
                let isSet = ["autocorrectionType", "spellCheckingType"].contains { field.traits[$0] != nil }
                let fix =
                    isSet
                    ? nil
                    : field.traitsOffset.map {
                        [
                            Edit(
                                file: file.path, range: $0..<$0,
                                text: " autocorrectionType=\"no\" spellCheckingType=\"no\"")
                        ]
                    }
                return Finding(
                    Self.description.id, at: field.place,
                    "The field \(meaning.witness) asks for \(meaning.kind.article), and the keyboard learns it.",
                    certainty: .likely, fix: fix ?? [])
            }
        } + swiftUI(project) + madeInCode(project, switched) + alerts(project)
    }

    // MARK: Classes that switch it off

    /// The classes of the app that switch autocorrection off on themselves.
    private func switchingClasses(_ project: ProjectModel) -> Set<String> {
        let sites = project.assignments(to: "autocorrectionType").filter { site in
            guard site.value.lastName == "no" else { return false }
            guard case .member(let base?, _) = site.target.kind else { return true }
            return base.dotted == "self"
        }
        return Set(sites.compactMap(\.function.owner))
    }

    /// Whether a class that an interface names, or a superclass of it in the app, is one of those.
    private func isSwitching(_ name: String?, _ classes: Set<String>, _ project: ProjectModel) -> Bool {
        guard let name, let model = project.type(name) else { return false }
        return project.ancestors(of: model).contains { classes.contains($0.name) || classes.contains($0.plainName) }
    }

    // MARK: Alerts

    /// Fields of alerts for a token or a key, which is copied from a message and not masked.
    private func alerts(_ project: ProjectModel) -> [Finding] {
        guard !project.tradesTokens else { return [] }
        let names = ["addTextField", "addTextFieldWithConfigurationHandler"]
        return names.flatMap { project.calls(to: $0) }.compactMap { call in
            guard let closure = call.arguments.lazy.compactMap({ $0.value.closure }).first else { return nil }
            var text: String?
            var isSet = false
            closure.body.visit { part in
                guard case .binary("=", let target, let value) = part.kind else { return }
                switch target.lastName {
                case "placeholder": text = Texts.shown(value, in: call.caller, project) ?? text
                case "autocorrectionType", "keyboardType", "isSecureTextEntry", "secureTextEntry": isSet = true
                default: break
                }
            }
            guard !isSet, let text, let words = SecretWords(text: text), words.isWeak,
                words.kind == .token || words.kind == .key, SecretWords.words(of: text.lowercased()).count < 3
            else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The alert's field \u{201C}\(text)\u{201D} asks for \(words.kind.article), and the keyboard learns it.",
                certainty: .likely)
        }
    }

    /// Fields that the code makes, for what isn't masked while it is typed.
    private func madeInCode(_ project: ProjectModel, _ switched: Set<String>) -> [Finding] {
        let placeholders = Texts.placeholders(project)
        return project.types.values.sorted { $0.name < $1.name }.flatMap { type in
            type.properties.values.sorted { $0.name < $1.name }.compactMap { property -> Finding? in
                guard let made = Self.made(property, project), !property.isOutlet, !property.isComputed,
                    let kind = Self.kind(property, placeholders["\(type.name).\(property.name)"]),
                    !FieldMeaning.isMasked(kind) || made.hasSuffix("TextView") && kind != .oneTimeCode,
                    !kind.isPersonal, kind != .secret, isLearning(made, project),
                    !switched.contains(property.name), !setsItself(type, property.name), isTyped(property, type)
                else { return nil }
                let makes = project.assignments(to: property.name, of: type).filter { !$0.value.isNone }.prefix(2)
                guard property.value != nil || !makes.isEmpty else { return nil }
                return Finding(
                    Self.description.id, at: property.place,
                    "\(property.name) asks for \(kind.article), and the keyboard learns it.",
                    chain: makes.map { Step("it is made here", at: $0.function.place($0.value)) }, certainty: .likely)
            }
        }
    }

    /// What a field is for: by its name, or by the text that it shows while it is empty.
    private static func kind(_ property: Property, _ placeholder: String?) -> SecretKind? {
        if let words = SecretWords(holder: property.name), !words.isWeak || words.kind == .seed { return words.kind }
        return placeholder.flatMap { SecretWords.kind(ofText: $0) }
    }

    /// The type of a field, without optionality; of one that a closure makes it is what the closure calls.
    private static func made(_ property: Property, _ project: ProjectModel) -> String? {
        var made = property.type?.filter { $0 != "?" && $0 != "!" && $0 != "*" && $0 != " " }
        if case .call(let callee, _)? = property.value?.withoutCasts.kind { made = callee.lastName ?? made }
        return made
    }

    /// Whether a class shows the keyboard as the system has it: the system's, one of a library, or one of the app that
    /// switches nothing off.
    private func isLearning(_ made: String, _ project: ProjectModel) -> Bool {
        guard made.hasSuffix("TextView") || made.hasSuffix("TextField"), made != "TextField" else { return false }
        guard let model = project.declared(made) else { return !made.contains("Secure") }
        return project.inherits(model) { $0.hasSuffix("TextView") || $0.hasSuffix("TextField") }
            && !project.ancestors(of: model).contains { ancestor in
                ancestor.allFunctions.contains { function in
                    var sets = false
                    function.body.visitNames { name, _ in
                        if ["autocorrectionType", "isSecureTextEntry", "keyboardType"].contains(name) { sets = true }
                    }
                    return sets
                }
            }
    }

    /// Whether the closure that makes a property switches autocorrection off, or its keyboard has digits alone.
    private func setsItself(_ type: TypeModel, _ property: String) -> Bool {
        (type.functions[property] ?? []).contains { function in
            var sets = false
            function.body.visitNames { name, _ in
                if ["autocorrectionType", "isSecureTextEntry", "keyboardType"].contains(name) { sets = true }
            }
            return sets
        }
    }

    /// Whether a person types into it: a text view that only shows a phrase has `isEditable = false`.
    private func isTyped(_ property: Property, _ type: TypeModel) -> Bool {
        !type.allFunctions.contains { function in
            var shows = false
            function.body.visit { part in
                guard case .binary("=", let target, let value) = part.kind, case .boolean(false) = value.kind,
                    ["isEditable", "isUserInteractionEnabled", "isEnabled"].contains(target.lastName ?? "")
                else { return }
                if function.name == property.name || target.dotted.contains(property.name) { shows = true }
            }
            return shows
        }
    }

    /// Names of fields whose autocorrection the code switches off.
    private func names(_ project: ProjectModel) -> Set<String> {
        var names: Set<String> = []
        for function in project.functions {
            function.body.visit { expression in
                guard case .binary("=", let target, let value) = expression.kind,
                    target.lastName == "autocorrectionType",
                    value.lastName == "no", case .member(let base?, _) = target.kind, let name = base.lastName
                else { return }
                names.insert(name)
            }
        }
        return names
    }

    /// Whether a modifier of the field, or of a view round it, switches autocorrection off.
    private static func isOff(_ call: CallSite, _ project: ProjectModel) -> Bool {
        let span = call.expression.span
        return project.surroundings(of: call.caller).around(call.expression).contains { other in
            guard case .call(let callee, let arguments) = other.kind, case .member(let base?, let name) = callee.kind,
                base.span.start <= span.start, span.end <= base.span.end
            else { return false }
            switch name {
            case "autocorrectionDisabled", "disableAutocorrection":
                if case .boolean(false)? = arguments.first?.value.kind { return false }
                return true
            case "keyboardType":
                return !["default", "asciiCapable"].contains(arguments.first?.value.lastName ?? "")
            default: return false
            }
        }
    }

    private func swiftUI(_ project: ProjectModel) -> [Finding] {
        ["TextField", "TextEditor"].flatMap { project.calls(to: $0) }.compactMap { call in
            guard case .name = call.callee.kind, let binding = call.argument("text") else { return nil }
            let name = (binding.lastName ?? binding.root).map { $0.hasPrefix("$") ? String($0.dropFirst()) : $0 }
            guard
                let meaning = FieldMeaning(
                    binding: name, texts: Texts.around(call, project), contentType: Texts.contentType(of: call, project)
                )
                    ?? FieldMeaning(phrase: name, of: call.caller),
                !meaning.isMasked || call.name == "TextEditor" && meaning.kind != .oneTimeCode,
                !meaning.kind.isPersonal, !Self.isOff(call, project)
            else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The field \(meaning.witness) asks for \(meaning.kind.article), and the keyboard learns it.",
                certainty: .likely, fix: Changes.withoutAutocorrection(call))
        }
    }
}
