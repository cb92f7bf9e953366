// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// What a keybag becomes when its roots change (Documentation/Formats/Keybag.md, "Setting, changing, removing the passcode").
struct Rekeying {
    /// The new keybag, its slots without keys yet.
    private(set) var file: KeybagFile
    private let kept: [KeybagSlot]
    private let added: [KeybagSlot.Expected]

    init(_ old: KeybagFile, stretching: KeybagFile.Stretching?, rotating: Bool) throws {
        let expected = KeybagSlot.expected(withPasscode: stretching != nil)
        kept = old.slots.filter { expected.contains(KeybagSlot.Expected($0.kind, $0.keyClass)) }.map { slot in
            var slot = slot
            if rotating, slot.kind != .metadataKey { slot.isRetired = true }
            return slot
        }
        let current = kept.filter { !$0.isRetired }.map { KeybagSlot.Expected($0.kind, $0.keyClass) }
        added = expected.filter { !current.contains($0) }
        guard kept.count + added.count <= KeybagFile.slotLimit else {
            let files = old.keysOfFiles
            throw Self.full(ofFiles: old.slots.count { $0.isRetired && files.contains($0.id) })
        }
        file = old
        file.epochSlot = old.epochSlot.other
        file.stretching = stretching
        file.eraseAfter = stretching == nil ? 0 : old.eraseAfter
        file.keybagIdentifier = .random()
        file.generation = old.generation + 1
        file.slots = []
    }

    private static func full(ofFiles count: Int) -> DataProtectionError {
        let what = "the keybag holds as many retired keys as it can, and all may still be needed; unlock, then run: "
        guard count > 0 else { return DataProtectionError(.notAvailable, what + "zamok doctor --remove-retired-keys") }
        return DataProtectionError(
            .notAvailable,
            what + "zamok files rewrap DIRS..., with every folder that protected files were copied or moved to, then: "
                + "zamok doctor --remove-retired-keys (\(count) keys are kept for files)")
    }

    /// The new keybag with every key wrapped under its roots.
    func filled(
        _ old: borrowing KeybagPlace.Opened, _ oldRoot: borrowing SecretBytes, _ roots: borrowing KeyRoots,
        _ root: borrowing SecretBytes
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
