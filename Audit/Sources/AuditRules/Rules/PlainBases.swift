// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// The base of an app's own service as an `http://` or `ws://` constant, in an app that signs its users in.
struct PlainBases {
    private let project: ProjectModel

    init(_ project: ProjectModel) { self.project = project }

    private static let services: Set<String> = [
        "base", "root", "api", "server", "endpoint", "backend", "gateway", "socket", "websocket", "service", "domain",
        "host", "apiurl", "baseurl", "rooturl", "serverurl", "hosturl", "apihost", "apibase", "baseapi", "apiroot",
        "mainurl", "urlbase", "urlapi", "urlserver", "burl", "serverip", "serveraddress", "apiserver", "apiaddress",
        "wsurl", "socketurl", "domainurl", "urlprefix", "servidor", "serveur", "baseuri", "apiuri",
    ]
    /// What else has such a URL: pages, pictures, namespaces, and servers of developers.
    private static let others: Set<String> = [
        "privacy", "terms", "policy", "help", "support", "website", "site", "link", "share", "faq", "doc", "docs",
        "image", "images", "img", "avatar", "icon", "photo", "namespace", "schema", "xmlns", "dev", "debug", "local",
        "test", "testing", "staging", "stage", "mock", "about", "itunes", "map", "maps", "news", "rss", "feed",
        "download", "sandbox", "example", "identifier", "dtd", "legal", "development", "qa", "uat", "beta", "demo",
        "proxy", "tile", "tiles",
    ]

    private static let developers: Set<String> = [
        "dev", "test", "staging", "stage", "local", "example", "sandbox", "qa",
    ]

    /// The first for each host; hosts of requests that were found are left out.
    func findings(besides requests: [Finding]) -> [Finding] {
        guard CoverSearch(project).hasSecrets else { return [] }
        var first: [String: Finding] = [:]
        let joined = signInBases()
        func look(_ name: String, _ text: String, _ place: Place) {
            let signsIn = joined.contains(name)
            guard let host = Self.host(text, isJoined: signsIn),
                !requests.contains(where: { $0.message.contains(host) })
            else { return }
            let words = SecretWords.words(of: name)
            // `ROOT`, or a URL whose text says that it is a service's.
            let isService =
                signsIn || words.contains(where: Self.services.contains) || host.hasPrefix("api.")
                || words.contains { ["url", "uri", "address", "prefix", "main"].contains($0) }
                    && (text.contains("/api") || host.hasPrefix("api"))
            guard isService, !words.contains(where: Self.others.contains),
                !SecretWords.words(of: host).contains(where: Self.developers.contains)
            else { return }
            let finding = Finding(
                TransportSecurity.description.id, at: place,
                "\(name) leads all that goes to \(host) over a connection in plaintext.", certainty: .likely)
            if first[host].map({ place < $0.place }) ?? true { first[host] = finding }
        }
        for property in project.types.values.flatMap(\.properties.values) + Array(project.variables.values) {
            if let text = property.value?.literal ?? made(property.value) { look(property.name, text, property.place) }
        }
        for function in project.functions where function.kind == .getter {
            let never = neverTaken(function)
            function.body.visit { part in
                guard let text = part.literal, !never.contains(where: { $0.contains(part.span.start) }) else { return }
                look(function.name, text, function.place(part))
            }
        }
        for type in project.types.values {
            for declaration in type.declarations where declaration.kind == .enum {
                for item in declaration.cases {
                    guard let raw = item.raw, Self.host(raw) != nil else { continue }
                    // A server for tests is one of users where the app takes it.
                    let isOther = SecretWords.words(of: item.name).contains(where: Self.others.contains)
                    guard !isOther || isTaken(item.name) else { continue }
                    look(type.shortName, raw, declaration.place)
                }
            }
        }
        for file in project.resources.objectiveC {
            for constant in file.constants { look(constant.name, constant.text, constant.place) }
        }
        for list in project.resources.propertyLists where list.entry("CFBundleIdentifier") != nil {
            for entry in list.entries { if let text = entry.text { look(entry.key, text, entry.place) } }
        }
        return first.values.sorted { $0.place < $1.place }
    }

    /// Where a constant is compared with another text: `if stage == "TEST"`, where `let stage = "LIVE"`.
    private func neverTaken(_ function: Function) -> [ClosedRange<UInt32>] {
        let scope = project.scope(of: function)
        var found: [ClosedRange<UInt32>] = []
        function.body.visitStatements { statement in
            guard case .branch(let branch) = statement.kind, !branch.isGuard, let first = branch.then.first,
                let last = branch.then.last
            else { return }
            for case .expression(let value) in branch.conditions {
                guard case .binary("==", let left, let right) = value.kind, let text = right.literal,
                    left.literal == nil, let constant = scope.literal(left), constant != text
                else { continue }
                found.append(first.span.start...max(first.span.start, last.span.end))
            }
        }
        return found
    }

    /// Whether a case is given to a call: `Client(host: .test)`.
    private func isTaken(_ name: String) -> Bool {
        func takes(_ value: Expression) -> Bool {
            var isTaken = false
            value.visit { part in
                guard case .call(_, let arguments) = part.kind else { return }
                for argument in arguments {
                    if case .member(_, name) = argument.value.kind { isTaken = true }
                }
            }
            return isTaken
        }
        if project.types.values.contains(where: { $0.properties.values.contains { $0.value.map(takes) ?? false } }) {
            return true
        }
        return project.functions.contains { function in
            var isTaken = false
            function.body.visit { part in
                guard case .call(_, let arguments) = part.kind else { return }
                for argument in arguments {
                    if case .member(_, name) = argument.value.kind { isTaken = true }
                }
            }
            return isTaken
        }
    }

    /// The literal of `URL(string: "http://...")!`.
    private func made(_ value: Expression?) -> String? {
        guard case .call(let callee, let arguments)? = value?.withoutCasts.kind, callee.lastName == "URL" else {
            return nil
        }
        return arguments.first { $0.label == "string" }?.value.literal
    }

    private static let entrances = ["login", "signin", "sign_in", "sign-in", "auth", "register", "signup", "password"]

    /// The constants that a path of a log-in or a registration is joined to: `base + "/login"`.
    private func signInBases() -> Set<String> {
        var found: Set<String> = []
        func look(_ value: Expression) {
            value.visit { part in
                var (name, path): (String?, String?)
                switch part.kind {
                case .binary("+", let left, let right): (name, path) = (left.lastName, right.literal)
                case .text(let parts):
                    guard parts.count > 1, case .interpolation(let arguments) = parts[0],
                        case .literal(let text) = parts[1]
                    else { return }
                    (name, path) = (arguments.first?.value.lastName, text)
                default: return
                }
                guard let name, let path = path?.lowercased(), Self.entrances.contains(where: path.contains) else {
                    return
                }
                found.insert(name)
            }
        }
        for property in project.types.values.flatMap(\.properties.values) {
            if let value = property.value { look(value) }
        }
        for function in project.functions {
            function.body.visit { part in
                switch part.kind {
                case .binary("+", _, _), .text: look(part)
                default: break
                }
            }
        }
        return found
    }

    // MARK: Addresses that are typed

    /// `"http://" + address`, where the address of the user's own server is completed: the first of each function.
    func typed() -> [Finding] {
        guard CoverSearch(project).hasSecrets else { return [] }
        let servers: Set<String> = ["server", "endpoint", "backend", "gateway", "host", "instance", "base", "node"]
        return project.functions.compactMap { function in
            let words = [function.name, function.owner ?? ""].flatMap { SecretWords.words(of: $0) }
            guard !words.contains(where: Self.others.contains) else { return nil }
            var (found, named, isChosen): (Expression?, [String], Bool) = (nil, [], false)
            function.body.visit { part in
                if part.literal?.hasPrefix("https://") == true { isChosen = true }
                guard found == nil else { return }
                switch part.kind {
                case .binary("+", let left, let right) where left.literal == "http://" && right.literal == nil:
                    (found, named) = (part, SecretWords.words(of: right.lastName ?? ""))
                case .text(let parts):
                    guard parts.count > 1, case .literal("http://") = parts[0],
                        case .interpolation(let arguments) = parts[1]
                    else { return }
                    for case .literal(let text) in parts.dropFirst(2) where !text.isEmpty { return }
                    (found, named) = (part, SecretWords.words(of: arguments.first?.value.lastName ?? ""))
                default: return
                }
            }
            guard let found, !isChosen, (words + named).contains(where: servers.contains),
                !named.contains(where: Self.others.contains)
            else { return nil }
            return Finding(
                TransportSecurity.description.id, at: function.place(found),
                "An address that is typed without a scheme is taken for one in plain HTTP.", certainty: .likely)
        }
    }

    private static func host(_ text: String, isJoined: Bool = false) -> String? {
        guard let scheme = ["http://", "ws://"].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.utf8.count)
        // A log-in on a private network is one, too; on the device itself it is for developers.
        let isNear = isJoined && ["192.168.", "10.", "172."].contains(where: rest.hasPrefix)
        guard isNear || !TransportSecurity.isLocal(String(rest)), !rest.hasPrefix("www.w3.org"), !rest.contains(" ")
        else {
            return nil
        }
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != ":" }
        return host.isEmpty || host.contains("%") ? nil : String(host)
    }
}
