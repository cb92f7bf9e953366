// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Credentials
import Foundation
import Guards
import Readers
import SecretMemory
import Statuses

/// Answers a guest over its socket: one thread accepts, and one serves each connection. The socket's file is removed as
/// soon as it is mounted inside, so that nothing of it remains if the guard is killed.
final class BrokerServer: Sendable {
    /// Connections at once. Another one replaces the longest idle.
    static let connectionLimit = 128
    /// Calls in the engine at once.
    static let callLimit = 4
    /// The time in which a request that has begun must arrive, and an answer be taken, in milliseconds.
    private static let patience: Int32 = 10_000
    /// A larger request or answer waits for others to end, so that memory is bounded.
    private static let largest = 1 << 20

    private let items: GuestItems
    private let listener: Int32
    private let folder: String
    let path: String
    private let state = Locked(State())
    private let turns: DispatchSemaphore
    private let largeTurn = DispatchSemaphore(value: 1)
    private let isUsed = DispatchSemaphore(value: 0)

    private struct State {
        /// The inode of the guest's PID namespace; nil: not known yet.
        var namespace: UInt64?
        var isRemoved = false
        /// The connections, and when each last had a request.
        var connections: [Int32: ContinuousClock.Instant] = [:]
        /// Connections with a request in progress.
        var busy: Set<Int32> = []
        var lastRequest = ContinuousClock.now
        /// Whether nothing is kept for a next request.
        var isAtRest = true
    }

    /// Makes the socket, in a folder of its own of mode 0700. `turns`: for calls, `callLimit` at once.
    init(_ items: GuestItems, turns: DispatchSemaphore) throws {
        (self.items, self.turns) = (items, turns)
        let parent = AgentSocket.runtimeFolder ?? "/tmp"
        Self.removeLeftovers(in: parent)
        folder = try AgentSocket.newFolder(in: parent, Self.prefix)
        path = "\(folder)/socket"
        listener = unsafe zamok_guard_listen(path)
        guard listener >= 0 else {
            unsafe rmdir(folder)
            throw CommandFailure.status(
                .inputOutput, "\(path.printable) can't be made: \(SystemCode.text(-listener))")
        }
    }

    private static let prefix = "zamok-guard-"

    /// Removes sockets on which no guard listens: their guards were killed before the guest had begun.
    private static func removeLeftovers(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            var status = stat()
            let folder = "\(parent)/\(name)"
            guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
            else { continue }
            let isOld = time(nil) - status.st_mtim.tv_sec > 60
            let hasSocket = unsafe access("\(folder)/socket", F_OK) == 0
            guard hasSocket ? unsafe zamok_guard_is_dead("\(folder)/socket") == 1 : isOld else { continue }
            for name in ["socket", "socket."] { unsafe unlink("\(folder)/\(name)") }
            unsafe rmdir(folder)
        }
    }

    /// Begins to serve the guest whose PID namespace has this inode.
    func begin(namespace: UInt64) {
        state.withLock { $0.namespace = namespace }
        Thread.start { [self] in while accept() {} }
        Thread.start { [self] in while true { rest() } }
    }

    /// Waits for requests, and until there was none for a second. Then it gives up what is kept for a next one: a
    /// process that keeps keys wakes now and then to see whether they are void.
    private func rest() {
        isUsed.wait()
        while state.withLock({ !$0.busy.isEmpty || ContinuousClock.now - $0.lastRequest < .seconds(1) }) { sleep(1) }
        state.withLock { $0.isAtRest = true }
        items.rest()
        IdleMemory.release()
    }

    /// Removes the socket's file.
    func removeFile() {
        let isFirst = state.withLock { state in
            defer { state.isRemoved = true }
            return !state.isRemoved
        }
        guard isFirst else { return }
        unsafe unlink(path)
        unsafe rmdir(folder)
    }

    private func accept() -> Bool {
        var (process, user) = (Int32(0), UInt32(0))
        let connection = unsafe zamok_guard_accept(listener, &process, &user)
        guard connection >= 0 else {
            // Out of descriptors: another connection ends some time.
            usleep(10_000)
            return connection != -EBADF && connection != -EINVAL
        }
        guard isGuest(connection, process, user), makeRoom() else {
            close(connection)
            return true
        }
        state.withLock { $0.connections[connection] = .now }
        let client = process
        Thread.start { [self] in
            while serve(connection, client) {}
            state.withLock { $0.connections[connection] = nil }
            close(connection)
        }
        return true
    }

    /// Whether the peer is of this user and in the guest's PID namespace. Another process could reach the socket's file
    /// until it is mounted inside.
    private func isGuest(_ connection: Int32, _ process: Int32, _ user: UInt32) -> Bool {
        guard user == geteuid(), let namespace = state.withLock({ $0.namespace }) else { return false }
        return zamok_guard_namespace_of_peer(connection, process) == namespace
    }

    /// Ends the longest idle connection if there are too many. False: all are busy.
    private func makeRoom() -> Bool {
        let (isFull, idle) = state.withLock { state -> (Bool, Int32?) in
            guard state.connections.count >= Self.connectionLimit else { return (false, nil) }
            return (true, state.connections.filter { !state.busy.contains($0.key) }.min { $0.value < $1.value }?.key)
        }
        // Its thread closes it.
        if let idle { _ = zamok_guard_end(idle) }
        return !isFull || idle != nil
    }

    /// Serves one request. False: the connection has ended.
    private func serve(_ connection: Int32, _ client: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: 1)
        guard unsafe zamok_guard_receive(connection, &head, 1, -1) == 0 else { return false }
        let wasAtRest = state.withLock { state in
            state.busy.insert(connection)
            state.lastRequest = .now
            defer { state.isAtRest = false }
            return state.isAtRest
        }
        if wasAtRest { isUsed.signal() }
        defer {
            state.withLock { state in
                state.busy.remove(connection)
                if state.connections[connection] != nil { state.connections[connection] = .now }
            }
        }
        var rest = [UInt8](repeating: 0, count: Frame.headSize - 1)
        guard unsafe zamok_guard_receive(connection, &rest, rest.count, Self.patience) == 0 else { return false }
        let size = Frame.size(head + rest)
        guard size <= BrokerRequest.limit else { return false }
        let isLarge = size > Self.largest
        if isLarge { largeTurn.wait() }
        defer { if isLarge { largeTurn.signal() } }
        var request = [UInt8](repeating: 0, count: size)
        defer { request.wipe() }
        guard unsafe zamok_guard_receive(connection, &request, size, Self.patience) == 0 else { return false }
        turns.wait()
        defer { turns.signal() }
        let locks = items.lockCount
        var answer = items.answer(request, client: client)
        var message = Frame.framed(answer)
        answer.wipe()
        defer { message.wipe() }
        return send(message, to: connection, locks)
    }

    /// False: the guest has not taken all of it in time, or the home was locked meanwhile.
    private func send(_ message: [UInt8], to connection: Int32, _ locks: UInt64) -> Bool {
        let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
        var sent = 0
        while sent < message.count {
            guard items.lockCount == locks, .now < end else { return false }
            let part = unsafe zamok_guard_send_part(connection, message, sent, message.count - sent, 20)
            guard part >= 0 || part == -Int64(ETIMEDOUT) else { return false }
            sent += max(0, Int(part))
        }
        return true
    }
}
