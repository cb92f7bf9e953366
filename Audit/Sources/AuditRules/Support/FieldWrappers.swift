// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Views of an app that have a field inside, which shows what is typed, and the places that make them for a secret.
struct FieldWrappers {
    private let project: ProjectModel
    private let secured: SecuredFields

    init(_ project: ProjectModel, _ secured: SecuredFields) {
        self.project = project
        self.secured = secured
    }

    private static let views: Set<String> = [
        "UIView", "UIStackView", "UIControl", "UITableViewCell", "UICollectionViewCell", "NSView", "NSStackView",
    ]
    private static let fields: Set<String> = ["UITextField", "UITextView", "NSTextField"]

    private static let flags: Set<String> = [
        "is", "has", "show", "shows", "showing", "shown", "should", "present", "presenting", "presented", "hide", "on",
    ]

    func findings() -> [Finding] {
        let wrappers = project.types.values.compactMap { type in field(in: type).map { (type, $0 as Property?) } }
        let own = project.types.values.filter { type in
            type.isDeclared && project.inherits(type, where: { Self.fields.contains($0) }) && !canBeSecure(type)
                && !secured.isSecure(type: type.shortName)
        }.map { ($0, Property?.none) }
        return (wrappers + own).sorted { $0.0.name < $1.0.name }.flatMap { type, field in
            (project.calls(to: type.shortName)).compactMap {
                finding($0, type.shortName, field?.name, field?.place ?? type.place)
            }
        } + made()
    }

    /// Fields that a function of the app makes for the text it is given.
    private func made() -> [Finding] {
        let makers = project.functions.filter { function in
            guard function.kind == .function, let type = function.returns else { return false }
            let name = type.filter { $0 != "?" && $0 != "!" }
            return Self.fields.contains(name)
                || project.declared(name).map { project.inherits($0, where: { Self.fields.contains($0) }) } ?? false
        }
        return makers.flatMap { maker -> [Finding] in
            project.callers(of: maker).prefix(64).compactMap { call in
                guard call.caller.kind != .initialValue, !isMadeSecure(call, maker) else { return nil }
                return finding(call, maker.name, maker.name, maker.place)
            }
        }
    }

    /// Whether the maker sets its fields secure and isn't asked not to.
    private func isMadeSecure(_ call: CallSite, _ maker: Function) -> Bool {
        let flags = call.plainArguments.filter { ($0.label ?? "").lowercased().contains("secur") }
        guard flags.isEmpty else {
            return !flags.allSatisfy { if case .boolean(false) = $0.value.kind { true } else { false } }
        }
        return maker.body.setsSecure
    }

    /// The plain field of a view that is none itself, and that nothing makes secure.
    private func field(in type: TypeModel) -> Property? {
        guard project.inherits(type, where: { Self.views.contains($0) }),
            !project.inherits(type, where: { Self.fields.contains($0) })
        else { return nil }
        let fields = type.properties.values.filter { property in
            guard let name = fieldType(property), !property.isComputed else { return false }
            return !secured.contains(property.name, of: type.name) && !secured.isSecure(type: name)
        }
        guard fields.count == 1, let field = fields.first, !canBeSecure(type),
            !project.resources.interfaces.contains(where: {
                $0.fields.contains { $0.owner == type.shortName && $0.isSecure }
            })
        else { return nil }
        return field
    }

    private func fieldType(_ property: Property) -> String? {
        var name = property.type?.filter { $0 != "?" && $0 != "!" }
        if name == nil, case .call(let callee, _)? = property.value?.withoutCasts.kind { name = callee.lastName }
        guard let name else { return nil }
        if Self.fields.contains(name) { return name }
        guard let model = project.declared(name) else { return nil }
        return project.inherits(model, where: { Self.fields.contains($0) }) ? name : nil
    }

    /// Whether the view sets its field secure anywhere, or hands the setting on.
    private func canBeSecure(_ type: TypeModel) -> Bool {
        project.ancestors(of: type).contains { model in
            model.properties.keys.contains { SecretWords.words(of: $0).contains { $0.hasPrefix("secur") } }
                || model.allFunctions.contains { function in
                    var names = function.parameters.contains { $0.name.lowercased().contains("secur") }
                    function.body.visitNames { name, _ in
                        if name.hasSuffix("ecureTextEntry") { names = true }
                    }
                    return names
                }
        }
    }

    private func finding(_ call: CallSite, _ name: String, _ field: String?, _ place: Place) -> Finding? {
        let texts = call.plainArguments.compactMap { argument -> String? in
            // `showingPasswordDialog: $isShown` tells of a window.
            if let first = SecretWords.words(of: argument.label ?? "").first, Self.flags.contains(first) { return nil }
            if let first = SecretWords.words(of: argument.value.lastName ?? "").first, Self.flags.contains(first) {
                return nil
            }
            switch argument.value.withoutCasts.kind {
            case .text, .call, .member: return Texts.shown(argument.value, in: call.caller, project)
            default: return nil
            }
        }
        let holder = holder(of: call)
        guard let meaning = FieldMeaning(binding: holder, texts: texts, contentType: nil), meaning.isMasked,
            !isChanged(holder, call), holder.map({ !secured.contains($0, of: call.caller.owner ?? "") }) ?? true,
            meaning.kind != .oneTimeCode || field != nil
        else { return nil }
        return Finding(
            SecureEntry.description.id, at: call.place,
            "\(name) \(meaning.witness) asks for \(meaning.kind.article) and shows it while it is typed.",
            chain: [Step("\(field ?? name) shows what is typed", at: place)],
            certainty: .likely)
    }

    /// The property or local into which a new view goes.
    private func holder(of call: CallSite) -> String? {
        if call.caller.kind == .initialValue { return call.caller.name }
        var name: String?
        func isIt(_ value: Expression?) -> Bool { value?.withoutCasts === call.expression }
        call.caller.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind, isIt(binding.value) { name = binding.names.first }
        }
        call.caller.body.visit { part in
            switch part.kind {
            case .binary("=", let target, let value): if isIt(value) { name = target.lastName }
            case .closure(let closure):
                closure.body.visitStatements { statement in
                    if case .bind(let binding) = statement.kind, isIt(binding.value) { name = binding.names.first }
                }
            default: break
            }
        }
        return name
    }

    /// Whether the function that makes the view sets its field secure, or gives it a keyboard of digits for a code.
    private func isChanged(_ name: String?, _ call: CallSite) -> Bool {
        guard let name else { return false }
        var changed = false
        call.caller.body.visit { part in
            guard case .binary("=", let target, _) = part.kind, let member = target.lastName,
                member.lowercased().contains("secure"), target.dotted.contains(name)
            else { return }
            changed = true
        }
        return changed
    }
}
