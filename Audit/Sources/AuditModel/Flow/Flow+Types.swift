// SPDX-License-Identifier: Apache-2.0

import Findings

/// What types tell of values, and what requests have.
extension Flow {
    /// What is put under a key of a body, a query or a header: there a plain word says more than in a name, since both
    /// sides know one of a kind.
    func named(key: String, at span: SourceSpan, value: Expression) -> Secret? {
        if let found = named(key, at: span, value: value) {
            var next = found.surer(ifHeader: key)
            let isOnly = key.lowercased() == "pin" || key.lowercased() == "token"
            if isOnly, next.certainty == .possible, !project.tradesTokens, !function.isAboutNotifications,
                !isAboutAddresses
            {
                next.certainty = .likely
            }
            return next
        }
        guard ["cookie", "x-auth-token", "proxy-authorization"].contains(key.lowercased()),
            !Harmless.isValue(value, scope)
        else { return nil }
        return Secret(
            kind: .token, name: key, steps: [Step("the header \(key) signs in", at: function.place(span))])
    }

    /// Whether a weak word in a field's name is of something else: `boardingPassField`, `gameSeedField`.
    func isOfOther(_ field: String, _ words: SecretWords) -> Bool {
        guard words.isWeak, words.kind == .password || words.kind == .seed,
            let first = SecretWords.words(of: field).first, SecretWords(name: first) == nil
        else { return false }
        return (judge(field)?.certainty ?? .possible) < .likely
    }

    /// What a closure makes for the function that it is given: its value, or what it hands to a continuation, a stream or
    /// a promise. Nil where the function is another one.
    func produced(_ name: String, _ arguments: [Argument], _ level: Int) -> Secret?? {
        let gives = Self.giving.contains(name)
        guard gives || Self.resuming.contains(name) else { return nil }
        let closure = arguments.lazy.compactMap { argument -> Closure? in
            if case .closure(let closure) = argument.value.kind { closure } else { nil }
        }.first
        guard let closure else { return nil }
        if gives { return .some(result(of: closure.body, level)) }
        let names = Set(closure.names)
        var found: Secret?
        closure.body.visit { part in
            guard found == nil, case .call(let callee, let given) = part.kind, let root = callee.root,
                names.contains(root)
            else { return }
            found = self.first(of: given.filter { !$0.isTrailing }, level)
        }
        return .some(found?.payload == true ? found?.opened : found?.of(name.hasPrefix("Async") ? .list : .whole))
    }

    /// Functions that give back what their closure does.
    private static let giving: Set<String> = [
        "Task", "detached", "sync", "withLock", "autoreleasepool", "performAndWait", "withExtendedLifetime",
        "withUnsafeMutablePointer", "Deferred", "lazy",
    ]
    /// Functions and types that give what their closure hands on.
    private static let resuming: Set<String> = [
        "AsyncStream", "AsyncThrowingStream", "withCheckedContinuation", "withCheckedThrowingContinuation",
        "withUnsafeContinuation", "withUnsafeThrowingContinuation", "Future", "Promise", "create",
    ]

    /// A value of a project's type that has secrets among its stored properties.
    func carrier(_ model: TypeModel, _ name: String, _ expression: Expression) -> Secret? {
        guard let (property, kind) = Carriers.secret(of: model, in: project) else { return nil }
        var found = Secret(
            kind: kind, name: "\(name).\(property.name)",
            steps: [
                Step("\(model.shortName) has \(property.name), which holds \(kind.article)", at: property.place),
                Step("\(name) is \(model.shortName.article)", at: function.place(expression)),
            ])
        found.holder = model
        found.extent = .part
        return found
    }

    /// A value of a type that has secrets itself or in a part: `Reply<[Account]>`.
    func carrier(ofType type: String, _ name: String, _ expression: Expression) -> Secret? {
        guard !type.contains("->"), !type.isEmpty else { return nil }
        if let model = project.declared(type.elementType) {
            if let found = carrier(model, name, expression) { return found }
            guard type.contains("<"), !Harmless.isBehaviour(model, in: project) else { return nil }
        }
        for part in type.namedTypes.prefix(6) {
            if let model = project.declared(part), !Harmless.isType(part, in: project),
                let found = carrier(model, name, expression)
            {
                return found
            }
        }
        return nil
    }

    /// What a function of the project gives back, by its type: one that has a secret, or the caller's own type.
    func ofReturned(_ call: CallSite, _ given: [Argument], _ level: Int) -> Secret? {
        for target in project.targets(of: call, scope: scope).prefix(Self.mostTargets) {
            guard let type = target.returns, !Harmless.isType(type, in: project) else { continue }
            if let found = carrier(ofType: type, "what \(target.name) returns", call.expression) { return found }
            let element = type.elementType
            if element.utf8.count < 3 || element.hasSuffix("Type"), project.declared(element) == nil,
                let found = first(of: given, level), found.holder != nil
            {
                return found
            }
        }
        return nil
    }

    /// What a function for all requests sends, in an app that signs in by one.
    func ofAnyRequest(_ name: String, _ expression: Expression) -> Secret? {
        guard replies == .all else { return nil }
        var secret = Secret(
            kind: .token, name: name,
            steps: [Step("\(name), that of a log-in, too, is read", at: function.place(expression))])
        secret.isOfAnyRequest = true
        secret.extent = .part
        return secret
    }

    /// What a request has in its headers and its body, where the function sets them.
    package func contents(ofRequest expression: Expression) -> Secret? {
        guard let root = expression.root else { return nil }
        for part in [".headers", ".httpBody"] {
            if let found = local(root + part, at: expression.span.start) ?? nil { return found }
        }
        return nil
    }

    /// What the request of a response has in its headers: a response that is printed for debugging shows them.
    package func headers(ofResponse expression: Expression) -> Secret? {
        guard case .name(let name) = expression.kind else { return nil }
        var found: Secret?
        function.body.visit { part in
            guard found == nil, case .call(let callee, let arguments) = part.kind,
                callee.lastName?.hasPrefix("response") == true,
                arguments.contains(where: { argument in
                    guard case .closure(let closure) = argument.value.kind else { return false }
                    return closure.parameters.first == name
                        && (argument.value.span.start...argument.value.span.end).contains(expression.span.start)
                })
            else { return }
            callee.visit { link in
                guard found == nil, case .call(_, let given) = link.kind,
                    let headers = given.first(where: { $0.label == "headers" })?.value
                else { return }
                found = self.credential(of: headers)?.through(
                    "the response tells its request's headers", at: self.function.place(link))
            }
        }
        return found
    }

    /// What signs in among headers: `.authorization(bearerToken: token)`, or a value that is known to be a secret.
    private func credential(of headers: Expression) -> Secret? {
        var found: Secret?
        scope.resolved(headers).visit { part in
            guard found == nil, case .call(let callee, let arguments) = part.kind, callee.lastName == "authorization",
                !arguments.isEmpty
            else { return }
            found = Secret(
                kind: .token, name: "authorization",
                steps: [Step("the header authorization signs in", at: self.function.place(part))])
        }
        return found ?? secret(in: headers).flatMap { $0.certainty >= .likely ? $0 : nil }
    }
}
