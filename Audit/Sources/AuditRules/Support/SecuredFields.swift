// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Which properties and classes are made secure anywhere in the code.
struct SecuredFields {
    private let project: ProjectModel
    /// Names of fields that something sets secure, by the class in which that stands.
    private var fields: [String: Set<String>] = [:]
    /// Names that something sets secure in another object: `cell.passwordField.isSecureTextEntry = true`.
    private var outside: [String: [(root: String, function: Function)]] = [:]
    /// Classes that set it on themselves.
    private var types: Set<String> = []

    init(_ project: ProjectModel) {
        self.project = project
        for function in project.functions {
            let owner = String((function.owner ?? "").prefix { $0 != "#" })
            for (property, closure) in Self.closures(function) {
                look(closure.body, owner, instead: property, function)
            }
            look(function.body, owner, instead: function.kind == .initialValue ? function.name : nil, function)
        }
        for file in project.resources.objectiveC {
            for assignment in file.assignments where assignment.target.lowercased().hasSuffix("securetextentry") {
                guard file.text(assignment.value) != "NO", let method = assignment.method else { continue }
                let parts = assignment.target.split(separator: ".").map { $0.drop { $0 == "_" } }
                let owner = file.methods[method].owner
                if parts.count < 2 || parts[parts.count - 2] == "self" {
                    types.insert(owner)
                } else {
                    fields[owner, default: []].insert(String(parts[parts.count - 2]))
                }
            }
            for call in file.calls where call.name == "setSecureTextEntry:" {
                guard call.arguments.first.map(file.text) != "NO", let method = call.method else { continue }
                let owner = file.methods[method].owner
                let name = call.receiver.split(separator: ".").last.map { $0.drop { $0 == "_" } } ?? ""
                if name == "self" { types.insert(owner) } else { fields[owner, default: []].insert(String(name)) }
            }
        }
    }

    /// Closures that make or configure a value: `lazy var field = { ... }()`, `field.then { ... }`.
    private static func closures(_ function: Function) -> [(String, Closure)] {
        var found: [(String, Closure)] = []
        for call in function.calls {
            guard case .member(let base?, _) = call.callee.kind, let name = base.lastName else { continue }
            for argument in call.arguments { if let closure = argument.value.closure { found.append((name, closure)) } }
        }
        return found
    }

    private mutating func look(_ body: [Statement], _ owner: String, instead property: String?, _ function: Function) {
        var found: [(name: String?, base: Expression?)] = []
        body.visit { expression in
            guard case .binary("=", let target, let value) = expression.kind,
                target.lastName == "isSecureTextEntry" && !hangsOnFlag(value, target, owner)
                    || isOwnFlag(target)
                    // The system fills a one-time code in, and Apple's fields show it.
                    || target.lastName == "textContentType" && value.lastName == "oneTimeCode"
            else { return }
            if case .boolean(false) = value.kind { return }
            if case .member(let base, _) = target.kind {
                found.append((base?.lastName, base))
            } else {
                found.append((nil, nil))
            }
        }
        for (name, base) in found {
            if let name, name != "self" {
                fields[owner, default: []].insert(name)
                // A local or parameter that stands for many: `[a, b].forEach { $0.isSecureTextEntry = true }`.
                if let property { fields[owner, default: []].insert(property) }
                if case .member(let outer?, _)? = base?.kind, outer.dotted != "self" {
                    outside[name, default: []].append((outer.lastName ?? "", function))
                }
            } else if let property {
                fields[owner, default: []].insert(property)
            } else {
                types.insert(owner)
            }
        }
        addLists(body, owner)
    }

    /// Whether a class of fields takes the value from a flag of its own that is off at first:
    /// `isSecureTextEntry = isHidden`.
    private func hangsOnFlag(_ value: Expression, _ target: Expression, _ owner: String) -> Bool {
        if case .member(let base?, _) = target.kind, base.dotted != "self" { return false }
        var flag = value
        if case .unary("!", let inner) = flag.kind { flag = inner }
        guard let type = project.type(owner), let name = flag.lastName, let first = type.properties[name]?.value,
            !isToldAtFirst(type)
        else { return false }
        if case .boolean(false) = first.kind { return true }
        return false
    }

    /// Whether an initializer is told what the field is for.
    private func isToldAtFirst(_ type: TypeModel) -> Bool {
        (type.functions["init"] ?? []).flatMap(\.parameters).contains { parameter in
            SecretWords.words(of: parameter.name).contains {
                ["secure", "secured", "password", "type", "style", "kind", "hidden", "masked"].contains($0)
            }
        }
    }

    /// `box.isSecureTextEntryToggle = true`: a flag of the app's own class says the same.
    private func isOwnFlag(_ target: Expression) -> Bool {
        guard case .member(.some, let name) = target.kind, name != "isSecureTextEntry" else { return false }
        return name.lowercased().contains("securetext") || name.lowercased().contains("secureentry")
    }

    /// `for field in [a, b] { field.isSecureTextEntry = true }` and the same with `forEach`.
    private mutating func addLists(_ body: [Statement], _ owner: String) {
        var lists: [Expression] = []
        let sets = { (statements: [Statement]) in
            var sets = false
            statements.visit { expression in
                if case .binary("=", let target, _) = expression.kind, target.lastName == "isSecureTextEntry" {
                    sets = true
                }
            }
            return sets
        }
        body.visitStatements { statement in
            if case .loop(_, let sequence, let inner) = statement.kind, sets(inner) { lists.append(sequence) }
        }
        body.visit { expression in
            guard case .call(let callee, let arguments) = expression.kind,
                case .member(let base?, "forEach") = callee.kind,
                let closure = arguments.lazy.compactMap({ $0.value.closure }).first, sets(closure.body)
            else { return }
            lists.append(base)
        }
        for list in lists {
            guard case .array(let values) = list.kind else { continue }
            for value in values { if let name = value.lastName { fields[owner, default: []].insert(name) } }
        }
    }

    /// Whether the class, a superclass or a subclass sets a property secure, or the property's class does.
    func contains(_ property: String, of owner: String) -> Bool {
        let model = project.type(owner)
        let names =
            [owner] + (model.map { project.ancestors(of: $0).map(\.plainName) } ?? [])
            + [model?.plainName].compactMap { $0 }
        if names.contains(where: { fields[$0]?.contains(property) == true }) { return true }
        if let type = model?.properties[property]?.type, isSecure(type: type) { return true }
        if let value = model?.properties[property]?.value, isStyled(value) { return true }
        if outside[property]?.contains(where: { isMeant(owner, $0.root, $0.function) }) == true { return true }
        return project.types.values.contains { type in
            fields[type.plainName]?.contains(property) == true
                && project.ancestors(of: type).contains { $0.plainName == model?.plainName ?? owner }
        }
    }

    /// `PlainField(style: Styles.password)`, where what makes the style sets it secure.
    private func isStyled(_ value: Expression) -> Bool {
        guard case .call(_, let arguments) = value.withoutCasts.kind else { return false }
        return arguments.contains { argument in
            guard case .member(let base?, let name) = argument.value.kind else { return false }
            let owner = base.dotted
            return fields.contains { ($0.key == owner || $0.key.hasSuffix("." + owner)) && $0.value.contains(name) }
        }
    }

    /// Whether `cell.passwordField` of a function is one of a type: by the type of `cell`, by its name, or since the
    /// function names the type.
    private func isMeant(_ owner: String, _ root: String, _ function: Function) -> Bool {
        let short = owner.split(separator: ".").last.map(String.init) ?? owner
        let scope = project.scope(of: function)
        if let type = scope.type(of: Expression(.name(root), function.span)), let model = project.type(type) {
            return project.ancestors(of: model).contains { $0.shortName == short }
        }
        if root.count > 2, short.lowercased().contains(root.lowercased()) { return true }
        var names = function.parameters.contains { $0.type.contains(short) }
        function.body.visit { part in
            switch part.kind {
            case .name(short): names = true
            case .cast(_, _, let type) where type.contains(short): names = true
            default: break
            }
        }
        return names
    }

    func isSecure(type: String) -> Bool {
        let name = type.filter { $0 != "?" && $0 != "!" }
        if types.contains(name) { return true }
        guard let model = project.type(name) else { return name.contains("Secure") }
        return project.ancestors(of: model).contains { types.contains($0.plainName) || $0.shortName.contains("Secure") }
    }
}
