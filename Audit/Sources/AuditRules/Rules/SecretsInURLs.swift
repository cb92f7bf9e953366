// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XURL: a secret in the query or the path of a URL that is requested.
package struct SecretsInURLs: Rule {
    package static let description = RuleDescription(
        id: "secret-in-url", category: "XURL", title: "A secret is part of a URL",
        explanation: """
            Servers, proxies and analytics keep the URLs of requests in their logs, and caches and histories on the device do, too. It fires on \
            passwords, PINs, tokens and codes, and on fast hashes of passwords, that are put into the query or the path of a URL: by \
            URLQueryItem, by text that is joined or formatted, or as parameters of a GET. It doesn't on headers and bodies, on forms that go \
            into a body, on URLs of other schemes such as otpauth, on tokens that only page or name a device, on codes of OAuth, which are used \
            once, and on the keys of public services.
            """,
        masvs: "MASVS-NETWORK-1", cwe: 598,
        plainRemedy: """
            var request = URLRequest(url: url)
            request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
            """,
        zamokRemedy: "Zamok doesn't touch the network; the plain remedy is the remedy.")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        var findings: [Finding] = []
        for function in project.functions { findings += examine(function, flows) }
        var seen: Set<String> = []
        return findings.sorted { $0.place < $1.place }.filter {
            seen.insert("\($0.place.file):\($0.place.line)").inserted
        }
    }

    private func examine(_ function: Function, _ flows: Flows) -> [Finding] {
        var found: [(Expression, Secret, String)] = []
        var inner: Set<ObjectIdentifier> = []
        func look(_ pieces: [Piece], _ part: Expression) {
            guard let (secret, place) = inText(pieces, function, flows) else { return }
            found.append((part, secret, place))
        }
        function.body.visit { part in
            guard !inner.contains(ObjectIdentifier(part)) else { return }
            switch part.kind {
            case .text(let texts): if texts.count > 1 { look(Piece.of(texts), part) }
            case .binary("+", _, _):
                part.visit { inner.insert(ObjectIdentifier($0)) }
                look(Piece.summands(part) { flows.project.scope(of: function).literal($0) }, part)
            case .call(let callee, let arguments):
                if let pieces = Piece.formatted(callee, arguments, { flows.of(function).literal($0) }) {
                    for argument in arguments { inner.insert(ObjectIdentifier(argument.value)) }
                    return look(pieces, part)
                }
                let call = CallSite(expression: part, callee: callee, arguments: arguments, caller: function)
                if let secret = queryItem(call, flows) ?? parameters(call, flows) {
                    found.append((part, secret, "the query"))
                } else if let secret = component(call, flows) {
                    found.append((part, secret, "the path"))
                }
            case .binary("+=", let target, let value):
                // `address += "&token=" + token`
                value.visit { inner.insert(ObjectIdentifier($0)) }
                look(
                    [.value(target)] + Piece.summands(value) { flows.project.scope(of: function).literal($0) }, part)
            case .binary("=", let target, let value):
                // `components.query = "token=" + token`
                guard case .member(_, let name) = target.kind, ["query", "percentEncodedQuery"].contains(name),
                    let secret = secret(value, function, flows)
                else { return }
                value.visit { inner.insert(ObjectIdentifier($0)) }
                found.append((part, secret, "the query"))
            default: break
            }
        }
        guard !found.isEmpty, !Self.isBody(function), !isGivenToBody(function, flows) else { return [] }
        let isListed = found.contains { $0.2 == "the query" } && Self.isListAlone(function)
        if isListed, movesToBody(flows.project) { found.removeAll { $0.0.isQueryItem } }
        return found.map { part, secret, where_ in
            let place = function.place(part)
            return Finding(
                Self.description.id, at: place,
                "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is in \(where_) of a URL, which logs and caches keep.",
                chain: secret.steps + [Step("it is put into \(where_)", at: place)], certainty: .likely)
        }
    }

    /// Whether a function gives its query items to one that makes a body of them.
    private func isGivenToBody(_ function: Function, _ flows: Flows) -> Bool {
        guard function.calls.contains(where: { $0.name == "URLQueryItem" }) else { return false }
        return function.calls.contains { call in
            call.name != "URLQueryItem"
                && flows.project.targets(of: call).contains { target in
                    target.parameters.contains { $0.type.contains("URLQueryItem") } && Self.isBody(target)
                }
        }
    }

    /// Whether a function only makes a list of items: it has no URL of its own, and asks for none by GET.
    private static func isListAlone(_ function: Function) -> Bool {
        var isAlone = true
        function.body.visit { part in
            guard let name = part.lastName else { return }
            if ["URLComponents", "NSURLComponents", "URL", "URLRequest", "get", "GET", "percentEncodedQueryItems"]
                .contains(name)
            {
                isAlone = false
            }
        }
        return isAlone
    }

    /// Whether the app's client makes the body of a POST out of the items that its requests are given.
    private func movesToBody(_ project: ProjectModel) -> Bool {
        project.assignments(to: "httpBody").contains { site in
            var (items, posts) = (false, false)
            site.function.body.visit { part in
                if part.lastName == "queryItems" { items = true }
                if case .binary("==", let left, let right) = part.kind {
                    posts =
                        posts
                        || [left, right].contains {
                            ($0.literal ?? $0.lastName ?? "").lowercased() == "post"
                        }
                }
                if case .text = part.kind, part.literal == "POST" { posts = true }
            }
            return items && posts
        }
    }

    // MARK: What counts

    private static let publicKeys: Set<String> = [
        "apikey", "apikeys", "appkey", "accesskey", "applicationkey", "consumerkey", "clientkey",
    ]
    private static let spentOnce: Set<String> = [
        "code", "authcode", "authorizationcode", "state", "csrftoken", "xsrftoken", "devicetoken", "pushtoken",
    ]

    /// Whether a secret under this name must not be in a URL.
    private static func counts(_ secret: Secret) -> Bool {
        guard secret.certainty >= .likely, secret.kind != .health, secret.holder == nil else { return false }
        let last = secret.name.split(separator: ".").last.map(String.init) ?? secret.name
        let plain = SecretWords.words(of: last).joined()
        // A code that a person was sent is worth what a password is; one of OAuth isn't.
        if spentOnce.contains(plain), plain != "code" || secret.kind != .oneTimeCode { return false }
        guard secret.kind == .key || secret.kind == .secret else { return true }
        return !publicKeys.contains { plain.hasSuffix($0) }
    }

    /// The secret that a value is: followed, or named as the hash of one.
    private func secret(_ value: Expression, _ function: Function, _ flows: Flows) -> Secret? {
        // A member of an object that is called on itself tells nothing of the object.
        if flows.of(function).parameter(in: value)?.name == "self" { return nil }
        // A token that names a device is none by which anyone signs in, wherever it comes from.
        if let name = value.lastName, SecretWords.isHarmlessToken(name) { return nil }
        if let found = flows.secret(in: value, of: function) { return Self.counts(found) ? found : nil }
        var hashed: Secret?
        value.visit { part in
            guard hashed == nil, let name = part.lastName, let words = SecretWords(digest: name),
                words.kind == .password || words.kind == .pin
            else { return }
            if case .call = part.kind { return }
            hashed = Secret(
                kind: words.kind, name: name,
                steps: [Step("\(name) is all that a server needs to know", at: function.place(part))])
        }
        return hashed
    }

    /// Whether a function makes the body of a form: it is encoded as a query is.
    private static func isBody(_ function: Function) -> Bool {
        let words = SecretWords.words(of: function.name) + SecretWords.words(of: function.owner ?? "")
        if words.contains(where: { ["body", "form", "multipart", "otpauth", "qr", "qrcode", "deeplink"].contains($0) })
        {
            return true
        }
        var (isSent, isEncoded) = (false, false)
        // The parts of a URL by which an app for one-time codes is given an account.
        var account: Set<String> = []
        function.body.visit { part in
            switch part.kind {
            case .name(let name), .member(_, let name):
                if name == "httpBody" || name == "HTTPBody" { isSent = true }
                if ["query", "percentEncodedQuery"].contains(name) { isEncoded = true }
            case .text:
                guard let text = part.literal else { return }
                if ["otpauth", "digits", "period", "algorithm", "counter"].contains(text) { account.insert(text) }
            default: break
            }
        }
        return isSent && isEncoded || account.count > 1 || account.contains("otpauth")
    }

    // MARK: Query items and parameters

    private func queryItem(_ call: CallSite, _ flows: Flows) -> Secret? {
        guard call.name == "URLQueryItem" || call.name == "init" && call.argument("name") != nil,
            let value = call.argument("value"), value.literal == nil
        else { return nil }
        let name = call.argument("name").flatMap { flows.of(call.caller).literal($0) }
        if let name {
            let plain = SecretWords.words(of: name).joined()
            if plain == "code", isSent(call, flows) {
                return Secret(
                    kind: .oneTimeCode, name: "code",
                    steps: [Step("it was sent to the number or address beside it", at: call.place)])
            }
            if Self.spentOnce.contains(plain) || Self.publicKeys.contains(plain) { return nil }
            if SecretWords.isHarmlessToken(name) { return nil }
        }
        if let found = secret(value, call.caller, flows) { return found }
        guard call.name == "URLQueryItem" else { return nil }
        if let found = flows.secret(in: call.expression, of: call.caller), Self.counts(found) { return found }
        return name.flatMap { Self.told($0, value, call.caller, flows) }
    }

    /// Whether a code is one that a person was sent: an item beside it says where.
    private func isSent(_ call: CallSite, _ flows: Flows) -> Bool {
        let near = call.caller.calls.filter {
            $0.name == "URLQueryItem" && $0.expression !== call.expression
                && $0.expression.span.start + 160 > call.expression.span.start
                && $0.expression.span.start < call.expression.span.start + 160
        }
        let names = near.compactMap { $0.argument("name").flatMap { flows.of(call.caller).literal($0) } }
        return SentCodes.isSent(beside: names) && !call.caller.isAboutOAuthAlone
    }

    private static let services: Set<String> = ["base", "api", "server", "endpoint", "host", "remote", "service"]

    /// `baseURL.appendingPathComponent(token)`
    private func component(_ call: CallSite, _ flows: Flows) -> Secret? {
        guard ["appendingPathComponent", "appending", "appendPathComponent", "append"].contains(call.name),
            let receiver = call.receiver,
            let value = call.argument(nil) ?? call.argument("path") ?? call.argument("component"),
            value.literal == nil
        else { return nil }
        var words: [String] = []
        receiver.visit { part in
            if let name = part.lastName { words += SecretWords.words(of: name) }
        }
        guard !words.contains(where: Self.files.contains),
            words.contains("url") && words.contains(where: Self.services.contains)
                || isOfWeb(receiver, call.caller, flows)
        else { return nil }
        return secret(value, call.caller, flows)
    }

    /// Whether it is made of an address that is written out: `URL(string: "https://...")`.
    private func isOfWeb(_ receiver: Expression, _ function: Function, _ flows: Flows) -> Bool {
        let scope = flows.project.scope(of: function)
        let made = scope.property(of: receiver)?.value ?? scope.resolved(receiver)
        guard case .call(let callee, let arguments) = made.withoutCasts.kind,
            ["URL", "NSURL", "URLComponents"].contains(callee.lastName),
            let text = arguments.first(where: { $0.label == "string" }).flatMap({ scope.literal($0.value) })
        else { return false }
        return text.hasPrefix("http")
    }

    private static let queryLabels: Set<String> = [
        "query", "queryItems", "queryParameters", "queryParams", "urlParameters", "urlParams", "urlQuery",
        "queryStringParameters", "urlQueryParameters",
    ]
    private static let getters: Set<String> = ["GET", "get", "getRequest", "httpGet", "sendGet"]

    /// Parameters that a library puts into the query.
    private func parameters(_ call: CallSite, _ flows: Flows) -> Secret? {
        let isAsked = call.arguments.contains { argument in
            argument.label.map {
                Self.parameterLabels.contains($0) || Self.queryLabels.contains($0)
                    || $0 == "with" && call.name == "encode"
            } ?? false
        }
        guard isAsked else { return nil }
        let parameters = call.plainArguments.first { Self.parameterLabels.contains($0.label ?? "") }?.value
        var value = call.plainArguments.first { Self.queryLabels.contains($0.label ?? "") }?.value
        let encoding = call.argument("encoding") ?? call.argument("encoder")
        var isQuery = false
        encoding?.visit { if ["queryString", "queryParameters"].contains($0.lastName ?? "") { isQuery = true } }
        if isQuery, ["request", "requestParameters", "upload", "download"].contains(call.name) { value = parameters }
        if call.name == "encode", isURLEncoding(call), routes(call.caller, flows.project) {
            value = parameters ?? call.argument("with")
        }
        if Self.getters.contains(call.name), case .member = call.callee.kind { value = value ?? parameters }
        if call.name == "request", let parameters, encoding.map({ !Self.isJSON($0) }) ?? true, isGet(call) {
            value = parameters
        }
        if namesGet(call), encoding.map({ !Self.isJSON($0) }) ?? true { value = value ?? parameters }
        guard let value else { return nil }
        if let found = flows.secret(in: value, of: call.caller), Self.counts(found) { return found }
        return filled(value, call.caller, flows, depth: 0)
    }

    private static let parameterLabels: Set<String> = ["parameters", "params", "parameter", "param", "arguments"]
    private static let verbs: Set<String> = ["GET", "HEAD", "DELETE"]

    /// Whether a request builder of the app is given a verb whose parameters go into the query.
    private func namesGet(_ call: CallSite) -> Bool {
        call.plainArguments.contains { argument in
            if let text = argument.value.literal {
                return Self.verbs.contains(text.uppercased()) && text.utf8.count < 7
            }
            guard ["method", "verb", "httpMethod", "type", "requestMethod"].contains(argument.label ?? "") else {
                return false
            }
            return Self.verbs.contains(argument.value.lastName?.uppercased() ?? "")
        }
    }

    /// `ParameterEncoding.URL.encode(request, parameters: ...)`, `URLEncoding.default.encode(request, with: ...)`
    private func isURLEncoding(_ call: CallSite) -> Bool {
        guard let receiver = call.receiver?.dotted else { return false }
        return receiver.hasSuffix("ParameterEncoding.URL") || receiver.contains("URLEncoding")
    }

    /// Whether a route's requests are GETs: where its type chooses the verb, the case of the function's switch has one.
    private func routes(_ function: Function, _ project: ProjectModel) -> Bool {
        guard let type = function.owner.flatMap({ project.type($0) }),
            let getter = type.functions["method"]?.first(where: { $0.kind == .getter })
        else { return false }
        var (gets, others) = (0, 0)
        getter.body.visit { part in
            guard case .member(let base, let name) = part.kind, base == nil || base?.lastName?.contains("ethod") == true
            else { return }
            if Self.verbs.contains(name.uppercased()) { gets += 1 }
            if ["POST", "PUT", "PATCH"].contains(name.uppercased()) { others += 1 }
        }
        return gets > 0 && others < 2
    }

    /// The first secret that is put into a dictionary of parameters, here or by the function that makes it.
    private func filled(_ value: Expression, _ function: Function, _ flows: Flows, depth: Int) -> Secret? {
        guard depth < 6 else { return nil }
        func judged(_ key: Expression?, _ value: Expression) -> Secret? {
            if let found = flows.secret(in: value, of: function), Self.counts(found) { return found }
            return key.flatMap { flows.of(function).literal($0) }.flatMap { Self.told($0, value, function, flows) }
        }
        switch value.withoutCasts.kind {
        case .dictionary(let pairs): return pairs.lazy.compactMap { judged($0.key, $0.value) }.first
        case .name(let name):
            var found: Secret?
            function.body.visitStatements { statement in
                guard found == nil, case .bind(let binding) = statement.kind, binding.names == [name],
                    let value = binding.value
                else { return }
                found = filled(value, function, flows, depth: depth + 1)
            }
            function.body.visit { part in
                guard found == nil else { return }
                switch part.kind {
                case .binary("=", let target, let value):
                    if case .name(name) = target.kind { found = filled(value, function, flows, depth: depth + 1) }
                    guard case .element(let base, let keys) = target.kind, base.dotted == name else { return }
                    found = judged(keys.first?.value, value)
                case .call(let callee, let arguments):
                    guard case .member(let base?, let method) = callee.kind, base.dotted == name, arguments.count == 2,
                        ["setObject", "setValue", "updateValue"].contains(method)
                    else { return }
                    found = judged(arguments[1].value, arguments[0].value)
                default: break
                }
            }
            return found
        case .call(let callee, let arguments):
            let call = CallSite(expression: value, callee: callee, arguments: arguments, caller: function)
            for target in flows.project.targets(of: call).prefix(2) {
                var results: [Expression] = []
                target.body.visitStatements { statement in
                    switch statement.kind {
                    case .leave(.return, let value?): results.append(value)
                    case .expression(let value) where target.body.count == 1: results.append(value)
                    default: break
                    }
                }
                for result in results {
                    if let found = filled(result, target, flows, depth: depth + 1) { return found }
                }
            }
            // `[[self base] mutableCopy]`
            guard case .member(let base?, _) = callee.kind, case .call = base.withoutCasts.kind else { return nil }
            return filled(base, function, flows, depth: depth + 1)
        case .member(let base?, let name):
            if ["mutableCopy", "copy"].contains(name) { return filled(base, function, flows, depth: depth + 1) }
            guard base.dotted == "self", let owner = function.owner.flatMap({ flows.project.type($0) }),
                let target = flows.project.members(named: name, of: owner).first
            else { return nil }
            let call = Expression(.call(value, []), value.span)
            return target === function ? nil : filled(call, function, flows, depth: depth + 1)
        default: return nil
        }
    }

    private static func isJSON(_ encoding: Expression) -> Bool {
        var isJSON = false
        encoding.visit { if ($0.lastName ?? "").lowercased().contains("json") { isJSON = true } }
        return isJSON
    }

    /// `AF.request(url, method: .get, ...)`, and without a method where the library takes GET.
    private func isGet(_ call: CallSite) -> Bool {
        if let method = call.argument("method") { return method.lastName == "get" }
        let receiver = call.receiver?.dotted ?? ""
        return receiver == "AF" || receiver == "Alamofire"
    }

    // MARK: Texts

    /// The name and the kind of place of the first secret in the text of a URL.
    private func inText(_ pieces: [Piece], _ function: Function, _ flows: Flows) -> (Secret, String)? {
        guard pieces.contains(where: { if case .value = $0 { true } else { false } }),
            Piece.literals(pieces).contains(where: { $0 == "/" || $0 == "?" || $0 == "=" })
        else { return nil }
        var before = ""
        var base: Expression?
        // What is sent with the kind of the device is a token for push messages.
        let low = Piece.literals(pieces).lowercased()
        let isOfDevice = ["device_type", "devicetype", "push", "platform=", "apns", "fcm"]
            .contains(where: low.contains)
        for piece in pieces {
            switch piece {
            case .literal(let text): before += text
            case .value(let value):
                if before.isEmpty, base == nil { base = value }
                if let place = place(after: before, base: base, function),
                    let found = secret(value, function, flows)
                        ?? named(before, value, function, flows),
                    !(isOfDevice && Self.key(before).lowercased() == "token")
                {
                    return (found, place)
                }
                before += "\u{0}"
            }
        }
        return nil
    }

    /// `?secret=\(value)`, where the value's name tells nothing.
    private func named(_ before: String, _ value: Expression, _ function: Function, _ flows: Flows) -> Secret? {
        let known = flows.of(function).secret(in: value)
        guard known.map({ $0.certainty < .likely }) ?? true else { return nil }
        return Self.told(Self.key(before), value, function, flows)
    }

    /// Names in a query that mean one thing there, and more elsewhere.
    private static let weakNames: [String: SecretKind] = [
        "token": .token, "auth": .token, "sessionid": .token, "otp": .oneTimeCode, "pin": .pin, "mpin": .pin,
        "pass": .password,
    ]

    /// What the name of a parameter says of its value.
    private static func told(
        _ key: String, _ value: Expression, _ function: Function, _ flows: Flows
    ) -> Secret? {
        let plain = SecretWords.words(of: key).joined()
        let words = SecretWords(name: key)
        guard !key.isEmpty, let kind = words.flatMap({ $0.isWeak ? nil : $0.kind }) ?? weakNames[plain],
            !SecretWords.isHarmlessToken(key), value.literal == nil
        else { return nil }
        if let type = flows.of(function).type(of: value), ["Int", "Bool", "Double", "Date", "UUID"].contains(type) {
            return nil
        }
        var name: [String] = []
        value.visit { part in name += part.lastName.map { SecretWords.words(of: $0) } ?? [] }
        guard !["code", "state", "id", "count", "type", "name", "device", "push", "fcm"].contains(where: name.contains)
        else { return nil }
        let step = Step("\(key)= is followed by \(kind.article)", at: function.place(value))
        let found = Secret(kind: kind, name: key, steps: [step])
        return counts(found) ? found : nil
    }

    /// The name before the `=` at the end of a text.
    private static func key(_ before: String) -> String {
        guard before.hasSuffix("=") else { return "" }
        return String(
            before.dropLast().reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }.reversed())
    }

    private static let routes: Set<String> = [
        "path", "url", "uri", "endpoint", "api", "route", "router", "target", "request", "service", "client", "link",
        "network", "webservice", "server", "resource", "href", "websocket", "socket",
    ]
    private static let files: Set<String> = ["file", "filename", "folder", "directory", "document", "cache", "disk"]

    /// Which part of a URL comes next in a text; nil where the text is none.
    private func place(after before: String, base: Expression?, _ function: Function) -> String? {
        guard !before.contains(where: { $0.isWhitespace || $0 == "<" || $0 == "{" || $0 == "\"" }) else { return nil }
        let words = SecretWords.words(of: function.name) + SecretWords.words(of: function.owner ?? "")
        let isInQuery = before.contains("?") && !Self.key(before).isEmpty
        if let scheme = before.firstRange(of: "://") {
            let name = before[..<scheme.lowerBound].lowercased()
            guard ["http", "https", "ws", "wss", "\u{0}"].contains(name) else { return nil }
            return isInQuery ? "the query" : "the path"
        }
        if isInQuery { return before.hasPrefix("otpauth") ? nil : "the query" }
        let isURL = base.map { value in
            let words = SecretWords.words(of: value.lastName ?? "")
            return words.contains {
                [
                    "url", "host", "endpoint", "server", "api", "base", "uri", "address", "link", "href",
                ].contains($0)
            }
                && !words.contains { Self.files.contains($0) }
        }
        if before.hasPrefix("\u{0}"), isURL == true {
            if before.contains("&"), !Self.key(before).isEmpty { return "the query" }
            return before.hasSuffix("/") ? "the path" : nil
        }
        guard before.utf8.contains(UInt8(ascii: "/")), before.hasSuffix("/"), !before.hasPrefix("//"),
            // What doesn't begin as a path is one where the function says so.
            (before.hasPrefix("/") ? words : SecretWords.words(of: function.name)).contains(
                where: Self.routes.contains),
            !words.contains(where: Self.files.contains)
        else { return nil }
        return "the path"
    }
}

/// A part of a text that is joined of several: what the source says, or a value.
private enum Piece {
    case literal(String)
    case value(Expression)

    static func of(_ parts: [TextPart]) -> [Piece] {
        parts.compactMap { part in
            switch part {
            case .literal(let text): .literal(text)
            case .interpolation(let arguments): arguments.first.map { .value($0.value) }
            }
        }
    }

    /// `literal` resolves constants, such as `Paths.query` of `"?code="`.
    static func summands(_ expression: Expression, _ literal: (Expression) -> String?) -> [Piece] {
        switch expression.kind {
        case .binary("+", let left, let right): return summands(left, literal) + summands(right, literal)
        case .text(let parts): return of(parts)
        case .name, .member:
            guard let text = literal(expression), text.hasSuffix("=") else { return [.value(expression)] }
            return [.literal(text)]
        default: return [.value(expression)]
        }
    }

    /// The pieces of `String(format: "%@?token=%@", url, token)`; nil for other calls.
    /// The format may be a constant, which `literal` resolves.
    static func formatted(
        _ callee: Expression, _ arguments: [Argument], _ literal: (Expression) -> String?
    ) -> [Piece]? {
        guard let first = arguments.first, arguments.count > 1,
            first.label == "format" || callee.lastName == "stringWithFormat" || callee.lastName == "appending",
            let format = literal(first.value), format.utf8.contains(UInt8(ascii: "%"))
        else { return nil }
        var pieces: [Piece] = []
        var values = arguments.dropFirst().map(\.value)[...]
        var text = ""
        var rest = Substring(format)
        while let letter = rest.popFirst() {
            guard letter == "%" else {
                text.append(letter)
                continue
            }
            if rest.first == "%" {
                text.append("%")
                rest.removeFirst()
                continue
            }
            while let next = rest.popFirst(), !next.isLetter && next != "@" || next == "l" || next == "z" {}
            pieces.append(.literal(text))
            text = ""
            if let value = values.popFirst() { pieces.append(.value(value)) }
        }
        return pieces + [.literal(text)]
    }

    static func literals(_ pieces: [Piece]) -> String {
        pieces.reduce(into: "") { if case .literal(let text) = $1 { $0 += text } }
    }
}

extension Expression {
    /// `URLQueryItem(name: "token", value: token)`
    fileprivate var isQueryItem: Bool {
        if case .call(let callee, let arguments) = kind {
            callee.lastName == "URLQueryItem" || arguments.contains { $0.label == "name" }
        } else {
            false
        }
    }
}
