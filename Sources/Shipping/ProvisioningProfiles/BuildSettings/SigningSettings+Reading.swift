// SPDX-License-Identifier: Apache-2.0

import Foundation

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
        let bytes = try OpenFile(path).readAll(limit: maximumJSONSize, "build settings in JSON")
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
