// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Which calls of a function give a result that nobody looks at.
struct DroppedResults {
    private var calls: Set<ObjectIdentifier> = []

    init(in function: Function) {
        let returnsLast =
            function.body.count == 1 && (function.kind == .getter || !Self.isNothing(function.returns))
            && function.kind != .initializer && function.kind != .setter && function.kind != .observer
        if !returnsLast { add(function.body) }
        var closures: [Closure] = []
        function.body.visit { expression in
            switch expression.kind {
            case .closure(let closure) where !Self.isOneValue(closure.body): closures.append(closure)
            case .call(let callee, let arguments) where Self.ignoring.contains(callee.lastName ?? ""):
                closures += arguments.compactMap(\.value.closure)
            default: break
            }
        }
        for closure in closures { add(closure.body) }
    }

    /// Whether a closure's body is an expression, whose value goes out; one whose branches have more statements is
    /// none.
    private static func isOneValue(_ body: [Statement]) -> Bool {
        guard body.count == 1 else { return false }
        return switch body[0].kind {
        case .expression, .leave: true
        case .choose(_, let cases): cases.allSatisfy { $0.body.count == 1 }
        case .branch(let branch): branch.then.count == 1 && branch.otherwise.count == 1
        default: false
        }
    }

    func contains(_ call: Expression) -> Bool { calls.contains(ObjectIdentifier(call)) }

    /// Functions that don't look at what a closure of one expression gives.
    private static let ignoring: Set<String> = [
        "async", "asyncAfter", "Task", "detached", "animate", "forEach", "addOperation", "main", "execute",
    ]

    private static func isNothing(_ type: String?) -> Bool { type == nil || type == "Void" || type == "()" }

    private mutating func add(_ statements: [Statement]) {
        var dropped: [Expression] = []
        statements.visitStatements { statement in
            switch statement.kind {
            case .expression(let value): dropped.append(value)
            case .bind(let binding) where binding.names == ["_"]: if let value = binding.value { dropped.append(value) }
            default: break
            }
        }
        for value in dropped { add(value) }
    }

    private mutating func add(_ value: Expression) {
        switch value.kind {
        case .call: calls.insert(ObjectIdentifier(value))
        case .attempt(let inner): add(inner)
        case .binary("=", let target, let inner): if target.lastName == "_" { add(inner) }
        default: break
        }
    }
}
