// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabase

extension ReadAccess {
    /// The row with an identity tag.
    func row(identity: [UInt8]) throws -> StoredRow? {
        var found: StoredRow?
        try rows("SELECT \(StoredRow.columns) FROM item WHERE identity = ?", [.blob(identity)]) { row in
            found = try StoredRow(row)
            return false
        }
        return found
    }
}

extension WriteAccess {
    func insert(_ columns: SealedColumns, _ secret: SealedSecret?) throws {
        let binding = columns.binding
        try execute(
            """
            INSERT INTO item (uuid, version, kind, class, layers, identity, pair, first, second, label, attributes, \
            secret, class_key, wrapped, access_key, password_salt, password_cost) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(binding.uuid), .integer(Int64(binding.version)), .integer(Int64(binding.kind)),
                .integer(Int64(binding.keyClass.code)), .integer(Int64(binding.layers)), .blob(columns.identity),
                columns.tag(.pair), columns.tag(.first), columns.tag(.second), columns.tag(.label),
                .blob(columns.attributes), .optional(secret?.sealed),
            ] + SQLValue.wrapping(secret?.wrapping)
        )
    }

    /// Replaces everything but id and UUID.
    func replace(row: Int64, _ columns: SealedColumns, _ secret: SealedSecret?) throws {
        try execute(
            """
            UPDATE item SET class = ?, layers = ?, identity = ?, pair = ?, first = ?, second = ?, label = ?, \
            attributes = ?, secret = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [
                .integer(Int64(columns.binding.keyClass.code)), .integer(Int64(columns.binding.layers)),
                .blob(columns.identity), columns.tag(.pair), columns.tag(.first), columns.tag(.second),
                columns.tag(.label), .blob(columns.attributes), .optional(secret?.sealed),
            ] + SQLValue.wrapping(secret?.wrapping) + [.integer(row)]
        )
    }

    /// Replaces the secret and the attributes, where the index entries stay as they are: SQLite would write each of
    /// them again, and the whole pages that they lie on. For rows whose key the class key alone wraps, before and after.
    func replaceContent(row: Int64, _ binding: RowBinding, _ attributes: [UInt8], _ secret: SealedSecret) throws {
        try execute(
            "UPDATE item SET class = ?, layers = ?, attributes = ?, class_key = ?, wrapped = ?, secret = ? WHERE id = ?",
            [
                .integer(Int64(binding.keyClass.code)), .integer(Int64(binding.layers)), .blob(attributes),
                .bits(secret.wrapping.classKeyID.value), .blob(secret.wrapping.wrapped), .blob(secret.sealed),
                .integer(row),
            ]
        )
    }

    /// Replaces what follows from the attributes; the secret and its key stay.
    func replaceAttributes(row: Int64, _ columns: SealedColumns) throws {
        try execute(
            """
            UPDATE item SET class = ?, layers = ?, identity = ?, pair = ?, first = ?, second = ?, label = ?, \
            attributes = ? WHERE id = ?
            """,
            [
                .integer(Int64(columns.binding.keyClass.code)), .integer(Int64(columns.binding.layers)),
                .blob(columns.identity), columns.tag(.pair), columns.tag(.first), columns.tag(.second),
                columns.tag(.label), .blob(columns.attributes), .integer(row),
            ]
        )
    }

    /// Replaces the wrapping of the row key, and the attributes, which are bound to it.
    func rewrap(row: Int64, _ columns: SealedColumns, _ wrapping: RowKeyWrapping) throws {
        try execute(
            """
            UPDATE item SET attributes = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [.blob(columns.attributes)] + SQLValue.wrapping(wrapping) + [.integer(row)]
        )
    }

    func delete(row: Int64) throws {
        try execute("DELETE FROM item WHERE id = ?", [.integer(row)])
        purgeAfterCommit()
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
