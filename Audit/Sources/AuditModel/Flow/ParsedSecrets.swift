// SPDX-License-Identifier: Apache-2.0

import Findings

/// What a function takes a secret out of is a secret: a response that is decoded into a type with a token, a text whose `"accessToken"` is read.
enum ParsedSecrets {
    static func names(
        in function: Function, _ scope: Scope
    ) -> (secrets: [String: Secret], places: [String: [UInt32]]) {
        var sources: [(Expression, Secret)] = []
        var sums: [(Expression, SourceSpan)] = []
        var keys: [(text: String, kind: SecretKind, place: UInt32)] = []
        var closures: [SourceSpan] = []
        var inner: [Closure] = []
        var targets = Set<ObjectIdentifier>()
        var later: [(String, Secret, UInt32)] = []
        function.body.visit { part in
            switch part.kind {
            case .closure(let closure):
                closures.append(part.span)
                inner.append(closure)
            case .binary("=", let target, let value):
                targets.insert(ObjectIdentifier(target))
                if let found = becoming(target, value, part, function, scope) { later.append(found) }
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
                keys.append((text, found, part.span.start))
                if let root = elementRoot(of: base), !targets.contains(ObjectIdentifier(part)) {
                    sources.append((root, taken(text, found, part, function)))
                }
            default: break
            }
        }
        /// The innermost closure that a place is in.
        func closure(of place: UInt32) -> SourceSpan? {
            closures.last { ($0.start..<$0.end).contains(place) }
        }
        for (source, span) in sums {
            guard
                let key = keys.first(where: { key in
                    closure(of: span.start).map { ($0.start..<$0.end).contains(key.place) } ?? true
                        || closure(of: key.place).map { ($0.start..<$0.end).contains(span.start) } ?? true
                })
            else { continue }
            let step = Step("\"\(key.text)\" is read out of it", at: function.place(span))
            sources.append((source, Secret(kind: key.kind, name: key.text, steps: [step])))
        }
        var (result, places) = sources.isEmpty ? ([:], [:]) : spread(sources, function)
        for (name, secret) in passedOn(function, scope, inner) where result[name] == nil { result[name] = secret }
        for (name, secret, place) in later + later.compactMap({ bound($0, function) }) {
            if result[name] == nil { result[name] = secret }
            places[name, default: []].append(place)
        }
        return (result, places)
    }

    /// `user.sessionKey = response.text`: what an object keeps as a secret was one before. A field's text is told by the
    /// field.
    private static func becoming(
        _ target: Expression, _ value: Expression, _ part: Expression, _ function: Function, _ scope: Scope
    ) -> (String, Secret, UInt32)? {
        guard case .member(let base?, let member) = target.kind, let kind = SecretWords.kind(ofName: member),
            !Harmless.isView(base, scope), !Harmless.isView(target, scope), !Harmless.isValue(value, scope)
        else { return nil }
        let step = Step("it becomes \(member), \(kind.article)", at: function.place(part))
        switch value.withoutCasts.kind {
        case .name(let name):
            guard name.first?.isLowercase == true, name != "self", name != member,
                scope.declares(name) || function.parameters.contains(where: { $0.name == name })
            else { return nil }
            return (name, Secret(kind: kind, name: name, steps: [step]), part.span.start)
        case .element, .member(_, "string"), .member(_, "stringValue"):
            // `person.lockCode = answer["code"]`: the answer has it.
            guard kind != .token || SecretWords(name: member)?.isWeak == false, let root = KeysRead.root(of: value),
                root != "self", scope.declares(root) || function.parameters.contains(where: { $0.name == root })
            else { return nil }
            return (root, Secret(kind: kind, name: member, steps: [step]), part.span.start)
        case .member(let owner?, let name):
            guard case .name(let root) = owner.kind, root.first?.isLowercase == true, root != "self",
                !Flow.textMembers.contains(name), !Harmless.isView(owner, scope)
            else { return nil }
            return (root + "." + name, Secret(kind: kind, name: name, steps: [step]), part.span.start)
        default: return nil
        }
    }

    /// `operation.text` of `let key = operation.text`, where the key becomes a secret.
    private static func bound(_ later: (String, Secret, UInt32), _ function: Function) -> (String, Secret, UInt32)? {
        for binding in function.bindings where binding.names == [later.0] {
            guard case .member(let owner?, let member)? = binding.value?.withoutCasts.kind,
                case .name(let root) = owner.kind, root.first?.isLowercase == true, root != "self",
                !Flow.textMembers.contains(member)
            else { continue }
            return (root + "." + member, later.1, later.2)
        }
        return nil
    }

    /// `json` of `json["data"]["token"]`.
    private static func elementRoot(of base: Expression) -> Expression? {
        switch base.withoutCasts.kind {
        case .name: return base.withoutCasts
        case .element(let inner, _): return elementRoot(of: inner)
        default: return nil
        }
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

    /// Parameters, locals and what closures are given, out of which the function or another one takes a secret by its key.
    private static func passedOn(_ function: Function, _ scope: Scope, _ closures: [Closure]) -> [String: Secret] {
        var names = function.parameters.filter { KeysRead.canBeRead($0.type) }.map(\.name)
        names += scope.constants.filter { saysJSON($0.value) }.map(\.key).sorted()
        // A dictionary that is made here says itself what it holds.
        for binding in function.bindings where binding.type.map(KeysRead.canBeRead) == true {
            guard let value = binding.value, saysJSON(value) || KeysRead.root(of: value) != nil else { continue }
            names += binding.names
        }
        for closure in closures { names += closure.parameters.filter { !ErrorNames.isError($0) } }
        var result: [String: Secret] = [:]
        for name in names where result[name] == nil {
            guard let read = KeysRead.first(of: name, in: function, scope.project) else { continue }
            let step = Step("\"\(read.key)\" is taken out of it", at: read.place)
            result[name] = Secret(kind: read.kind, name: read.key, steps: [step])
        }
        return result
    }

    /// What is parsed as JSON.
    private static func saysJSON(_ value: Expression) -> Bool {
        if case .cast(let inner, let operation, let type) = value.kind {
            return operation != "is" && KeysRead.canBeRead(type) || saysJSON(inner)
        }
        guard case .call(let callee, _) = value.withoutCasts.kind else { return false }
        return ["jsonObject", "JSON"].contains(callee.lastName)
    }

    /// `T` of `T.self` and `[T].self`.
    private static func decoded(_ expression: Expression) -> String? {
        guard case .member(let base?, "self") = expression.kind else { return nil }
        if case .array(let elements) = base.kind { return elements.first?.dotted }
        return base.dotted
    }

    /// The names that a source is made of, back over three bindings at most.
    private static func spread(
        _ sources: [(Expression, Secret)], _ function: Function
    ) -> ([String: Secret], [String: [UInt32]]) {
        var bindings: [String: [String]] = [:]
        for binding in function.bindings {
            guard let name = binding.names.first, let value = binding.value else { continue }
            var roots: [String] = []
            if let root = value.root, root.first?.isLowercase == true { roots.append(root) }
            if case .call(let callee, let arguments) = value.withoutCasts.kind,
                ["String", "Data", "jsonObject", "JSON"].contains(callee.lastName)
            {
                roots += arguments.compactMap(\.value.root)
            }
            bindings[name, default: []] += roots
        }
        var result: [String: Secret] = [:]
        var places: [String: [UInt32]] = [:]
        for (source, secret) in sources {
            guard let root = source.kind.isMember ? source.lastName : source.root, root != "self",
                !ErrorNames.isError(root)
            else { continue }
            var edge = [root]
            for _ in 0..<3 {
                for name in edge {
                    if result[name] == nil { result[name] = secret }
                    places[name, default: []].append(source.span.start)
                }
                edge = edge.flatMap { bindings[$0] ?? [] }.filter {
                    $0 != "self" && $0 != "try" && $0 != root && !ErrorNames.isError($0)
                }
            }
        }
        return (result, places)
    }
}

extension Expression.Kind {
    fileprivate var isMember: Bool { if case .member = self { true } else { false } }
}
