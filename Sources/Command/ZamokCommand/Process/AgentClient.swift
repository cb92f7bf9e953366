// SPDX-License-Identifier: Apache-2.0

import Credentials

/// One client of the agent, with the received part of its message.
struct AgentClient {
    var session: SSHAgentSession
    /// Increases with each client, so that a late answer never reaches another client with the same descriptor.
    let number: Int
    private(set) var input: [UInt8] = []
    private(set) var output: ArraySlice<UInt8> = []
    /// Whether the user is being prompted for its answer.
    private(set) var isWaiting = false
    /// When it connected, its last message began, its last answer became ready, or that answer was sent.
    private(set) var lastMove: ContinuousClock.Instant

    init(number: Int, process: Int32? = nil, now: ContinuousClock.Instant) {
        session = SSHAgentSession(client: process)
        self.number = number
        lastMove = now
    }

    /// Whether the client has no pending request and no pending answer.
    var isIdle: Bool { input.isEmpty && output.isEmpty && !isWaiting }

    /// How long a client that sent half a message, or doesn't read its answer, keeps its place while others wait
    /// for one.
    static let patienceForOthers = Duration.seconds(1)

    /// Whether a new client may take its place if there is no other.
    func givesWay(_ now: ContinuousClock.Instant) -> Bool {
        isIdle || !isWaiting && (wantsToWrite || !hasMessage) && lastMove + Self.patienceForOthers <= now
    }

    /// Whether this client is dropped before the other one. Blocking clients go before idle ones, then those that have
    /// waited longer.
    func isBefore(_ other: AgentClient) -> Bool {
        isIdle == other.isIdle ? lastMove < other.lastMove : !isIdle
    }

    var wantsToWrite: Bool { !output.isEmpty }
    /// Nothing more is read until the last message is answered and the answer is sent.
    var wantsToRead: Bool { output.isEmpty && !isWaiting && !hasMessage }

    /// The length of the current message; nil: not known yet.
    private var length: Int? {
        input.count < 4 ? nil : Int(input.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    /// Whether a complete message has arrived.
    var hasMessage: Bool { length.map { input.count >= 4 + $0 } ?? false }
    /// Whether the message is too long, or empty.
    var isRefused: Bool { length.map { !(1...SSHAgent.messageLimit).contains($0) } ?? false }

    mutating func take(_ bytes: some Sequence<UInt8>, now: ContinuousClock.Instant) {
        // The time limit starts at the first byte of a message, so sending one byte a second doesn't extend it.
        if input.isEmpty { lastMove = now }
        input += bytes
    }

    /// The next message, without its length prefix.
    mutating func nextMessage() -> [UInt8]? {
        guard let length, hasMessage else { return nil }
        // The message may contain a private key (ssh-add).
        defer {
            for index in 0..<4 + length { input[index] = 0 }
            input.removeFirst(4 + length)
        }
        return Array(input[4..<4 + length])
    }

    mutating func beginPrompt() { isWaiting = true }

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
