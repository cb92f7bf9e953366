// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import Statuses

/// The set of wrapped class keys of one home (Documentation/Formats/Keybag.md), and the API to use them.
///
/// A final Sendable class; every call may be made from any thread, and its lock is a leaf: taken last, calling nothing.
/// Keys are fetched from the holder on each call, so that a lock by any process binds from the next call on. Every call
/// in a child process after fork throws `.forked`.
public final class Keybag: Sendable {
    let place: KeybagLocation
    let process: HomeProcess
    let holder: HolderSelection
    private let opener = ThisProcess.identifier
    private let known: Locked<KeybagView>
    /// The last keybag without a passcode whose pairs and codes were checked, and a fingerprint of its root. Returning
    /// to a user doesn't check them again.
    private let checked = Locked<(file: KeybagFile, root: [UInt8])?>(nil)
    private let fingerprints = Fingerprints()
    let rewrappers = Locked<[WeakRewrapper]>([])
    /// Cached so that the keybag is asked once for each key.
    let ofFiles = Locked(KeysOfFiles())
    /// Detects an earlier state of the home; nil: the home has no counter in a TPM.
    let freshness = Locked<Freshness?>(nil)
    /// Why the home is an earlier state, if that is tolerated.
    let staleness = Locked<DataProtectionError?>(nil)
    let freshSources = Locked<[WeakFreshSource]>([])

    /// Opens the keybag at `place`, and creates it if there is none.
    init(at place: KeybagLocation, _ choice: HolderChoice, _ clock: BootClock) throws {
        self.place = place
        try place.prepare()
        process = try HomeProcess.of(place, clock)
        let leaves = process.page.leaveCount
        let view = try KeybagView(try place.readSettled(), leaves: leaves, boot: clock.now().start)
        known = Locked(view)
        holder = HolderSelection(choice, process: process, folder: place.folder)
        try beginFreshness(view.file)
        _ = try self.view()
        process.page.setHomeIdentifier(view.file.homeIdentifier)
        takeInheritedKeys()
        if view.isBehind, !view.file.hasPasscode { followWithoutPasscode() }
        countKeybag()
    }

    var home: UniqueIdentifier { known.withLock { $0.file.homeIdentifier } }

    func checkProcess() throws {
        guard ThisProcess.identifier == opener else {
            throw DataProtectionError(
                .forked, "the home \(place.folder.path) was opened by the parent process; open it again after fork")
        }
    }

    /// The current verified keybag.
    func view() throws -> KeybagView {
        try checkProcess()
        let view = known.withLock { $0 }
        return isCurrent(view) ? view : try reload()
    }

    private func isCurrent(_ view: KeybagView) -> Bool {
        view.file.generation == process.page.keybagGeneration && view.leaves == process.page.leaveCount
    }

    /// Reads the keybag again. The page contains the new generation shortly before the file is renamed into place. So
    /// this waits for that writer or, if it died, writes the file's generation into the page.
    private func reload() throws -> KeybagView {
        while true {
            let bell = process.page.bell
            if let view = try readIfCurrent() { return view }
            if let settled = try readSettling() { return settled }
            process.page.wait(while: bell, nanoseconds: 20_000_000)
        }
    }

    /// Nil while a writer is active.
    private func readSettling() throws -> KeybagView? {
        do {
            return try place.tryLocked {
                _ = try read()
                try process.page.repair()
                // Read again: a new page has other counts.
                let view = try read()
                process.page.setHomeIdentifier(view.file.homeIdentifier)
                process.page.setKeybagGeneration(view.file.generation)
                return view
            }
        } catch let error as FileError where error.isMissing {
            // Not even the lock file can be created: the folder itself is gone, like that of a removed user.
            throw KeybagLocation.erased(place.folder.path)
        }
    }

    private func readIfCurrent() throws -> KeybagView? {
        guard let view = try? read() else { return nil }
        return isCurrent(view) ? view : nil
    }

    private func read() throws -> KeybagView {
        let leaves = process.page.leaveCount
        let opened = try place.read()
        try checkIdentity(opened.file)
        let view = try KeybagView(opened, leaves: leaves, boot: process.clock.now().start)
        known.withLock { $0 = view }
        return view
    }

    /// Throws if another home was created in place of the one that was opened.
    func checkIdentity(_ file: KeybagFile) throws {
        guard file.homeIdentifier == home else {
            throw DataProtectionError(
                .erased, "the home \(place.folder.path) was erased and made again by another process; open it again"
            )
        }
    }

    /// The group of a role, for one operation; nil while it is locked.
    func group(_ role: KeyGroup.Role, _ view: KeybagView) throws -> KeyGroup? {
        if role == .device { return view.device }
        let file = view.file
        if let held = try holder.group(role, file) { return held }
        return file.hasPasscode ? nil : try openWithoutPasscode(role, view)
    }

    /// Opens both groups without a passcode, and returns one. Such a home is always unlocked: the groups derive from
    /// device secret and epoch, which are read once for both. The keybag is read again only if this call's copy doesn't
    /// match them any more.
    private func openWithoutPasscode(_ role: KeyGroup.Role, _ view: KeybagView) throws -> KeyGroup? {
        let counts = Self.heldRoles.map { (role: $0, count: process.count($0)) }
        if let roots = try? place.roots(view.file),
            let groups = try? published(counts, opened: KeybagLocation.Opened(file: view.file, roots: roots))
        {
            return groups[role]
        }
        let opened = try place.readSettled()
        return opened.file.hasPasscode ? nil : try published(counts, opened: opened)[role]
    }

    private static let heldRoles = [KeyGroup.Role.firstUnlock, .complete]

    /// Every key opens while its group is made. Pairs, codes and keys of no group are checked too, unless it is the
    /// keybag that was checked last. The keys of the device group opened when the keybag was read (`KeybagView`).
    private func published(
        _ counts: [(role: KeyGroup.Role, count: UInt64)], opened: borrowing KeybagLocation.Opened
    ) throws -> KeyGroup.Each<KeyGroup> {
        let root = try opened.roots.passcodeRootWithoutPasscode()
        let file = opened.file
        let name = try fingerprints.of(root)
        let isChecked = checked.withLock { $0?.file == file && $0?.root == name }
        let boot = process.clock.now().start
        var groups = KeyGroup.Each<KeyGroup>()
        for (role, count) in counts {
            groups[role] = try opened.group(
                role, count: count, deadline: nil, boot: boot, root: root, checkingPairs: !isChecked)
        }
        if !isChecked {
            try file.checkOutsideGroups(person: root)
            checked.withLock { $0 = (file, name) }
        }
        for (role, _) in counts { if let group = groups[role] { process.publish(group) } }
        return groups
    }

    /// The error mapping of a public call: runs the body and turns errors from lower layers into `DataProtectionError`.
    func mapping<R: ~Copyable>(_ body: () throws -> R) throws(DataProtectionError) -> R {
        try DataProtectionError.mapping(about: place.folder.path, body)
    }
}

extension KeybagLocation.Opened {
    /// The group of a role, whose keys `root` opens.
    borrowing func group(
        _ role: KeyGroup.Role, count: UInt64, deadline: UInt64?, boot: UniqueIdentifier, root: borrowing SecretBytes,
        checkingPairs: Bool = false
    ) throws -> KeyGroup {
        let file = file
        let validity = KeyGroup.Validity(
            role: role, home: file.homeIdentifier, generation: file.generation, count: count, deadline: deadline,
            boot: boot, slots: file.slotsCode
        )
        return try KeyGroup.make(validity, file.slots.filter { $0.role == role }) { slot in
            let key = try slot.key(under: root, file.names)
            if checkingPairs { try slot.checkPair(key) }
            return key
        }
    }
}

/// A verified keybag with the keys that are always available. Calls use it until the generation changes.
final class KeybagView: Sendable {
    let file: KeybagFile
    /// The keys of class `none` and the authenticity keys.
    let device: KeyGroup

    /// Whether its keys are under a former device secret.
    let isBehind: Bool

    /// The page's leave count before the keybag was read. An erase raises it, so that a new home in the same folder
    /// that reaches the same generation is not mistaken for this one.
    let leaves: UInt64

    /// The ids of the current metadata keys, which every lookup needs.
    private let metadataKeys: (none: ClassKeyID?, afterFirstUnlock: ClassKeyID?)

    init(_ opened: borrowing KeybagLocation.Opened, leaves: UInt64, boot: UniqueIdentifier) throws {
        self.leaves = leaves
        let file = opened.file
        self.file = file
        isBehind = opened.isBehind
        metadataKeys = (
            file.current(.metadataKey, KeyClass(.none))?.id,
            file.current(.metadataKey, KeyClass(.completeUntilFirstUserAuthentication))?.id
        )
        let validity = KeyGroup.Validity(
            role: .device, home: file.homeIdentifier, generation: file.generation, count: 0, deadline: nil, boot: boot,
            slots: file.slotsCode
        )
        device = try KeyGroup.make(validity, file.slots.filter { $0.role == .device }) { slot in
            try slot.unwrap(under: opened.roots.device, file.names)
        }
    }

    func metadataKey(_ domain: MetadataDomain) -> ClassKeyID? {
        domain == .none ? metadataKeys.none : metadataKeys.afterFirstUnlock
    }
}
