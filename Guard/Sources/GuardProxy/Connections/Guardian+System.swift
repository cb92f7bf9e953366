// SPDX-License-Identifier: Apache-2.0

import CGuardProxy
import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// The connection to the guard. Questions and answers are on the one event loop; a thread of its own waits for
/// messages, so that what has a secret is in no buffer but its own.
final class Guardian: Sendable {
    /// Where the proxy has the home's counters.
    private static let counters: Int32 = 5
    /// The folder in which they are.
    private static let folder: Int32 = 6

    private let socket: Int32
    private let loop: any EventLoop
    private let state: NIOLoopBound<State>
    /// Locks that a thread has seen, and the event loop has not come to yet.
    let comingLocks = NIOLockedValueBox(0)
    private let counters: Counters?
    /// How long what the guard has permitted counts without being asked again: changes are seen at once where the
    /// counters are.
    private let patience: TimeAmount

    /// The home's counters, mapped for as long as this process lives.
    // Reason: other processes write to them, and they are read by single loads.
    @safe private struct Counters: @unchecked Sendable {
        let page: UnsafeRawPointer

        init?(_ file: Int32) {
            guard let page = unsafe guard_proxy_counters(file) else { return nil }
            unsafe self.page = page
        }
    }

    /// A moment that a permission is compared with.
    struct Moment {
        fileprivate let changes: UInt64
        fileprivate let time: NIODeadline

        static let distantPast = Moment(changes: 0, time: .distantPast)
    }

    /// On the event loop alone.
    private final class State {
        var number: UInt32 = 0
        var waiting: [UInt32: (Verdict) -> Void] = [:]
        var onLock: () -> Void = {}
    }

    init(_ socket: Int32, _ loop: any EventLoop, counters: Int32 = counters, patience: TimeAmount? = nil) {
        (self.socket, self.loop) = (socket, loop)
        state = NIOLoopBound(State(), eventLoop: loop)
        self.counters = Counters(counters)
        self.patience = patience ?? (self.counters == nil ? .milliseconds(20) : .seconds(1))
    }

    /// The moment before a question is asked.
    var now: Moment {
        let changes = counters.map { unsafe guard_proxy_changes($0.page) } ?? 0
        return Moment(changes: changes, time: .now())
    }

    /// Whether what was permitted then needs no further question: no grant or item was changed since.
    func isStill(_ moment: Moment) -> Bool {
        let now = now
        return now.changes == moment.changes && now.time - moment.time < patience
    }

    /// Reads the next message. Nil: the guard has ended, or says what it never says.
    static func receive(_ socket: Int32) -> GuardMessage? {
        var head = [UInt8](repeating: 0, count: 4)
        guard unsafe guard_proxy_receive(socket, &head, 4) == 0 else { return nil }
        let size = head.reduce(0) { $0 << 8 | Int($1) }
        guard size <= 1 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        defer { bytes.wipe() }
        guard unsafe guard_proxy_receive(socket, &bytes, size) == 0 else { return nil }
        return try? GuardMessage(bytes)
    }

    static func send(_ message: ProxyMessage, _ socket: Int32) {
        let bytes = message.bytes
        let count = UInt32(truncatingIfNeeded: bytes.count)
        let framed = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + bytes
        _ = unsafe guard_proxy_send(socket, framed, framed.count)
    }

    /// Waits for messages from now on. The process ends with the guard.
    func begin(onLock: @escaping () -> Void) {
        state.value.onLock = onLock
        let thread = Thread { [self] in
            while let message = Self.receive(socket) {
                if case .locked = message {
                    tellLock()
                    continue
                }
                let held = Handover(message)
                loop.execute { self.received(held.message) }
            }
            exit(0)
        }
        thread.stackSize = 1 << 20
        thread.start()
        watchCounters()
    }

    /// Sees a lock of the home at its counters, without the guard: it may be stopped then, by `^Z` for example.
    private func watchCounters() {
        guard let counters else { return }
        start { [self] in
            var seen: [UInt64] = [0, 0]
            // At first as they are now. No connection has a secret yet.
            unsafe guard_proxy_wait_for_lock(counters.page, &seen)
            while true {
                unsafe guard_proxy_wait_for_lock(counters.page, &seen)
                tellLock()
            }
        }
        start { _ = unsafe guard_proxy_follow_counters(Self.folder, Self.counters, counters.page) }
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.stackSize = 1 << 18
        thread.start()
    }

    private func tellLock() {
        comingLocks.withLockedValue { $0 += 1 }
        loop.execute { [self] in
            received(.locked)
            comingLocks.withLockedValue { $0 -= 1 }
        }
    }

    /// Whether there is a lock that what the event loop does just now came before: nothing is handed out any more.
    var isLocking: Bool { comingLocks.withLockedValue { $0 > 0 } }

    /// A message on its path from the thread to the event loop: the thread has let go of it.
    // Reason: messages have secrets in objects that only the event loop uses.
    private final class Handover: @unchecked Sendable {
        let message: GuardMessage

        init(_ message: GuardMessage) { self.message = message }
    }

    func received(_ message: GuardMessage) {
        switch message {
        case .configure: break
        case .answer(let number, let verdict): state.value.waiting.removeValue(forKey: number)?(verdict)
        case .locked: state.value.onLock()
        }
    }

    /// Asks; the answer comes on the event loop.
    func ask(_ question: Question, _ answer: @escaping (Verdict) -> Void) {
        let state = state.value
        state.number &+= 1
        state.waiting[state.number] = answer
        Self.send(.question(state.number, question), socket)
    }

    /// Asks whether what was permitted still is; the answer has no secrets.
    func askAgain(_ question: Question, _ answer: @escaping (Verdict) -> Void) {
        let state = state.value
        state.number &+= 1
        state.waiting[state.number] = answer
        Self.send(.still(state.number, question), socket)
    }

    func note(_ host: Host?, _ method: String, _ path: String, _ text: String) {
        Self.send(.note(host, method: method, path: path, text: text), socket)
    }
}
