// SPDX-License-Identifier: Apache-2.0

/// One of the people who share the app.
public struct AppUser: Hashable, Sendable, Identifiable {
    /// Kept for the user's life; the name of the user's folder.
    public let id: UserIdentifier
    /// As people see it, 1 to 256 bytes of UTF-8. Sealed on the disk, never a path.
    public let name: String
    /// Erased when the user is left.
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
