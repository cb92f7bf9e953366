// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Items with a password, a PIN, a seed or a private key that are readable from the first unlock on, also while the
/// device is locked.
struct KeychainClasses {
    private let project: ProjectModel
    private let flows: Flows

    init(_ project: ProjectModel) {
        self.project = project
        flows = Flows(project)
    }

    private static let names: Set<String> = [
        "kSecAttrAccessibleAfterFirstUnlock", "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly", "afterFirstUnlock",
        "afterFirstUnlockThisDeviceOnly", "accessibleAfterFirstUnlock", "accessibleAfterFirstUnlockThisDeviceOnly",
        "UICKeyChainStoreAccessibilityAfterFirstUnlock", "UICKeyChainStoreAccessibilityAfterFirstUnlockThisDeviceOnly",
    ]

    /// What the source says, and the function that says it.
    private typealias Mention = (expression: Expression, name: String, function: Function)

    func findings(excluding isAllowed: (Expression, Function) -> Bool) -> [Finding] {
        var result: [Finding] = []
        for function in project.functions {
            var first: Expression?
            function.body.visitNames { name, expression in
                if first == nil, name.utf8.count > 15, Self.names.contains(name) { first = expression }
            }
            guard let first, let name = first.lastName, !isAllowed(first, function) else { continue }
            result += findings((first, name, function))
        }
        var seen: Set<String> = []
        return result.filter { seen.insert("\($0.place.file):\($0.place.line)").inserted }
    }

    private func findings(_ mention: Mention) -> [Finding] {
        if let wrapper = wrapperOfAll(mention) {
            return stored(by: wrapper).prefix(1).map { finding(mention, $0.0, at: place(mention), [$0.1]) }
        }
        if mention.function.kind == .initialValue { return kept(mention) }
        if mention.function.kind == .getter, let owner = mention.function.owner.flatMap({ project.type($0) }) {
            // A type that is stored whole: `var accessible: LocksmithAccessibleOption? { .afterFirstUnlock }`
            let properties = owner.properties.values.filter { !$0.isComputed && !$0.isStatic }
            for property in properties.sorted(by: { $0.name < $1.name }) {
                guard let words = SecretWords(name: property.name), !words.isWeak,
                    Self.counts(words.kind, property.name)
                else { continue }
                let secret = Secret(kind: words.kind, name: property.name)
                return [
                    finding(mention, secret, at: place(mention), [Step("it is a part of it", at: property.place)])
                ]
            }
            return []
        }
        if let secret = ownSecret(mention.function) {
            return [finding(mention, secret, at: place(mention), secret.steps)]
        }
        if let made = put(intoWhat: mention) { return made }
        // A helper that says nothing itself: what its callers name.
        return project.callers(of: mention.function).prefix(32).compactMap { call in
            guard let secret = told(call) else { return nil }
            let step = Step("\(mention.function.name) stores it with \(mention.name)", at: place(mention))
            return finding(mention, secret, at: call.place, [step])
        }
    }

    private func place(_ mention: Mention) -> Place { mention.function.place(mention.expression) }

    private func finding(_ mention: Mention, _ secret: Secret, at place: Place, _ steps: [Step]) -> Finding {
        Finding(
            KeychainUse.description.id, at: place,
            "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is readable while the device is locked, by \(mention.name).",
            chain: steps, certainty: .likely)
    }

    // MARK: What is stored

    private static let opening: Set<String> = [
        "private", "master", "encryption", "encrypt", "secret", "wallet", "signing", "database", "aes", "symmetric",
        "priv",
    ]

    /// Whether a secret must not be readable while the device is locked: a token may have to be.
    private static func counts(_ kind: SecretKind, _ name: String) -> Bool {
        switch kind {
        case .password, .pin, .seed: true
        case .key: SecretWords.words(of: name).contains { opening.contains($0) || $0.contains("private") }
        default: false
        }
    }

    /// What a function itself puts into the keychain.
    private func ownSecret(_ function: Function) -> Secret? {
        var values: [Expression] = []
        // `keychain.accessibility = .afterFirstUnlock`, and what is stored by it afterwards.
        var stores: Set<String> = []
        function.body.visit { part in
            switch part.kind {
            case .dictionary(let pairs):
                for (key, value) in pairs where key.withoutCasts.dotted.hasPrefix("kSecValueData") {
                    values.append(value)
                }
            case .binary("=", let target, let value):
                if case .member(let base?, "accessibility") = target.kind, Self.names.contains(value.lastName ?? "") {
                    stores.insert(base.lastName ?? "")
                }
                guard case .element(let base, let keys) = target.kind, let key = keys.first?.value else { return }
                if base.lastName.map(stores.contains) == true { values += [key, value] }
                if key.withoutCasts.dotted.hasPrefix("kSecValueData") { values.append(value) }
            case .call(let callee, let arguments):
                // `keychain.set(password, forKey: "p", withAccess: .accessibleAfterFirstUnlock)`
                guard case .member(let base, _) = callee.kind, Self.setters.contains(callee.lastName ?? "") else {
                    return
                }
                var names = base?.lastName.map(stores.contains) ?? false
                callee.visit { if Self.names.contains($0.lastName ?? "") { names = true } }
                for argument in arguments {
                    argument.value.visit { if Self.names.contains($0.lastName ?? "") { names = true } }
                }
                if names { values += arguments.filter { !$0.isTrailing }.prefix(2).map(\.value) }
            default: break
            }
        }
        for value in values {
            if let found = flows.secret(in: value, of: function, hops: 0), found.certainty >= .likely,
                Self.counts(found.kind, found.name)
            {
                return found
            }
            if let found = named(value, function) { return found }
        }
        return nil
    }

    private static let setters: Set<String> = [
        "set", "save", "store", "setString", "setData", "setObject", "setValue", "setPassword", "setPasswordData",
        "add",
    ]

    /// `Stores.main()["password"] = text`, where the function that is called makes the store.
    private func put(intoWhat mention: Mention) -> [Finding]? {
        guard mention.function.returns != nil else { return nil }
        var result: [Finding] = []
        for call in project.callers(of: mention.function).prefix(32) {
            var names = Set<String>()
            call.caller.body.visitLocals { name, value, _ in
                if value.withoutCasts === call.expression { names.insert(name) }
            }
            for (values, place) in puts(into: names, orInto: call.expression, call.caller) {
                guard let secret = values.lazy.compactMap({ named($0, call.caller) }).first else { continue }
                let step = Step(
                    "\(mention.function.name) makes the store, with \(mention.name)", at: self.place(mention))
                result.append(finding(mention, secret, at: place, [step]))
            }
        }
        return result.isEmpty ? nil : result
    }

    /// Keys and values that a function puts into a store which it has under a name, by a subscript.
    private func puts(
        into names: Set<String>, orInto maker: Expression?, _ function: Function
    ) -> [([Expression], Place)] {
        var result: [([Expression], Place)] = []
        function.body.visit { part in
            guard case .binary("=", let target, let value) = part.kind,
                case .element(let base, let keys) = target.kind, let key = keys.first?.value,
                base.lastName.map(names.contains) == true || base === maker
            else { return }
            if case .none = value.kind { return }
            result.append(([key, value], function.place(part)))
        }
        return result
    }

    /// What the arguments of a call are named after, or the keys that they give.
    private func told(_ call: CallSite) -> Secret? {
        for argument in call.plainArguments {
            if let found = named(argument.value, call.caller) { return found }
        }
        guard let first = call.plainArguments.first?.value,
            let found = flows.secret(in: first, of: call.caller), found.certainty >= .likely,
            Self.counts(found.kind, found.name)
        else { return nil }
        return found
    }

    private static let suffixes: Set<String> = [
        "name", "key", "identifier", "id", "account", "tag", "service", "label", "item", "keychain",
    ]

    /// What a value or the key under which it is stored is named after.
    private func named(_ value: Expression, _ function: Function) -> Secret? {
        let names = [project.scope(of: function).literal(value), value.withoutCasts.lastName].compactMap { $0 }
        for name in names where name.utf8.count < 64 {
            var words = SecretWords.words(of: name)[...]
            var told = SecretWords(name: name)
            while told == nil, words.count > 1, let last = words.last, Self.suffixes.contains(last) {
                words = words.dropLast()
                told = SecretWords(name: words.joined(separator: "_"))
            }
            guard let told, !told.isWeak || told.kind == .seed || told.kind == .pin, Self.counts(told.kind, name) else {
                continue
            }
            return Secret(
                kind: told.kind, name: name,
                steps: [Step("\(name) is \(told.kind.article)", at: function.place(value))])
        }
        return nil
    }

    // MARK: Settings of many items

    /// The wrapper whose items all are so: `SAMKeychain` of `[SAMKeychain setAccessibilityType: ...]`.
    private func wrapperOfAll(_ mention: Mention) -> String? {
        var wrapper: String?
        mention.function.body.visit { part in
            guard case .binary("=", let target, let value) = part.kind,
                case .member(let base?, let name) = target.kind, name.hasPrefix("accessib"),
                base.lastName?.first?.isUppercase == true
            else { return }
            value.visit { if $0 === mention.expression { wrapper = base.lastName } }
        }
        return wrapper
    }

    private func stored(by wrapper: String) -> [(Secret, Step)] {
        Self.setters.sorted().flatMap { project.calls(to: $0) }.lazy.filter { $0.receiver?.lastName == wrapper }
            .compactMap { call in
                told(call).map { ($0, Step("\(wrapper) stores \($0.name)", at: call.place)) }
            }
    }

    /// `let keychain = Keychain(service: "a").accessibility(.afterFirstUnlock)`, and what is stored by it.
    private func kept(_ mention: Mention) -> [Finding] {
        let property = mention.function.name
        let calls = Self.setters.sorted().flatMap { project.calls(to: $0) }.filter { call in
            call.receiver?.lastName == property && call.caller.owner == mention.function.owner
        }
        for call in calls {
            guard let secret = told(call) else { continue }
            return [
                finding(
                    mention, secret, at: place(mention), [Step("\(property) stores \(secret.name)", at: call.place)])
            ]
        }
        // `keychain["password"] = text`
        for function in project.type(mention.function.owner ?? "")?.allFunctions ?? [] {
            for (values, put) in puts(into: [property], orInto: nil, function) {
                guard let secret = values.lazy.compactMap({ named($0, function) }).first else { continue }
                return [
                    finding(mention, secret, at: place(mention), [Step("\(property) stores \(secret.name)", at: put)])
                ]
            }
        }
        return []
    }
}
