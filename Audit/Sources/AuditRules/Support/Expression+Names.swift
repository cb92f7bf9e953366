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
    /// Text joined to other text: `"...\(text)"` or `a + text`.
    var isJoined: Bool {
        switch kind {
        case .text(let parts): parts.contains { if case .interpolation = $0 { true } else { false } }
        case .binary("+", _, _): true
        default: false
        }
    }

    var closure: Closure? { if case .closure(let closure) = kind { closure } else { nil } }
}
