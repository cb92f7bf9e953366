// SPDX-License-Identifier: Apache-2.0

import Findings

/// What a function takes a secret out of is a secret: a response that is decoded into a type with a token, a text whose `"accessToken"` is read.
enum ParsedSecrets {
    static func names(in function: Function, _ scope: Scope) -> [String: Secret] {
        var sources: [(Expression, Secret)] = []
        var sums: [(Expression, SourceSpan)] = []
        var key: (String, SecretKind)?
        function.body.visit { part in
            switch part.kind {
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
            case .element(_, let arguments):
                if key == nil, let text = arguments.first?.value.literal, let found = SecretWords.kind(ofName: text) {
                    key = (text, found)
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
        guard !sources.isEmpty else { return [:] }
        return spread(sources, function)
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
