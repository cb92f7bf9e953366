// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Which class keys are available.
public enum LockState: String, Sendable {
    /// Not unlocked since the machine (or, without a kernel keyring, this process) started.
    case beforeFirstUnlock
    /// All classes are usable. A home without a passcode is always unlocked.
    case unlocked
    /// Unlocked before, locked now: `completeUntilFirstUserAuthentication` and `none` are usable.
    case locked
}

extension Keybag {
    /// Whether the home is unlocked for every process of the user, rather than for this one alone. Errors: as `unwrap`.
    package var isUnlockedForAll: Bool {
        get throws(DataProtectionError) {
            try mapping { try holder.sharedRoles(try view().file).contains(.complete) }
        }
    }

    /// The current lock state. No KDF. If it can't be determined (a damaged keybag, a child after fork), it is
    /// `.beforeFirstUnlock`: nothing can be used.
    public var lockState: LockState {
        guard let view = try? view() else { return .beforeFirstUnlock }
        guard view.file.hasPasscode else { return .unlocked }
        if (try? group(.complete, view)) != nil { return .unlocked }
        return (try? group(.firstUnlock, view)) != nil ? .locked : .beforeFirstUnlock
    }

    /// Whether a passcode is set. Errors: `.damaged`, `.erased`, `.restoredCopy`,
    /// `.missingDeviceSecret`, `.forked`, `.io`.
    public var hasPasscode: Bool {
        get throws(DataProtectionError) { try mapping { try view().file.hasPasscode } }
    }

    /// Releases the keys that this process caches and can fetch again on the next call, from the kernel's keyring or,
    /// without a passcode, from disk. For an idle process: one that caches keys has to wake now and then to check
    /// whether they are void. Keys that only this process has stay.
    package func forgetKeptKeys() {
        guard let view = try? view() else { return }
        try? holder.forgetKept(view.file)
    }

    /// A value that changes with each lock, unlock and change of the passcode by any process. Reading it needs
    /// no system call.
    package var bell: UInt64 { UInt64(process.page.bell) &+ process.page.lockCount &+ process.page.leaveCount }

    /// Waits until `bell` may have changed from `seen`, or for that time. Wakes no other process, and uses no time.
    package func wait(whileBell seen: UInt64, _ time: Duration) {
        let ring = process.page.bell
        guard bell == seen else { return }
        process.page.wait(
            while: ring,
            nanoseconds: Int64(clamping: time.components.seconds) * 1_000_000_000 + time.components.attoseconds
                / 1_000_000_000)
    }

    /// A value that changes with each lock of the home by any process. Reading it needs no system call. An answer to a
    /// prompt counts only if the value is unchanged since the user was prompted.
    package var lockCount: UInt64 { process.page.lockCount }

    /// False in a child after fork, and after the home was erased.
    package var isUsable: Bool {
        do {
            _ = try view()
            return true
        } catch let error as DataProtectionError {
            return error.code != .forked && error.code != .erased
        } catch {
            return true
        }
    }
}

extension Keybag {
    /// The earlier deadlines of an unlocked home's groups, before a time was set for them.
    package struct UnlockedTimes: Sendable {
        fileprivate var deadlines = KeyGroup.Each<UInt64>()
    }

    /// Limits how long this home stays unlocked: at most `time`, on the boot clock, for every process. Then it is as
    /// before the first unlock, whether or not this process still runs. The groups carry the deadline, and the kernel's
    /// keyring drops them after it.
    ///
    /// What is locked stays locked, and an earlier deadline stays. Returns what `stayUnlocked(as:)` needs to undo this;
    /// nil for a home without a passcode, which can't be locked. A concurrent lock wins. Errors: `.invalidArgument`,
    /// `.notAvailable`, `.damaged` and the like, `.io`.
    package func stayUnlocked(for time: Duration) throws(DataProtectionError) -> UnlockedTimes? {
        try mapping {
            guard let nanoseconds = try Self.nanoseconds(time) else { return nil }
            let latest = process.clock.now().nanoseconds &+ nanoseconds
            var before = UnlockedTimes()
            let isSet = try renew { role, deadline in
                before.deadlines[role] = deadline
                return min(deadline ?? latest, latest)
            }
            return isSet ? before : nil
        }
    }

    /// Undoes `stayUnlocked(for:)` for what is still unlocked.
    package func stayUnlocked(as before: UnlockedTimes) throws(DataProtectionError) {
        try mapping { _ = try renew { role, _ in before.deadlines[role] } }
    }

    /// Publishes the present groups again, with other deadlines. In the kernel's keyring they replace the old ones,
    /// which are revoked for every process.
    private func renew(_ deadline: (KeyGroup.Role, UInt64?) -> UInt64?) throws -> Bool {
        try place.locked {
            let view = try view()
            guard view.file.hasPasscode else { return false }
            let shared = try holder.sharedRoles(view.file)
            var groups: [(KeyGroup, KeyGroup.Validity)] = []
            for role in [KeyGroup.Role.firstUnlock, .complete] {
                guard let group = try group(role, view) else { continue }
                var validity = group.validity
                validity.deadline = deadline(role, validity.deadline)
                groups.append((group, validity))
            }
            // A lock from here on invalidates these groups like the earlier ones.
            let renewed = try groups.map { group, validity in
                var validity = validity
                validity.count = process.page.count(validity.role)
                return try group.renewed(validity) { _, _ in true }
            }
            try holder.publish(renewed, shared: shared)
            return true
        }
    }

    /// When the first-unlock group becomes void, on the boot clock. Nil if it has no deadline (the counters alone
    /// invalidate it), or is not available. Errors: as `unwrap`.
    package func firstUnlockDeadline() throws(DataProtectionError) -> UInt64? {
        try mapping { try group(.firstUnlock, try view())?.validity.deadline }
    }

    /// Whether a time on the boot clock has passed; always false for nil.
    package func isPast(_ deadline: UInt64?) -> Bool {
        deadline.map { process.clock.now().nanoseconds >= $0 } ?? false
    }
}

extension Keybag {
    /// Zeroes both slots of the epoch, durably. From then on no process can open anything of this home, regardless of
    /// the amount of data. The caller holds the lock.
    func destroyEpoch(_ home: UniqueIdentifier) throws {
        // Unlocked keys are destroyed first: that works even if the disk can't be written to.
        let roles = [KeyGroup.Role.complete, .firstUnlock]
        for role in roles { process.destroy(role, home) }
        let locker = HomeLocker(location: HomeLocation(environment: place.environment, files: place.folder.files))
        let told = Result { _ = try locker.lock(roles, place.folder, home: home, erasing: true) }
        try place.epoch.zero(.first)
        try place.epoch.zero(.second)
        // A process that read the epoch in between has only void keys.
        process.page.setKeybagGeneration(0)
        try told.get()
    }
}
