// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import SecretMemory

/// Who calls on the bus, and what waits of each: one that calls without end gets its turns and no more.
struct SecretsClients<Call> {
    /// Calls of one client that wait; one more is refused. Programs that show a collection ask for the properties of all of its items at once.
    static var queueLimit: Int { 1024 }
    /// Calls of all clients that wait. Beyond it a client with its share is refused: the bus looks through all that wait for each call that it hands on, so that many would slow it down for everybody.
    static var allLimit: Int { 4096 }
    static var share: Int { 16 }
    static var clientLimit: Int { 512 }

    private struct Client {
        /// nil: the bus was asked whose process it is.
        var isOwn: Bool?
        /// From `first` on they wait.
        var calls: [Call] = []
        var first = 0

        var count: Int { calls.count - first }

        mutating func next() -> Call? {
            guard count > 0 else { return nil }
            let call = calls[first]
            first += 1
            // What was taken is given back at times, so that taking one costs the same with many behind it.
            if first == calls.count || first >= 64 {
                calls.removeFirst(first)
                first = 0
            }
            return call
        }
    }

    private var clients: [String: Client] = [:]
    /// Clients of which calls wait, in the order of their turns.
    private var turns: [String] = []
    private(set) var count = 0

    enum Taken {
        case queued
        /// The bus is to be asked whose it is.
        case unknown
        case refused
    }

    /// Whether one more call of this client would be refused. It costs no look at the call.
    func refuses(_ sender: String) -> Bool {
        guard let client = clients[sender] else { return false }
        return client.count >= Self.queueLimit || count >= Self.allLimit && client.count >= Self.share
    }

    mutating func take(_ call: Call, from sender: String) -> Taken {
        if clients[sender] != nil {
            guard !refuses(sender) else { return .refused }
            if clients[sender]?.count == 0 { turns.append(sender) }
            clients[sender]?.calls.append(call)
            count += 1
            return .queued
        }
        // Those with nothing to be answered make room: the bus is asked about them once more if they call again.
        if clients.count >= Self.clientLimit { clients = clients.filter { $0.value.count > 0 } }
        guard clients.count < Self.clientLimit else { return .refused }
        clients[sender] = Client(calls: [call])
        turns.append(sender)
        count += 1
        return .unknown
    }

    mutating func set(_ name: String, isOwn: Bool) { clients[name]?.isOwn = isOwn }

    mutating func remove(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        count -= client.count
        turns.removeAll { $0 == name }
    }

    /// Whether a call can be answered now.
    var hasWork: Bool { turns.contains { clients[$0]?.isOwn != nil } }

    /// The next call, of the client whose turn it is: who had one comes after all others.
    mutating func next() -> (call: Call, isOwn: Bool)? {
        for place in turns.indices {
            let name = turns[place]
            guard let isOwn = clients[name]?.isOwn, let call = clients[name]?.next() else { continue }
            count -= 1
            turns.remove(at: place)
            if clients[name]?.count ?? 0 > 0 { turns.append(name) }
            return (call, isOwn)
        }
        return nil
    }
}

/// Asks the person for the passcode, one question at a time, beside the loop: on a thread that is there while something is asked. A queue of libdispatch would wake
/// the process each second ever after.
final class SecretsQuestions: Sendable {
    private struct Question: Sendable {
        let prompt: String
        let home: Home
        let process = AskingProcess()
        let wake: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Question] = []
        var isRunning = false
        /// What is being asked now.
        var current: Question?
        var done: [(prompt: String, isUnlocked: Bool, reason: String?)] = []
    }

    private let state = Locked(State())
    /// What asks, in the place of the home's own prompter.
    private let program: (any ProgramPrompter)?

    init(_ program: (any ProgramPrompter)?) { self.program = program }

    /// Nobody wants the answer any more: what asks for it ends, and what was to ask doesn't begin. A question at the terminal stays until it is answered.
    func cancel(_ prompt: String) {
        let process = state.withLock { state in
            state.waiting.removeAll { $0.prompt == prompt }
            return state.current?.prompt == prompt ? state.current?.process : nil
        }
        process?.end()
    }

    /// `wake` is called when it is done.
    func ask(_ prompt: String, _ home: Home, wake: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(Question(prompt: prompt, home: home, wake: wake))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        Thread { while self.askNext() {} }.start()
    }

    /// False: there is nothing more to ask.
    private func askNext() -> Bool {
        let next = state.withLock { state -> Question? in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            let next = state.waiting.removeFirst()
            state.current = next
            return next
        }
        guard let next else { return false }
        let reason = unlock(next)
        let isUnlocked = next.home.keybag.lockState == .unlocked
        state.withLock { state in
            state.current = nil
            state.done.append((next.prompt, isUnlocked, reason))
        }
        next.wake()
        return true
    }

    /// Why it stayed locked; nil: it did not.
    private func unlock(_ question: Question) -> String? {
        let home = question.home
        // Whoever asked first may have unlocked it for all.
        guard home.keybag.lockState != .unlocked else { return nil }
        do {
            let request = PromptRequest(purpose: .passcode, reason: "a program wants to use the keychain")
            try home.keybag.unlock(passcode: try answer(request, question))
            return nil
        } catch {
            return error.message
        }
    }

    private func answer(_ request: PromptRequest, _ question: Question) throws(DataProtectionError) -> SecretBytes {
        guard let program else { return try question.home.prompter.answer(request) }
        return try program.answer(request, by: question.process)
    }

    func takeDone() -> [(prompt: String, isUnlocked: Bool, reason: String?)] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }
}
