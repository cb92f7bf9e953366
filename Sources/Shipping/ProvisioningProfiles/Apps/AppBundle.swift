// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// A built app or app extension with all that signing concerns: identifiers, code signatures, the embedded profile, and
/// the bundles inside.
public struct AppBundle: Sendable {
    /// The path given, then the path inside the archive or folder.
    public let path: String
    /// `CFBundleIdentifier`.
    public let bundleIdentifier: String
    /// `CFBundleSupportedPlatforms`, without simulators and unknown ones.
    public let platforms: [Platform]
    /// The executable's architectures.
    public let code: [CodeSlice]
    /// Why the executable could not be read; nil if it could.
    public let codeError: ProfileError?
    /// `embedded.mobileprovision` or `embedded.provisionprofile`. Builds delivered by the App Store have none.
    public let embeddedProfile: EmbeddedProfile?
    /// App extensions, app clips and watch apps inside.
    public let nested: [AppBundle]

    /// A profile inside a bundle.
    public enum EmbeddedProfile: Sendable {
        /// It could be read.
        case read(UnverifiedProfile)
        /// It could not be read.
        case unreadable(ProfileError)
    }

    /// A folder with more bundles is refused.
    static let maximumNestedBundles = 256

    /// This bundle and all bundles inside it.
    public var all: [AppBundle] { [self] + nested.flatMap(\.all) }
}

/// An app, and how much of its file had to be read.
public struct AppReading: Sendable {
    /// The app.
    public let app: AppBundle
    /// Bytes read from an archive; zero for folders.
    public let bytesRead: UInt64
}

extension AppReading {
    /// Reads an `.app` or `.appex` folder or an `.ipa` archive. Of an archive only its directory and the needed entries
    /// are read. Nothing is unpacked to disk, and code is inflated in pieces.
    ///
    /// - Throws: ``ProfileError`` with a reading code. An unreadable executable or embedded profile doesn't throw: it
    ///   is part of the result.
    public init(contentsOf path: String) throws(ProfileError) {
        guard let isFolder = isFolder(path) else { throw ProfileError(.io, "\(path) is not there") }
        if isFolder {
            let root = path.hasSuffix("/") ? String(path.dropLast()) : path
            let parent = PathText(root).deletingLastPathComponent
            let files = FolderFiles(parent.isEmpty ? "." : parent)
            let name = PathText(root).lastPathComponent
            self.init(
                app: try BundleReader(files, place: parent.isEmpty ? "" : "\(parent)/").read(name, depth: 0),
                bytesRead: 0)
        } else {
            let files = try ArchiveFiles(FileBytes(path))
            let apps = try files.bundles(in: "", "Payload", extensions: ["app"])
            guard apps.count == 1, let name = apps.first else {
                throw ProfileError(.bundle, "exactly one app is expected in Payload, \(apps.count) are there")
            }
            let app = try BundleReader(files, place: "\(path)/").read(name, depth: 0)
            self.init(app: app, bytesRead: files.bytesRead)
        }
    }
}

/// Reads one bundle after another.
private struct BundleReader {
    private let files: any BundleFiles
    /// The prefix of paths in reports.
    private let place: String

    private static let nestedFolders: [(folder: String, extensions: Set<String>)] = [
        ("PlugIns", ["appex"]), ("Extensions", ["appex"]), ("AppClips", ["app"]), ("Watch", ["app"]),
    ]
    /// For an app, its watch app, and the extension of that.
    private static let maximumDepth = 4

    init(_ files: any BundleFiles, place: String) {
        self.files = files
        self.place = place
    }

    func read(_ path: String, depth: Int) throws(ProfileError) -> AppBundle {
        guard depth <= Self.maximumDepth else {
            throw ProfileError(.tooLarge, "bundles inside bundles, more than four levels")
        }
        // macOS bundles keep everything in a folder named Contents.
        let isMac = try files.open("\(path)/Contents/Info.plist") != nil
        let root = isMac ? "\(path)/Contents" : path
        let info = try infoPlist("\(root)/Info.plist")
        let executable = try fileName(info, "CFBundleExecutable")
        let (code, codeError) = code(isMac ? "\(root)/MacOS/\(executable)" : "\(root)/\(executable)")
        return AppBundle(
            path: place + path, bundleIdentifier: try text(info, "CFBundleIdentifier"),
            platforms: (info["CFBundleSupportedPlatforms"]?.strings ?? []).compactMap(
                Platform.init(supportedPlatform:)),
            code: code, codeError: codeError,
            embeddedProfile: profile("\(root)/embedded." + (isMac ? "provisionprofile" : "mobileprovision")),
            nested: try nested(root, depth))
    }

    private func nested(_ root: String, _ depth: Int) throws(ProfileError) -> [AppBundle] {
        var bundles: [AppBundle] = []
        for (folder, extensions) in Self.nestedFolders {
            for path in try files.bundles(in: root, folder, extensions: extensions) {
                bundles.append(try read(path, depth: depth + 1))
            }
        }
        return bundles
    }

    private func infoPlist(_ path: String) throws(ProfileError) -> [String: PropertyList] {
        guard let file = try files.open(path) else { throw ProfileError(.bundle, "\(place)\(path) is not there") }
        let list = try PropertyList(bytes: file.readAll(limit: PropertyListLimits.profile.bytes, "an Info.plist"))
        guard let info = list.dictionary else { throw ProfileError(.bundle, "\(place)\(path) is not a dictionary") }
        return info
    }

    private func text(_ info: [String: PropertyList], _ key: String) throws(ProfileError) -> String {
        guard let text = info[key]?.string, !text.isEmpty else {
            throw ProfileError(.bundle, "an Info.plist without \(key)")
        }
        return text
    }

    /// Reads a file name, and refuses one that leads out of the bundle.
    private func fileName(_ info: [String: PropertyList], _ key: String) throws(ProfileError) -> String {
        let name = try text(info, key)
        guard !name.contains("/"), name != ".", name != "..", !name.utf8.contains(0) else {
            throw ProfileError(.bundle, "an Info.plist whose \(key) leads out of the bundle")
        }
        return name
    }

    private func code(_ path: String) -> ([CodeSlice], ProfileError?) {
        do throws(ProfileError) {
            guard let file = try files.open(path) else { throw ProfileError(.bundle, "\(place)\(path) is not there") }
            return (try MachOFile.slices(of: file), nil)
        } catch {
            return ([], error)
        }
    }

    private func profile(_ path: String) -> AppBundle.EmbeddedProfile? {
        do throws(ProfileError) {
            guard let file = try files.open(path) else { return nil }
            return .read(try UnverifiedProfile(bytes: file.readAll(limit: UnverifiedProfile.maximumSize, "a profile")))
        } catch {
            return .unreadable(error)
        }
    }
}
