// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases

extension ReadAccess {
    private static let byIdentity = "SELECT \(StoredRow.columns) FROM item WHERE identity = ?"

    /// The row with an identity tag.
    func row(identity: [UInt8]) throws -> StoredRow? {
        var found: StoredRow?
        try rows(Self.byIdentity, arguments: [.blob(identity)]) { row in
            found = try StoredRow(row)
            return false
        }
        if let found, !found.hasIdentity(identity) { throw KeychainError.damagedIndex() }
        return found
    }
}

/// Writes rows: the old state is removed from the sums, and the new one added.
extension WriteAccess {
    func insert(_ columns: SealedColumns, _ secret: SealedSecret?) throws {
        let binding = columns.binding
        try execute(
            """
            INSERT INTO item (id, revision, uuid, version, kind, class, layers, identity, pair, first, second, label, \
            attributes, secret, class_key, wrapped, access_key, password_salt, password_cost) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(columns.filing.number), .integer(columns.filing.revision), .blob(binding.uuid),
                .integer(Int64(binding.version)), .integer(Int64(binding.kind)),
                .integer(Int64(binding.keyClass.code)), .integer(Int64(binding.layers)), .blob(columns.identity),
                columns.tag(.pair), columns.tag(.first), columns.tag(.second), columns.tag(.label),
                .blob(columns.attributes), .optional(secret?.sealed),
            ] + SQLValue.wrapping(secret?.wrapping), expecting: 1
        )
        try enter(columns.place)
    }

    /// Replaces everything but id and UUID.
    func replace(_ row: StoredRow, columns: SealedColumns, secret: SealedSecret?) throws {
        try execute(
            """
            UPDATE item SET revision = ?, class = ?, layers = ?, identity = ?, pair = ?, first = ?, second = ?, label = ?, \
            attributes = ?, secret = ?, past = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [
                .integer(columns.filing.revision), .integer(Int64(columns.binding.keyClass.code)),
                .integer(Int64(columns.binding.layers)), .blob(columns.identity), columns.tag(.pair),
                columns.tag(.first), columns.tag(.second), columns.tag(.label), .blob(columns.attributes),
                .optional(secret?.sealed), .optional(secret?.sealedPast),
            ] + SQLValue.wrapping(secret?.wrapping) + [.integer(row.id)], expecting: 1
        )
        try move(row.place, columns.place)
    }

    /// Replaces the secret and the attributes if the index entries don't change. SQLite would rewrite each entry, with
    /// its whole page.
    /// For rows whose key only the class key wraps, before and after.
    func replaceContent(
        _ row: StoredRow, binding: RowBinding, attributes: [UInt8], secret: SealedSecret, revision: Int64
    ) throws {
        try execute(
            """
            UPDATE item SET revision = ?, class = ?, layers = ?, attributes = ?, class_key = ?, wrapped = ?, secret = ?, \
            past = ? WHERE id = ?
            """,
            [
                .integer(revision), .integer(Int64(binding.keyClass.code)), .integer(Int64(binding.layers)),
                .blob(attributes), .bits(secret.wrapping.classKeyID.value), .blob(secret.wrapping.wrapped),
                .blob(secret.sealed), .optional(secret.sealedPast), .integer(row.id),
            ], expecting: 1
        )
        try move(
            row.place, RowVersion(number: row.id, uuid: binding.uuid, kind: binding.kind, revision: revision))
    }

    /// Replaces everything that follows from the attributes; the secret and its key are unchanged.
    /// `from`: the place by which the row was counted, if its columns differ from that.
    func replaceAttributes(_ row: StoredRow, _ columns: SealedColumns, from counted: RowVersion? = nil) throws {
        try execute(
            """
            UPDATE item SET id = ?, revision = ?, class = ?, layers = ?, identity = ?, pair = ?, first = ?, second = ?, \
            label = ?, attributes = ? WHERE id = ?
            """,
            [
                .integer(columns.filing.number), .integer(columns.filing.revision),
                .integer(Int64(columns.binding.keyClass.code)), .integer(Int64(columns.binding.layers)),
                .blob(columns.identity), columns.tag(.pair), columns.tag(.first), columns.tag(.second),
                columns.tag(.label), .blob(columns.attributes), .integer(row.id),
            ], expecting: 1
        )
        try move(counted ?? row.place, columns.place)
    }

    /// Replaces the wrapping of the row key, and the attributes, which are bound to it.
    func rewrap(_ row: StoredRow, columns: SealedColumns, wrapping: RowKeyWrapping) throws {
        try execute(
            """
            UPDATE item SET revision = ?, attributes = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [.integer(columns.filing.revision), .blob(columns.attributes)] + SQLValue.wrapping(wrapping)
                + [.integer(row.id)], expecting: 1
        )
        try move(row.place, columns.place)
    }

    /// A deletion counts as a write too, so that an older file has a smaller number of writes.
    func delete(_ row: StoredRow) throws {
        _ = try nextRevision()
        try execute("DELETE FROM item WHERE id = ?", [.integer(row.id)], expecting: 1)
        try leave(row.place)
        purgeAfterCommit()
    }

    private func move(_ old: RowVersion, _ new: RowVersion) throws {
        try leave(old)
        try enter(new)
    }
}

extension SQLValue {
    /// The columns from `class_key` to `password_cost`.
    fileprivate static func wrapping(_ wrapping: RowKeyWrapping?) -> [SQLValue] {
        guard let wrapping else { return [.null, .null, .null, .null, .null] }
        let salt = wrapping.passwordSalt
        let cost = wrapping.passwordCost
        return [
            .bits(wrapping.classKeyID.value), .blob(wrapping.wrapped),
            wrapping.accessKeyID.map { .bits($0.value) } ?? .null, salt.isEmpty ? .null : .blob(salt),
            cost.isEmpty ? .null : .blob(cost),
        ]
    }
}
