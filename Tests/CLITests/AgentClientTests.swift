// SPDX-License-Identifier: Apache-2.0

import Credentials
import Testing

@testable import ZamokCommand

/// What the agent keeps of a client: messages in pieces, several at once, too long ones.
@Suite struct AgentClientTests {
    private let now = ContinuousClock.now

    private func client() -> AgentClient { AgentClient(number: 1, now: now) }

    @Test func `a message is whole when its last byte came, in whatever pieces`() {
        var client = client()
        #expect(client.isIdle && client.wantsToRead)
        for byte in [0, 0, 0, 2, 11] as [UInt8] {
            client.take([byte], now: now)
            #expect(!client.hasMessage && !client.isIdle && client.wantsToRead)
        }
        client.take([12, 0, 0], now: now)
        #expect(client.hasMessage && !client.wantsToRead)
        #expect(client.nextMessage() == [11, 12] && client.nextMessage() == nil)
        client.take([0, 1, 19], now: now)
        #expect(client.nextMessage() == [19] && client.isIdle)
    }

    // Rule: nothing more is read from a client before it took its answer | always read | more is wanted while an answer waits
    @Test func `an answer is written before anything more is read`() {
        var client = client()
        client.answer([5], now: now)
        #expect(client.wantsToWrite && !client.wantsToRead && Array(client.output) == [0, 0, 0, 1, 5])
        client.wrote(3, now: now)
        #expect(Array(client.output) == [1, 5])
        client.wrote(2, now: now)
        #expect(client.wantsToRead && client.isIdle)
        client.await()
        #expect(!client.wantsToRead && !client.isIdle)
    }

    // Rule: the time of a message counts from its first byte | from each | a byte now and then keeps the place
    @Test func `time counts from the first byte of a message`() {
        var client = client()
        client.take([0], now: now + .seconds(1))
        client.take([0], now: now + .seconds(9))
        #expect(client.lastMove == now + .seconds(1))
    }

    // Rule: an agent's message has at most 256 KiB | no limit | the length of 4 GiB is taken
    @Test(arguments: [
        (0, true), (1, false), (SSHAgent.messageLimit, false), (SSHAgent.messageLimit + 1, true), (0xFFFF_FFFF, true),
    ])
    func `a length that no message has is refused before a byte of it is kept`(length: Int, isRefused: Bool) {
        var client = client()
        client.take([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }, now: now)
        #expect(client.isRefused == isRefused)
    }
}
