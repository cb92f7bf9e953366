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
        let health = HealthModels(project)
        var seen = Set<Place>()
        var findings: [Finding] = []
        let written = LogSinks.entries(in: project, flows: flows)
        var entries = written
        var loggers = Set<ObjectIdentifier>()
        var next = 0
        while next < entries.count {
            let entry = entries[next]
            next += 1
            let function = entry.call.caller
            if HardcodedSecrets.isTrial(function, project) || HardcodedSecrets.isStandIn(function.owner ?? "") {
                continue
            }
            let values = entry.values.flatMap(Self.told).filter { !Self.isBytes($0, function, project) }
            let own = Secret.surest(values) { value in
                Self.secret(in: value, entry, flows).map { Self.supported($0, by: entry.values, of: value) }
            }
            let isParameter = own.map { found in function.parameters.contains { $0.name == found.name } } ?? false
            if let own, !isParameter || !flows.isNeverGiven(own.name, of: function) {
                let fix = Changes.hidingSecrets(entry.call) { flows.of(function).secret(in: $0) != nil }
                add(own, entry, entry.call.place, &findings, &seen, fix: fix)
                continue
            }
            let shown = values.flatMap(Self.shown(in:))
            if let name = shown.lazy.compactMap({ health.value($0, of: function) }).first {
                if seen.insert(entry.call.place).inserted {
                    findings.append(
                        Finding(
                            Self.description.id, at: entry.call.place,
                            "Health data (\(name)) is written to \(entry.sink)."))
                }
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
            let given = shown.compactMap { flows.of(function).parameter(in: $0) }
            if let parameter = given.first(where: { Self.isLogger(function, $0) }) {
                guard loggers.insert(ObjectIdentifier(function)).inserted else { continue }
                let step = Step("\(function.name) logs \(parameter.name)", at: entry.call.place)
                entries += project.callers(of: function).filter { $0.caller !== function }.map { call in
                    LogSinks.Entry(
                        call: call, sink: entry.sink, values: Self.logged(call, function, project),
                        isDump: entry.isDump, steps: [step] + entry.steps, inner: (function, values))
                }
                continue
            }
            if !given.isEmpty, function.kind == .setter || function.kind == .observer,
                let found = Secret.surest(values, { flows.secret(in: $0, of: function, hops: 1) }), !Self.hides(found)
            {
                add(found, entry, entry.call.place, &findings, &seen)
                continue
            }
            for parameter in given {
                // The secret comes in by a parameter.
                for call in project.callers(of: function).prefix(200) {
                    let given = project.bound(call, to: function).filter { $0.parameter.name == parameter.name }
                    let found = Secret.surest(given) { pair in
                        flows.secret(in: pair.value, of: call.caller, hops: 1).flatMap { Self.hides($0) ? nil : $0 }
                    }
                    guard let secret = found,
                        values.contains(where: {
                            flows.of(function).secret(in: $0, given: secret, as: parameter.name) != nil
                        })
                    else { continue }
                    let passed = secret.through("it is passed to \(function.name)", at: call.place)
                    add(passed, entry, entry.call.place, &findings, &seen)
                }
            }
        }
        findings += NetworkLoggers.places(in: project).filter { seen.insert($0.place).inserted }.map { place, name in
            Finding(
                Self.description.id, at: place,
                "\(name) logs each request with its headers and its body, those of a log-in, too.")
        }
        return (findings + addresses(written, project, &seen)).sorted { $0.place < $1.place }
    }

    private static let asking: Set<String> = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "dataTask", "dataTaskWithRequest", "uploadTask", "request",
    ]

    /// Logs of the address of each request, in a file whose requests have secrets in theirs.
    private func addresses(
        _ entries: [LogSinks.Entry], _ project: ProjectModel, _ seen: inout Set<Place>
    ) -> [Finding] {
        let sites = entries.filter { entry in
            entry.values.contains { value in
                var shows = false
                value.visit { part in
                    guard case .member(let base?, let name) = part.kind, ["URL", "url"].contains(name) else { return }
                    if ["currentRequest", "originalRequest"].contains(base.lastName ?? "") { shows = true }
                }
                return shows
            }
        }
        guard !sites.isEmpty else { return [] }
        let sent = SecretsInURLs().examine(project)
        return sites.compactMap { entry in
            let caller = entry.call.caller
            // A function that asks itself knows the address of its own request alone.
            let places = Set(caller.calls.map(\.place))
            let asks = caller.calls.contains { Self.asking.contains($0.name) }
            guard
                let first = sent.first(where: {
                    $0.place.file == caller.file && (!asks || places.contains($0.place))
                }),
                seen.insert(entry.call.place).inserted
            else { return nil }
            return Finding(
                Self.description.id, at: entry.call.place,
                "The address of each request is written to \(entry.sink), with the secret that is in one of them.",
                chain: [
                    Step("a secret is part of a URL", at: first.place),
                    Step("it is written to \(entry.sink)", at: entry.call.place),
                ])
        }
    }

    /// The values that an argument shows: those between the words of a text, else itself.
    private static func told(_ value: Expression) -> [Expression] {
        switch value.kind {
        case .text: return isMarkedPrivate(value) ? [] : [value]
        case .closure(let closure):
            guard closure.body.count == 1, case .expression(let inner) = closure.body[0].kind else { return [] }
            return told(inner)
        default: return [value]
        }
    }

    /// Swift prints of Data how many bytes it has.
    private static func isBytes(_ value: Expression, _ function: Function, _ project: ProjectModel) -> Bool {
        guard function.file.hasSuffix(".swift") else { return false }
        let scope = project.scope(of: function)
        func isData(_ part: Expression) -> Bool {
            // `data as NSData` shows the bytes.
            if case .cast(let inner, _, let type) = part.kind { return type.hasPrefix("NS") ? false : isData(inner) }
            // What a library parsed is called so, too.
            return scope.type(of: part).map { $0 == "Data" }
                ?? (part.lastName == "data" && function.givesBytes(as: part.lastName ?? ""))
        }
        let shown = shown(in: value)
        return !shown.isEmpty && shown.allSatisfy(isData)
    }

    /// What is put between the words of a text, else the value itself.
    private static func shown(in value: Expression) -> [Expression] {
        guard case .text(let parts) = value.kind else { return [value] }
        return parts.compactMap { part in
            if case .interpolation(let arguments) = part { arguments.first?.value } else { nil }
        }
    }
    private static func secret(in value: Expression, _ entry: LogSinks.Entry, _ flows: Flows) -> Secret? {
        let flow = flows.of(entry.call.caller)
        if let found = flow.secret(in: value), entry.isDump || !hides(found) {
            guard let (function, shown) = entry.inner,
                let parameter = flows.project.bound(entry.call, to: function).first(where: { $0.value === value })?
                    .parameter
            else { return found }
            // The function may log another part of an object than the one that is a secret.
            let inner = flows.of(function)
            let isShown = shown.contains { inner.secret(in: $0, given: found, as: parameter.name) != nil }
            let isMade = !shown.contains { inner.parameter(in: $0)?.name == parameter.name }
            return isShown || isMade ? found : nil
        }
        if entry.isDump { return flow.contents(ofRequest: value) }
        return entry.call.name == "debugPrint" ? flow.headers(ofResponse: value) : nil
    }

    /// What a call gives a function that logs.
    private static func logged(_ call: CallSite, _ function: Function, _ project: ProjectModel) -> [Expression] {
        let bound = project.bound(call, to: function).filter { takesText($0.parameter) }.map(\.value)
        return bound + call.arguments.filter(\.isTrailing).map(\.value)
    }

    /// What is about a person and no secret: told only where possible findings are asked for.
    private static let personalWords: Set<String> = [
        "email", "emailaddress", "phone", "phonenumber", "mobilenumber", "birthday", "birthdate", "dateofbirth",
        "homeaddress", "postaladdress", "latitude", "longitude", "coordinate", "fullname", "firstname", "lastname",
        "bodyweight",
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
        _ secret: Secret, _ entry: LogSinks.Entry, _ place: Place, _ findings: inout [Finding],
        _ seen: inout Set<Place>, fix: [Edit] = []
    ) {
        guard seen.insert(place).inserted else { return }
        findings.append(
            Finding(
                Self.description.id, at: place,
                "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is written to \(entry.sink).",
                chain: secret.steps + [Step("it is written to \(entry.sink)", at: place)] + entry.steps,
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
    private static func supported(_ secret: Secret, by messages: [Expression], of value: Expression) -> Secret {
        guard secret.certainty == .possible else { return secret }
        if let label = label(of: value, in: messages), SecretWords(name: label)?.kind == secret.kind {
            var sure = secret
            sure.certainty = .likely
            return sure
        }
        var said = ""
        for message in messages {
            guard said.isEmpty, case .text(let parts) = message.kind else { continue }
            for part in parts {
                if case .literal(let text) = part { said = text } else { break }
            }
        }
        guard let words = SecretWords(text: said), words.kind == secret.kind else { return secret }
        var sure = secret
        sure.certainty = .likely
        return sure
    }

    /// What a format says of one of its values: `token` of `"url=%@ token=%@"` for the second one.
    private static func label(of value: Expression, in messages: [Expression]) -> String? {
        guard let place = messages.firstIndex(where: { $0.literal?.contains("%") == true }),
            let index = messages.firstIndex(where: { $0 === value }), index > place,
            let format = messages[place].literal
        else { return nil }
        let parts = format.replacing("%%", with: "").split(separator: "%", omittingEmptySubsequences: false)
        guard index - place - 1 < parts.count - 1 else { return nil }
        let before = parts[index - place - 1].reversed().drop { !($0.isLetter || $0.isNumber) }
        return String(before.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
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

    /// A function whose business is to log the text that it is given: it is judged where it is called.
    private static func isLogger(_ function: Function, _ parameter: Parameter) -> Bool {
        guard function.kind == .function, takesText(parameter) else { return false }
        let words = SecretWords.words(of: function.name)
        if words.count <= 3, words.contains(where: verbs.contains) { return true }
        if function.owner.map({ LogSinks.isLog($0.split(separator: ".").last.map(String.init) ?? $0) }) == true {
            return true
        }
        return messageNames.contains(parameter.name)
    }

    private static func takesText(_ parameter: Parameter) -> Bool {
        let type = parameter.valueType.filter { !"[]?! .".contains($0) }
        // The number of a line, not the text of one.
        let isText = parameter.name == "line" && type == "String"
        guard isText || !placeNames.contains(parameter.name) && !placeNames.contains(parameter.label ?? "") else {
            return false
        }
        return textTypes.contains(type) || type.hasPrefix("any") || type.hasPrefix("some") || type.hasPrefix("String:")
    }

    private static let textTypes: Set<String> = [
        "String", "Any", "T", "StaticString", "CVarArg", "AnyObject", "Encodable", "Codable", "Data", "Error",
        "CustomStringConvertible", "NSString", "NSObject", "NSDictionary", "Dictionary", "Array", "id", "Message", "",
        "SwiftLogMessage", "LoggerMessage", "Item", "Value", "Element",
    ]
    private static let placeNames: Set<String> = [
        "file", "fileName", "filename", "function", "functionName", "line", "column", "level", "tag", "category",
        "separator", "terminator", "queue",
    ]
    private static let messageNames: Set<String> = [
        "message", "msg", "items", "item", "object", "objects", "logMessage", "log", "format", "messages", "logString",
        "debugMessage",
    ]
    private static let verbs: Set<String> = [
        "log", "logger", "print", "debug", "info", "trace", "verbose", "warn", "warning", "error", "fatal", "d",
        "i", "w", "e", "v", "dlog", "nslog", "logging", "track", "breadcrumb", "console", "printf", "dump",
    ]
}

extension Function {
    /// Whether a closure of the function is given bytes under a name: `dataTask(with: url) { data, response, error in }`.
    fileprivate func givesBytes(as name: String) -> Bool {
        var (isGiven, isParsed) = (false, false)
        body.visit { part in
            switch part.kind {
            case .call(let callee, let arguments):
                guard let called = callee.lastName, Self.parsing.contains(called) else { return }
                isParsed =
                    isParsed
                    || arguments.contains { argument in
                        if case .closure = argument.value.kind { true } else { false }
                    }
            case .closure(let closure): isGiven = isGiven || closure.parameters.first == name
            default: break
            }
        }
        return isGiven || !isParsed
    }

    /// Methods whose closure is given what a response was parsed into.
    private static let parsing: Set<String> = ["responseJSON", "responseDecodable", "responseObject", "responseString"]
}
