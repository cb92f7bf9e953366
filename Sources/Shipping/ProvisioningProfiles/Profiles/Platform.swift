// SPDX-License-Identifier: Apache-2.0

/// A platform by the name that profiles and Info.plist use.
public struct Platform: Hashable, Sendable {
    /// As it stands in the file.
    public let name: String

    /// A platform of that name; unknown names are kept.
    public init(_ name: String) { self.name = name }

    /// iPhone and iPad.
    public static let iOS = Platform("iOS")
    /// The Mac; profiles say `OSX`.
    public static let macOS = Platform("OSX")
    /// Apple TV.
    public static let tvOS = Platform("tvOS")
    /// Apple Watch.
    public static let watchOS = Platform("watchOS")
    /// Apple Vision; profiles also say `xrOS`.
    public static let visionOS = Platform("visionOS")

    /// The name a person expects.
    public var displayName: String { self == .macOS ? "macOS" : name }

    /// The platform for a name in `CFBundleSupportedPlatforms`; nil for simulators and unknown ones.
    init?(supportedPlatform name: String) {
        switch name {
        case "iPhoneOS": self = .iOS
        case "MacOSX": self = .macOS
        case "AppleTVOS": self = .tvOS
        case "WatchOS": self = .watchOS
        case "XROS": self = .visionOS
        default: return nil
        }
    }

    /// Whether a profile with these platforms covers apps for this one. Watch apps ship with iOS profiles.
    func isCovered(by platforms: [Platform]) -> Bool {
        platforms.isEmpty || platforms.contains(self) || self == .watchOS && platforms.contains(.iOS)
            || self == .visionOS && platforms.contains(Platform("xrOS"))
    }
}
