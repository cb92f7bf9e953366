// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Whether a TextField is on the screen only where a SecureField of the same binding isn't: a button that reveals what was typed exchanges the two.
///
/// Both stand in arms of one `if`, `switch` or `?:`, or under conditions of their own, or the one leaves before the other, or a modifier shows one at a time.
/// One SecureField anywhere in the view excuses no field that always stands beside it.
struct Alternatives {
    let hasSecureField: Bool

    init(to call: CallSite, _ binding: Expression, in views: SecureFields) {
        let key = binding.dotted
        let function = call.caller
        let project = views.project
        func isSecure(_ expression: Expression) -> Bool {
            guard case .call(let callee, let arguments) = expression.kind, callee.lastName == "SecureField" else {
                return false
            }
            return arguments.contains { $0.label == "text" && $0.value.dotted == key }
        }
        let fields = views.fields(of: function)[key] ?? []
        if !fields.isEmpty {
            let arms = views.arms(of: function)
            let own = arms.around(call.expression.span)
            if fields.contains(where: { own.excludes(arms.around($0.span)) }) || arms.isShaded(call.expression) {
                hasSecureField = true
                return
            }
        }
        // `if isSecure { hiddenField } else { plainField }`, each made by a function or property of its own.
        guard let owner = function.owner, let type = project.type(owner), function.name != "body",
            type.allFunctions.contains(where: { views.fields(of: $0)[key] != nil })
        else {
            hasSecureField = false
            return
        }
        let others = Set(
            type.allFunctions.filter { other in
                var makes = false
                if other !== function { other.body.visit { if isSecure($0) { makes = true } } }
                return makes && other.name != "body"
            }.map(\.name))
        hasSecureField = type.allFunctions.contains { other in
            guard other !== function else { return false }
            var (plain, secure): ([SourceSpan], [SourceSpan]) = ([], [])
            other.body.visit { expression in
                let name: String? =
                    switch expression.kind {
                    case .name(let name): name
                    case .member(let base?, let name): base.dotted == "self" ? name : nil
                    default: nil
                    }
                if name == function.name { plain.append(expression.span) }
                if name.map(others.contains) == true || isSecure(expression) { secure.append(expression.span) }
            }
            guard !plain.isEmpty, !secure.isEmpty else { return false }
            let arms = Arms(other)
            return plain.allSatisfy { plain in
                let own = arms.around(plain)
                return secure.contains { own.excludes(arms.around($0)) }
            }
        }
    }
}

/// The SecureFields of functions, by their binding, and the arms that they are in.
final class SecureFields {
    let project: ProjectModel
    private var known: [ObjectIdentifier: [String: [Expression]]] = [:]
    private var knownArms: [ObjectIdentifier: Arms] = [:]

    init(_ project: ProjectModel) { self.project = project }

    func fields(of function: Function) -> [String: [Expression]] {
        if let found = known[ObjectIdentifier(function)] { return found }
        var found: [String: [Expression]] = [:]
        function.body.visit { part in
            guard case .call(let callee, let arguments) = part.kind, callee.lastName == "SecureField" else { return }
            for key in Set(arguments.filter { $0.label == "text" }.map(\.value.dotted)) {
                found[key, default: []].append(part)
            }
        }
        known[ObjectIdentifier(function)] = found
        return found
    }

    fileprivate func arms(of function: Function) -> Arms {
        if let found = knownArms[ObjectIdentifier(function)] { return found }
        let found = Arms(function)
        knownArms[ObjectIdentifier(function)] = found
        return found
    }
}

extension Alternatives {
    /// Whether a flag that says which of the two fields is there begins with this one: `@State var isShown = true`.
    static func isShownAtFirst(_ call: CallSite, in project: ProjectModel) -> Bool {
        guard let owner = call.caller.owner.flatMap({ project.type($0) }) else { return false }
        let span = call.expression.span
        func isInside(_ statements: [Statement]) -> Bool {
            guard let first = statements.first, let last = statements.last else { return false }
            return first.span.start <= span.start && span.end <= last.span.end
        }
        var isShown = false
        func look(_ statements: [Statement]) {
            statements.visitStatements { statement in
                guard case .branch(let branch) = statement.kind, branch.conditions.count == 1,
                    case .expression(var condition) = branch.conditions[0]
                else { return }
                var value = true
                if case .unary("!", let inner) = condition.kind { (condition, value) = (inner, false) }
                guard case .name(let name) = condition.kind, let flag = owner.properties[name],
                    flag.attribute("State") != nil, case .boolean(let first)? = flag.value?.kind
                else { return }
                if isInside(first == value ? branch.then : branch.otherwise) { isShown = true }
            }
        }
        look(call.caller.body)
        call.caller.body.visit { part in
            switch part.kind {
            case .closure(let closure): look(closure.body)
            case .block(let statements): look(statements)
            default: break
            }
        }
        return isShown
    }
}

/// The arms of conditions in a function.
private struct Arms {
    private struct Arm {
        /// Equal for the arms of one condition.
        var condition: UInt32
        var index: Int
        var start: UInt32
        var end: UInt32
        var leaves: Bool
    }

    private var arms: [Arm] = []
    private var shaded: [SourceSpan] = []

    init(_ function: Function) {
        var found: [Arm] = []
        func add(_ statements: [Statement], _ condition: UInt32, _ index: Int) {
            guard let first = statements.first, let last = statements.last else { return }
            var leaves = false
            if case .leave = last.kind { leaves = true }
            found.append(
                Arm(condition: condition, index: index, start: first.span.start, end: last.span.end, leaves: leaves))
        }
        func look(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .branch(let branch):
                    add(branch.then, statement.span.start, 0)
                    add(branch.otherwise, statement.span.start, 1)
                case .choose(_, let cases):
                    for (index, item) in cases.enumerated() { add(item.body, statement.span.start, index) }
                default: break
                }
            }
        }
        look(function.body)
        var shaded: [SourceSpan] = []
        function.body.visit { expression in
            switch expression.kind {
            case .closure(let closure): look(closure.body)
            case .block(let statements): look(statements)
            case .choice(_, let then, let otherwise):
                for (index, side) in [then, otherwise].enumerated() {
                    found.append(
                        Arm(
                            condition: expression.span.start, index: index, start: side.span.start,
                            end: side.span.end, leaves: false))
                }
            case .call(let callee, let arguments):
                // `.opacity(isShown ? 1 : 0)`, `.hidden(isSecure)`
                guard case .member(_?, let name) = callee.kind,
                    ["opacity", "hidden", "isHidden", "frame"].contains(name),
                    arguments.contains(where: { argument in
                        switch argument.value.kind {
                        case .choice, .unary("!", _): true
                        case .name: name != "frame" && name != "opacity"
                        default: false
                        }
                    })
                else { return }
                shaded.append(expression.span)
            default: break
            }
        }
        arms = found
        self.shaded = shaded
    }

    struct Path {
        /// The arms round a place, by their condition.
        fileprivate var indices: [UInt32: Int] = [:]
        fileprivate var leaves = false
        fileprivate var start: UInt32 = 0

        func excludes(_ other: Path) -> Bool {
            for (condition, index) in indices {
                if let second = other.indices[condition] {
                    if second != index { return true }
                } else if other.indices.keys.contains(where: { indices[$0] == nil }) {
                    // Each under a condition of its own.
                    return true
                }
            }
            return leaves && start < other.start || other.leaves && other.start < start
        }
    }

    func around(_ span: SourceSpan) -> Path {
        var path = Path(start: span.start)
        for arm in arms where arm.start <= span.start && span.end <= arm.end {
            path.indices[arm.condition] = arm.index
            if arm.leaves { path.leaves = true }
        }
        return path
    }

    /// Whether a modifier round the expression shows it at times only.
    func isShaded(_ expression: Expression) -> Bool {
        shaded.contains { $0.start == expression.span.start && expression.span.end <= $0.end }
    }
}
