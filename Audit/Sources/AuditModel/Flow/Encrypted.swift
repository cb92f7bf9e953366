// SPDX-License-Identifier: Apache-2.0

extension Flows {
    /// Whether an expression is what an encryption or a hash gave: by what it calls, by its name, or by what its name was
    /// bound to.
    package func isEncrypted(_ expression: Expression, of function: Function, depth: Int = 0) -> Bool {
        let scope = of(function).scope
        if of(function).secret(in: expression) != nil, opensUp(scope.resolved(expression), scope) { return false }
        // One value of many says nothing of the others: each is followed by itself.
        switch scope.resolved(expression).kind {
        case .dictionary, .array: return false
        // Of an object, each part that is a secret has to be.
        case .call(let callee, let arguments) where callee.lastName?.first?.isUppercase == true && arguments.count > 1:
            let parts = arguments.map(\.value)
            guard parts.contains(where: { isEncrypted($0, of: function, depth: depth + 1) }) else { return false }
            return parts.allSatisfy { part in
                of(function).secret(in: part) == nil || isEncrypted(part, of: function, depth: depth + 1)
            }
        default: break
        }
        var found = false
        expression.visit { part in
            guard !found else { return }
            switch part.kind {
            case .name(let name):
                if let value = scope.constants[name], opensUp(value, scope) { return }
                if Self.saysEncrypted(name) {
                    found = true
                } else if depth < 3, let value = scope.constants[name], value !== expression {
                    found = isEncrypted(value, of: function, depth: depth + 1)
                }
            case .member(_, let name): found = Self.saysEncrypted(name)
            default: break
            }
        }
        return found
    }

    /// Whether a value is encrypted with a key that is written out.
    private func opensUp(_ value: Expression, _ scope: Scope) -> Bool {
        if Self.isOpen(value, scope) { return true }
        switch value.withoutCasts.kind {
        case .call(let callee, _): return callee.lastName.map(project.encryptsOpenly) ?? false
        case .member(_, let name): return project.encryptsOpenly(name)
        default: return false
        }
    }

    private static func isOpen(_ value: Expression, _ scope: Scope) -> Bool {
        guard case .call(let callee, let arguments) = value.withoutCasts.kind, let name = callee.lastName,
            SecretWords.words(of: name).contains(where: { $0.hasPrefix("encrypt") })
        else { return false }
        return arguments.contains { $0.isOpenKey(scope) }
    }

    /// Whether every caller passes something encrypted for a parameter; false without callers.
    package func isGivenEncrypted(_ parameter: String, of function: Function) -> Bool {
        let calls = project.callers(of: function).prefix(16)
        return !calls.isEmpty
            && calls.allSatisfy { call in
                guard
                    let given = project.bound(call, to: function).first(where: { $0.parameter.name == parameter })?
                        .value
                else { return false }
                return isEncrypted(given, of: call.caller)
            }
    }

    /// Whether a function is called, and no call passes anything for a parameter, or each passes nil.
    package func isNeverGiven(_ parameter: String, of function: Function) -> Bool {
        let calls = project.callers(of: function).prefix(32)
        return !calls.isEmpty
            && calls.allSatisfy { call in
                let given = project.bound(call, to: function).first { $0.parameter.name == parameter }?.value
                if case .none? = given?.kind { return true }
                return given == nil && !call.arguments.contains(where: \.isTrailing)
            }
    }

    private static func saysEncrypted(_ name: String) -> Bool {
        SecretWords.words(of: name).contains { word in
            [
                "encrypt", "encrypted", "sealed", "seal", "ciphertext", "cipher", "hashed", "hash", "sha256", "wrapped",
                "obfuscated",
            ].contains(word)
        }
    }
}

extension ProjectModel {
    /// Whether a function of the project encrypts with a key that is written out: `text.encrypt3DES()`, whose key is a
    /// constant.
    func encryptsOpenly(_ name: String) -> Bool {
        openCiphers.value(for: name) { name in
            guard SecretWords.words(of: name).contains(where: { $0.hasPrefix("encrypt") }) else { return false }
            let functions = (functionsByName[name] ?? []).filter { !$0.body.isEmpty }
            return !functions.isEmpty && functions.allSatisfy { usesConstantKey($0) || onlyEncodes($0) }
        }
    }

    /// Whether a function that is called as a cipher is gives the text in another form, by calls that are known.
    private func onlyEncodes(_ function: Function) -> Bool {
        guard function.body.count <= 3, function.parameters.count <= 1 else { return false }
        var (isKnown, returns) = (true, false)
        function.body.visit { part in
            switch part.kind {
            case .call(let callee, _):
                if callee.lastName.map(Self.encoders.contains) == true { returns = true } else { isKnown = false }
            case .unary, .closure, .block, .macro, .other, .binary("^", _, _): isKnown = false
            default: break
            }
        }
        return isKnown && returns
    }

    private static let encoders: Set<String> = [
        "Data", "String", "data", "base64EncodedString", "base64EncodedData", "trimmingCharacters", "lowercased",
        "uppercased", "addingPercentEncoding", "reversed", "replacingOccurrences", "appending",
    ]

    private func usesConstantKey(_ function: Function) -> Bool {
        func isKey(_ name: String) -> Bool {
            SecretWords.words(of: name).contains { ["key", "gkey", "password", "passphrase"].contains($0) }
        }
        guard !function.parameters.contains(where: { isKey($0.name) || isKey($0.label ?? "") }) else { return false }
        let scope = scope(of: function)
        var isConstant = false
        function.body.visit { part in
            guard !isConstant else { return }
            switch part.kind {
            case .name(let name), .member(_, let name):
                isConstant = isKey(name) && scope.literal(part).map { $0.utf8.count > 3 } == true
            case .call(_, let arguments): isConstant = arguments.contains { $0.isOpenKey(scope) }
            default: break
            }
        }
        return isConstant
    }
}

extension Argument {
    /// Whether it is a key or a password that is written out: `password: "x"`.
    func isOpenKey(_ scope: Scope) -> Bool {
        let words = SecretWords.words(of: label ?? "")
        return words.contains { ["key", "password", "passphrase"].contains($0) }
            && scope.literal(value).map { !$0.isEmpty } == true
    }
}
