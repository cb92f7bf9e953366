// SPDX-License-Identifier: Apache-2.0

import Sealing
public import SecretMemory
import TPMs

extension Keybag {
    /// Sets the first passcode and draws new class keys; the home stays unlocked until it is locked. One KDF.
    ///
    /// What was protected before stays readable, under retired keys until its store rewraps it.
    /// - Throws: `.passcodeExists`, `.invalidArgument` (empty, or longer than 4096 bytes), `.notAvailable`, `.damaged`
    ///   and the like, `.forked`, `.diskFull` and `.readOnly` (nothing was changed), `.io`.
    public func setPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try mapping {
            let passcode = try Passcode(passcode)
            try makeRoomForSlots()
            try changing { opened in
                guard !opened.file.hasPasscode else {
                    throw passcodeExists
                }
                try AttemptsFile(
                    place: place, home: opened.file.homeIdentifier, number: try place.deviceSecret.presentNumber()
                ).write(AttemptLimiter())
                let root = try opened.checkedRootWithoutPasscode()
                try rekey(opened, root: root, passcode: passcode, rotating: true)
            }
        }
        settleRetiredKeys()
    }

    /// Changes the passcode. Touches no data; with `rotatingKeys` it also draws new class keys. The lock state stays.
    /// Two KDFs, the first one through the attempt limiter.
    ///
    /// - Throws: `.wrongPasscode`, `.tooManyAttempts`, `.noPasscode`, `.erased`, and what `setPasscode` throws.
    public func changePasscode(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, rotatingKeys: Bool = false
    ) throws(DataProtectionError) {
        try mapping {
            let old = try Passcode(old)
            let new = try Passcode(new)
            if rotatingKeys { try makeRoomForSlots() }
            try changing { opened in
                let root = try rootByPasscode(old, opened)
                try rekey(opened, root: root, passcode: new, rotating: rotatingKeys)
            }
        }
        if rotatingKeys { settleRetiredKeys() }
    }

    /// Checks the passcode before a new one is asked for; throws if it is wrong. One KDF, through the attempt limiter.
    /// Errors: as `changePasscode`.
    package func checkPasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try mapping {
            let passcode = try Passcode(passcode)
            try changing { _ = try rootByPasscode(passcode, $0) }
        }
    }

    /// Removes the passcode. Items of class `whenPasscodeSet` and items with access control are lost; all others are
    /// readable without it from now on. Draws new class keys. One KDF, through the attempt limiter.
    ///
    /// - Throws: as `changePasscode`.
    public func removePasscode(_ passcode: borrowing SecretBytes) throws(DataProtectionError) {
        try mapping {
            let passcode = try Passcode(passcode)
            try makeRoomForSlots()
            try changing { opened in
                let root = try rootByPasscode(passcode, opened)
                try rekey(opened, root, to: Lock(nil), rotating: true) { try $0.passcodeRootWithoutPasscode() }
            }
        }
        settleRetiredKeys()
    }

    func changing(_ body: (borrowing KeybagLocation.Opened) throws -> Void) throws {
        _ = try view()
        try place.locked {
            let opened = try place.read()
            try checkIdentity(opened.file)
            try body(opened)
        }
        countKeybag()
    }

    private func rekey(
        _ opened: borrowing KeybagLocation.Opened, root: borrowing SecretBytes, passcode: borrowing Passcode,
        rotating: Bool
    ) throws {
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let parameters =
            place.allowsInsecureKDF
            ? ScryptParameters.insecureForTests : MachineMemory.scryptParameters(place.folder.files)
        let stretching = KeybagFile.Stretching(parameters: parameters, salt: salt)
        var material = PasscodeMaterial(
            stretched: Secret(try Self.stretch(passcode, salt: salt, parameters: parameters)))
        var binding: [UInt8] = []
        if opened.file.isBound {
            // Made and read back before anything is written. It has no effect until the keybag is in place.
            let made = try PasscodeBinding.make(
                for: material.stretched, in: place, after: try opened.presentBinding)
            (binding, material) = (made.binding.encoded, made.material)
        }
        let new = material
        try rekey(opened, root, to: Lock(stretching, binding), rotating: rotating) { [isBound = !binding.isEmpty] in
            try new.root($0, isBound: isBound)
        }
    }

    /// Wraps every key under the roots of a new epoch. Order: new slot of the epoch, new keybag in place, old slot
    /// zeroed; each step is durable before the next.
    func rekey(
        _ opened: borrowing KeybagLocation.Opened, _ root: borrowing SecretBytes, to lock: Lock, rotating: Bool,
        newRoot: (borrowing KeyRoots) throws -> SecretBytes
    ) throws {
        let old = opened.file
        // A copy of a former device secret may come with a copy of the former class keys.
        var rekeying = try Rekeying(old, lock, rotating: rotating || opened.isBehind, in: place.folder)
        rekeying.file.deviceSecretNumber = try place.deviceSecret.presentNumber()
        let (former, binding) = (try old.passcodeBinding, try rekeying.file.passcodeBinding)
        if let former, former.limit != nil, former.limit?.counter != binding?.limit?.counter {
            try CounterNote(folder: place.folder).add([former.placedCounter].compactMap(\.self))
        }
        try place.epoch.renew(rekeying.file.epochSlot, generation: rekeying.file.generation)
        do {
            let roots = try place.roots(rekeying.file)
            let newRoot = try newRoot(roots)
            let file = try rekeying.filled(opened, oldRoot: root, roots: roots, root: newRoot)
            let fresh = KeybagLocation.Opened(file: file, roots: roots)
            try install(fresh, instead: old, try groups(fresh, newRoot, after: old))
        } catch {
            // Regardless of what the new slot contains on disk: a slot that no keybag names is useless.
            if let present = try? place.read().file, present.epochSlot == old.epochSlot {
                try? place.epoch.zero(old.epochSlot.other)
            }
            throw error
        }
        try place.epoch.zero(old.epochSlot)
        try holder.destroyOlder(than: rekeying.file.generation, old.homeIdentifier)
        place.settleCounters()
        if let binding, let limit = binding.limit, limit != former?.limit, limit.counter == former?.limit?.counter {
            try binding.finish(place.deviceSecret, number: rekeying.file.deviceSecretNumber)
        }
    }

    /// The groups to publish afterwards: those present now, or all of them if the home had no passcode before.
    private func groups(
        _ fresh: borrowing KeybagLocation.Opened, _ root: borrowing SecretBytes, after old: KeybagFile
    ) throws -> [KeyGroup] {
        guard fresh.file.hasPasscode else { return [] }
        var groups: [KeyGroup] = []
        for role in [KeyGroup.Role.firstUnlock, .complete] {
            let former = old.hasPasscode ? try holder.group(role, old)?.validity : nil
            if old.hasPasscode, former == nil { continue }
            groups.append(
                try fresh.group(
                    role, count: former?.count ?? process.count(role), deadline: former?.deadline,
                    boot: process.clock.now().start, root: root
                )
            )
        }
        return groups
    }
}

extension Keybag {
    /// The user's earlier answer in `context`, or a recent one in another context, if it still counts. Doesn't prompt.
    /// Errors: `.invalidContext`, `.damaged` and the like, `.forked`.
    package func knownAnswer(_ context: AuthenticationContext) throws(DataProtectionError) -> AccessControlKey? {
        try context.checkValid()
        // A changed keybag invalidates answers once this process knows of it.
        _ = try mapping { try view() }
        if let key = context.answer(home)?.accessControlKey { return key }
        let window = context.window
        guard window > 0, let answer = process.recentAnswer(home, within: window) else { return nil }
        return context.keep(answer) ? answer.accessControlKey : nil
    }

    /// Prompts for the passcode, without holding a lock.
    ///
    /// The returned key is for the caller's operation. For later operations the answer counts only if the home was not
    /// locked while the user typed. Errors: as `AuthenticationContext.authenticate(in:)`.
    package func askPerson(
        _ prompt: PersonPrompt, through prompter: any Prompter
    ) throws(DataProtectionError) -> AccessControlKey {
        guard try hasPasscode else {
            throw noPasscode()
        }
        let validity = try validityOfAnswers()
        let key = try accessControlKey(passcode: try prompt.ask(.passcode, through: prompter))
        let answer = PersonAnswer(key, validity: validity, at: process.clock.now().nanoseconds, process: process)
        // The caller that invalidated the context meanwhile doesn't want the answer.
        guard prompt.context.keep(answer) else { throw .contextInvalidated }
        process.keep(answer, lending: prompt.context.window)
        return key
    }

    /// The validity of the group of keys that a lock destroys. What invalidates that group also
    /// invalidates the answers.
    private func validityOfAnswers() throws(DataProtectionError) -> KeyGroup.Validity {
        try mapping {
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
