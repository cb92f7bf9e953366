// SPDX-License-Identifier: Apache-2.0

/// What a build is for, by the configuration's name.
public enum ShippingConfiguration: String, Sendable, CaseIterable {
    /// Running on registered devices under a debugger.
    case debug = "Debug"
    /// Release builds for registered devices.
    case adHoc = "AdHoc"
    /// The App Store and TestFlight.
    case appStore = "AppStore"
    /// A company's own devices.
    case enterprise = "Enterprise"
    /// macOS outside the App Store.
    case developerID = "DeveloperID"

    /// Reads a configuration's name in any spelling of case, spaces and hyphens; `Release` means the App Store.
    public init?(spelling: String) {
        let letters = spelling.lowercased().filter(\.isLetter)
        if letters == "release" {
            self = .appStore
        } else if let found = Self.allCases.first(where: { $0.rawValue.lowercased() == letters }) {
            self = found
        } else {
            return nil
        }
    }

    /// The kind of profile it needs.
    public var kind: ProfileKind {
        switch self {
        case .debug: .development
        case .adHoc: .adHoc
        case .appStore: .appStore
        case .enterprise: .enterprise
        case .developerID: .developerID
        }
    }
}
