// SPDX-License-Identifier: Apache-2.0

extension ProjectModel {
    /// The types that the names of a function have.
    package func scope(of function: Function) -> Scope {
        scopes.value(for: ObjectIdentifier(function)) { _ in Scope(function, in: self) }
    }
}

/// The types that the names of a function have, as far as they are written or evident.
package final class Scope: Sendable {
    package let project: ProjectModel
    let function: Function
    let owner: TypeModel?
    let locals: [String: String]
    package let constants: [String: Expression]
    /// Functions that the function declares in its body, and closures that it keeps in constants.
    let functions: [String: Function]

    package init(_ function: Function, in project: ProjectModel) {
        self.project = project
        self.function = function
        owner = function.owner.flatMap { project.types[$0] ?? project.type($0) }
        var locals: [String: String] = [:]
        var values: [String: Expression] = [:]
        var constants: [String: Expression] = [:]
        var functions: [String: Function] = [:]
        for parameter in function.parameters { locals[parameter.name] = parameter.type }
        func bind(_ binding: Binding) {
            guard let name = binding.names.first, binding.names.count == 1 else { return }
            if let type = binding.type {
                locals[name] = type
            } else if let value = binding.value {
                values[name] = value
            }
            if binding.isConstant, let value = binding.value {
                constants[name] = value
                if case .closure(let closure) = value.kind {
                    functions[name] = Function(closure, name: name, of: function, span: value.span)
                }
            }
        }
        func collect(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .bind(let binding): bind(binding)
                case .branch(let branch): for case .bind(let binding) in branch.conditions { bind(binding) }
                case .repetition(let conditions, _): for case .bind(let binding) in conditions { bind(binding) }
                case .function(let inner):
                    for parameter in inner.parameters { locals[parameter.name] = parameter.type }
                    if inner.kind == .function { functions[inner.name] = inner }
                default: break
                }
            }
        }
        collect(function.body)
        function.body.visit { if case .closure(let closure) = $0.kind { collect(closure.body) } }
        self.constants = constants
        self.functions = functions
        self.locals = locals
        self.values = values.filter { locals[$0.key] == nil }
    }

    /// Locals without a written type.
    private let values: [String: Expression]

    /// The type of an expression, without optionality; nil if it isn't evident.
    package func type(of expression: Expression) -> String? { type(of: expression, depth: 0).map(bare) }

    private func bare(_ type: String) -> String {
        var type = type
        while type.hasSuffix("?") || type.hasSuffix("!") { type.removeLast() }
        if type.hasPrefix("("), type.hasSuffix(")"), !type.contains(","), !type.contains("->") {
            type = String(type.dropFirst().dropLast())
        }
        for word in ["any ", "some ", "inout ", "@escaping ", "@Sendable ", "borrowing ", "consuming "]
        where type.hasPrefix(word) {
            type.removeFirst(word.count)
        }
        if type.hasPrefix("Binding<"), type.hasSuffix(">") { type = String(type.dropFirst(8).dropLast()) }
        if type.hasPrefix("Optional<"), type.hasSuffix(">") { type = String(type.dropFirst(9).dropLast()) }
        while type.hasSuffix("?") || type.hasSuffix("!") { type.removeLast() }
        return project.unaliased(type)
    }

    private func type(of expression: Expression, depth: Int) -> String? {
        guard depth < 12 else { return nil }
        switch expression.kind {
        case .name(let name): return typeOfName(name, depth: depth)
        case .member(let base?, let name):
            if case .tuple(let parts) = resolved(base).kind {
                let part = parts.first { $0.label == name } ?? Int(name).flatMap { $0 < parts.count ? parts[$0] : nil }
                return part.flatMap { type(of: $0.value, depth: depth + 1) }
            }
            if let owner = type(of: base, depth: depth + 1), let model = project.type(bare(owner), near: function.file)
            {
                return property(name, of: model).flatMap { type(of: $0, depth: depth) }
                    ?? model.functions[name]?.first { $0.kind == .getter }?.returns
            }
            guard let model = base.isCall ? nil : project.type(base.dotted, near: function.file) else {
                // `UserDefaults.standard`: a class of others, and the one object of it.
                let isClass = base.lastName?.first?.isUppercase == true
                return isClass && Self.shared.contains(name) ? project.unaliased(base.dotted) : Self.known[name]
            }
            if let property = property(name, of: model) {
                return type(of: property, depth: depth) ?? (Self.shared.contains(name) ? model.name : nil)
            }
            // What the superclass has: `Store.standard` of a class below UserDefaults.
            if !model.isDeclared || model.functions[name] == nil && !model.inherits.isEmpty,
                Self.shared.contains(name)
            {
                return model.name
            }
            if name.hasPrefix("shared"), model.functions[name] != nil { return model.name }
            return model.declarations.contains { $0.cases.contains { $0.name == name } } ? model.name : nil
        case .call(let callee, let arguments):
            if let evident = SwiftReader.evidentType(expression) { return evident }
            if callee.lastName == "decode", let first = arguments.first?.value,
                case .member(let type?, "self") = first.kind
            {
                return type.dotted
            }
            if case .closure(let closure) = callee.kind { return type(ofResult: closure, depth: depth + 1) }
            let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
            let returned = Set(calledFunctions(call, depth: depth).compactMap(\.returns))
            guard returned.count == 1, let type = returned.first else { return nil }
            // A method of a chain that gives its receiver back.
            guard type == "Self", case .member(let base?, _) = callee.kind else { return type }
            return self.type(of: base, depth: depth + 1)
                ?? (base.isCall ? nil : project.type(base.dotted, near: function.file)?.name)
        case .text: return "String"
        case .binary("??", let left, let right):
            return type(of: left, depth: depth + 1) ?? type(of: right, depth: depth + 1)
        case .binary("==", _, _), .binary("!=", _, _), .binary("&&", _, _), .binary("||", _, _), .unary("!", _):
            return "Bool"
        case .attempt(let value): return type(of: value, depth: depth + 1)
        case .choice(_, let then, _): return type(of: then, depth: depth + 1)
        default: return SwiftReader.evidentType(expression)
        }
    }

    /// The type of a property: as written, else that of its value.
    private func type(of property: Property, depth: Int) -> String? {
        if let type = property.type { return type }
        guard depth < 8, !property.isComputed, let value = property.value else { return nil }
        return type(of: value, depth: depth + 2)
    }

    /// The type of what a closure returns, as far as the closure alone shows it.
    private func type(ofResult closure: Closure, depth: Int) -> String? {
        var made: [String: (type: String?, value: Expression?)] = [:]
        var result: Expression?
        closure.body.visitStatements { statement in
            switch statement.kind {
            case .bind(let binding) where binding.names.count == 1:
                made[binding.names[0]] = (binding.type, binding.value)
            case .leave(.return, let value?): result = value
            default: break
            }
        }
        if closure.body.count == 1, case .expression(let value) = closure.body[0].kind { result = value }
        guard let result else { return nil }
        if case .name(let name) = result.kind, let local = made[name] {
            return local.type ?? local.value.flatMap { type(of: $0, depth: depth + 1) }
        }
        return type(of: result, depth: depth + 1)
    }

    private func calledFunctions(_ call: CallSite, depth: Int) -> [Function] {
        switch call.callee.kind {
        case .name(let name): return owner.map { project.members(named: name, of: $0) } ?? []
        case .member(let base?, let name):
            // The names of a chain of calls are none of a type, and each link would put them together anew.
            guard
                let type = type(of: base, depth: depth + 1)
                    ?? (base.isCall ? nil : project.type(base.dotted, near: function.file)?.name),
                let model = project.type(bare(type), near: function.file)
            else { return [] }
            return project.members(named: name, of: model)
        default: return []
        }
    }

    private func typeOfName(_ name: String, depth: Int) -> String? {
        if name == "self" || name == "Self" { return function.owner }
        if name == "super" { return owner?.inherits.first }
        let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
        if let type = locals[plain] { return type }
        if let value = values[plain] { return type(of: value, depth: depth + 1) }
        if let owner, let property = property(plain, of: owner) { return type(of: property, depth: depth) }
        return project.variables[plain].flatMap { type(of: $0, depth: depth) }
    }

    /// Whether the function has a parameter or a local of this name.
    func declares(_ name: String) -> Bool { locals[name] != nil || values[name] != nil || constants[name] != nil }

    func property(_ name: String, of model: TypeModel) -> Property? {
        if let property = model.properties[name] { return property }
        for ancestor in project.ancestors(of: model).dropFirst() {
            if let property = ancestor.properties[name] { return property }
        }
        return nil
    }

    /// What a local constant stands for, else the expression itself.
    package func resolved(_ expression: Expression) -> Expression {
        guard case .name(let name) = expression.kind else { return expression }
        return constants[name] ?? expression
    }

    /// The property that a name or a member means.
    package func property(of expression: Expression) -> Property? {
        switch expression.kind {
        case .name(let name):
            let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
            if locals[plain] != nil { return nil }
            if let owner, let property = property(plain, of: owner) { return property }
            return project.variables[plain]
        case .member(let base?, let name):
            if let type = type(of: base), let model = project.type(type) { return property(name, of: model) }
            return project.type(base.dotted, near: function.file).flatMap { property(name, of: $0) }
        default: return nil
        }
    }

    /// The text of an expression: a literal, or a constant of the project that is one.
    package func literal(_ expression: Expression, depth: Int = 0) -> String? {
        guard depth < 8 else { return nil }
        if let text = expression.literal { return text }
        switch expression.kind {
        case .name(let name):
            if let value = constants[name] { return literal(value, depth: depth + 1) }
            guard let property = property(of: expression),
                property.isConstant || property.isStatic || property.value != nil
            else { return nil }
            return text(of: property, depth + 1)
        case .member(let base?, "rawValue"):
            guard case .member(let owner, let name) = base.kind else { return literal(base, depth: depth + 1) }
            let model = owner.flatMap { project.type($0.dotted, near: function.file) }
            let item = model?.declarations.flatMap(\.cases).first { $0.name == name }
            return item.map { $0.raw ?? $0.name }
        case .member(let base?, let name):
            if let property = property(of: expression) { return text(of: property, depth + 1) }
            let item = project.type(base.dotted, near: function.file)?.declarations.flatMap(\.cases).first {
                $0.name == name
            }
            return item.map { $0.raw ?? $0.name }
        case .binary("+", let left, let right):
            guard let first = literal(left, depth: depth + 1), let second = literal(right, depth: depth + 1) else {
                return nil
            }
            return first + second
        case .call(_, let arguments) where arguments.count == 1: return literal(arguments[0].value, depth: depth + 1)
        default: return nil
        }
    }

    /// The text that a property begins with, made of constants beside it.
    private func text(of property: Property, _ depth: Int) -> String? {
        guard depth < 8, let value = property.value else { return nil }
        guard case .binary("+", _, _) = value.kind else { return literal(value, depth: depth) }
        func side(_ part: Expression) -> String? {
            if let text = part.literal { return text }
            if case .binary("+", let left, let right) = part.kind {
                guard let first = side(left), let second = side(right) else { return nil }
                return first + second
            }
            guard case .name(let name) = part.kind,
                let found = property.owner.flatMap({ project.type($0) })?.properties[name] ?? project.variables[name]
            else { return nil }
            return text(of: found, depth + 1)
        }
        return side(value)
    }

    private static let shared: Set<String> = [
        "shared", "default", "standard", "main", "current", "instance", "sharedInstance", "general", "live",
    ]
    private static let known = ["count": "Int", "isEmpty": "Bool", "isHidden": "Bool"]
}

extension Function {
    /// A closure kept under a name, as the function that it is.
    fileprivate convenience init(_ closure: Closure, name: String, of outer: Function, span: SourceSpan) {
        self.init(
            name: name, kind: .function,
            parameters: closure.names.map { Parameter(label: nil, name: $0, type: "") },
            body: closure.body, owner: outer.owner, file: outer.file, span: span)
    }
}
