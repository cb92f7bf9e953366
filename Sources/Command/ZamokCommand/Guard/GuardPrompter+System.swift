// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Guards
import Readers
import SecretMemory

/// Asks the person for an item that a guest wants, outside the boundary: in a window, otherwise at the terminal.
///
/// A guest that has the terminal as standard input, output or error could show a prompt of its own there, or read what
/// is typed. At such a terminal nothing is asked.
final class GuardPrompter: Prompter, GrantPrompter {
    /// How long a person has for an answer.
    static let patience = 60
    /// The most prompts in a minute.
    static let most = 10

    private let guest: GuestName
    /// Is given back while a prompt is open, so that other calls go on.
    private let turns: DispatchSemaphore
    private let program = AskingProcess.program
    private let hasGuestTerminal = (0...2).contains { isatty(Int32($0)) == 1 }
    private let turn = DispatchSemaphore(value: 1)
    private let state = Locked(State())

    private struct State {
        var count = 0
        /// The prompts of the last minute.
        var recent: [ContinuousClock.Instant] = []
        /// When a refusal was last told.
        var told: ContinuousClock.Instant?
    }

    init(_ guest: GuestName, turns: DispatchSemaphore) { (self.guest, self.turns) = (guest, turns) }

    /// The reason of the request is the action. Errors: `.cancelled`; `.interactionNotAllowed` if there is nowhere to
    /// ask, after `most` prompts in a minute, and if there is no answer in time.
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        let item = request.subject?.item ?? ""
        let what = item.isEmpty ? "an item without a name" : item.quoted(limit: 120)
        let wish = "guest \(guest) asks to \(request.reason) \(what)"
        return try prompt(wish, isCall: true) { asked, process throws(DataProtectionError) in
            let asked = PromptRequest(purpose: request.purpose, reason: asked)
            guard let process, let program else { return try TerminalPrompter().answer(asked) }
            return try program.answer(asked, by: process)
        }
    }

    /// Whether a person permits what a grant asks about.
    func permits(_ wish: GrantWish) -> GrantAnswer {
        let item = wish.item.isEmpty ? "an item without a name" : wish.item.quoted(limit: 120)
        let detail = wish.detail.isEmpty ? "" : ", \(wish.detail.quoted(limit: 200))"
        do throws(DataProtectionError) {
            let text = "guest \(guest) asks to \(wish.action) \(item)\(detail)"
            return try prompt(text, isCall: wish.isCall) { asked, process throws(DataProtectionError) in
                let question = "\(asked). Type once, run (for all of this run) or no: "
                guard let process, let program else { return Self.answer(try Self.typed(question)) }
                return Self.answer(try program.word(question, by: process))
            }
        } catch { return error.code == .cancelled ? .no : .none }
    }

    private static func typed(_ question: String) throws(DataProtectionError) -> Secret {
        do { return try Secret.readLine(prompt: question, shown: true) } catch {
            throw DataProtectionError(error, about: nil)
        }
    }

    /// Anything but the two words is no.
    private static func answer(_ typed: Secret) -> GrantAnswer {
        let text = (try? String(exposing: typed)) ?? ""
        switch text.filter({ !$0.isWhitespace }).lowercased() {
        case "once": return .once
        case "run": return .run
        default: return .no
        }
    }

    /// Asks in a window by a process, or at the terminal. `isCall`: the guest's other calls have its turn meanwhile.
    private func prompt<Answer: ~Copyable>(
        _ wish: String, isCall: Bool, _ ask: (String, AskingProcess?) throws(DataProtectionError) -> Answer
    ) throws(DataProtectionError) -> Answer {
        guard program != nil || !hasGuestTerminal else {
            throw refusal(
                "\(wish), which requires a person, and can read what is typed at this terminal; there is no other place to ask"
            )
        }
        guard let before = begin() else {
            throw refusal("\(wish); there were \(Self.most) prompts in a minute, so it is refused")
        }
        if isCall { turns.signal() }
        defer { if isCall { turns.wait() } }
        guard turn.wait(timeout: .now() + .seconds(Self.patience)) == .success else {
            throw refusal("\(wish), while another prompt was open; it is refused")
        }
        defer { turn.signal() }
        let asked = before == 0 ? wish : "\(wish); prompts of this run before: \(before)"
        guard program != nil else {
            return try limited(wish, Secret.cancelReadLine) { () throws(DataProtectionError) in try ask(asked, nil) }
        }
        let process = AskingProcess()
        return try limited(wish, process.end) { () throws(DataProtectionError) in try ask(asked, process) }
    }

    /// Counts a prompt. Returns how many there were before; nil if there were too many in the last minute.
    private func begin() -> Int? {
        state.withLock { state in
            state.recent.removeAll { $0.duration(to: .now) > .seconds(60) }
            guard state.recent.count < Self.most else { return nil }
            state.recent.append(.now)
            defer { state.count += 1 }
            return state.count
        }
    }

    /// Ends the prompt by `end` if there is no answer in time.
    private func limited<Answer: ~Copyable>(
        _ wish: String, _ end: @escaping @Sendable () -> Void,
        _ ask: () throws(DataProtectionError) -> Answer
    ) throws(DataProtectionError) -> Answer {
        let progress = Locked((isOver: false, isLate: false))
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) {
            progress.withLock { progress in
                guard !progress.isOver else { return }
                progress.isLate = true
                end()
            }
        }
        do {
            let answer = try ask()
            progress.withLock { $0.isOver = true }
            return answer
        } catch {
            let isLate = progress.withLock { progress in
                progress.isOver = true
                return progress.isLate
            }
            throw isLate ? refusal("\(wish); there was no answer for \(Self.patience) s, so it is refused") : error
        }
    }

    /// The refusal, told on standard error at most once in ten seconds.
    private func refusal(_ text: String) -> DataProtectionError {
        let isTold = state.withLock { state in
            if let told = state.told, told.duration(to: .now) < .seconds(10) { return false }
            state.told = .now
            return true
        }
        if isTold { try? Channel.error.line("zamok: guard: \(text)") }
        return DataProtectionError(.interactionNotAllowed, text)
    }
}
