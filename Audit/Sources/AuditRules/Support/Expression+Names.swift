// SPDX-License-Identifier: Apache-2.0

import AuditModel

extension [Statement] {
    /// Visits every name and every member's name.
    func visitNames(_ body: (String, Expression) -> Void) {
        visit { expression in
            switch expression.kind {
            case .name(let name), .member(_, let name): body(name, expression)
            default: break
            }
        }
    }
}

extension Expression {
    /// The value inside casts and `try?`.
    var withoutCasts: Expression {
        switch kind {
        case .cast(let inner, _, _), .attempt(let inner): inner.withoutCasts
        default: self
        }
    }

    /// Whether a part of it satisfies a condition.
    func contains(where holds: (Expression) -> Bool) -> Bool {
        var found = false
        visit { if holds($0) { found = true } }
        return found
    }
}
