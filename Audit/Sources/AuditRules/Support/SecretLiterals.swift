// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Literals of a function that are secrets: bound, assigned, passed, compared, or of a known shape.
struct SecretLiterals {
    var found: [Finding] = []
    let function: Function
    let project: ProjectModel

    init(_ function: Function, in project: ProjectModel) {
        self.function = function
        self.project = project
        returned()
        defaults()
        let fills = filledFields()
        function.body.visitStatements { statement in
            if case .bind(let binding) = statement.kind { bind(binding) }
        }
        function.body.visit { expression in
            switch expression.kind {
            case .closure(let closure):
                closure.body.visitStatements { if case .bind(let binding) = $0.kind { bind(binding) } }
            case .call(let callee, let arguments):
                call(callee, arguments)
                header(arguments)
                keyArgument(expression, callee, arguments)
                cipherKey(callee, arguments)
                hashed(callee, arguments)
            case .dictionary(let pairs):
                for (key, value) in pairs { look(key.literal ?? key.lastName, value, callee: "") }
            case .binary("=", let target, let value):
                if case .element(_, let keys) = target.kind {
                    look(keys.first?.value.literal, value, callee: "")
                } else if case .member(let field?, let member) = target.kind, Self.contents.contains(member) {
                    fill(field, value, isBesideOthers: fills > 1)
                } else {
                    look(target.lastName, value, callee: "")
                }
            case .binary(let operation, let left, let right) where operation == "==" || operation == "!=":
                compare(left, right)
                compare(right, left)
            case .text(let parts):
                shape(expression)
                pairs(parts, expression)
            case .member(let base?, let name): if WeakCryptography.isHash(name) { hashed(base) }
            default: break
            }
        }
    }

    /// Names that say nothing alone, and what a key is given to.
    private static let bareKeys: Set<String> = ["key", "iv", "keyString", "keyData", "keyText", "salt", "secretString"]
    private static let keyed = ["aes", "cipher", "crypt", "hmac", "symmetric", "gcm", "chacha", "rc4", "blowfish"]

    /// `let key = "..."` where the function gives it to a cipher.
    private func isKey(_ name: String, _ literal: String) -> Bool {
        guard Self.bareKeys.contains(name), literal.utf8.count >= 8, !literal.contains(" "),
            !LiteralSecret.isStandIn(literal)
        else { return false }
        return function.calls.contains { call in
            let path = call.path.lowercased()
            guard Self.keyed.contains(where: path.contains) else { return false }
            var names = false
            for argument in call.arguments { argument.value.visit { if $0.lastName == name { names = true } } }
            return names
        }
    }

    private mutating func bind(_ binding: Binding) {
        guard binding.names.count == 1, let value = binding.value else { return }
        if case .array(let values) = value.withoutCasts.kind, values.count >= 16,
            values.allSatisfy({ if case .number = $0.kind { true } else { false } }),
            SecretWords.kind(ofName: binding.names[0]) == .key
        {
            found.append(HardcodedSecrets.finding(binding.names[0], .key, at: function.place(value)))
            return
        }
        if let literal = value.literal, isKey(binding.names[0], literal) {
            found.append(HardcodedSecrets.finding(binding.names[0], .key, at: function.place(value)))
            return
        }
        look(binding.names[0], value, callee: "")
    }

    mutating func look(_ name: String?, _ value: Expression, callee: String) {
        guard let name, let literal = HardcodedSecrets.literal(in: value), let words = SecretWords(name: name),
            !words.isWeak || LiteralSecret.looksRandom(literal), LiteralSecret.isSecret(literal, named: words),
            !PublicKeys.isPublic(name, callee + " " + (function.owner ?? ""), function.file)
        else { return }
        found.append(HardcodedSecrets.finding(name, words.kind, at: function.place(value)))
    }

    // MARK: What a function gives back

    /// `static var apiSecret: String { switch stage { case .live: "..." } }`
    private mutating func returned() {
        let isValue =
            function.kind == .getter
            || function.kind == .function && function.parameters.isEmpty
                && function.returns?.hasPrefix("String") == true
        guard isValue else { return }
        let holdsNames = HardcodedSecrets.holdsNames(function.owner ?? "", function.file)
        var values: [Expression] = []
        func give(_ statements: [Statement]) {
            // The only statement of a body or of a case is what comes out.
            if statements.count == 1, case .expression(let value) = statements[0].kind { values.append(value) }
            statements.visitStatements { statement in
                switch statement.kind {
                case .leave(.return, let value?): values.append(value)
                case .choose(_, let cases):
                    for item in cases where item.body.count == 1 {
                        if case .expression(let value) = item.body[0].kind { values.append(value) }
                    }
                default: break
                }
            }
        }
        give(function.body)
        for value in values {
            if case .block(let statements) = value.kind { give(statements) }
        }
        for value in values {
            guard let text = value.literal, !holdsNames || LiteralSecret.looksRandom(text) else { continue }
            look(function.name, value, callee: "")
        }
    }

    // MARK: Headers and keys of functions

    /// `request.addValue("...", forHTTPHeaderField: "X-API-Key")`, `HTTPHeader(name: "X-API-Key", value: "...")`
    private mutating func header(_ arguments: [Argument]) {
        if arguments.count == 2, arguments[1].label == "forHTTPHeaderField" {
            look(arguments[1].value.literal, arguments[0].value, callee: "")
        } else if arguments.count == 2, arguments[0].label == "name", arguments[1].label == "value" {
            look(arguments[0].value.literal, arguments[1].value, callee: "")
        } else if arguments.count == 2, arguments[1].label == "forKey" {
            look(arguments[1].value.literal, arguments[0].value, callee: "")
        }
    }

    private static let keyedCalls: Set<String> = [
        "CCHmac", "HMAC", "SymmetricKey", "AES", "CCCrypt", "CCHmacInit", "authenticationCode", "ChaCha20",
    ]

    /// A literal that a function of the app takes as the key of an HMAC or a cipher: `code.hashed(with: "...")`.
    private mutating func keyArgument(_ expression: Expression, _ callee: Expression, _ arguments: [Argument]) {
        passwordArgument(expression, callee, arguments)
        let random = arguments.filter { argument in
            argument.value.literal.map { LiteralSecret.looksRandom($0) && !LiteralSecret.isStandIn($0) }
                ?? isNamedKey(argument.value)
        }
        guard !random.isEmpty else { return }
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        var targets = project.targets(of: call)
        // A category of NSString is called on a String.
        if targets.isEmpty { targets = project.functions.filter { $0.name == call.name && $0.kind == .function } }
        for target in targets.prefix(2) {
            for (parameter, value) in project.bound(call, to: target)
            where random.contains(where: { $0.value === value }) && isKey(parameter.name, in: target) {
                found.append(HardcodedSecrets.finding(parameter.name, .key, at: function.place(value)))
            }
        }
    }

    private static let prepositions: Set<String> = ["with", "using", "by", "for", "and", "from", "to", "of"]

    /// A literal that a function takes as a password under a label that doesn't say so: `send(box, with: "...")`.
    private mutating func passwordArgument(
        _ expression: Expression, _ callee: Expression, _ arguments: [Argument]
    ) {
        let told = arguments.filter { argument in
            argument.label.map(Self.prepositions.contains) ?? false
                && argument.value.literal.map { (6...40).contains($0.utf8.count) && !$0.contains(" ") } ?? false
        }
        guard !told.isEmpty else { return }
        let call = CallSite(expression: expression, callee: callee, arguments: arguments, caller: function)
        var targets = project.targets(of: call)
        // The requirement of a protocol, called in an extension of it.
        if let owner = function.owner.flatMap({ project.type($0) }), case .name(let name) = callee.kind {
            targets += (owner.functions[name] ?? []).filter { $0.body.isEmpty }
        }
        for target in targets.prefix(8) {
            for (parameter, value) in project.bound(call, to: target)
            where told.contains(where: { $0.value === value }) {
                if SecretWords(name: parameter.name)?.kind == .password { look(parameter.name, value, callee: "") }
            }
        }
    }

    /// Whether a function gives a parameter, or what it makes of it at once, to a cipher as the key.
    func isKey(_ parameter: String, in target: Function) -> Bool {
        var names: Set<String> = [parameter]
        for (name, value) in project.scope(of: target).constants where value.root == parameter { names.insert(name) }
        return target.calls.contains { call in
            guard Self.keyedCalls.contains(call.name) else { return false }
            return call.plainArguments.enumerated().contains { index, argument in
                let isKey =
                    call.name == "CCHmac"
                    ? index == 1
                    : call.name == "CCCrypt"
                        ? index == 3
                        : ["key", "using", "data"].contains(argument.label ?? "") || index == 0
                guard isKey else { return false }
                var isGiven = false
                argument.value.visit { if let name = $0.lastName, names.contains(name) { isGiven = true } }
                return isGiven
            }
        }
    }

    /// Functions whose labels name keys or texts and not values.
    private static let naming: Set<String> = [
        "NSLocalizedString", "Text", "Label", "Button", "TextField", "SecureField", "print", "log", "Identifier",
        "AppStorage",
    ]

    private mutating func call(_ callee: Expression, _ arguments: [Argument]) {
        let name = callee.lastName ?? ""
        guard !Self.naming.contains(name) else { return }
        let isCipher = Self.keyed.contains(where: callee.dotted.lowercased().contains)
        for argument in arguments {
            guard let label = argument.label, let literal = HardcodedSecrets.literal(in: argument.value) else {
                continue
            }
            let isKey = Self.bareKeys.contains(label) || label == "data" && name == "SymmetricKey"
            if isCipher, isKey, literal.utf8.count >= 8, !literal.contains(" "),
                !LiteralSecret.isStandIn(literal)
            {
                found.append(HardcodedSecrets.finding(label, .key, at: function.place(argument.value)))
                continue
            }
            let words = SecretWords.words(of: label).filter { !["with", "using"].contains($0) }
            guard !words.dropFirst().contains(where: SecretVocabularyNames.leads) else { continue }
            look(words.joined(separator: "_"), argument.value, callee: callee.dotted)
        }
    }

    private mutating func compare(_ secret: Expression, _ value: Expression) {
        if case .number(let number) = value.kind, let name = secret.lastName, case .name = secret.kind,
            Self.checks(function.name),
            Self.isCode(name, number)
        {
            found.append(HardcodedSecrets.finding(name, .pin, at: function.place(value)))
            return
        }
        if let digits = value.literal, let name = secret.lastName, Self.checks(function.name), Self.isCode(name, digits)
        {
            found.append(HardcodedSecrets.finding(name, .pin, at: function.place(value)))
            return
        }
        var secret = secret.withoutCasts
        while case .member(let base?, let name) = secret.kind,
            ["text", "value", "wrappedValue", "stringValue"].contains(name)
        {
            secret = base.withoutCasts
        }
        // `pass == "Adm1n!"`: what is compared with a literal with digits is no flag.
        if let name = secret.lastName, let literal = value.literal,
            literal.utf8.contains(where: LiteralSecret.Shape.isDigit),
            let words = SecretWords(name: name), words.isWeak, words.kind == .password,
            LiteralSecret.isSecret(literal, named: words)
        {
            found.append(HardcodedSecrets.finding(name, words.kind, at: function.place(value)))
            return
        }
        look(secret.lastName, value, callee: "")
    }

    private mutating func shape(_ expression: Expression) {
        guard let literal = expression.literal, let what = LiteralSecret.known(literal) else { return }
        found.append(
            Finding(
                HardcodedSecrets.description.id, at: function.place(expression),
                "The literal is \(what), in everyone's copy of the app.", certainty: .sure))
    }

    // MARK: Numbers

    /// Whether a function's name says that it decides about a code.
    static func checks(_ name: String) -> Bool {
        SecretWords.words(of: name).contains {
            ["validate", "verify", "check", "unlock", "login", "authenticate", "compare", "pin", "passcode"].contains(
                $0)
        }
    }

    static func isCode(_ name: String, _ number: String) -> Bool {
        (4...8).contains(number.utf8.count) && number.utf8.allSatisfy(LiteralSecret.Shape.isDigit)
            && (["code", "pin", "otp"].contains(name.lowercased()) || SecretWords.kind(ofName: name) == .pin)
    }
}

/// Words of a selector that lead to what it is given.
enum SecretVocabularyNames {
    /// Whether a word says what comes next: `service` of `passwordForService:`.
    static func leads(_ word: String) -> Bool { ["for", "from", "of", "at", "in", "by"].contains(word) }
}

/// Keys that are given to everyone: analytics, maps, crash reports.
enum PublicKeys {
    private static let services: Set<String> = [
        "flurry", "analytics", "firebase", "mixpanel", "amplitude", "sentry", "crashlytics", "bugsnag", "appcenter",
        "adjust", "flyer",
        "branch", "segment", "maps", "map", "mapbox", "facebook", "kakao", "revenuecat", "revenue", "purchases",
        "onesignal", "algolia",
        "giphy", "admob", "dsn", "instabug", "intercom", "datadog", "telemetry", "native", "posthog", "launchdarkly",
        "tracking", "tracker",
        "publishable", "public", "countly", "heap", "braze", "leanplum", "applovin", "unity", "wootric", "zendesk",
        "helpshift", "helpscout",
        "rollbar", "raygun", "telegram", "unsplash", "tenor", "ads", "hockey", "testflight", "fabric", "parse",
        "aptabase", "jpush", "jiguang", "umeng", "ums", "um", "umsocial", "bugly", "getui", "talkingdata", "sharesdk",
        "easemob", "growingio", "tingyun", "xinge", "appsflyer", "clevertap", "moengage", "pushwoosh", "airship",
        "urbanairship", "singular", "kochava", "tapjoy", "vungle", "ironsource", "chartboost", "uxcam", "hotjar",
        "smartlook", "fullstory", "apptentive", "appsee", "tealium", "appmetrica", "yandexmetrica", "matomo", "piwik",
        "webengage", "netcore", "localytics", "swrve", "optimizely", "apptimize", "userexperior", "freshchat",
        "crisp", "tawk", "livechat", "usabilla", "medallia", "qualtrics", "gigya",
    ]

    static func isPublic(_ name: String, _ context: String, _ file: String) -> Bool {
        let own = SecretWords.words(of: name)
        // What App Center calls a secret is in every app that uses it.
        if name.lowercased().contains("appcenter") || context.lowercased().contains("appcenter")
            || file.contains("GoogleService-Info")
        {
            return true
        }
        if own.contains("secret") || own.contains("private") { return false }
        let words = own + SecretWords.words(of: context) + SecretWords.words(of: file.split(separator: "/").last ?? "")
        return words.contains { services.contains($0) }
    }
}
