// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import SecretMemory

/// Serves the agent's clients on one thread. No client can block the others by sending half a message, not reading an
/// answer, or sending requests continuously.
final class AgentServer {
    /// The maximum number of connections. Another one replaces a connection that may be dropped.
    static let connectionLimit = 128
    /// The maximum number of new clients between two turns of the existing ones.
    private static let acceptLimit = 16
    /// The time limit for receiving a message, and for sending an answer.
    private static let patience = Duration.seconds(10)

    private static let failure: [UInt8] = [5]

    private let listener: Int32
    private let agent: LateAgent
    private let prompts = AgentPrompts()
    /// A byte wakes the loop: an answer is ready, or a signal arrived.
    private let wake: (read: Int32, write: Int32)
    private var clients: [Int32: AgentClient] = [:]
    private var lastNumber = 0

    /// Takes ownership of `listener`.
    init(_ listener: Int32, _ agent: LateAgent) throws {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw AgentSocket.failure("no pipe can be made") }
        for end in ends + [listener] { AgentSocket.prepare(end) }
        wake = (ends[0], ends[1])
        self.listener = listener
        self.agent = agent
    }

    deinit {
        for descriptor in Array(clients.keys) + [listener, wake.read, wake.write] { close(descriptor) }
    }

    private static let endMark: UInt8 = 0
    private static let answerMark: UInt8 = 1

    /// Serves until a signal ends it.
    func run() {
        let end = wake.write
        EndingSignals.watch { Self.send(Self.endMark, to: end) }
        while step() {}
    }

    private static func send(_ mark: UInt8, to end: Int32) {
        var byte = mark
        _ = unsafe write(end, &byte, 1)
    }

    /// Returns false at the end.
    private func step() -> Bool {
        let descriptors = Array(clients.keys)
        var watched = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
        let asked = ContinuousClock.now
        let hasRoom = hasRoom(asked)
        watched.append(pollfd(fd: hasRoom ? listener : -1, events: Int16(POLLIN), revents: 0))
        for descriptor in descriptors {
            let client = clients[descriptor]
            let events = client?.wantsToWrite == true ? POLLOUT : client?.wantsToRead == true ? POLLIN : 0
            watched.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        }
        let most = timeout(hasRoom, asked)
        guard unsafe poll(&watched, nfds_t(watched.count), most) >= 0 || errno == EINTR else { return false }
        let now = ContinuousClock.now
        if watched[0].revents != 0, !takeMarks() { return false }
        for (client, answer) in prompts.takeDone() {
            guard let descriptor = clients.first(where: { $1.number == client })?.key else { continue }
            clients[descriptor]?.answer(answer, now: now)
        }
        agent.turn {
            for (place, descriptor) in descriptors.enumerated() { serve(descriptor, watched[place + 2].revents, now) }
        }
        // After the others: a new client may get the descriptor of a dropped one.
        if watched[1].revents != 0 {
            for _ in 0..<Self.acceptLimit where self.hasRoom(now) {
                guard accept(now) else { break }
            }
        }
        return true
    }

    /// Whether a new client can be accepted.
    private func hasRoom(_ now: ContinuousClock.Instant) -> Bool {
        clients.count < Self.connectionLimit || clients.values.contains { $0.givesWay(now) }
    }

    /// Milliseconds until a client's time limit ends, or until a client may be dropped. 0 if a complete message is
    /// already waiting, and -1 without a limit.
    private func timeout(_ hasRoom: Bool, _ now: ContinuousClock.Instant) -> Int32 {
        if clients.values.contains(where: { $0.hasMessage && !$0.wantsToWrite && !$0.isWaiting }) { return 0 }
        let busy = clients.values.filter { !$0.isIdle && !$0.isWaiting }.map(\.lastMove).min()
        guard let busy else { return -1 }
        let left = now.duration(to: busy + (hasRoom ? Self.patience : AgentClient.patienceForOthers))
        return Int32(
            clamping: max(0, left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// Returns false if a signal arrived.
    private func takeMarks() -> Bool {
        var marks = [UInt8](repeating: Self.answerMark, count: 64)
        let count = unsafe read(wake.read, &marks, marks.count)
        return count < 0 || !marks.prefix(count).contains(Self.endMark)
    }

    /// Returns false if no client is waiting.
    private func accept(_ now: ContinuousClock.Instant) -> Bool {
        let descriptor = Foundation.accept(listener, nil, nil)
        guard descriptor >= 0 else { return false }
        AgentSocket.prepare(descriptor)
        // Only processes of the agent's own user, regardless of the mode of the socket file.
        guard let peer = SocketPeer.credentials(of: descriptor), peer.user == geteuid() else {
            close(descriptor)
            return true
        }
        if clients.count >= Self.connectionLimit,
            let first = clients.filter({ $1.givesWay(now) }).min(by: { $0.value.isBefore($1.value) })?.key
        {
            end(first)
        }
        lastNumber += 1
        clients[descriptor] = AgentClient(number: lastNumber, process: peer.process, now: now)
        return true
    }

    private func end(_ descriptor: Int32) {
        clients[descriptor] = nil
        close(descriptor)
    }

    /// Serves at most one message, so that every client gets a turn.
    private func serve(_ descriptor: Int32, _ events: Int16, _ now: ContinuousClock.Instant) {
        // Removed from the dictionary, so that overwriting doesn't copy the bytes.
        guard var client = clients.removeValue(forKey: descriptor) else { return }
        let isGone = events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 && events & Int16(POLLIN) == 0
        let isSlow = !client.isIdle && !client.isWaiting && client.lastMove + Self.patience < now
        guard !isGone, !isSlow else { return end(descriptor) }
        if events & Int16(POLLIN) != 0, client.wantsToRead {
            guard var bytes = Self.received(descriptor) else { return end(descriptor) }
            client.take(bytes, now: now)
            // A message may contain a private key (ssh-add). Copies remain of an incomplete message of a client that
            // was dropped.
            bytes.wipe()
        }
        guard !client.isRefused else { return end(descriptor) }
        if !client.wantsToWrite, !client.isWaiting, var message = client.nextMessage() {
            switch agent.answer(message, &client.session) {
            case .now(let answer): client.answer(answer, now: now)
            case .later(let work):
                let end = wake.write
                if prompts.ask(client.number, work, wake: { Self.send(Self.answerMark, to: end) }) {
                    client.beginPrompt()
                } else {
                    client.answer(Self.failure, now: now)
                }
            }
            message.wipe()
        }
        if client.wantsToWrite {
            guard let count = Self.sent(Array(client.output), descriptor) else { return end(descriptor) }
            client.wrote(count, now: now)
        }
        clients[descriptor] = client
    }

    /// `nil`: the connection has ended.
    private static func received(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        bytes.removeLast(bytes.count - count)
        return count == 0 ? nil : bytes
    }

    private static func sent(_ bytes: [UInt8], _ descriptor: Int32) -> Int? {
        let count = unsafe write(descriptor, bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
        return count
    }
}
