// SPDX-License-Identifier: Apache-2.0

import Foundation

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

extension SigningSettings {
    /// Reads build settings from an `.xcodeproj`, its `project.pbxproj`, an `.xcconfig` file, or the output of
    /// `xcodebuild -showBuildSettings -json`, told apart by the file's name.
    ///
    /// - Throws: ``ProfileError`` with a reading code.
    public static func read(contentsOf path: String) throws(ProfileError) -> [SigningSettings] {
        switch (path as NSString).pathExtension {
        case "xcodeproj", "pbxproj": return try ProjectFile(path).settings()
        case "xcconfig":
            let level = try ConfigurationFile.level(at: path)
            let values = SettingsLevels(levels: [level], configuration: "", given: [:]).resolved()
            return [SigningSettings(target: "", configuration: "", path: path, values: values)]
        case "json": return try shownSettings(path)
        default: throw ProfileError(.buildSettings, "\(path) is no project, .xcconfig file or settings in JSON")
        }
    }

    private struct Shown: Decodable {
        let target: String?
        let buildSettings: [String: String]
    }

    private static let maximumJSONSize = 16 << 20

    private static func shownSettings(_ path: String) throws(ProfileError) -> [SigningSettings] {
        let bytes = try FileBytes(path).readAll(limit: maximumJSONSize, "build settings in JSON")
        guard let shown = try? JSONDecoder().decode([Shown].self, from: Data(bytes)) else {
            throw ProfileError(.buildSettings, "\(path) is not what xcodebuild -showBuildSettings -json prints")
        }
        return shown.map { entry in
            SigningSettings(
                target: entry.target ?? entry.buildSettings["TARGET_NAME"] ?? "",
                configuration: entry.buildSettings["CONFIGURATION"] ?? "", path: path, values: entry.buildSettings)
        }
    }
}
