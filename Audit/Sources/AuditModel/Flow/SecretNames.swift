// SPDX-License-Identifier: Apache-2.0

import Findings

extension SecretWords {
    /// The words of `newPassword_field2`, in lower case: new, password, field, 2.
    package static func words(of name: String) -> [String] { NameWords.split(name).map(\.text) }
}

extension Function {
    /// Whether the function, its type or its file is about signing in, so that a plain `token` there is one that signs in.
    var isAboutLogin: Bool {
        Self.aboutLogin(name) || owner.map(Self.aboutLogin) == true
            || file.split(separator: "/").contains { Self.aboutLogin(String($0)) }
    }

    /// Whether it is about signing in at another service, which gives a code.
    var isAboutOAuth: Bool {
        let words = [name, owner ?? ""].flatMap { SecretWords.words(of: $0) }
        return words.contains {
            ["oauth", "auth", "login", "signin", "authorization", "kakao", "google", "apple"].contains($0)
        }
            || zip(words, words.dropFirst()).contains { ($0 == "sign" || $0 == "log") && $1 == "in" }
    }

    /// Whether its name says that its tokens sign in: `storeAccessTokens`.
    var namesTokens: Bool {
        let words = SecretWords.words(of: name)
        return zip(words, words.dropFirst()).contains {
            ["access", "refresh", "auth", "session", "login", "bearer"].contains($0) && $1.hasPrefix("token")
        }
    }

    /// Whether it is about the code that a person is sent.
    var verifies: Bool {
        let words = [name, owner.map { lastPart(of: $0) } ?? ""].flatMap { SecretWords.words(of: $0) }
        return words.contains { ["otp", "verify", "verification", "sms", "totp"].contains($0) }
            && !words.contains { ["qr", "scan", "scanner", "country", "promo", "coupon", "error"].contains($0) }
    }

    /// Whether its own name or its type's says so, where a token may be a coin, too.
    var signsIn: Bool {
        Self.signs(name) || owner.map(Self.signs) == true
    }

    static func signs(_ name: String) -> Bool {
        SecretWords.words(of: name).contains(where: signingWords.contains)
    }

    private static let signingWords: Set<String> = [
        "login", "signin", "signup", "auth", "oauth", "authenticate", "refresh", "register", "registration", "captcha",
        "verify", "verification", "otp", "password", "session",
    ]

    static func aboutLogin(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        if words.contains(where: loginWords.contains) { return true }
        return zip(words, words.dropFirst()).contains {
            ($0 == "sign" || $0 == "log") && ["in", "up", "on"].contains($1)
        }
    }

    private static let loginWords: Set<String> = [
        "login", "signin", "signup", "auth", "oauth", "authentication", "authorization", "session", "credential",
        "credentials", "account", "jwt",
        "bearer", "onboarding", "api", "network", "networking", "keychain",
    ]
}

extension Scope {
    /// Whether a parameter or a local is a user's name or address: then `pass` beside it is a password.
    var namesUser: Bool {
        let names = function.parameters.map(\.name) + locals.keys + constants.keys
        return names.contains { name in
            SecretWords.words(of: name).contains {
                ["user", "username", "email", "mail", "login", "account"].contains($0)
            }
        }
    }
}

extension Function {
    package var isAboutNotifications: Bool {
        let names = [name] + parameters.flatMap { [$0.label ?? "", $0.name] }
        return names.flatMap { SecretWords.words(of: $0) }.contains {
            ["notification", "notifications", "messaging", "push", "apns", "fcm", "device", "voip"].contains($0)
        }
    }

    /// Whether it only says that subclasses have a function of its name.
    var isLeftOpen: Bool {
        guard body.count <= 1 else { return false }
        switch body.first?.kind {
        case nil, .leave(.return, nil): return true
        case .leave(_, let value?), .expression(let value):
            switch value.kind {
            case .none: return true
            case .dictionary(let pairs): return pairs.isEmpty
            case .array(let values): return values.isEmpty
            case .call(let callee, _):
                return ["fatalError", "preconditionFailure", "abort"].contains(callee.lastName ?? "")
            default: return false
            }
        default: return false
        }
    }

    /// Whether its own name, its type's or its file's is about sessions in which one trains, learns or plays.
    var isAboutOtherSessions: Bool {
        [name, owner ?? "", String(file.split(separator: "/").last ?? "")].flatMap { SecretWords.words(of: $0) }
            .contains {
                [
                    "training", "trainings", "workout", "exercise", "game", "quiz", "exam", "lesson", "course", "study",
                    "chat", "meeting", "meditation", "timer", "recording", "charging", "therapy", "sleep", "match",
                    "conference", "webinar", "interview",
                ].contains($0)
            }
    }

    /// Whether the system or a service of notifications gives it a token.
    var registersForPush: Bool {
        let names = [name] + parameters.flatMap { [$0.label ?? "", $0.name] }
        return names.contains { name in
            let words = SecretWords.words(of: name)
            return words.contains { ["notifications", "push", "apns", "fcm", "voip", "messaging"].contains($0) }
                && words.contains { ["register", "registration", "token", "credentials", "registered"].contains($0) }
        }
    }

    /// Whether it reads or checks the signed request of a verifier.
    var readsRequestObject: Bool {
        let words = SecretWords.words(of: name)
        if zip(words, words.dropFirst()).contains(where: { $0 == "request" && ["object", "jwt"].contains($1) }) {
            return true
        }
        return words.contains { ["verify", "verifies", "verified"].contains($0) }
            && parameters.contains { ["publickey", "jwks", "jwk"].contains($0.name.lowercased()) }
    }

    var isAboutUnlocking: Bool {
        [name, owner ?? ""].flatMap { SecretWords.words(of: $0) }.contains {
            ["unlock", "lock", "locked", "locker", "passcode", "verify", "keypad", "login", "auth"].contains($0)
        }
    }

    var isAboutPaying: Bool {
        [name, owner ?? ""].flatMap { SecretWords.words(of: $0) }.contains {
            ["card", "pay", "payment", "payments", "checkout", "billing", "wallet"].contains($0)
        }
    }
}

extension Scope {
    /// Whether names beside a word are parts of an address.
    var namesAddress: Bool {
        let names =
            function.parameters.map(\.name) + locals.keys + constants.keys + [function.owner ?? ""]
            + (owner.map { Array($0.properties.keys) } ?? [])
        return names.contains { name in
            SecretWords.words(of: name).contains {
                [
                    "address", "city", "street", "zip", "postal", "postcode", "country", "district", "landmark",
                    "delivery", "shipping", "product", "products", "pickup",
                ].contains($0)
            }
        }
    }
}

extension Flow {
    /// What an authorization code is called, which is worth a token for a while.
    private static let codeNames: Set<String> = [
        "code", "authCode", "authorizationCode", "auth_code", "authorization_code", "oauthCode",
    ]

    /// What is typed where a code is verified.
    private static let typedNames: Set<String> = [
        "code", "enteredCode", "inputCode", "typedCode", "codeText", "codeString", "enteredText", "verifyCode",
    ]

    /// `pinCode`, `pinCodeText`
    private static func isPinCode(_ name: String) -> Bool {
        var words = SecretWords.words(of: name)[...]
        while words.count > 1, let last = words.last, ["text", "string", "value", "field", "tf"].contains(last) {
            words = words.dropLast()
        }
        return words.joined().hasSuffix("pincode")
    }

    /// A postal code, which is called so beside an address or a delivery.
    func isPostalCode(_ name: String) -> Bool {
        Self.isPinCode(name) && isAboutAddresses && !function.isAboutUnlocking
    }

    /// The letters of a picture against robots, which everyone sees: `imageCode`.
    static func isOfPicture(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        return words.count > 1 && ["code", "text", "word"].contains(words.last ?? "")
            && words.contains(where: SecretWords.picture.contains)
    }

    /// What a name says, and how sure that is here: a weak word such as `token` needs a function that is about signing in.
    func judge(_ name: String) -> (kind: SecretKind, certainty: Certainty)? {
        if name == "code", isSentCode { return (.oneTimeCode, .likely) }
        if Self.codeNames.contains(name), name == "code" ? function.isAboutOAuth : isAboutLogin {
            return (.token, .likely)
        }
        if Self.typedNames.contains(name), function.verifies { return (.oneTimeCode, .likely) }
        guard let words = SecretWords(name: name) else { return nil }
        // What another one asks with is signed for all to see.
        if words.kind == .token, name.lowercased().hasSuffix("jwt"), function.readsRequestObject { return nil }
        if words.isBareToken, !words.isWeak {
            // `hexToken` of what the system registers, `certifiedToken` in a wallet.
            if function.registersForPush { return nil }
            if project.tradesTokens, !function.signsIn { return (words.kind, .possible) }
        }
        guard words.isWeak else { return (words.kind, .likely) }
        if words.kind == .token, function.isAboutOtherSessions, SecretWords.words(of: name).contains("session") {
            return nil
        }
        // A token there is one by which the system delivers notifications.
        if words.kind == .token, function.isAboutNotifications { return nil }
        let isSure =
            switch words.kind {
            case .token where function.namesTokens && !project.tradesTokens: true
            case .token: isAboutLogin && (!project.tradesTokens || function.signsIn)
            case .password: isAboutLogin || namesUser
            case .oneTimeCode: isAboutLogin || function.isAboutPaying || function.verifies
            case .card: isAboutLogin || function.isAboutPaying
            // A postal code is called so, too, beside the other parts of an address.
            case .pin where function.isAboutUnlocking: true
            case .pin: Self.isPinCode(name) && !isAboutAddresses
            default: false
            }
        return (words.kind, isSure ? .likely : .possible)
    }
}
