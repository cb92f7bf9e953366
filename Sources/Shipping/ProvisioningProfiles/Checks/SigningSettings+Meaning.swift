// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What settings mean to Xcode when it signs.
extension SigningSettings {
    private static let platforms: [String: Platform] = [
        "iphoneos": .iOS, "macosx": .macOS, "appletvos": .tvOS, "watchos": .watchOS, "xros": .visionOS,
    ]

    /// Nil where the source does not say.
    var platform: Platform? { Self.platforms[sdk] }

    /// Whether a profile is chosen by name, and not by Xcode.
    package var namesProfile: Bool { isSigned && !isAutomatic && profileSpecifier != nil }

    /// Whether Xcode signs at all.
    var isSigned: Bool {
        flag("CODE_SIGNING_ALLOWED") != false && !(flag("CODE_SIGNING_REQUIRED") == false && identity == nil)
    }

    /// Whether `-`, no certificate, is enough: on the Mac, and where somebody says so.
    var allowsNoCertificate: Bool {
        identity == "-" && (platform == .macOS || flag("AD_HOC_CODE_SIGNING_ALLOWED") == true)
    }

    /// Whether nothing of this target can be signed without a profile.
    var needsProfile: Bool {
        guard platform != .macOS, !allowsNoCertificate, !sdk.hasSuffix("simulator") else { return false }
        guard flag("PROVISIONING_PROFILE_REQUIRED") != false else { return false }
        return values["PRODUCT_TYPE"].map(Self.isSigned(product:)) ?? true
    }

    private static let signedProducts = [
        "application", "app-extension", "watchkit", "extensionkit-extension", "messages", "tv-app-extension",
        "system-extension", "driver-extension", "xpc-service",
    ]

    /// Whether what is built is signed with a profile and shipped. Tests that run in an app of their own are not shipped.
    static func isSigned(product: String) -> Bool {
        signedProducts.contains { product.hasPrefix("com.apple.product-type.\($0)") }
    }

    /// Whether a step of the build may make the entitlements file.
    var mayWriteEntitlements: Bool { flag("CODE_SIGN_ALLOW_ENTITLEMENTS_MODIFICATION") == true }

    /// A path of a setting: relative to the folder that holds the project, or to that of the file itself.
    func resolve(_ path: String) -> String {
        // Settings printed on one machine may be checked on another, where only the file's own folder is there.
        let own = (self.path as NSString).deletingLastPathComponent
        let folders = [values["SRCROOT"], own.isEmpty ? "." : own].compactMap(\.self)
        let candidates = path.hasPrefix("/") ? [path] : folders.map { "\($0)/\(path)" }
        let found = candidates.lazy.compactMap { FilePlace($0)?.path }.first ?? candidates[0]
        // Told from where the file of the settings is told from.
        let here = FileManager.default.currentDirectoryPath + "/"
        return !self.path.hasPrefix("/") && found.hasPrefix(here) ? String(found.dropFirst(here.count)) : found
    }

    private func flag(_ name: String) -> Bool? { Self.flag(values[name]) }

    /// Whether a value is what Xcode takes for yes, or for no; nil for neither.
    static func flag(_ value: String?) -> Bool? {
        switch value?.lowercased() {
        case "yes", "y", "true", "t", "1": true
        case "no", "n", "false", "f", "0": false
        default: nil
        }
    }

    /// Entitlements with the references replaced that Xcode replaces when it signs.
    func expanding(_ list: PropertyList, _ profile: ProvisioningProfile?) -> (list: PropertyList, steps: Int) {
        var given = values
        given["AppIdentifierPrefix"] = profile?.applicationIdentifierPrefixes.first.map { "\($0)." }
        given["TeamIdentifierPrefix"] = (team ?? profile?.teamIdentifier).map { "\($0)." }
        given["CFBundleIdentifier"] = bundleIdentifier
        // What refers to others too often stays as far as it came: the settings themselves were refused for it before.
        var expander = SettingsExpander([SettingsLevel(given)], SettingsContext())
        let expanded = expander.expanding(list)
        guard case .dictionary(var entitlements) = expanded, let profile else { return (expanded, expander.total) }
        // Of these there is one for development and one for distribution, and Xcode signs with the profile's.
        for key in ["aps-environment", "com.apple.developer.aps-environment"] where entitlements[key] != nil {
            if let own = profile.entitlements.values[key] { entitlements[key] = own }
        }
        return (.dictionary(entitlements), expander.total)
    }
}

extension SettingsExpander {
    fileprivate mutating func expanding(_ list: PropertyList) -> PropertyList {
        switch list {
        case .string(let text): return .string(expanding(text).text)
        case .array(let values): return .array(values.map { expanding($0) })
        case .dictionary(let values): return .dictionary(values.mapValues { expanding($0) })
        default: return list
        }
    }
}

extension EntitlementMatch {
    /// Whether software for macOS needs a profile for an entitlement: Apple's capabilities and keychain groups. The sandbox, the hardened
    /// runtime and groups of apps, which the Mac knows by the team, need none.
    static func isRestricted(_ key: String) -> Bool {
        key.hasPrefix("com.apple.developer.") || key == Entitlements.Key.keychainAccessGroups
            || key == "aps-environment"
    }
}
