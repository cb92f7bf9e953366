// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// A user of the app.
public struct AppUser: Hashable, Sendable, Identifiable {
    /// Kept for the user's life; the name of the user's folder.
    public let id: UserIdentifier
    /// The display name, 1 to 256 bytes of UTF-8. Encrypted on disk, and never part of a path.
    public let name: String
    /// Whether a switch away from the user erases them.
    public let isGuest: Bool
    /// Seconds since 2001-01-01 00:00 UTC.
    public let created: Double

    package init(id: UserIdentifier, name: String, isGuest: Bool, created: Double) {
        self.id = id
        self.name = name
        self.isGuest = isGuest
        self.created = created
    }
}

/// Identifies one user of an app: 16 random bytes, written as a UUID in lower case.
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
