// SPDX-License-Identifier: Apache-2.0

import SecretMemory

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

    /// Lets every registered store rewrap what it can; without `all`, only those that don't wait for a request.
    package func rewrapRegistered(all: Bool = false) {
        for store in openStores where all || !store.rewrapsOnRequestOnly {
            // A store that fails continues when it is next opened; until then its retired keys remain.
            _ = try? store.rewrapRetiredKeys(self)
        }
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

    /// Like `settleRetiredKeys()`, after a store was opened: if that store has something to rewrap, or every store of
    /// the home is open here and can be asked. The process that rewrapped the last one may not have been able to ask
    /// the others.
    package func settleIfAllStoresAreOpen(orHasToRewrap hasToRewrap: @autoclosure () throws -> Bool = false) {
        guard hasKeysToSettle, let hasToRewrap = try? hasToRewrap() else { return }
        guard hasToRewrap || (try? mapping { try storesNotOpen().isEmpty }) == true else { return }
        settleRetiredKeys()
    }

    /// Whether there are retired keys that can be removed without a request; those of files can't.
    package var hasKeysToSettle: Bool {
        guard let file = try? view().file else { return false }
        let ids = file.slots.filter(\.isRetired).map(\.id)
        return !ids.isEmpty && !keysThatFilesMayNeed(file).isSuperset(of: ids)
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
        let files = keysThatFilesMayNeed(file)
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
        if !ofFilesToo { ids.subtract(keysThatFilesMayNeed(file)) }
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

    /// Which stores need which of the keys `ids`. Without `ofFilesToo` no key of files is among these: `rememberFile`
    /// marks a key before a file is wrapped under it. So a store that rewraps only on request needs none of them.
    private func needs(
        of ids: Set<ClassKeyID>, ofFilesToo: Bool
    ) throws -> (all: [RetiredKeys.Need], keys: Set<ClassKeyID>) {
        guard !ids.isEmpty else { return ([], []) }
        var all: [RetiredKeys.Need] = []
        var keys: Set<ClassKeyID> = []
        for (file, reason) in try storesNotOpen() {
            all.append(RetiredKeys.Need(store: file, keys: nil, reason: reason))
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
    private func storesNotOpen() throws -> [(file: String, reason: String)] {
        let open = Set(openStores.map(\.fileInHome))
        let outside = try place.folder.folder("stores", making: false)?.names() ?? []
        let missing = try StoreRecord.missing(in: place.folder, self).filter { !open.contains($0) }
        let all = try place.folder.names().filter { $0.hasSuffix(".db") } + outside.map { "stores/\($0)" }
        let doubt = try StoreRecord.doubt(in: place.folder, self).map {
            (file: StoreRecord.fileName, reason: $0.reason(place.folder))
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
