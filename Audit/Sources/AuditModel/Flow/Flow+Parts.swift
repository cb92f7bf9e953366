// SPDX-License-Identifier: Apache-2.0

import Findings

/// What is no more than a part of what holds a secret, and what goes on from one.
extension Flow {
    /// A property of a type of the project under the name of a member that gives the same elsewhere: `session.url`.
    func isOwnPart(_ name: String, of base: Expression, _ level: Int) -> Bool {
        guard !name.hasSuffix("escription"), !Self.contents.contains(name) || scope.type(of: base) != nil,
            let found = secret(in: base, level), found.extent == .part
        else { return false }
        if scope.type(of: base) == nil, let holder = found.holder {
            return holder.properties[name].map { !$0.isComputed } == true
        }
        guard let type = scope.type(of: base), let model = project.declared(type),
            model.properties[name].map({ !$0.isComputed }) == true
        else { return false }
        if let holder = found.holder { return holder.name == model.name }
        return !Self.contents.contains(name)
    }

    static let contents: Set<String> = ["data", "result", "payload", "value", "wrappedValue", "projectedValue"]

    /// A view or a cell that a screen is made of, and no screen itself.
    func isComponent(_ owner: String) -> Bool {
        guard let model = project.type(owner) else { return false }
        return project.inherits(model) {
            ["UIView", "UIControl", "UIStackView", "UITableViewCell", "UICollectionViewCell", "UITextField"].contains(
                $0)
        }
    }

    /// The headers of a session or a serializer, which each request is given.
    static let sharedHeaders: Set<String> = [
        "HTTPRequestHeaders", "httpAdditionalHeaders", "HTTPAdditionalHeaders", "mutableHTTPRequestHeaders",
        "defaultHeaders", "httpRequestHeaders",
    ]

    /// What a task or a response has as the request that was sent.
    static let requests: Set<String> = ["request", "currentRequest", "originalRequest"]

    /// What the closure of `then` gives back; nil where it gives nothing, as in `UILabel().then { $0.text = "a" }`.
    func continued(_ arguments: [Argument], _ level: Int) -> Secret?? {
        for argument in arguments {
            guard case .closure(let closure) = argument.value.kind else { continue }
            if closure.body.count == 1, case .expression(let value) = closure.body[0].kind {
                if case .call = value.kind { return .some(secret(in: value, level)) }
                return nil
            }
            var gives = false
            closure.body.visitStatements { if case .leave(.return, .some) = $0.kind { gives = true } }
            return gives ? .some(result(of: closure.body, level)) : nil
        }
        return nil
    }

    /// `answer.value(forKeyPath: "user.name")`: another key of a value that holds a secret isn't the secret.
    func readsOther(_ name: String, _ arguments: [Argument]) -> Bool {
        guard arguments.count == 1, Self.keyed.contains(name) || arguments[0].label == "forKeyPath",
            let key = scope.literal(arguments[0].value)
        else { return false }
        return SecretWords(name: key) == nil && !Self.setsSession(key)
    }

    /// What an app keeps the session under by which it is signed in.
    static let sessionKeys: Set<String> = [
        "sessionid", "session_id", "session-id", "sessid", "phpsessid", "jsessionid", "connect.sid", "sessionkey",
        "session_key", "session_token",
    ]

    /// The id of a session in which one sees or hears others: one joins with a token.
    static func isOfMedia(_ name: String, _ type: String?) -> Bool {
        guard let type, SecretWords.words(of: name).joined() == "sessionid" else { return false }
        return ["OT", "TVI", "RTC", "QBRTC", "Agora", "AV", "Zego", "NIMAV", "WKWebRTC"].contains {
            type.hasPrefix($0) && type.dropFirst($0.count).first?.isUppercase == true
        }
    }

    /// Whether what is kept under a key is the session or the token by which the app is signed in.
    func isOfSession(_ key: String) -> Bool {
        let low = key.lowercased()
        return (low == "token" && !project.tradesTokens || Self.sessionKeys.contains(low))
            && !function.isAboutNotifications
    }

    /// Headers by which a server gives a session.
    static func setsSession(_ key: String) -> Bool {
        ["set-cookie", "cookie", "x-auth-token", "x-session-token"].contains(key.lowercased())
    }

    static let keyed: Set<String> = [
        "valueForKeyPath", "valueForKey", "objectForKey", "stringForKey", "stringValueForKey",
        "objectForKeyedSubscript",
        "safeObjectForKey", "arrayForKey", "dictionaryForKey",
    ]

    /// `Wallet.makeAccountWithMnemonic()`: what makes a phrase, by its name.
    func ofMaker(_ call: CallSite) -> Secret? {
        let words = SecretWords.words(of: call.name)
        guard let verb = words.first, ["make", "create", "new", "generate", "random", "build"].contains(verb),
            let word = words.dropFirst().first(where: {
                ["mnemonic", "mnemonics", "memonic", "seedphrase"].contains($0)
            }),
            !call.arguments.contains(where: { argument in
                SecretWords.words(of: argument.label ?? "").contains(word)
            }),
            scope.type(of: call.expression).map({ Harmless.isType($0, in: project) }) != true
        else { return nil }
        return Secret(
            kind: .seed, name: call.name, steps: [Step("\(call.name) makes a recovery phrase", at: call.place)])
    }

    /// A key that a function derives from a password.
    func derivedKey(_ name: String, _ expression: Expression) -> Secret? {
        let words = SecretWords.words(of: name)
        let joined = words.joined()
        guard ["pbkdf", "scrypt", "argon", "bcrypt", "derivekey", "keyderivation"].contains(where: joined.contains)
        else { return nil }
        if scope.type(of: expression).map({ Harmless.isType($0, in: project) }) == true { return nil }
        return Secret(kind: .key, name: name, steps: [Step("\(name) derives a key", at: function.place(expression))])
    }

    /// Security's functions give a status or a reference, but for those that give bytes.
    static func givesStatus(_ name: String) -> Bool {
        if name.hasPrefix("CCCrypt") { return true }
        return name.hasPrefix("Sec") && name.dropFirst(3).first?.isUppercase == true
            && !["SecKeyCopyExternalRepresentation", "SecKeyCreateDecryptedData"].contains(name)
    }
}

extension Property {
    /// Whether it is a constant that is put together of texts and other constants: `base + "mnemonic"`.
    var isJoined: Bool {
        guard isStatic, isConstant, let value, case .binary("+", _, _) = value.kind else { return false }
        var (names, others) = (false, false)
        value.visit { part in
            switch part.kind {
            case .text: names = names || part.literal != nil
            case .name, .member, .binary("+", _, _): break
            default: others = true
            }
        }
        return names && !others
    }
}

extension Expression {
    /// Whether it is a member of something.
    var hasBase: Bool { if case .member(.some, _) = kind { true } else { false } }
}
