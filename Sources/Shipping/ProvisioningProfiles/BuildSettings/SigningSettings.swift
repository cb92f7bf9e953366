// SPDX-License-Identifier: Apache-2.0

/// The build settings of one target in one configuration, as far as signing goes.
public struct SigningSettings: Sendable, Equatable {
    /// The target; empty for an .xcconfig file, which belongs to none.
    public let target: String
    /// `Debug` or `Release` for example; empty where the source does not say.
    public let configuration: String
    /// Where they stand: a file's path.
    public let path: String
    /// Every setting, variables replaced where they are known.
    public let values: [String: String]

    /// `PROVISIONING_PROFILE_SPECIFIER`, else the older `PROVISIONING_PROFILE`; nil where empty.
    public var profileSpecifier: String? { value("PROVISIONING_PROFILE_SPECIFIER") ?? value("PROVISIONING_PROFILE") }
    /// `CODE_SIGN_IDENTITY`; nil where empty.
    public var identity: String? { value("CODE_SIGN_IDENTITY") }
    /// `CODE_SIGN_ENTITLEMENTS`, relative to the project's folder; nil where empty.
    public var entitlementsPath: String? { value("CODE_SIGN_ENTITLEMENTS") }
    /// `DEVELOPMENT_TEAM`; nil where empty.
    public var team: String? { value("DEVELOPMENT_TEAM") }
    /// `PRODUCT_BUNDLE_IDENTIFIER`; nil where empty or with variables that are not known.
    public var bundleIdentifier: String? { value("PRODUCT_BUNDLE_IDENTIFIER").flatMap { $0.contains("$") ? nil : $0 } }

    /// Whether Xcode chooses profile and certificate itself: `CODE_SIGN_STYLE`, which is automatic where nothing says
    /// otherwise and no profile is named.
    public var isAutomatic: Bool {
        switch value("CODE_SIGN_STYLE") {
        case "Automatic": true
        case "Manual": false
        default: profileSpecifier == nil
        }
    }

    private func value(_ name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }
}
