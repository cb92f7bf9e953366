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
    /// How much of the value the secret is.
    var extent = Extent.whole

    /// `whole`: the secret itself, or a text made of it. `list`: a collection whose elements are. `part`: what holds it
    /// among other things, so that an unknown member needn't be it.
    enum Extent: Sendable { case whole, list, part }

    /// What a server answers that was asked for records of a person's health.
    static func ofRecords(at place: Place) -> Secret {
        Secret(
            kind: .health, name: "the answer about health",
            steps: [Step("the address that is asked names health data", at: place)]
        ).of(.part)
    }

    func of(_ extent: Extent) -> Secret {
        var next = self
        if next.extent != .part { next.extent = extent }
        return next
    }

    /// What a pattern takes out of an enum's payload.
    var opened: Secret {
        var next = self
        if holder == nil, payload { (next.extent, next.payload) = (.whole, false) }
        return next
    }
    /// The value is an enum's case that was made of the secret.
    var payload = false
    /// It is there only for some of the callers: each of them knows better what it asks for.
    var isOfAnyRequest = false

    /// What an element of the collection is.
    var element: Secret { extent == .list && holder == nil ? of(.whole) : self }

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

    /// A value under the name of a header that signs in is one, wherever it is.
    func surer(ifHeader key: String) -> Secret {
        var next = self
        let headers = ["authorization", "cookie", "x-auth-token", "x-api-key", "proxy-authorization"]
        if headers.contains(key.lowercased()), next.certainty < .likely { next.certainty = .likely }
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
    private var locals: [String: [Entry]] = [:]
    /// How often a local got something: an answer from before counts no more.
    private(set) var version = 0
    /// With the expression, so that no other one is made at its place in memory.
    var answers: [ObjectIdentifier: (expression: Expression, version: Int, secret: Secret?)] = [:]
    /// The expressions that are being looked at: what asks for itself adds nothing to its own answer.
    var asked: Set<ObjectIdentifier> = []
    private typealias Entry = (start: UInt32, end: UInt32, secret: Secret?)
    /// Where the statements end that are being learned.
    private var blockEnd: UInt32 = 0
    /// Local functions that were entered with a secret.
    private var enteredLocals: Set<String> = []
    /// Calls entered so far, so that functions which call each other end.
    let depth: Int
    /// What the answers to the function's requests are.
    let replies: LoginRequests.Answers
    let isAboutLogin: Bool
    private(set) lazy var namesUser = scope.namesUser
    private(set) lazy var isAboutAddresses = scope.namesAddress
    private(set) lazy var isSentCode = function.takesSentCode
    /// Names whose value is parsed further on into something that holds a secret.
    private let parsed: [String: Secret]
    /// Where each of them is parsed.
    private let parsedPlaces: [String: [UInt32]]
    /// What is known of other functions and of properties; nil where this function alone is looked at.
    let context: FlowContext?
    /// How many properties and functions further a value is still followed.
    let budget: Int
    /// How deep the question nests that is being answered, in this flow and in those that it asks.
    let trail: Trail

    package convenience init(_ function: Function, in project: ProjectModel) {
        self.init(function, in: project, given: [:], depth: 0, context: nil, budget: 0, trail: Trail(project))
    }

    init(
        _ function: Function, in project: ProjectModel, given: [String: Secret], depth: Int, context: FlowContext?,
        budget: Int, trail: Trail
    ) {
        self.function = function
        self.project = project
        self.depth = depth
        self.context = context
        self.budget = budget
        self.trail = trail
        scope = project.scope(of: function)
        isAboutLogin = function.isAboutLogin
        replies = LoginRequests.answers(to: function, in: project)
        (parsed, parsedPlaces) = depth == 0 ? ParsedSecrets.names(in: function, scope) : ([:], [:])
        for parameter in function.parameters {
            if let found = parsed[parameter.name] { locals[parameter.name] = [(0, .max, found)] }
        }
        for (name, secret) in parsed where name.contains(".") { locals[name] = [(0, .max, secret)] }
        for (name, secret) in given { locals[name] = [(0, .max, secret)] }
        if given.isEmpty, replies == .all, let data = LoginRequests.receivedData(function), locals[data.name] == nil {
            locals[data.name] = [(0, .max, response(at: Expression(.name(data.name), function.span)))]
        }
        if given.isEmpty, let (name, secret) = LoginRequests.callback(function, in: project) {
            locals[name] = [(0, .max, secret)]
        }
        learn(function.body)
        keepInitial()
        answers = [:]
    }

    package func type(of expression: Expression) -> String? { scope.type(of: expression) }
    package func literal(_ expression: Expression) -> String? { scope.literal(expression) }

    /// Nil if the expression carries no secret.
    package func secret(in expression: Expression) -> Secret? { secret(in: expression, 0) }

    /// The parameter of the function that the expression is made from, if it is.
    package func parameter(in expression: Expression) -> Parameter? {
        guard let name = fromParameters.secret(in: expression)?.name else { return nil }
        if name == Flow.mark + "self" { return Parameter(label: nil, name: "self", type: function.owner ?? "") }
        return function.parameters.first { Flow.mark + $0.name == name }
    }

    /// What an expression carries if a parameter holds a secret of a caller.
    package func secret(in expression: Expression, given secret: Secret, as parameter: String) -> Secret? {
        Flow(function, in: project, given: [parameter: secret], depth: 1, context: nil, budget: 0, trail: trail)
            .secret(in: expression)
    }

    /// Whether the function is in an extension of a type of others, such as String, so that its receiver can be a
    /// secret.
    var hasForeignSelf: Bool {
        guard let owner = function.owner, !Harmless.isType(owner, in: project) else { return false }
        return scope.owner.map { !$0.isDeclared || $0.declarations.first?.kind == .protocol } ?? true
    }

    /// The same function with each parameter in place of a secret.
    private lazy var fromParameters: Flow = {
        var given: [String: Secret] = [:]
        for parameter in function.parameters where !Harmless.isType(parameter.valueType, in: project) {
            given[parameter.name] = Secret(kind: .secret, name: Flow.mark + parameter.name)
        }
        if hasForeignSelf { given["self"] = Secret(kind: .secret, name: Flow.mark + "self") }
        return Flow(function, in: project, given: given, depth: 1, context: nil, budget: 0, trail: trail)
    }()
    private static let mark = "parameter "

    // MARK: What statements do to locals

    func learn(_ statements: [Statement]) {
        let outer = blockEnd
        defer { blockEnd = outer }
        blockEnd = statements.last?.span.end ?? outer
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
                let carried = secret(in: sequence)?.element
                for name in names { set(name, carried ?? named(name), statement.span.start) }
                learn(body)
            case .repetition(let conditions, let body):
                for condition in conditions { learn(condition, statement.span) }
                learn(body)
            case .choose(let subject, let cases):
                learn(subject)
                let carried = secret(in: subject)
                for item in cases {
                    bindPattern(item.names, carried, item.patterns.first?.span.start ?? statement.span.start)
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
            bindPattern(names, secret(in: value), span.start)
        case .available: break
        }
    }

    /// What a pattern takes out of a value: of several names, those that say so are the secret.
    private func bindPattern(_ names: [String], _ carried: Secret?, _ start: UInt32) {
        let telling = names.filter { named($0) != nil }
        for name in names {
            let isIt = names.count == 1 || telling.isEmpty || telling.contains(name)
            set(name, ErrorNames.isError(name) ? nil : (isIt ? carried?.opened : nil) ?? named(name), start)
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
            let carried = replies != .none && LoginRequests.isRequest(value) ? response(at: value) : secret(in: value)
            var parts: [Argument]?
            if case .tuple(let given) = value.kind, given.count == binding.names.count { parts = given }
            let telling = binding.names.filter { named($0) != nil }
            for (index, name) in binding.names.enumerated() {
                // Beside a part that says what it is, the others are other things: `(token, userId)`.
                let isOther = !telling.isEmpty ? !telling.contains(name) : Masks.ends(name) || Masks.isIdentifier(name)
                let whole =
                    LoginRequests.isRequest(value) && index > 0 || parts == nil && isOther
                    ? nil : parts.map { self.secret(in: $0[index].value) } ?? carried
                set(
                    name, whole?.through("it goes into \(name)", at: function.place(span)) ?? named(name),
                    value.span.end)
            }
            return
        }
        guard let name = binding.names.first else { return }
        // A task is what its closure gives back.
        if let type = binding.type, lastPart(of: type) != "Task", Harmless.isType(type, in: project) {
            return set(name, nil, value.span.end)
        }
        var carried = Masks.isOther(name) && !Flow.isAddressOfPage(value, name) ? nil : secret(in: value)
        // `if let password` and `let token = token` are no step of their own.
        if let found = carried, value.lastName != name {
            carried = found.through("it goes into \(name)", at: function.place(span))
        }
        set(
            name,
            carried
                ?? (Harmless.isValue(value, scope)
                    ? nil : named(name, at: span, value: value) ?? held(value, name, binding.type)),
            value.span.end)
    }

    /// A value of a type that has a secret, such as what a call returns. Without a written type it is what the function
    /// gives back, if it does.
    private func held(_ value: Expression, _ name: String, _ written: String?) -> Secret? {
        guard case .call = value.withoutCasts.kind,
            let type = written ?? scope.type(of: value) ?? (givenBack.contains(name) ? function.returns : nil)
        else { return nil }
        return carrier(ofType: type, name, value)
    }

    /// Whether the address is one of a page, in whose query a secret can be.
    static func isAddressOfPage(_ value: Expression, _ name: String) -> Bool {
        guard SecretWords.words(of: name).last?.hasPrefix("addr") == true else { return false }
        var isURL = false
        value.visit { part in
            guard case .text(let parts) = part.kind else { return }
            for case .literal(let text) in parts where text.contains("?") || text.contains("/") || text.contains("=") {
                isURL = true
            }
        }
        return isURL
    }

    /// The names that the function returns as they are.
    private var givenBack: Set<String> {
        var names: Set<String> = []
        function.body.visitStatements { statement in
            if case .leave(.return, let value?) = statement.kind, case .name(let name) = value.kind {
                names.insert(name)
            }
        }
        return names
    }

    private func learn(_ expression: Expression) {
        switch expression.kind {
        case .binary(let operation, let target, let value) where operation == "=" || operation == "+=":
            learn(value)
            assign(target, value, isOverwriting: operation == "=")
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
        case .text(let parts):
            for case .interpolation(let arguments) in parts { for argument in arguments { learn(argument.value) } }
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
            add(
                (first.span.start, last.span.end, found.through("it is passed to \(local.name)", at: call.place)),
                to: parameter.name)
        }
        if isGiven, enteredLocals.insert(local.name).inserted { learn(local.body) }
    }

    private func learnCall(_ expression: Expression, _ callee: Expression, _ arguments: [Argument]) {
        let name = callee.lastName ?? ""
        if case .name = callee.kind, let local = scope.functions[name] { enter(local, expression, callee, arguments) }
        var base: Secret?
        if case .member(let receiver?, _) = callee.kind {
            if Flow.passing.contains(name)
                || arguments.contains(where: { $0.value.isClosure }) && !Flow.failing.contains(name)
            {
                base = secret(in: receiver)
                // What a request was made of isn't what comes back.
                if base?.extent == .part, base?.holder == nil || base?.payload == true, !Flow.passing.contains(name) {
                    base = nil
                }
            }
            // `list.append(password)`, `user.setValue(password, forKey:)`: the receiver carries it from now on.
            let isHeader = arguments.contains { $0.label == "forHTTPHeaderField" }
            let header = isHeader ? arguments.last { $0.label == "forHTTPHeaderField" }?.value : nil
            if isHeader, let root = receiver.root, let value = arguments.first?.value,
                let found = secret(in: value)
                    ?? header.flatMap({ scope.literal($0) }).flatMap({ named(key: $0, at: value.span, value: value) })
            {
                set(
                    root + ".headers", found.through("it goes into a header", at: function.place(expression)),
                    expression.span.end)
            }
            if !isHeader, Flow.filling.contains(name), let root = receiver.root, root != "self",
                Flow.isLocal(root, scope), !holdsMore(root)
            {
                for argument in arguments where !argument.isTrailing {
                    if let found = secret(in: argument.value) {
                        let isText = name == "append" && scope.type(of: receiver) == "String"
                        let isList = name == "append" || name == "insert" || name == "add" || name.hasSuffix("Object")
                        set(
                            root,
                            found.through("it goes into \(root)", at: function.place(expression)).of(
                                isText ? .whole : isList ? .list : .part), expression.span.end)
                        break
                    }
                }
            }
        }
        if base == nil, Flow.watching.contains(name) {
            base = Secret.surest(arguments.filter { !$0.isTrailing }) { self.secret(in: $0.value) }
        }
        let isRequest = replies != .none && LoginRequests.isRequest(expression)
        var handed: [[Secret?]]?
        for argument in arguments {
            guard case .closure(let closure) = argument.value.kind else {
                learn(argument.value)
                continue
            }
            let start = argument.value.span.start
            if let root = callee.root, Flow.pushes.contains(root) {
                for parameter in closure.parameters { set(parameter, nil, start) }
                learn(closure.body)
                continue
            }
            if let label = argument.label, Flow.failureLabels.contains(label) {
                for parameter in closure.parameters { set(parameter, nil, start) }
                learn(closure.body)
                continue
            }
            if let base {
                let names = closure.parameters.isEmpty ? ["$0", "$1"] : closure.parameters
                // What is summed up begins with the first argument.
                let sums = name == "reduce"
                for (index, parameter) in names.enumerated() {
                    let begins = sums && index == 0
                    let given = begins ? arguments.first.flatMap { self.secret(in: $0.value) } : base.element
                    set(parameter, ErrorNames.isError(parameter) ? nil : given, start)
                }
            } else if budget > 0, !isRequest {
                handed = handed ?? handedOn(expression, callee, arguments)
            }
            var given = handed?.first ?? []
            if handed?.isEmpty == false { handed?.removeFirst() }
            if !given.contains(where: { $0 != nil }), base == nil {
                let count = max(1, closure.parameters.count)
                if let decoded = decoded(arguments, expression) {
                    given = Array(repeating: decoded, count: count)
                } else {
                    given = typed(argument, of: expression, callee, arguments)
                }
                if given.isEmpty, !isRequest, LoginRequests.asksLogin(callee, arguments, scope) {
                    given = [response(at: expression)]
                } else if given.isEmpty, !isRequest, LoginRequests.asksHealth(callee, arguments, scope) {
                    given = [Secret.ofRecords(at: function.place(expression))]
                }
                if given.contains(where: { $0 != nil }) {
                    // A flag or a number, as the function declares it.
                    let types = declared(argument, expression, callee, arguments)
                    for (index, type) in types.prefix(given.count).enumerated()
                    where type.utf8.count > 1 && Harmless.isType(type, in: project) {
                        given[index] = nil
                    }
                }
            }
            let names =
                closure.parameters.isEmpty ? (0..<given.count).map { "$\($0)" } : closure.parameters
            let isObjectiveC = function.file.hasSuffix(".m") || function.file.hasSuffix(".mm")
            // Beside the body that a secret is taken out of, an operation has the same as a text.
            let own = names.map { name in
                parsed[name].flatMap { isParsed(name, inside: argument.value.span) ? $0 : nil }
            }
            let body = isObjectiveC && LoginRequests.isRequest(expression) ? own.compactMap { $0 }.first : nil
            let others = others(than: names, in: closure, argument, expression, callee, arguments)
            for (index, parameter) in names.enumerated() where base == nil {
                let isBody = isRequest && (index == 0 || isObjectiveC)
                let carried =
                    own[index] ?? body ?? (isBody ? response(at: expression) : named(parameter))
                    ?? (index < given.count ? given[index] : nil)
                let isOther = ErrorNames.isError(parameter) || others.contains(parameter)
                add((start, .max, isOther ? nil : carried), to: parameter)
            }
            leaveFailures(of: closure)
            learn(closure.body)
        }
        fillParameters(expression, callee, arguments)
    }

    /// A parameter of a closure is parsed by that closure alone.
    private func isParsed(_ name: String, inside span: SourceSpan) -> Bool {
        guard let places = parsedPlaces[name], !places.isEmpty else { return true }
        return places.contains { (span.start...span.end).contains($0) }
    }

    private func assign(_ target: Expression, _ value: Expression, isOverwriting: Bool = true) {
        if case .closure(let closure) = value.kind { return keep(closure, in: target, value) }
        if let name = target.lastName, Masks.isOther(name), !Flow.isAddressOfPage(value, name) {
            if case .name = target.kind { set(name, nil, value.span.end) }
            return
        }
        // What went wrong isn't what was said.
        if let name = target.lastName, ErrorNames.isError(name) { return }
        let found = secret(in: value)
        let place = function.place(target)
        switch target.kind {
        case .name(let name):
            let carried = found.map { value.lastName == name ? $0 : $0.through("it goes into \(name)", at: place) }
            let isOther = Harmless.isValue(value, scope)
            let own = isOther ? nil : named(name, at: target.span, value: value)
            if let new = carried ?? own {
                set(name, new, value.span.end)
            } else if isOverwriting, isOther || value.isPlainName, blockEnd > value.span.end {
                // Something else up to the end of the block; a branch beside it may leave the value as it is.
                leave(name, from: value.span.end, to: blockEnd)
            }
        case .member(let base?, let name):
            if base.dotted == "self" {
                return assign(Expression(.name(name), target.span), value, isOverwriting: isOverwriting)
            }
            // `user.password = text`: the object carries it, unless it is a view.
            guard let root = base.root, Flow.isLocal(root, scope), !Harmless.isView(base, scope), !holdsMore(root),
                name != "text",
                name != "isSecureTextEntry"
            else { return }
            if let found = found ?? (Harmless.isValue(value, scope) ? nil : named(name, at: target.span, value: value))
            {
                // A request that is printed tells its URL, not its body.
                let kept = found.through("it goes into \(target.dotted)", at: place)
                set(target.dotted, kept, value.span.end)
                if name == "allHTTPHeaderFields" { set(root + ".headers", kept, value.span.end) }
                if name != "httpBody", name != "allHTTPHeaderFields" { set(root, kept.of(.part), value.span.end) }
            }
        case .element(let base, let arguments):
            guard let root = base.root, Flow.isLocal(root, scope) else { return }
            let key = arguments.first.flatMap { scope.literal($0.value) }
            if let found = found
                ?? (Harmless.isValue(value, scope)
                    ? nil : key.flatMap { named(key: $0, at: target.span, value: value) })
            {
                let kept = found.through("it goes into \(root)", at: place)
                if let key, case .name = base.kind { set("\(root)[\(key)]", kept, value.span.end) }
                set(root, kept.of(.part), value.span.end)
            }
        default: break
        }
    }

    func set(_ name: String, _ secret: Secret?, _ start: UInt32) {
        add((start, .max, secret ?? parsed[name]), to: name)
    }

    /// From one place to another, the name is known to be harmless.
    func leave(_ name: String, from start: UInt32, to end: UInt32) { add((start, end, nil), to: name) }

    /// What the name carries at a place: `.some(nil)` if it is known to be harmless, nil if nothing is known.
    func local(_ name: String, at start: UInt32) -> Secret?? {
        guard let entries = locals[name] else { return nil }
        var index = Self.firstAfter(start, entries)
        while index > 0 {
            index -= 1
            if start < entries[index].end { return .some(entries[index].secret) }
        }
        return entries.first { $0.end == .max }.map { .some($0.secret) } ?? nil
    }

    private static func firstAfter(_ start: UInt32, _ entries: [Entry]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start <= start { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// In the order of their places, those of one place in the order of their coming.
    private func add(_ entry: Entry, to name: String) {
        version += 1
        let entries = locals[name] ?? []
        guard let last = entries.last, last.start > entry.start else {
            locals[name, default: []].append(entry)
            return
        }
        locals[name, default: []].insert(entry, at: Self.firstAfter(entry.start, entries))
    }

    // MARK: Names

    /// A secret that only the name of a local tells of.
    func named(_ name: String, at span: SourceSpan? = nil, value: Expression? = nil) -> Secret? {
        guard let (kind, certainty) = judge(name), !ErrorNames.isError(name) else { return nil }
        if let type = scope.locals[name], Harmless.isType(type, in: project) { return nil }
        if let value, let type = scope.type(of: value), Harmless.isType(type, in: project) { return nil }
        if let root = value?.root, kind == .token, SecretWords.isHarmlessToken(root) || Flow.pushes.contains(root) {
            return nil
        }
        let steps = span.map { [Step("\(name) holds \(kind.article)", at: function.place($0))] } ?? []
        return Secret(kind: kind, name: name, steps: steps, certainty: certainty)
    }

    func response(at expression: Expression) -> Secret {
        let isAny = replies == .all
        var secret = Secret(
            kind: .token, name: isAny ? "the response of each request" : "the response of a log-in",
            steps: [
                Step(
                    isAny
                        ? "the response of any request arrives, that of a log-in, too"
                        : "the response of a log-in request arrives", at: function.place(expression))
            ],
            certainty: parsed.isEmpty && replies == .perhaps && !LoginRequests.asksLogin(expression)
                ? .possible : .likely)
        secret.isOfAnyRequest = isAny
        return secret
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

    /// Methods that hand their receiver on to a closure.
    static let passing: Set<String> = [
        "map", "flatMap", "compactMap", "tryMap", "receive", "eraseToAnyPublisher", "handleEvents", "forEach", "sink",
        "then", "tap", "filter", "do", "reduce", "first", "sorted", "contains", "removeAll", "allSatisfy", "mapValues",
        "compactMapValues", "tryCompactMap", "also", "let", "with",
    ]
    /// Methods that hand what they watch to a closure.
    static let watching: Set<String> = ["onChange", "onReceive", "observe", "assertLast", "withObservationTracking"]
    /// Operators of publishers that hand on what they get.
    static let publishing: Set<String> = [
        "removeDuplicates", "debounce", "throttle", "dropFirst", "receive", "subscribe", "eraseToAnyPublisher", "share",
        "delay", "prepend", "setFailureType", "asObservable", "asDriver", "distinctUntilChanged", "orEmpty", "skip",
        "observe", "dropLast", "droppingFirst", "values", "timeout", "buffer", "collect", "scan", "replaceNil",
    ]
    /// Services that deliver notifications: their tokens are for no log-in.
    static let pushes: Set<String> = [
        "Messaging", "InstanceID", "FIRMessaging", "FIRInstanceID", "OneSignal", "PushNotifications", "Installations",
    ]
    /// Labels of closures that are given what went wrong.
    static let failureLabels: Set<String> = [
        "receiveCompletion", "onError", "onFailure", "failure", "receiveSubscription", "receiveCancel", "onCompleted",
        "failureHandler", "errorHandler", "onDisposed", "onCompletion_", "error", "fail",
    ]
    /// Methods that hand an error on.
    static let failing: Set<String> = [
        "catch", "mapError", "tryCatch", "replaceError", "onError", "onFailure", "recover", "assertNoFailure", "retry",
    ]
    /// Methods after which the receiver holds the arguments.
    static let filling: Set<String> = [
        "append", "insert", "setValue", "setObject", "set", "updateValue", "add", "setPrimitiveValue", "addValue",
        "merge", "appendFormat", "appendString", "appendData", "appendBytes", "addObject", "insertObject",
        "addObjectsFromArray", "addEntriesFromDictionary",
    ]
}
