// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
public import SecretMemory

extension Keybag {
    /// Unlocks with the passcode: one KDF (about 0.4 s and 128 MiB), through the attempt limiter.
    ///
    /// With the kernel keyring the unlock holds for all processes of this user, otherwise for this process. It is
    /// possible in every lock state; in an unlocked home it sets a new time.
    ///
    /// - Parameters:
    ///   - passcode: What the user typed.
    ///   - duration: The home locks by itself after this time, counted on the boot clock, sleep included; nil: it stays
    ///     unlocked until it is locked.
    /// - Throws: `.wrongPasscode`, `.tooManyAttempts`, `.outOfMemory`, `.noPasscode`, `.invalidArgument`, `.erased`,
    ///   `.damaged`, `.restoredCopy`, `.missingDeviceSecret`, `.notAvailable` (the chosen holder), `.forked`,
    ///   `.diskFull`, `.readOnly`, `.io`.
    public func unlock(
        passcode: borrowing SecretBytes, for duration: Duration? = nil
    ) throws(DataProtectionError) {
        try mapping {
            let nanoseconds = try Self.nanoseconds(duration)
            let passcode = try Passcode(passcode)
            if try view().isBehind { try? makeRoomForSlots() }
            var follows = false
            try place.locked {
                process.lookBeforePublishing()
                // A lock during the KDF wins: the groups are made for the counts from before it.
                let counts = (complete: process.count(.complete), firstUnlock: process.count(.firstUnlock))
                var opened = try place.read()
                try checkIdentity(opened.file)
                let right = try answer(passcode, opened)
                var root = try right.material.root(opened.roots, isBound: opened.file.isBound)
                if try opened.isBehind || isBindingBehind(opened.file) {
                    // If it can't follow, for lack of space for example, it opens all the same and stays behind.
                    var material = right.material
                    follows = (try? follow(opened, right) { material = $0 }) != nil
                    opened = try place.read()
                    root = try material.root(opened.roots, isBound: opened.file.isBound)
                    // After a failure the new keybag may be in place or not.
                    if try !follows && !opened.isRoot(root) {
                        root = try right.material.root(opened.roots, isBound: opened.file.isBound)
                    }
                }
                let now = process.clock.now()
                let complete = try opened.group(
                    .complete, count: counts.complete, deadline: nanoseconds.map { now.nanoseconds + $0 },
                    boot: now.start,
                    root: root
                )
                let firstUnlock = try opened.group(
                    .firstUnlock, count: counts.firstUnlock, deadline: nil, boot: now.start, root: root
                )
                try publish([firstUnlock, complete], for: opened.file)
            }
            if follows {
                settleDeviceSecrets()
                countKeybag()
            }
        }
    }

    /// Publishes keys after reading the keybag again: the keys belong to this keybag and to no other.
    private func publish(_ groups: [KeyGroup], for file: KeybagFile) throws {
        guard try place.read().file == file else {
            throw DataProtectionError(.io, "the keybag in \(place.folder.path) changed meanwhile; try again")
        }
        process.page.setKeybagGeneration(file.generation)
        try holder.publish(groups)
        try holder.destroyOlder(than: file.generation, file.homeIdentifier)
    }

    static func nanoseconds(_ duration: Duration?) throws -> UInt64? {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        guard duration > .zero, seconds < 1 << 32 else {
            throw DataProtectionError(
                .invalidArgument, "the time to stay unlocked must be above zero and below 136 years")
        }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// Locks the home: destroys the keys that are usable only while unlocked, for every process. These are the keys of
    /// `complete` and `whenPasscodeSet`, and the private keys of `completeUnlessOpen`. Binds every process from its
    /// next call on. Doesn't wait for other processes. It is possible in every lock state.
    ///
    /// The keys are destroyed before the home is examined. So any error but `.notLocked`, `.noPasscode` and `.forked`
    /// means that the home is locked, and reports what is wrong with it.
    ///
    /// - Throws: `.noPasscode` (set a passcode first), `.notLocked` (some of the keys may be left; the message says
    ///   which), `.forked`; and, although it is locked, `.damaged` and the like, `.readOnly`, `.io`.
    public func lock() throws(DataProtectionError) { try lock([.complete]) }

    /// Locks the home as before the first unlock: destroys the first-unlock group too. Otherwise like `lock`.
    public func lockCompletely() throws(DataProtectionError) { try lock([.complete, .firstUnlock]) }

    private func lock(_ roles: [KeyGroup.Role]) throws(DataProtectionError) {
        try mapping {
            try checkProcess()
            for role in roles { process.destroy(role, home) }
            let locker = HomeLocker(location: HomeLocation(environment: place.environment, files: place.folder.files))
            let told = try locker.lock(roles, place.folder, home: home)
            do {
                if case .runtimeFolder(let error) = told { throw error }
                let file = try place.readWithoutWaiting().file
                try checkIdentity(file)
                guard file.hasPasscode else { throw DataProtectionError.nothingToLock(command("passcode set")) }
            } catch {
                throw HomeLookError.told(error, place.folder.path)
            }
        }
    }
}

extension Keybag {
    /// Replaces the keybag `old`, durably, and publishes `groups`. The caller holds the lock.
    ///
    /// Order: write the temporary file; write the generation into the page, from which moment every other call waits;
    /// publish the groups; rename. So no process sees the new keybag without its groups, and a lock in between
    /// invalidates the groups.
    func install(_ fresh: borrowing KeybagLocation.Opened, instead old: KeybagFile, _ groups: [KeyGroup]) throws {
        let bytes = try fresh.file.encoded(under: try fresh.roots.authenticationKey())
        let former = try [KeyGroup.Role.firstUnlock, .complete].compactMap { try holder.group($0, old) }
        let shared = try holder.sharedRoles(old)
        try place.folder.prepare(KeybagFile.fileName) {
            try $0.write(bytes)
        }
        do {
            process.page.setKeybagGeneration(fresh.file.generation)
            try holder.publish(groups, shared: shared)
            try place.folder.commit(KeybagFile.fileName, replacing: true)
        } catch {
            place.folder.discard(KeybagFile.fileName)
            restore(former, shared: shared, old: old)
            throw error
        }
        process.page.ring()
    }

    /// Recovers from a failure: makes the page agree with the file, which may be the old or the new one. If it is the
    /// old one, publishes again what was unlocked.
    private func restore(_ former: [KeyGroup], shared: Set<KeyGroup.Role>, old: KeybagFile) {
        guard let present = try? place.read().file else { return }
        process.page.setKeybagGeneration(present.generation)
        guard present.generation == old.generation else { return }
        try? holder.destroyNewer(than: old.generation, old.homeIdentifier)
        if old.hasPasscode { try? holder.publish(former, shared: shared) }
    }

    /// Writes a keybag of the same roots with the changes that `change` makes. Present groups stay, without the keys
    /// that were removed.
    func rewrite(_ change: (inout KeybagFile, borrowing KeybagLocation.Opened) throws -> Void) throws {
        _ = try view()
        try place.locked {
            let opened = try place.read()
            try checkIdentity(opened.file)
            let old = opened.file
            var file = old
            try change(&file, opened)
            if file.generation == old.generation { file.generation += 1 }
            let groups = try [KeyGroup.Role.firstUnlock, .complete].compactMap { role -> KeyGroup? in
                guard old.hasPasscode, let former = try holder.group(role, old) else { return nil }
                var validity = former.validity
                validity.generation = file.generation
                return try former.renewed(validity) { kind, id in file.slot(kind, id) != nil }
            }
            try install(KeybagLocation.Opened(file: file, roots: try place.roots(old)), instead: old, groups)
            try holder.destroyOlder(than: file.generation, file.homeIdentifier)
        }
        countKeybag()
    }
}
