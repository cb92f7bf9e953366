// SPDX-License-Identifier: Apache-2.0

import Foundation

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
    func settings() throws(ProfileError) -> [SigningSettings] {
        let sdks = try sdks()
        return try sdks.map { (sdk) throws(ProfileError) in
            var context = context
            context.sdk = sdk
            let given = SettingsLevel([
                "CONFIGURATION": context.configuration, "PLATFORM_NAME": sdk,
                "EFFECTIVE_PLATFORM_NAME": sdk == "macosx" ? "" : "-\(sdk)",
            ])
            var expander = SettingsExpander([given] + levels, context)
            let found = try all(&expander)
            return SigningSettings(
                target: context.target, configuration: context.configuration, sdk: sdk, path: path,
                values: found.mapValues(\.text), files: files, missingFiles: missingFiles,
                undefined: found.mapValues(\.undefined).filter { !$0.value.isEmpty },
                isOneOfSeveral: sdks.count > 1, findings: findings)
        }
    }

    private func all(
        _ expander: inout SettingsExpander
    ) throws(ProfileError) -> [String: SettingsExpander.Result] {
        guard let found = expander.all() else {
            throw ProfileError(.tooLarge, "the settings of \(path) refer to each other too often or too deep")
        }
        return found
    }

    private static let devices = ["iphoneos", "macosx", "appletvos", "watchos", "xros", "driverkit"]

    /// `SUPPORTED_PLATFORMS` says it, else `SDKROOT`; where both are missing, it is each that a condition names.
    private func sdks() throws(ProfileError) -> [String] {
        var expander = SettingsExpander(levels, context)
        let found = try all(&expander)
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
