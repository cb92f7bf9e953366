// SPDX-License-Identifier: Apache-2.0

/// Where a piece of Swift stands in its file.
package struct SourceSpan: Hashable, Sendable {
    /// Counted from 1.
    package var line: UInt32
    /// Counted from 1, in UTF-8 bytes.
    package var column: UInt32
    /// UTF-8 offsets, without the white space and comments before and after.
    package var start: UInt32
    package var end: UInt32
}

/// An expression of Swift as rules see it: smaller than the syntax tree, which is dropped after each file was read.
///
/// `try`, `await`, parentheses round one value, `?` of a chain and `!` leave no trace of their own; operators are folded by the standard precedences; a
/// trailing closure is an argument.
package final class Expression: Sendable {
    package let kind: Kind
    package let span: SourceSpan

    package init(_ kind: Kind, _ span: SourceSpan) {
        self.kind = kind
        self.span = span
    }

    package enum Kind: Sendable {
        /// `password`, `self`, `super`, `$text`, `_`.
        case name(String)
        /// `base.name`; without a base for `.name`.
        case member(Expression?, String)
        /// Callee and arguments.
        case call(Expression, [Argument])
        case element(Expression, [Argument])
        /// A string literal.
        case text([TextPart])
        case number(String)
        case boolean(Bool)
        case none
        case array([Expression])
        case dictionary([(key: Expression, value: Expression)])
        case tuple([Argument])
        case closure(Closure)
        /// A prefix operator, `&` too.
        case unary(String, Expression)
        /// Assignments too: `=`, `+=`.
        case binary(String, Expression, Expression)
        case choice(condition: Expression, then: Expression, otherwise: Expression)
        /// `as`, `as?`, `as!`, `is`; the type as written.
        case cast(Expression, String, type: String)
        /// `try?`, whose result may be dropped; `try` and `try!` leave no trace.
        case attempt(Expression)
        /// `\.name.other`, without the backslash.
        case keyPath(String)
        /// `if` or `switch` used as a value.
        case block([Statement])
        /// `#selector(...)`, `#Predicate { }` and other macros.
        case macro(String, [Argument])
        /// What has no case of its own, with the expressions inside it.
        case other([Expression])
    }
}

/// An argument of a call, a subscript, a tuple or an interpolation.
package struct Argument: Sendable {
    /// Nil without a label. The first trailing closure has none.
    package var label: String?
    package var value: Expression
    /// Written after the parentheses.
    package var isTrailing: Bool
}

/// A part of a string literal.
package enum TextPart: Sendable {
    case literal(String)
    /// What stands in `\(...)`, with its further arguments, such as `privacy:`.
    case interpolation([Argument])
}

/// A closure with its body.
package final class Closure: Sendable {
    package let parameters: [String]
    /// `self` and others out of `[weak self, x = y]`.
    package let captures: [String]
    package let body: [Statement]

    init(parameters: [String], captures: [String], body: [Statement]) {
        self.parameters = parameters
        self.captures = captures
        self.body = body
    }

    /// What its parameters are called in the body: `$0` and so on where they have no names.
    var names: [String] {
        guard parameters.isEmpty else { return parameters }
        var most = -1
        body.visit { part in
            guard case .name(let name) = part.kind, name.hasPrefix("$"), let number = Int(name.dropFirst()), number < 8
            else { return }
            most = max(most, number)
        }
        return (0..<(most + 1)).map { "$\($0)" }
    }
}

/// A statement of a function's or a closure's body.
package struct Statement: Sendable {
    package var kind: Kind
    package var span: SourceSpan

    package enum Kind: Sendable {
        case expression(Expression)
        /// A local `let` or `var`.
        case bind(Binding)
        case branch(Branch)
        /// `for name in sequence`.
        case loop(names: [String], over: Expression, body: [Statement])
        /// `while` and `repeat`.
        case repetition(conditions: [Condition], body: [Statement])
        case choose(Expression, [SwitchCase])
        case attempt([Statement], catches: [[Statement]])
        case leave(Leave, Expression?)
        case later([Statement])
        case function(Function)
        case type(TypeDeclaration)
    }

    package enum Leave: Sendable { case `return`, `throw`, other }
}

/// `let name: type = value`; more names for a tuple.
package struct Binding: Sendable {
    package var names: [String]
    package var type: String?
    package var value: Expression?
    package var isConstant: Bool
}

/// A condition of `if`, `guard` and `while`.
package enum Condition: Sendable {
    case expression(Expression)
    /// `if let name = value`; `if let name` has the name as its value.
    case bind(Binding)
    /// `if case let .some(name) = value`; the pattern as an expression.
    case matches(pattern: Expression, names: [String], value: Expression)
    case available
}

/// `if` and `guard`. For a guard, `then` is empty and `otherwise` leaves.
package struct Branch: Sendable {
    package var conditions: [Condition]
    package var then: [Statement]
    package var otherwise: [Statement]
    package var isGuard: Bool
}

/// One case of a `switch`.
package struct SwitchCase: Sendable {
    /// Empty for `default`.
    package var patterns: [Expression]
    /// What the patterns bind.
    package var names: [String]
    package var body: [Statement]
}
