// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

extension Keybag {
    /// Puts a keybag in the place of `old`, durably, and `groups` where they belong. The lock is held by the caller.
    ///
    /// Order: file on the disk beside its place; generation into the page, from which moment every other call waits; groups; rename. So
    /// nobody sees the new keybag without its groups, and a lock in between makes the groups void.
    func install(_ fresh: borrowing KeybagPlace.Opened, instead old: KeybagFile, _ groups: [KeyGroup]) throws {
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
            restore(former, shared, old)
            throw error
        }
        process.page.ring()
    }

    /// After a failure: the page says again what the file says, which may be either, and what was unlocked is so again.
    private func restore(_ former: [KeyGroup], _ shared: Set<KeyGroup.Role>, _ old: KeybagFile) {
        guard let present = try? place.read().file else { return }
        process.page.setKeybagGeneration(present.generation)
        guard present.generation == old.generation else { return }
        try? holder.destroyNewer(than: old.generation, old.homeIdentifier)
        if old.hasPasscode { try? holder.publish(former, shared: shared) }
    }

    /// Writes a keybag of the same roots, whose file `change` changes; groups that are there stay, without keys that went.
    func rewrite(_ change: (inout KeybagFile, borrowing KeybagPlace.Opened) throws -> Void) throws {
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
            try install(KeybagPlace.Opened(file: file, roots: try place.roots(old)), instead: old, groups)
            try holder.destroyOlder(than: file.generation, file.homeIdentifier)
        }
    }
}
