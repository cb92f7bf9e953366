// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The options of checks.
public struct CheckOptions: Sendable {
    /// The date for expiry and for "in the future".
    public var now: Date
    /// A profile that expires within this many days is a finding.
    public var warnDays: Int
    /// A device that must be listed, by its identifier; nil: none.
    public var device: String?
    /// The required default data protection class, an `NSFileProtection` constant. nil accepts any, but not a
    /// missing one.
    public var dataProtection: String?
    /// Custom roots, for profiles and apps made for tests.
    public var anchor: CustomAnchor?

    /// The options with their defaults: now, 30 days.
    public init(
        now: Date = Date(), warnDays: Int = 30, device: String? = nil, dataProtection: String? = nil,
        anchor: CustomAnchor? = nil
    ) {
        self.now = now
        self.warnDays = warnDays
        self.device = device
        self.dataProtection = dataProtection
        self.anchor = anchor
    }
}

/// The findings of a check, and what it didn't cover.
public struct CheckReport: Sendable {
    /// The findings in order: profile, code, entitlements, then the bundles inside.
    public let findings: [Finding]

    /// What no check of this module covers. Reports list it, so that silence isn't taken for a guarantee.
    public static let notChecked = [
        "the hashes of code pages and of resources (use codesign --verify on a Mac)",
        "the signatures of frameworks and libraries inside",
        "revocation of certificates (this needs the network)",
        "secure timestamps of code signatures",
    ]

    /// Whether no finding is worse than a note.
    public var isClean: Bool { findings.allSatisfy { $0.severity == .note } }
}

/// The purpose of a build, by the configuration's name.
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

    /// Reads a configuration's name in any case, with or without spaces and hyphens; `Release` means the App Store.
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

    /// The kind of profile that it needs.
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
