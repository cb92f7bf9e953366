// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

extension Keybag {
    /// The folder of the home, for messages.
    package var folderPath: String { place.folder.path }

    /// A command of the program that acts on this home, `unlock` for example, for messages. In a home with users it
    /// names the user.
    package func command(_ name: String, _ options: String = "") -> String { place.folder.command(name, options) }

    /// The error for state that is unreadable before the first unlock or after `lock --completely`.
    package var lockedBeforeFirstUnlock: DataProtectionError {
        DataProtectionError(
            .locked, "locked as before the first unlock, so what is there can't be seen; run: \(command("unlock"))")
    }

    /// The error if no passcode is set that could be checked.
    package func noPasscode(_ why: String = "no passcode is set") -> DataProtectionError {
        DataProtectionError(.noPasscode, "\(why); run: \(command("passcode set"))")
    }

    package var passcodeExists: DataProtectionError {
        DataProtectionError(.passcodeExists, "a passcode is set already; run: \(command("passcode change"))")
    }

    /// The command that accepts this home as it is, for messages.
    package var acceptCommand: String { place.folder.acceptCommand }

    /// Identifies the home for its whole life. 16 bytes.
    package var homeIdentifier: [UInt8] { home.bytes }

    /// Raised by every change of the keybag. Read from the mapped page, without a system call.
    package var generation: UInt64 { process.page.keybagGeneration }

    /// How many writes a store of this home has counted. Read from the mapped page, without a system call.
    package func changeCount(_ counter: ChangeCounter) -> UInt64 { process.page.changeCount(counter) }

    /// Signals to all processes that a store of this home was written. Called after the commit.
    package func countChange(_ counter: ChangeCounter) { process.page.countChange(counter) }

    /// Wraps a store's key under the current key of a class.
    /// Errors: `.locked`, `.noPasscode` (`whenPasscodeSet` without a passcode), `.invalidArgument`
    /// (`completeUnlessOpen`, which wraps with `sealForCompleteUnlessOpen`), `.damaged`, `.forked`.
    package func wrap(_ key: borrowing SecretBytes, for keyClass: KeyClass) throws(DataProtectionError) -> WrappedKey {
        try mapping {
            let view = try view()
            guard let slot = view.file.current(.classKey, keyClass) else { throw noSuchClass(keyClass) }
            guard let group = try group(slot.role ?? .complete, view), let wrapping = try group.key(.classKey, slot.id)
            else {
                throw locked(keyClass, view)
            }
            return WrappedKey(keyClass: keyClass, classKeyID: slot.id, bytes: try KeyWrap.wrap(key, under: wrapping))
        }
    }

    /// Unwraps a store's key. Errors: `.locked`, `.keyDestroyed` (id unknown), `.damaged` (does not open), `.forked`.
    package func unwrap(_ wrapped: WrappedKey) throws(DataProtectionError) -> SecretBytes {
        try mapping {
            let view = try view()
            guard let slot = view.file.slot(.classKey, wrapped.classKeyID), slot.keyClass == wrapped.keyClass else {
                throw DataProtectionError(.keyDestroyed, "the class key that this was protected with was destroyed")
            }
            guard let group = try group(slot.role ?? .complete, view), let wrapping = try group.key(.classKey, slot.id)
            else {
                throw locked(wrapped.keyClass, view)
            }
            do {
                return try KeyWrap.unwrap(wrapped.bytes, under: wrapping)
            } catch is SealingError {
                throw DataProtectionError(.damaged, "a protected key is damaged")
            }
        }
    }

    /// Lends the metadata key of a domain, for deriving blind indexes and row keys. Errors: `.locked` before the
    /// first unlock, `.forked`.
    package func withMetadataKey<R: ~Copyable>(
        _ domain: MetadataDomain, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R {
        let key = try mapping { try metadataKey(domain) }
        return try key.withKey(body)
    }

    func metadataKey(_ domain: MetadataDomain) throws -> MetadataKey {
        let view = try view()
        guard let id = view.metadataKey(domain) else { throw KeybagFault.malformed }
        guard let group = try group(domain == .none ? .device : .firstUnlock, view),
            let key = try MetadataKey(group, id)
        else {
            throw locked(KeyClass(domain == .none ? .none : .completeUntilFirstUserAuthentication), view)
        }
        return key
    }

    /// Whether a wrapped key should be rewrapped, since its class key is retired. False for an unknown one.
    package func isRetired(_ id: ClassKeyID) -> Bool {
        guard let view = try? view() else { return false }
        return view.file.slot(.classKey, id)?.isRetired ?? view.file.slot(.classKeyPair, id)?.isRetired ?? false
    }

    private func noSuchClass(_ keyClass: KeyClass) -> DataProtectionError {
        keyClass.protection == .whenPasscodeSet
            ? noPasscode("this protection class needs a passcode")
            : DataProtectionError(.invalidArgument, "the class \(keyClass.protection) does not wrap keys this way")
    }

    private func locked(_ keyClass: KeyClass, _ view: KeybagView) -> DataProtectionError {
        DataProtectionError(
            .locked, "locked: the class \(keyClass.protection) is usable after an unlock; run: \(command("unlock"))")
    }
}

extension Keybag {
    /// The metadata key of a domain, for one operation. Errors: as `withMetadataKey`.
    package func metadataKey(of domain: MetadataDomain) throws(DataProtectionError) -> MetadataKey {
        try mapping { try metadataKey(domain) }
    }

    /// The generation of the keybag that was read and verified. The page may be ahead of it while another process
    /// writes, and that write may never complete. So only the settled generation may be remembered. Waits for such a
    /// writer, so call it outside a transaction.
    package func settledGeneration() throws(DataProtectionError) -> UInt64 {
        try mapping { try view().file.generation }
    }
}

/// Distinguishes a key of the keybag from every other one, and reveals nothing of it. A store keeps it as its sentinel
/// (Documentation/Formats/Keychain.md, "Sentinels"). A key that a holder hands out was compared with it.
package struct KeyMark: Equatable, Sendable {
    /// A group of keys that are available and destroyed together.
    package enum Role: UInt8, Sendable {
        case complete = 1
        case firstUnlock = 2
    }

    package let id: ClassKeyID
    package let role: Role
    package let isRetired: Bool
    package let value: [UInt8]
}

/// Identifies the set of all current keys of a keybag.
package struct KeysName: Equatable, Sendable {
    fileprivate let code: UniqueIdentifier
}

extension Keybag {
    /// Changes whenever a current key changes. Reads the keybag file only if the keybag has changed.
    package var keysName: KeysName? {
        get throws(DataProtectionError) { try mapping { try view().file.slotsCode.map { KeysName(code: $0) } } }
    }

    /// The marks of all class keys and metadata keys that a lock or leaving the user destroys, including retired ones.
    package func marks() throws(DataProtectionError) -> [KeyMark] {
        try mapping {
            try view().file.slots.compactMap { slot in
                guard slot.kind == .classKey || slot.kind == .metadataKey,
                    let role = slot.role.flatMap({ KeyMark.Role(rawValue: $0.rawValue) })
                else { return nil }
                return KeyMark(id: slot.id, role: role, isRetired: slot.isRetired, value: slot.check)
            }
        }
    }

    /// Whether the keys of a role are usable now.
    package func isOpen(_ role: KeyMark.Role) throws(DataProtectionError) -> Bool {
        try mapping { try KeyGroup.Role(rawValue: role.rawValue).map { try group($0, try view()) != nil } ?? false }
    }
}
