// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What was found out about names, each once: a project has each of its names many times.
final class Memo<Value: Sendable>: Sendable {
    private static var most: Int { 1 << 18 }
    private let known = Mutex<[String: Value]>([:])

    func value(for name: String, _ make: (String) -> Value) -> Value {
        if let value = known.withLock({ $0[name] }) { return value }
        let value = make(name)
        known.withLock { if $0.count < Self.most { $0[name] = value } }
        return value
    }
}
