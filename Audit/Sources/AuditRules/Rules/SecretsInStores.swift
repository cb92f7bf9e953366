// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R4: a secret goes into a store that keeps it in clear.
package struct SecretsInStores: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "secret-in-store", category: "R4", title: "A secret is kept where it can be read",
        explanation: """
            A password, a token or a key is written to UserDefaults, a property list, a file, a database, a cookie, an archive or the system's own stores. Backups, other tools and \
            anybody with the unlocked device read it there. The rule follows the value from its source to the write; a wrapper of your own is judged by what it writes to, and one \
            declaration is one finding. Flags, numbers, key names and stores that are encrypted as a whole are fine.
            """,
        masvs: "MASVS-STORAGE-1", cwe: 312,
        plainRemedy: """
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "accessToken",
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecValueData as String: Data(token.utf8),
            ]
            let status = SecItemAdd(query as CFDictionary, nil)
            """,
        zamokRemedy: """
            try keychain.setPassword(token, for: "accessToken", accessibility: .whenUnlockedThisDeviceOnly)
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        let flows = Flows(project)
        var seen = Set<Place>()
        var findings: [Finding] = []
        for write in plainStores.flatMap({ $0.writes(in: project, flows: flows) }) {
            guard let secret = Self.secret(of: write, flows), seen.insert(write.place).inserted else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: write.place,
                    "\(secret.kind.article.capitalizedFirst) (\(secret.name)) is written to \(write.store).",
                    chain: secret.steps + [Step("it is written to \(write.store)", at: write.place)],
                    certainty: secret.certainty))
        }
        return findings.sorted { $0.place < $1.place }
    }

    /// The secret that a write takes, by its declaration, its value or its key.
    static func secret(of write: Write, _ flows: Flows) -> Secret? {
        if let (name, type) = write.declared {
            if let type, Harmless.isType(type, in: flows.project) { return nil }
            guard let kind = SecretWords(name: name)?.kind ?? write.key.flatMap({ SecretWords(name: $0)?.kind })
            else { return nil }
            return Secret(kind: kind, name: name)
        }
        guard let function = write.function else { return nil }
        let flow = flows.of(function)
        for value in write.values {
            if let secret = flows.secret(in: value, of: function) { return secret }
        }
        // The value tells nothing, but the key does: `defaults.set(response.value, forKey: "accessToken")`.
        guard let key = write.key, let kind = SecretWords(name: key)?.kind, !write.isFile,
            let value = write.values.first
        else { return nil }
        if Harmless.isValue(value, flow.scope) { return nil }
        if let type = flow.type(of: value), Harmless.isType(type, in: flows.project) { return nil }
        return Secret(kind: kind, name: key, steps: [Step("its key says that it is \(kind.article)", at: write.place)])
    }
}

extension String {
    /// With its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
