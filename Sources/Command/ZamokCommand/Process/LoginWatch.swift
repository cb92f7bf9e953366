// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation

/// What logind says of this account's sessions, and of sleep, by the system's bus (Decision 0037): the home is locked when one of its sessions is, and before the machine
/// sleeps, which logind holds up until that is done, or its own patience is over (5 s).
///
/// What is done is the caller's; this only says when. One thread, nothing waits.
final class LoginWatch {
    /// What has to be locked for.
    enum Reason {
        case session, sleep
    }

    private static let bus = "org.freedesktop.DBus"
    private static let name = "org.freedesktop.login1"
    private static let folder = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let signal = "org.freedesktop.DBus.Properties"
    /// Sessions that were locked and of which logind was not asked yet whose they are.
    private static let questionLimit = 64

    /// What logind, or the bus, was asked.
    private enum Question {
        case owner, inhibitor, userOfSession
    }

    private let connection: BusConnection
    private let lock: (Reason) -> Void
    /// The name that the bus gave logind; what others send is not listened to. Empty: there is none.
    private var owner = ""
    private var asked: [UInt32: Question] = [:]
    /// Until when logind may say whose session was locked. It is locked for without that, too.
    private(set) var deadline: ContinuousClock.Instant?
    private static let patience = Duration.seconds(2)
    /// While it is open the machine doesn't sleep.
    private var inhibitor: BusDescriptor?

    /// nil: this system has no such bus, as in containers.
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

    /// To be waited for.
    var descriptor: Int32 { connection.descriptor }
    var hasOutput: Bool { connection.hasOutput }

    /// Takes all that came, also what was read while something was asked: nobody who waits for the descriptor would hear of it. False: the bus is gone.
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

    /// Locks if logind was asked whose session was locked and didn't say it in time.
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
        // A session that is gone, or a logind that doesn't say whose it is: it is locked for rather once too often.
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

    /// There is a logind, or another one.
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
            // In this order: what lets the machine sleep comes last.
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
