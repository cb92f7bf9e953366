// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// A value that another thread works out.
final class Meanwhile<Value: Sendable>: Sendable {
    private let state = Locked<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Value) {
        Thread.start { [self] in
            let value = work()
            state.withLock { $0 = value }
            isThere.signal()
        }
    }

    /// Waits for it.
    var value: Value {
        while true {
            if let value = state.withLock({ $0 }) { return value }
            isThere.wait()
        }
    }
}
