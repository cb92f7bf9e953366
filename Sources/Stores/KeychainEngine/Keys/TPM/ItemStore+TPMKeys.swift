// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// The key of an item. The secret is opened at each use: while its class is unlocked and, if the item requires it,
    /// after the user answered.
    /// `prompt`: how the user is prompted, made for each use.
    package func tpmKey(
        _ reference: PersistentReference, _ attributes: Attributes, _ prompt: @escaping @Sendable () -> PersonPrompt
    ) throws(KeychainError) -> TPMKey {
        guard case .data(let point) = attributes[.tokenObject], let publicKey = try? TPMKey.publicKey(point) else {
            throw KeychainError.damagedItem()
        }
        var query = ItemQuery(.key)
        query.persistentReference = reference
        let wanted = query
        return TPMKey(publicKey) {
            guard let secret = try self.items(matching: wanted, withSecret: true, prompt()).first?.secret else {
                throw KeychainError.damagedItem()
            }
            return try TPMPrivateKey(secret, self.keybag.tpmEnvironment).checked(point)
        }
    }

    /// The result of a search for a key in a TPM. The user is not prompted, but if `isUsed` the class must be unlocked.
    /// Errors: locked, key destroyed, damaged.
    func closedKey(
        _ row: OpenRow, isUsed: Bool, _ prompt: @escaping @Sendable () -> PersonPrompt
    ) throws -> TPMKey {
        if isUsed {
            guard let wrapping = row.stored.wrapping else { throw KeychainError.damagedItem() }
            _ = try keybag.unwrap(
                WrappedKey(
                    keyClass: row.binding.keyClass, classKeyID: wrapping.classKeyID, bytes: wrapping.wrapped))
        }
        return try tpmKey(row.reference, row.attributes, prompt)
    }

    /// A key in a TPM that is stored in no database. The data that the TPM needs is in this process, sealed like an
    /// item's secret.
    /// So locking and access control apply to it.
    ///
    /// Errors: `.locked`, `.notAvailable` (no passcode), `.parameter`.
    package func hold(
        _ item: ItemRecord, _ prompt: @escaping @Sendable () -> PersonPrompt
    ) throws(KeychainError) -> TPMKey {
        try KeychainError.mapping {
            let item = try PreparedItem(item, identity, now: now())
            guard let secret = item.secret, case .data(let point) = item.attributes[.tokenObject] else {
                throw KeychainError.damagedItem()
            }
            let asking = rowKeys(prompt())
            asking.begin(item.attributes)
            let (kept, password) = (try RowBinding(item), try asking.newPasswordLayer(item.layers))
            let sealed = try ClearedScope.run {
                try SealedSecret(
                    secret, binding: kept, attributes: item.attributes, keybag: keybag, password: password)
            }
            return TPMKey(try TPMKey.publicKey(point)) {
                let rowKeys = self.rowKeys(prompt())
                rowKeys.begin(item.attributes)
                return try KeychainError.mapping {
                    try rowKeys.asking {
                        try ClearedScope.run {
                            let rowKey = try rowKeys.open(sealed.wrapping, kept)
                            let secret = try SealedRow.openSecret(
                                sealed.sealed, kept, bound: SecretBinding.bytes(of: item.attributes), under: rowKey)
                            return try TPMPrivateKey(Secret(secret), self.keybag.tpmEnvironment).checked(point)
                        }
                    }
                }
            }
        }
    }
}

extension TPMPrivateKey {
    /// Errors: damaged if it belongs to another public key.
    fileprivate func checked(_ point: [UInt8]) throws(KeychainError) -> TPMPrivateKey {
        guard self.point == point else { throw KeychainError.damagedItem() }
        return self
    }
}
