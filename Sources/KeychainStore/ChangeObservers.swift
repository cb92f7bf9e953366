// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

/// What happened to the items of a home.
package enum ItemChange: Sendable, Equatable {
    case added(PersistentReference)
    case updated(PersistentReference)
    case deleted(PersistentReference)
    /// A search passed over this item because it is damaged, or its key was destroyed.
    case damaged(PersistentReference)
    /// Another process, or another `Home` object of this one, wrote.
    case elsewhere
}

/// Who wants to be told of changes.
final class ChangeObservers: Sendable {
    private let keybag: Keybag
    private let state = Locked(State())

    private struct State: Sendable {
        var observers: [Int: @Sendable (ItemChange) -> Void] = [:]
        var next = 0
    }

    init(_ keybag: Keybag) { self.keybag = keybag }

    func tell(_ change: ItemChange) {
        // Copied out: no observer is called under the lock.
        for observer in state.withLock({ Array($0.observers.values) }) { observer(change) }
    }

    func tellDamaged(_ references: [PersistentReference]) {
        for reference in references { tell(.damaged(reference)) }
    }

    func add(_ observer: @escaping @Sendable (ItemChange) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return state.next
        }
    }

    func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }
}
