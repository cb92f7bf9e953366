// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import SecretMemory

extension SecretScenario {
    /// Does the work of that name with a key on this thread and on others, all of which then wait.
    static func work(_ name: String, isClearing: Bool, threads: Int) throws {
        guard let work = KeyWork(rawValue: name) else { return Conversation.say("no such work") }
        // A scope that is never left: only the outermost one clears.
        let begin: @Sendable () -> Void = { if !isClearing { _ = zamok_enter() } }
        begin()
        let key = Secret(try Conversation.readKey())
        let done = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread {
                begin()
                try? key.withSecretBytes { try work.run(with: $0) }
                done.signal()
                end.wait()
            }
            done.wait()
        }
        try key.withSecretBytes { try work.run(with: $0) }
        withExtendedLifetime(key) { Conversation.pause(at: "done") }
    }
}
