// SPDX-License-Identifier: Apache-2.0

import Findings

/// Types and values that hold no secret, whatever they are called.
package enum Harmless {
    /// Whether no value of the type is a secret's text or bytes, nor holds one.
    package static func isType(_ type: String, in project: ProjectModel) -> Bool {
        project.harmless.value(for: type) { judge($0, in: project) }
    }

    private static func judge(_ type: String, in project: ProjectModel) -> Bool {
        if type.contains("->") { return true }
        var name = type
        while name.hasSuffix("?") || name.hasSuffix("!") { name.removeLast() }
        if name.hasPrefix("["), name.hasSuffix("]"), !name.contains(":") {
            return isType(String(name.dropFirst().dropLast()), in: project)
        }
        if name.hasPrefix("Binding<") || name.hasPrefix("Optional<") || name.hasPrefix("Published<") {
            return isType(String(name.drop { $0 != "<" }.dropFirst().dropLast()), in: project)
        }
        let short = lastPart(of: name)
        if plain.contains(short) { return true }
        if let model = project.declared(short) {
            if model.declarations.contains(where: { $0.kind == .enum }) {
                return !holdsScalars(model) && !holdsTexts(model)
            }
            return isBehaviour(model, in: project)
        }
        return endsAsBehaviour(short)
    }

    /// Whether a number is what was measured of a person: only of health does a number tell.
    static func isMeasure(_ type: String, of kind: SecretKind?) -> Bool {
        kind == .health && ["Double", "Int", "Float", "Decimal", "Int16", "Int32", "Int64"].contains(type.elementType)
    }

    /// Whether an enum is a value of any kind, a text among them: `case string(String), int(Int)`.
    static func holdsScalars(_ model: TypeModel) -> Bool {
        let cases = Set(model.declarations.flatMap(\.cases).map { $0.name.lowercased() })
        return !cases.isDisjoint(with: ["string", "text", "str"])
            && !cases.isDisjoint(with: ["int", "integer", "double", "bool", "boolean", "number", "float"])
    }

    /// Whether a case of an enum is made with a text or bytes: `case typed(String)`.
    private static func holdsTexts(_ model: TypeModel) -> Bool {
        model.declarations.contains { declaration in
            declaration.cases.contains { $0.payload.contains { texts.contains($0.elementType) } }
        }
    }
    private static let texts: Set<String> = ["String", "Data", "Any", "Substring", "Parameters"]

    /// Whether the last word of a type's or a member's name says so.
    static func endsAsBehaviour(_ name: String) -> Bool {
        guard let start = name.utf8.lastIndex(where: { (0x41...0x5A).contains($0) }) else { return false }
        return behaviourEndings.contains(String(name[start...])) || name.hasSuffix("ViewModel")
            || name.hasSuffix("UseCase")
    }

    /// A view, a controller, a service: it has secrets perhaps, but isn't one.
    package static func isBehaviour(_ model: TypeModel, in project: ProjectModel) -> Bool {
        project.behaviours.value(for: model.name) { _ in
            endsAsBehaviour(model.shortName) && !isRecord(model, in: project)
                || project.inherits(model) { endsAsBehaviour($0) || $0 == "ObservableObject" || $0 == "Error" }
        }
    }

    /// A type that keeps values, whatever its name ends in: one that is encoded, an object of a database, `LoginForm` that
    /// is a struct and no view.
    private static func isRecord(_ model: TypeModel, in project: ProjectModel) -> Bool {
        let bases: Set<String> = [
            "Codable", "Encodable", "Decodable", "Object", "NSManagedObject", "RLMObject", "EmbeddedObject",
        ]
        if project.inherits(model, where: { bases.contains($0) }) || model.attribute("Model") != nil { return true }
        return model.declarations.first?.kind == .struct
            && ["Row", "Form", "State", "Section"].contains { model.shortName.hasSuffix($0) }
    }

    /// A literal, a Bool, a comparison, a key constant: a value that is no secret of the user.
    package static func isValue(_ value: Expression, _ scope: Scope) -> Bool {
        switch value.kind {
        case .text(let parts): return !parts.contains { if case .interpolation = $0 { true } else { false } }
        case .number, .boolean, .none, .closure, .keyPath, .unary("!", _): return true
        case .binary(let operation, let left, let right):
            switch operation {
            case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return true
            default: return isValue(left, scope) && isValue(right, scope)
            }
        case .choice(_, let then, let otherwise): return isValue(then, scope) && isValue(otherwise, scope)
        case .array(let values): return values.allSatisfy { isValue($0, scope) }
        case .dictionary(let pairs): return pairs.allSatisfy { isValue($0.value, scope) }
        case .name(let name): return name.hasPrefix("kSec") || isTyped(value, scope)
        case .member(_, let name): return Masks.members.contains(name) || Masks.isFlag(name) || isTyped(value, scope)
        case .call(let callee, let arguments):
            let name = callee.lastName ?? ""
            if Masks.isMask(name) { return true }
            if name == "NSLocalizedString" || name == "String",
                arguments.first?.label == "localized" || name == "NSLocalizedString"
            {
                return true
            }
            // `String()`, `UITextField()`: made empty.
            if arguments.isEmpty, name.first?.isUppercase == true { return true }
            return isTyped(value, scope)
        case .attempt(let inner): return isValue(inner, scope)
        case .cast(_, let operation, let type): return operation == "is" || isType(type, in: scope.project)
        default: return false
        }
    }

    private static func isTyped(_ value: Expression, _ scope: Scope) -> Bool {
        scope.type(of: value).map { isType($0, in: scope.project) } ?? false
    }

    /// Whether the expression is a view or a controller by its type or its name.
    static func isView(_ expression: Expression, _ scope: Scope) -> Bool {
        if let type = scope.type(of: expression) {
            return scope.project.declared(type).map { isBehaviour($0, in: scope.project) }
                ?? endsAsBehaviour(lastPart(of: type))
        }
        guard let name = expression.lastName else { return false }
        return endsAsBehaviour(name) || name.hasSuffix("VC") || name == "vc"
    }

    private static let plain: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8_", "UInt16", "UInt32", "UInt64", "Double",
        "Float", "CGFloat", "Date", "NSDate", "TimeInterval",
        "UUID", "NSNumber", "Decimal", "CGRect", "CGSize", "CGPoint", "UIColor", "Color", "UIImage", "Image", "Void",
        "IndexPath", "OSStatus", "NSRange", "Selector",
        "DateComponents", "Calendar", "Locale", "TimeZone", "Notification", "Bundle", "HTTPURLResponse", "URLResponse",
        "NSError", "Error", "DispatchQueue", "Timer", "Task",
        "LocalizedStringKey", "CancellationToken", "NSObjectProtocol", "AnyCancellable", "NotificationToken", "Regex",
        "NSRegularExpression", "SecAccessControl",
        "UIKeyboardType", "UITextContentType", "CodingKey", "CodingKeys", "SecKey", "PublicKey",
    ]

    private static let behaviourEndings: Set<String> = [
        "Field", "View", "Label", "Button", "Controller", "Cell", "ViewModel", "Service", "Manager", "Delegate",
        "Coordinator", "Presenter", "Interactor", "Router", "Bar",
        "Provider", "Factory", "Handler", "Screen", "Application", "Window", "Gesture", "Recognizer", "Validator",
        "Repository", "UseCase", "Storage", "Publisher", "Switch",
        "Constraint", "Picker", "Form", "Error", "Row", "Section", "Generator", "Client", "Lock", "Queue", "Formatter",
        "Helper", "Style", "State", "Policy",
    ]
}

/// What stops a flow: what comes out tells nothing of what went in.
package enum Masks {
    static let members: Set<String> = [
        "count", "isEmpty", "hash", "hashValue", "length", "localizedDescription", "startIndex", "endIndex",
        "statusCode", "mimeType", "self", "isFirstResponder", "placeholder",
        "endpoint", "expiresIn", "scheme", "host", "path", "lastPathComponent", "pathExtension", "keys", "code",
        "domain", "indices", "debugName", "isHidden", "allKeys",
        "redacted", "masked", "fingerprint", "publicKey", "isEnabled", "className",
    ]
    private static let methods: Set<String> = [
        "suffix", "prefix", "hasPrefix", "hasSuffix", "contains", "isEmpty", "count", "range", "firstIndex",
        "dropFirst_", "allSatisfy", "elementsEqual", "validate", "type",
        "verify", "compare", "isEqual", "matches", "evaluate", "firstRange", "tail", "head", "distance", "starts",
        "index", "removeObject", "removeValue", "NSLocalizedString",
    ]
    private static let words: Set<String> = [
        "redact", "redactor", "redacted", "redacting", "mask", "masked", "masking", "sweep", "obfuscate", "obfuscated",
        "hash", "hashed", "sha", "sha1", "sha256", "sha384",
        "sha512", "md5", "hmac", "fingerprint", "encrypt", "encrypted", "seal", "sanitize", "sanitized", "sanitizer",
        "scrub", "anonymize", "censor", "truncated", "pbkdf2",
        "scrypt", "argon2", "digest", "cipher", "validate", "validates", "is", "has", "should", "can", "log", "print",
        "remove", "delete", "clear",
    ]

    /// `isOn` of a switch, and Objective-C's `on`.
    static func isFlag(_ name: String) -> Bool {
        name == "on" || name == "selected" || name.hasPrefix("is") && name.dropFirst(2).first?.isUppercase == true
    }

    /// Whether a member or a method of a text gives something that isn't the text.
    static func ends(_ name: String) -> Bool { members.contains(name) || isMask(name) || endWords(name) }
    private static let masks = Memo<String, Bool>()
    private static let enders = Memo<String, Bool>()

    private static func endWords(_ name: String) -> Bool {
        enders.value(for: name) { name in
            let words = SecretWords.words(of: name)
            guard let first = words.first, let last = words.last else { return false }
            return askingWords.contains(first) || endingWords.contains(last)
        }
    }

    /// `memberId`, `user_ids`
    static func isIdentifier(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        return words.count > 1 && ["id", "ids", "uid", "uuid"].contains(words.last ?? "")
    }

    /// What a name begins with that asks something of a value, or does something with it.
    private static let askingWords: Set<String> = [
        "is", "has", "should", "can", "will", "did", "does", "needs", "count", "check", "validate", "verify", "compare",
        "matches", "satisfies", "fails", "save", "store", "write", "send", "delete", "remove_", "set", "add", "update",
        "post", "show", "present", "become", "resign", "observe", "register", "cancel", "start", "stop", "dismiss",
        "load_", "distance", "enumerate", "hash", "number",
    ]
    /// What the last word of a name says that it is.
    private static let endingWords: Set<String> = [
        "count", "length", "size", "index", "range", "strength", "score", "entropy", "level", "frame", "bounds",
        "valid",
        "expired", "empty", "hash", "digest", "fingerprint", "checksum", "signature", "age", "date", "timestamp",
        "expiry", "expiration", "interval", "version", "color", "font", "height", "width", "delegate", "status",
        "state",
        "error", "errors", "type", "kind", "label", "placeholder", "title", "identifier", "enabled", "hidden", "lines",
        "distance", "similarity", "rating", "quality", "language", "encoding", "algorithm",
    ]

    /// Whether a name says that what it holds isn't the secret it was made from: `walletAddress`, `pubKey`, `userName`.
    static func isOther(_ name: String) -> Bool {
        others.value(for: name) { name in
            let words = SecretWords.words(of: name)
            guard let last = words.last, SecretWords(name: name) == nil else { return false }
            if publicWords.contains(last) { return true }
            return words.count > 1 && publicPairs.contains(words[words.count - 2] + last)
        }
    }
    private static let others = Memo<String, Bool>()

    /// What is made of a secret to be shown, and what is beside one.
    private static let publicWords: Set<String> = [
        "address", "addr", "addresses", "pubkey", "pubkeys", "xpub", "username", "nickname", "email", "currency", "sku",
        "symbol", "latitude", "longitude", "avatar", "balance", "txid", "txhash",
    ]
    private static let publicPairs: Set<String> = [
        "pubkey", "publickey", "publickeys", "publicaddress", "username", "nickname", "fullname", "displayname",
        "firstname", "lastname", "emailaddress", "phonenumber", "txid", "txhash",
    ]

    /// Of an object that isn't known to be a text, these are other things.
    static func endsObjects(_ name: String) -> Bool {
        guard let last = SecretWords.words(of: name).last else { return false }
        return objectWords.contains(last)
    }

    private static let objectWords: Set<String> = [
        "id", "name", "user", "email", "issuer", "owner", "scope", "scopes", "url", "uri", "expires", "created",
        "updated",
        "modified", "provider", "account", "service", "group", "device", "client", "host", "domain", "path", "image",
        "icon", "attributes", "tag", "tags", "order", "position", "superview", "window", "view", "layer", "cell",
        "subject", "audience", "claims", "header", "digits", "period", "counter", "factor", "result", "response",
        "request",
        "callback", "completion", "handler", "uuid", "key_",
    ]

    package static func isMask(_ name: String) -> Bool {
        if methods.contains(name) { return true }
        guard !name.isEmpty else { return false }
        return masks.value(for: name) { SecretWords.words(of: $0).contains { words.contains($0) } }
    }
}

/// `error`, `err`: what went wrong, not what was said.
package enum ErrorNames {
    package static func isError(_ name: String) -> Bool {
        let low = name.lowercased()
        return low == "err" || low == "e" || low.hasSuffix("error") || low.hasSuffix("errors")
            || low.hasSuffix("exception") || low == "status"
            || low.hasSuffix("statuscode")
    }
}

/// Types whose stored properties hold secrets.
enum Carriers {
    static func secret(of model: TypeModel, in project: ProjectModel) -> (Property, SecretKind)? {
        var seen = Set<String>()
        return search(model, in: project, &seen, depth: 0)
    }

    /// `CryptoSettings`: the key in it is one that encrypts.
    private static func encrypts(_ type: String) -> Bool {
        SecretWords.words(of: type).contains { ["crypto", "cipher", "encryption", "aes"].contains($0) }
    }

    /// What a coin or its contract has beside its name.
    static let tradeWords: Set<String> = [
        "symbol", "decimals", "contractaddress", "tokenaddress", "ticker", "balance", "chainid", "coingeckoid", "erc20",
        "contract", "tokensymbol", "tokendecimals", "tokenname", "mint", "tokenid", "totalsupply", "maxsupply",
        "contractid", "issuer",
    ]

    /// `access` and `refresh`, as many servers answer a log-in.
    static func hasTokenPair(_ model: TypeModel) -> Bool {
        ["access", "refresh"].allSatisfy { name in
            model.properties[name].map { $0.type?.hasPrefix("String") == true } ?? false
        }
    }

    private static func isCoin(_ properties: [Property], of model: TypeModel, _ project: ProjectModel) -> Bool {
        properties.contains { tradeWords.contains($0.name.lowercased()) }
            || project.tradesTokens && !Function.signs(model.shortName)
    }

    /// `IdentityDocument.number`: the type tells whose number it is.
    private static func numbered(_ property: String, _ type: String) -> SecretKind? {
        guard property == "number" || property == "pan" else { return nil }
        let words = SecretWords.words(of: type)
        if words.contains("passport") || words.contains("identity") && words.contains("document") { return .identity }
        let isCard = words.contains("card") && words.contains { ["credit", "debit", "bank", "payment"].contains($0) }
        return isCard || property == "pan" && words.contains { ["card", "consent", "payment"].contains($0) }
            ? .card : nil
    }

    /// A message to a server or from one, of which no word says that its token is for no log-in.
    static func isMessage(_ type: String) -> Bool {
        let words = SecretWords.words(of: type)
        guard let last = words.last else { return false }
        let isOfPerson = words.contains(where: personWords.contains)
        guard words.count > 1 || isOfPerson else { return false }
        let others: Set<String> = ["push", "device", "fcm", "apns", "nft", "erc", "page", "balance", "crypto", "swap"]
        let registers =
            words.contains("token") && words.contains { ["register", "update", "save", "notification"].contains($0) }
        return (messageWords.contains(last) || isOfPerson) && !registers && !words.contains(where: others.contains)
    }

    /// What belongs to a person who signs in.
    private static let personWords: Set<String> = [
        "user", "member", "customer", "driver", "patient", "doctor", "employee", "merchant", "student", "teacher",
        "seller", "profile", "userinfo", "usermodel", "logindata", "authuser",
    ]

    private static let messageWords: Set<String> = [
        "response", "request", "reply", "payload", "body", "dto", "input", "output", "params", "parameters", "answer",
        "req", "res", "resp",
    ]

    /// An object that another one refers to is no part of it, unless objects of its class are written as data.
    private static func isData(_ model: TypeModel, _ project: ProjectModel) -> Bool {
        guard model.declarations.first?.kind == .class else { return true }
        return project.inherits(
            model,
            where: {
                ["Codable", "Encodable", "Decodable", "NSCoding", "NSSecureCoding", "Mappable"].contains($0)
                    || $0.hasSuffix("Object")
            })
    }

    /// The stored properties; of a class that encodes itself, those that it names as it does.
    private static func kept(_ model: TypeModel) -> [Property] {
        let stored = model.declarations.flatMap(\.properties).filter { !$0.isComputed && !$0.isStatic }
        let own = ["encode", "encodeWithCoder"].flatMap { model.functions[$0] ?? [] }.filter { function in
            !function.body.isEmpty
                && function.parameters.contains { $0.type.contains("NSCoder") || $0.type.hasSuffix("Encoder") }
        }
        guard !own.isEmpty else { return stored }
        var named: Set<String> = []
        for function in own {
            function.body.visit { part in
                if let name = part.lastName { named.insert(name.hasPrefix("_") ? String(name.dropFirst()) : name) }
            }
        }
        let encoded = stored.filter { named.contains($0.name.hasPrefix("_") ? String($0.name.dropFirst()) : $0.name) }
        return encoded.isEmpty ? stored : encoded
    }

    private static func search(
        _ model: TypeModel, in project: ProjectModel, _ seen: inout Set<String>, depth: Int
    ) -> (Property, SecretKind)? {
        guard depth < 3, seen.insert(model.name).inserted, !Harmless.isBehaviour(model, in: project) else { return nil }
        guard model.declarations.contains(where: { $0.kind == .struct || $0.kind == .class }) else { return nil }
        let stored = kept(model)
        for property in stored {
            let kind: SecretKind
            if let words = SecretWords(name: property.name),
                !(words.isWeak && words.kind == .token && isCoin(stored, of: model, project)),
                !words.isWeak
                    || [.token, .oneTimeCode, .password, .pin].contains(words.kind)
                        && (Function.aboutLogin(model.shortName) || isMessage(model.shortName))
            {
                kind = words.kind
            } else if property.name == "access", hasTokenPair(model) {
                kind = .token
            } else if property.name == "key", encrypts(model.shortName) {
                kind = .key
            } else if let own = numbered(property.name, model.shortName) {
                kind = own
            } else {
                continue
            }
            if let type = property.type {
                if Harmless.isType(type, in: project), !Harmless.isMeasure(type, of: kind) { continue }
                if let model = project.declared(type), !Harmless.holdsScalars(model) { continue }
            } else if property.value != nil {
                continue
            }
            return (property, kind)
        }
        for property in stored {
            guard !property.modifiers.contains("weak"), !property.modifiers.contains("unowned"),
                let type = property.type, !type.contains("->")
            else { continue }
            for part in type.namedTypes.prefix(4) {
                guard let inner = project.declared(part), isData(inner, project),
                    let found = search(inner, in: project, &seen, depth: depth + 1)
                else { continue }
                return found
            }
        }
        return nil
    }
}

/// Requests whose response holds a token: known by the words of the function and of its literals.
enum LoginRequests {
    /// What the answers to a function's requests hold: those of a log-in, perhaps so, or those of every endpoint.
    enum Answers: Sendable { case none, perhaps, login, all }

    static func answers(to function: Function, in project: ProjectModel) -> Answers {
        var found = signsIn(function.name) ? Answers.login : speaksOfLogin(function.name) ? .perhaps : .none
        guard found != .login else { return found }
        function.body.visit { expression in
            guard found != .login, case .text(let parts) = expression.kind else { return }
            for case .literal(let text) in parts where text.contains("/") && !text.contains(" ") {
                if signsIn(text) { found = .login } else if speaksOfLogin(text) { found = .perhaps }
            }
        }
        return found == .none && servesAll(function) && project.signsInByRequest ? .all : found
    }

    /// Whether the caller says which endpoint is asked, so that a log-in's may be.
    private static func servesAll(_ function: Function) -> Bool {
        let words = SecretWords.words(of: function.name) + SecretWords.words(of: function.owner ?? "")
        guard !words.contains(where: { otherLoads.contains($0) }) else { return false }
        if receivedData(function) != nil { return true }
        // `func run<T: Decodable>(done: (Result<T, any Error>) -> Void)`: the callers say what comes.
        if function.parameters.contains(where: { parameter in
            parameter.type.contains("->")
                && parameter.type.namedTypes.contains { $0.utf8.count == 1 && $0.first?.isUppercase == true }
        }) {
            return true
        }
        return function.parameters.contains { parameter in
            let type = lastPart(of: parameter.type)
            return ["URLRequest", "URLRequestConvertible", "Endpoint", "APIEndpoint", "TargetType", "APIRequest"]
                .contains(type)
                || type.hasSuffix("Endpoint") || type.hasSuffix("Router") || type.hasSuffix("Route")
                || ["endpoint", "urlRequest", "router", "apiPath"].contains(parameter.name)
                || parameter.type.hasSuffix(".Type")
                || ["url", "urlString", "path", "request"].contains(parameter.name)
                    && function.parameters.contains { $0.type.hasSuffix(".Type") || paramNames.contains($0.name) }
        }
    }

    /// The parameter of a delegate's method that is given what a connection receives.
    static func receivedData(_ function: Function) -> Parameter? {
        guard ["connection", "urlSession", "URLSession"].contains(function.name) else { return nil }
        return function.parameters.first {
            $0.type.hasPrefix("Data") && ["didReceiveData", "didReceive"].contains($0.label ?? "")
        }
    }

    private static let paramNames: Set<String> = ["parameters", "params", "body", "httpBody", "payload"]
    private static let otherLoads: Set<String> = [
        "image", "images", "download", "downloader", "avatar", "icon", "thumbnail", "video", "audio", "feed", "rss",
    ]

    static func isRequest(_ expression: Expression) -> Bool {
        guard case .call(let callee, let arguments) = expression.kind, let name = callee.lastName else { return false }
        switch name {
        case "dataTask", "responseData", "responseString", "responseJSON", "uploadTask", "dataTaskPublisher",
            "dataTaskWithRequest", "dataTaskWithURL", "sendAsynchronousRequest":
            return true
        case "responseDecodable", "responseObject":
            return arguments.contains { $0.value.isClosure }
        case "POST", "GET", "PUT", "PATCH", "HTTPRequestOperationWithRequest":
            return arguments.contains { $0.value.isClosure }
        case "data", "upload": return arguments.contains { $0.label == "for" || $0.label == "from" }
        default: return false
        }
    }

    static func asksLogin(_ expression: Expression) -> Bool {
        guard case .call(let callee, let arguments) = expression.kind else { return false }
        return asksLogin(callee, arguments)
    }

    /// `network.post("/auth/login", ...) { answer in }`, `provider.request(.login(...)) { result in }`
    static func asksLogin(_ callee: Expression, _ arguments: [Argument], _ scope: Scope? = nil) -> Bool {
        guard let name = callee.lastName else { return false }
        if ["ASWebAuthenticationSession", "SFAuthenticationSession"].contains(name) { return true }
        guard SecretWords.words(of: name).contains(where: requestWords.contains) else { return false }
        return arguments.contains { argument in
            switch argument.value.kind {
            case .text: argument.value.literal.map { $0.contains("/") && !$0.contains(" ") && signsIn($0) } ?? false
            case .name(let item): signsIn(item) || scope?.constants[item].map { asks($0) } == true
            case .member(_, let item): signsIn(item)
            case .call(let made, _):
                if case .member(_, let item) = made.kind {
                    signsIn(item) || asks(argument.value)
                } else {
                    asks(argument.value)
                }
            default: asks(argument.value)
            }
        }
    }

    /// Whether the address that a request of the app's own helper is given names records of a person's health:
    /// `base + "ehr/records/" + id`.
    static func asksHealth(_ callee: Expression, _ arguments: [Argument], _ scope: Scope) -> Bool {
        guard let name = callee.lastName, SecretWords.words(of: name).contains(where: requestWords.contains) else {
            return false
        }
        return arguments.contains { argument in
            var found = false
            scope.resolved(argument.value).visit { part in
                guard !found, case .text(let parts) = part.kind else { return }
                for case .literal(let text) in parts where !text.contains(" ") && text.contains("/") {
                    found = found || SecretWords.words(of: text).contains(where: healthPaths.contains)
                }
            }
            return found && !argument.value.isClosure
        }
    }

    /// What addresses of servers call records of a person's health.
    private static let healthPaths: Set<String> = [
        "ehr", "emr", "phr", "fhir", "prescription", "prescriptions", "diagnostic", "diagnostics", "diagnosis",
        "diagnoses", "medication", "medications", "vitals", "allergies", "immunizations", "vaccinations", "symptoms",
        "medicalrecord", "medicalrecords", "healthrecord", "healthrecords", "labresults", "labreports", "conditions_",
        "bloodpressure", "heartrate", "glucose", "consultations_", "epicrisis", "rezepte", "befunde", "ordonnances",
        "recetas", "receitas",
    ]

    /// `base + "/login"`, `[base stringByAppendingString:@"api/login"]`
    private static func asks(_ value: Expression) -> Bool {
        var found = false
        value.visit { part in
            guard case .text(let parts) = part.kind else { return }
            for case .literal(let text) in parts where text.contains("/") && !text.contains(" ") && signsIn(text) {
                found = true
            }
        }
        return found
    }

    private static let requestWords: Set<String> = [
        "request", "post", "send", "call", "fetch", "perform", "execute", "load", "put", "task", "api", "web",
    ]

    /// Whether words name a log-in and nothing beside it.
    private static func signsIn(_ text: String) -> Bool {
        let words = SecretWords.words(of: text)
        guard
            !words.contains(where: {
                ["push", "device", "fcm", "apns", "logout", "signout", "did", "will", "show", "is"].contains($0)
            })
        else {
            return false
        }
        return words.contains { ["login", "signin", "signup", "authenticate", "oauth", "relogin"].contains($0) }
            || zip(words, words.dropFirst()).contains {
                ($0 == "sign" || $0 == "log") && ($1 == "in" || $1 == "up")
                    || ["refresh", "access", "auth"].contains($0) && $1 == "token"
            }
    }

    /// The URL with which another app or a web page comes back: in an app that signs in by OAuth its query holds the code.
    static func callback(_ function: Function, in project: ProjectModel) -> (String, Secret)? {
        let words = SecretWords.words(of: function.name)
        let opens =
            words.contains("open") && words.contains("url") || function.name == "scene"
            || function.name == "application"
        guard opens, let parameter = function.parameters.first(where: { $0.type == "URL" && $0.name == "url" }),
            project.signsInByWeb
        else { return nil }
        let step = Step("the URL that opens the app holds the log-in's answer", at: function.place)
        return (parameter.name, Secret(kind: .token, name: parameter.name, steps: [step]))
    }

    private static func speaksOfLogin(_ text: String) -> Bool {
        let words = SecretWords.words(of: text)
        return words.contains {
            ["login", "signin", "signup", "oauth", "token", "authenticate", "authorize"].contains($0)
        }
            || zip(words, words.dropFirst()).contains { ($0 == "sign" || $0 == "log") && ($1 == "in" || $1 == "up") }
    }
}

extension String {
    var trimmingBrackets: String {
        var name = self
        while name.hasSuffix("?") || name.hasSuffix("!") { name.removeLast() }
        return name.hasPrefix("[") && name.hasSuffix("]") && !name.contains(":")
            ? String(name.dropFirst().dropLast()) : name
    }

    /// `Account` of `[Account]`, `[String: Account]?` and `Set<Account>`.
    var elementType: String {
        var name = trimmingBrackets
        if name.hasPrefix("["), name.hasSuffix("]"), let colon = name.firstIndex(of: ":") {
            name = String(name[name.index(after: colon)...].dropLast().drop { $0 == " " })
        }
        for outer in ["Set<", "Array<", "Published<", "Binding<"] where name.hasPrefix(outer) && name.hasSuffix(">") {
            name = String(name.dropFirst(outer.count).dropLast())
        }
        return name.trimmingBrackets
    }

    /// `a Token`, `an Account`.
    var article: String { ("aeiouAEIOU".contains(first ?? " ") ? "an " : "a ") + self }
}

extension ProjectModel {
    /// Whether a token is a coin here: a type of that name has a symbol, decimals or a contract.
    package var tradesTokens: Bool {
        trades.value(for: "") { _ in
            let declared = types.values.contains { type in
                SecretWords.words(of: type.shortName).contains { ["token", "tokens", "coin", "erc20"].contains($0) }
                    && type.properties.keys.contains { Carriers.tradeWords.contains($0.lowercased()) }
            }
            return declared
                || resources.dataModels.flatMap(\.entities).contains { entity in
                    SecretWords.words(of: entity.name).contains { ["token", "coin"].contains($0) }
                        && entity.attributes.contains { Carriers.tradeWords.contains($0.name.lowercased()) }
                }
        }
    }

    /// A header that signs in, and that the app gives its sessions or serializers.
    var signingHeader: String? {
        headers.value(for: "") { _ in
            for name in ["setValue", "addValue", "set"] {
                for call in calls(to: name) {
                    guard let key = call.argument("forHTTPHeaderField")?.literal,
                        let value = call.arguments.first?.value,
                        value.literal == nil
                    else { continue }
                    if case .none = value.kind { continue }
                    if key.lowercased() == "authorization" || SecretWords(name: key)?.kind == .token { return key }
                }
            }
            return nil
        }
    }

    /// Whether the app gets a token by a request of its own: a type that is decoded has one, or a key of a response.
    var signsInByRequest: Bool { requests.value(for: "") { _ in sendsLogin } }

    private var sendsLogin: Bool {
        let decoded = types.values.contains { type in
            inherits(type, where: { ["Codable", "Decodable", "Mappable", "Unboxable"].contains($0) })
                && (Carriers.secret(of: type, in: self).map { [.token, .password].contains($0.1) } == true
                    || type.properties.values.contains { property in
                        SecretWords(name: property.name).map { !$0.isWeak && $0.kind == .token } == true
                            && property.type.map { !Harmless.isType($0, in: self) } ?? false
                    })
        }
        if decoded { return true }
        return functions.contains { function in
            guard Function.aboutLogin(function.name) else { return false }
            var found = false
            function.body.visit { part in
                guard !found, case .text = part.kind, let text = part.literal else { return }
                found = ["password", "access_token", "token", "accessToken"].contains(text)
            }
            return found
        }
    }

    /// Whether the app signs in through a web page or another app that comes back with a URL.
    var signsInByWeb: Bool {
        let modules = [
            "AppAuth", "OAuthSwift", "GoogleSignIn", "KakaoSDKAuth", "MSAL", "FBSDKLoginKit", "NaverThirdPartyLogin",
            "Auth0",
        ]
        return swift.contains { $0.imports.contains { modules.contains($0) } }
            || !calls(to: "ASWebAuthenticationSession").isEmpty
    }
}
