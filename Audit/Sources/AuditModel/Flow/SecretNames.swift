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

    var isAboutUnlocking: Bool {
        [name, owner ?? ""].flatMap { SecretWords.words(of: $0) }.contains {
            ["unlock", "lock", "locked", "passcode", "verify", "keypad", "login", "auth"].contains($0)
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
        guard words.isWeak else { return (words.kind, .likely) }
        // A token there is one by which the system delivers notifications.
        if words.kind == .token, function.isAboutNotifications { return nil }
        let isSure =
            switch words.kind {
            case .token where function.namesTokens && !project.tradesTokens: true
            case .token: isAboutLogin && (!project.tradesTokens || function.signsIn)
            case .password: isAboutLogin || namesUser
            case .card, .oneTimeCode: isAboutLogin || function.isAboutPaying
            // A postal code is called so, too, beside the other parts of an address.
            case .pin where function.isAboutUnlocking: true
            case .pin: Self.isPinCode(name) && !isAboutAddresses
            default: false
            }
        return (words.kind, isSure ? .likely : .possible)
    }
}
