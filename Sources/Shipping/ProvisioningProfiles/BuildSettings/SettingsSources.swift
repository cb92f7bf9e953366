// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// The sources of the settings of one target in one configuration.
struct SettingsSources {
    /// The file to which findings refer.
    let path: String
    /// `settings(_:)` adds the SDK.
    var context = SettingsContext()
    /// From the lowest to the highest.
    var levels: [SettingsLevel] = []
    var findings: [Finding] = []
    var files: [String] = []
    var missingFiles: [String] = []

    init(path: String) { self.path = path }

    mutating func add(_ file: ConfigurationFile) {
        levels.append(file.level)
        findings += file.findings
        files += file.files
        missingFiles += file.missingFiles
    }

    /// One for each SDK of the target, without simulators, which need no profile.
    func settings(_ budget: inout DerivationBudget) throws(ProfileError) -> [SigningSettings] {
        let sdks = try sdks(&budget)
        var settings: [SigningSettings] = []
        for sdk in sdks {
            var context = context
            context.sdk = sdk
            let given = SettingsLevel([
                "CONFIGURATION": context.configuration, "PLATFORM_NAME": sdk,
                "EFFECTIVE_PLATFORM_NAME": sdk == "macosx" ? "" : "-\(sdk)",
            ])
            let found = try all([given] + levels, context, &budget)
            // The budget covers the kept values; each finding about them repeats the names.
            let names = 16 * (context.target.utf8.count + context.configuration.utf8.count + path.utf8.count)
            let kept = found.reduce(names) { sum, setting in
                sum + 64 + setting.key.utf8.count + setting.value.text.utf8.count + 64 * setting.value.undefined.count
            }
            try budget.takeOfProject(steps: 200 + findings.count, bytes: kept)
            settings.append(
                SigningSettings(
                    target: context.target, configuration: context.configuration, sdk: sdk, path: path,
                    values: found.mapValues(\.text), files: files, missingFiles: missingFiles,
                    undefined: found.mapValues(\.undefined).filter { !$0.value.isEmpty },
                    isOneOfSeveral: sdks.count > 1, findings: findings))
        }
        return settings
    }

    private func all(
        _ levels: [SettingsLevel], _ context: SettingsContext, _ budget: inout DerivationBudget
    ) throws(ProfileError) -> [String: SettingsExpander.Result] {
        for level in levels { try budget.takeOfProject(steps: level.weight(context)) }
        var expander = SettingsExpander(levels, context)
        guard let found = expander.all() else {
            throw ProfileError(.tooLarge, "the settings of \(path) refer to each other too often or too deep")
        }
        try budget.takeOfProject(steps: expander.total)
        return found
    }

    private static let devices = ["iphoneos", "macosx", "appletvos", "watchos", "xros", "driverkit"]

    /// The SDKs from `SUPPORTED_PLATFORMS`, else from `SDKROOT`, else every SDK that a condition names. If there is
    /// none, an empty name for the project itself, and for a target the usual one for its product.
    private func sdks(_ budget: inout DerivationBudget) throws(ProfileError) -> [String] {
        let found = try all(levels, context, &budget)
        func named(_ name: String) -> [String] {
            let words = (found[name]?.text ?? "").split(separator: " ").map(String.init)
            return Self.devices.filter { device in words.contains { Self.isSDK($0, of: device) } }
        }
        let supported = named("SUPPORTED_PLATFORMS")
        var sdks = supported.isEmpty ? named("SDKROOT") : supported
        let isOnMac = SigningSettings.flag(found["SUPPORTS_MACCATALYST"]?.text) == true
        if isOnMac, !sdks.contains("macosx") { sdks.append("macosx") }
        guard sdks.isEmpty else { return sdks }
        let patterns = levels.flatMap(\.settings).flatMap(\.conditions).filter { $0.parameter == "sdk" }.map(\.pattern)
        let conditional = Self.devices.filter { device in patterns.contains { $0.hasPrefix(device) } }
        guard conditional.isEmpty else { return conditional }
        if context.target.isEmpty { return [""] }
        return [Self.usual(found["PRODUCT_TYPE"]?.text ?? "")]
    }

    /// Whether `name` is this SDK: its name, with or without a version, or its path.
    private static func isSDK(_ name: String, of device: String) -> Bool {
        let name = PathText(name).lastPathComponent.lowercased()
        guard name.hasPrefix(device) else { return false }
        let rest = name.dropFirst(device.count)
        return rest.isEmpty || rest.first?.isNumber == true || rest == ".sdk"
    }

    /// The default SDK if nothing names one: by the kind of product, otherwise the Mac's, as in Xcode.
    private static func usual(_ product: String) -> String {
        product.contains("watch")
            ? "watchos"
            : product.contains("tv-")
                ? "appletvos"
                : product.contains("messages") ? "iphoneos" : "macosx"
    }
}

extension DerivationBudget {
    /// For all targets, configurations and SDKs of one project together. Real projects with some hundred targets need
    /// a fifth.
    static var ofProject: DerivationBudget {
        DerivationBudget("the build settings", steps: 25_000_000, bytes: 64 << 20)
    }

    mutating func takeOfProject(steps: Int = 1, bytes: Int = 0) throws(ProfileError) {
        do { try take(steps: steps, bytes: bytes) } catch { throw ProfileError(error, failingAs: .buildSettings) }
    }
}
