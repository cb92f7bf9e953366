// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabase
import SecretMemory

extension ItemStore: KeyRewrapper {
    package var name: String { "keychain" }

    /// Wraps row keys anew that are under retired class keys, some rows per transaction, as far as the lock state
    /// allows. The secrets are not touched. True: some are left, because their class is locked or their row is damaged.
    package func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        if try database.isRewrapped() { return false }
        let keys = try database.metadataKeys()
        let retired = try database.readOnce { try retiredKeys($0) }
        var position: Int64 = 0
        var isLeft = false
        while let step = try write({ try rewrapSome(retired, after: position, keys, $0) }) {
            position = step.last
            isLeft = isLeft || step.isLeft
        }
        // Only a transaction that sees every row may say that there are no more.
        return try write { access in
            let retired = try retiredKeys(access.reading)
            if retired.isEmpty { access.noteNoRetiredKey() }
            return isLeft || !retired.isEmpty
        }
    }

    /// Rows in one transaction: few enough that other writers hardly wait.
    private static let mostRows = 200

    private struct Step {
        var last: Int64
        var isLeft: Bool
    }

    private func rewrapSome(
        _ retired: [ClassKeyID], after id: Int64, _ keys: borrowing MetadataKeys, _ access: WriteAccess
    ) throws -> Step? {
        guard !retired.isEmpty else { return nil }
        let places = repeatElement("?", count: retired.count).joined(separator: ", ")
        var rows: [StoredRow] = []
        try access.reading.rows(
            "SELECT \(StoredRow.columns) FROM item WHERE id > ? AND class_key IN (\(places)) ORDER BY id LIMIT ?",
            [.integer(id)] + retired.map { .bits($0.value) } + [.integer(Int64(Self.mostRows))]
        ) { row in
            rows.append(try StoredRow(row))
            return true
        }
        guard let last = rows.last?.id else { return nil }
        let done = try ClearedScope.run { try rows.filter { try rewrap($0, keys, access) }.count }
        if done > 0 { access.purgeAfterCommit() }
        return Step(last: last, isLeft: done < rows.count)
    }

    /// False: the row stays under the retired key.
    private func rewrap(_ stored: StoredRow, _ keys: borrowing MetadataKeys, _ access: WriteAccess) throws -> Bool {
        do {
            let row = try OpenRow(stored, keys)
            guard var wrapping = stored.wrapping else { return true }
            let old = WrappedKey(
                keyClass: row.binding.keyClass, classKeyID: wrapping.classKeyID, bytes: wrapping.wrapped
            )
            let new = try keybag.wrap(try keybag.unwrap(old), for: row.binding.keyClass)
            wrapping.classKeyID = new.classKeyID
            wrapping.wrapped = new.bytes
            let columns = try SealedColumns(row.itemClass, row.attributes, row.binding, wrapping, keys)
            try access.rewrap(row: stored.id, columns, wrapping)
            return true
        } catch {
            let error = KeychainError(error)
            guard error.costsOneRow || error.code == .locked || error.code == .notAvailable else { throw error }
            return false
        }
    }

    private func retiredKeys(_ access: ReadAccess) throws -> [ClassKeyID] {
        var found: [ClassKeyID] = []
        try access.rows("SELECT DISTINCT class_key FROM item WHERE class_key IS NOT NULL") { row in
            found.append(ClassKeyID(UInt64(bitPattern: row.integer(0))))
            return true
        }
        return found.filter { keybag.isRetired($0) }
    }

    /// What the last opener or a change of the passcode left under retired keys. Whatever keeps it from going through
    /// now, the next one goes on.
    func rewrapWhenOpened() {
        guard (try? keybag.hasRetiredKeys) == true else { return }
        _ = try? rewrapRetiredKeys(keybag)
    }
}
