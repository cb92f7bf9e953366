// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// A store that keeps keys wrapped under class keys. It registers with the keybag, which knows no store by name.
package protocol KeyRewrapper: AnyObject, Sendable {
    /// The name for messages: "keychain", "preferences".
    var name: String { get }

    /// The file in the home's folder that shows that such a store exists: "keychain.db", "stores/files".
    var place: String { get }

    /// Rewraps under current keys what is wrapped under retired ones (`Keybag.isRetired`), as far as the lock
    /// state allows. Resumable: the next call continues after an interruption. Returns whether anything is left
    /// under a retired key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool

    /// The retired keys under which something is or may be wrapped, including what other processes are writing now. Too
    /// many do no harm. Throws if they can't be determined (locked, damaged, missing); then the store counts as needing
    /// all of them.
    func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID>

    /// Whether the store rewraps only on request: neither when the passcode changes nor before keys are removed without
    /// a request. Such a store has much to read and write, and retains its keys with `Keybag.rememberFile`.
    var rewrapsOnRequestOnly: Bool { get }
}

extension KeyRewrapper {
    package var rewrapsOnRequestOnly: Bool { false }
}

/// What became of the retired keys of a home, and which stores still need the remaining ones.
public struct RetiredKeys: Sendable, Equatable {
    /// A store that needs retired keys.
    public struct Need: Sendable, Equatable {
        /// The store's name, "keychain" or "files" for example; for a store that is not open here, its file
        /// in the home.
        public let store: String
        /// How many keys it needs; nil: unknown, it may need all of them.
        public let keys: Int?
        /// Why the number is unknown; contains no secret.
        public let reason: String?
    }

    /// How many keys were removed.
    public let removed: Int
    /// How many keys remain.
    public let left: Int
    /// How many of the remaining keys files may need: a file was wrapped under them once, and may be anywhere. Only
    /// ``Keybag/removeRetiredKeys()`` removes these keys.
    public let ofFiles: Int
    /// Which stores need the remaining keys.
    public let needs: [Need]
    /// The commands after which the keys of files can be removed.
    package let remedy: String
}

extension Keybag {
    /// Registers a store for as long as it lives. The keybag calls it without holding a lock, on the thread that
    /// changes the passcode.
    package func register(_ rewrapper: any KeyRewrapper) {
        rewrappers.withLock { rewrappers in
            rewrappers = rewrappers.filter { $0.value != nil } + [WeakRewrapper(value: rewrapper)]
        }
    }

    private var openStores: [any KeyRewrapper] { rewrappers.withLock { $0.compactMap(\.value) } }

    /// Lets every registered store rewrap what it can; without `all`, only those that don't wait for a request. Returns
    /// the names of those that still need a retired key.
    @discardableResult
    package func rewrapRegistered(all: Bool = false) -> [String] {
        let present = openStores.filter { all || !$0.rewrapsOnRequestOnly }
        // A store that fails continues when it is next opened; until then its retired keys remain.
        return present.filter { (try? $0.rewrapRetiredKeys(self)) ?? true }.map(\.name)
    }

    /// Whether the keybag holds retired keys.
    package var hasRetiredKeys: Bool {
        get throws(DataProtectionError) { try mapping { try view().file.slots.contains { $0.isRetired } } }
    }

    /// Removes, without the passcode, the retired keys that no store needs, except those of files. Call it after new
    /// keys were drawn or a store has rewrapped its own. If something prevents the removal, the next call continues.
    package func settleRetiredKeys() {
        guard (try? hasRetiredKeys) == true, !openStores.isEmpty else { return }
        rewrapRegistered()
        _ = try? mapping { try removeUnneeded(ofFilesToo: false) }
    }

    /// Like `settleRetiredKeys()`, after a store was opened. `isRewrapped`: the store has nothing to rewrap. Then this
    /// removes keys only if every store of the home is open here and can be asked. The process that rewrapped the last
    /// one may not have been able to ask the others.
    package func settleRetiredKeys(onOpening isRewrapped: () throws -> Bool) {
        guard hasKeysToSettle, let isRewrapped = try? isRewrapped() else { return }
        guard !isRewrapped || (try? mapping { try storesNotOpen().isEmpty }) == true else { return }
        settleRetiredKeys()
    }

    /// Whether there are retired keys that can be removed without a request; those of files can't.
    package var hasKeysToSettle: Bool {
        guard let file = try? view().file else { return false }
        let ids = file.slots.filter(\.isRetired).map(\.id)
        return !ids.isEmpty && !keysOfFiles(file).isSuperset(of: ids)
    }

    /// Lets every store that is open here rewrap all that it can, then removes every retired key that no store of this
    /// home needs. Needs no passcode. A store of the home that isn't open in this process, or can't tell what it needs,
    /// retains all keys.
    ///
    /// Call this only at the user's request. Files that other programs copied or moved to folders in
    /// which Zamok has changed none since are not found, and are lost with their keys. Rewrap them
    /// first, with `ProtectedFileStore.rewrap`.
    ///
    /// Errors: `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    @discardableResult
    public func removeRetiredKeys() throws(DataProtectionError) -> RetiredKeys {
        rewrapRegistered(all: true)
        return try mapping { try removeUnneeded(ofFilesToo: true) }
    }

    /// Which stores need the present retired keys, without looking at files; removes nothing and rewraps nothing.
    /// Errors: as `removeRetiredKeys`.
    public func retiredKeys() throws(DataProtectionError) -> RetiredKeys {
        try mapping {
            let file = try view().file
            let ids = Set(file.slots.filter(\.isRetired).map(\.id))
            return answer(file, needs: try needs(of: ids, ofFilesToo: false).all)
        }
    }

    private func answer(_ file: KeybagFile, removed: Int = 0, needs: [RetiredKeys.Need]) -> RetiredKeys {
        let retired = file.slots.filter(\.isRetired)
        let files = keysOfFiles(file)
        return RetiredKeys(
            removed: removed, left: retired.count, ofFiles: retired.count { files.contains($0.id) }, needs: needs,
            remedy:
                "\(command("files rewrap")) DIRS..., with every folder that such files were copied or moved to, then \(place.folder.command("doctor", "--remove-retired-keys"))"
        )
    }

    private func removeUnneeded(ofFilesToo: Bool) throws -> RetiredKeys {
        // The keys retired by now: a key that retires while the stores are asked remains.
        let file = try view().file
        var ids = Set(file.slots.filter(\.isRetired).map(\.id))
        if !ofFilesToo { ids.subtract(keysOfFiles(file)) }
        guard !ids.isEmpty else { return answer(file, needs: []) }
        guard try areKeyUsesOver() else {
            let writers = RetiredKeys.Need(store: "files", keys: nil, reason: "one is being written; try again")
            return answer(file, needs: [writers])
        }
        let needs = try needs(of: ids, ofFilesToo: ofFilesToo)
        let free = ids.subtracting(needs.keys)
        guard !free.isEmpty else { return answer(file, needs: needs.all) }
        var (removed, after) = (0, file)
        do {
            try rewrite { file, _ in
                // According to the current keybag file, which may know more than this process.
                let going = ofFilesToo ? free : free.subtracting(file.keysOfFiles)
                removed = file.slots.count { $0.isRetired && going.contains($0.id) }
                file.slots.removeAll { $0.isRetired && going.contains($0.id) }
                after = file
                // Another process was faster. Rewriting an unchanged keybag would invalidate what programs were given.
                guard removed > 0 else { throw NothingToRemove() }
            }
        } catch is NothingToRemove {}
        return answer(after, removed: removed, needs: needs.all)
    }

    private struct NothingToRemove: Error {}

    /// Which stores need which of the keys `ids`.
    private func needs(
        of ids: Set<ClassKeyID>, ofFilesToo: Bool
    ) throws -> (all: [RetiredKeys.Need], keys: Set<ClassKeyID>) {
        guard !ids.isEmpty else { return ([], []) }
        var all: [RetiredKeys.Need] = []
        var keys: Set<ClassKeyID> = []
        for (place, reason) in try storesNotOpen() {
            all.append(RetiredKeys.Need(store: place, keys: nil, reason: reason))
            keys = ids
        }
        for store in openStores where ofFilesToo || !store.rewrapsOnRequestOnly {
            do {
                let needed = try store.retiredKeysInUse(self).intersection(ids)
                if !needed.isEmpty { all.append(RetiredKeys.Need(store: store.name, keys: needed.count, reason: nil)) }
                keys.formUnion(needed)
            } catch {
                all.append(RetiredKeys.Need(store: store.name, keys: nil, reason: "\(error)"))
                keys = ids
            }
        }
        return (all, keys)
    }

    /// The stores of the home that are not open here, each with the reason why its needs are unknown. These are
    /// databases, the names in `stores` of those that keep their keys elsewhere, stores that the home remembers and
    /// that are missing, and the file that remembers them, if it isn't whole.
    private func storesNotOpen() throws -> [(place: String, reason: String)] {
        let open = Set(openStores.map(\.place))
        let outside = try place.folder.folder("stores", making: false)?.names() ?? []
        let missing = try StoreRecord.missing(in: place.folder, self).filter { !open.contains($0) }
        let all = try place.folder.names().filter { $0.hasSuffix(".db") } + outside.map { "stores/\($0)" }
        let doubt = try StoreRecord.doubt(in: place.folder, self).map {
            (place: StoreRecord.fileName, reason: $0.reason(place.folder))
        }
        return [doubt].compactMap(\.self)
            + missing.map {
                ($0, "it was there and is missing; put it back, or go on without it: \(place.folder.acceptCommand)")
            }
            + all.filter { !$0.hasSuffix(HomeFolder.temporarySuffix) && !open.contains($0) && !missing.contains($0) }
            .sorted().map { ($0, "not open in this process; remove it if it is a copy that is not needed") }
    }

    /// Makes room before new keys are drawn. If the table would be full, stores rewrap what retains keys that can be
    /// removed without a request.
    func makeRoomForSlots() throws {
        let most = KeybagSlot.expected(withPasscode: true).count
        guard try mapping({ try view().file.slots.count }) + most > KeybagFile.slotLimit else { return }
        rewrapRegistered()
        _ = try mapping { try removeUnneeded(ofFilesToo: false) }
    }
}

/// A weak reference to a store.
struct WeakRewrapper: Sendable {
    weak var value: (any KeyRewrapper)?
}

/// The new keybag when the roots change (Documentation/Formats/Keybag.md, "Setting, changing, removing the passcode").
struct Rekeying {
    /// The new keybag, still without slots.
    var file: KeybagFile
    private let kept: [KeybagSlot]
    private let added: [KeybagSlot.Expected]

    init(_ old: KeybagFile, _ lock: Keybag.Lock, rotating: Bool, in folder: HomeFolder) throws {
        let expected = KeybagSlot.expected(withPasscode: lock.stretching != nil)
        kept = old.slots.filter { expected.contains($0.place) }.map { slot in
            var slot = slot
            if rotating, slot.kind != .metadataKey { slot.isRetired = true }
            return slot
        }
        let current = kept.filter { !$0.isRetired }.map(\.place)
        added = expected.filter { !current.contains($0) }
        guard kept.count + added.count <= KeybagFile.slotLimit else {
            let files = old.keysOfFiles
            throw Self.full(ofFiles: old.slots.count { $0.isRetired && files.contains($0.id) }, folder)
        }
        file = old
        file.epochSlot = old.epochSlot.other
        file.stretching = lock.stretching
        file.binding = lock.binding
        file.eraseAfter = lock.stretching == nil ? 0 : old.eraseAfter
        file.keybagIdentifier = .random()
        file.generation = old.generation + 1
        file.slots = []
    }

    private static func full(ofFiles count: Int, _ folder: HomeFolder) -> DataProtectionError {
        let removal = folder.command("doctor", "--remove-retired-keys")
        let what = "the keybag holds as many retired keys as it can, and all may still be needed; unlock, then run: "
        guard count > 0 else { return DataProtectionError(.notAvailable, what + removal) }
        return DataProtectionError(
            .notAvailable,
            what
                + "\(folder.command("files rewrap")) DIRS..., with every folder that protected files were copied or moved to, then: "
                + "\(removal) (\(count) keys are kept for files)")
    }

    /// The new keybag, with every key wrapped under its roots.
    func filled(
        _ old: borrowing KeybagLocation.Opened, oldRoot: borrowing SecretBytes, roots: borrowing KeyRoots,
        root: borrowing SecretBytes
    ) throws -> KeybagFile {
        var file = file
        file.slots = try .make(added, device: roots.device, passcode: root, file.names)
        for var slot in kept {
            switch slot.root {
            case .device:
                let key = try slot.unwrap(under: old.roots.device, old.file.names)
                try slot.wrap(key, under: roots.device, file.names)
            case .passcode:
                let key = try slot.unwrap(under: oldRoot, old.file.names)
                try slot.wrap(key, under: root, file.names)
            }
            file.slots.append(slot)
        }
        try file.sign(roots, person: root)
        return file
    }
}
