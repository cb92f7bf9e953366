// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecretMemory
import Testing

/// Runs `body` 8,000 times, on as many threads at once as there are.
private func contend(_ body: @Sendable () -> Void) {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<1000 { body() }
    }
}

struct `Locked state` {
    // Under `--sanitize thread` this also shows that the lock's order is known to the sanitizer.
    @Test func `it is changed by one thread at a time`() {
        final class Box: Sendable {
            let counter = Locked([0])
        }
        let box = Box()
        contend { box.counter.withLock { $0[0] += 1 } }
        #expect(box.counter.withLock { $0[0] } == 8000)
    }

    @Test func `what the body throws comes out, and the lock is free again`() {
        struct Refused: Error {}
        let state = Locked(1)
        #expect(throws: Refused.self) { try state.withLock { _ in throw Refused() } }
        #expect(state.withLock { $0 } == 1)
    }
}

// What `Locked` is on Apple's systems; the same rules.
struct `A lock with a place of its own` {
    final class Box: Sendable {
        let counter = AllocatedLocked([0])
    }

    @Test func `it is changed by one thread at a time`() {
        let box = Box()
        contend { box.counter.withLock { $0[0] += 1 } }
        #expect(box.counter.withLock { $0[0] } == 8000)
    }

    @Test func `what the body throws comes out, and the lock is free again`() {
        struct Refused: Error {}
        let state = AllocatedLocked(1)
        #expect(throws: Refused.self) { try state.withLock { _ in throw Refused() } }
        #expect(state.withLock { $0 } == 1)
    }

    @Test func `what it holds ends with it`() {
        final class Held: Sendable {}
        var held: Held? = Held()
        weak let witness = held
        do {
            let state = AllocatedLocked(held)
            held = nil
            #expect(state.withLock { $0 } != nil)
        }
        #expect(witness == nil)
    }

    @Test func `a number is exchanged by one thread at a time`() {
        let taken = SharedNumber()
        let counter = Box()
        contend {
            while taken.exchange(1) != 0 {}
            counter.counter.withLock { $0[0] += 1 }
            taken.value = 0
        }
        #expect(counter.counter.withLock { $0[0] } == 8000)
        #expect(taken.value == 0)
    }
}
