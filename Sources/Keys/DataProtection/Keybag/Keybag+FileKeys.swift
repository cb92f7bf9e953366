// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// The keys of files that a process knows.
struct KeysOfFiles: Sendable {
    /// The keys that are marked in the keybag.
    var known: Set<ClassKeyID> = []
    /// The keys under which a file was found, and for which setting the mark was tried.
    var tried: Set<ClassKeyID> = []
}

/// Files may be anywhere: copied to a stick, moved, on a volume that is not mounted. So no store can ever tell that
/// none is left under a key. The keybag remembers for each key whether a file was wrapped under it
/// (Documentation/Formats/Keybag.md, "Keys of files").
extension Keybag {
    /// Remembers durably that a file is wrapped under a class key or pair; from then on only a request by the user
    /// removes the key. Writes the keybag once for each key; afterwards it only looks in memory. Call it before the
    /// file is renamed into place, with `keyUse` held.
    /// Errors: `.keyDestroyed`, `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    package func rememberFile(under id: ClassKeyID) throws(DataProtectionError) {
        try mapping {
            guard try !isOfFiles(id) else { return }
            try place.locked { try markOfFiles(id) }
            learn(id)
        }
    }

    /// Like `rememberFile`, for a file that was found under a key: a keybag restored from a backup knows less than the
    /// files. Doesn't wait for the lock, and tries once per key.
    package func noteFile(under id: ClassKeyID) {
        guard ofFiles.withLock({ !$0.tried.contains(id) }), (try? isOfFiles(id)) == false else { return }
        ofFiles.withLock { _ = $0.tried.insert(id) }
        guard (try? place.tryLocked({ try markOfFiles(id) })) != nil else { return }
        learn(id)
    }

    /// Whether a file may have been wrapped under any key of this home.
    package var hasFileKeys: Bool {
        get throws(DataProtectionError) { try mapping { try view().file.slots.contains(where: \.isOfFiles) } }
    }

    /// Whether the keybag has the key that a file names.
    package func hasFileKey(_ id: ClassKeyID) throws(DataProtectionError) -> Bool {
        try mapping { try view().file.slots.contains { $0.canBeOfFiles && $0.id == id } }
    }

    /// The keys of files, as far as this process and its present keybag know.
    func keysThatFilesMayNeed(_ file: KeybagFile) -> Set<ClassKeyID> {
        ofFiles.withLock { file.keysOfFiles.union($0.known).union($0.tried) }
    }

    private func isOfFiles(_ id: ClassKeyID) throws -> Bool {
        if ofFiles.withLock({ $0.known.contains(id) }) { return true }
        let slots = try view().file.slots
        guard slots.contains(where: { $0.isOfFiles && $0.id == id }) else { return false }
        learn(id)
        return true
    }

    private func learn(_ id: ClassKeyID) { ofFiles.withLock { _ = $0.known.insert(id) } }

    /// The caller holds the lock. The generation stays, since the mark gives no process another key.
    private func markOfFiles(_ id: ClassKeyID) throws {
        let opened = try place.read()
        try checkIdentity(opened.file)
        let old = opened.file
        guard let index = old.slots.firstIndex(where: { $0.canBeOfFiles && $0.id == id }) else {
            throw DataProtectionError(.keyDestroyed, "the class key was destroyed meanwhile; try again")
        }
        // The process that set the mark may have been killed before it was durable.
        guard !old.slots[index].isOfFiles else { return try place.folder.sync() }
        var file = old
        file.slots[index].isOfFiles = true
        let bytes = try file.encoded(under: try opened.roots.authenticationKey())
        try place.folder.prepare(KeybagFile.fileName) {
            try $0.write(bytes)
        }
        do {
            try place.folder.commit(KeybagFile.fileName, replacing: true)
        } catch {
            place.folder.discard(KeybagFile.fileName)
            throw error
        }
    }
}
