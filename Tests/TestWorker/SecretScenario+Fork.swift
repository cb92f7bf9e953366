// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import SecretMemory

extension SecretScenario {
    /// Makes secrets and forks. The child tells what it gets, and waits to be searched; then the parent tells.
    ///
    /// Not wiped by the system: as on kernels without MADV_WIPEONFORK (18).
    static func fork(isWipedBySystem: Bool) throws {
        if !isWipedBySystem, unsafe tools_refuse(tools_system_call("madvise"), 2, 18, EINVAL) != 0 {
            return Conversation.say("not refused")
        }
        let key = try Conversation.readKey()
        let large = try SecretBytes.random(count: 100_000)
        let child = tools_fork()
        if child == 0 {
            Conversation.say("child \(zamok_process())")
            Conversation.say("small \(outcome { try key.withBytes { _ in } })")
            Conversation.say("large \(outcome { try large.withBytes { _ in } })")
            Conversation.say("equal \(outcome { _ = try key.isEqual(to: key) })")
            Conversation.say("new \(outcome { _ = try SecretBytes(count: 8) { _ in }.count })")
            Conversation.say("newLarge \(outcome { _ = try SecretBytes(count: 9000) { _ in }.count })")
            drop(large)
            Conversation.pause(at: "wait")
            tools_exit(0)
        }
        let status = tools_wait(child, 0)
        Conversation.say("parent \(outcome { try key.withBytes { _ in } }) \(status)")
        try large.withBytes { _ in }
    }

    private static func drop(_ secret: consuming SecretBytes) { _ = secret.count }

    private static func outcome(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "worked"
        } catch let error as SecretMemoryError where error.code == .forked {
            return "forked"
        } catch {
            return "failed"
        }
    }
}
