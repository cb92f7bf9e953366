// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// The build settings of one target in one configuration for one SDK, as far as signing goes.
public struct SigningSettings: Sendable, Equatable {
    /// The target; empty for an .xcconfig file, which belongs to none.
    public let target: String
    /// `Debug` or `Release` for example; empty where the source does not say.
    public let configuration: String
    /// The SDK that they hold for, without its version: `iphoneos`, `macosx`, `appletvos`, `watchos` or `xros`; empty where the source does not say.
    public let sdk: String
    /// Where they stand: a file's path.
    public let path: String
    /// Every setting as Xcode finds it: conditions judged, `$(inherited)` and references replaced. What is defined nowhere is empty.
    public let values: [String: String]

    /// The .xcconfig files that they are made of, those too that are looked for and not there: a change of one of them can change any setting.
    public internal(set) var files: [String] = []
    /// Those of the files that have to be there and aren't, so that nobody knows what they would set. What CocoaPods writes when it installs is
    /// not among them: none of it is about signing.
    public internal(set) var missingFiles: [String] = []

    /// By setting: the names it depends on that nothing read defines. The environment of a build may.
    var undefined: [String: Set<String>] = [:]
    /// Whether the target is built for other SDKs too.
    var isOneOfSeveral = false
    /// What was found while they were read.
    var findings: [Finding] = []

    /// `PROVISIONING_PROFILE_SPECIFIER`, else the older `PROVISIONING_PROFILE`; nil where empty.
    public var profileSpecifier: String? { value("PROVISIONING_PROFILE_SPECIFIER") ?? value("PROVISIONING_PROFILE") }
    /// `CODE_SIGN_IDENTITY`; nil where empty.
    public var identity: String? { value("CODE_SIGN_IDENTITY") }
    /// `CODE_SIGN_ENTITLEMENTS`, relative to the project's folder; nil where empty.
    public var entitlementsPath: String? { value("CODE_SIGN_ENTITLEMENTS") }
    /// `DEVELOPMENT_TEAM`; nil where empty.
    public var team: String? { value("DEVELOPMENT_TEAM") }
    /// `PRODUCT_BUNDLE_IDENTIFIER`; nil where empty or where it depends on what is not known.
    public var bundleIdentifier: String? {
        let name = "PRODUCT_BUNDLE_IDENTIFIER"
        return undefined[name] == nil ? value(name).flatMap { $0.contains("$") ? nil : $0 } : nil
    }

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
        case "xcodeproj", "pbxproj":
            var project = try ProjectFile(path)
            return try project.settings()
        case "xcconfig": return try fileSettings(path)
        case "json": return try shownSettings(path)
        default: throw ProfileError(.buildSettings, "\(path) is not a project, an .xcconfig file or settings in JSON")
        }
    }

    /// A file alone belongs to no target. It is read for each configuration that its conditions name.
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
        // A pattern stands for the configurations that it means: it matches itself.
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
