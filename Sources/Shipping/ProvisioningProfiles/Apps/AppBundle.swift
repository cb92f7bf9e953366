// SPDX-License-Identifier: Apache-2.0

/// A built app or app extension with what signing is about: identifiers, code signatures, the embedded profile, and the
/// bundles inside.
public struct AppBundle: Sendable {
    /// Where it stands: the path given, then the path inside the archive or folder.
    public let path: String
    /// `CFBundleIdentifier`.
    public let bundleIdentifier: String
    /// `CFBundleSupportedPlatforms`, simulators and unknown ones left out.
    public let platforms: [Platform]
    /// The executable's architectures.
    public let code: [CodeSlice]
    /// Why the executable could not be read, where it could not.
    public let codeError: ProfileError?
    /// `embedded.mobileprovision` or `embedded.provisionprofile`. Builds that the App Store delivers have none.
    public let embeddedProfile: EmbeddedProfile?
    /// App extensions, app clips and watch apps inside.
    public let nested: [AppBundle]

    /// A profile inside a bundle.
    public enum EmbeddedProfile: Sendable {
        /// It could be read.
        case read(UnverifiedProfile)
        /// It could not.
        case unreadable(ProfileError)
    }

    /// More in one folder are refused.
    static let maximumNestedBundles = 256

    /// This bundle and all inside it.
    public var all: [AppBundle] { [self] + nested.flatMap(\.all) }
}

/// An app with how much of its file had to be read.
public struct AppReading: Sendable {
    /// The app.
    public let app: AppBundle
    /// Bytes read from an archive; zero for folders.
    public let bytesRead: UInt64
}
