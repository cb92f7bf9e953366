// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation

/// Watches logind for locks of this account's sessions and for sleep, over the system bus (Decision 0037). The home is
/// locked when one of its sessions is, and before the machine sleeps. `logind` delays sleep until that is done, or
/// until its own time limit (5 s).
///
/// The caller does the locking; this class only reports when. It uses one thread and never blocks.
final class LoginWatch {
    /// The reason for a lock.
    enum Reason {
        case session, sleep
    }

    private static let bus = "org.freedesktop.DBus"
    private static let name = "org.freedesktop.login1"
    private static let folder = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let signal = "org.freedesktop.DBus.Properties"
    /// The maximum number of locked sessions whose user logind has not yet reported.
    private static let questionLimit = 64

    /// The pending requests to logind or the bus.
    private enum Question {
        case owner, inhibitor, userOfSession
    }

    private let connection: BusConnection
    private let lock: (Reason) -> Void
    /// The unique bus name of logind; signals from other senders are ignored. Empty: there is no logind.
    private var owner = ""
    private var asked: [UInt32: Question] = [:]
    /// The time limit for logind to report the user of a locked session. After it the home is locked anyway.
    private(set) var deadline: ContinuousClock.Instant?
    private static let patience = Duration.seconds(2)
    /// The machine doesn't sleep while this is open.
    private var inhibitor: BusDescriptor?

    /// `nil`: this system has no such bus, as in containers.
    init?(lock: @escaping (Reason) -> Void) {
        guard let connection = Self.address.flatMap({ try? BusConnection(address: $0) }) else { return nil }
        (self.connection, self.lock) = (connection, lock)
        for rule in [
            "type='signal',sender='\(Self.name)',interface='\(Self.manager)',member='PrepareForSleep'",
            "type='signal',sender='\(Self.name)',interface='\(Self.session)',member='Lock'",
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(Self.name)'",
        ] { guard (try? connection.callBus("AddMatch", [.text(rule)])) != nil else { return nil } }
        guard let number = try? connection.callBus("GetNameOwner", [.text(Self.name)]) else { return nil }
        asked[number] = .owner
    }

    private static var address: String? {
        if let address = Environment.value("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty {
            return address.hasPrefix("unix:") ? address : nil
        }
        let socket = "/run/dbus/system_bus_socket"
        return FileManager.default.fileExists(atPath: socket) ? "unix:path=\(socket)" : nil
    }

    /// The descriptor to poll.
    var descriptor: Int32 { connection.descriptor }
    var hasOutput: Bool { connection.hasOutput }

    /// Processes all received messages, including those that were read during a request: the descriptor no longer shows
    /// these. Returns false if the bus is gone.
    func move() -> Bool {
        var isDone = false
        while !isDone {
            guard connection.move() else { return false }
            isDone = true
            while let message = connection.next() {
                take(message)
                isDone = false
            }
        }
        return true
    }

    /// Locks if logind didn't report in time whose session was locked.
    func lockOverdue() {
        if !asked.values.contains(.userOfSession) { deadline = nil }
        guard let deadline, deadline <= .now else { return }
        self.deadline = nil
        asked = asked.filter { $0.value != .userOfSession }
        lock(.session)
    }

    private func take(_ message: BusMessage) {
        switch message.kind {
        case .reply(let number): answered(asked.removeValue(forKey: number), message)
        // The session is gone, or logind doesn't report its user. Locks, because a needless lock is harmless.
        case .failure(let number, _): if asked.removeValue(forKey: number) == .userOfSession { lock(.session) }
        case .signal where message.sender == Self.bus && message.member == "NameOwnerChanged": changed(message)
        case .signal where !owner.isEmpty && message.sender == owner: heard(message)
        case .signal, .call, .other: break
        }
    }

    private func answered(_ question: Question?, _ message: BusMessage) {
        switch question {
        case .owner: met((try? message.arguments())?.first?.text ?? "")
        case .inhibitor: inhibitor = message.descriptor()
        case .userOfSession:
            let user = (try? message.arguments())?.first?.content?.fields?.first?.number
            if user == nil || user == UInt64(geteuid()) { lock(.session) }
        case nil: break
        }
    }

    private func changed(_ message: BusMessage) {
        guard let arguments = try? message.arguments(), arguments.count == 3, arguments[0].text == Self.name else {
            return
        }
        met(arguments[2].text ?? "")
    }

    /// A logind has appeared, or was replaced.
    private func met(_ owner: String) {
        guard owner != self.owner else { return }
        self.owner = owner
        inhibitor = nil
        if !owner.isEmpty { holdUpSleep() }
    }

    private func holdUpSleep() {
        let words = ["sleep", "zamok", "The keychain is locked first", "delay"]
        guard
            let number = try? connection.call(
                Self.name, Self.folder, Self.manager, "Inhibit", words.map { .text($0) })
        else { return }
        asked[number] = .inhibitor
    }

    private func heard(_ message: BusMessage) {
        switch (message.interface, message.member) {
        case (Self.manager, "PrepareForSleep"):
            guard let begins = (try? message.arguments())?.first?.bool else { return }
            guard begins else { return inhibitor == nil ? holdUpSleep() : () }
            // In this order: releasing the inhibitor lets the machine sleep.
            lock(.sleep)
            inhibitor = nil
        case (Self.session, "Lock"):
            guard asked.values.count(where: { $0 == .userOfSession }) < Self.questionLimit,
                let number = try? connection.call(
                    Self.name, message.path, Self.signal, "Get", [.text(Self.session), .text("User")])
            else { return lock(.session) }
            asked[number] = .userOfSession
            deadline = deadline ?? .now + Self.patience
        default: break
        }
    }
}
