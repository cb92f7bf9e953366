// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Does the same to many inputs on a few threads, and gives the results in order.
package enum Workers {
    /// Syntax trees of hostile sources nest deeper than a usual stack holds. Only what is touched takes memory.
    private static let stack = 512 << 20

    package static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], workers: Int?, _ body: @escaping @Sendable (Input) -> Output
    ) -> [Output] {
        map(inputs, workers: workers, within: .infinity, body).compactMap(\.self)
    }

    /// The same, where an input that takes more than some seconds of processor time has no result. Nothing ends its
    /// thread but the program's end; where as many as there are threads don't come back, nothing more is begun.
    package static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], workers: Int?, within seconds: Double, _ body: @escaping @Sendable (Input) -> Output
    ) -> [Output?] {
        guard !inputs.isEmpty else { return [] }
        let count = max(1, min(workers ?? ProcessInfo.processInfo.activeProcessorCount, 8, inputs.count))
        let shared = Shared<Output>(inputs.count)
        let start: @Sendable () -> Void = {
            let thread = Thread {
                let clock = ThreadClock()
                while let index = shared.next(clock) { shared.put(body(inputs[index]), at: index) }
            }
            thread.stackSize = stack
            thread.start()
        }
        for _ in 0..<count { start() }
        var given = 0
        while !shared.waitForEnd(seconds.isFinite ? 0.2 : 3_600) {
            for _ in 0..<shared.giveUp(after: seconds) {
                given += 1
                if given < count { start() } else { shared.end() }
            }
        }
        return shared.all()
    }

    private final class Shared<Output: Sendable>: Sendable {
        private struct State {
            var next = 0
            var left: Int
            var results: [Output?]
            /// What is being worked at: since when, by the clock of its thread.
            var running: [Int: (clock: ThreadClock, start: Double)] = [:]
        }

        private let state: Mutex<State>
        private let done = DispatchSemaphore(value: 0)

        init(_ count: Int) { state = Mutex(State(left: count, results: Array(repeating: nil, count: count))) }

        /// Nil where all is begun.
        func next(_ clock: ThreadClock) -> Int? {
            state.withLock { state in
                guard state.next < state.results.count else { return nil }
                state.next += 1
                state.running[state.next - 1] = (clock, clock.seconds)
                return state.next - 1
            }
        }

        func put(_ output: Output, at index: Int) {
            let isLast = state.withLock { state in
                // One that comes after it was given up isn't used: whether it does hangs on the machine.
                guard state.running.removeValue(forKey: index) != nil else { return false }
                state.results[index] = output
                state.left -= 1
                return state.left == 0
            }
            if isLast { done.signal() }
        }

        /// How many take too long; they have no result.
        func giveUp(after seconds: Double) -> Int {
            state.withLock { state in
                let late = state.running.filter { $0.value.clock.seconds - $0.value.start > seconds }.keys
                for index in late { state.running[index] = nil }
                state.left -= late.count
                return late.count
            }
        }

        /// Nothing more is begun.
        func end() {
            state.withLock { state in
                state.left -= state.results.count - state.next
                state.next = state.results.count
            }
        }

        /// Whether all is done.
        func waitForEnd(_ seconds: Double) -> Bool {
            if state.withLock({ $0.left == 0 }) { return true }
            return done.wait(timeout: .now() + seconds) == .success || state.withLock { $0.left == 0 }
        }

        func all() -> [Output?] { state.withLock { $0.results } }
    }
}
