// SPDX-License-Identifier: Apache-2.0

/// A prompt that a client may have shown to the user.
struct SecretPrompt {
    enum Work {
        /// Unlocks, for the objects that the client named.
        case unlock([String])
    }

    let owner: String
    let work: Work
    /// Whether the user is being prompted.
    var isAsking = false
}

extension SecretService {
    /// The result of a prompt.
    package enum Outcome: Sendable {
        case unlocked
        case dismissed
    }

    /// Creates a prompt. Returns its path. Errors: `.limits`.
    func newPrompt(_ owner: String, _ work: SecretPrompt.Work) throws(BusFailure) -> String {
        let own = prompts.filter { $0.value.owner == owner }
        if own.count >= Self.promptLimit {
            // The oldest prompt that was never shown makes room.
            guard let oldest = own.filter({ !$0.value.isAsking }).compactMap({ Int($0.key) }).min() else {
                throw .limits("a client may have \(Self.promptLimit) prompts")
            }
            prompts[String(oldest)] = nil
        }
        let name = number()
        prompts[name] = SecretPrompt(owner: owner, work: work)
        return SecretObject.prompt(name).path
    }

    func promptMethod(_ call: BusCall, _ name: String) throws -> [BusValue] {
        guard var prompt = prompts[name], prompt.owner == call.sender else { throw BusFailure.noObject }
        switch call.member {
        case "Prompt":
            _ = try arguments(call, Self.prompt, "s")
            guard !prompt.isAsking else { throw BusFailure.failed("the question is being asked already") }
            prompt.isAsking = true
            prompts[name] = prompt
            if items.isLocked { ask(name) } else { finish(name, .unlocked) }
        case "Dismiss":
            _ = try arguments(call, Self.prompt, "")
            withdraw(name, prompt)
            finish(name, .dismissed)
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
        return []
    }

    /// Ends a prompt. Only its owner is notified.
    package func finish(_ name: String, _ outcome: Outcome) {
        guard let prompt = prompts.removeValue(forKey: name) else { return }
        var objects: [String] = []
        if outcome == .unlocked, case .unlock(let paths) = prompt.work { objects = paths.filter(isThere) }
        send(
            BusSignal(
                path: SecretObject.prompt(name).path, interface: Self.prompt, member: "Completed",
                arguments: [.boolean(outcome == .dismissed), .variant(.paths(objects))], destination: prompt.owner))
        lookAround()
    }
}
