// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import SecretMemory

/// The clients on the bus and their queued calls. A client that calls continuously gets only its turns.
struct SecretsClients<Call> {
    /// The maximum number of queued calls of one client; one more is refused. Programs that show a collection request
    /// the properties of all its items at once.
    static var queueLimit: Int { 1024 }
    /// The maximum number of queued calls of all clients. Beyond it, a client that has used its share is refused. The
    /// bus searches all pending calls for each call that it delivers, so many would slow it down for all.
    static var allLimit: Int { 4096 }
    static var share: Int { 16 }
    static var clientLimit: Int { 512 }

    private struct Client {
        /// `nil`: the bus was asked for the user of the client's process.
        var isOwn: Bool?
        /// The queued calls begin at index `first`.
        var calls: [Call] = []
        var first = 0

        var count: Int { calls.count - first }

        mutating func next() -> Call? {
            guard count > 0 else { return nil }
            let call = calls[first]
            first += 1
            // Removed in batches, so that the cost of taking a call doesn't depend on the queue length.
            if first == calls.count || first >= 64 {
                calls.removeFirst(first)
                first = 0
            }
            return call
        }
    }

    private var clients: [String: Client] = [:]
    /// The clients with queued calls, in the order of their turns.
    private var turns: [String] = []
    private(set) var count = 0

    enum Taken {
        case queued
        /// The bus has to be asked for the client's user.
        case unknown
        case refused
    }

    /// Whether one more call of this client would be refused. Doesn't examine the call.
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
        // Clients without queued calls are removed. The bus is asked again if they call again.
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

    /// The next call, of the client whose turn it is. That client then moves behind all others.
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

/// Prompts the user for the passcode, one prompt at a time, outside the loop. The thread exists only during prompts,
/// because a libdispatch queue would afterwards wake the process every second.
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
        /// The current prompt.
        var current: Question?
        var done: [(prompt: String, isUnlocked: Bool, reason: String?)] = []
    }

    private let state = Locked(State())
    /// The prompter to use instead of the home's own.
    private let program: (any ProgramPrompter)?

    init(_ program: (any ProgramPrompter)?) { self.program = program }

    /// Cancels a prompt that is no longer needed: ends the running program, or removes the queued prompt. A prompt at
    /// the terminal stays until it is answered.
    func cancel(_ prompt: String) {
        let process = state.withLock { state in
            state.waiting.removeAll { $0.prompt == prompt }
            return state.current?.prompt == prompt ? state.current?.process : nil
        }
        process?.end()
    }

    /// Queues a prompt. `wake` is called when it is done.
    func ask(_ prompt: String, _ home: Home, wake: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.waiting.append(Question(prompt: prompt, home: home, wake: wake))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        Thread.start(stack: 8 << 20) { while self.askNext() {} }
    }

    /// Returns false if there is no further prompt.
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

    /// The reason why the home stayed locked; nil: it is unlocked.
    private func unlock(_ question: Question) -> String? {
        let home = question.home
        // An earlier prompt may have unlocked the home.
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
