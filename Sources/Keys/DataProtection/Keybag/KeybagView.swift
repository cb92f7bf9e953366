// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A verified keybag with the keys that are always there: what calls work with until the generation changes.
final class KeybagView: Sendable {
    let file: KeybagFile
    /// Class none and the authenticity keys.
    let device: KeyGroup

    /// The page's leave count of before it was read. An erase raises it, so that a home which is made anew in the same place, and
    /// reaches the same generation, is not taken for this one.
    let leaves: UInt64

    /// Of the current metadata keys, which every lookup asks for.
    private let metadataKeys: (none: ClassKeyID?, afterFirstUnlock: ClassKeyID?)

    init(_ opened: borrowing KeybagPlace.Opened, leaves: UInt64, boot: UniqueIdentifier) throws {
        self.leaves = leaves
        let file = opened.file
        self.file = file
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
