// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The content of a provisioning profile, with every documented key typed and all others kept. Its trust depends on the
/// type that holds it: ``UnverifiedProfile``, ``VerifiedProfile`` or ``CustomVerifiedProfile``.
public struct ProvisioningProfile: Sendable, Equatable {
    /// `Name`, chosen by the developer; `PROVISIONING_PROFILE_SPECIFIER` refers to it.
    public let name: String
    /// `UUID`, unchanged from the file. Profiles are installed under it.
    public let uuid: String
    /// `AppIDName`; profiles of the first years have none.
    public let appIDName: String?
    /// `Version` of the format; 1 since 2012.
    public let version: Int?
    /// `TeamIdentifier`.
    public let teamIdentifiers: [String]
    /// `TeamName`: a company or a person.
    public let teamName: String?
    /// `ApplicationIdentifierPrefix`; the team, except in apps of the first years.
    public let applicationIdentifierPrefixes: [String]
    /// `Platform`; empty in profiles of the first years.
    public let platforms: [Platform]
    /// `CreationDate`.
    public let creationDate: Date
    /// `ExpirationDate`: apps with this profile don't start after it.
    public let expirationDate: Date
    /// `TimeToLive` in days.
    public let timeToLiveInDays: Int?
    /// `IsXcodeManaged`: made by automatic signing.
    public let isXcodeManaged: Bool
    /// `ProvisionsAllDevices`: enterprise or Developer ID.
    public let provisionsAllDevices: Bool
    /// `ProvisionedDevices`: identifiers of registered devices; nil if the key is missing.
    public let provisionedDevices: [String]?
    /// `DeveloperCertificates`: the certificates that may sign.
    public let developerCertificates: [DeveloperCertificate]
    /// `Entitlements`: what an app with this profile may be signed with.
    public let entitlements: Entitlements
    /// `PPQCheck`: the device asks Apple at first start.
    public let requiresOnlineCheck: Bool?
    /// `LocalProvision`: made on the machine for local use.
    public let isLocal: Bool?
    /// `DER-Encoded-Profile`: a second, stronger signed copy, in profiles of 2025 and later.
    public let derCopy: [UInt8]?
    /// Keys without documentation here.
    public let otherKeys: [String: PropertyList]

    /// Every key of the property list, the source of the typed ones above.
    let values: [String: PropertyList]
}

extension ProvisioningProfile {
    /// The application identifier with its prefix; may end in `*`.
    public var applicationIdentifier: String? { entitlements.applicationIdentifier }

    /// The team: `TeamIdentifier`, otherwise the entitlement.
    public var teamIdentifier: String? { teamIdentifiers.first ?? entitlements.teamIdentifier }

    /// Whether the profile has expired at `date`.
    public func isExpired(at date: Date) -> Bool { date >= expirationDate }

    /// Whole days until the expiry; negative after it.
    public func daysLeft(at date: Date) -> Int {
        Int((expirationDate.timeIntervalSince(date) / 86_400).rounded(.down))
    }
}

extension ProvisioningProfile {
    /// Reads the typed keys from a profile's property list.
    ///
    /// - Throws: ``ProfileError`` with code `profileKey`, naming the key.
    init(_ list: PropertyList) throws(ProfileError) {
        guard let values = list.dictionary else {
            throw ProfileError(.profileKey, "a profile that is not a dictionary")
        }
        var keys = ProfileKeys(values)
        name = try keys.required("Name", \.string)
        uuid = try keys.required("UUID", \.string)
        creationDate = try keys.required("CreationDate", \.date)
        expirationDate = try keys.required("ExpirationDate", \.date)
        entitlements = Entitlements(try keys.required("Entitlements", \.dictionary))
        appIDName = try keys.optional("AppIDName", \.string)
        version = try keys.optional("Version", \.integer).flatMap { Int(exactly: $0) }
        teamIdentifiers = try keys.optional("TeamIdentifier", \.strings) ?? []
        teamName = try keys.optional("TeamName", \.string)
        applicationIdentifierPrefixes = try keys.optional("ApplicationIdentifierPrefix", \.strings) ?? []
        platforms = (try keys.optional("Platform", \.strings) ?? []).map(Platform.init)
        timeToLiveInDays = try keys.optional("TimeToLive", \.integer).flatMap { Int(exactly: $0) }
        isXcodeManaged = try keys.optional("IsXcodeManaged", \.boolean) ?? false
        provisionsAllDevices = try keys.optional("ProvisionsAllDevices", \.boolean) ?? false
        provisionedDevices = try keys.optional("ProvisionedDevices", \.strings)
        developerCertificates = try keys.certificates()
        requiresOnlineCheck = try keys.optional("PPQCheck", \.boolean)
        isLocal = try keys.optional("LocalProvision", \.boolean)
        derCopy = try keys.optional("DER-Encoded-Profile", \.data)
        otherKeys = keys.remaining
        self.values = values
    }
}

/// Returns keys and records which were requested.
private struct ProfileKeys {
    private let values: [String: PropertyList]
    private(set) var remaining: [String: PropertyList]

    init(_ values: [String: PropertyList]) {
        self.values = values
        remaining = values
    }

    mutating func optional<Value>(
        _ key: String, _ type: KeyPath<PropertyList, Value?>
    ) throws(ProfileError) -> Value? {
        remaining[key] = nil
        guard let list = values[key] else { return nil }
        guard let value = list[keyPath: type] else {
            throw ProfileError(.profileKey, "the profile's key \(key) has another type than Apple's")
        }
        return value
    }

    mutating func required<Value>(
        _ key: String, _ type: KeyPath<PropertyList, Value?>
    ) throws(ProfileError) -> Value {
        guard let value = try optional(key, type) else {
            throw ProfileError(.profileKey, "the profile has no key \(key)")
        }
        return value
    }

    mutating func certificates() throws(ProfileError) -> [DeveloperCertificate] {
        let list = try optional("DeveloperCertificates", \.array) ?? []
        let encoded = list.compactMap(\.data)
        guard encoded.count == list.count else {
            throw ProfileError(.profileKey, "the profile's key DeveloperCertificates has another type than Apple's")
        }
        return encoded.map(DeveloperCertificate.init)
    }
}
