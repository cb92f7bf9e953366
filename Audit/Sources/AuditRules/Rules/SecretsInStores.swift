// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R4: a secret goes into a store that keeps it in clear.
package struct SecretsInStores: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "secret-in-store", category: "R4", title: "A secret is kept where it can be read",
        explanation: """
            A password, a token or a key is written to UserDefaults, a property list, a file, a database, a cookie, an archive or the system's own stores. Backups, other tools and \
            anybody with the unlocked device read it there. The rule follows the value from its source to the write; a wrapper of your own is judged by what it writes to, and one \
            declaration is one finding. Flags, numbers, key names and stores that are encrypted as a whole are fine.
            """,
        masvs: "MASVS-STORAGE-1", cwe: 312,
        plainRemedy: """
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "accessToken",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData as String: Data(token.utf8),
            ]
            let status = SecItemAdd(query as CFDictionary, nil)
            """,
        zamokRemedy: """
            try Keychain(service: "com.example.app").setPassword(token, for: "accessToken")
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        var seen = Set<Place>()
        var findings: [Finding] = []
        for write in plainStores.flatMap({ $0.writes(in: project, flows: flows) }) {
            if let secret = Self.secret(of: write, flows), seen.insert(write.place).inserted {
                findings.append(Self.finding(secret, write, at: write.place))
            }
            for (secret, place) in Self.further(write, flows) where seen.insert(place).inserted {
                findings.append(Self.finding(secret, write, at: place))
            }
        }
        findings += kept(project, beside: findings)
        findings += HealthStores.findings(in: project, flows: flows).filter { seen.insert($0.place).inserted }
        return findings.sorted { $0.place < $1.place }
    }

    private static func finding(_ secret: Secret, _ write: Write, at place: Place) -> Finding {
        Finding(
            description.id, at: place,
            "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is written to \(write.store).",
            chain: secret.steps + [Step("it is written to \(write.store)", at: write.place)],
            certainty: secret.certainty)
    }

    /// What others give a helper that keeps any value: the helper's own place tells of the first of them.
    private static func further(_ write: Write, _ flows: Flows) -> [(Secret, Place)] {
        guard let function = write.function, let value = write.values.first, write.declared == nil,
            function.kind == .function, !isMigration(function, flows.project),
            !flows.isEncrypted(value, of: function)
        else { return [] }
        let flow = flows.of(function)
        guard flow.secret(in: value) == nil, let parameter = flow.parameter(in: value), parameter.name != "self" else {
            return []
        }
        let keyed = write.call?.argument("forKey").flatMap { key in
            function.parameters.first { $0.name == key.root && $0.name != parameter.name }
        }
        // One that names what it keeps is one place, however often it is called.
        guard function.parameters.contains(where: { $0.name != parameter.name && Self.isKey($0) }) else { return [] }
        return flows.project.callers(of: function).prefix(64).compactMap { call in
            let bound = flows.project.bound(call, to: function)
            guard let given = bound.first(where: { $0.parameter.name == parameter.name })?.value,
                !flows.isEncrypted(given, of: call.caller)
            else { return nil }
            if let found = flows.of(call.caller).secret(in: given), found.certainty >= .likely,
                flow.secret(in: value, given: found, as: parameter.name) != nil
            {
                return (found.through("it is passed to \(function.name)", at: call.place), call.place)
            }
            let name = keyed.flatMap { key in bound.first { $0.parameter.name == key.name }?.value }
            return name.flatMap { told($0, given, call, function, flows) }.map { ($0, call.place) }
        }.dropFirst().map { $0 }
    }

    private static func isKey(_ parameter: Parameter) -> Bool {
        ["key", "name", "file", "path", "url", "identifier", "filename", "defaultname", "account", "field"].contains {
            SecretWords.words(of: parameter.name).last == $0 || SecretWords.words(of: parameter.label ?? "").last == $0
        }
    }

    /// A copy in clear that is meant to be removed, but isn't: a URL's `absoluteString` is no path.
    private func kept(_ project: ProjectModel, beside findings: [Finding]) -> [Finding] {
        let files = Set(findings.map(\.place.file))
        return project.calls(to: "removeItem").compactMap { call in
            guard call.caller.file.hasSuffix(".swift"), let path = call.argument("atPath"),
                case .member(_, "absoluteString") = path.kind,
                files.contains(call.place.file)
            else { return nil }
            let written = findings.first { $0.place.file == call.place.file }
            return Finding(
                Self.description.id, at: call.place,
                "The copy in clear isn't removed: absoluteString begins with file:// and is no path.",
                chain: (written.map { [Step("a secret is written here", at: $0.place)] } ?? []) + [
                    Step("nothing is removed", at: call.place)
                ],
                fix: [
                    Edit(
                        file: call.place.file,
                        range: Int(path.span.end) - "absoluteString".utf8.count..<Int(path.span.end), text: "path")
                ])
        }
    }

    /// A migration copies what the store holds already.
    private static func isMigration(_ function: Function, _ project: ProjectModel) -> Bool {
        function.owner.flatMap { project.type($0) }.map { project.inherits($0, from: "NSEntityMigrationPolicy") }
            ?? false
    }

    /// What a key says; the word key at its end may be its own: `AuthSessionKey` is the key of a session.
    private static func kind(ofKey key: String) -> SecretKind? {
        // A word of German, too, where it isn't a key.
        if ["ein", "tin", "user_ein", "userein"].contains(key.lowercased()) { return .identity }
        guard let kind = SecretWords(name: key)?.kind else { return nil }
        guard kind == .token || kind == .key, key.hasSuffix("Key"), !key.lowercased().hasSuffix("apikey") else {
            return kind
        }
        let rest = key.dropLast(3)
        if let inner = SecretWords(name: rest)?.kind { return inner }
        return ["private", "secret", "encryption", "master", "signing", "session", "sync", "login"].contains(
            SecretWords.words(of: rest).last)
            ? kind : nil
    }

    /// A wrapper that is given value and key: `store.save(value, for: .refreshToken)`.
    private static func underKeyOfCaller(_ write: Write, _ flow: Flow, _ flows: Flows) -> Secret? {
        guard let key = write.call?.argument("forKey"), let value = write.values.first,
            let keyed = flow.function.parameters.first(where: { $0.name == key.root }),
            let valued = flow.parameter(in: value), keyed.name != valued.name
        else { return nil }
        for call in flows.project.callers(of: flow.function).prefix(32) {
            let bound = flows.project.bound(call, to: flow.function)
            guard let name = bound.first(where: { $0.parameter.name == keyed.name })?.value,
                let given = bound.first(where: { $0.parameter.name == valued.name })?.value
            else { continue }
            if let found = told(name, given, call, flow.function, flows) { return found }
        }
        return nil
    }

    /// What the key that a helper is given tells of the value.
    private static func told(
        _ name: Expression, _ given: Expression, _ call: CallSite, _ function: Function, _ flows: Flows
    ) -> Secret? {
        let outer = flows.of(call.caller)
        guard let text = outer.literal(name) ?? name.lastName, let kind = kind(ofKey: text),
            outer.parameter(in: name) == nil, !Harmless.isValue(given, outer.scope),
            outer.type(of: given).map({ Harmless.isType($0, in: flows.project) }) != true,
            !flows.isEncrypted(given, of: call.caller)
        else { return nil }
        return Secret(
            kind: kind, name: text,
            steps: [Step("\(function.name) is told to keep it as \(text)", at: call.place)])
    }

    /// The secret that a write takes, by its declaration, its value or its key.
    static func secret(of write: Write, _ flows: Flows) -> Secret? {
        if let (name, type) = write.declared {
            if let type, Harmless.isType(type, in: flows.project) { return nil }
            if let kind = SecretWords(name: name)?.kind ?? write.key.flatMap({ SecretWords(name: $0)?.kind }) {
                return Secret(kind: kind, name: name)
            }
            return write.property.flatMap { flows.secret(of: $0) }
        }
        guard let function = write.function, !isMigration(function, flows.project),
            !HardcodedSecrets.isTrial(function, flows.project)
        else { return nil }
        if write.values.contains(where: { flows.isEncrypted($0, of: function) }) { return nil }
        let flow = flows.of(function)
        for value in write.values {
            guard let secret = flows.secret(in: value, of: function) else { continue }
            // The URL that opened the app is handed on, and holds no secret for sure.
            if write.store == Browsers.name, secret.name == "url" { continue }
            if function.parameters.contains(where: { $0.name == secret.name }),
                flows.isGivenEncrypted(secret.name, of: function) || flows.isNeverGiven(secret.name, of: function)
            {
                return nil
            }
            // Two weak words of one kind are a strong one.
            if secret.certainty < .likely, let key = write.key, let words = SecretWords(name: key),
                !words.isWeak || words.kind == secret.kind
            {
                var surer = secret
                surer.certainty = .likely
                return surer
            }
            return secret
        }
        if let secret = Self.underKeyOfCaller(write, flow, flows) { return secret }
        if let known = write.known { return known }
        // The value tells nothing, but the key does: `defaults.set(response.value, forKey: "accessToken")`.
        guard let key = write.key, let kind = Self.kind(ofKey: key), !write.isFile,
            let value = write.values.first
        else { return nil }
        if let literal = flow.literal(value), let words = SecretWords(name: key),
            LiteralSecret.isSecret(literal, named: words)
        {
            let step = Step("\(key) is \(kind.article), written out in the source", at: write.place)
            return Secret(kind: kind, name: key, steps: [step])
        }
        if kind == .token, SecretWords(name: key)?.isWeak == true,
            function.isAboutNotifications || flows.project.tradesTokens
        {
            return nil
        }
        if Harmless.isValue(value, flow.scope) || value.root.map(SecretWords.isHarmlessToken) == true { return nil }
        if let type = flow.type(of: value), Harmless.isType(type, in: flows.project) { return nil }
        return Secret(kind: kind, name: key, steps: [Step("its key says that it is \(kind.article)", at: write.place)])
    }
}

extension String {
    /// With its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
