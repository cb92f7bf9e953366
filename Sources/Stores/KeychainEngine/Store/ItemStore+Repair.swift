// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

/// The result of a repair.
public struct KeychainRepair: Sendable, Equatable {
    /// The number of removed or changed items.
    public let count: Int
    /// The copy of the whole keychain from before; nil if nothing had to be done, and no copy was made.
    public let copy: String?
}

extension ItemStore {
    /// Removes damaged items, and with `includingDestroyedKeys` items whose key was destroyed. The whole keychain is
    /// copied before.
    /// Errors: `.locked` (before the first unlock no item can be called damaged), `.diskFull`, `.inputOutput`.
    package func removeDamaged(in home: Home, includingDestroyedKeys: Bool) throws(KeychainError) -> KeychainRepair {
        try KeychainError.mapping {
            try repair(in: home) { row, keys, access in
                do {
                    try row.check(keys, keybag)
                    return false
                } catch is MisfiledRow {
                    return false
                } catch {
                    let code = KeychainError(error).code
                    guard code == .damaged || (includingDestroyedKeys && code == .keyDestroyed) else { return false }
                }
                try access?.delete(row.stored)
                return true
            }
        }
    }

    /// Restores every item's own index entries, and SQLite's indexes, after copying the whole keychain.
    /// Errors: `.locked` (before the first unlock), `.duplicateItem` (two items of one identity, which the message
    /// names: delete one), `.diskFull`, `.inputOutput`.
    package func rebuildIndex(in home: Home) throws(KeychainError) -> KeychainRepair {
        try KeychainError.mapping {
            try repair(in: home, isDamaged: try !database.structuralDamage().isEmpty) { row, keys, access in
                guard let open = try? OpenRow(row.stored, keys, takingMisfiled: true),
                    try open.filing != row.stored.filing || !row.hasRightTags(open, keys)
                else { return false }
                guard let access else { return true }
                // Back to its own number, unless another row has that now.
                let isFree =
                    try access.reading.integer("SELECT 1 FROM item WHERE id = ?", [.integer(open.filing.number)]) == nil
                let tags = try RowTags(open.itemClass, attributes: open.attributes, keys: keys, in: open.binding.domain)
                let counted = RowVersion(
                    number: open.filing.number, uuid: row.stored.uuid, kind: open.binding.kind,
                    revision: open.filing.revision)
                do {
                    try access.replaceAttributes(
                        row.stored, by: SealedItem(open, tags: tags), keys,
                        number: isFree ? open.filing.number : row.stored.id, from: counted)
                } catch is ConstraintViolation {
                    throw try access.reading.twin(of: row, tags.identity)
                }
                return true
            }
        }
    }

    /// Truncates the log, so that deleted items are in no file any more. Returns false if other processes are reading.
    package func purge() throws(KeychainError) -> Bool { try KeychainError.mapping { try database.purge() } }

    /// Checks first, without changes: if nothing has to be done, no copy is made.
    /// `step` returns whether a row needs the repair, and repairs it if there is a transaction.
    ///
    /// - Parameter isDamaged: Whether SQLite's indexes are built anew even if no row needs the repair.
    private func repair(
        in home: Home, isDamaged: Bool = false,
        _ step: (ExaminedRow, borrowing MetadataKeys, WriteAccess?) throws -> Bool
    ) throws -> KeychainRepair {
        let keys = try database.metadataKeys()
        guard keys.isComplete else { throw lockedBeforeFirstUnlock }
        var affected: [Int64] = []
        try forEachRow { rows in
            for row in rows where try step(row, keys, nil) { affected.append(row.stored.id) }
            return true
        }
        guard isDamaged || !affected.isEmpty else { return KeychainRepair(count: 0, copy: nil) }
        let copy = Home.copyName(of: database.kind.fileName, at: Int64(now() + 978_307_200))
        do {
            try database.copy(to: copy, in: home)
            let count = try write { access in
                // A damaged row lacks the index entries that SQLite looks for when it deletes or changes the row.
                do { try access.execute("REINDEX item") } catch is ConstraintViolation {
                    throw try access.reading.twins()
                }
                return try affected.filter { id in
                    guard let row = try access.reading.examinedRow(id) else { return false }
                    return try ClearedScope.run { try step(row, keys, access) }
                }.count
            }
            observers.tell([.elsewhere])
            return KeychainRepair(count: count, copy: home.path(of: copy))
        } catch {
            // Nothing was changed, so the copy is of no use.
            try? home.removeFile(copy)
            throw error
        }
    }
}

extension ReadAccess {
    /// Why a row can't get its own index entries: an item that was added while they were wrong has them.
    fileprivate func twin(of row: ExaminedRow, _ identity: [UInt8]) throws -> KeychainError {
        var found: ExaminedRow?
        try rows("SELECT \(StoredRow.allColumns) FROM item WHERE identity = ?", arguments: [.blob(identity)]) {
            row in
            found = try ExaminedRow(row)
            return false
        }
        let (filed, misfiled) = (found?.reference?.digits ?? "unknown", row.reference?.digits ?? "unknown")
        return KeychainError(
            .duplicateItem,
            "two items have the same primary attributes: \(misfiled), whose index entries are wrong, and \(filed), which was added since; nothing was changed; "
                + "look at both and delete one, for example: zamok keychain delete --reference \(filed), then run: zamok doctor --rebuild-index"
        )
    }

    /// Two items of one identity or UUID, which SQLite's indexes can't both have.
    fileprivate func twins() throws -> KeychainError {
        for column in ["identity", "uuid"] {
            var found: [String] = []
            try rows(
                """
                SELECT \(StoredRow.allColumns) FROM item NOT INDEXED WHERE \(column) = (SELECT \(column) FROM item \
                NOT INDEXED GROUP BY +\(column) HAVING count(*) > 1 LIMIT 1)
                """
            ) { row in
                found.append(try ExaminedRow(row).reference?.digits ?? "unknown")
                return found.count < 2
            }
            guard found.count == 2 else { continue }
            return KeychainError(
                .duplicateItem,
                "two items can't be told apart: \(found[0]) and \(found[1]); nothing was changed; put the keychain back from a backup, or delete one: zamok keychain delete --reference \(found[1])"
            )
        }
        return KeychainError(.damaged, "the index can't be built anew; put the keychain back from a backup")
    }

    fileprivate func examinedRow(_ id: Int64) throws -> ExaminedRow? {
        var found: ExaminedRow?
        try rows(
            "SELECT \(StoredRow.allColumns) FROM item WHERE id = ?", arguments: [.integer(id)]
        ) { row in
            found = try ExaminedRow(row)
            return false
        }
        return found
    }
}
