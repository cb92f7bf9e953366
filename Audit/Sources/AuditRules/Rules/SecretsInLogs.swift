// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XLOG: a secret is written to a log.
package struct SecretsInLogs: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "secret-in-log", category: "XLOG", title: "A secret is written to a log",
        explanation: """
            A password, a token or what carries one (a request's body, a log-in's response, a struct with a token in it) is printed or logged. Logs outlive the app's run, leave the device with \
            diagnostics and crash reports, and are read by whoever plugs the device in. Only values count: words in the message prove nothing. `os_log` and `Logger` hide strings unless they \
            say public; lengths, hashes, redacted and masked values, errors and code for debugging alone are fine.
            """,
        masvs: "MASVS-STORAGE-2", cwe: 532,
        plainRemedy: """
            logger.info("signed in as \\(user.id, privacy: .private(mask: .hash))")
            """,
        zamokRemedy: """
            // A Secret or SecretBytes is printed as redacted.
            logger.info("token: \\(secret)")
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        var seen = Set<Place>()
        var findings: [Finding] = []
        for entry in LogSinks.entries(in: project, flows: flows) {
            let function = entry.call.caller
            let values = entry.values.filter { !Self.isMarkedPrivate($0) }
            let own = Secret.surest(values) { value in
                flows.of(function).secret(in: value).flatMap { Self.hides($0) ? nil : Self.supported($0, by: value) }
            }
            if let own {
                let fix = Changes.hidingSecrets(entry.call) { flows.of(function).secret(in: $0) != nil }
                add(own, entry.sink, entry.call.place, &findings, &seen, fix: fix)
                continue
            }
            if let name = values.lazy.compactMap({ Self.personal($0, project.scope(of: function)) }).first,
                !seen.contains(entry.call.place)
            {
                findings.append(
                    Finding(
                        Self.description.id, at: entry.call.place,
                        "\(name), which is about a person, is written to \(entry.sink).",
                        certainty: .possible))
            }
            for value in values where flows.of(function).secret(in: value) == nil {
                // The secret comes in by a parameter: a logger of the project is judged where it is called, any other function here.
                guard let parameter = flows.of(function).parameter(in: value) else { continue }
                for call in project.callers(of: function).prefix(200) {
                    let given = project.bound(call, to: function).filter { $0.parameter.name == parameter.name }
                    let found = Secret.surest(given) { pair in
                        flows.secret(in: pair.value, of: call.caller, hops: 1).flatMap { Self.hides($0) ? nil : $0 }
                    }
                    guard let secret = found else { continue }
                    let passed = secret.through("it is passed to \(function.name)", at: call.place)
                    add(
                        passed, entry.sink, isLogger(function, parameter) ? call.place : entry.call.place, &findings,
                        &seen)
                }
            }
        }
        return findings.sorted { $0.place < $1.place }
    }

    /// What is about a person and no secret: told only where possible findings are asked for.
    private static let personalWords: Set<String> = [
        "email", "emailaddress", "phone", "phonenumber", "mobilenumber", "birthday", "birthdate", "dateofbirth",
        "homeaddress", "postaladdress", "latitude", "longitude", "coordinate", "fullname", "firstname", "lastname",
        "heartrate", "bloodpressure", "glucose", "bloodglucose", "bodyweight",
    ]

    private static func personal(_ value: Expression, _ scope: Scope) -> String? {
        var found: String?
        func look(_ part: Expression) {
            guard found == nil, let name = part.lastName,
                personalWords.contains(SecretWords.words(of: name).joined()),
                scope.type(of: part).map({ Harmless.isType($0, in: scope.project) }) != true
            else { return }
            found = name
        }
        switch value.kind {
        case .text(let parts):
            for case .interpolation(let arguments) in parts { if let first = arguments.first { look(first.value) } }
        default: look(value)
        }
        return found
    }

    private func add(
        _ secret: Secret, _ sink: String, _ place: Place, _ findings: inout [Finding], _ seen: inout Set<Place>,
        fix: [Edit] = []
    ) {
        guard seen.insert(place).inserted else { return }
        findings.append(
            Finding(
                Self.description.id, at: place,
                "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is written to \(sink).",
                chain: secret.steps + [Step("it is written to \(sink)", at: place)],
                // So long a way to a message says little: each step may have left the secret behind.
                certainty: secret.steps.count < 11 ? secret.certainty : .possible,
                fix: fix))
    }

    /// `\(private: token)`: a logger of the app hides what its message marks.
    private static func isMarkedPrivate(_ value: Expression) -> Bool {
        guard case .text(let parts) = value.kind else { return false }
        return parts.contains { part in
            guard case .interpolation(let arguments) = part, let label = arguments.first?.label else { return false }
            return ["private", "sensitive", "redacted", "masked", "secret", "hidden"].contains(label)
        }
    }

    /// A weak name is a strong one where the message's own words say the same: `"application key: \(appKey)"`.
    private static func supported(_ secret: Secret, by message: Expression) -> Secret {
        guard secret.certainty == .possible, case .text(let parts) = message.kind else { return secret }
        var said = ""
        for part in parts {
            if case .literal(let text) = part { said = text } else { break }
        }
        guard let words = SecretWords(text: said), words.kind == secret.kind else { return secret }
        var sure = secret
        sure.certainty = .likely
        return sure
    }

    /// An object of a class is printed as the name of its class, and what describes itself as what its description says.
    private static func hides(_ secret: Secret) -> Bool {
        guard let holder = secret.holder else { return false }
        let described = ["description", "debugDescription"].flatMap { holder.functions[$0] ?? [] }
        guard !described.isEmpty else {
            let isObject = holder.declarations.first?.kind == .class
            // Objects of databases tell their attributes.
            return isObject
                && !holder.inherits.contains {
                    $0.hasSuffix("Object") && !["NSObject", "ObservableObject"].contains($0)
                }
        }
        return !described.contains { function in
            var tells = false
            function.body.visitNames { name, _ in if SecretWords.kind(ofName: name) != nil { tells = true } }
            return tells
        }
    }

    /// A function whose business is to log the text that it is given.
    private func isLogger(_ function: Function, _ parameter: Parameter) -> Bool {
        let words = SecretWords.words(of: function.name)
        let takesText =
            ["String", "Any", "T", "StaticString", "Any?", "String?", "CVarArg"].contains(
                String(parameter.type.prefix { $0 != "." }))
            || parameter.type.hasPrefix("@autoclosure")
        let verbs: Set<String> = [
            "log", "logger", "print", "debug", "info", "trace", "verbose", "warn", "warning", "error", "fatal", "d",
            "i", "w", "e", "v",
        ]
        return takesText && words.count <= 3 && words.first.map(verbs.contains) == true
    }
}
