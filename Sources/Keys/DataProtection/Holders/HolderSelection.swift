// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// Which holder keeps class keys between calls.
public enum HolderChoice: Sendable {
    /// The kernel keyring where it works, otherwise this process.
    case automatic
    /// The kernel keyring, or an error where it doesn't work.
    case kernelKeyring
    /// This process alone.
    case process
}

/// The holders of one keybag: the process's, and the kernel's where it is chosen and available.
final class HolderSelection: Sendable {
    let choice: HolderChoice
    private let process: HomeProcess
    private let folder: HomeFolder
    private let kernel = KernelKeyringHolder()
    private let state = Locked(State())
    private let fingerprints = Fingerprints()
    private let checked = Locked(KeyGroup.Each<[UInt8]>())

    private struct State {
        var isProbed = false
        /// Why the system doesn't let this process use the kernel's holder.
        var refusal: KeyringError?
        /// Why the kernel's holder accepted no keys the last time, although it is available.
        var lastRefusal: KeyringError?
    }

    init(_ choice: HolderChoice, process: HomeProcess, folder: HomeFolder) {
        self.choice = choice
        self.process = process
        self.folder = folder
    }

    /// Why the process-local holder is in use. Nil while the kernel's is in use, or if the process's was chosen.
    var reason: KeyringError? {
        _ = outlivesProcess
        return state.withLock { $0.refusal ?? $0.lastRefusal }
    }

    /// Whether keys that are unlocked now stay unlocked when this process ends.
    var outlivesProcess: Bool {
        guard choice != .process else { return false }
        return state.withLock { state in
            if !state.isProbed {
                state.isProbed = true
                state.refusal = KernelKeyringHolder.refusal()
                if state.refusal == nil { try? KernelKeyringHolder.clearUp(folder.files) }
            }
            return state.refusal == nil
        }
    }

    /// The valid group of a role, from either holder; nil if there is none.
    func group(_ role: KeyGroup.Role, _ file: KeybagFile) throws -> KeyGroup? {
        let home = file.homeIdentifier
        // The process's groups were checked when they arrived.
        if let held = process.group(role, home, generation: file.generation), held.validity.slots == file.slotsCode {
            return held
        }
        guard file.hasPasscode, let group = try inKernel(role, file) else { return nil }
        // The first-unlock group stays valid until the user leaves: keep it, and watch for that. The complete group is
        // never kept.
        if role == .firstUnlock { process.publish(group) }
        return group
    }

    /// Drops the process's groups that it can get again immediately: from the kernel, or from a home without
    /// a passcode.
    func forgetKept(_ file: KeybagFile) throws {
        for role in [KeyGroup.Role.firstUnlock, .complete] {
            if file.hasPasscode, try inKernel(role, file) == nil { continue }
            process.destroy(role, file.homeIdentifier)
        }
    }

    /// The roles whose groups all processes of the user have. Without a passcode these are both roles.
    func sharedRoles(_ file: KeybagFile) throws -> Set<KeyGroup.Role> {
        let roles: [KeyGroup.Role] = [.firstUnlock, .complete]
        return Set(file.hasPasscode ? try roles.filter { try inKernel($0, file) != nil } : roles)
    }

    /// The valid group of a role in the kernel keyring; nil if there is none.
    private func inKernel(_ role: KeyGroup.Role, _ file: KeybagFile) throws -> KeyGroup? {
        let home = file.homeIdentifier
        guard outlivesProcess, let group = try kernel.group(role, home, generation: file.generation) else { return nil }
        let isOurs = group.validity.role == role && group.validity.home == home
        guard isOurs, process.isGood(group.validity) else {
            // The process that finds a void group destroys it.
            if !isOurs || process.isVoidForGood(group.validity) { try discard(role, home) }
            return nil
        }
        guard try isMeant(group, file) else {
            // Another program's keys under our name: no process may use them or take them for an unlock.
            try? destroyInKernel(role, home) { $0 == file.generation }
            return nil
        }
        return group
    }

    /// Whether the kernel's group holds the keys that the keybag means. The last group that did is recognised by a
    /// fingerprint that only this process can compute, so that most operations compare one code.
    private func isMeant(_ group: KeyGroup, _ file: KeybagFile) throws -> Bool {
        guard let slots = group.validity.slots, slots == file.slotsCode else { return false }
        let fingerprint = try fingerprints.of(group.payload)
        let role = group.validity.role
        if checked.withLock({ $0[role] == fingerprint }) { return true }
        guard try group.fits(file) else { return false }
        checked.withLock { $0[role] = fingerprint }
        return true
    }

    /// Keeps `groups`, all of one home, for all processes of the user. Keeps them for this process alone if the system
    /// allows no more. Keeps all of them or none.
    func publish(_ groups: [KeyGroup]) throws {
        guard !groups.isEmpty else { return }
        guard outlivesProcess else {
            if choice == .kernelKeyring, let reason { throw notAvailable(reason) }
            for group in groups { process.publish(group) }
            return
        }
        do {
            state.withLock { $0.lastRefusal = nil }
            note(groups)
            try kernel.publish(groups, at: RecordedHome(folder), now: process.clock.now().nanoseconds) {
                !process.isLocked(since: $0.validity)
            }
            // Again, because a lock that found no group yet may have removed the note.
            note(groups)
        } catch let error as KeyringError where error == .overtaken {
            // No group is left to keep.
            for group in groups {
                process.destroy(group.validity.role, group.validity.home)
                try destroyInKernel(group.validity.role, group.validity.home) { _ in false }
            }
            return
        } catch let error as KeyringError where error.isRefusal && choice == .automatic {
            // For this unlock only: the next one tries the kernel again. What the kernel still holds is from
            // another unlock.
            state.withLock { $0.lastRefusal = error }
            for group in groups { try destroyInKernel(group.validity.role, group.validity.home) { _ in true } }
            for group in groups { process.publish(group) }
            return
        } catch let error as KeyringError {
            throw notAvailable(error)
        }
        for group in groups {
            process.destroy(group.validity.role, group.validity.home)
            // A lock that came in between didn't see these groups yet.
            if !process.isGood(group.validity) { try discard(group.validity.role, group.validity.home) }
        }
    }

    /// Keeps groups that existed before: those of the `shared` roles for all processes, the others for this one.
    func publish(_ groups: [KeyGroup], shared: Set<KeyGroup.Role>) throws {
        for group in groups where !shared.contains(group.validity.role) { process.publish(group) }
        try publish(groups.filter { shared.contains($0.validity.role) })
    }

    /// Records in the shared page what a lock needs to know if it can't look into this keyring.
    private func note(_ groups: [KeyGroup]) {
        let (space, now) = (Places.userNamespace(), process.clock.now())
        for group in groups { process.page.notePublished(group.validity, in: space, now: now) }
    }

    private func discard(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws {
        try kernel.discard(role)
        try destroyInKernel(role, home) { _ in false }
    }

    /// Destroys the groups of a role in both holders. The shared page's counters have already made them void.
    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws {
        process.destroy(role, home)
        try destroyInKernel(role, home) { _ in true }
    }

    /// Destroys the groups that an earlier keybag left in the kernel.
    func destroyOlder(than generation: UInt64, _ home: UniqueIdentifier) throws {
        for role in [KeyGroup.Role.complete, .firstUnlock] { try destroyInKernel(role, home) { $0 < generation } }
    }

    /// Destroys the groups that a failed change left in the kernel.
    func destroyNewer(than generation: UInt64, _ home: UniqueIdentifier) throws {
        for role in [KeyGroup.Role.complete, .firstUnlock] { try destroyInKernel(role, home) { $0 > generation } }
    }

    private func destroyInKernel(
        _ role: KeyGroup.Role, _ home: UniqueIdentifier, where isMeant: (UInt64) -> Bool
    ) throws {
        do {
            guard try !kernel.destroy(role, home, where: isMeant) else { return }
            process.page.forgetPublished(role, in: Places.userNamespace())
        } catch let error as KeyringError where error.isRefusal {
            // Groups that another process may have put there stay recorded in the shared page.
        }
    }

    private func notAvailable(_ error: KeyringError) -> DataProtectionError {
        DataProtectionError(.notAvailable, "the kernel keyring can't be used: \(error.text)", cause: error)
    }
}
