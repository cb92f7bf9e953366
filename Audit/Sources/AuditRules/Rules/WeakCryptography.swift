// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XCRYPT: what protects a secret is quickly undone.
package struct WeakCryptography: Rule {
    package static let description = RuleDescription(
        id: "weak-cryptography", category: "XCRYPT", title: "A secret is protected by weak cryptography",
        explanation: """
            A fast hash of a password or PIN is guessed in seconds, encryption in ECB mode or under a constant initialization vector shows \
            what is equal, a constant salt lets one table serve for all users, and numbers from rand can be foretold. It fires on MD5 and the \
            SHA family of a password or PIN, under their own names or through helpers of the app, on ECB, DES and RC4, on initialization \
            vectors, nonces and salts that are literals, zeros or nil, and on keys, salts and tokens from rand. It doesn't on hashes of other \
            values, on HMAC, PBKDF2, scrypt, bcrypt and Argon2, on look-ups of leaked passwords, on code that only decrypts, and on random \
            vectors.
            """,
        masvs: "MASVS-CRYPTO-1", cwe: 327,
        plainRemedy: """
            let box = try AES.GCM.seal(Data(secret.utf8), using: key)  // a new nonce each time, and tampering is seen
            let kept = box.combined  // a password for a server goes over TLS as it is; the server hashes it
            """,
        zamokRemedy: "try keychain.add(item) // sealed by the keychain; passcodes are stretched and limited in attempts"
    )

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        let own = Self.ownHashes(project)
        var findings: [Finding] = []
        for function in project.functions {
            findings += hashes(function, own, flows)
            if let mode = modes(function, project) { findings.append(mode) }
            if let number = random(function) { findings.append(number) }
        }
        var seen: Set<String> = []
        return findings.sorted { $0.place < $1.place }.filter {
            seen.insert("\($0.place.file):\($0.place.line)").inserted
        }
    }

    // MARK: Hashes

    private static let hashTypes: Set<String> = ["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]
    private static let hashNames = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "md4"]
    /// Names with a hash's that are something else.
    private static let others = [
        "hmac", "pbkdf", "hkdf", "rsa", "ecdsa", "verif", "fingerprint", "scram", "cert", "thumbprint", "hkdf",
        "prf", "mac", "length", "size", "block", "compare", "check",
    ]

    /// Whether a function or a member of this name is a fast hash: `md5`, `CC_SHA256`, `genMd5`, `sha1String`.
    static func isHash(_ name: String) -> Bool {
        guard name.utf8.contains(where: { (0x31...0x35).contains($0) }) else { return false }
        let low = name.lowercased().filter { $0 != "_" && $0 != "-" }
        guard hashNames.contains(where: low.contains) else { return false }
        return !others.contains(where: low.contains)
    }

    /// Where a value that is hashed goes, and in what company.
    private struct Surroundings {
        /// The names under which values are kept or passed, by the value.
        private(set) var names: [ObjectIdentifier: String] = [:]
        /// What is compared at once with a hash that was kept: where it was made tells.
        private(set) var compared: Set<ObjectIdentifier> = []
        let isHarmless: Bool

        private static let harmless: Set<String> = [
            "pwned", "hibp", "breach", "breached", "breaches", "leaked", "gravatar", "etag", "checksum", "ntlm",
            "scram", "cache", "thumbnail", "kerberos", "radius",
        ]

        init(_ function: Function) {
            let words = [
                function.name, function.owner ?? "", function.file.split(separator: "/").last.map(String.init) ?? "",
            ]
            .flatMap { SecretWords.words(of: $0) }
            let isDigestLogin = words.contains("digest") && words.contains { $0.hasPrefix("auth") }
            // The server's side of HTTP Digest, whose protocol wants MD5.
            var challenge: Set<String> = []
            function.body.visit { part in
                if let name = part.lastName?.lowercased(), ["nonce", "cnonce", "qop", "realm", "nc"].contains(name) {
                    challenge.insert(name)
                }
            }
            let isDigestServer = challenge.count > 2
            let stretches = function.calls.contains { call in
                let name = call.name.lowercased()
                return ["pbkdf", "argon2", "scrypt", "bcrypt"].contains { name.contains($0) }
            }
            isHarmless = isDigestLogin || isDigestServer || stretches || words.contains { Self.harmless.contains($0) }
            guard !isHarmless else { return }
            var names: [ObjectIdentifier: String] = [:]
            var compared: Set<ObjectIdentifier> = []
            func note(_ name: String?, _ value: Expression) {
                if let name { names[ObjectIdentifier(value.withoutCasts)] = name }
            }
            func look(_ statements: [Statement]) {
                statements.visitStatements { statement in
                    switch statement.kind {
                    case .bind(let binding): if let value = binding.value { note(binding.names.first, value) }
                    case .branch(let branch):
                        for case .bind(let binding) in branch.conditions {
                            if let value = binding.value { note(binding.names.first, value) }
                        }
                    default: break
                    }
                }
            }
            look(function.body)
            function.body.visit { part in
                switch part.kind {
                case .closure(let closure): look(closure.body)
                case .binary("=", let target, let value):
                    if case .element(_, let keys) = target.kind {
                        note(keys.first?.value.literal, value)
                    } else {
                        note(target.lastName, value)
                    }
                case .binary("==", let left, let right), .binary("!=", let left, let right):
                    for side in [left, right] { side.visit { compared.insert(ObjectIdentifier($0)) } }
                case .dictionary(let pairs): for pair in pairs { note(pair.key.literal, pair.value) }
                case .call(_, let arguments): for argument in arguments { note(argument.label, argument.value) }
                default: break
                }
            }
            (self.names, self.compared) = (names, compared)
        }
    }

    private static let texts: Set<String> = ["String", "StringProtocol", "NSString", "Data", "NSData", "Substring"]

    /// The members that an app adds to texts and bytes, and that hash them under a name which doesn't say so.
    private static func ownHashes(_ project: ProjectModel) -> Set<String> {
        var names: Set<String> = []
        for function in project.functions where function.owner.map(texts.contains) == true {
            guard function.kind == .getter || function.parameters.isEmpty, !isHash(function.name) else { continue }
            var hashes = false
            function.body.visitNames { name, _ in
                if isHash(name) || hashTypes.contains(name) { hashes = true }
            }
            let low = function.name.lowercased()
            if hashes, !others.contains(where: low.contains),
                !function.calls.contains(where: { $0.name == "HMAC" || $0.name == "CCHmac" })
            {
                names.insert(function.name)
            }
        }
        return names
    }

    /// A value that goes into a hash: where, into which, and what it can be.
    private typealias Hashing = (part: Expression, name: String, values: [Expression])

    private func hashings(_ function: Function, _ own: Set<String>, _ project: ProjectModel) -> [Hashing] {
        var found: [Hashing] = []
        var callees: Set<ObjectIdentifier> = []
        function.body.visit { part in
            switch part.kind {
            case .call(let callee, let arguments):
                let name = callee.lastName ?? ""
                guard case .member(let base?, _) = callee.kind else {
                    if Self.isHash(name), let first = arguments.first {
                        found.append((part, name, [Self.pointed(first.value, function)]))
                    }
                    return
                }
                let given = arguments.first.map { $0.isTrailing ? [] : [$0.value] } ?? []
                if Self.isHash(name) || own.contains(name) {
                    callees.insert(ObjectIdentifier(callee))
                    found.append((part, name, given + [base]))
                } else if name == "hash", let type = base.lastName, Self.hashTypes.contains(type) {
                    found.append((part, type, given))
                } else if name == "update", let type = project.scope(of: function).type(of: base),
                    let short = type.split(separator: ".").last, Self.hashTypes.contains(String(short))
                {
                    found.append((part, String(short), given))
                }
            case .member(let base?, let member):
                // `[password md5]`, `password.md5`; a callee was seen with its call.
                if Self.isHash(member) || own.contains(member), !callees.contains(ObjectIdentifier(part)) {
                    found.append((part, member, [base]))
                }
            default: break
            }
        }
        return found
    }

    /// What a closure's parameter points into: `data` of `data.withUnsafeBytes { CC_MD5($0.baseAddress, 8, &out) }`.
    private static func pointed(_ value: Expression, _ function: Function) -> Expression {
        guard let root = value.root else { return value }
        var owner: Expression?
        function.body.visit { part in
            guard case .call(let callee, let arguments) = part.kind, case .member(let base?, let name) = callee.kind,
                name.hasPrefix("withUnsafe") || name == "withCString",
                let closure = arguments.last?.value, case .closure(let body) = closure.kind,
                closure.span.start <= value.span.start, value.span.end <= closure.span.end,
                root.hasPrefix("$") || body.parameters.contains(root)
            else { return }
            owner = base
        }
        return owner ?? value
    }

    private func hashes(_ function: Function, _ own: Set<String>, _ flows: Flows) -> [Finding] {
        let hashings = hashings(function, own, flows.project)
        guard !hashings.isEmpty else { return [] }
        let surroundings = Surroundings(function)
        guard !surroundings.isHarmless else { return [] }
        let isOwnHash = Self.isHash(function.name)
        return hashings.compactMap { part, name, values in
            let told = surroundings.names[ObjectIdentifier(part)]
            guard !surroundings.compared.contains(ObjectIdentifier(part)),
                let secret = hashed(values, told, isOwnHash, function, flows)
            else { return nil }
            let place = function.place(part)
            return Finding(
                Self.description.id, at: place,
                "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is hashed by \(name), which is fast: it is quickly guessed.",
                chain: secret.steps + [Step("\(name) hashes it", at: place)], certainty: .likely)
        }
    }

    /// The password or PIN among values that are hashed, or what the result is kept as says it is one.
    private func hashed(
        _ values: [Expression], _ told: String?, _ isOwnHash: Bool, _ function: Function, _ flows: Flows
    ) -> Secret? {
        for value in values {
            // In a function that is a hash itself, its callers' values are judged at their calls.
            // A weak word such as `pin` is one where it is hashed.
            if let found = flows.secret(in: value, of: function, hops: isOwnHash ? 0 : 2), Self.isGuessed(found.kind) {
                return found
            }
            if let name = value.holderName, let words = SecretWords(holder: name), !words.isWeak,
                Self.isGuessed(words.kind)
            {
                return Secret(
                    kind: words.kind, name: name, steps: [Step("\(name) is read", at: function.place(value))])
            }
        }
        // `func hashPassword(_ value: String)`
        if !isOwnHash, let words = SecretWords(digest: function.name), Self.isGuessed(words.kind) {
            for value in values where flows.of(function).parameter(in: value) != nil {
                let step = Step("\(function.name) is given it", at: function.place)
                return Secret(kind: words.kind, name: function.name, steps: [step])
            }
        }
        // `let password = input.md5()`
        guard let told, !isOwnHash, let words = SecretWords(digest: told) ?? SecretWords(name: told), !words.isWeak,
            Self.isGuessed(words.kind), let value = values.first, value.literal == nil
        else { return nil }
        return Secret(kind: words.kind, name: told, steps: [Step("it is kept as \(told)", at: function.place(value))])
    }

    /// Whether people choose such a secret, so that it can be guessed.
    private static func isGuessed(_ kind: SecretKind) -> Bool { kind == .password || kind == .pin }

    // MARK: Modes, vectors and salts

    private static let weakCiphers = [
        "kCCAlgorithmDES": "DES", "kCCAlgorithmRC4": "RC4", "kCCAlgorithmRC2": "RC2", "kCCAlgorithm3DES": "3DES",
    ]
    private static let vectorLabels: Set<String> = [
        "iv", "initializationVector", "initialVector", "initVector", "nonce", "ivString", "ivData",
        "initialisationVector",
    ]
    private static let labels = vectorLabels.union([
        "blockMode", "mode", "options", "chainMode", "operationMode", "data", "salt",
    ])
    private static let ciphers = [
        "cbc", "ctr", "cfb", "ofb", "gcm", "ccm", "aes", "cipher", "crypt", "chacha", "salsa", "blowfish", "seal",
        "nonce", "des", "rabbit", "rc4",
    ]

    /// The first weakness of a function that encrypts.
    private func modes(_ function: Function, _ project: ProjectModel) -> Finding? {
        let names = SecretWords.words(of: function.name)
        let decrypts = names.contains { $0.hasPrefix("decrypt") || $0 == "decode" || $0 == "open" || $0 == "unseal" }
        guard !decrypts || names.contains(where: { $0.hasPrefix("encrypt") || $0 == "crypt" }) else { return nil }
        var modes: Set<String> = []
        var found: (Expression, String)?
        function.body.visit { part in
            switch part.kind {
            case .name(let name), .member(_, let name):
                if name.hasPrefix("kCCMode") { modes.insert(name) }
                guard found == nil else { return }
                if ["kCCOptionECBMode", "kCCModeECB"].contains(name) {
                    found = (part, "ECB mode shows which blocks are equal.")
                }
            case .dictionary(let pairs):
                guard found == nil, let size = Self.smallKey(pairs) else { return }
                found = (size, "An RSA key of less than 2048 bits can be factored.")
            case .call(let callee, let arguments):
                guard found == nil else { return }
                found = weakness(callee, arguments.filter { !$0.isTrailing }, function, project).map { (part, $0) }
            default: break
            }
        }
        // A table of all modes chooses none.
        guard let (part, message) = found, modes.count < 3, !decryptsOnly(part, function) else { return nil }
        return Finding(Self.description.id, at: function.place(part), message, certainty: .likely)
    }

    /// The size of an RSA key that is too small.
    private static func smallKey(_ pairs: [(key: Expression, value: Expression)]) -> Expression? {
        func value(_ name: String) -> Expression? {
            pairs.first { $0.key.withoutCasts.lastName == name }?.value.withoutCasts
        }
        guard value("kSecAttrKeyType")?.lastName == "kSecAttrKeyTypeRSA", let size = value("kSecAttrKeySizeInBits"),
            case .number(let text) = size.kind, let bits = Int(text.filter { $0 != "_" }), bits < 2048
        else { return nil }
        return size
    }

    private func decryptsOnly(_ part: Expression, _ function: Function) -> Bool {
        var (encrypts, decrypts) = (false, false)
        function.body.visitNames { name, _ in
            if name == "kCCEncrypt" || name.hasPrefix("encrypt") { encrypts = true }
            if name == "kCCDecrypt" || name.hasPrefix("decrypt") { decrypts = true }
        }
        return decrypts && !encrypts
    }

    private func weakness(
        _ callee: Expression, _ arguments: [Argument], _ function: Function, _ project: ProjectModel
    ) -> String? {
        let name = callee.lastName ?? ""
        guard
            name.hasPrefix("CC") || name == "ECB"
                || arguments.contains(where: { $0.label.map(Self.labels.contains) ?? false })
        else { return nil }
        let constants = SourceConstants(function, in: project)
        let constant = "The initialization vector is constant, so that equal beginnings are seen."
        if ["CCCrypt", "CCCryptorCreate", "CCCryptorCreateWithMode"].contains(name) {
            let values = arguments.map(\.value)
            for value in values.prefix(3) {
                var cipher: String?
                value.visit { cipher = cipher ?? $0.lastName.flatMap { Self.weakCiphers[$0] } }
                if let cipher { return "\(cipher) is broken." }
            }
            let (options, vector) = name == "CCCryptorCreateWithMode" ? (1, 4) : (2, 5)
            guard values.count > vector else { return nil }
            var text: Set<String> = []
            values[options].visit { if let name = $0.lastName { text.insert(name) } }
            if text.contains(where: { $0.contains("ECB") }) { return "ECB mode shows which blocks are equal." }
            let isChained = text.contains { ["kCCOptionPKCS7Padding", "kCCModeCBC", "kCCModeCFB"].contains($0) }
            if isChained, values[vector].isNone || values[vector].lastName == "NULL" { return constant }
            return constants.holds(values[vector]) || Self.isZeroed(values[vector], function) ? constant : nil
        }
        if name == "CCKeyDerivationPBKDF", arguments.count > 4, constants.isSalt(arguments[3].value) {
            return "The salt is constant, so that one table serves for all users."
        }
        if name == "ECB", arguments.isEmpty { return "ECB mode shows which blocks are equal." }
        let path = callee.dotted.lowercased()
        for argument in arguments {
            guard let label = argument.label else { continue }
            if ["blockMode", "mode", "options", "chainMode", "operationMode"].contains(label) {
                var isECB = false
                argument.value.visit { part in
                    if ["ecb", "ECB", "ecbMode", "ECBMode"].contains(part.lastName ?? "") { isECB = true }
                }
                if isECB { return "ECB mode shows which blocks are equal." }
            }
            if Self.vectorLabels.contains(label), Self.ciphers.contains(where: path.contains),
                !path.contains("decrypt"), constants.holds(argument.value)
            {
                return constant
            }
            if label == "data", path.hasSuffix("nonce"), constants.holds(argument.value) { return constant }
            let stretches = ["pbkdf", "scrypt", "argon", "bcrypt", "derivekey", "keyderivation"]
            if label == "salt", !path.contains("hkdf"), stretches.contains(where: path.contains),
                constants.isSalt(argument.value)
            {
                return "The salt is constant, so that one table serves for all users."
            }
        }
        return nil
    }

    /// Whether a buffer is filled with zeros, and nothing else is done with it: `bzero(iv, sizeof(iv))`.
    private static func isZeroed(_ value: Expression, _ function: Function) -> Bool {
        guard case .name(let name) = value.withoutCasts.kind else { return false }
        var (isZeroed, isFilled) = (false, false)
        for call in function.calls where !call.name.hasPrefix("CCCrypt") && call.name != "sizeof" {
            var names = false
            for argument in call.arguments { argument.value.visit { if $0.lastName == name { names = true } } }
            guard names else { continue }
            if ["bzero", "memset"].contains(call.name) { isZeroed = true } else { isFilled = true }
        }
        return isZeroed && !isFilled
    }

    // MARK: Numbers

    private static let generators: Set<String> = ["rand", "random", "lrand48", "drand48", "mrand48", "rand_r"]
    private static let unguessable: Set<String> = [
        "key", "keys", "salt", "iv", "nonce", "token", "password", "passcode", "pin", "secret", "seed", "mnemonic",
        "challenge", "passphrase", "otp",
    ]

    /// `rand()` in a function that makes a key.
    private func random(_ function: Function) -> Finding? {
        let words = SecretWords.words(of: function.name)
        let makes =
            words.first.map { ["generate", "make", "random", "create", "new", "gen", "get"].contains($0) } ?? false
        guard let last = words.last,
            Self.unguessable.contains(last) || makes && words.contains(where: Self.unguessable.contains),
            !words.contains("frame"), !words.contains("board")
        else { return nil }
        for call in function.calls where Self.generators.contains(call.name) && call.plainArguments.isEmpty {
            guard case .name = call.callee.kind else { continue }
            return Finding(
                Self.description.id, at: call.place,
                "\(call.name) can be foretold: what \(function.name) makes of it can be, too.", certainty: .likely)
        }
        return nil
    }
}

extension SourceConstants {
    /// Whether a salt is constant; specifications name some, such as `mnemonic` for recovery phrases.
    fileprivate func isSalt(_ value: Expression) -> Bool {
        guard holds(value) else { return false }
        var isNamed = false
        value.visit { part in
            if let text = part.literal, ["mnemonic", "electrum"].contains(where: text.lowercased().hasPrefix) {
                isNamed = true
            }
        }
        return !isNamed
    }
}
