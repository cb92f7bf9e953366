// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XATS: transport security switched off, in Info.plist and in code.
package struct TransportSecurity: Rule {
    package static let description = RuleDescription(
        id: "transport-security", category: "XATS", title: "Transport security is switched off",
        explanation: """
            Without App Transport Security the app may speak plain HTTP and weak TLS, so that everyone on the way reads and changes what it \
            sends. It fires on NSAllowsArbitraryLoads, on exceptions for a domain that allow plain HTTP or old TLS, on requests to http://, \
            on http:// and ws:// bases of an app's own service, and on code that accepts every certificate. It doesn't on exceptions for local networks and web views alone, on links that a \
            browser opens, on names of XML namespaces and on NSAllowsArbitraryLoads where a narrower key makes the system ignore it.
            """,
        masvs: "MASVS-NETWORK-1", cwe: 319,
        plainRemedy: "Remove NSAppTransportSecurity from Info.plist and use https:// everywhere.",
        zamokRemedy: "Zamok doesn't touch the network; the plain remedy is the remedy.")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let requests = requests(project)
        let bases = allowsPlain(project) ? PlainBases(project).findings(besides: requests) : []
        let typed = allowsPlain(project) ? PlainBases(project).typed() : []
        return settings(project.resources.propertyLists)
            + (requests + bases + typed
            + blindTrust(project) + switches(project) + project.resources.objectiveC.flatMap(objectiveC)).oncePerLine()
    }

    // MARK: Info.plist

    private static let security = "NSAppTransportSecurity"
    /// With one of them, the system ignores NSAllowsArbitraryLoads.
    private static let narrower = [
        "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia", "NSAllowsLocalNetworking",
    ]

    /// What the app and its extensions say; where the app says it too, the extensions' lists are steps of its finding.
    private func settings(_ lists: [PropertyListFile]) -> [Finding] {
        let extensions = lists.filter { $0.entry("NSExtension") != nil }
        let apps = lists.filter { $0.entry("NSExtension") == nil }
        let copies = extensions.flatMap(settings)
        var findings = apps.flatMap(settings)
        guard !findings.isEmpty else { return copies }
        findings[0].chain += copies.map { Step("an extension says the same", at: $0.place) }
        return findings
    }

    private func settings(_ list: PropertyListFile) -> [Finding] {
        var findings: [Finding] = []
        let isNarrowed = Self.narrower.contains { list.entry(Self.security, $0) != nil }
        if let all = list.entry(Self.security, "NSAllowsArbitraryLoads"), all.isTrue, !isNarrowed {
            findings.append(
                Finding(
                    Self.description.id, at: all.place,
                    "NSAllowsArbitraryLoads lets the whole app speak plain HTTP and weak TLS.", certainty: .sure))
        }
        for domain in list.entries(below: Self.security, "NSExceptionDomains") where !Self.isLocal(domain.key) {
            for setting in list.entries(below: Self.security, "NSExceptionDomains", domain.key) {
                let name = setting.key.replacing("NSThirdParty", with: "NS").replacing("NSTemporary", with: "NS")
                let isPlain = name == "NSExceptionAllowsInsecureHTTPLoads" && setting.isTrue
                let isOld =
                    name == "NSExceptionMinimumTLSVersion" && ["TLSv1.0", "TLSv1.1"].contains(setting.text ?? "")
                guard isPlain || isOld else { continue }
                // Each host has a place of its own; the file is one finding.
                if let first = findings.indices.first {
                    findings[first].chain.append(
                        Step(
                            "\(domain.key) may use \(isPlain ? "plain HTTP" : "TLS older than 1.2"), too",
                            at: setting.place))
                    continue
                }
                findings.append(
                    Finding(
                        Self.description.id, at: setting.place,
                        "Connections to \(domain.key) may use \(isPlain ? "plain HTTP" : "TLS older than 1.2").",
                        certainty: .likely))
            }
        }
        return findings
    }

    static func isLocal(_ host: String) -> Bool {
        if host.filter({ $0 == ":" }).count > 1, !host.contains("/") {
            let low = host.lowercased()
            return low == "::1" || ["fe80:", "fc", "fd"].contains(where: low.hasPrefix)
        }
        let host = host.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
        return host == "localhost" || host.hasSuffix(".local") || host.hasSuffix(".localhost") || host.hasPrefix("127.")
            || host.hasPrefix("10.") || host.hasPrefix("192.168.") || host.hasPrefix("172.")
            || host.hasPrefix("169.254.")
            || host == "0.0.0.0" || host.hasPrefix("[") || host.isEmpty || !host.contains(".")
    }

    // MARK: Requests

    /// What sends when it is given a URL.
    private static let senders: Set<String> = [
        "URLRequest", "NSMutableURLRequest", "dataTask", "uploadTask", "downloadTask", "webSocketTask", "request",
        "upload",
        "dataTaskPublisher", "bytes", "download", "NSURLConnection",
    ]

    /// A URL with http:// in a literal, made in a function and sent there or by the function that it is given to, with a secret: the first
    /// for each host.
    private func requests(_ project: ProjectModel) -> [Finding] {
        guard allowsPlain(project) else { return [] }
        var first: [String: Finding] = [:]
        for call in project.calls(to: "URL").sorted(by: { $0.place < $1.place }) {
            guard let host = plainHost(call.argument("string"), in: call, project), first[host] == nil else { continue }
            let name = local(holding: call.expression, in: call.caller)
            guard let (sender, function) = sender(of: call.expression, named: name, in: call.caller, project, hops: 1),
                carriesSecret(function, project)
            else { continue }
            first[host] = Finding(
                Self.description.id, at: call.place, "A request with a secret goes to \(host) in plain HTTP.",
                chain: [sender],
                certainty: .likely)
        }
        return first.values.sorted { $0.place < $1.place }
    }

    /// Whether a secret is put into anything in the function that sends.
    private func carriesSecret(_ function: Function, _ project: ProjectModel) -> Bool {
        let flow = Flow(function, in: project)
        var carries = false
        function.body.visit { expression in
            guard !carries else { return }
            switch expression.kind {
            case .dictionary(let pairs): carries = pairs.contains { flow.secret(in: $0.value) != nil }
            case .binary("=", let target, let value):
                if ["httpBody", "HTTPBody", "hTTPBody", "text"].contains(target.lastName ?? "") {
                    carries = flow.secret(in: value) != nil
                }
            case .call(let callee, let arguments):
                if ["setValue", "addValue", "URLQueryItem", "upload", "request"].contains(callee.lastName ?? "") {
                    carries = arguments.contains { !$0.isTrailing && flow.secret(in: $0.value) != nil }
                }
            default: break
            }
        }
        return carries
    }

    /// Where the system would refuse plain HTTP, nothing leaks.
    private func allowsPlain(_ project: ProjectModel) -> Bool {
        let lists = project.resources.propertyLists.filter { $0.path.hasSuffix("Info.plist") }
        // An app that says nothing of it, and has such a URL, is older than the system's refusal.
        return lists.isEmpty || lists.contains { !settings($0).isEmpty }
            || lists.allSatisfy { $0.entry(Self.security) == nil && $0.entries(below: Self.security).isEmpty }
    }

    private func plainHost(_ text: Expression?, in call: CallSite, _ project: ProjectModel) -> String? {
        guard let text else { return nil }
        var literal = project.scope(of: call.caller).literal(text)
        if literal == nil, case .text(let parts) = text.kind, case .literal(let start)? = parts.first {
            literal = start
        }
        guard let literal, literal.hasPrefix("http://") else { return nil }
        let rest = literal.dropFirst(7)
        guard !Self.isLocal(String(rest)) else { return nil }
        return String(rest.prefix { $0 != "/" && $0 != "?" })
    }

    /// The local into which a value is put.
    private func local(holding value: Expression, in function: Function) -> String? {
        var found: String?
        func look(_ binding: Binding) {
            guard let bound = binding.value, bound.span.start <= value.span.start, value.span.end <= bound.span.end
            else { return }
            found = binding.names.first
        }
        function.body.visitStatements { statement in
            switch statement.kind {
            case .bind(let binding): look(binding)
            case .branch(let branch): for case .bind(let binding) in branch.conditions { look(binding) }
            default: break
            }
        }
        return found
    }

    private func sender(
        of value: Expression, named name: String?, in function: Function, _ project: ProjectModel, hops: Int
    ) -> (Step, Function)? {
        for call in function.calls {
            let takes = call.arguments.contains { argument in
                var found = false
                argument.value.visit { inner in
                    if inner === value { found = true }
                    if case .name(let used) = inner.kind, used == name { found = true }
                }
                return found && !argument.isTrailing
            }
            guard takes, call.expression !== value else { continue }
            if Self.senders.contains(call.name) {
                return (Step("\(call.name) sends it", at: call.place), function)
            }
            guard hops > 0 else { continue }
            for target in project.targets(of: call) {
                for (parameter, given) in project.bound(call, to: target) where given.root == name || given === value {
                    if let found = sender(of: value, named: parameter.name, in: target, project, hops: hops - 1) {
                        return found
                    }
                }
            }
        }
        // `request.url = url`
        var given: Expression?
        if let name {
            function.body.visit { part in
                guard given == nil, case .binary("=", let target, let value) = part.kind, value.lastName == name,
                    case .member(let base?, let member) = target.kind, ["url", "URL", "uRL"].contains(member),
                    SecretWords.words(of: base.lastName ?? "").contains("request")
                else { return }
                given = part
            }
        }
        return given.map { (Step("a request goes there", at: function.place($0)), function) }
    }

    // MARK: Certificates

    private func blindTrust(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        let made = project.calls(to: "URLCredential").filter { $0.argument("trust") != nil }
        for call in made + project.calls(to: "credentialForTrust") {
            let reached = project.functionsReached(from: call.caller, hops: 2)
            let asks = reached.contains { function in
                function.calls.contains { inner in
                    let name = inner.name.lowercased()
                    return ["evaluate", "validate", "pin", "verify", "trusted", "sha256"].contains { name.contains($0) }
                        || inner.name.hasPrefix("SecTrust") && !inner.name.contains("Exceptions")
                        || inner.name.hasPrefix("SecCertificate")
                }
            }
            // A prompt or a list of the user's own exceptions decides.
            guard isAcceptedByHost(call) || !asks && !decides(call) && !isGiven(call) else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: call.place,
                    "Every server's certificate is accepted: nothing evaluates the trust.",
                    certainty: .likely))
        }
        for name in ["DisabledTrustEvaluator", "DisabledEvaluator"] {
            for call in project.calls(to: name) {
                findings.append(
                    Finding(
                        Self.description.id, at: call.place, "\(name) accepts every server's certificate.",
                        certainty: .likely))
            }
        }
        return findings
    }

    /// What libraries offer to accept every certificate: `ServerTrustPolicy.disableEvaluation` and properties.
    private static let accepting: [String: Bool] = [
        "allowInvalidCertificates": true, "validatesDomainName": false, "disableSSLCertValidation": true,
        "validatesCertificateChain": false, "allowsAnyHTTPSCertificate": true, "allowsSelfSignedCertificates": true,
        "validateHost": false, "enableCertificateValidation": false,
    ]

    private func switches(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for function in project.functions {
            func add(_ part: Expression, _ name: String) {
                findings.append(
                    Finding(
                        Self.description.id, at: function.place(part), "\(name) accepts other servers' certificates.",
                        certainty: .likely))
            }
            func isSet(_ name: String, _ value: Expression) -> Bool {
                guard case .boolean(let given) = value.kind else { return false }
                return Self.accepting[name] == given
            }
            function.body.visit { part in
                switch part.kind {
                case .member(_, "disableEvaluation"): add(part, "disableEvaluation")
                case .binary("=", let target, let value):
                    guard case .member(_, let name) = target.kind, isSet(name, value) else { return }
                    if name == "allowInvalidCertificates", pins(function) { return }
                    add(part, name)
                case .dictionary(let pairs):
                    for (key, value) in pairs where key.dotted.contains("kCFStreamSSLValidatesCertificateChain") {
                        if value.withoutCasts.lastName == "kCFBooleanFalse" { add(value, "kCFBooleanFalse") }
                        if case .boolean(false) = value.withoutCasts.kind { add(value, "false") }
                    }
                case .call(_, let arguments):
                    for argument in arguments {
                        if let label = argument.label, isSet(label, argument.value) { add(argument.value, label) }
                    }
                default: break
                }
            }
        }
        return findings
    }

    /// Whether a function pins the keys or the certificates that it accepts.
    private func pins(_ function: Function) -> Bool {
        var (isPinned, hasMode) = (false, false)
        function.body.visitNames { name, _ in
            if name.lowercased().contains("pinnedcertificates") { isPinned = true }
            if ["AFSSLPinningModePublicKey", "AFSSLPinningModeCertificate", "publicKey", "certificate"].contains(name) {
                hasMode = true
            }
        }
        return isPinned && hasMode
    }

    /// Whether another function is given the trust, and so can say no: `checker.check(trust: trust, against: keys)`.
    private func isGiven(_ call: CallSite) -> Bool {
        guard let name = (call.argument("trust") ?? call.arguments.first?.value)?.lastName else { return false }
        return call.caller.calls.contains { other in
            other.name != "URLCredential" && other.name != "credentialForTrust"
                && !["print", "info", "debug", "log", "NSLog"].contains(other.name)
                && other.plainArguments.contains { $0.value.lastName == name && $0.label != nil }
        }
    }

    /// Whether an expression compares the challenge's host with another one: that is no check of the certificate.
    private static func comparesHost(_ expression: Expression) -> Bool {
        func isHost(_ side: Expression) -> Bool {
            guard case .member(_, let name) = side.kind else { return false }
            return name == "host" || name == "realmHost"
        }
        func isLocal(_ side: Expression) -> Bool {
            side.literal.map { $0 == "localhost" || $0 == "127.0.0.1" } ?? false
        }
        switch expression.kind {
        case .binary("==", let left, let right):
            return (isHost(left) || isHost(right)) && !isLocal(left) && !isLocal(right)
        case .call(let callee, let arguments):
            guard case .member(let base?, let name) = callee.kind, let other = arguments.first?.value,
                ["isEqualToString", "isEqual", "hasSuffix", "hasPrefix", "caseInsensitiveCompare"].contains(name)
            else { return false }
            return isHost(base) && !isLocal(other)
        default: return false
        }
    }

    /// `if host == home || isValid(trust) { accept }`: with the right host, nothing is checked.
    private func isAcceptedByHost(_ call: CallSite) -> Bool {
        var found = false
        let span = call.expression.span
        call.caller.body.visitStatements { statement in
            guard case .branch(let branch) = statement.kind, !found, let first = branch.then.first,
                let last = branch.then.last, first.span.start <= span.start, span.end <= last.span.end
            else { return }
            for value in branch.conditions.flatMap(\.expressions) {
                value.visit { part in
                    guard case .binary("||", let left, let right) = part.kind else { return }
                    if Self.comparesHost(left) || Self.comparesHost(right) { found = true }
                }
            }
        }
        return found
    }

    /// Whether the credential is made only under a condition on something other than the kind of challenge.
    private func decides(_ call: CallSite) -> Bool {
        var decides = false
        call.caller.body.visitStatements { statement in
            guard case .branch(let branch) = statement.kind else { return }
            for condition in branch.conditions {
                for value in condition.expressions {
                    var compared: Set<ObjectIdentifier> = []
                    value.visit { part in
                        guard Self.comparesHost(part) else { return }
                        part.visit { compared.insert(ObjectIdentifier($0)) }
                    }
                    value.visit { inner in
                        guard !compared.contains(ObjectIdentifier(inner)) else { return }
                        guard let name = inner.lastName?.lowercased() else { return }
                        if [
                            "host", "allow", "trust", "certificate", "fingerprint", "exception", "debug", "insecure",
                            "selfsigned",
                        ].contains(
                            where: {
                                name.contains($0) && name != "servertrust" && !name.contains("authenticationmethod")
                            })
                        {
                            decides = true
                        }
                    }
                }
            }
        }
        return decides
    }

    // MARK: Objective-C

    private func pins(_ body: String) -> Bool {
        body.lowercased().contains("pinnedcertificates")
            && ["AFSSLPinningModePublicKey", "AFSSLPinningModeCertificate"].contains(where: body.contains)
    }

    private func objectiveC(_ file: ObjCFile) -> [Finding] {
        var findings: [Finding] = []
        for call in file.calls
        where call.name == "setAllowsAnyHTTPSCertificate:forHost:" || call.name == "setAllowInvalidCertificates:" {
            guard call.arguments.first.map(file.text) == "YES" else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: call.place, "Certificates that aren't valid are accepted.",
                    certainty: .sure))
        }
        for assignment in file.assignments {
            let value = file.text(assignment.value)
            // With a pinned key, the certificate that is accepted is that one alone.
            if assignment.target.hasSuffix("allowInvalidCertificates"), let method = assignment.method,
                pins(file.text(file.methods[method].body))
            {
                continue
            }
            guard
                assignment.target.hasSuffix("allowInvalidCertificates") && value == "YES"
                    || assignment.target.hasSuffix("validatesDomainName") && value == "NO"
            else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: assignment.place,
                    "\(assignment.target) = \(value) accepts other servers' certificates.", certainty: .sure))
        }
        return findings
    }
}
