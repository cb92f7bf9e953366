// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// What settings mean to Xcode when it signs.
extension SigningSettings {
    private static let platforms: [String: Platform] = [
        "iphoneos": .iOS, "macosx": .macOS, "appletvos": .tvOS, "watchos": .watchOS, "xros": .visionOS,
    ]

    /// Nil if the source doesn't name one.
    var platform: Platform? { Self.platforms[sdk] }

    /// Whether a profile is chosen by name, not by Xcode.
    package var namesProfile: Bool { isSigned && !isAutomatic && profileSpecifier != nil }

    /// Whether Xcode signs at all.
    var isSigned: Bool {
        flag("CODE_SIGNING_ALLOWED") != false && !(flag("CODE_SIGNING_REQUIRED") == false && identity == nil)
    }

    /// Whether `-`, no certificate, is sufficient: on the Mac, and where a setting allows it.
    var allowsNoCertificate: Bool {
        identity == "-" && (platform == .macOS || flag("AD_HOC_CODE_SIGNING_ALLOWED") == true)
    }

    /// Whether this target can't be signed without a profile.
    var needsProfile: Bool {
        guard platform != .macOS, !allowsNoCertificate, !sdk.hasSuffix("simulator") else { return false }
        guard flag("PROVISIONING_PROFILE_REQUIRED") != false else { return false }
        return values["PRODUCT_TYPE"].map(Self.isSigned(product:)) ?? true
    }

    private static let signedProducts = [
        "application", "app-extension", "watchkit", "extensionkit-extension", "messages", "tv-app-extension",
        "system-extension", "driver-extension", "xpc-service",
    ]

    /// Whether the product is signed with a profile and shipped. Tests that run in an app of their own are not shipped.
    static func isSigned(product: String) -> Bool {
        signedProducts.contains { product.hasPrefix("com.apple.product-type.\($0)") }
    }

    /// Whether a build step may write the entitlements file.
    var mayWriteEntitlements: Bool { flag("CODE_SIGN_ALLOW_ENTITLEMENTS_MODIFICATION") == true }

    /// A path in a setting: relative to the project's folder, or to the folder of the file itself.
    func resolve(_ path: String) -> String {
        // Settings printed on one machine may be checked on another, which only has the file's own folder.
        let own = PathText(self.path).deletingLastPathComponent
        let folders = [values["SRCROOT"], own.isEmpty ? "." : own].compactMap(\.self)
        let candidates = path.hasPrefix("/") ? [path] : folders.map { "\($0)/\(path)" }
        let found = candidates.lazy.compactMap { FileLookup($0)?.path }.first ?? candidates[0]
        // Relative if the path of the settings file is relative.
        let here = FileManager.default.currentDirectoryPath + "/"
        return !self.path.hasPrefix("/") && found.hasPrefix(here) ? String(found.dropFirst(here.count)) : found
    }

    private func flag(_ name: String) -> Bool? { Self.flag(values[name]) }

    /// Whether Xcode reads a value as yes or as no; nil for neither.
    static func flag(_ value: String?) -> Bool? {
        switch value?.lowercased() {
        case "yes", "y", "true", "t", "1": true
        case "no", "n", "false", "f", "0": false
        default: nil
        }
    }

    /// Entitlements with those references replaced that Xcode replaces when it signs.
    func expanding(_ list: PropertyList, _ profile: ProvisioningProfile?) -> (list: PropertyList, steps: Int) {
        var given = values
        given["AppIdentifierPrefix"] = profile?.applicationIdentifierPrefixes.first.map { "\($0)." }
        given["TeamIdentifierPrefix"] = (team ?? profile?.teamIdentifier).map { "\($0)." }
        given["CFBundleIdentifier"] = bundleIdentifier
        // A value with too many references stays as far as it was expanded: the settings themselves were refused for
        // it before.
        var expander = SettingsExpander([SettingsLevel(given)], SettingsContext())
        let expanded = expander.expanding(list)
        guard case .dictionary(var entitlements) = expanded, let profile else { return (expanded, expander.total) }
        // These have one value for development and one for distribution, and Xcode signs with the profile's.
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
    /// Whether software for macOS needs a profile for an entitlement: Apple's capabilities and keychain groups. The
    /// sandbox, the hardened runtime and app groups, which the Mac recognizes by the team, need none.
    static func isRestricted(_ key: String) -> Bool {
        key.hasPrefix("com.apple.developer.") || key == Entitlements.Key.keychainAccessGroups
            || key == "aps-environment"
    }
}
