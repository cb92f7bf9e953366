// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

/// Questions to a person that weren't answered yet. A yes that comes after the agent was locked, or after its key was
/// taken out, counts for nothing: what was asked is no longer so, even if the key came back since.
final class OpenQuestions: Sendable {
    private struct State {
        var last = 0
        /// The keys that they are about, by number.
        var open: [Int: [UInt8]] = [:]
    }

    private let state = Locked(State())

    /// A question about a key begins.
    func begin(_ key: [UInt8]) -> Int {
        state.withLock { state in
            state.last += 1
            state.open[state.last] = key
            return state.last
        }
    }

    func end(_ number: Int) { state.withLock { $0.open[number] = nil } }

    /// Those about such keys are void.
    func void(where isGone: ([UInt8]) -> Bool) {
        state.withLock { state in state.open = state.open.filter { !isGone($0.value) } }
    }

    func isOpen(_ number: Int) -> Bool { state.withLock { $0.open[number] != nil } }
}
