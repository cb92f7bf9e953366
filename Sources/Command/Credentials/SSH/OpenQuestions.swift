// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

/// Prompts that the user hasn't answered yet. A yes is void if the agent was locked or the key was removed meanwhile,
/// even if the key was added again since.
final class OpenQuestions: Sendable {
    private struct State {
        var last = 0
        /// The keys that the prompts are about, by number.
        var open: [Int: [UInt8]] = [:]
    }

    private let state = Locked(State())

    /// Begins a prompt about a key. Returns its number.
    func begin(_ key: [UInt8]) -> Int {
        state.withLock { state in
            state.last += 1
            state.open[state.last] = key
            return state.last
        }
    }

    func end(_ number: Int) { state.withLock { $0.open[number] = nil } }

    /// Voids the prompts about these keys.
    func void(where isGone: ([UInt8]) -> Bool) {
        state.withLock { state in state.open = state.open.filter { !isGone($0.value) } }
    }

    func isOpen(_ number: Int) -> Bool { state.withLock { $0.open[number] != nil } }
}
