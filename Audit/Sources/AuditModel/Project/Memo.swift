// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What was found out about names, functions or types, each once: a project has each of its names many times.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var most: Int { 1 << 18 }
    private let known = Mutex<[Key: Value]>([:])

    func value(for key: Key, _ make: (Key) -> Value) -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let value = make(key)
        known.withLock { if $0.count < Self.most { $0[key] = value } }
        return value
    }
}
