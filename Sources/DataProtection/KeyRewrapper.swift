// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A store that keeps keys wrapped under class keys. It registers with the keybag, which calls nobody by name.
package protocol KeyRewrapper: AnyObject, Sendable {
    /// For messages: "keychain", "preferences".
    var name: String { get }

    /// Wraps anew, under current keys, what stands under retired ones (`Keybag.isRetired`), as far as the lock state allows.
    /// Resumable: ended in the middle it goes on the next time. Answers whether anything is left under a retired key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool

    /// Not when the passcode is changed, only before retired keys are removed: the store has much to write.
    var rewrapsOnRequestOnly: Bool { get }
}

extension KeyRewrapper {
    package var rewrapsOnRequestOnly: Bool { false }
}

extension Keybag {
    /// Registers a store for as long as it lives. It is called under no lock, on the thread of whoever changes the passcode.
    package func register(_ rewrapper: any KeyRewrapper) {
        rewrappers.withLock { rewrappers in
            rewrappers = rewrappers.filter { $0.value != nil } + [WeakRewrapper(value: rewrapper)]
        }
    }

    /// Lets every registered store wrap anew what it can; without `all`, those that don't wait to be asked. The names of those that still
    /// need a retired key.
    @discardableResult
    package func rewrapRegistered(all: Bool = false) -> [String] {
        let present = rewrappers.withLock { $0.compactMap(\.value) }.filter { all || !$0.rewrapsOnRequestOnly }
        // A store that fails goes on when it is next opened; until then its retired keys stay.
        return present.filter { (try? $0.rewrapRetiredKeys(self)) ?? true }.map(\.name)
    }

    /// Whether the keybag holds retired keys.
    package var hasRetiredKeys: Bool {
        get throws(DataProtectionError) { try door { try view().file.slots.contains { $0.isRetired } } }
    }

    /// Removes all retired keys: what is still wrapped under one is lost. Only for an explicit command, or for whoever knows that nothing is
    /// left; a registered store that still needs one makes it fail, and so does one that has left its name in the home's folder `stores`
    /// and is not open in this process. Needs no passcode.
    ///
    /// Errors: `.notAvailable` (a store still needs one, or can't be asked), `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    package func removeRetiredKeys() throws(DataProtectionError) {
        let left = rewrapRegistered(all: true)
        guard left.isEmpty else {
            throw DataProtectionError(
                .notAvailable, "retired keys are still needed by: \(left.joined(separator: ", "))")
        }
        let silent = try door { try storesNotOpen() }
        guard silent.isEmpty else {
            throw DataProtectionError(
                .notAvailable,
                "retired keys may still be needed by stores that are not open here: \(silent.joined(separator: ", "))")
        }
        try door { try rewrite { file, _ in file.slots.removeAll(where: \.isRetired) } }
    }
}

extension Keybag {
    /// Stores whose keys lie outside the home have a file of their name in `stores`.
    private func storesNotOpen() throws -> [String] {
        let present = Set(rewrappers.withLock { $0.compactMap(\.value) }.map(\.name))
        let names = try place.folder.folder("stores", making: false)?.names() ?? []
        return names.filter { !$0.hasSuffix(HomeFolder.temporarySuffix) && !present.contains($0) }.sorted()
    }
}

/// A store that may have gone.
struct WeakRewrapper: Sendable {
    weak var value: (any KeyRewrapper)?
}
