// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import ProtectedFiles

/// A file's protection class as people write it: a word, or a raw value of Foundation's `FileProtectionType`.
struct ProtectionWord: ExpressibleByArgument {
    let protection: ProtectionClass

    init?(argument: String) {
        guard
            let found = Self.words.first(where: { $0.word == argument })?.protection
                ?? ProtectionClass(fileProtectionType: argument)
        else { return nil }
        protection = found
    }

    static var allValueStrings: [String] { words.map(\.word) }

    /// The word for a class.
    static func word(_ protection: ProtectionClass) -> String {
        words.first { $0.protection == protection }?.word ?? "\(protection)"
    }

    private static let words: [(word: String, protection: ProtectionClass)] = [
        ("complete", .complete), ("complete-unless-open", .completeUnlessOpen),
        ("complete-until-first-user-authentication", .completeUntilFirstUserAuthentication), ("none", .none),
    ]
}
