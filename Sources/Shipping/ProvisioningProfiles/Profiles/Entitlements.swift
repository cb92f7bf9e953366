// SPDX-License-Identifier: Apache-2.0

/// Entitlements of a profile (allowed) or of signed code (requested).
public struct Entitlements: Sendable, Equatable {
    /// Every entitlement by its key.
    public let values: [String: PropertyList]

    /// Entitlements with these values.
    public init(_ values: [String: PropertyList]) { self.values = values }

    /// Team or legacy prefix, and bundle identifier or a pattern ending in `*`.
    public var applicationIdentifier: String? {
        (values[Key.applicationIdentifier] ?? values[Key.macApplicationIdentifier])?.string
    }
    /// The team.
    public var teamIdentifier: String? { values[Key.teamIdentifier]?.string }
    /// The keychain access groups in order; items that name none go to the first one.
    public var keychainAccessGroups: [String]? { values[Key.keychainAccessGroups]?.strings }
    /// Whether a debugger may attach.
    public var allowsDebugging: Bool {
        (values[Key.getTaskAllow] ?? values[Key.macGetTaskAllow])?.boolean ?? false
    }
    /// The protection class of files that name none, an `NSFileProtection` constant.
    public var defaultDataProtection: String? { values[Key.defaultDataProtection]?.string }

    enum Key {
        static let applicationIdentifier = "application-identifier"
        static let macApplicationIdentifier = "com.apple.application-identifier"
        static let teamIdentifier = "com.apple.developer.team-identifier"
        static let keychainAccessGroups = "keychain-access-groups"
        static let getTaskAllow = "get-task-allow"
        static let macGetTaskAllow = "com.apple.security.get-task-allow"
        static let defaultDataProtection = "com.apple.developer.default-data-protection"
    }
}
