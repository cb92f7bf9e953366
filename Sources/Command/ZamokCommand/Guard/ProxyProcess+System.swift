// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import Files
import Foundation
import Guards
import Readers
import SecretMemory

/// The proxy of a run, `zamok-guard-proxy`: a process outside the boundary that has no home and asks this one about
/// each request. It ends with this process.
final class ProxyProcess: Sendable {
    static let name = "zamok-guard-proxy"
    /// How long the proxy may take to begin, in milliseconds.
    private static let patience: Int32 = 10_000

    /// The certificate of the run's authority, in PEM.
    let certificate: String
    let process: Int32
    /// The end that the guest's first program gets, to hand its sockets over.
    let handover: Int32
    private let control: Int32
    private let sending = Locked(())
    /// Requests that wait for a person.
    private let asking = Locked(0)
    private static let mostAsking = 20
    private static let tooMany = "a person would have to be asked, and \(mostAsking) requests wait for that"

    /// Where the proxy has the home's counters. It watches them itself, since this process may be stopped (`^Z`) when
    /// the home is locked.
    private static let countersDescriptor: Int32 = 5
    /// Where it has their folder, in which another file may take their name.
    private static let folderDescriptor: Int32 = 6

    /// Starts it. Has to run on the main thread: the proxy ends with the thread that started it.
    init(_ configuration: ProxyConfiguration, beside executable: String, _ home: Home) throws {
        let path = "\(PathText(executable).deletingLastPathComponent)/\(Self.name)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted,
                message:
                    "\(path.printable) is not there, and a guest with a network needs it; build it with Scripts/build-guard-proxy, or leave the network out: --net none"
            )
        }
        _ = zamok_guard_close_from(3, 0)
        let (controls, handovers) = (try Self.pair(), try Self.pair())
        (control, handover) = (controls[0], handovers[0])
        let counters = try home.keybag.counters.map { counters in
            [
                try Self.high(counters.file.number, closing: false),
                try Self.high(counters.folder.number, closing: false),
            ]
        }
        let from = [controls[1], handovers[1]] + (counters ?? [])
        let child = unsafe withTexts([path, "\(getpid())"]) { texts in
            unsafe zamok_guard_start(
                texts, from, [3, 4, Self.countersDescriptor, Self.folderDescriptor], Int32(from.count))
        }
        for number in counters ?? [] { close(number) }
        close(controls[1])
        close(handovers[1])
        guard child > 0 else { throw GuestProcess.failure("the proxy can't be started", child) }
        process = child
        try Self.send(.configure(configuration), control)
        guard case .ready(let certificate) = try Self.receive(control, Self.patience) else {
            throw CommandFailure(exitStatus: ExitStatus.notStarted, message: "the proxy did not begin as expected")
        }
        self.certificate = certificate
    }

    /// Two connected sockets, above the numbers that programs are given.
    private static func pair() throws -> [Int32] {
        var ends: [Int32] = [0, 0]
        let result = unsafe zamok_guard_pair(&ends)
        guard result == 0 else { throw GuestProcess.failure("no sockets can be made", result) }
        return try ends.map { try high($0, closing: true) }
    }

    private static func high(_ number: Int32, closing: Bool) throws -> Int32 {
        let high = fcntl(number, F_DUPFD_CLOEXEC, 64)
        let failure = errno
        if closing { close(number) }
        guard high >= 0 else { throw GuestProcess.failure("no descriptor can be had", -failure) }
        return high
    }

    private static func send(_ command: ProxyCommand, _ socket: Int32) throws {
        var bytes = try command.bytes
        defer { bytes.wipe() }
        var message = Frame.framed(bytes)
        defer { message.wipe() }
        let result = unsafe zamok_guard_send(socket, message, message.count)
        guard result == 0 else { throw GuestProcess.failure("the proxy has ended", result) }
    }

    private static func receive(_ socket: Int32, _ patience: Int32) throws -> ProxyReport {
        var head = [UInt8](repeating: 0, count: Frame.headSize)
        var result = unsafe zamok_guard_receive(socket, &head, head.count, patience)
        let size = Frame.size(head)
        guard result == 0, size <= ProxyReport.limit else {
            throw GuestProcess.failure("the proxy does not answer", result)
        }
        var bytes = [UInt8](repeating: 0, count: size)
        result = unsafe zamok_guard_receive(socket, &bytes, size, patience)
        guard result == 0 else { throw GuestProcess.failure("the proxy does not answer", result) }
        return try ProxyReport(bytes)
    }

    /// Answers the proxy from now on, and tells it when the home is locked.
    func begin(_ uses: GuestUses, _ home: Home) {
        Thread.start { [self] in
            while let report = try? Self.receive(control, -1) { take(report, uses) }
            try? Channel.error.line("zamok: guard: the proxy has ended; the guest has no network from now on")
        }
        Thread.start { [self] in
            var locks = home.keybag.lockCount
            while true {
                let seen = home.keybag.bell
                let count = home.keybag.lockCount
                // Also if it was locked before: between there may have been an unlock that rang no bell.
                if uses.isLocked || count != locks { tell(.locked) }
                locks = count
                home.keybag.wait(whileBell: seen, .seconds(60))
            }
        }
    }

    private func take(_ report: ProxyReport, _ uses: GuestUses) {
        switch report {
        case .ready: break
        case .question(let number, let question):
            if let verdict = uses.verdictAtOnce(question) { return tell(.answer(number, verdict)) }
            // A person has to be asked: meanwhile others are answered.
            let isTaken = asking.withLock { count in
                guard count < Self.mostAsking else { return false }
                count += 1
                return true
            }
            guard isTaken else {
                uses.note(question.host, question.method, question.path, Self.tooMany)
                return tell(.answer(number, .refused(status: 403, Self.tooMany)))
            }
            Thread.start { [self] in
                tell(.answer(number, uses.verdict(question)))
                asking.withLock { $0 -= 1 }
            }
        case .still(let number, let question): tell(.answer(number, uses.verdict(question, isStill: true)))
        case .note(let host, let method, let path, let text): uses.note(host, method, path, text)
        }
    }

    private func tell(_ command: ProxyCommand) { sending.withLock { _ in try? Self.send(command, control) } }
}
