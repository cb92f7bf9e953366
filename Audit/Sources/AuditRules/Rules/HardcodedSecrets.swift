// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XSECRET: secrets that stand in the source, and so in everyone's copy of the app.
package struct HardcodedSecrets: Rule {
    package static let description = RuleDescription(
        id: "hardcoded-secret", category: "XSECRET", title: "A secret stands in the source",
        explanation: """
            What stands in the source stands in the app, for everyone who takes the app apart. It fires on literals that are kept, compared or \
            passed as a password, PIN, key or token, or given back by a property of such a name, on headers and HMACs with a literal key, \
            on pairs of forms and queries, on what a password's field is filled with, on keys of ciphers under any name and literals that are hashed alone, on literals in the shape of known tokens and on private keys. It doesn't on names of \
            storage keys, empty defaults, texts for people, identifiers, patterns, public keys, stand-ins, code for previews and debugging, and \
            keys of analytics that are public by design.
            """,
        masvs: "MASVS-STORAGE-1", cwe: 798,
        plainRemedy: "Ask the server for it after log-in and keep it in the keychain; rotate the one that was shipped.",
        zamokRemedy: "try keychain.add(GenericPassword(service: \"api\", account: user, secret: received))")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        var found: [Place: Finding] = [:]
        let add = { (finding: Finding) in if found[finding.place] == nil { found[finding.place] = finding } }
        for property in project.types.values.flatMap(\.properties.values) + Array(project.variables.values) {
            self.property(property).flatMap { Self.isUnused(property, project) ? nil : $0 }.map(add)
        }
        for function in project.functions
        where !Self.isForTrying(function.owner ?? "", function.file) && !Self.isTrial(function, project) {
            SecretLiterals(function, in: project).found.forEach(add)
        }
        let keys = Self.keysOfCiphers(project)
        for file in project.resources.objectiveC {
            objectiveC(file).forEach(add)
            for constant in file.constants
            where keys.contains(constant.name) && constant.text.utf8.count > 7 && !Self.isForTrying("", file.path) {
                add(Self.finding(constant.name, .key, at: constant.place))
            }
        }
        for list in project.resources.propertyLists { settings(list).forEach(add) }
        for field in project.resources.interfaces.flatMap(\.fields) where field.isSecure && field.element != "textView"
        {
            guard let words = SecretWords(name: "password"), LiteralSecret.isSecret(field.text, named: words) else {
                continue
            }
            add(Self.finding("the text of a secure field", .password, at: field.place))
        }
        for file in project.resources.constants {
            let own = constants(file)
            if !own.isEmpty, !Self.isSample(file.path, project) { own.forEach(add) }
        }
        return found.values.sorted { $0.place < $1.place }.oncePerLine()
    }

    // MARK: Properties

    private func property(_ property: Property) -> Finding? {
        if let bytes = bytes(of: property) ?? keyOfCipher(property) { return bytes }
        guard !property.isComputed, let literal = property.value.flatMap({ Self.literal(in: $0) }),
            !Self.isForTrying(property.owner ?? "", property.file)
        else { return nil }
        if let what = LiteralSecret.known(literal) {
            return Finding(
                Self.description.id, at: property.place,
                "The literal is \(what), in everyone's copy of the app.", certainty: .sure)
        }
        // A type for the names of keys has no random ones.
        guard !Self.holdsNames(property.owner ?? "", property.file) || LiteralSecret.looksRandom(literal),
            let words = SecretWords(name: property.name), !words.isWeak || LiteralSecret.looksRandom(literal),
            LiteralSecret.isSecret(literal, named: words),
            !PublicKeys.isPublic(property.name, property.owner ?? "", property.file)
        else { return nil }
        return Self.finding(property.name, words.kind, at: property.place)
    }

    /// A private sample such as `000000` that nothing of its file names any more.
    private static func isUnused(_ property: Property, _ project: ProjectModel) -> Bool {
        guard property.modifiers.contains(where: { $0 == "private" || $0 == "fileprivate" }),
            SecretWords(name: property.name)?.kind == .pin, let text = property.value?.literal,
            Set(text).count == 1 || "01234567890".contains(text), let file = project.swift(property.file)
        else { return false }
        var isNamed = false
        let functions = file.functions + file.types.flatMap(\.functions)
        for function in functions where function.kind != .initialValue || function.name != property.name {
            function.body.visitNames { name, _ in if name == property.name { isNamed = true } }
            function.body.visit { if $0.lastName == property.name { isNamed = true } }
        }
        for other in file.types.flatMap(\.properties) + file.variables where other.name != property.name {
            other.value?.visit { if $0.lastName == property.name { isNamed = true } }
        }
        return !isNamed
    }

    /// `let encryptionKey: [UInt8] = [1, 2, 3, ...]`
    private func bytes(of property: Property) -> Finding? {
        guard case .array(let values)? = property.value?.withoutCasts.kind, values.count >= 8,
            values.allSatisfy({ if case .number = $0.kind { true } else { false } }),
            let words = SecretWords(name: property.name), words.kind == .key, !words.isWeak,
            !Self.isForTrying(property.owner ?? "", property.file)
        else { return nil }
        return Self.finding(property.name, words.kind, at: property.place)
    }

    /// `Crypt.DEFAULT_KEY`: in a type that encrypts, a key is one of the cipher, and as long as one.
    private func keyOfCipher(_ property: Property) -> Finding? {
        guard property.isConstant, let owner = property.owner, let text = property.value?.literal,
            SecretWords.words(of: property.name).last == "key", [16, 24, 32].contains(text.utf8.count),
            !text.contains(" "), !text.contains("."), !Self.isForTrying(owner, property.file),
            SecretWords.words(of: owner.split(separator: ".").last ?? "").contains(where: Self.ciphers.contains)
        else { return nil }
        return Self.finding(property.name, .key, at: property.place)
    }

    private static let ciphers: Set<String> = [
        "crypt", "crypto", "cipher", "encryption", "encryptor", "encrypter", "cryptor", "decryptor", "aes", "aes256",
        "cryptography", "encrypt", "des", "rijndael", "chacha",
    ]

    /// The names that messages of ciphers are given as their key: `[Cipher seal:text key:sheetKey]`.
    private static func keysOfCiphers(_ project: ProjectModel) -> Set<String> {
        var names: Set<String> = []
        for file in project.resources.objectiveC {
            for call in file.calls where call.isMessage {
                let parts = call.name.split(separator: ":").map(String.init)
                let words = parts.flatMap { SecretWords.words(of: $0) } + SecretWords.words(of: call.receiver)
                let isCipher = words.contains { word in
                    ciphers.contains(word) || ["encrypt", "decrypt"].contains(where: word.hasPrefix)
                }
                guard isCipher else { continue }
                for (part, argument) in zip(parts, call.arguments) where argument.count == 1 {
                    let token = file.tokens[argument.lowerBound]
                    guard token.kind == .name, SecretWords.words(of: part).last == "key",
                        SecretWords.words(of: token.text).count > 1
                    else { continue }
                    names.insert(token.text)
                }
            }
        }
        return names
    }

    /// The literal that a value is, or is made of alone: `SymmetricKey(data: Data("...".utf8))`, `Array("...".utf8)`.
    static func literal(in value: Expression) -> String? {
        switch value.kind {
        case .text: return value.literal
        case .member(let base?, "utf8"): return literal(in: base)
        case .call(let callee, let arguments):
            if case .member(let base?, "data") = callee.kind { return literal(in: base) }
            let makers: Set<String> = [
                "SymmetricKey", "Data", "Array", "NSData", "String", "NSString", "Secret", "Optional",
            ]
            guard makers.contains(callee.lastName ?? ""), let first = arguments.first?.value else { return nil }
            return literal(in: first)
        case .cast(let inner, _, _), .attempt(let inner): return literal(in: inner)
        case .array(let values): return values.first.flatMap { literal(in: $0) }
        // `passwordField.text ?? "..."`
        case .binary("??", let left, let right)
        where right.literal?.utf8.contains(where: LiteralSecret.Shape.isDigit) == true:
            return left.literal == nil ? right.literal : nil
        case .binary("+", let left, let right):
            guard let first = literal(in: left), let second = literal(in: right) else { return nil }
            return first + second
        default: return nil
        }
    }

    static func finding(_ name: String, _ kind: SecretKind, at place: Place) -> Finding {
        Finding(
            description.id, at: place, "\(name) is \(kind.article) as a literal, in everyone's copy of the app.",
            certainty: .likely)
    }

    /// Types that hold samples for previews and tests.
    static func isForTrying(_ owner: String, _ file: String) -> Bool {
        let words = SecretWords.words(of: owner) + SecretWords.words(of: file.split(separator: "/").last ?? "")
        return words.contains(where: trying.contains)
    }

    /// A type that replaces a service in tests: `MockSession`.
    static func isStandIn(_ owner: String) -> Bool {
        SecretWords.words(of: owner).contains {
            ["mock", "mocks", "mocked", "stub", "preview", "previews"].contains($0)
        }
    }

    private static let trying: Set<String> = [
        "mock", "mocks", "preview", "previews", "fake", "stub", "sample", "samples", "example", "examples",
        "test", "tests", "fixture", "fixtures", "dummy", "demo",
    ]

    /// A function that tries the code and that nothing calls, and a list of stand-ins: `testDerivation`, `dummyRooms`.
    static func isTrial(_ function: Function, _ project: ProjectModel) -> Bool {
        let words = SecretWords.words(of: function.name)
        // `createTestAccounts` makes what is for trying, too.
        let makes = ["create", "make", "add", "load", "insert", "generate", "fill", "populate", "seed", "build"]
            .contains(words.first)
        guard words.first.map(trying.contains) == true || makes && words.dropFirst().contains(where: trying.contains)
        else { return false }
        if function.kind == .initialValue {
            guard case .leave(.return, let value?)? = function.body.first?.kind else { return false }
            if case .array = value.withoutCasts.kind { return true }
            return false
        }
        return function.kind == .function && project.callers(of: function).isEmpty
    }

    /// Types whose constants are names: of storage keys, segues, notifications, texts.
    static func holdsNames(_ owner: String, _ file: String) -> Bool {
        let last = SecretWords.words(of: owner.split(separator: ".").last ?? "").last ?? ""
        return [
            "key", "keys", "identifier", "identifiers", "id", "ids", "names", "name", "segue", "segues", "notification",
            "strings", "string",
            "fields", "field", "parameter", "parameters", "params", "headers", "header", "route", "routes", "paths",
            "localization", "text",
            "texts", "l10n", "column", "columns", "attribute", "attributes", "label", "labels", "title", "titles",
            "event", "events",
        ].contains(last)
    }

    // MARK: Property lists

    private func settings(_ list: PropertyListFile) -> [Finding] {
        list.entries.compactMap { entry in
            guard let text = entry.text else { return nil }
            if let what = LiteralSecret.known(text) {
                return Finding(Self.description.id, at: entry.place, "\(entry.key) is \(what).", certainty: .likely)
            }
            guard let words = SecretWords(name: entry.key), !words.isWeak, LiteralSecret.isSecret(text, named: words),
                words.kind != .password || LiteralSecret.looksRandom(text),
                !PublicKeys.isPublic(entry.key, entry.keys.dropLast().joined(separator: " "), list.path)
            else { return nil }
            return Self.finding(entry.key, words.kind, at: entry.place)
        }
    }

    /// Whether only previews and samples name the file.
    private static func isSample(_ path: String, _ project: ProjectModel) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let bare = name.split(separator: ".").first ?? ""
        guard path.hasSuffix(".json"), !bare.isEmpty else { return false }
        var (isNamed, isTaken) = (false, false)
        for function in project.functions {
            var names = false
            function.body.visit { part in
                if case .text = part.kind, let text = part.literal, text == name || text == bare { names = true }
            }
            guard names else { continue }
            isNamed = true
            if !isForTrying(function.owner ?? "", function.file), !isForTrying(function.name, "") { isTaken = true }
        }
        return isNamed && !isTaken
    }

    /// What a file of settings names after a secret.
    private func constants(_ file: ConstantsFile) -> [Finding] {
        guard !Self.isForTrying("", file.path) else { return [] }
        return file.constants.compactMap { constant in
            if let what = LiteralSecret.known(constant.text) {
                return Finding(
                    Self.description.id, at: constant.place, "\(constant.name) is \(what).", certainty: .likely)
            }
            guard let words = SecretWords(name: constant.name), !words.isWeak,
                LiteralSecret.isSecret(constant.text, named: words),
                words.kind != .password || LiteralSecret.looksRandom(constant.text),
                !PublicKeys.isPublic(constant.name, "", file.path)
            else { return nil }
            return Self.finding(constant.name, words.kind, at: constant.place)
        }
    }

    // MARK: Objective-C

    private func objectiveC(_ file: ObjCFile) -> [Finding] {
        guard !Self.isForTrying("", file.path) else { return [] }
        var findings: [Finding] = []
        func look(_ name: String, _ text: String, _ place: Place) {
            let last = String(name.split(separator: ".").last ?? "")
            guard
                let words = SecretWords(
                    name: last.hasPrefix("k") && last.dropFirst().first?.isUppercase == true
                        ? String(last.dropFirst()) : last),
                !words.isWeak, LiteralSecret.isSecret(text, named: words), !PublicKeys.isPublic(name, "", file.path)
            else { return }
            findings.append(Self.finding(last, words.kind, at: place))
        }
        for constant in file.constants { look(constant.name, constant.text, constant.place) }
        for assignment in file.assignments where assignment.value.count == 1 {
            if file.tokens[assignment.value.lowerBound].kind == .text {
                look(assignment.target, file.tokens[assignment.value.lowerBound].text, assignment.place)
            }
        }
        for call in file.calls where call.isMessage {
            if call.name.hasPrefix("isEqual"), let argument = call.arguments.first, let text = file.literal(argument),
                let compared = file.names(in: call.receiverRange).last
            {
                let name = compared.hasSuffix(".text") ? String(compared.dropLast(5)) : compared
                look(name, text, call.place)
                if let words = SecretWords(name: name.split(separator: ".").last ?? ""), words.isWeak,
                    words.kind == .password, text.utf8.contains(where: LiteralSecret.Shape.isDigit),
                    LiteralSecret.isSecret(text, named: words)
                {
                    findings.append(Self.finding(name, words.kind, at: call.place))
                }
            }
            for (part, argument) in zip(call.name.split(separator: ":"), call.arguments) where argument.count == 1 {
                let token = file.tokens[argument.lowerBound]
                guard token.kind == .text else { continue }
                let words = SecretWords.words(of: part).filter { !["with", "using", "set"].contains($0) }
                // `passwordForService:` is given the service.
                guard !words.dropFirst().contains(where: SecretVocabularyNames.leads) else { continue }
                look(
                    words.joined(separator: "_"), token.text,
                    Place(file: file.path, line: token.line, column: token.column))
            }
        }
        for token in file.tokens where token.kind == .text {
            guard let what = LiteralSecret.known(token.text) else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: Place(file: file.path, line: token.line, column: token.column),
                    "The literal is \(what), in everyone's copy of the app.", certainty: .sure))
        }
        return findings + comparedNumbers(file)
    }

    /// `code == 8848` in a method that checks.
    private func comparedNumbers(_ file: ObjCFile) -> [Finding] {
        file.methods.flatMap { method -> [Finding] in
            guard SecretLiterals.checks(method.name) else { return [] }
            return method.body.dropLast(2).compactMap { position in
                let (name, number) = (file.tokens[position], file.tokens[position + 2])
                guard file.tokens[position + 1].text == "==", name.kind == .name, number.kind == .number,
                    SecretLiterals.isCode(name.text, number.text)
                else { return nil }
                return Self.finding(name.text, .pin, at: Place(file: file.path, line: name.line, column: name.column))
            }
        }
    }
}
