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

/// The holders of one keybag: the kernel's where it is chosen and the system has it, and the process's.
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
        /// Why the system doesn't let us use the kernel's holder.
        var refusal: KeyringError?
        /// Why the kernel's holder took no keys the last time, though it is there.
        var lastRefusal: KeyringError?
    }

    init(_ choice: HolderChoice, process: HomeProcess, folder: HomeFolder) {
        self.choice = choice
        self.process = process
        self.folder = folder
    }

    /// Why the process-local holder is in use; nil while the kernel's is, or where the process's was chosen.
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

    /// The group of a role as some holder keeps it, if it is valid.
    func group(_ role: KeyGroup.Role, _ file: KeybagFile) throws -> KeyGroup? {
        let home = file.homeIdentifier
        // The process's groups were checked when they came.
        if let held = process.group(role, home, generation: file.generation), held.validity.slots == file.slotsCode {
            return held
        }
        guard file.hasPasscode, let group = try inKernel(role, file) else { return nil }
        // The first-unlock group stays until the user leaves: keep it, and watch for that. The complete group is never kept.
        if role == .firstUnlock { process.publish(group) }
        return group
    }

    /// Forgets what this process keeps of groups that it can have again at once: those that the kernel keeps, or that a home without a passcode makes.
    func forgetKept(_ file: KeybagFile) throws {
        for role in [KeyGroup.Role.firstUnlock, .complete] {
            if file.hasPasscode, try inKernel(role, file) == nil { continue }
            process.destroy(role, file.homeIdentifier)
        }
    }

    /// The roles whose groups all processes of the user have: without a passcode both.
    func sharedRoles(_ file: KeybagFile) throws -> Set<KeyGroup.Role> {
        let roles: [KeyGroup.Role] = [.firstUnlock, .complete]
        return Set(file.hasPasscode ? try roles.filter { try inKernel($0, file) != nil } : roles)
    }

    /// The group of a role in the kernel's keyring, if it is valid.
    private func inKernel(_ role: KeyGroup.Role, _ file: KeybagFile) throws -> KeyGroup? {
        let home = file.homeIdentifier
        guard outlivesProcess, let group = try kernel.group(role, home, generation: file.generation) else { return nil }
        let isOurs = group.validity.role == role && group.validity.home == home
        guard isOurs, process.isGood(group.validity) else {
            // Whoever meets a void group destroys it.
            if !isOurs || process.isVoidForGood(group.validity) { try discard(role, home) }
            return nil
        }
        guard try isMeant(group, file) else {
            // Somebody else's keys under our name: nobody must use them or take them for an unlock.
            try? destroyInKernel(role, home) { $0 == file.generation }
            return nil
        }
        return group
    }

    /// Whether the kernel's group holds the keys that the keybag means. The last one that did is recognised by a fingerprint that this process
    /// alone can make, so that most operations compare one code.
    private func isMeant(_ group: KeyGroup, _ file: KeybagFile) throws -> Bool {
        guard let slots = group.validity.slots, slots == file.slotsCode else { return false }
        let fingerprint = try fingerprints.of(group.payload)
        let role = group.validity.role
        if checked.withLock({ $0[role] == fingerprint }) { return true }
        guard try group.fits(file) else { return false }
        checked.withLock { $0[role] = fingerprint }
        return true
    }

    /// Keeps `groups`, all of one home, for all processes of the user, or for this one where that is all the system allows: all or none.
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
            try kernel.publish(groups, at: HomePlace(folder), now: process.clock.now().nanoseconds) {
                !process.isLocked(since: $0.validity)
            }
            // Once more: a lock that found nothing yet may have removed the note.
            note(groups)
        } catch let error as KeyringError where error == .overtaken {
            // No group is left to keep.
            for group in groups {
                process.destroy(group.validity.role, group.validity.home)
                try destroyInKernel(group.validity.role, group.validity.home) { _ in false }
            }
            return
        } catch let error as KeyringError where error.isRefusal && choice == .automatic {
            // For this unlock only: the next one asks the kernel again. What the kernel still has is from another unlock.
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

    /// Keeps groups that were there before: those of `shared` roles for all processes, the others for this one.
    func publish(_ groups: [KeyGroup], shared: Set<KeyGroup.Role>) throws {
        for group in groups where !shared.contains(group.validity.role) { process.publish(group) }
        try publish(groups.filter { shared.contains($0.validity.role) })
    }

    /// Notes in the shared page what a lock that can't look into this keyring has to know.
    private func note(_ groups: [KeyGroup]) {
        let (space, now) = (Places.userNamespace(), process.clock.now())
        for group in groups { process.page.notePublished(group.validity, in: space, now: now) }
    }

    private func discard(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws {
        try kernel.discard(role)
        try destroyInKernel(role, home) { _ in false }
    }

    /// Destroys the groups of a role wherever they are. The shared page's counters have made them void already.
    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws {
        process.destroy(role, home)
        try destroyInKernel(role, home) { _ in true }
    }

    /// Destroys what an earlier keybag left in the kernel.
    func destroyOlder(than generation: UInt64, _ home: UniqueIdentifier) throws {
        for role in [KeyGroup.Role.complete, .firstUnlock] { try destroyInKernel(role, home) { $0 < generation } }
    }

    /// Destroys what a change that failed left in the kernel.
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
            // Groups that another process may have put there stay noted in the shared page.
        }
    }

    private func notAvailable(_ error: KeyringError) -> DataProtectionError {
        DataProtectionError(.notAvailable, "the kernel keyring can't be used: \(error.text)", cause: error)
    }
}
