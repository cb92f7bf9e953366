// SPDX-License-Identifier: Apache-2.0

/// What `directory` says.
struct UserList: Equatable, Sendable {
    /// In the order in which they were added.
    var users: [AppUser] = []

    func names(_ user: UserIdentifier) -> Bool { users.contains { $0.id == user } }

    mutating func remove(_ user: UserIdentifier) { users.removeAll { $0.id == user } }
}
