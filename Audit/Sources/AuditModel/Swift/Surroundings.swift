// SPDX-License-Identifier: Apache-2.0

/// What is round each expression of a function.
package final class Surroundings: Sendable {
    private let outer: [ObjectIdentifier: Expression]
    /// The values that statements bind.
    private let values: Set<ObjectIdentifier>
    /// How often the function or a closure in it returns a value.
    package let returns: Int

    init(_ function: Function) {
        var outer: [ObjectIdentifier: Expression] = [:]
        var open: [Expression] = []
        function.body.visit { part in
            while let last = open.last, !(last.span.start <= part.span.start && part.span.end <= last.span.end) {
                open.removeLast()
            }
            outer[ObjectIdentifier(part)] = open.last
            open.append(part)
        }
        self.outer = outer
        var (values, returns): (Set<ObjectIdentifier>, Int) = ([], 0)
        func look(_ statements: [Statement]) {
            statements.visitStatements { statement in
                if case .bind(let binding) = statement.kind, let value = binding.value {
                    values.insert(ObjectIdentifier(value))
                }
                if case .leave(.return, _?) = statement.kind { returns += 1 }
            }
        }
        look(function.body)
        function.body.visit { if case .closure(let closure) = $0.kind { look(closure.body) } }
        (self.values, self.returns) = (values, returns)
    }

    /// Whether an expression is in the value that a statement binds.
    package func isBound(_ expression: Expression) -> Bool {
        values.contains(ObjectIdentifier(expression))
            || around(expression).contains { values.contains(ObjectIdentifier($0)) }
    }

    /// The expressions that an expression is in, from the inside out.
    package func around(_ expression: Expression) -> some Sequence<Expression> {
        sequence(state: expression) { [outer] inner in
            guard let next = outer[ObjectIdentifier(inner)] else { return nil }
            inner = next
            return next
        }
    }
}

extension ProjectModel {
    package func surroundings(of function: Function) -> Surroundings {
        surroundings.value(for: ObjectIdentifier(function)) { _ in Surroundings(function) }
    }
}
