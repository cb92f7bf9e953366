// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// A number that any thread, and a signal handler, may read and change without a lock.
@safe
package final class SharedNumber: Sendable {
    private nonisolated(unsafe) let place: UnsafeMutablePointer<Int32>

    package init(_ value: Int32 = 0) {
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(to: value)
    }

    deinit { unsafe place.deallocate() }

    /// The number. Reading it also shows what another thread did before it stored this value.
    package var value: Int32 {
        get { unsafe zamok_number_load(place) }
        set { unsafe zamok_number_store(place, newValue) }
    }

    /// Sets it and returns what it was, in one step.
    package func exchange(_ value: Int32) -> Int32 { unsafe zamok_number_exchange(place, value) }
}
