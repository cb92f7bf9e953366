// SPDX-License-Identifier: Apache-2.0

/// The purpose of a profile. No key contains it; it follows from devices, `get-task-allow` and platform.
public enum ProfileKind: String, Sendable, CaseIterable {
    /// Debugging on registered devices.
    case development
    /// Release builds for registered devices.
    case adHoc = "ad-hoc"
    /// The App Store and TestFlight.
    case appStore = "app-store"
    /// Every device of a company (Apple Developer Enterprise Program).
    case enterprise
    /// macOS outside the App Store.
    case developerID = "developer-id"

    /// The name in tables and messages.
    public var displayName: String {
        switch self {
        case .development: "development"
        case .adHoc: "ad hoc"
        case .appStore: "App Store"
        case .enterprise: "enterprise"
        case .developerID: "Developer ID"
        }
    }

    /// Reads `development`, `ad-hoc`, `app-store`, `enterprise` or `developer-id` in any case, with or without hyphens.
    public init?(spelling: String) {
        let letters = Self.letters(spelling)
        guard let kind = Self.allCases.first(where: { Self.letters($0.rawValue) == letters }) else { return nil }
        self = kind
    }

    private static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }

    /// The kind that `ProfileDistributionType` of a DER copy names; nil for an unknown value.
    init?(distributionType: String) {
        switch distributionType {
        case "STORE": self = .appStore
        case "ADHOC": self = .adHoc
        case "DEVELOPMENT": self = .development
        case "INHOUSE", "ENTERPRISE": self = .enterprise
        case "DIRECT", "DEVELOPER_ID": self = .developerID
        default: return nil
        }
    }
}

extension ProvisioningProfile {
    /// The purpose of this profile.
    public var kind: ProfileKind {
        let isMac = platforms.contains(.macOS)
        if provisionsAllDevices { return isMac ? .developerID : .enterprise }
        guard provisionedDevices != nil else { return entitlements.allowsDebugging ? .development : .appStore }
        return isMac || entitlements.allowsDebugging ? .development : .adHoc
    }
}

/// A platform by its name in profiles and Info.plist.
public struct Platform: Hashable, Sendable {
    /// The name in the file.
    public let name: String

    /// A platform of that name; unknown names are kept.
    public init(_ name: String) { self.name = name }

    /// iPhone and iPad.
    public static let iOS = Platform("iOS")
    /// The Mac; profiles contain `OSX`.
    public static let macOS = Platform("OSX")
    /// Apple TV.
    public static let tvOS = Platform("tvOS")
    /// Apple Watch.
    public static let watchOS = Platform("watchOS")
    /// Apple Vision; profiles also contain `xrOS`.
    public static let visionOS = Platform("visionOS")

    /// The name for people.
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
