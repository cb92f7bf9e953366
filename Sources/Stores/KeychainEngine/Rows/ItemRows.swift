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

/// Writes rows: the old state is removed from the sums, and the new one added. Each write has a number, the revision of
/// its row.
extension WriteAccess {
    /// The number of the write that makes a row also becomes the row's number, and so is never used twice.
    func insert(_ item: SealedItem, _ keys: borrowing MetadataKeys) throws {
        let number = try nextRevision()
        let (attributes, place) = try item.filed(number, number, keys)
        let binding = item.binding
        try execute(
            """
            INSERT INTO item (id, revision, uuid, version, kind, class, layers, identity, pair, first, second, label, \
            attributes, secret, class_key, wrapped, access_key, password_salt, password_cost) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(number), .integer(number), .blob(binding.uuid), .integer(Int64(binding.version)),
                .integer(Int64(binding.kind)), .integer(Int64(binding.keyClass.code)),
                .integer(Int64(binding.layers)), .optional(item.tags?.identity), .optional(item.tags?[.pair]),
                .optional(item.tags?[.first]), .optional(item.tags?[.second]), .optional(item.tags?[.label]),
                .blob(attributes), .optional(item.secret?.sealed),
            ] + SQLValue.wrapping(item.wrapping), expecting: 1
        )
        try enter(place)
    }

    /// Replaces everything but id and UUID. Index entries that don't change aren't written: SQLite would rewrite each,
    /// with its whole page.
    func replace(_ row: StoredRow, by item: SealedItem, _ keys: borrowing MetadataKeys) throws {
        let revision = try nextRevision()
        let (attributes, place) = try item.filed(row.id, revision, keys)
        try execute(
            """
            UPDATE item SET revision = ?, class = ?, layers = ?, \
            \(item.tags == nil ? "" : "identity = ?, pair = ?, first = ?, second = ?, label = ?, ")\
            attributes = ?, secret = ?, past = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [.integer(revision)] + SQLValue.place(item.binding) + (item.tags.map(SQLValue.tags) ?? [])
                + [.blob(attributes), .optional(item.secret?.sealed), .optional(item.secret?.sealedPast)]
                + SQLValue.wrapping(item.wrapping) + [.integer(row.id)], expecting: 1
        )
        try move(row.place, place)
    }

    /// Replaces everything that follows from the attributes; the secret and its key are unchanged.
    /// `number`: nil: the row keeps its own. `from`: the place by which the row was counted, if its columns differ
    /// from that.
    func replaceAttributes(
        _ row: StoredRow, by item: SealedItem, _ keys: borrowing MetadataKeys, number: Int64? = nil,
        from counted: RowVersion? = nil
    ) throws {
        let (number, revision) = (number ?? row.id, try nextRevision())
        let (attributes, place) = try item.filed(number, revision, keys)
        try execute(
            """
            UPDATE item SET id = ?, revision = ?, class = ?, layers = ?, \
            \(item.tags == nil ? "" : "identity = ?, pair = ?, first = ?, second = ?, label = ?, ")\
            attributes = ? WHERE id = ?
            """,
            [.integer(number), .integer(revision)] + SQLValue.place(item.binding)
                + (item.tags.map(SQLValue.tags) ?? []) + [.blob(attributes), .integer(row.id)], expecting: 1
        )
        try move(counted ?? row.place, place)
    }

    /// Replaces the wrapping of the row key, and the attributes, which are bound to it. Returns the row's new place.
    @discardableResult
    func rewrap(_ row: StoredRow, by item: SealedItem, _ keys: borrowing MetadataKeys) throws -> RowVersion {
        let revision = try nextRevision()
        let (attributes, place) = try item.filed(row.id, revision, keys)
        try execute(
            """
            UPDATE item SET revision = ?, attributes = ?, class_key = ?, wrapped = ?, access_key = ?, password_salt = ?, \
            password_cost = ? WHERE id = ?
            """,
            [.integer(revision), .blob(attributes)] + SQLValue.wrapping(item.wrapping) + [.integer(row.id)],
            expecting: 1
        )
        try move(row.place, place)
        return place
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
    /// The columns `class` and `layers`.
    fileprivate static func place(_ binding: RowBinding) -> [SQLValue] {
        [.integer(Int64(binding.keyClass.code)), .integer(Int64(binding.layers))]
    }

    /// The columns `identity`, `pair`, `first`, `second`, `label`.
    fileprivate static func tags(_ tags: RowTags) -> [SQLValue] {
        [.blob(tags.identity)] + [.pair, .first, .second, .label].map { .optional(tags[$0]) }
    }

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
