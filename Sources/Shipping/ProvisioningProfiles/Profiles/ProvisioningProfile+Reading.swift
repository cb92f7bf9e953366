// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ProvisioningProfile {
    /// Takes the typed keys out of a profile's property list.
    ///
    /// - Throws: ``ProfileError`` with code `profileKey`, naming the key.
    init(_ list: PropertyList) throws(ProfileError) {
        guard let values = list.dictionary else { throw ProfileError(.profileKey, "a profile that is no dictionary") }
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

/// Hands out keys and remembers which were asked for.
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
