// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Whether class keys are there.
public enum LockState: String, Sendable {
    /// Not unlocked since the machine (or, without a kernel keyring, this process) started.
    case beforeFirstUnlock
    /// All classes are usable. A home without a passcode is always unlocked.
    case unlocked
    /// Unlocked before, locked now: `completeUntilFirstUserAuthentication` and `none` are usable.
    case locked
}

extension Keybag {
    /// Whether the home is unlocked for every process of the user, and not for this one alone. Errors: as `unwrap`.
    package var isUnlockedForAll: Bool {
        get throws(DataProtectionError) {
            try door { try holder.sharedRoles(try view().file).contains(.complete) }
        }
    }

    /// Whether class keys are there now. No KDF. Where that can't be found out (a damaged keybag, a child after fork) the
    /// answer is `.beforeFirstUnlock`: nothing can be used.
    public var lockState: LockState {
        guard let view = try? view() else { return .beforeFirstUnlock }
        guard view.file.hasPasscode else { return .unlocked }
        if (try? group(.complete, view)) != nil { return .unlocked }
        return (try? group(.firstUnlock, view)) != nil ? .locked : .beforeFirstUnlock
    }

    /// Whether a passcode is set. Errors: `.damaged`, `.erased`, `.restoredCopy`, `.missingDeviceSecret`, `.forked`, `.io`.
    public var hasPasscode: Bool {
        get throws(DataProtectionError) { try door { try view().file.hasPasscode } }
    }

    /// Forgets keys that this process keeps and can have again at the next call, from the kernel's keyring or, without a passcode, from the disk: for one
    /// that is idle, since whoever keeps keys has to wake now and then to see whether they are void. Keys that are in this process alone stay.
    package func forgetKeptKeys() {
        guard let view = try? view() else { return }
        try? holder.forgetKept(view.file)
    }

    /// What changes with each lock, unlock and change of the passcode, by whichever process; it costs no call of the system.
    package var bell: UInt64 { UInt64(process.page.bell) &+ process.page.lockCount &+ process.page.leaveCount }

    /// Another one after each lock of the home, by whichever process; it costs no call of the system. What a person is asked while it changes is no longer so.
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
    /// Until when the groups of an unlocked home were valid before a time was set for them.
    package struct UnlockedTimes: Sendable {
        fileprivate var deadlines = KeyGroup.Each<UInt64>()
    }

    /// Lets this home stay unlocked for `time` and no longer, for every process, by the boot clock; then it is as before the first unlock,
    /// whether or not this process still runs: the groups carry the deadline, and the kernel's keyring drops them after it.
    ///
    /// What is locked stays locked, and an earlier deadline stays. Returns what `stayUnlocked(as:)` needs to undo it; nil for a home without a
    /// passcode, which can't be locked. A lock at the same time wins. Errors: `.invalidArgument`, `.notAvailable`, `.damaged` and the like, `.io`.
    package func stayUnlocked(for time: Duration) throws(DataProtectionError) -> UnlockedTimes? {
        try door {
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
        try door { _ = try renew { role, _ in before.deadlines[role] } }
    }

    /// Publishes the groups that are there again, with other deadlines. Counted like a lock, so that no process goes on with the old ones.
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
            // A lock that comes from here on makes them void like the ones before.
            let renewed = try groups.map { group, validity in
                var validity = validity
                validity.count = process.page.count(validity.role)
                return try group.renewed(validity) { _, _ in true }
            }
            try holder.publish(renewed, shared: shared)
            return true
        }
    }

    /// When the first-unlock group becomes void, on the boot clock; nil: when the counters say so. Errors: as `unwrap`.
    package func firstUnlockDeadline() throws(DataProtectionError) -> UInt64? {
        try door { try group(.firstUnlock, try view())?.validity.deadline }
    }

    /// Whether a time on the boot clock is over; never, if it is nil.
    package func isPast(_ deadline: UInt64?) -> Bool {
        deadline.map { process.clock.now().nanoseconds >= $0 } ?? false
    }
}

extension Keybag {
    /// Zeroes both slots of the epoch, durably: from then on nothing of this home can be opened by anyone, whatever the amount
    /// of data. The lock is held by the caller.
    func destroyEpoch(_ home: UniqueIdentifier) throws {
        // Unlocked keys are destroyed first: that works even where the disk can't be written to.
        let roles = [KeyGroup.Role.complete, .firstUnlock]
        for role in roles { process.destroy(role, home) }
        let locker = HomeLocker(location: HomeLocation(environment: place.environment, files: place.folder.files))
        let told = Result { _ = try locker.lock(roles, place.folder, home: home, erasing: true) }
        try place.epoch.zero(.first)
        try place.epoch.zero(.second)
        // Whoever read the epoch in between has only void keys.
        process.page.setKeybagGeneration(0)
        try told.get()
    }
}
