// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Readers

/// Xcode's folders for profiles, below a user's home.
public enum ProfileFolders {
    /// Xcode 16 and later.
    public static let current = "Library/Developer/Xcode/UserData/Provisioning Profiles"
    /// Xcode 15 and earlier.
    public static let old = "Library/MobileDevice/Provisioning Profiles"

    /// A folder with more files is refused.
    static let maximumFiles = 100_000

    /// The folders that exist, the current one first.
    public static func existing(home: String) -> [String] {
        [current, old].map { "\(home)/\($0)" }.filter { isFolder($0) == true }
    }

    /// The profiles in a folder, by extension, ordered by name.
    ///
    /// - Throws: ``ProfileError`` with code `io` or `tooLarge`.
    public static func files(in folder: String) throws(ProfileError) -> [String] {
        try files(in: folder, extensions: ["mobileprovision", "provisionprofile"])
    }

    /// The profiles, apps, extensions and archives in a folder, ordered by name; nil if `path` is not a folder.
    ///
    /// - Throws: ``ProfileError`` with code `io` or `tooLarge`.
    public static func contents(of path: String) throws(ProfileError) -> [String]? {
        guard isFolder(path) == true else { return nil }
        return try files(
            in: path, extensions: ["mobileprovision", "provisionprofile", "app", "appex", "ipa", "xcarchive"])
    }

    /// The number of names in a folder that are not UTF-8, whose paths ``contents(of:)`` can't return. 0 if `path` is
    /// not a folder.
    public static func unreadableNames(in path: String) -> Int {
        (try? FileHooks().names(in: FileLocation(path)))?.count { String(validUTF8: $0) == nil } ?? 0
    }

    /// The names in a folder; nil if it can't be listed.
    static func names(in folder: String) -> [String]? {
        (try? FileHooks().names(in: FileLocation(folder)))?.compactMap { String(validUTF8: $0) }
    }

    private static func files(in folder: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        guard let all = try? FileHooks().names(in: FileLocation(folder)) else {
            throw ProfileError(.io, "\(folder) can't be listed")
        }
        guard all.count <= maximumFiles else { throw ProfileError(.tooLarge, "\(all.count) files in \(folder)") }
        let names = all.compactMap { String(validUTF8: $0) }
        return names.filter { extensions.contains(PathText($0).pathExtension.lowercased()) }
            .map { "\(folder)/\($0)" }
    }

    /// Copies a profile into `folder` under its UUID, as Xcode does. The file appears completely or not at all.
    ///
    /// - Returns: the profile's new path.
    /// - Throws: ``ProfileError`` with code `io`, or a reading code if the file is not a profile.
    public static func install(contentsOf path: String, into folder: String) throws(ProfileError) -> String {
        let bytes = try FileBytes(path).readAll(limit: UnverifiedProfile.maximumSize, "a profile")
        let profile = try UnverifiedProfile(bytes: bytes).profile
        // The name is untrusted: only a UUID becomes a path.
        guard let uuid = UUID(uuidString: profile.uuid) else {
            throw ProfileError(.profileKey, "the profile's UUID is not a UUID")
        }
        let suffix = profile.platforms == [.macOS] ? "provisionprofile" : "mobileprovision"
        let path = "\(folder)/\(uuid.uuidString.lowercased()).\(suffix)"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ProfileError(.io, "\(folder) can't be written to")
        }
        return path
    }
}
