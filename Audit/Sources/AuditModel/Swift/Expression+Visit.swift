// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// The last name of a name, a member or a call's callee.
    package var lastName: String? {
        switch kind {
        case .name(let name): Self.plain(name)
        case .member(_, let name): name
        case .call(let callee, _): callee.lastName
        default: nil
        }
    }

    /// Whether it is a name or a member of one.
    var isPlainName: Bool {
        switch kind {
        case .name: true
        case .member(let base?, _): base.isPlainName
        default: false
        }
    }

    var isCall: Bool { if case .call = kind { true } else { false } }

    /// `UserDefaults.standard.set` for members, `name()` for calls on the way, `[]` for subscripts, `_` for what has no name.
    package var dotted: String {
        switch kind {
        case .name(let name): Self.plain(name)
        case .member(let base, let name): (base?.dotted ?? "") + "." + name
        case .call(let callee, _): callee.dotted + "()"
        case .element(let base, _): base.dotted + "[]"
        case .cast(let value, _, _), .attempt(let value): value.dotted
        default: "_"
        }
    }

    /// `StorageValue` of `StorageValue<String>`.
    private static func plain(_ name: String) -> String { name.last == ">" ? String(name.prefix { $0 != "<" }) : name }

    /// The name at the far left of a chain: `self` of `self.view.window`.
    package var root: String? {
        switch kind {
        case .name(let name): name
        case .member(let base, _): base?.root
        case .call(let callee, _): callee.root
        case .element(let base, _): base.root
        case .cast(let value, _, _), .attempt(let value), .unary(_, let value): value.root
        default: nil
        }
    }

    /// The value inside casts and `try?`.
    package var withoutCasts: Expression {
        switch kind {
        case .cast(let inner, _, _), .attempt(let inner): inner.withoutCasts
        default: self
        }
    }

    /// What is added last: `"b"` of `"a" + x + "b"`.
    var lastSummand: Expression { if case .binary("+", _, let right) = kind { right.lastSummand } else { self } }

    var isClosure: Bool { if case .closure = kind { true } else { false } }

    /// The text of a literal without interpolations.
    package var literal: String? {
        guard case .text(let parts) = kind else { return nil }
        var text = ""
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            text += piece
        }
        return text
    }

    /// Visits this expression and all inside it, bodies of closures too, outermost first.
    package func visit(_ body: (Expression) -> Void) {
        body(self)
        visitInside(body)
    }

    private func visitInside(_ body: (Expression) -> Void) {
        switch kind {
        case .name, .number, .boolean, .none, .keyPath: break
        case .member(let base, _): base?.visit(body)
        case .call(let callee, let arguments), .element(let callee, let arguments):
            callee.visit(body)
            for argument in arguments { argument.value.visit(body) }
        case .text(let parts):
            for part in parts {
                if case .interpolation(let arguments) = part {
                    for argument in arguments { argument.value.visit(body) }
                }
            }
        case .array(let values), .other(let values): for value in values { value.visit(body) }
        case .dictionary(let pairs):
            for (key, value) in pairs {
                key.visit(body)
                value.visit(body)
            }
        case .tuple(let arguments), .macro(_, let arguments): for argument in arguments { argument.value.visit(body) }
        case .closure(let closure): closure.body.visit(body)
        case .unary(_, let value), .cast(let value, _, _), .attempt(let value): value.visit(body)
        case .binary(_, let left, let right):
            left.visit(body)
            right.visit(body)
        case .choice(let condition, let then, let otherwise):
            condition.visit(body)
            then.visit(body)
            otherwise.visit(body)
        case .block(let statements): statements.visit(body)
        }
    }
}

extension Condition {
    /// The expressions of the condition itself.
    package var expressions: [Expression] {
        switch self {
        case .expression(let value): [value]
        case .bind(let binding): binding.value.map { [$0] } ?? []
        case .matches(let pattern, _, let value): [pattern, value]
        case .available: []
        }
    }
}

extension [Statement] {
    /// Visits every expression of the statements, those in nested blocks and local functions too, outermost first.
    package func visit(_ body: (Expression) -> Void) {
        for statement in self {
            switch statement.kind {
            case .expression(let value): value.visit(body)
            case .bind(let binding): binding.value?.visit(body)
            case .branch(let branch):
                for condition in branch.conditions { for value in condition.expressions { value.visit(body) } }
                branch.then.visit(body)
                branch.otherwise.visit(body)
            case .loop(_, let sequence, let inner):
                sequence.visit(body)
                inner.visit(body)
            case .repetition(let conditions, let inner):
                for condition in conditions { for value in condition.expressions { value.visit(body) } }
                inner.visit(body)
            case .choose(let subject, let cases):
                subject.visit(body)
                for item in cases {
                    for pattern in item.patterns { pattern.visit(body) }
                    item.body.visit(body)
                }
            case .attempt(let inner, let catches):
                inner.visit(body)
                for block in catches { block.visit(body) }
            case .leave(_, let value): value?.visit(body)
            case .later(let inner): inner.visit(body)
            case .function(let function): function.body.visit(body)
            case .type: break
            }
        }
    }

    /// Visits every statement, those in nested blocks too, but not those in closures.
    package func visitStatements(_ body: (Statement) -> Void) {
        for statement in self {
            body(statement)
            switch statement.kind {
            case .branch(let branch):
                branch.then.visitStatements(body)
                branch.otherwise.visitStatements(body)
            case .loop(_, _, let inner), .repetition(_, let inner), .later(let inner): inner.visitStatements(body)
            case .choose(_, let cases): for item in cases { item.body.visitStatements(body) }
            case .attempt(let inner, let catches):
                inner.visitStatements(body)
                for block in catches { block.visitStatements(body) }
            case .function(let function): function.body.visitStatements(body)
            default: break
            }
        }
    }
}

extension Function {
    /// The locals that the body binds, those of conditions and of closures too.
    var bindings: [Binding] {
        var result: [Binding] = []
        func collect(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .bind(let binding): result.append(binding)
                case .branch(let branch): for case .bind(let binding) in branch.conditions { result.append(binding) }
                default: break
                }
            }
        }
        collect(body)
        body.visit { if case .closure(let closure) = $0.kind { collect(closure.body) } }
        return result
    }
}
