// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// The signing-related build settings of one target in one configuration for one SDK.
public struct SigningSettings: Sendable, Equatable {
    /// The target; empty for an .xcconfig file, which belongs to none.
    public let target: String
    /// For example, `Debug` or `Release`; empty if the source doesn't name one.
    public let configuration: String
    /// The SDK to which they apply, without its version: `iphoneos`, `macosx`, `appletvos`, `watchos`, `xros` and
    /// others. Empty if the source doesn't name one.
    public let sdk: String
    /// The path of their file.
    public let path: String
    /// Every setting as in Xcode, with conditions evaluated and `$(inherited)` and references replaced. An undefined
    /// reference in brackets is empty; a bare `$NAME` stays unchanged.
    public let values: [String: String]

    /// The .xcconfig files that contribute, including those looked for but missing: a change to any of them can change
    /// any setting.
    public internal(set) var files: [String] = []
    /// The required files that are missing, so that what they would set is unknown. Files that CocoaPods writes at
    /// installation are not included: they don't concern signing.
    public internal(set) var missingFiles: [String] = []

    /// By setting: the undefined names on which it depends. The environment of a build may define them.
    var undefined: [String: Set<String>] = [:]
    /// Whether the target is also built for other SDKs.
    var isOneOfSeveral = false
    /// The findings from reading them.
    var findings: [Finding] = []

    /// `PROVISIONING_PROFILE_SPECIFIER`, else the older `PROVISIONING_PROFILE`; nil if empty.
    public var profileSpecifier: String? { value("PROVISIONING_PROFILE_SPECIFIER") ?? value("PROVISIONING_PROFILE") }
    /// `CODE_SIGN_IDENTITY`; nil if empty.
    public var identity: String? { value("CODE_SIGN_IDENTITY") }
    /// `CODE_SIGN_ENTITLEMENTS`, relative to the project's folder; nil if empty.
    public var entitlementsPath: String? { value("CODE_SIGN_ENTITLEMENTS") }
    /// `DEVELOPMENT_TEAM`; nil if empty.
    public var team: String? { value("DEVELOPMENT_TEAM") }
    /// `PRODUCT_BUNDLE_IDENTIFIER`; nil if empty or dependent on an undefined name.
    public var bundleIdentifier: String? {
        let name = "PRODUCT_BUNDLE_IDENTIFIER"
        return undefined[name] == nil ? value(name).flatMap { $0.contains("$") ? nil : $0 } : nil
    }

    /// Whether Xcode chooses profile and certificate itself: `CODE_SIGN_STYLE`, which defaults to automatic if no
    /// profile is named.
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
    /// `xcodebuild -showBuildSettings -json`. The file's extension decides.
    ///
    /// - Throws: ``ProfileError`` with a reading code.
    public static func read(contentsOf path: String) throws(ProfileError) -> [SigningSettings] {
        switch PathText(path).pathExtension {
        case "xcodeproj", "pbxproj":
            var project = try ProjectFile(path)
            return try project.settings()
        case "xcconfig": return try fileSettings(path)
        case "json": return try shownSettings(path)
        default: throw ProfileError(.buildSettings, "\(path) is not a project, an .xcconfig file or settings in JSON")
        }
    }

    /// A single file belongs to no target. It is read for each configuration that its conditions name.
    private static func fileSettings(_ path: String) throws(ProfileError) -> [SigningSettings] {
        var budget = DerivationBudget.ofProject
        let file = try ConfigurationFile(contentsOf: path, &budget)
        guard !file.level.settings.isEmpty else {
            throw file.findings.isEmpty
                ? ProfileError(.nothingThere, "\(path) has no setting")
                : ProfileError(.buildSettings, "\(path) has a line that is no setting, and none that is one")
        }
        var sources = SettingsSources(path: path)
        sources.add(file)
        let patterns = file.level.settings.flatMap(\.conditions).filter { $0.parameter == "config" }.map(\.pattern)
        // A pattern represents the configurations that it matches, and matches itself.
        let names = Set(patterns).sorted()
        var found: [SigningSettings] = []
        for name in names.isEmpty ? [""] : names {
            sources.context.configuration = name
            found += try sources.settings(&budget)
        }
        return found
    }

    private struct Shown: Decodable {
        let target: String?
        let buildSettings: [String: String]
    }

    private static let maximumJSONSize = 16 << 20

    private static func shownSettings(_ path: String) throws(ProfileError) -> [SigningSettings] {
        let bytes = try FileBytes(path).readAll(limit: maximumJSONSize, "build settings in JSON")
        do { try JSONMeasure.check(bytes, values: 500_000, containers: 100_000) } catch {
            throw ProfileError(error, failingAs: .buildSettings)
        }
        guard let shown = try? JSONDecoder().decode([Shown].self, from: Data(bytes)) else {
            throw ProfileError(.buildSettings, "\(path) is not what xcodebuild -showBuildSettings -json prints")
        }
        guard shown.contains(where: { !$0.buildSettings.isEmpty }) else {
            throw ProfileError(.nothingThere, "\(path) has no setting")
        }
        return shown.map { entry in
            SigningSettings(
                target: entry.target ?? entry.buildSettings["TARGET_NAME"] ?? "",
                configuration: entry.buildSettings["CONFIGURATION"] ?? "",
                sdk: entry.buildSettings["PLATFORM_NAME"] ?? "", path: path, values: entry.buildSettings)
        }
    }
}
