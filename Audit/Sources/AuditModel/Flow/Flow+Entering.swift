// SPDX-License-Identifier: Apache-2.0

import Findings

/// Functions of the project, entered with what they are given.
extension Flow {
    /// A function of the project entered with what the call gives it; nil where it calls too deep.
    func entered(_ target: Function, _ call: CallSite) -> Flow? {
        guard depth < 2, target !== function, trail.take(1) else { return nil }
        var given: [String: Secret] = [:]
        let opens = SecretWords.words(of: target.name).contains { $0.hasPrefix("decrypt") || $0.hasPrefix("decipher") }
        for (parameter, value) in project.bound(call, to: target) {
            // A key opens what comes back, and isn't it.
            if opens, SecretWords.words(of: parameter.name).contains(where: Self.openers.contains) { continue }
            if let found = secret(in: value) {
                given[parameter.name] = found.through("it is passed to \(target.name)", at: call.place)
            }
        }
        if target.owner != nil, case .member(let base?, _) = call.callee.kind, let found = secret(in: base),
            target.owner.flatMap({ project.declared($0) }) == nil
        {
            given["self"] = found.through("\(target.name) is called on it", at: call.place)
        }
        // What a closure gives back that the function calls.
        for (parameter, closure) in closures(of: call, for: target) where given[parameter.name] == nil {
            if let found = result(of: closure.body, 8) ?? built(closure) {
                given[parameter.name] = found.through("it is passed to \(target.name)", at: call.place)
            }
        }
        // Without anything given, only what the function itself reads can come back, and that is looked at from near by
        // alone.
        guard !given.isEmpty || depth == 0 else { return nil }
        return Flow(
            target, in: project, given: given, depth: depth + 1, context: context, budget: max(0, budget - 1),
            trail: trail)
    }

    private static let openers: Set<String> = ["key", "iv", "nonce", "tag", "salt", "password", "passphrase", "mac"]

    /// What a result builder is given: a closure of nothing but values, of which some are no calls.
    private func built(_ closure: Closure) -> Secret? {
        let values = closure.body.compactMap { statement -> Expression? in
            if case .expression(let value) = statement.kind { value } else { nil }
        }
        guard values.count > 1, values.count == closure.body.count,
            values.contains(where: { $0.isPlainName || $0.literal != nil })
        else { return nil }
        return Secret.surest(values) { self.secret(in: $0, 8) }
    }

    /// The closures that a call gives to a function's parameters.
    private func closures(of call: CallSite, for target: Function) -> [(Parameter, Closure)] {
        let closures = call.arguments.compactMap { argument -> Closure? in
            if case .closure(let closure) = argument.value.kind { closure } else { nil }
        }
        guard !closures.isEmpty else { return [] }
        let takers = target.parameters.filter { project.closureType(of: $0) != nil }
        guard takers.count >= closures.count else { return [] }
        return Array(zip(takers.suffix(closures.count), closures))
    }

    /// A function of the project entered with values for its parameters, in their order.
    func entered(_ target: Function, giving values: [Secret?]) -> Flow? {
        guard depth < 2, target !== function, trail.take(1) else { return nil }
        var given: [String: Secret] = [:]
        for (parameter, value) in zip(target.parameters, values) { given[parameter.name] = value }
        guard !given.isEmpty else { return nil }
        return Flow(
            target, in: project, given: given, depth: depth + 1, context: context, budget: max(0, budget - 1),
            trail: trail)
    }

    /// The same for a member that is computed.
    func entered(_ getter: Function, on receiver: Secret) -> Flow? {
        guard depth < 2, getter !== function, trail.take(1) else { return nil }
        return Flow(
            getter, in: project, given: ["self": receiver], depth: depth + 1, context: context,
            budget: max(0, budget - 1), trail: trail)
    }
}
