// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecretMemory
import Testing

struct `Locked state` {
    // Under `--sanitize thread` this also shows that the lock's order is known to the sanitizer.
    @Test func `it is changed by one thread at a time`() {
        final class Box: Sendable {
            let counter = Locked([0])
        }
        let box = Box()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { box.counter.withLock { $0[0] += 1 } }
        }
        #expect(box.counter.withLock { $0[0] } == 8000)
    }

    @Test func `what the body throws comes out, and the lock is free again`() {
        struct Refused: Error {}
        let state = Locked(1)
        #expect(throws: Refused.self) { try state.withLock { _ in throw Refused() } }
        #expect(state.withLock { $0 } == 1)
    }
}
