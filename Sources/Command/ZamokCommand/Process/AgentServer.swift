// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import SecretMemory

/// One client of the agent, and what of its message is here.
struct AgentClient {
    var session: SSHAgentSession
    /// Increases with each client, so that a late answer never goes to another one that got the same descriptor.
    let number: Int
    private(set) var input: [UInt8] = []
    private(set) var output: ArraySlice<UInt8> = []
    /// Whether a person is asked for its answer.
    private(set) var isWaiting = false
    /// When it was last heard of, or took something.
    private(set) var lastMove: ContinuousClock.Instant

    init(number: Int, process: Int32? = nil, now: ContinuousClock.Instant) {
        session = SSHAgentSession(client: process)
        self.number = number
        lastMove = now
    }

    /// Whether it has nothing to get and said nothing that wants an answer.
    var isIdle: Bool { input.isEmpty && output.isEmpty && !isWaiting }

    /// How long one that sent half a message, or doesn't take its answer, keeps its place while others wait for one.
    static let patienceForOthers = Duration.seconds(1)

    /// Whether somebody new may have its place, where there is no other.
    func givesWay(_ now: ContinuousClock.Instant) -> Bool {
        isIdle || !isWaiting && (wantsToWrite || !hasMessage) && lastMove + Self.patienceForOthers <= now
    }

    /// Whether it gives way before the other one: who holds others up before who is idle, then who has been so for longer.
    func isBefore(_ other: AgentClient) -> Bool {
        isIdle == other.isIdle ? lastMove < other.lastMove : !isIdle
    }

    var wantsToWrite: Bool { !output.isEmpty }
    /// Nothing more is read before the last message was answered and the answer taken.
    var wantsToRead: Bool { output.isEmpty && !isWaiting && !hasMessage }

    /// The length of the message that it began; nil: not known yet.
    private var length: Int? {
        input.count < 4 ? nil : Int(input.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    /// Whether a whole message is here.
    var hasMessage: Bool { length.map { input.count >= 4 + $0 } ?? false }
    /// A message that is too long, or empty.
    var isRefused: Bool { length.map { !(1...SSHAgent.messageLimit).contains($0) } ?? false }

    mutating func take(_ bytes: some Sequence<UInt8>, now: ContinuousClock.Instant) {
        // Time counts from the first byte of a message: one byte a second is no way to stay.
        if input.isEmpty { lastMove = now }
        input += bytes
    }

    /// The next message, without its length.
    mutating func nextMessage() -> [UInt8]? {
        guard let length, hasMessage else { return nil }
        // A private key may be in it (ssh-add).
        defer {
            for index in 0..<4 + length { input[index] = 0 }
            input.removeFirst(4 + length)
        }
        return Array(input[4..<4 + length])
    }

    mutating func await() { isWaiting = true }

    mutating func answer(_ bytes: [UInt8], now: ContinuousClock.Instant) {
        let count = UInt32(bytes.count)
        isWaiting = false
        lastMove = now
        output = ([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + bytes)[...]
    }

    mutating func wrote(_ count: Int, now: ContinuousClock.Instant) {
        output = output.dropFirst(count)
        if output.isEmpty { lastMove = now }
    }
}

/// Work that asks a person: one after the other, and few that wait.
final class AgentPrompts: Sendable {
    private static let limit = 8
    private let queue = DispatchQueue(label: "zamok.agent.prompts")
    private let state = Locked(State())

    private struct State {
        var count = 0
        var done: [(client: Int, answer: [UInt8])] = []
    }

    /// False: too many wait already. `wake` is called when it is done.
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

    /// What was answered since it was last asked.
    func takeDone() -> [(client: Int, answer: [UInt8])] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }
}
