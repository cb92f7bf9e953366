// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// Names one user of an app: 16 random bytes, written as a UUID in lower case.
public struct UserIdentifier: Hashable, Sendable, CustomStringConvertible {
    let unique: UniqueIdentifier

    init(_ unique: UniqueIdentifier) { self.unique = unique }

    /// A UUID in lower case; nil for anything else.
    public init?(_ text: String) {
        guard let unique = UniqueIdentifier(text: text) else { return nil }
        self.unique = unique
    }

    /// The UUID in lower case.
    public var description: String { unique.text }
}

extension Home {
    /// The user whose home this is; nil for a root home.
    var user: UserIdentifier? { userIdentifier.map(UserIdentifier.init) }
}
