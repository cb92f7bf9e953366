// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// A built app with its profile, clean unless a test changes it.
struct AppRecipe {
    var name = "Test.app"
    var bundleIdentifier = "org.example.app"
    var platform = "iPhoneOS"
    var slices: [SliceRecipe]
    var profile: ProfileRecipe?
    /// Instead of what the profile's recipe gives.
    var profileBytes: [UInt8]?
    /// Instead of what the slices give.
    var codeBytes: [UInt8]?
    var nested: [AppRecipe] = []
    var isMac: Bool { platform == "MacOSX" }

    init(_ kind: ProfileKind, bundleIdentifier: String = "org.example.app", platform: String = "iPhoneOS") throws {
        self.bundleIdentifier = bundleIdentifier
        self.platform = platform
        let isMac = platform == "MacOSX"
        let profile = try ProfileRecipe(kind, platform: isMac ? .macOS : .iOS, bundleIdentifier: bundleIdentifier)
        self.profile = profile
        var slice = SliceRecipe(identifier: bundleIdentifier)
        slice.signer = kind == .development ? "development" : kind == .developerID ? "developer-id" : "distribution"
        slice.platform = isMac ? 1 : 2
        var entitlements = profile.entitlements
        let group = "\(ProfileRecipe.team).\(bundleIdentifier)"
        entitlements["keychain-access-groups"] = .array([.string(group)])
        slice.entitlements = entitlements
        slices = [slice]
    }

    /// The bundle's files by their paths inside it.
    func files() throws -> [String: [UInt8]] {
        let root = isMac ? "Contents/" : ""
        let info: [String: PropertyList] = [
            "CFBundleIdentifier": .string(bundleIdentifier), "CFBundleExecutable": .string("Test"),
            "CFBundleSupportedPlatforms": .array([.string(platform)]),
        ]
        var files = ["\(root)Info.plist": PropertyList.dictionary(info).xml]
        let thin = try slices.map { try $0.bytes() }
        files[isMac ? "Contents/MacOS/Test" : "Test"] = codeBytes ?? (thin.count == 1 ? thin[0] : FatFile.bytes(thin))
        if let bytes = try profileBytes ?? profile?.bytes() {
            files[root + (isMac ? "embedded.provisionprofile" : "embedded.mobileprovision")] = bytes
        }
        for bundle in nested {
            for (path, bytes) in try bundle.files() { files["\(root)PlugIns/\(bundle.name)/\(path)"] = bytes }
        }
        return files
    }

    /// Writes the bundle into a folder and returns its path.
    func write(into folder: String) throws -> String {
        let bundle = URL(filePath: folder).appending(path: name)
        for (path, bytes) in try files() {
            let file = bundle.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        return bundle.path
    }

    /// The app as it is read.
    func read() throws -> AppBundle {
        try TemporaryFolder.with { folder in try AppReading(contentsOf: try write(into: folder)).app }
    }

    /// The bundle as an .ipa archive.
    func archive() throws -> ZipRecipe {
        ZipRecipe(
            entries: try files().sorted { $0.key < $1.key }
                .map { ZipRecipe.Entry(name: "Payload/\(name)/\($0.key)", content: $0.value) })
    }
}
