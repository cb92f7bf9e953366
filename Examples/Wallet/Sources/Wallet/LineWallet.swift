// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

/// The wallet line by line: a question, a command and its number, an answer. Nothing is drawn, nothing can be covered,
/// so a card's number is written only after a yes.
@MainActor
struct LineWallet {
    private let users: UserDirectory
    private let idle = IdleLock()

    init(root: Home) throws { users = try UserDirectory(root: root) }

    /// Until the user quits, by `quit` or Control-C.
    func run() async throws {
        try LineMode.say("Wallet. Type a command, then Return. Type help for all commands.")
        while let word = try ask("Who are you? ") {
            switch word.name {
            case "quit", "q": return
            case "help": try LineMode.say("list, a name, new, quit")
            case "list":
                let names = try users.users().map(\.name)
                try LineMode.say(names.isEmpty ? "No users yet. Type new." : names.joined(separator: "\n"))
            case "new": try await logIn(FormScreen.newUser(users))
            default:
                guard let user = try users.users().first(where: { $0.name == word.all }) else {
                    try LineMode.say("There is no user \(word.all). Type list or new.")
                    continue
                }
                try await logIn(FormScreen.logIn(user, users))
            }
        }
    }

    private func logIn(_ form: FormScreen) async throws {
        try await telling {
            guard case .open(let user) = try await form.fillByLines() else { return }
            let session = try Session(user, home: users.home(of: user))
            defer { session.close() }
            try LineMode.say("Logged in as \(user.name). Type help for all commands.")
            try await use(session)
        }
    }

    private func use(_ session: Session) async throws {
        // The keys are destroyed, and the open prompt ends, when no line has come for as long as the user has set.
        let keybag = try users.home(of: session.user).keybag
        defer { idle.stop() }
        while keybag.lockState == .unlocked {
            idle.start(session.settings.locksAfter) { try keybag.lockCompletely() }
            guard let word = try ask("\(session.user.name)> "), word.name != "lock", keybag.lockState == .unlocked
            else { break }
            try await telling { try await handle(word, session) }
        }
        try LineMode.say("Locked.")
    }

    private func handle(_ word: Word, _ session: Session) async throws {
        switch word.name {
        case "help":
            try LineMode.say(
                """
                cards, show NUMBER, add, remove NUMBER
                notes, read NUMBER, write, delete NUMBER
                settings, set NUMBER
                lock
                """)
        case "cards":
            let cards = try session.cards.cards()
            try list(cards.map { "\($0.name), \($0.network), ends in \($0.lastFour), \($0.expires)" }, "No cards yet.")
        case "show":
            guard let card = try choose(word, among: session.cards.cards()) else { return }
            guard try confirm("It stays on the screen. Show the number of \(card.name)?"),
                let number = try session.cards.number(of: card), let text = try String(exposing: number)
            else { return }
            // Digit groups, which a screen reader reads as four.
            try LineMode.say(text.enumerated().map { ($0.offset % 4 == 0 ? " " : "") + String($0.element) }.joined())
        case "add":
            if try await CardsTab(session).newCard().fillByLines(isInTime: idle.isInTime) != nil {
                try LineMode.say("Added.")
            }
        case "remove":
            guard let card = try choose(word, among: session.cards.cards()) else { return }
            guard try confirm("Remove \(card.name) for good?") else { return }
            try session.cards.remove(card)
            try LineMode.say("Removed \(card.name).")
        default: try handleNotes(word, session)
        }
    }

    private func handleNotes(_ word: Word, _ session: Session) throws {
        switch word.name {
        case "notes": try list(session.notes.notes().map(\.title), "No notes yet.")
        case "read":
            if let note = try choose(word, among: session.notes.notes()) { try LineMode.say(note.text) }
        case "write":
            var note = Note()
            try LineMode.say("An empty line ends the note.")
            while let line = try ask("Line: ") {
                guard line.all.isEmpty else {
                    note.text += line.all + "\n"
                    continue
                }
                try session.notes.save(note)
                return try LineMode.say("Saved.")
            }
            try LineMode.say("Not saved.")
        case "delete":
            guard let note = try choose(word, among: session.notes.notes()) else { return }
            guard try confirm("Delete \(note.title) for good?") else { return }
            try session.notes.remove(note)
            try LineMode.say("Deleted.")
        case "settings", "set":
            let rows = SettingsTab(session).rows
            if word.name == "set", let row = try choose(word, among: rows) { try row.change() }
            try list(SettingsTab(session).rows.map { "\($0.label): \($0.value)" }, "")
        default: try LineMode.say("There is no command \(word.name). Type help.")
        }
    }

    /// An answer: its first word, and the number behind it.
    private struct Word {
        let all: String
        var name: String { all.split(separator: " ").first.map { $0.lowercased() } ?? "" }
        var number: Int? { all.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    }

    /// nil for Control-C and Control-D, and for a line that came after the lock was due.
    private func ask(_ question: String) throws -> Word? {
        do {
            let word = Word(all: try LineMode.ask(question))
            return try idle.isInTime() ? word : nil
        } catch let error as TerminalError where error.code == .cancelled { return nil }
    }

    private func confirm(_ question: String) throws -> Bool { try ask(question + " yes or no: ")?.name == "yes" }

    private func list(_ lines: [String], _ otherwise: String) throws {
        let numbered = lines.enumerated().map { "\($0.offset + 1). \($0.element)" }
        try LineMode.say(lines.isEmpty ? otherwise : numbered.joined(separator: "\n"))
    }

    private func choose<Value>(_ word: Word, among values: [Value]) throws -> Value? {
        if let number = word.number, values.indices.contains(number - 1) { return values[number - 1] }
        try LineMode.say("Type \(word.name) and a number from 1 to \(values.count).")
        return nil
    }

    /// Says what failed, and goes on.
    private func telling(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let problems as FormProblems {
            try LineMode.say("Not done: \(problems.all.map(\.label).joined(separator: ", ")).")
        } catch let error as TerminalError where error.code != .cancelled { throw error } catch {
            try LineMode.say("\(error)")
        }
    }
}

/// Runs an action once no line has come for too long. A prompt blocks its thread, so this waits on others.
@MainActor
private final class IdleLock {
    private var limit = Duration.zero
    private var action: @Sendable () throws -> Void = {}
    private var task: Task<Void, any Error>?
    /// On a clock that goes on while the machine sleeps.
    private var due = ContinuousClock.now

    func start(_ limit: Duration, action: @escaping @Sendable () throws -> Void) {
        (self.limit, self.action) = (limit, action)
        begin()
    }

    /// Begins anew with a line that came in time. Where the program or the machine was stopped meanwhile, a line may be
    /// read before the task below goes on: then this runs the action.
    func isInTime() throws -> Bool {
        guard limit > .zero else { return true }
        guard ContinuousClock.now < due else {
            try action()
            return false
        }
        begin()
        return true
    }

    private func begin() {
        guard limit > .zero else { return }
        task?.cancel()
        due = .now + limit
        task = Task.detached { [due, action] in
            try await Task.sleep(until: due, clock: .continuous)
            try action()
            // The prompt that is open ends, and one that opens at this moment.
            while true {
                SecretPrompt.cancel()
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func stop() {
        task?.cancel()
        (task, limit) = (nil, .zero)
    }
}
