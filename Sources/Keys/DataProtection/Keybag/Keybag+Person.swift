// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Keybag {
    /// What a person answered before in `context`, or shortly before in another one, if it still counts; asks nobody.
    /// Errors: `.invalidContext`, `.damaged` and the like, `.forked`.
    package func knownAnswer(_ context: AuthenticationContext) throws(DataProtectionError) -> AccessControlKey? {
        try context.checkValid()
        // A keybag that changed makes answers void, once this process knows of it.
        _ = try door { try view() }
        if let key = context.answer(home)?.accessControlKey { return key }
        let window = context.window
        guard window > 0, let answer = process.recentAnswer(home, within: window) else { return nil }
        return context.keep(answer) ? answer.accessControlKey : nil
    }

    /// Asks for the passcode, under no lock.
    ///
    /// What is returned is for the caller's operation. For others the answer counts only if the home was not locked while the person
    /// typed. Errors: as `AuthenticationContext.authenticate(in:)`.
    package func askPerson(
        _ prompt: PersonPrompt, through prompter: any Prompter
    ) throws(DataProtectionError) -> AccessControlKey {
        guard try hasPasscode else {
            throw DataProtectionError(.noPasscode, "no passcode is set; run: zamok passcode set")
        }
        let validity = try validityOfAnswers()
        let key = try accessControlKey(passcode: try prompt.ask(.passcode, through: prompter))
        let answer = PersonAnswer(key, validity, at: process.clock.now().nanoseconds, process)
        // Whoever invalidated the context meanwhile doesn't want the answer.
        guard prompt.context.keep(answer) else { throw .contextInvalidated }
        process.keep(answer, lending: prompt.context.window)
        return key
    }

    /// That of the group of keys that a lock destroys, so that whatever ends that one ends the answers too.
    private func validityOfAnswers() throws(DataProtectionError) -> KeyGroup.Validity {
        try door {
            let count = process.count(.complete)
            let view = try view()
            return KeyGroup.Validity(
                role: .complete, home: view.file.homeIdentifier, generation: view.file.generation, count: count,
                deadline: try group(.complete, view)?.validity.deadline, boot: process.clock.now().start,
                slots: view.file.slotsCode
            )
        }
    }
}
