// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory

extension ItemStore: KeyRewrapper {
    package var name: String { "keychain" }
    package var fileInHome: String { KeychainSchema.database.fileName }

    /// Runs in a write transaction, so after every earlier writer. It therefore sees everything that was wrapped under
    /// a key before that key was retired.
    package func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        try write { access in
            Set(try retiredKeys(access.reading)).union(try access.sentinelsInUse().filter { keybag.isRetired($0) })
        }
    }

    /// Rewraps row keys that are under retired class keys, some rows per transaction, as far as the lock state allows.
    /// The secrets are not touched.
    /// Returns true if some are left, because their class is locked or their row is damaged.
    package func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        if try database.isRewrapped() { return false }
        let keys = try database.metadataKeys()
        let retired = try database.readOnce { try retiredKeys($0) }
        var position: Int64 = 0
        var isLeft = false
        while let step = try write({ access in
            try rewrapSome("class_key", retired: retired, after: position, access: access) {
                try rewrap($0, keys: keys, access: access)
            }
        }) {
            position = step.last
            isLeft = isLeft || step.isLeft
        }
        // Only a transaction that sees every row may conclude that there are no more.
        return try write { access in
            let retired = try retiredKeys(access.reading)
            if retired.isEmpty, !access.noteNoRetiredKey() { return true }
            return isLeft || !retired.isEmpty
        }
    }

    /// Rows per transaction: few enough that other writers hardly wait.
    private static let mostRows = 200

    private struct Step {
        var last: Int64
        var isLeft: Bool
    }

    private func rewrapSome(
        _ column: String, retired: [ClassKeyID], after id: Int64, access: WriteAccess,
        _ rewrap: (StoredRow) throws -> Bool
    ) throws -> Step? {
        guard !retired.isEmpty else { return nil }
        let places = repeatElement("?", count: retired.count).joined(separator: ", ")
        var rows: [StoredRow] = []
        try access.reading.rows(
            "SELECT \(StoredRow.columns) FROM item WHERE id > ? AND \(column) IN (\(places)) ORDER BY id LIMIT ?",
            arguments: [.integer(id)] + retired.map { .bits($0.value) } + [.integer(Int64(Self.mostRows))]
        ) { row in
            rows.append(try StoredRow(row))
            return true
        }
        guard let last = rows.last?.id else { return nil }
        let done = try ClearedScope.run { try rows.filter(rewrap).count }
        if done > 0 { access.purgeAfterCommit() }
        return Step(last: last, isLeft: done < rows.count)
    }

    private func rewrap(_ stored: StoredRow, keys: borrowing MetadataKeys, access: WriteAccess) throws -> Bool {
        try asFarAsPossible {
            let row = try OpenRow(stored, keys)
            guard var wrapping = stored.wrapping else { return true }
            let old = WrappedKey(
                keyClass: row.binding.keyClass, classKeyID: wrapping.classKeyID, bytes: wrapping.wrapped
            )
            let new = try keybag.wrap(try keybag.unwrap(old), for: row.binding.keyClass)
            wrapping.classKeyID = new.classKeyID
            wrapping.wrapped = new.bytes
            try access.rewrap(stored, by: SealedItem(row, wrapping: wrapping), keys)
            return true
        }
    }

    private func retiredKeys(_ access: ReadAccess) throws -> [ClassKeyID] {
        try keysInUse("class_key", access).filter { keybag.isRetired($0) }
            + retiredAccessControlKeys(access)
    }

    private func retiredAccessControlKeys(_ access: ReadAccess) throws -> [ClassKeyID] {
        try keysInUse("access_key", access).filter { keybag.isRetiredAccessControlKey($0) }
    }

    private func keysInUse(_ column: String, _ access: ReadAccess) throws -> [ClassKeyID] {
        var found: [ClassKeyID] = []
        try access.rows("SELECT DISTINCT \(column) FROM item WHERE \(column) IS NOT NULL") { row in
            found.append(ClassKeyID(UInt64(bitPattern: row.integer(0))))
            return true
        }
        return found
    }

    // MARK: Access control

    /// Seals row keys that are under a retired access-control pair to the current one. That is possible only now that
    /// the user gave the passcode.
    /// Locked items wait for the next time.
    func rewrapGuarded(_ rowKeys: RowKeys) {
        // Remaining items are done the next time the user answers.
        if let key = rowKeys.accessControlKey { try? rewrapGuarded(key) }
    }

    private func rewrapGuarded(_ key: AccessControlKey) throws {
        guard try keybag.hasRetiredKeys else { return }
        let retired = try database.readOnce { try retiredAccessControlKeys($0) }
        guard !retired.isEmpty else { return }
        let keys = try database.metadataKeys()
        var position: Int64 = 0
        while let step = try write({ access in
            try rewrapSome("access_key", retired: retired, after: position, access: access) {
                try rewrap($0, key: key, keys: keys, access: access)
            }
        }) {
            position = step.last
        }
    }

    private func rewrap(
        _ stored: StoredRow, key: AccessControlKey, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws -> Bool {
        try asFarAsPossible {
            let row = try OpenRow(stored, keys)
            guard var wrapping = stored.wrapping, let id = wrapping.accessKeyID else { return true }
            let old = WrappedKey(
                keyClass: row.binding.keyClass, classKeyID: wrapping.classKeyID, bytes: wrapping.wrapped
            )
            let seal = AccessControlSeal(identifier: id, bytes: try keybag.unwrap(old).ciphertext())
            let inner = try key.open(seal, context: row.binding.uuid)
            let sealed = try keybag.sealForAccessControl(inner, context: row.binding.uuid)
            let new = try keybag.wrap(try SecretBytes(copying: sealed.bytes), for: row.binding.keyClass)
            wrapping.accessKeyID = sealed.identifier
            wrapping.classKeyID = new.classKeyID
            wrapping.wrapped = new.bytes
            try access.rewrap(stored, by: SealedItem(row, wrapping: wrapping), keys)
            return true
        }
    }

    /// Returns false if the row remains under the retired key.
    private func asFarAsPossible(_ body: () throws -> Bool) throws -> Bool {
        do {
            return try body()
        } catch {
            // The database's own errors are thrown as they are: what they mean is known where the transaction ends.
            let known = KeychainError(error)
            guard known.costsOneRow || known.code == .locked || known.code == .notAvailable else { throw error }
            return false
        }
    }

    /// Rewraps what the last opener or a change of the passcode left under retired keys. If something prevents that
    /// now, the next opener continues.
    func rewrapWhenOpened() {
        // This also removes keys that no other store needs.
        keybag.settleIfAllStoresAreOpen(orHasToRewrap: try !database.isRewrapped())
    }
}
