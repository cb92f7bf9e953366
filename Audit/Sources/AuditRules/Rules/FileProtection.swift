// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R6: a confidential file or database is written without a protection class, and the app has no default class.
package struct FileProtection: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "file-protection", category: "R6", title: "A confidential file has no protection class",
        explanation: """
            What is written without a class can be read from the first unlock after a restart on, while the device is locked too. The rule fires where a secret flows into a file that is written without one, or where \
            a database that secrets go into is opened without one. It doesn't fire if the entitlements give a default class (complete or complete unless open), if the class is set on the file in the same function, \
            or if the file holds nothing confidential.
            """,
        masvs: "MASVS-STORAGE-1", cwe: 311,
        plainRemedy: """
            try data.write(to: url, options: [.atomic, .completeFileProtection])
            """,
        zamokRemedy: """
            try ProtectedFileStore().write(data, to: url, protection: .complete)
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        if let given = project.resources.defaultDataProtection, given.hasPrefix("NSFileProtectionComplete"),
            given != "NSFileProtectionCompleteUntilFirstUserAuthentication"
        {
            return []
        }
        let flows = Flows(project)
        return (files(project, flows) + databases(project, flows)).sorted { $0.place < $1.place }
    }

    private func files(_ project: ProjectModel, _ flows: Flows) -> [Finding] {
        var findings: [Finding] = []
        for write in Files().writes(in: project, flows: flows) where write.isFile {
            guard let function = write.function, let secret = confidential(write, flows),
                !Files.isProtected(write, flows)
            else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: write.place,
                    "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is written to \(write.store), which has no protection class.",
                    chain: secret.steps + [Step("\(function.name) writes it without a class", at: write.place)],
                    certainty: secret.certainty,
                    fix: write.protectionFix))
        }
        return findings
    }

    /// What flows into the file, or what its name says of it.
    private func confidential(_ write: Write, _ flows: Flows) -> Secret? {
        guard let function = write.function else { return nil }
        for value in write.values {
            if let secret = flows.secret(in: value, of: function) { return secret }
        }
        guard let name = write.key, let last = name.split(separator: "/").last,
            let words = SecretWords(name: String(last))
        else { return nil }
        if let value = write.values.first, Harmless.isValue(value, flows.project.scope(of: function)) { return nil }
        return Secret(
            kind: words.kind, name: String(last), steps: [Step("the file is called \(last)", at: write.place)])
    }

    /// An app with many databases has them for many things: the one nearest to what is written counts.
    private static func nearest(_ calls: [CallSite], to file: String) -> [CallSite] {
        let sorted = calls.sorted { $0.place < $1.place }
        guard Set(sorted.map(\.place.file)).count > 3 else { return sorted }
        func shared(_ call: CallSite) -> Int {
            zip(call.place.file.split(separator: "/"), file.split(separator: "/")).prefix { $0 == $1 }.count
        }
        let best = sorted.max { (shared($0), $1.place.file.utf8.count) < (shared($1), $0.place.file.utf8.count) }
        return sorted.filter { $0.place.file == best?.place.file }
    }

    /// Places that open a store into which secrets are known to go.
    private func databases(_ project: ProjectModel, _ flows: Flows) -> [Finding] {
        var findings: [Finding] = []
        for (store, opener) in DatabaseOpener.all {
            let writes = store.writes(in: project, flows: flows)
            guard
                let (write, secret) = writes.lazy.compactMap({ write in
                    SecretsInStores.secret(of: write, flows).map { (write, $0) }
                }).first
            else { continue }
            let isKeyed = store is RealmStore ? RealmStore.protection(project) : { _ in false }
            // One function that opens it in several ways is one defect.
            var seen = Set<ObjectIdentifier>()
            for call in Self.nearest(opener.calls(in: project, flows), to: write.place.file)
            where !isKeyed(call.caller.file) && seen.insert(ObjectIdentifier(call.caller)).inserted {
                let note = "\(secret.kind.article) (\(secret.name)) goes into \(write.store) here"
                findings.append(
                    Finding(
                        Self.description.id, at: call.place,
                        "The store that holds \(secret.kind.article) is opened without a protection class.",
                        chain: secret.steps + [
                            Step(note, at: write.place), Step("the store is opened without a class", at: call.place),
                        ]))
            }
        }
        return findings
    }
}

/// How a kind of database is opened, and what gives its files a class.
struct DatabaseOpener {
    var names: [String]
    /// A label that the call must have, if any.
    var label: String?
    /// Names anywhere in the project that give the class.
    var protections: Set<String>

    static let all: [(any Store, DatabaseOpener)] = [
        (
            CoreDataStore(),
            DatabaseOpener(
                names: ["NSPersistentContainer", "NSPersistentCloudKitContainer", "addPersistentStore"], label: nil,
                protections: ["NSPersistentStoreFileProtectionKey"])
        ),
        (SwiftDataStore(), DatabaseOpener(names: ["ModelContainer"], label: nil, protections: [])),
        (RealmStore(), DatabaseOpener(names: ["Realm"], label: nil, protections: [])),
        (
            SQLStores(),
            DatabaseOpener(
                names: ["Connection", "FMDatabase", "FMDatabaseQueue", "DatabaseQueue", "DatabasePool"], label: nil,
                protections: [])
        ),
        (DocumentStores(), DatabaseOpener(names: ["YapDatabase"], label: nil, protections: [])),
    ]

    func calls(in project: ProjectModel, _ flows: Flows) -> [CallSite] {
        let setsClass: Set<String> = protections.union(["protectionKey", "fileProtection", "NSFileProtectionKey"])
        return names.flatMap { project.calls(to: $0) }.filter { call in
            guard project.declared(call.name) == nil, !isInMemory(call),
                call.name.first?.isUppercase == true || project.targets(of: call).isEmpty
            else { return false }
            var isSet = false
            call.caller.body.visit { part in if let name = part.lastName, setsClass.contains(name) { isSet = true } }
            return !isSet
        }
    }
}

extension DatabaseOpener {
    /// A database that has no file, or one for tests.
    private func isInMemory(_ call: CallSite) -> Bool {
        if call.plainArguments.isEmpty, ["DatabaseQueue", "DatabasePool", "Connection"].contains(call.name) {
            return true
        }
        var found = false
        for argument in call.plainArguments {
            argument.value.visit { part in
                let words = (part.literal ?? part.lastName).map { SecretWords.words(of: $0) } ?? []
                if words.contains("memory") || words.contains("inmemory") || words.contains("testing") { found = true }
            }
        }
        return found
    }
}

extension Files {
    /// By the call that a write was made from.
    static func isProtected(_ write: Write, _ flows: Flows) -> Bool {
        write.call.map { isProtected($0, flows) } ?? false
    }
}

extension Write {
    /// `options: .atomic` and no options get the class; other forms have no place for it.
    var protectionFix: [Edit] {
        guard let call, call.caller.file.hasSuffix(".swift") else { return [] }
        if call.name == "createFile" { return Changes.protectedFile(call) }
        if call.argument("encoding") != nil { return Changes.protectedText(call) }
        guard call.name == "write", let target = call.argument("to") else { return [] }
        let file = call.caller.file
        if let options = call.argument("options") {
            guard case .member(nil, "atomic") = options.kind else { return [] }
            return [
                Edit(
                    file: file, range: Int(options.span.start)..<Int(options.span.end),
                    text: "[.atomic, .completeFileProtection]")
            ]
        }
        guard call.plainArguments.count == 1, call.argument("atomically") == nil else { return [] }
        return [
            Edit(
                file: file, range: Int(target.span.end)..<Int(target.span.end),
                text: ", options: .completeFileProtection")
        ]
    }
}
