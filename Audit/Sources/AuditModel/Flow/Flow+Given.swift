// SPDX-License-Identifier: Apache-2.0

import Findings

/// What the parameters of a closure can't be, by the declaration of what calls it and by what the closure does.
extension Flow {
    /// The parameters that are called as a secret is, and are something else: by their declared type, or since the
    /// closure takes a duration out of them.
    func others(
        than secrets: [String], in closure: Closure, _ argument: Argument, _ expression: Expression,
        _ callee: Expression, _ arguments: [Argument]
    ) -> Set<String> {
        let telling = secrets.filter { named($0) != nil }
        guard !telling.isEmpty else { return [] }
        let types = declared(argument, expression, callee, arguments)
        return Set(
            telling.filter { name in
                if let index = secrets.firstIndex(of: name), index < types.count,
                    types[index].utf8.count > 1, Harmless.isType(types[index], in: project)
                {
                    return true
                }
                return Self.isDuration(name, in: closure.body)
            })
    }

    /// The types of the closure's parameters, as the function that takes it writes them.
    func declared(
        _ argument: Argument, _ expression: Expression, _ callee: Expression, _ arguments: [Argument]
    ) -> [String] {
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        let closures = arguments.filter(\.value.isClosure)
        guard let index = closures.firstIndex(where: { $0.value === argument.value }) else { return [] }
        for target in project.targets(of: call, scope: scope).prefix(Self.mostTargets) {
            let takers = target.parameters.compactMap { project.closureType(of: $0) }
            guard takers.count >= closures.count else { continue }
            return takers.suffix(closures.count).map(\.self)[index].closureParameters.map { part in
                let type = part.contains("[") ? Substring(part) : part.split(separator: ":").last ?? ""
                return type.split(separator: " ").last.map(String.init) ?? ""
            }
        }
        return []
    }

    /// Whether a name is parsed as a duration, or goes into a name that says that it is a time.
    private static func isDuration(_ name: String, in body: [Statement]) -> Bool {
        var found = false
        func tells(_ other: String) -> Bool { SecretWords.words(of: other).contains(where: times.contains) }
        body.visit { part in
            guard !found, case .call(let callee, let arguments) = part.kind, let method = callee.lastName,
                tells(method)
            else { return }
            if case .member(let base?, _) = callee.kind, base.lastName == name { found = true }
            if arguments.contains(where: { $0.value.lastName == name }) { found = true }
        }
        body.visitBindings { binding in
            if binding.value?.lastName == name, let other = binding.names.first, tells(other) { found = true }
        }
        return found
    }

    private static let times: Set<String> = [
        "time", "duration", "seconds", "minutes", "hours", "days", "countdown", "remaining", "timeout", "delay",
        "interval", "timer", "dauer", "duree", "durée", "duracion", "duración", "expiry", "expires", "expiration",
    ]

    /// Where something went wrong, the other parameters of the closure are what the server says of that.
    func leaveFailures(of closure: Closure) {
        guard closure.parameters.count > 1, let error = closure.parameters.first(where: ErrorNames.isError) else {
            return
        }
        let others = closure.parameters.filter { !ErrorNames.isError($0) && named($0) == nil }
        closure.body.visitStatements { statement in
            guard case .branch(let branch) = statement.kind,
                let failing = Self.failing(branch, error), let first = failing.first, let last = failing.last
            else { return }
            for name in others { leave(name, from: first.span.start, to: last.span.end) }
        }
    }

    /// The statements of a branch that run where there is an error.
    private static func failing(_ branch: Branch, _ error: String) -> [Statement]? {
        for condition in branch.conditions {
            switch condition {
            case .bind(let binding):
                if binding.value?.lastName == error { return branch.isGuard ? nil : branch.then }
            case .expression(let value):
                let isAlone = branch.isGuard || branch.conditions.count == 1
                switch value.kind {
                case .name(error): return branch.isGuard ? nil : branch.then
                case .unary("!", let inner) where inner.lastName == error: return isAlone ? branch.otherwise : nil
                case .binary("!=", let left, let right) where left.lastName == error && right.isNothing:
                    return branch.isGuard ? nil : branch.then
                case .binary("==", let left, let right) where left.lastName == error && right.isNothing:
                    return isAlone ? branch.otherwise : nil
                default: break
                }
            default: break
            }
        }
        return nil
    }
}

extension Expression {
    /// `nil`
    var isNothing: Bool { if case .none = kind { true } else { false } }
}

extension [Statement] {
    /// The bindings among the statements and in their conditions, at any depth.
    func visitBindings(_ body: (Binding) -> Void) {
        visitStatements { statement in
            switch statement.kind {
            case .bind(let binding): body(binding)
            case .branch(let branch):
                for case .bind(let binding) in branch.conditions { body(binding) }
            default: break
            }
        }
    }
}
