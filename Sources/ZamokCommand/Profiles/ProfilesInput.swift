// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

/// What a path on the command line is.
enum ProfilesInput {
    case profile(String)
    case app(String)
    case settings(String)

    /// The input at a path; a plain folder stands for the profiles and apps directly inside.
    ///
    /// - Throws: ``ProfileError`` with code `io`.
    static func inputs(at path: String) throws(ProfileError) -> [ProfilesInput] {
        switch (path as NSString).pathExtension.lowercased() {
        case "app", "appex", "ipa": return [.app(path)]
        case "xcarchive":
            // The apps of an archive that Xcode made.
            let apps = try ProfileFolders.contents(of: "\(path)/Products/Applications") ?? []
            return apps.filter(isApp).map { .app($0) }
        case "xcodeproj", "pbxproj", "xcconfig", "json": return [.settings(path)]
        default:
            guard let contents = try ProfileFolders.contents(of: path) else { return [.profile(path)] }
            return contents.map { isApp($0) ? .app($0) : .profile($0) }
        }
    }

    private static func isApp(_ path: String) -> Bool {
        ["app", "ipa"].contains((path as NSString).pathExtension.lowercased())
    }
}
