// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Where in a function the text is that a person typed, and whether something looks at it before it is used.
struct TypedText {
    /// `fields` names the properties to which fields of SwiftUI are bound, as `Type.name`.
    /// `given` are parameters to which callers pass such a text.
    init(_ function: Function, in project: ProjectModel, fields: Set<String>, given: [String: Source] = [:]) {
        self.function = function
        locals = given
        scope = project.scope(of: function)
        self.fields = fields
        learn(function.body)
        var closures: [Closure] = []
        function.body.visit { if let closure = $0.closure { closures.append(closure) } }
        for closure in closures { learn(closure.body) }
        for (name, start) in checks() { checked[name] = min(checked[name] ?? start, start) }
    }

    private let function: Function
    private let scope: Scope
    private let fields: Set<String>
    /// Locals that hold such a text, by the name of the field that it comes from.
    private var locals: [String: Source] = [:]
    /// Names that a condition or a checking function looks at, with the place from which on.
    private var checked: [String: UInt32] = [:]

    struct Source {
        var name: String
        var place: Place
    }

    // MARK: Sources

    private mutating func learn(_ statements: [Statement]) {
        var bindings: [(name: String, value: Expression)] = []
        var assignments: [(target: Expression, value: Expression)] = []
        statements.visitStatements { statement in
            switch statement.kind {
            case .bind(let binding):
                if let value = binding.value, let name = binding.names.first { bindings.append((name, value)) }
            case .branch(let branch):
                for case .bind(let binding) in branch.conditions {
                    if let value = binding.value, let name = binding.names.first { bindings.append((name, value)) }
                }
            case .expression(let value):
                if case .binary("=", let target, let value) = value.kind { assignments.append((target, value)) }
            default: break
            }
        }
        for (name, value) in bindings { if let source = source(in: value) { locals[name] = source } }
        for (target, value) in assignments {
            guard let root = target.root, root != "self", target.lastName != "text", let source = source(in: value)
            else { continue }
            if case .name = target.kind { locals[root] = source }
            // `user["name"] = field.text`: the object carries it.
            if case .element = target.kind, locals[root] == nil { locals[root] = source }
            if case .member(_, let member) = target.kind, member == "httpBody" { locals[root] = source }
        }
    }

    /// The field whose text an expression carries; nil if it carries none, or what it carries was made into something else.
    func source(in expression: Expression, depth: Int = 0) -> Source? {
        guard depth < 24 else { return nil }
        let next = { (inner: Expression) in self.source(in: inner, depth: depth + 1) }
        switch expression.kind {
        case .name(let name):
            if let local = locals[name] { return local }
            if let owner = function.owner, fields.contains("\(owner).\(name)") {
                return Source(name: name, place: function.place(expression))
            }
            return nil
        case .member(let base?, "text"):
            guard isField(base) else { return nil }
            return Source(name: base.lastName ?? "a field", place: function.place(expression))
        case .member(let base?, let name):
            if let property = scope.property(of: expression),
                fields.contains("\(property.owner ?? "").\(property.name)")
            {
                return Source(name: name, place: function.place(expression))
            }
            return ["count", "isEmpty", "first", "last", "hashValue", "isValid"].contains(name) ? nil : next(base)
        case .text(let parts):
            for case .interpolation(let arguments) in parts {
                for argument in arguments { if let found = next(argument.value) { return found } }
            }
            return nil
        case .binary(let operation, let left, let right):
            return ["+", "??"].contains(operation) ? next(left) ?? next(right) : nil
        case .call(let callee, let arguments): return ofCall(callee, arguments, next)
        case .cast(let value, let operation, _): return operation == "is" ? nil : next(value)
        case .attempt(let value), .unary(_, let value): return next(value)
        case .choice(_, let then, let otherwise): return next(then) ?? next(otherwise)
        case .array(let values): return values.compactMap(next).first
        case .dictionary(let pairs): return pairs.compactMap { next($0.value) }.first
        default: return nil
        }
    }

    /// Conversions that keep the text; every other function may have made anything of it.
    private static let keeping: Set<String> = [
        "String", "trimmingCharacters", "trimmed", "lowercased", "uppercased", "data", "Data", "URLQueryItem",
        "appending",
        "JSONSerialization", "NSString", "description", "jsonObject", "replacingOccurrences", "encode",
    ]

    private func ofCall(_ callee: Expression, _ arguments: [Argument], _ next: (Expression) -> Source?) -> Source? {
        let name = callee.lastName ?? ""
        guard Self.keeping.contains(name) else { return nil }
        for argument in arguments where !argument.isTrailing { if let found = next(argument.value) { return found } }
        if case .member(let base?, _) = callee.kind { return next(base) }
        return nil
    }

    private func isField(_ base: Expression) -> Bool {
        if let type = scope.type(of: base) {
            return ["UITextField", "UITextView", "UISearchBar"].contains(type) || type.hasSuffix("TextField")
                || type.hasSuffix("TextView")
        }
        let name = (base.lastName ?? "").lowercased()
        return name.hasSuffix("textfield") || name.hasSuffix("searchbar") || name.hasSuffix("inputfield")
            || base.dotted.contains("textFields[]")
    }

    // MARK: Checks

    /// Words of functions that look at a text or make it harmless.
    private static let checking = [
        "valid", "check", "verif", "sanit", "escap", "percentencod", "regex", "match", "parse", "allowed", "policy",
        "strength", "confirm",
        "evaluate", "filter", "isemail", "normaliz", "luhn", "clean",
    ]

    private func checks() -> [(String, UInt32)] {
        var found: [(String, UInt32)] = []
        func note(_ expression: Expression, isCondition: Bool) {
            expression.visit { inner in
                switch inner.kind {
                case .call(let callee, let arguments):
                    let name = (callee.lastName ?? "").lowercased()
                    guard isCondition || Self.checking.contains(where: name.contains) else { return }
                    // A URL made of joined text is what is to be checked, no check.
                    guard !Self.keeping.contains(callee.lastName ?? ""),
                        name != "url" || !arguments.contains(where: { $0.value.isJoined })
                    else { return }
                    let values = arguments.filter { !$0.isTrailing }.map(\.value) + [callee]
                    for value in values { for name in names(value) { found.append((name, inner.span.start)) } }
                case .binary(let operation, let left, let right)
                where isCondition && [">", "<", ">=", "<=", "==", "!=", "~="].contains(operation):
                    guard !isEmptiness(left), !isEmptiness(right) else { return }
                    for side in [left, right] { for name in names(side) { found.append((name, inner.span.start)) } }
                default: break
                }
            }
        }
        func lookAt(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .branch(let branch):
                    for value in branch.conditions.flatMap(\.expressions) { note(value, isCondition: true) }
                case .choose(let subject, _): note(subject, isCondition: true)
                default: break
                }
            }
        }
        lookAt(function.body)
        function.body.visit { expression in
            if case .closure(let closure) = expression.kind { lookAt(closure.body) }
            if case .choice(let condition, _, _) = expression.kind { note(condition, isCondition: true) }
            if case .call = expression.kind { note(expression, isCondition: false) }
        }
        return found
    }

    private func isEmptiness(_ side: Expression) -> Bool {
        switch side.kind {
        case .none: true
        case .number("0"): true
        case .boolean: true
        default: side.literal?.isEmpty == true
        }
    }

    /// The fields and locals that an expression names, `isEmpty` and the like left out.
    private func names(_ expression: Expression) -> [String] {
        var names: [String] = []
        expression.visit { inner in
            guard let source = source(in: inner) else { return }
            names.append(source.name)
            if case .name(let local) = inner.kind { names.append(local) }
        }
        return names
    }

    /// Whether something looked at the text before a place in the function.
    func isChecked(_ source: Source, before start: UInt32) -> Bool {
        locals.filter { $0.value.name == source.name }.map(\.key).contains { (checked[$0] ?? .max) < start }
            || (checked[source.name] ?? .max) < start
    }
}
