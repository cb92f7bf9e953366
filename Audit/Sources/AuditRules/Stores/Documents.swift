// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Files whose content no name tells: pictures of documents, and files of keys that are copied.
enum Documents {
    // MARK: Pictures

    /// A picture of a document of weight: what is written is a picture, and the code round it says of what.
    static func secret(_ value: Expression, _ write: Write, _ call: CallSite, _ flows: Flows) -> Secret? {
        if let found = loaded(value, call, flows) { return found }
        guard isPicture(value, flows.project.scope(of: call.caller)), !Files.isProtected(call, flows),
            flows.project.resources.defaultDataProtection?.hasPrefix("NSFileProtectionComplete") != true
        else { return nil }
        let function = call.caller
        let parts = function.file.split(separator: "/").suffix(3).map(String.init)
        let names =
            [write.key ?? "", function.name, function.owner ?? ""]
            + function.parameters.flatMap { [$0.label ?? "", $0.name] } + parts
        for name in names {
            guard let kind = kind(of: SecretWords.words(of: name)) else { continue }
            return Secret(
                kind: kind, name: "a picture", steps: [Step("\(name) is about \(kind.article)", at: call.place)])
        }
        return nil
    }

    /// A document that a request brought, in an app of patients, which is kept to be shown: its class or what is
    /// beside it is about reports or prescriptions.
    private static func loaded(_ value: Expression, _ call: CallSite, _ flows: Flows) -> Secret? {
        let function = call.caller
        guard case .name(let name) = value.kind, !Files.isProtected(call, flows),
            flows.project.resources.defaultDataProtection?.hasPrefix("NSFileProtectionComplete") != true,
            isAnswer(name, of: call), hasPatients(flows.project)
        else { return nil }
        let owner = function.owner.flatMap { flows.project.type($0) }
        let names = [function.name, function.owner ?? ""] + (owner.map { Array($0.functions.keys) } ?? [])
        guard let told = names.first(where: { ofPatients(SecretWords.words(of: $0)) }) else { return nil }
        return Secret(
            kind: .health, name: name, steps: [Step("\(told) is about documents of a patient", at: function.place)])
    }

    private static func ofPatients(_ words: [String]) -> Bool {
        words.contains {
            [
                "report", "reports", "prescription", "prescriptions", "ehr", "consult", "econsult", "consultation",
                "diagnosis", "appointment", "patient", "befund", "rezept", "ordonnance", "receta", "receita",
            ].contains($0)
        }
    }

    /// Whether a request gives the name to the closure round the call.
    private static func isAnswer(_ name: String, of call: CallSite) -> Bool {
        var found = false
        let span = call.expression.span
        call.caller.body.visit { part in
            guard !found, case .call(let callee, let arguments) = part.kind, let method = callee.lastName,
                requests.contains(method)
            else { return }
            found = arguments.contains { argument in
                argument.value.closure?.parameters.contains(name) == true && argument.value.span.start < span.start
                    && span.end <= argument.value.span.end
            }
        }
        return found
    }

    private static let requests: Set<String> = [
        "sendAsynchronousRequest", "dataTask", "dataTaskWithRequest", "dataTaskWithURL", "downloadTask", "responseData",
        "getDataInBackground", "download", "getData",
    ]

    /// Whether the app is one of patients and doctors: a handful of its names say so.
    private static func hasPatients(_ project: ProjectModel) -> Bool {
        var count = 0
        for name in project.types.values.map(\.shortName) + project.types.values.flatMap(\.functions.keys) {
            let words = SecretWords.words(of: name)
            if words.contains(where: { ["patient", "patients", "ehr", "prescription", "prescriptions"].contains($0) }) {
                count += 1
                if count > 2 { return true }
            }
        }
        return false
    }

    private static func kind(of words: [String]) -> SecretKind? {
        let words = Set(words)
        if !words.isDisjoint(with: health) || !words.isDisjoint(with: medical) && !words.isDisjoint(with: papers) {
            return .health
        }
        if !words.isDisjoint(with: identity) { return .identity }
        return words.contains("id") && words.contains("card")
            || words.contains("identity") && words.contains("document")
            || !words.isDisjoint(with: ["license", "licence"])
                && !words.isDisjoint(with: ["driver", "drivers", "driving"])
            ? .identity : nil
    }

    private static let health: Set<String> = [
        "prescription", "prescriptions", "insurance", "diagnosis", "xray", "radiology", "mri", "ultrasound", "labs",
    ]
    private static let medical: Set<String> = [
        "medical", "lab", "laboratory", "patient", "health", "clinical", "blood",
    ]
    private static let papers: Set<String> = [
        "report", "reports", "record", "records", "card", "document", "documents", "scan", "scans", "result", "results",
        "test", "tests", "analysis", "booking",
    ]
    private static let identity: Set<String> = ["passport", "kyc", "idcard", "selfie", "identification"]

    private static let encoders: Set<String> = [
        "jpegData", "pngData", "heicData", "UIImageJPEGRepresentation", "UIImagePNGRepresentation",
    ]

    private static func isPicture(_ value: Expression, _ scope: Scope) -> Bool {
        var found = false
        func look(_ expression: Expression, _ depth: Int) {
            expression.visit { part in
                guard !found else { return }
                if let name = part.lastName, encoders.contains(name) { found = true }
                if depth < 2, case .name(let name) = part.kind, let bound = scope.constants[name], bound !== expression
                {
                    look(bound, depth + 1)
                }
            }
        }
        look(value, 0)
        return found
    }

    // MARK: Copies

    /// A file of keys, by its name, that is copied: the copy has no class of its own.
    static func copies(_ project: ProjectModel, _ flows: Flows) -> [Write] {
        (project.calls(to: "copyItem") + project.calls(to: "copyItemAtPath") + project.calls(to: "copyItemAtURL"))
            .compactMap { call in
                let paths = call.plainArguments.prefix(2).map(\.value)
                guard paths.count == 2, !Files.isProtected(call, flows),
                    let name = paths.lazy.compactMap({ keyFile($0, call, project) }).first
                else { return nil }
                var write = Write("a copy of the file", call, values: [], isFile: true)
                write.known = Secret(
                    kind: .key, name: name, steps: [Step("\(name) holds a private key", at: call.place)])
                return write
            }
    }

    private static func keyFile(_ path: Expression, _ call: CallSite, _ project: ProjectModel) -> String? {
        let scope = project.scope(of: call.caller)
        var found: String?
        func look(_ expression: Expression, _ depth: Int) {
            expression.visit { part in
                guard found == nil else { return }
                if let text = part.literal, isKeyFile(text) { found = text }
                guard case .name(let name) = part.kind else { return }
                if isKeyPath(name) { found = name }
                if depth < 2, let bound = scope.constants[name], bound !== expression { look(bound, depth + 1) }
            }
        }
        look(path, 0)
        guard found == nil else { return found }
        // What the loop or the condition round the call selects by the ending.
        let names = Set(paths(in: path))
        call.caller.body.visit { part in
            guard found == nil, case .call(let callee, let arguments) = part.kind, callee.lastName == "hasSuffix",
                case .member(let base?, _) = callee.kind, let root = base.root, names.contains(root),
                let text = arguments.first?.value.literal, isKeyFile(text)
            else { return }
            found = text
        }
        return found
    }

    private static func paths(in expression: Expression) -> [String] {
        var names: [String] = []
        expression.visit { if case .name(let name) = $0.kind { names.append(name) } }
        return names
    }

    private static func isKeyFile(_ text: String) -> Bool {
        let last = text.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if ["identity", "id_rsa", "id_ed25519", "wallet.dat", "keystore", "secret_key", "private_key"].contains(last) {
            return true
        }
        guard let dot = last.lastIndex(of: ".") else { return false }
        return ["pem", "p12", "pfx", "key", "keystore", "jks", "ratchets", "ratchet", "keys"].contains(
            String(last[last.index(after: dot)...]))
    }

    private static let pathWords: Set<String> = ["path", "url", "file", "filename", "source", "src", "from"]

    private static func isKeyPath(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        guard let last = words.last, pathWords.contains(last) else { return false }
        let rest = words.filter { !pathWords.contains($0) }.joined()
        return ["identity", "privatekey", "secretkey", "keystore", "identitykey", "masterkey", "mnemonic", "seed"]
            .contains(rest)
    }
}
