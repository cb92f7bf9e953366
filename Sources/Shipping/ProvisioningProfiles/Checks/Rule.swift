// SPDX-License-Identifier: Apache-2.0

/// One rule of the catalogue (Documentation/ProfileFindings.md).
public struct Rule: Sendable, Hashable {
    /// The stable name in reports.
    public let id: String
    /// How bad breaking it is.
    public let severity: Finding.Severity
    /// What it is about, in one sentence.
    public let title: String
    /// What to do about it.
    public let remedy: String

    init(_ id: String, _ severity: Finding.Severity, _ title: String, remedy: String) {
        self.id = id
        self.severity = severity
        self.title = title
        self.remedy = remedy
    }

    /// Every rule, in the order of the catalogue.
    public static let all: [Rule] = profileRules + codeRules + entitlementRules + shippingRules + settingsRules
}
