// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import SecretMemory

/// Who calls on the bus, and what waits of each: one that calls without end gets its turns and no more.
struct SecretsClients<Call> {
    /// Calls of one client that wait; one more is refused.
    static var queueLimit: Int { 256 }
    static var clientLimit: Int { 512 }

    private struct Client {
        /// nil: the bus was asked whose process it is.
        var isOwn: Bool?
        var calls: [Call] = []
    }

    private var clients: [String: Client] = [:]
    /// Whose turn is next.
    private var turns: [String] = []

    enum Taken {
        case queued
        /// The bus is to be asked whose it is.
        case unknown
        case refused
    }

    mutating func take(_ call: Call, from sender: String) -> Taken {
        if var client = clients[sender] {
            guard client.calls.count < Self.queueLimit else { return .refused }
            if client.calls.isEmpty { turns.append(sender) }
            client.calls.append(call)
            clients[sender] = client
            return .queued
        }
        // Those with nothing to be answered make room: the bus is asked about them once more if they call again.
        if clients.count >= Self.clientLimit { clients = clients.filter { !$0.value.calls.isEmpty } }
        guard clients.count < Self.clientLimit else { return .refused }
        clients[sender] = Client(calls: [call])
        turns.append(sender)
        return .unknown
    }

    mutating func set(_ name: String, isOwn: Bool) { clients[name]?.isOwn = isOwn }

    mutating func remove(_ name: String) {
        clients[name] = nil
        turns.removeAll { $0 == name }
    }

    /// Whether a call can be answered now.
    var hasWork: Bool { turns.contains { clients[$0]?.isOwn != nil } }

    /// One call of each client that is known, in turn.
    mutating func round() -> [(call: Call, isOwn: Bool)] {
        var round: [(call: Call, isOwn: Bool)] = []
        var later: [String] = []
        for name in turns {
            guard let isOwn = clients[name]?.isOwn else {
                later.append(name)
                continue
            }
            if let call = clients[name]?.calls.removeFirst() { round.append((call, isOwn)) }
            if clients[name]?.calls.isEmpty == false { later.append(name) }
        }
        turns = later
        return round
    }
}

/// Asks the person for the passcode, one question at a time, beside the loop: on a thread that is there while something is asked. A queue of libdispatch would wake
/// the process each second ever after.
final class SecretsQuestions: Sendable {
    private struct Question: Sendable {
        let prompt: String
        let home: Home
        let wake: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Question] = []
        var isRunning = false
        var done: [(prompt: String, isUnlocked: Bool, reason: String?)] = []
    }

    private let state = Locked(State())

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
            return state.waiting.removeFirst()
        }
        guard let next else { return false }
        let reason = Self.unlock(next.home)
        let isUnlocked = next.home.keybag.lockState == .unlocked
        state.withLock { $0.done.append((next.prompt, isUnlocked, reason)) }
        next.wake()
        return true
    }

    /// Why it stayed locked; nil: it did not.
    private static func unlock(_ home: Home) -> String? {
        // Whoever asked first may have unlocked it for all.
        guard home.keybag.lockState != .unlocked else { return nil }
        do {
            let request = PromptRequest(purpose: .passcode, reason: "a program wants to use the keychain")
            try home.keybag.unlock(passcode: try home.prompter.answer(request))
            return nil
        } catch {
            return error.message
        }
    }

    func takeDone() -> [(prompt: String, isUnlocked: Bool, reason: String?)] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }
}
