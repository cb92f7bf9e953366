// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A secret that an expression carries, and how it came there.
package struct Secret: Sendable {
    package var kind: SecretKind
    /// What it is called where it comes from: `passwordField`.
    package var name: String
    /// From the source on; the place of the expression that was asked about isn't among them unless it is the source.
    package var steps: [Step]
    package var certainty: Certainty
    /// The type of an object that has the secret among its properties: what is told of the object needn't tell of them.
    package var holder: TypeModel?

    /// The first that is likely at least, else the first of those that are surest: what is only possible hides nothing that stands behind it.
    package static func surest<S: Sequence>(_ values: S, _ find: (S.Element) -> Secret?) -> Secret? {
        var best: Secret?
        for value in values {
            guard let found = find(value) else { continue }
            if found.certainty >= .likely { return found }
            if best.map({ $0.certainty < found.certainty }) ?? true { best = found }
        }
        return best
    }

    package init(kind: SecretKind, name: String, steps: [Step] = [], certainty: Certainty = .likely) {
        self.kind = kind
        self.name = name
        self.steps = steps
        self.certainty = certainty
    }

    package func through(_ note: String, at place: Place) -> Secret {
        var next = self
        if steps.count < 12 { next.steps.append(Step(note, at: place)) }
        return next
    }

    func lessSure() -> Secret {
        var next = self
        if next.certainty > .possible { next.certainty = .possible }
        return next
    }
}

/// What flows inside one function: make it once per function, then ask for expressions of its body.
///
/// Sources: text of fields whose name says secret, names and members that say secret, keychain reads, responses of log-in requests, parameters that say secret. Followed over locals,
/// optionals, closures, tuples, collections, interpolation, conversions and into functions of the project that return what they were given. Stopped by masks (`count`,
/// `isEmpty`, `suffix`, hashes, comparisons, redactors), encryption, and types that hold no secret (Bool, numbers, dates, views).
package final class Flow {
    package let function: Function
    package let project: ProjectModel
    package let scope: Scope
    /// What each local carries from an offset on: the last entry before a place counts. A nil is a value known to be harmless.
    private var locals: [String: [(start: UInt32, end: UInt32, secret: Secret?)]] = [:]
    /// Local functions that were entered with a secret.
    private var enteredLocals: Set<String> = []
    /// Calls entered so far, so that functions which call each other end.
    private let depth: Int
    let asksForLogin: Bool
    let isAboutLogin: Bool
    private(set) lazy var namesUser = scope.namesUser
    /// Names whose value is parsed further on into something that holds a secret.
    private let parsed: [String: Secret]

    package convenience init(_ function: Function, in project: ProjectModel) {
        self.init(function, in: project, given: [:], depth: 0)
    }

    init(_ function: Function, in project: ProjectModel, given: [String: Secret], depth: Int) {
        self.function = function
        self.project = project
        self.depth = depth
        scope = project.scope(of: function)
        isAboutLogin = function.isAboutLogin
        asksForLogin = LoginRequests.isSent(by: function)
        parsed = depth == 0 ? ParsedSecrets.names(in: function, scope) : [:]
        for parameter in function.parameters {
            if let found = parsed[parameter.name] { locals[parameter.name] = [(0, .max, found)] }
        }
        for (name, secret) in given { locals[name] = [(0, .max, secret)] }
        if given.isEmpty, let (name, secret) = LoginRequests.callback(function, in: project) {
            locals[name] = [(0, .max, secret)]
        }
        learn(function.body)
    }

    package func type(of expression: Expression) -> String? { scope.type(of: expression) }
    package func literal(_ expression: Expression) -> String? { scope.literal(expression) }

    /// Nil if the expression carries no secret.
    package func secret(in expression: Expression) -> Secret? { secret(in: expression, 0) }

    /// The parameter of the function that the expression is made from, if it is.
    package func parameter(in expression: Expression) -> Parameter? {
        guard let name = fromParameters.secret(in: expression)?.name else { return nil }
        return function.parameters.first { Flow.mark + $0.name == name }
    }

    /// The same function with each parameter in place of a secret.
    private lazy var fromParameters: Flow = {
        var given: [String: Secret] = [:]
        for parameter in function.parameters where !Harmless.isType(parameter.type, in: project) {
            given[parameter.name] = Secret(kind: .secret, name: Flow.mark + parameter.name)
        }
        return Flow(function, in: project, given: given, depth: 1)
    }()
    private static let mark = "parameter "

    // MARK: What statements do to locals

    private func learn(_ statements: [Statement]) {
        for statement in statements {
            switch statement.kind {
            case .expression(let value): learn(value)
            case .bind(let binding): bind(binding, statement.span)
            case .branch(let branch):
                for condition in branch.conditions { learn(condition, statement.span) }
                learn(branch.then)
                learn(branch.otherwise)
            case .loop(let names, let sequence, let body):
                learn(sequence)
                let carried = secret(in: sequence)
                for name in names { set(name, carried ?? named(name), statement.span.start) }
                learn(body)
            case .repetition(let conditions, let body):
                for condition in conditions { learn(condition, statement.span) }
                learn(body)
            case .choose(let subject, let cases):
                learn(subject)
                let carried = secret(in: subject)
                for item in cases {
                    for name in item.names {
                        set(
                            name, ErrorNames.isError(name) ? nil : carried ?? named(name),
                            item.patterns.first?.span.start ?? statement.span.start)
                    }
                    learn(item.body)
                }
            case .attempt(let body, let catches):
                learn(body)
                for block in catches { learn(block) }
            case .leave(_, let value): if let value { learn(value) }
            case .later(let body): learn(body)
            case .function(let inner): learn(inner.body)
            case .type: break
            }
        }
    }

    private func learn(_ condition: Condition, _ span: SourceSpan) {
        switch condition {
        case .expression(let value): learn(value)
        case .bind(let binding): bind(binding, binding.value?.span ?? span)
        case .matches(_, let names, let value):
            learn(value)
            let carried = secret(in: value)
            for name in names { set(name, ErrorNames.isError(name) ? nil : carried ?? named(name), span.start) }
        case .available: break
        }
    }

    private func bind(_ binding: Binding, _ span: SourceSpan) {
        guard let value = binding.value else {
            for name in binding.names { set(name, nil, span.start) }
            return
        }
        learn(value)
        if binding.names.count > 1 {
            // `let (data, response) = try await session.data(for: request)`
            let carried = asksForLogin && LoginRequests.isRequest(value) ? response(at: value) : secret(in: value)
            for (index, name) in binding.names.enumerated() {
                let whole = LoginRequests.isRequest(value) && index > 0 ? nil : carried
                set(
                    name, whole?.through("it goes into \(name)", at: function.place(span)) ?? named(name),
                    value.span.end)
            }
            return
        }
        guard let name = binding.names.first else { return }
        if let type = binding.type, Harmless.isType(type, in: project) { return set(name, nil, value.span.end) }
        var carried = secret(in: value)
        // `if let password` and `let token = token` are no step of their own.
        if let found = carried, value.lastName != name {
            carried = found.through("it goes into \(name)", at: function.place(span))
        }
        set(
            name, carried ?? (Harmless.isValue(value, scope) ? nil : named(name, at: span, value: value)),
            value.span.end)
    }

    private func learn(_ expression: Expression) {
        switch expression.kind {
        case .binary(let operation, let target, let value) where operation == "=" || operation == "+=":
            learn(value)
            assign(target, value)
        case .call(let callee, let arguments):
            learn(callee)
            learnCall(expression, callee, arguments)
        case .closure(let closure): learn(closure.body)
        case .member(let base?, _): learn(base)
        case .binary(_, let left, let right):
            learn(left)
            learn(right)
        case .attempt(let value), .cast(let value, _, _), .unary(_, let value): learn(value)
        case .choice(let condition, let then, let otherwise):
            learn(condition)
            learn(then)
            learn(otherwise)
        case .array(let values), .other(let values): for value in values { learn(value) }
        case .tuple(let arguments), .macro(_, let arguments), .element(_, let arguments):
            for argument in arguments { learn(argument.value) }
        case .dictionary(let pairs): for pair in pairs { learn(pair.value) }
        case .block(let statements): learn(statements)
        default: break
        }
    }

    /// A function of the body that is given a secret: in it, its parameter holds it.
    private func enter(_ local: Function, _ expression: Expression, _ callee: Expression, _ arguments: [Argument]) {
        guard let first = local.body.first, let last = local.body.last else { return }
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        var isGiven = false
        for (parameter, value) in project.bound(call, to: local) {
            guard let found = secret(in: value) else { continue }
            isGiven = true
            locals[parameter.name, default: []].append(
                (first.span.start, last.span.end, found.through("it is passed to \(local.name)", at: call.place)))
        }
        if isGiven, enteredLocals.insert(local.name).inserted { learn(local.body) }
    }

    private func learnCall(_ expression: Expression, _ callee: Expression, _ arguments: [Argument]) {
        let name = callee.lastName ?? ""
        if case .name = callee.kind, let local = scope.functions[name] { enter(local, expression, callee, arguments) }
        var base: Secret?
        if case .member(let receiver?, _) = callee.kind {
            if Flow.passing.contains(name) { base = secret(in: receiver) }
            // `list.append(password)`, `user.setValue(password, forKey:)`: the receiver carries it from now on.
            let isHeader = arguments.contains { $0.label == "forHTTPHeaderField" }
            if isHeader, let root = receiver.root, let value = arguments.first?.value, let found = secret(in: value) {
                set(
                    root + ".headers", found.through("it goes into a header", at: function.place(expression)),
                    expression.span.end)
            }
            if !isHeader, Flow.filling.contains(name), let root = receiver.root, root != "self",
                Flow.isLocal(root, scope), !holdsMore(root)
            {
                for argument in arguments where !argument.isTrailing {
                    if let found = secret(in: argument.value) {
                        set(
                            root, found.through("it goes into \(root)", at: function.place(expression)),
                            expression.span.end)
                        break
                    }
                }
            }
        }
        let isRequest = asksForLogin && LoginRequests.isRequest(expression)
        for argument in arguments {
            guard case .closure(let closure) = argument.value.kind else {
                learn(argument.value)
                continue
            }
            let start = argument.value.span.start
            if let base {
                for parameter in closure.parameters.isEmpty ? ["$0"] : closure.parameters {
                    set(parameter, base, start)
                }
            }
            for (index, parameter) in closure.parameters.enumerated() where base == nil {
                let carried =
                    parsed[parameter] ?? (isRequest && index == 0 ? response(at: expression) : named(parameter))
                set(parameter, ErrorNames.isError(parameter) ? nil : carried, start)
            }
            learn(closure.body)
        }
    }

    private func assign(_ target: Expression, _ value: Expression) {
        let found = secret(in: value)
        let place = function.place(target)
        switch target.kind {
        case .name(let name):
            let carried = found.map { value.lastName == name ? $0 : $0.through("it goes into \(name)", at: place) }
            let own = Harmless.isValue(value, scope) ? nil : named(name, at: target.span, value: value)
            if let new = carried ?? own { set(name, new, value.span.end) }
        case .member(let base?, let name):
            if base.dotted == "self" { return assign(Expression(.name(name), target.span), value) }
            // `user.password = text`: the object carries it, unless it is a view.
            guard let root = base.root, Flow.isLocal(root, scope), !Harmless.isView(base, scope), !holdsMore(root),
                name != "text",
                name != "isSecureTextEntry"
            else { return }
            if let found = found ?? (Harmless.isValue(value, scope) ? nil : named(name, at: target.span, value: value))
            {
                // A request that is printed tells its URL, not its body.
                set(
                    name == "httpBody" ? root + ".httpBody" : root,
                    found.through("it goes into \(target.dotted)", at: place), value.span.end)
            }
        case .element(let base, let arguments):
            guard let root = base.root, Flow.isLocal(root, scope) else { return }
            let key = arguments.first.flatMap { scope.literal($0.value) }
            if let found = found
                ?? (Harmless.isValue(value, scope) ? nil : key.flatMap { named($0, at: target.span, value: value) })
            {
                set(root, found.through("it goes into \(root)", at: place), value.span.end)
            }
        default: break
        }
    }

    private func set(_ name: String, _ secret: Secret?, _ start: UInt32) {
        locals[name, default: []].append((start, .max, secret ?? parsed[name]))
    }

    /// What the name carries at a place: `.some(nil)` if it is known to be harmless, nil if nothing is known.
    func local(_ name: String, at start: UInt32) -> Secret?? {
        guard let entries = locals[name] else { return nil }
        guard
            let last = entries.last(where: { $0.start <= start && start < $0.end })
                ?? entries.first(where: { $0.end == .max })
        else { return nil }
        return .some(last.secret)
    }

    // MARK: Names

    /// A secret that only the name of a local tells of.
    func named(_ name: String, at span: SourceSpan? = nil, value: Expression? = nil) -> Secret? {
        guard let (kind, certainty) = judge(name), !ErrorNames.isError(name) else { return nil }
        if let type = scope.locals[name], Harmless.isType(type, in: project) { return nil }
        if let value, let type = scope.type(of: value), Harmless.isType(type, in: project) { return nil }
        let steps = span.map { [Step("\(name) holds \(kind.article)", at: function.place($0))] } ?? []
        return Secret(kind: kind, name: name, steps: steps, certainty: certainty)
    }

    func response(at expression: Expression) -> Secret {
        Secret(
            kind: .token, name: "the response of a log-in",
            steps: [Step("the response of a log-in request arrives", at: function.place(expression))],
            certainty: parsed.isEmpty ? .possible : .likely)
    }

    /// A store of the system: that it was given a secret says nothing of what else is read out of it.
    private func holdsMore(_ local: String) -> Bool {
        guard let type = scope.locals[local] ?? scope.type(of: Expression(.name(local), function.span)) else {
            return ["defaults", "userDefaults", "keychain", "pasteboard"].contains(local)
        }
        return ["UserDefaults", "UIPasteboard", "FileManager", "NotificationCenter", "Realm", "HTTPCookieStorage"]
            .contains(lastPart(of: type)) || type.contains("Keychain")
    }

    static func isLocal(_ name: String, _ scope: Scope) -> Bool {
        scope.locals[name] != nil || name.first?.isLowercase == true && name != "self"
    }

    /// A function of the project entered with what the call gives it; nil where it calls too deep.
    func entered(_ target: Function, _ call: CallSite) -> Flow? {
        guard depth < 2, target !== function else { return nil }
        var given: [String: Secret] = [:]
        for (parameter, value) in project.bound(call, to: target) {
            if let found = secret(in: value) {
                given[parameter.name] = found.through("it is passed to \(target.name)", at: call.place)
            }
        }
        // Without anything given, only what the function itself reads can come back, and that is looked at from near by alone.
        guard !given.isEmpty || depth == 0 else { return nil }
        return Flow(target, in: project, given: given, depth: depth + 1)
    }

    /// Methods that hand their receiver on to a closure.
    static let passing: Set<String> = [
        "map", "flatMap", "compactMap", "tryMap", "receive", "eraseToAnyPublisher", "handleEvents", "forEach", "sink",
        "then", "tap", "filter", "do",
    ]
    /// Methods after which the receiver holds the arguments.
    static let filling: Set<String> = [
        "append", "insert", "setValue", "setObject", "set", "updateValue", "add", "setPrimitiveValue", "addValue",
        "merge",
    ]
}
