// SPDX-License-Identifier: Apache-2.0

/// The kind of profile that a configuration is expected to use.
public struct ExpectedProfile: Sendable, Equatable {
    /// The configuration's name in the project.
    public let configuration: String
    /// The kind of profile.
    public let kind: ProfileKind

    /// An expectation for one configuration.
    public init(configuration: String, kind: ProfileKind) {
        self.configuration = configuration
        self.kind = kind
    }

    /// Reads `Debug=development`; nil if it has another form or names no kind.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, let kind = ProfileKind(spelling: parts[1]) else { return nil }
        self.init(configuration: parts[0], kind: kind)
    }
}

extension Set<ProfileKind> {
    /// The kinds that fit a configuration by its name alone, from the words that projects use. A name without such a
    /// word fits every kind.
    init(configuration name: String) {
        let letters = name.lowercased().filter(\.isLetter)
        func has(_ words: String...) -> Bool { words.contains { letters.contains($0) } }
        self =
            if has("debug", "development") {
                [.development]
            } else if has("adhoc") {
                [.adHoc]
            } else if has("appstore", "testflight") {
                [.appStore]
            } else if has("enterprise", "inhouse") {
                [.enterprise]
            } else if has("developerid") {
                [.developerID]
            } else {
                // `Release` too: a build that is signed again at export may first be signed for development.
                Set(ProfileKind.allCases)
            }
    }
}

extension ProfileKind {
    /// The kind that fastlane's match writes into the names of its profiles: `match AppStore org.example.app`.
    init?(matchName name: String) {
        let words = name.split(separator: " ")
        guard words.count >= 3, words[0] == "match" else { return nil }
        switch words[1] {
        case "Development": self = .development
        case "AdHoc": self = .adHoc
        case "AppStore": self = .appStore
        case "InHouse": self = .enterprise
        case "Direct": self = .developerID
        default: return nil
        }
    }
}
