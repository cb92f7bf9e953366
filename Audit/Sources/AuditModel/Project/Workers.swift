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
        let count = max(1, min(workers ?? ProcessInfo.processInfo.activeProcessorCount, 8, inputs.count))
        let shared = Shared<Output>()
        let done = DispatchGroup()
        for _ in 0..<count {
            done.enter()
            let thread = Thread {
                while let index = shared.next(below: inputs.count) { shared.put(body(inputs[index]), at: index) }
                done.leave()
            }
            thread.stackSize = stack
            thread.start()
        }
        done.wait()
        return shared.all()
    }

    private final class Shared<Output: Sendable>: Sendable {
        private let state = Mutex<(next: Int, results: [(Int, Output)])>((0, []))

        func next(below end: Int) -> Int? {
            state.withLock { state in
                guard state.next < end else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func put(_ output: Output, at index: Int) { state.withLock { $0.results.append((index, output)) } }
        func all() -> [Output] { state.withLock { $0.results.sorted { $0.0 < $1.0 }.map(\.1) } }
    }
}
