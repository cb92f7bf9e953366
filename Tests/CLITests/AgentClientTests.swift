// SPDX-License-Identifier: Apache-2.0

import Credentials
import Testing

@testable import ZamokCommand

/// What the agent keeps of a client: messages in pieces, several at once, too long ones.
@Suite struct AgentClientTests {
    private let now = ContinuousClock.now

    private func client() -> AgentClient { AgentClient(number: 1, now: now) }

    @Test func `a message is whole when its last byte came, in any pieces`() {
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

    // Rule: nothing more is read from a client before it has taken its answer | always read | more is wanted while an
    //   answer waits
    @Test func `an answer is written before anything more is read`() {
        var client = client()
        client.answer([5], now: now)
        #expect(client.wantsToWrite && !client.wantsToRead && Array(client.output) == [0, 0, 0, 1, 5])
        client.wrote(3, now: now)
        #expect(Array(client.output) == [1, 5])
        client.wrote(2, now: now)
        #expect(client.wantsToRead && client.isIdle)
        client.beginPrompt()
        #expect(!client.wantsToRead && !client.isIdle)
    }

    // Rule: the time of a message counts from its first byte | from each | a byte now and then keeps the place
    @Test func `time counts from the first byte of a message`() {
        var client = client()
        client.take([0], now: now + .seconds(1))
        client.take([0], now: now + .seconds(9))
        #expect(client.lastMove == now + .seconds(1))
    }

    // Rule: where others wait for a place, a client with half a message keeps its place for a second | for as long as
    //   it takes | 128 of them hold the agent up for 10 s
    @Test func `stalled clients are evicted after a second, before idle ones, and one that waits for a person never`() {
        let later = now + AgentClient.patienceForOthers
        let soon = later - .milliseconds(1)
        let idle = client()
        #expect(idle.givesWay(now))
        var half = client()
        half.take([0], now: now)
        #expect(!half.givesWay(soon) && half.givesWay(later))
        #expect(half.isBefore(idle) && !idle.isBefore(half))
        var whole = client()
        whole.take([0, 0, 0, 1, 11], now: now)
        #expect(!whole.givesWay(later))
        _ = whole.nextMessage()
        whole.beginPrompt()
        #expect(!whole.givesWay(later + .seconds(60)))
        // A client that takes no answer, with anything that it sent meanwhile.
        whole.take([0, 0, 0, 1, 11], now: now)
        whole.answer([5], now: now)
        #expect(!whole.givesWay(soon) && whole.givesWay(later))
        var older = client()
        older.take([0], now: now - .seconds(1))
        #expect(older.isBefore(half) && !half.isBefore(older))
    }

    private static let stall = """
        import os, socket, time
        def client(text):
            s = socket.socket(socket.AF_UNIX); s.connect(os.environ["SSH_AUTH_SOCK"]); s.sendall(text); return s
        held = [client(b"\\0\\0") for _ in range(128)]
        time.sleep(0.2)
        start = time.monotonic()
        other = client(b"\\0\\0\\0\\1\\x0b"); other.settimeout(60)
        answered = other.recv(100)[4] == 12
        print(answered, time.monotonic() - start < 5)
        """

    // Rule: 128 clients with half a message each stall no other client for more than some seconds | places are lost
    //   after 10 s alone | the answer comes after 10 s
    @Test func `as many clients as there are places, each with half a message, stall no other client`() throws {
        let stage = try Stage()
        guard try stage.has("kernel-keyring") else { return }
        stage.environment["ZAMOK_HOME"] = stage.folder + "/home"
        stage.environment["SSH_AUTH_SOCK"] = stage.folder + "/a/socket"
        stage.environment["STALL"] = Self.stall
        try stage.expect(
            "umask 077; mkdir a; zamok keys generate x > log; eval \"$(zamok agent --socket \"$SSH_AUTH_SOCK\")\"; echo $SSH_AGENT_PID > pid",
            "")
        defer { _ = try? stage.run("kill $(cat pid)") }
        try stage.expect("python3 -c \"$STALL\"", "True True\n")
    }

    @Test func `a second login finds the agent of the first one`() throws {
        let stage = try Stage()
        guard try stage.has("kernel-keyring") else { return }
        stage.environment["ZAMOK_HOME"] = stage.folder + "/home"
        stage.environment["XDG_RUNTIME_DIR"] = stage.folder + "/r"
        try stage.expect(
            "mkdir -m 700 r; zamok keys generate x > log; eval \"$(zamok agent)\"; echo $SSH_AGENT_PID > pid", "")
        defer { _ = try? stage.run("kill $(cat pid)") }
        try stage.expect(
            "eval \"$(zamok agent)\"; test \"$SSH_AUTH_SOCK\" = \"$XDG_RUNTIME_DIR/zamok/agent\" && echo \"same${SSH_AGENT_PID}\"",
            "same\n")
        // What was asked for otherwise is not promised by it.
        try stage.expect("zamok agent --no-forwarding", containing: "an agent listens at", status: 45)
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
