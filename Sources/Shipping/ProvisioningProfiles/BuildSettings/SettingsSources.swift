// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// What the settings of one target in one configuration are made of.
struct SettingsSources {
    /// The file that they are told of.
    let path: String
    /// Its SDK is found here.
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

    /// One for each SDK that the target is built for, simulators left out: they need no profile.
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
            // What is kept, and each of the findings about it says whose it is.
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

    /// `SUPPORTED_PLATFORMS` says it, else `SDKROOT`; where both are missing, it is each that a condition names.
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

    /// The name of an SDK, a version behind it or not, or the path of one.
    private static func isSDK(_ name: String, of device: String) -> Bool {
        let name = (name as NSString).lastPathComponent.lowercased()
        guard name.hasPrefix(device) else { return false }
        let rest = name.dropFirst(device.count)
        return rest.isEmpty || rest.first?.isNumber == true || rest == ".sdk"
    }

    /// Where nothing names an SDK, the kind of product may; else Xcode takes the Mac's.
    private static func usual(_ product: String) -> String {
        product.contains("watch")
            ? "watchos"
            : product.contains("tv-")
                ? "appletvos"
                : product.contains("messages") ? "iphoneos" : "macosx"
    }
}

extension DerivationBudget {
    /// For all targets, configurations and SDKs of one project together. Real ones of some hundred targets take a fifth.
    static var ofProject: DerivationBudget {
        DerivationBudget("the build settings", steps: 25_000_000, bytes: 64 << 20)
    }

    mutating func takeOfProject(steps: Int = 1, bytes: Int = 0) throws(ProfileError) {
        do { try take(steps: steps, bytes: bytes) } catch { throw ProfileError(error, failingAs: .buildSettings) }
    }
}
