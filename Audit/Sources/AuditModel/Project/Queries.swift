// SPDX-License-Identifier: Apache-2.0

extension ProjectModel {
    /// A type by its qualified name, or by its last part if that is unique.
    package func type(_ name: String) -> TypeModel? { nil }

    /// The type, its superclasses and its protocols, nearest first, as far as they are in the project; stops at circles.
    package func ancestors(of type: TypeModel) -> [TypeModel] { [] }

    /// Whether the type or one of its ancestors names `base` as superclass or protocol (`UIViewController`, `View`).
    package func inherits(_ type: TypeModel, from base: String) -> Bool { false }

    /// Every call whose callee ends in `name`: `set` finds `defaults.set(...)`; `UITextField` finds `UITextField(...)`.
    package func calls(to name: String) -> [CallSite] { callsByName[name] ?? [] }

    /// The functions of the project that a call can reach: by the receiver's type if it is known, else those of that name whose labels fit, if few.
    package func targets(of call: CallSite, flow: Flow? = nil) -> [Function] { [] }

    /// The calls in a function and, at most `hops` calls away, in the functions of the project that it calls.
    package func callsReached(from function: Function, hops: Int) -> [CallSite] { [] }
}

extension Expression {
    /// The last name of a name, a member or a call's callee.
    package var lastName: String? {
        switch kind {
        case .name(let name), .member(_, let name): name
        case .call(let callee, _): callee.lastName
        default: nil
        }
    }

    /// `UserDefaults.standard.set` for members, `name()` for calls on the way, `[]` for subscripts.
    package var dotted: String {
        switch kind {
        case .name(let name): name
        case .member(let base, let name): (base?.dotted ?? "") + "." + name
        case .call(let callee, _): callee.dotted + "()"
        case .element(let base, _): base.dotted + "[]"
        case .cast(let value, _, _), .attempt(let value): value.dotted
        default: "_"
        }
    }

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
    package func visit(_ body: (Expression) -> Void) {}
}

extension [Statement] {
    /// Visits every expression of the statements, outermost first.
    package func visit(_ body: (Expression) -> Void) {}
}
