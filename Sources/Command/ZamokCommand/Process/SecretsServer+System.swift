// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Statuses

/// The Secret Service on the session's bus, on one thread. It sleeps until the bus, a signal or the user's answer
/// wakes it.
final class SecretsServer {
    static let name = "org.freedesktop.secrets"
    private static let bus = "org.freedesktop.DBus"
    /// The maximum number of messages read before an answer. It is large: messages of a client that floods the bus
    /// precede those of others, and are refused immediately.
    private static let readLimit = 4096
    /// How long calls are answered before the next check for messages.
    private static let workTime = Duration.milliseconds(4)

    private let connection: BusConnection
    private let services: SecretServices
    private let home: Home
    private let questions: SecretsQuestions
    /// Whether the user can be prompted.
    private let canAsk: Bool
    private let wake: (read: Int32, write: Int32)
    private var clients = SecretsClients<BusMessage>()
    /// The processes of clients, for the access log.
    private var programs: [String: Int32] = [:]
    /// The clients whose credentials were requested from the bus.
    private var asked: [UInt32: String] = [:]
    private var isEnding = false
    /// Whether messages were left for the next turn. The library has already read them, so the descriptor doesn't
    /// show them.
    private var hasMore = true
    private let watch: HomeWatch
    /// When to check for changes by other processes: slightly after a change, so that many changes cost one check.
    private var nextLook: ContinuousClock.Instant?
    /// When the home locks automatically.
    private var unlockEnd: ContinuousClock.Instant?
    /// The counters of the home at the last check.
    private var lastSign: UInt64?
    /// When to drop cached keys: some time after the last work.
    private var forgetTime: ContinuousClock.Instant?
    /// `nil`: there is no logind, or the home is not locked with sessions.
    private var login: LoginWatch?

    /// `program`: the prompter to use instead of the home's own.
    init(
        _ connection: BusConnection, _ home: Home, _ services: SecretServices, program: (any ProgramPrompter)?,
        canAsk: Bool
    ) throws {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw AgentSocket.failure("no pipe can be made") }
        for end in ends { AgentSocket.prepare(end) }
        wake = (ends[0], ends[1])
        self.connection = connection
        self.home = home
        self.canAsk = canAsk
        self.services = services
        questions = SecretsQuestions(program)
        watch = HomeWatch(home)
        nextLook = .now
    }

    deinit { for end in [wake.read, wake.write] { close(end) } }

    /// Requests the bus name. Errors: another owner has the name and keeps it.
    func takeName(replacing: Bool) throws {
        for rule in [
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg2=''",
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameLost',arg0='\(Self.name)'",
        ] { _ = try connection.callBus("AddMatch", [.text(rule)]) }
        // Flags: others may replace us (1), we replace another owner if requested (2), and we don't queue (4).
        let number = try connection.callBus(
            "RequestName", [.text(Self.name), .word(1 | (replacing ? 2 : 0) | 4)])
        switch try answer(to: number).first?.number {
        case 1, 4: return
        default:
            throw CommandFailure.status(
                .duplicateItem,
                "another program is the Secret Service of this session already; take its place with --replace, or end it"
            )
        }
    }

    private static let patience = Duration.seconds(10)

    /// Waits for the reply of the bus, before serving. Other messages that arrive are kept.
    private func answer(to number: UInt32) throws -> [BusValue] {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            var watched = [pollfd(fd: connection.descriptor, events: events, revents: 0)]
            _ = unsafe poll(&watched, 1, 1000)
            guard connection.move() else { break }
            while let message = connection.next() {
                switch message.kind {
                case .reply(of: number): return try message.arguments()
                case .failure(of: number, let name):
                    throw CommandFailure.status(.notAvailable, "the bus refused the name: \(name)")
                default: handle(message)
                }
            }
        }
        throw CommandFailure.status(.inputOutput, "the bus doesn't answer")
    }

    private var events: Int16 { Int16(POLLIN | (connection.hasOutput ? POLLOUT : 0)) }

    // MARK: The loop

    private static let endMark: UInt8 = 0
    private static let answerMark: UInt8 = 1

    private static func send(_ mark: UInt8, to end: Int32) {
        var byte = mark
        _ = unsafe write(end, &byte, 1)
    }

    /// Locks the home when the user's session is locked, and before the machine sleeps.
    func lockWithSession() {
        login = LoginWatch { [unowned self] reason in
            do { try services.lockWithSession() } catch let error as DataProtectionError where error.code == .noPasscode
            {
                // Without a passcode there is nothing to lock.
            } catch {
                let when = reason == .sleep ? "the machine sleeps" : "the session is locked"
                Self.log(
                    "\(when), and the home could not be locked: \(CommandFailure(error)?.message ?? "it is not known why")"
                )
            }
        }
    }

    /// Serves until a signal ends it, another process takes the name, or the bus is gone.
    func run() throws {
        let end = wake.write
        EndingSignals.watch { Self.send(Self.endMark, to: end) }
        while !isEnding { try step() }
        // Pending answers are written before the end.
        while connection.hasOutput {
            var watched = [pollfd(fd: connection.descriptor, events: Int16(POLLOUT), revents: 0)]
            guard unsafe poll(&watched, 1, 1000) > 0, connection.move() else { return }
        }
    }

    private func step() throws {
        var watched = [
            pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.descriptor, events: events, revents: 0),
            pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is ignored.
            pollfd(
                fd: login?.descriptor ?? -1, events: Int16(POLLIN | (login?.hasOutput == true ? POLLOUT : 0)),
                revents: 0),
        ]
        guard unsafe poll(&watched, nfds_t(watched.count), timeout()) >= 0 || errno == EINTR else {
            throw AgentSocket.failure("the bus can't be waited for")
        }
        if watched[0].revents != 0 { takeMarks() }
        // First, because the machine may be about to sleep.
        if watched[3].revents != 0, login?.move() == false {
            Self.log("the system's bus has ended; the home is locked with the session no more")
            login = nil
        }
        // Before any answer, so that nothing is written into a home that was moved away.
        guard watched[2].revents == 0 || watch.isThere() else {
            Self.log("the home was erased, moved away or replaced; this ends, and the next one serves what is there")
            isEnding = true
            return
        }
        login?.lockOverdue()
        try readMessages()
        serveTurns()
        for (prompt, isUnlocked, reason) in questions.takeDone() {
            if let reason { Self.log("nothing was unlocked: \(reason)") }
            services.finish(prompt, isUnlocked ? .unlocked : .dismissed)
        }
        lookAround(isTold: watched[2].revents != 0)
        flush()
        forgetKeys()
    }

    /// Reads until nothing more is available. The library reads 4 KiB at a time. With answers in between, a client that
    /// sends much would delay all others.
    private func readMessages() throws {
        var count = 0
        hasMore = true
        while hasMore, count < Self.readLimit {
            guard connection.move() else { throw CommandFailure.status(.inputOutput, "the session's bus has ended") }
            let before = count
            while count < Self.readLimit, let message = connection.next() {
                count += 1
                handle(message)
            }
            hasMore = count > before
        }
    }

    private func serveTurns() {
        let end = ContinuousClock.now + Self.workTime
        repeat {
            guard let (call, isOwn) = clients.next() else { return }
            serve(call, isOwn)
        } while ContinuousClock.now < end
    }

    /// Milliseconds until the next task; -1: no limit.
    private func timeout() -> Int32 {
        if hasMore || clients.hasWork { return 0 }
        guard let next = [nextLook, unlockEnd, forgetTime, login?.deadline].compactMap({ $0 }).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: next).components
        return Int32(clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
    }

    private static let pause = Duration.milliseconds(100)

    private func lookAround(isTold: Bool) {
        let now = ContinuousClock.now
        if isTold {
            watch.drain()
            nextLook = min(nextLook ?? now + Self.pause, now + Self.pause)
        }
        let isOver = unlockEnd.map { $0 <= now } ?? false
        guard isOver || nextLook.map({ $0 <= now }) ?? false else { return }
        (nextLook, unlockEnd) = (nil, isOver ? nil : unlockEnd)
        let sign = home.keybag.bell &+ home.keybag.changeCount(.keychain)
        // Otherwise files were only opened; this process opens some itself.
        guard isOver || sign != lastSign else { return }
        lastSign = sign
        forgetTime = now + Self.idleTime
        services.lookAround()
        let isUnlocked = home.keybag.lockState == .unlocked
        // After a lock, cached data of the open home is dropped.
        if !isUnlocked { forgetTime = now }
        unlockEnd = isUnlocked ? (try? home.status())?.unlockedFor.map { now + $0 } : nil
    }

    private static let idleTime = Duration.seconds(1)
    private static let overwriteTime = Duration.milliseconds(20)
    /// Whether a secret may have been transferred since the memory was last cleared.
    private var hasPassed = false

    /// Drops keys that an idle process can get again, so that nothing wakes it, and releases memory.
    private func forgetKeys() {
        guard let time = forgetTime, time <= .now else { return }
        forgetTime = nil
        home.keybag.forgetKeptKeys()
        if hasPassed {
            // Once more afterwards, because reading what follows is work too.
            hasPassed = false
            connection.overwriteInput()
            forgetTime = .now + Self.overwriteTime
        }
        IdleMemory.release()
    }

    private func takeMarks() {
        var marks = [UInt8](repeating: Self.answerMark, count: 64)
        let count = unsafe read(wake.read, &marks, marks.count)
        if count > 0, marks.prefix(count).contains(Self.endMark) { isEnding = true }
    }

    private func handle(_ message: BusMessage) {
        switch message.kind {
        case .call: take(message)
        case .reply(let number): told(number, message)
        case .failure(let number, _): told(number, nil)
        case .signal: if message.sender == Self.bus { heard(message) }
        case .other: break
        }
    }

    private func take(_ call: BusMessage) {
        switch clients.take(call, from: call.sender) {
        case .queued: break
        case .unknown:
            guard let number = try? connection.callBus("GetConnectionCredentials", [.text(call.sender)]) else {
                return clients.remove(call.sender)
            }
            asked[number] = call.sender
        case .refused: try? connection.reply(to: call, .tooMuch)
        }
    }

    /// The reply of the bus about the process of a client.
    private func told(_ number: UInt32, _ message: BusMessage?) {
        guard let name = asked.removeValue(forKey: number) else { return }
        let credentials = (try? message?.arguments())?.first?.properties
        let isOwn = credentials?["UnixUserID"]?.number == UInt64(geteuid())
        let process = credentials?["ProcessID"]?.number.flatMap(Int32.init(exactly:))
        if isOwn {
            programs[name] = process
            if services.isSeparate { services.met(name, process.map(ProgramName.ofProcess) ?? .unnamed) }
        }
        clients.set(name, isOwn: isOwn)
    }

    private func heard(_ message: BusMessage) {
        guard let arguments = try? message.arguments() else { return }
        switch message.member {
        case "NameOwnerChanged":
            guard arguments.count == 3, case .text(let name) = arguments[0] else { return }
            clients.remove(name)
            programs[name] = nil
            services.left(name)
        case "NameLost":
            guard case .text(Self.name)? = arguments.first else { return }
            Self.log("another program has taken the place of this one")
            isEnding = true
        default: break
        }
    }

    private func serve(_ message: BusMessage, _ isOwn: Bool) {
        do {
            guard isOwn else { throw BusFailure.accessDenied }
            let call = BusCall(
                sender: message.sender, path: message.path, interface: message.interface, member: message.member,
                arguments: try message.arguments())
            let context = AccessContext(.command, client: programs[message.sender])
            try AccessContext.$current.withValue(context) {
                guard message.path != SecretService.portalPath else { return try answerPortal(message, call) }
                guard let service = services.service(of: message.sender) else { throw BusFailure.accessDenied }
                try connection.reply(to: message, try service.answer(call))
            }
        } catch {
            try? connection.reply(to: message, error as? BusFailure ?? .unforeseen)
        }
        forgetTime = .now + Self.idleTime
        hasPassed = true
        flush()
    }

    /// Replies with a response, 0 or 2, as the portal frontend requires.
    private func answerPortal(_ message: BusMessage, _ call: BusCall) throws {
        var isGiven = false
        switch try services.shared.portalAnswer(call) {
        case .secret(let secret): isGiven = try message.descriptor()?.give(secret) ?? false
        case .refused(let reason): Self.log(reason)
        }
        try connection.reply(to: message, [.word(isGiven ? 0 : 2), .properties([])])
        flush()
    }

    /// Sends the signals for completed work, after its answer, and starts prompts.
    private func flush() {
        for prompt in services.takeUnwanted() { questions.cancel(prompt) }
        for signal in services.takeSignals() { try? connection.emit(signal) }
        for prompt in services.takeQuestions() {
            guard canAsk else {
                Self.log("a program wants the keychain unlocked, and no prompt is possible: zamok unlock")
                services.finish(prompt, .dismissed)
                continue
            }
            let end = wake.write
            questions.ask(prompt, home) { Self.send(Self.answerMark, to: end) }
        }
        for signal in services.takeSignals() { try? connection.emit(signal) }
    }

    private static func log(_ text: String) { try? Channel.error.line("zamok: \(text)") }
}
