// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XKBD: what the keyboard learns from fields that aren't secure.
package struct KeyboardCache: Rule {
    package static let description = RuleDescription(
        id: "keyboard-cache", category: "XKBD", title: "The keyboard learns a secret",
        explanation: """
            Where autocorrection is on, the keyboard keeps the words that are typed and offers them in other places. It fires on fields that \
            ask for an answer to a security question, a recovery phrase or a key, with autocorrection left on. It doesn't on secure fields, on \
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
        return project.resources.interfaces.flatMap { file in
            file.fields.compactMap { field in
                let outlets = file.outlets(of: field)
                guard !field.isUncached, field.element != "searchBar",
                    let meaning = FieldMeaning(field, outlets: outlets), !meaning.isMasked, !meaning.kind.isPersonal,
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
        } + swiftUI(project)
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

    private func swiftUI(_ project: ProjectModel) -> [Finding] {
        ["TextField", "TextEditor"].flatMap { project.calls(to: $0) }.compactMap { call in
            guard case .name = call.callee.kind, let binding = call.argument("text") else { return nil }
            let name = binding.lastName.map { $0.hasPrefix("$") ? String($0.dropFirst()) : $0 }
            guard
                let meaning = FieldMeaning(
                    binding: name, texts: Texts.around(call, project), contentType: Texts.contentType(of: call)),
                !meaning.isMasked, !meaning.kind.isPersonal
            else { return nil }
            let isOff = call.caller.calls.contains {
                ["autocorrectionDisabled", "disableAutocorrection", "keyboardType"].contains($0.name)
            }
            guard !isOff else { return nil }
            return Finding(
                Self.description.id, at: call.place,
                "The field \(meaning.witness) asks for \(meaning.kind.article), and the keyboard learns it.",
                certainty: .likely, fix: Changes.withoutAutocorrection(call))
        }
    }
}
