// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

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
