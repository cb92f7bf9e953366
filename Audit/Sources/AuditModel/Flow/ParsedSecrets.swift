// SPDX-License-Identifier: Apache-2.0

import Findings

/// What a function takes a secret out of is a secret: a response that is decoded into a type with a token, a text whose `"accessToken"` is read.
enum ParsedSecrets {
    static func names(in function: Function, _ scope: Scope) -> [String: Secret] {
        var sources: [(Expression, Secret)] = []
        var sums: [(Expression, SourceSpan)] = []
        var key: (String, SecretKind)?
        var targets = Set<ObjectIdentifier>()
        function.body.visit { part in
            switch part.kind {
            case .binary("=", let target, _): targets.insert(ObjectIdentifier(target))
            case .cast(let value, let operation, let type):
                if operation != "is", let found = unarchived(value, as: type, part, function, scope.project) {
                    sources.append(found)
                }
            case .call(let callee, let arguments):
                if callee.lastName == "decode", arguments.count >= 2,
                    let source = arguments.first(where: { $0.label == "from" })?.value,
                    let type = decoded(arguments[0].value), let model = scope.project.declared(type.trimmingBrackets),
                    let (property, kind) = Carriers.secret(of: model, in: scope.project)
                {
                    let steps = [
                        Step(
                            "\(model.shortName) has \(property.name), which holds \(kind.article)", at: property.place),
                        Step("what is decoded into it holds that too", at: function.place(part)),
                    ]
                    sources.append(
                        (source, Secret(kind: kind, name: "\(model.shortName).\(property.name)", steps: steps)))
                } else if callee.lastName == "decode", arguments.first?.label == "type",
                    let type = decoded(arguments[0].value),
                    let model = scope.project.declared(type.trimmingBrackets),
                    let (property, kind) = Carriers.secret(of: model, in: scope.project)
                {
                    // `publisher.map(\.data).decode(type: T.self, decoder:)`: what comes before has no name of its own.
                    let steps = [
                        Step("\(model.shortName) has \(property.name), which holds \(kind.article)", at: property.place)
                    ]
                    sources.append(
                        (
                            Expression(.name("the response"), part.span),
                            Secret(kind: kind, name: "the response", steps: steps)
                        ))
                } else if callee.lastName == "jsonObject", let source = arguments.first?.value {
                    sums.append((source, part.span))
                }
            case .element(let base, let arguments):
                guard let text = arguments.first?.value.literal, let words = SecretWords(name: text),
                    !words.isWeak || words.kind == .token && function.isAboutLogin
                else { break }
                let found = words.kind
                if key == nil { key = (text, found) }
                if case .name = base.kind, !targets.contains(ObjectIdentifier(part)) {
                    sources.append((base, taken(text, found, part, function)))
                }
            default: break
            }
        }
        if let (text, kind) = key {
            for (source, span) in sums {
                let step = Step("\"\(text)\" is read out of it", at: function.place(span))
                sources.append((source, Secret(kind: kind, name: text, steps: [step])))
            }
        }
        var result = sources.isEmpty ? [:] : spread(sources, function)
        for (name, secret) in passedOn(function, scope) where result[name] == nil { result[name] = secret }
        return result
    }

    private static func taken(_ key: String, _ kind: SecretKind, _ part: Expression, _ function: Function) -> Secret {
        Secret(
            kind: kind, name: key, steps: [Step("\"\(key)\" is taken out of it", at: function.place(part))])
    }

    /// `NSKeyedUnarchiver.unarchiveObject(with: data) as? Account`: the data holds what an account does.
    private static func unarchived(
        _ value: Expression, as type: String, _ part: Expression, _ function: Function, _ project: ProjectModel
    ) -> (Expression, Secret)? {
        guard case .call(let callee, let arguments) = value.kind, callee.root == "NSKeyedUnarchiver",
            let source = arguments.first(where: { $0.label == "with" || $0.label == "from" })?.value,
            let model = project.declared(type.trimmingBrackets),
            let (property, kind) = Carriers.secret(of: model, in: project)
        else { return nil }
        let steps = [
            Step("\(model.shortName) has \(property.name), which holds \(kind.article)", at: property.place),
            Step("what is read as one holds that too", at: function.place(part)),
        ]
        return (source, Secret(kind: kind, name: "\(model.shortName).\(property.name)", steps: steps))
    }

    /// Parameters of the function that it hands to another one, which takes a secret out of them by its key.
    private static func passedOn(_ function: Function, _ scope: Scope) -> [String: Secret] {
        let given = function.parameters.filter { isDictionary($0.type) }
        guard !given.isEmpty else { return [:] }
        var result: [String: Secret] = [:]
        for call in function.calls {
            let names = call.arguments.compactMap { argument in
                given.first { $0.name == argument.value.withoutCasts.lastName && argument.value.root == $0.name }?.name
            }
            guard !names.isEmpty else { continue }
            for target in scope.project.targets(of: call, scope: scope).prefix(3) where target !== function {
                for (parameter, value) in scope.project.bound(call, to: target) {
                    guard let name = value.withoutCasts.lastName, names.contains(name), result[name] == nil,
                        let found = read(parameter.name, in: target)
                    else { continue }
                    result[name] = found
                }
            }
        }
        return result
    }

    private static func isDictionary(_ type: String) -> Bool {
        type.hasPrefix("[String: A") || type.hasPrefix("[AnyHashable") || type.hasPrefix("[String : A")
            || type.hasPrefix("NSDictionary")
    }

    private static func read(_ parameter: String, in function: Function) -> Secret? {
        var found: Secret?
        function.body.visit { part in
            guard found == nil, case .element(let base, let arguments) = part.kind, base.lastName == parameter,
                let text = arguments.first?.value.literal, let kind = SecretWords.kind(ofName: text)
            else { return }
            found = taken(text, kind, part, function)
        }
        return found
    }

    /// `T` of `T.self` and `[T].self`.
    private static func decoded(_ expression: Expression) -> String? {
        guard case .member(let base?, "self") = expression.kind else { return nil }
        if case .array(let elements) = base.kind { return elements.first?.dotted }
        return base.dotted
    }

    /// The names that a source is made of, back over three bindings at most.
    private static func spread(_ sources: [(Expression, Secret)], _ function: Function) -> [String: Secret] {
        var bindings: [String: [String]] = [:]
        func look(_ binding: Binding) {
            guard let name = binding.names.first, let value = binding.value else { return }
            var roots: [String] = []
            if let root = value.root, root.first?.isLowercase == true { roots.append(root) }
            if case .call(let callee, let arguments) = value.kind,
                callee.lastName == "String" || callee.lastName == "Data"
            {
                roots += arguments.compactMap(\.value.root)
            }
            bindings[name, default: []] += roots
        }
        func collect(_ statements: [Statement]) {
            statements.visitStatements { statement in
                switch statement.kind {
                case .bind(let binding): look(binding)
                case .branch(let branch): for case .bind(let binding) in branch.conditions { look(binding) }
                default: break
                }
            }
        }
        collect(function.body)
        function.body.visit { if case .closure(let closure) = $0.kind { collect(closure.body) } }
        var result: [String: Secret] = [:]
        for (source, secret) in sources {
            guard let root = source.kind.isMember ? source.lastName : source.root, root != "self" else { continue }
            var edge = [root]
            for _ in 0..<3 {
                for name in edge where result[name] == nil { result[name] = secret }
                edge = edge.flatMap { bindings[$0] ?? [] }.filter { result[$0] == nil && $0 != "self" && $0 != "try" }
            }
        }
        return result
    }
}

extension Expression.Kind {
    fileprivate var isMember: Bool { if case .member = self { true } else { false } }
}
