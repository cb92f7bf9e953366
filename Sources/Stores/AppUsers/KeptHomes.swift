// SPDX-License-Identifier: Apache-2.0

import DataProtection

/// The homes of users that stay open in this process, so that coming back to one costs nothing. Bounded, since each holds files open.
struct KeptHomes: Sendable {
    private static let limit = 16

    /// The one that was used last comes last.
    private var homes: [(user: UserIdentifier, home: Home)] = []

    subscript(user: UserIdentifier) -> Home? {
        mutating get {
            guard let index = homes.lastIndex(where: { $0.user == user }) else { return nil }
            let found = homes.remove(at: index)
            homes.append(found)
            return found.home
        }
    }

    /// `open`: users whose keys this process may hold alone; their homes stay.
    mutating func keep(_ home: Home, _ user: UserIdentifier, besides open: Set<UserIdentifier>) {
        homes.append((user, home))
        guard homes.count > Self.limit, let index = homes.firstIndex(where: { !open.contains($0.user) }) else { return }
        homes.remove(at: index)
    }

    mutating func drop(_ user: UserIdentifier) { homes.removeAll { $0.user == user } }
}
