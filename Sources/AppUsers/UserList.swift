// SPDX-License-Identifier: Apache-2.0

/// What `directory` says.
struct UserList: Equatable, Sendable {
    /// In the order in which they were added.
    var users: [AppUser] = []
    /// Whom somebody began to remove, or to leave as a guest: to be erased unless `current` still names them. Seen under the directory's lock only if that process
    /// ended on the way.
    var leaving: UserIdentifier?

    mutating func remove(_ user: UserIdentifier) {
        users.removeAll { $0.id == user }
        if leaving == user { leaving = nil }
    }
}
