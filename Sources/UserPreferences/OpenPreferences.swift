// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The preference stores that are open for one home, so that leaving the user reaches them all.
package final class OpenPreferences: Sendable {
    private struct Weak: Sendable { weak var value: Preferences? }
    private let stores = Locked<[Weak]>([])

    package init() {}

    func add(_ preferences: Preferences) {
        stores.withLock { stores in
            stores.removeAll { $0.value == nil }
            stores.append(Weak(value: preferences))
        }
    }

    /// Drops every value that was read.
    package func forget() {
        for store in stores.withLock({ $0.compactMap(\.value) }) { store.forget() }
    }
}
