// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// The pairs of certificate and private key: `pkhh` of the certificate is `klbl` of the key. Both are in groups
    /// that the program may see.
    /// Errors: as `items(matching:withSecret:)`.
    func identities(
        matching query: ItemQuery, withSecret: Bool, _ prompt: PersonPrompt
    ) throws(KeychainError) -> [ItemRecord] {
        try KeychainError.mapping {
            let search = try IdentitySearch(query, self)
            let rowKeys = rowKeys(prompt)
            let found = try rowKeys.asking {
                let keys = try database.metadataKeys()
                try refuseBeforeFirstUnlock(search.certificate, keys)
                try refuseBeforeFirstUnlock(search.keys, keys)
                var found = Findings(limit: query.limit)
                try database.readOnce { access in
                    try forEachIdentity(search, keys: keys, access: access, withSecret: withSecret, found: &found) {
                        pair, found in
                        var key: TPMKey?
                        if let prompt = query.tpmPrompt, pair.key.attributes.isInTPM {
                            key = try closedKey(pair.key, isUsed: withSecret, prompt)
                        }
                        if query.guardsAttributes, !withSecret { try pair.requirePerson(rowKeys, closed: key != nil) }
                        found.items.append(try pair.item(withSecret: withSecret, closed: key, rowKeys))
                    }
                }
                if found.items.isEmpty {
                    let error = try nothingFound(search.certificate, keys: keys, found: found)
                    throw error.code == .itemNotFound ? try nothingFound(search.keys, keys: keys, found: found) : error
                }
                return found
            }
            observers.tell(found.damaged.map { .damaged($0) })
            rewrapGuarded(rowKeys)
            if withSecret { try note(found.items, source: query.source) }
            return withSecret ? found.items.map(fromHere) : found.items
        }
    }

    /// Deletes the certificates of all matching identities, and the private keys that no other certificate needs.
    func deleteIdentities(matching query: ItemQuery) throws(KeychainError) -> Int {
        var query = query
        query.limit = nil
        let all = query
        return try KeychainError.mapping {
            let search = try IdentitySearch(all, self)
            let keys = try database.metadataKeys()
            let references = try write { access in
                try refuseBeforeFirstUnlock(search.certificate, keys: keys, access: access.reading)
                try refuseBeforeFirstUnlock(search.keys, keys: keys, access: access.reading)
                let pairs = try identities(search, keys: keys, access: access)
                for row in unique(pairs.map(\.certificate)) {
                    try ClearedScope.run { try remove(row, keys: keys, access: access) }
                }
                var removed = unique(pairs.map(\.certificate))
                for row in unique(pairs.map(\.key)) where try !hasCertificate(row, keys: keys, access: access.reading) {
                    try ClearedScope.run { try remove(row, keys: keys, access: access) }
                    removed.append(row)
                }
                return (pairs.count, removed.map(\.reference))
            }
            observers.tell(references.1.map { .deleted($0) })
            return references.0
        }
    }

    private func identities(
        _ search: IdentitySearch, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws -> [IdentityPair] {
        var found = Findings(limit: nil)
        var pairs: [IdentityPair] = []
        try forEachIdentity(search, keys: keys, access: access.reading, withSecret: false, found: &found) { pair, _ in
            pairs.append(pair)
        }
        guard pairs.isEmpty else { return pairs }
        throw found.failure ?? KeychainError(.itemNotFound, "there is no such identity")
    }

    private func forEachIdentity(
        _ search: IdentitySearch, keys: borrowing MetadataKeys, access: ReadAccess, withSecret: Bool,
        found: inout Findings, _ body: (IdentityPair, inout Findings) throws -> Void
    ) throws {
        let byCertificate = search.beginsWithCertificates
        let outer = byCertificate ? search.certificate : search.keys
        try find(outer, keys: keys, access: access, withSecret: withSecret, found: &found) { one, oneSealed, found in
            guard let inner = byCertificate ? try search.keys(of: one, self) : try search.certificates(of: one, self)
            else { return }
            try find(inner, keys: keys, access: access, withSecret: withSecret, inside: true, found: &found) {
                other, otherSealed, found in
                let pair =
                    byCertificate
                    ? IdentityPair(one, sealedCertificate: oneSealed, key: other, sealedKey: otherSealed)
                    : IdentityPair(other, sealedCertificate: otherSealed, key: one, sealedKey: oneSealed)
                try body(pair, &found)
            }
        }
    }

    /// Whether there is a certificate of this private key, in any group: other programs may need the key.
    private func hasCertificate(
        _ key: OpenRow, keys: borrowing MetadataKeys, access: ReadAccess
    ) throws -> Bool {
        var query = ItemQuery(.certificate)
        query.synchronizable = .any
        query.attributes[.publicKeyHash] = key.attributes[.applicationLabel]
        var found = Findings(limit: nil)
        var isThere = false
        try find(try Search(query, self), keys: keys, access: access, withSecret: false, found: &found) { _, _, _ in
            isThere = true
        }
        return isThere
    }

    private func unique(_ rows: [OpenRow]) -> [OpenRow] {
        var seen: Set<Int64> = []
        return rows.filter { seen.insert($0.stored.id).inserted }
    }
}

/// The rows of a certificate and its private key.
private struct IdentityPair {
    let certificate: OpenRow
    let key: OpenRow
    private let sealedCertificate: [UInt8]?
    private let sealedKey: [UInt8]?

    init(_ certificate: OpenRow, sealedCertificate: [UInt8]?, key: OpenRow, sealedKey: [UInt8]?) {
        self.certificate = certificate
        self.sealedCertificate = sealedCertificate
        self.key = key
        self.sealedKey = sealedKey
    }

    /// `closed`: whether the key remains closed.
    func requirePerson(_ rowKeys: RowKeys, closed: Bool) throws {
        try certificate.requirePerson(rowKeys)
        if !closed { try key.requirePerson(rowKeys) }
    }

    func item(withSecret: Bool, closed tpmKey: TPMKey?, _ rowKeys: RowKeys) throws -> ItemRecord {
        var item = ItemRecord(
            .identity, Attributes(certificate: certificate.attributes, key: key.attributes),
            certificate.reference.ofClass(.identity),
            secret: withSecret && tpmKey == nil ? try key.openSecret(sealedKey, rowKeys) : nil,
            hasSecret: key.hasSecret)
        item.tpmKey = tpmKey
        if withSecret { item.certificate = try certificate.openSecret(sealedCertificate, rowKeys) }
        return item
    }
}

extension ItemStore {
    /// Adds several items in one transaction: all, or none. Errors: as `add`.
    package func add(
        together items: [ItemRecord], _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> [ItemRecord] {
        try KeychainError.mapping {
            let prepared = try items.map { try PreparedItem($0, identity, now: now()) }
            let passwords = try newPasswords(prepared, prompt)
            let keys = try database.metadataKeys()
            let new = try zip(prepared, passwords).map { try sealed($0, $1, keys: keys) }
            let written = try write { access in try new.map { try insert($0, keys: keys, access: access) } }
            observers.tell(written.map { .added($0) })
            return zip(prepared, written).map { ItemRecord($0, $1) }
        }
    }

    /// Adds a certificate and its private key in one transaction. One of them may already be stored.
    ///
    /// Errors: as `add`; `.duplicateItem` if both are stored.
    package func addIdentity(
        certificate: ItemRecord, key: ItemRecord, _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> ItemRecord {
        try KeychainError.mapping {
            let prepared = try [certificate, key].map { try PreparedItem($0, identity, now: now()) }
            let passwords = try newPasswords(prepared, prompt)
            let keys = try database.metadataKeys()
            let new = try zip(prepared, passwords).map { try sealed($0, $1, keys: keys) }
            let (certificate, key) = try write { access in
                let certificate = try insertUnlessThere(new[0], keys: keys, access: access)
                let key = try insertUnlessThere(new[1], keys: keys, access: access)
                guard certificate.isNew || key.isNew else {
                    throw KeychainError(.duplicateItem, "the certificate and the key of this identity exist already")
                }
                return (certificate, key)
            }
            observers.tell([certificate, key].filter(\.isNew).map { .added($0.reference) })
            return ItemRecord(
                .identity, Attributes(certificate: prepared[0].attributes, key: prepared[1].attributes),
                certificate.reference.ofClass(.identity), hasSecret: true)
        }
    }

    /// Inserts the item, or returns the reference of the stored one.
    private func insertUnlessThere(
        _ new: Addition, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws -> (reference: PersistentReference, isNew: Bool) {
        do { return (try insert(new, keys: keys, access: access), true) } catch let error as KeychainError {
            guard error.code == .duplicateItem else { throw error }
            for tag in new.identities {
                guard let twin = try access.reading.row(identity: tag) else { continue }
                return (PersistentReference(new.item.itemClass, uuid: twin.uuid), false)
            }
            throw error
        }
    }
}
