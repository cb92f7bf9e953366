// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// One rule: it looks at the whole project and tells the places that leak.
package protocol Rule: Sendable {
    static var description: RuleDescription { get }
    func examine(_ project: ProjectModel) -> [Finding]
}

/// Every rule, in the order in which findings of one place are told.
package let allRules: [any Rule] = [
    SecureEntry(),
    Cover(),
    Validation(),
    SecretsInStores(),
    Clearing(),
    FileProtection(),
    KeychainUse(),
    Signing(),
    Archives(),
    SecretsInLogs(),
    HardcodedSecrets(),
    SecretsOnPasteboard(),
    SecretsInURLs(),
    WeakCryptography(),
    KeyboardCache(),
    TransportSecurity(),
    PrivacyManifests(),
]

extension [Finding] {
    /// What two readings of a file of Objective-C find on one line is found once.
    func oncePerLine() -> [Finding] {
        var seen = Set<String>()
        return filter { finding in
            guard finding.place.file.hasSuffix(".m") || finding.place.file.hasSuffix(".mm") else { return true }
            return seen.insert("\(finding.place.file):\(finding.place.line)").inserted
        }
    }
}
