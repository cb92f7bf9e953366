// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import SecretMemory

/// An app's own prompter whose person answers by a script.
package final class ScriptedPrompter: Prompter {
    package enum Answer: Sendable {
        case text(String)
        case cancels
        /// Does something before the answer, while the prompt is shown.
        case meanwhile(@Sendable () -> Void, String)
    }

    private let state: Locked<(answers: [Answer], asked: [PromptRequest])>

    package init(_ answers: Answer...) { state = Locked((answers, [])) }

    /// What was asked so far.
    package var asked: [PromptRequest] { state.withLock { $0.asked } }

    /// More answers.
    package func add(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// After the last answer of the script each prompt is cancelled.
    package func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        let next = state.withLock { state in
            state.asked.append(request)
            return state.answers.isEmpty ? .cancels : state.answers.removeFirst()
        }
        switch next {
        case .text(let text): return try typed(text)
        case .cancels: throw DataProtectionError(.cancelled, "the script ends here")
        case .meanwhile(let act, let text):
            act()
            return try typed(text)
        }
    }

    private func typed(_ text: String) throws(DataProtectionError) -> SecretBytes {
        do {
            return try SecretBytes(copying: Array(text.utf8))
        } catch {
            throw DataProtectionError(.notAvailable, "no memory", cause: error)
        }
    }
}
