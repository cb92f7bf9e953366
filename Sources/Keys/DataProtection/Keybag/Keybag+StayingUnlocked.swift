// SPDX-License-Identifier: Apache-2.0

extension Keybag {
    /// Until when the groups of an unlocked home were good before a time was set for them.
    package struct UnlockedTimes: Sendable {
        fileprivate var deadlines: [KeyGroup.Role: UInt64] = [:]
    }

    /// Lets this home stay unlocked for `time` and no longer, for every process, by the boot clock; then it is as before the first unlock,
    /// whether or not this process still runs: the groups carry the deadline, and the kernel's keyring drops them after it.
    ///
    /// What is locked stays locked, and an earlier deadline stays. Answers what `stayUnlocked(as:)` takes to undo it; nil for a home without a
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

    /// Takes a time back that `stayUnlocked(for:)` set, for what is still unlocked.
    package func stayUnlocked(as before: UnlockedTimes) throws(DataProtectionError) {
        try door { _ = try renew { role, _ in before.deadlines[role] } }
    }

    /// Publishes the groups that are there anew, with other deadlines. Counted like a lock, so that no process goes on with the old ones.
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
            // A lock that comes from here on makes them void as it does those of before.
            let renewed = try groups.map { group, validity in
                var validity = validity
                validity.count = process.page.count(validity.role)
                return try group.renewed(validity) { _, _ in true }
            }
            try holder.publish(renewed, shared: shared)
            return true
        }
    }

    /// When the first-unlock group ceases to be good, on the boot clock; nil: when the counters say so. Errors: as `unwrap`.
    package func firstUnlockDeadline() throws(DataProtectionError) -> UInt64? {
        try door { try group(.firstUnlock, try view())?.validity.deadline }
    }

    /// Whether a time on the boot clock is over; never, if it is nil.
    package func isPast(_ deadline: UInt64?) -> Bool {
        deadline.map { process.clock.now().nanoseconds >= $0 } ?? false
    }
}
