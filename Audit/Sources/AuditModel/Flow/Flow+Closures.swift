// SPDX-License-Identifier: Apache-2.0

import Findings

/// What goes into closures and comes out of them, and out of functions that are given a place to put it.
extension Flow {
    /// What a function of the project hands to each closure that a call gives it, parameter by parameter, in the order
    /// of the closures.
    func handedOn(_ expression: Expression, _ callee: Expression, _ arguments: [Argument]) -> [[Secret?]] {
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        let closures = arguments.filter(\.value.isClosure)
        for target in project.targets(of: call, scope: scope).prefix(Self.mostTargets) where target !== function {
            let takers = target.parameters.filter { project.closureType(of: $0) != nil }
            guard takers.count >= closures.count, !target.body.isEmpty else { continue }
            let inner = entered(target, call) ?? context?.flow(of: target, budget: budget - 1)
            guard let inner else { continue }
            let used = takers.suffix(closures.count).map { inner.handed(to: $0.name) }
            if used.contains(where: { $0.contains { $0 != nil } }) { return used }
        }
        return []
    }

    /// `request(url).responseDecodable(of: Answer.self) { response in }`: the closure is given an answer, or what holds
    /// one.
    func decoded(_ arguments: [Argument], _ expression: Expression) -> Secret? {
        for argument in arguments where !argument.isTrailing {
            guard case .member(let base?, "self") = argument.value.kind, let type = base.typeText else { continue }
            if let found = carrier(ofType: type, "the answer", expression) { return found }
        }
        return nil
    }

    /// What the function's declaration says that a closure is given: `(Result<Answer, any Error>) -> Void`.
    func typed(
        _ argument: Argument, of expression: Expression, _ callee: Expression, _ arguments: [Argument]
    ) -> [Secret?] {
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        let closures = arguments.filter(\.value.isClosure)
        guard let index = closures.firstIndex(where: { $0.value === argument.value }) else { return [] }
        for target in project.targets(of: call, scope: scope).prefix(Self.mostTargets) {
            let takers = target.parameters.compactMap { project.closureType(of: $0) }
            guard takers.count >= closures.count else { continue }
            let given = takers.suffix(closures.count).map(\.self)[index].closureParameters.map { type in
                carrier(ofType: type, "what \(target.name) gives", expression)
            }
            if given.contains(where: { $0 != nil }) { return given }
        }
        return []
    }

    /// What the function gives the closure that it has under a name.
    private func handed(to name: String) -> [Secret?] {
        var result: [Secret?] = []
        function.body.visit { part in
            guard case .call(let callee, let arguments) = part.kind, case .name(name) = callee.kind else { return }
            for (index, argument) in arguments.enumerated() {
                while result.count <= index { result.append(nil) }
                guard result[index] == nil, let found = self.secret(in: argument.value), !found.isOfAnyRequest else {
                    continue
                }
                result[index] = found
            }
        }
        return result
    }

    /// A closure that a property keeps: its parameters are what the property is called with.
    func keep(_ closure: Closure, in target: Expression, _ value: Expression) {
        keep(closure, in: target.lastName, owner: scope.property(of: target)?.owner, value)
    }

    /// The same for a closure that a property begins with: `let put: (String) -> Void = { print($0) }`.
    func keepInitial() {
        guard function.kind == .initialValue, function.body.count == 1,
            case .leave(.return, let value?) = function.body[0].kind, case .closure(let closure) = value.kind
        else { return }
        keep(closure, in: function.name, owner: function.owner, value)
    }

    private func keep(_ closure: Closure, in name: String?, owner: String?, _ value: Expression) {
        let names = closure.names.isEmpty ? ["$0"] : closure.names
        var given = [Secret?](repeating: nil, count: names.count)
        if budget > 0, let context, let name {
            for call in project.calls(to: name).prefix(8) {
                if case .name = call.callee.kind, owner != nil, call.caller.owner != owner { continue }
                let flow = call.caller === function ? self : context.flow(of: call.caller, budget: budget - 1)
                for (index, argument) in call.arguments.prefix(names.count).enumerated() where given[index] == nil {
                    given[index] = flow.secret(in: argument.value)?.through("it is passed to \(name)", at: call.place)
                }
            }
        }
        for (name, secret) in zip(names, given) {
            set(name, ErrorNames.isError(name) ? nil : secret ?? named(name), value.span.start)
        }
        learn(closure.body)
    }

    /// `fill(&value)`: the value is what the function leaves in its parameter.
    func fillParameters(_ expression: Expression, _ callee: Expression, _ arguments: [Argument]) {
        guard arguments.contains(where: { $0.value.reference != nil }) else { return }
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        for target in project.targets(of: call, scope: scope).prefix(Self.mostTargets) where target !== function {
            guard let inner = entered(target, call) else { continue }
            for (parameter, value) in project.bound(call, to: target) {
                guard let name = value.reference, let found = inner.local(parameter.name, at: .max - 1) ?? nil else {
                    continue
                }
                set(name, found.through("\(target.name) fills it", at: call.place), expression.span.end)
            }
        }
    }

    /// What a closure or a function of the body gives back.
    func result(of statements: [Statement], _ level: Int) -> Secret? {
        if statements.count == 1, case .expression(let value) = statements[0].kind { return secret(in: value, level) }
        var found: Secret?
        statements.visitStatements { statement in
            if case .leave(.return, let value?) = statement.kind, found == nil {
                found = self.secret(in: value, level)
            }
        }
        return found
    }

    /// The methods whose value is what their closure gives back.
    static let mapping: Set<String> = [
        "map", "flatMap", "compactMap", "tryMap", "mapValues", "compactMapValues", "tryCompactMap", "reduce",
        "withUnsafeBytes", "withCString", "withUTF8", "withUnsafePointer",
    ]

    /// `tokens.map { $0.identifier }` and `texts.reduce("") { $0 + $1 }`; nil where no closure says what becomes of it.
    func mapped(_ name: String, _ arguments: [Argument], _ level: Int) -> Secret?? {
        guard Flow.mapping.contains(name) else { return nil }
        for argument in arguments {
            guard case .closure(let closure) = argument.value.kind else { continue }
            return .some(result(of: closure.body, level)?.of(name == "map" ? .list : .whole))
        }
        return nil
    }
}

extension Expression {
    /// The name whose place is given away: `value` of `&value`.
    var reference: String? {
        guard case .unary("&", let inner) = kind, case .name(let name) = inner.kind else { return nil }
        return name
    }

    /// The type that an expression names: `[Reply<Card?>]`.
    var typeText: String? {
        switch kind {
        case .name(let name): return name
        case .member(let base?, let name): return base.typeText.map { $0 + "." + name }
        case .array(let elements): return elements.first?.typeText
        default: return nil
        }
    }
}

extension String {
    /// `Answer?` and `Error?` of `@escaping (Answer?, Error?) -> Void`.
    var closureParameters: [String] {
        guard let arrow = ranges(of: "->").last?.lowerBound, let close = self[..<arrow].lastIndex(of: ")") else {
            return []
        }
        var open = close
        var level = 0
        repeat {
            if self[open] == ")" { level += 1 }
            if self[open] == "(" { level -= 1 }
            if level == 0 { break }
            guard open > startIndex else { return [] }
            open = index(before: open)
        } while true
        let text = self[index(after: open)..<close]
        var result: [String] = []
        var (part, depth) = ("", 0)
        for letter in text {
            if "<([".contains(letter) { depth += 1 }
            if ">)]".contains(letter) { depth -= 1 }
            if letter == ",", depth == 0 {
                result.append(part)
                part = ""
            } else {
                part.append(letter)
            }
        }
        return part.isEmpty ? result : result + [part]
    }

    /// The names of types in a type: `Reply`, `Card` of `Reply<[Card?]>`.
    package var namedTypes: [String] {
        split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
    }
}
