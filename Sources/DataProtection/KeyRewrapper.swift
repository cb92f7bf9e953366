// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A store that keeps keys wrapped under class keys. It registers with the keybag, which calls nobody by name.
package protocol KeyRewrapper: AnyObject, Sendable {
    /// For messages: "keychain", "preferences".
    var name: String { get }

    /// Wraps anew, under current keys, what stands under retired ones (`Keybag.isRetired`), as far as the lock state allows.
    /// Resumable: ended in the middle it goes on the next time. Answers whether anything is left under a retired key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool
}

extension Keybag {
    /// Registers a store for as long as it lives. It is called under no lock, on the thread of whoever changes the passcode.
    package func register(_ rewrapper: any KeyRewrapper) {
        rewrappers.withLock { rewrappers in
            rewrappers = rewrappers.filter { $0.value != nil } + [WeakRewrapper(value: rewrapper)]
        }
    }

    /// Lets every registered store wrap anew what it can. The names of those that still need a retired key.
    @discardableResult
    package func rewrapRegistered() -> [String] {
        let present = rewrappers.withLock { $0.compactMap(\.value) }
        // A store that fails goes on when it is next opened; until then its retired keys stay.
        return present.filter { (try? $0.rewrapRetiredKeys(self)) ?? true }.map(\.name)
    }

    /// Whether the keybag holds retired keys.
    package var hasRetiredKeys: Bool {
        get throws(DataProtectionError) { try door { try view().file.slots.contains { $0.isRetired } } }
    }

    /// Removes all retired keys: what is still wrapped under one is lost. Only for an explicit command, or for whoever knows that nothing is
    /// left; a registered store that still needs one makes it fail. Needs no passcode.
    ///
    /// Errors: `.notAvailable` (a store still needs one), `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    package func removeRetiredKeys() throws(DataProtectionError) {
        let left = rewrapRegistered()
        guard left.isEmpty else {
            throw DataProtectionError(
                .notAvailable, "retired keys are still needed by: \(left.joined(separator: ", "))")
        }
        try door { try rewrite { file in file.slots.removeAll(where: \.isRetired) } }
    }
}

/// A store that may have gone.
struct WeakRewrapper: Sendable {
    weak var value: (any KeyRewrapper)?
}
