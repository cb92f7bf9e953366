// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import SecretMemory

/// The open stores of one home. Each is opened once, so that returning to a user costs nothing, and all are reachable
/// on a user switch.
package final class OpenPreferences: Sendable {
    private struct Open {
        let domain: Preferences.Domain
        let durability: Preferences.Durability
        let store: PreferencesStore
    }
    private let stores = Locked<[Open]>([])

    package init() {}

    func store(
        _ domain: Preferences.Domain, durability: Preferences.Durability, home: Home
    ) throws -> PreferencesStore {
        if let known = known(domain, durability) { return known }
        // Created outside the lock, because it opens files. If two threads race, the later one discards its store.
        let made = try PreferencesStore(domain, durability: durability, home: home)
        let kept = stores.withLock { stores in
            if let known = Self.known(domain, durability: durability, stores: stores) { return known }
            stores.append(Open(domain: domain, durability: durability, store: made))
            return made
        }
        if kept === made {
            home.keybag.register(made)
            made.rewrapWhenOpened()
        }
        return kept
    }

    private func known(_ domain: Preferences.Domain, _ durability: Preferences.Durability) -> PreferencesStore? {
        stores.withLock { Self.known(domain, durability: durability, stores: $0) }
    }

    private static func known(
        _ domain: Preferences.Domain, durability: Preferences.Durability, stores: [Open]
    ) -> PreferencesStore? {
        stores.first { $0.domain == domain && $0.durability == durability }?.store
    }

    /// Makes the writes of relaxed stores durable before a switch to another user.
    package func flush() throws(PreferencesError) {
        for open in stores.withLock({ $0 }) where open.durability == .relaxed {
            try open.store.withStoreKey(nil) { try open.store.database.flush() }
        }
    }

    /// Removes all values that were read from memory.
    package func forget() {
        for open in stores.withLock({ $0 }) { open.store.forget() }
    }
}
