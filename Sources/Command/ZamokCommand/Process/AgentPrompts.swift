// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// Work that prompts the user: one prompt at a time, with a short queue.
final class AgentPrompts: Sendable {
    private static let limit = 8
    private let queue = DispatchQueue(label: "zamok.agent.prompts")
    private let state = Locked(State())

    private struct State {
        var count = 0
        var done: [(client: Int, answer: [UInt8])] = []
    }

    /// Queues a prompt; returns false if too many are waiting. `wake` is called when it is done.
    func ask(_ client: Int, _ work: @escaping @Sendable () -> [UInt8], wake: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = state.withLock { state in
            guard state.count < Self.limit else { return false }
            state.count += 1
            return true
        }
        guard isTaken else { return false }
        queue.async {
            let answer = work()
            self.state.withLock { state in
                state.count -= 1
                state.done.append((client, answer))
            }
            wake()
        }
        return true
    }

    /// The answers since the last call.
    func takeDone() -> [(client: Int, answer: [UInt8])] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }
}
