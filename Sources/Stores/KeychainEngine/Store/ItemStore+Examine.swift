// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

extension ItemStore {
    /// Opens every row and checks that everything is consistent. Changes nothing. Errors:
    /// `.inputOutput`, `.notAvailable`.
    package func examine() throws(KeychainError) -> [KeychainFinding] {
        try KeychainError.mapping {
            var findings = try database.structuralDamage().map {
                KeychainFinding(
                    .damagedFile, severity: .damage,
                    message:
                        "the structure of \(database.kind.shown) is damaged: \($0); to build its indexes anew, a copy is kept: zamok doctor --rebuild-index; if that doesn't help, put it back from a backup, with all files of its name"
                )
            }
            if let finding = try database.examineRows() {
                findings.append(KeychainFinding(finding, database.kind))
            }
            if try database.isPurgeDue() {
                findings.append(
                    KeychainFinding(
                        .purgeDue, severity: .note,
                        message: "deleted items are still in the log; no other process may be reading")
                )
            }
            let keys = try database.metadataKeys()
            var census = Census()
            try forEachRow { rows in
                for row in rows { findings += examine(row, keys: keys, census: &census) }
                return true
            }
            return findings + census.findings
        }
    }

    /// The number of items that are lost with the passcode: those of class whenPasscodeSet, and those whose secret
    /// requires it each time. Needs no key.
    /// Errors: `.inputOutput`, `.notAvailable`.
    package func countBoundToPasscode() throws(KeychainError) -> Int {
        try KeychainError.mapping {
            try database.read { access in
                Int(
                    try access.integer(
                        "SELECT count(*) FROM item WHERE access_key IS NOT NULL OR class = \(KeyClass(.whenPasscodeSet).code)"
                    ) ?? 0)
            }
        }
    }

    /// The problems of the stored items, in words; empty if there are none. Tests call it after each step.
    package func checkInvariants() throws -> [String] {
        try examine().filter { $0.severity != .note }.map { "\($0.kind.word): \($0.message)" }
    }

    /// Counts of rows that are reported together.
    private struct Census {
        var locked = 0
        var retired = 0
        /// Items whose secrets were not opened, because examining never prompts.
        var guarded = 0

        var findings: [KeychainFinding] {
            var found: [KeychainFinding] = []
            if locked > 0 {
                let message = "\(locked) items are locked and were not examined whole; unlock and examine again"
                found.append(KeychainFinding(.notExamined, severity: .note, message: message, count: locked))
            }
            if retired > 0 {
                let message = "\(retired) items are under retired class keys; unlock, then use the keychain once"
                found.append(KeychainFinding(.retiredKey, severity: .note, message: message, count: retired))
            }
            if guarded > 0 {
                let message = "\(guarded) items ask for the person each time; their secrets were not opened"
                found.append(KeychainFinding(.asksForPerson, severity: .note, message: message, count: guarded))
            }
            return found
        }
    }

    /// All rows in the order of their ids, in batches, each in its own snapshot.
    func forEachRow(_ body: ([ExaminedRow]) throws -> Bool) throws {
        var position: Int64 = 0
        while true {
            var rows: [ExaminedRow] = []
            try database.readOnce { access in
                try access.rows(
                    "SELECT \(StoredRow.allColumns) FROM item WHERE id > ? ORDER BY id LIMIT 64",
                    arguments: [.integer(position)]
                ) { row in
                    rows.append(try ExaminedRow(row))
                    return true
                }
            }
            guard let last = rows.last?.stored.id, try ClearedScope.run({ try body(rows) }) else { return }
            position = last
        }
    }

    private func examine(
        _ row: ExaminedRow, keys: borrowing MetadataKeys, census: inout Census
    ) -> [KeychainFinding] {
        if let id = row.stored.wrapping?.classKeyID, keybag.isRetired(id) { census.retired += 1 }
        do {
            if try !row.check(keys, keybag) { census.guarded += 1 }
            guard try row.hasRightPast(keys, keybag) else {
                return [
                    KeychainFinding(
                        .damagedPast, severity: .warning,
                        message:
                            "the former secrets of an item are damaged, its secret is not; remove them: zamok keychain history --purge",
                        reference: row.reference)
                ]
            }
            return []
        } catch is MisfiledRow {
            return [
                KeychainFinding(
                    .wrongIndex, severity: .warning, message: "searches may miss an item; rebuild the index",
                    reference: row.reference
                )
            ]
        } catch {
            switch KeychainError(error).code {
            case .locked:
                census.locked += 1
                return []
            case .keyDestroyed:
                return [
                    KeychainFinding(
                        .keyDestroyed, severity: .warning,
                        message: "the key of an item was destroyed; to remove it: zamok doctor --remove-key-destroyed",
                        reference: row.reference)
                ]
            case .badRequest:
                return [
                    KeychainFinding(
                        .wrongIndex, severity: .warning, message: "searches may miss an item; rebuild the index",
                        reference: row.reference
                    )
                ]
            default:
                return [
                    KeychainFinding(
                        .damagedItem, severity: .damage,
                        message:
                            "an item is damaged, the others are not; to remove it, a copy is kept: zamok doctor --remove-damaged",
                        reference: row.reference
                    )
                ]
            }
        }
    }
}

/// A row with its tags, to be compared with the expected ones.
struct ExaminedRow: Sendable {
    let stored: StoredRow
    private let sealedSecret: [UInt8]?
    private let sealedPast: [UInt8]?

    /// A row of `StoredRow.allColumns`.
    init(_ row: SQLRow) throws {
        stored = try StoredRow(row)
        sealedSecret = try StoredRow.sealedSecret(row)
        sealedPast = try StoredRow.sealedPast(row)
    }

    /// Nil if not even the class can be read.
    var reference: PersistentReference? { stored.itemClass.map { PersistentReference($0, uuid: stored.uuid) } }

    /// Throws the first problem; `.badRequest` for tags that don't match the attributes. Returns false if the secret
    /// was not opened because it requires the user.
    @discardableResult
    func check(_ keys: borrowing MetadataKeys, _ keybag: Keybag) throws -> Bool {
        let row = try OpenRow(stored, keys)
        guard try hasRightTags(row, keys) else { throw KeychainError(.badRequest, "wrong index entries") }
        guard row.hasSecret == (sealedSecret != nil) else { throw KeychainError.damagedItem() }
        // An item that requires the user is opened as far as possible without the user.
        return try keybag.withoutAsking { rowKeys in
            do { _ = try row.openSecret(sealedSecret, rowKeys) } catch is PersonNeeded { return false }
            return true
        }
    }

    /// Whether the former secrets are present and open, as far as possible without the user. For an item that
    /// passed `check`.
    func hasRightPast(_ keys: borrowing MetadataKeys, _ keybag: Keybag) throws -> Bool {
        let row = try OpenRow(stored, keys)
        guard row.hasPast, let sealedPast else { return row.hasPast == (sealedPast != nil) }
        return try keybag.withoutAsking { rowKeys in
            do { _ = try row.openPast(sealedPast, rowKeys) } catch is PersonNeeded {} catch let error as KeychainError {
                guard error.code == .damaged else { throw error }
                return false
            }
            return true
        }
    }

    func hasRightTags(_ row: OpenRow, _ keys: borrowing MetadataKeys) throws -> Bool {
        try RowTags(row.itemClass, attributes: row.attributes, keys: keys, in: row.binding.domain).filed
            == stored.filing.tags
    }
}
