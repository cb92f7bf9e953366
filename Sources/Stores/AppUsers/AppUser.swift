// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// One of the people who share the app.
public struct AppUser: Hashable, Sendable, Identifiable {
    /// Kept for the user's life; the name of the user's folder.
    public let id: UserIdentifier
    /// As people see it, 1 to 256 bytes of UTF-8. Sealed on the disk, never a path.
    public let name: String
    /// Whether the user is erased when they are left.
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
