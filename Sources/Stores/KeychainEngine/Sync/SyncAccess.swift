// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

/// A row that was written since the last run of sync.
package struct SyncChange: Sendable {
    package enum Content: Sendable {
        case item(TravellingItem)
        case deleted
        /// It isn't synced now; it may have been before.
        case stays
        /// Its content can't be read: its class is locked, it is damaged, or its key was destroyed.
        case locked
    }

    /// The key of the item's register. For an item that isn't synced, the key that it would have.
    package let key: [UInt8]
    package let uuid: [UInt8]
    package let protection: ProtectionClass
    package let revision: Int64
    /// Seconds since 2001-01-01 00:00 UTC.
    package let modified: Double
    package let accessGroup: String?
    /// Bytes of its stored secret.
    package let sealedSize: Int
    package let content: Content
}

/// Sync's changes to the keychain inside one transaction, or its reads in one snapshot.
package final class SyncAccess {
    private let store: ItemStore
    private let keys: MetadataKeys
    private let reading: ReadAccess
    private let writing: WriteAccess?
    /// What the names of the records begin with. The account's begin with none.
    private let prefix: String

    fileprivate init(
        _ store: ItemStore, _ keys: consuming MetadataKeys, _ reading: ReadAccess, _ writing: WriteAccess?,
        _ prefix: String
    ) {
        self.prefix = prefix
        self.store = store
        self.keys = keys
        self.reading = reading
        self.writing = writing
    }

    private func writer() throws -> WriteAccess {
        guard let writing else { throw KeychainError(.badRequest, "this only reads") }
        return writing
    }

    /// The number of the last write to a row.
    package func revision() throws -> Int64 { try writing?.revision ?? reading.revision() }

    // MARK: Records

    private func row(_ itemClass: ItemClass, identity bytes: [UInt8]) throws -> OpenRow? {
        for domain in keys.domains {
            let tag = try keys.tag(BlindIndex(identityOf: itemClass.kind ?? 0), of: bytes, in: domain)
            if let row = try reading.row(identity: tag) { return try OpenRow(row, keys) }
        }
        return nil
    }

    private func row(ofRecord name: String) throws -> OpenRow? {
        try row(
            .syncRecord, identity: AttributeTable.of(.syncRecord).identityBytes(of: [.recordName: .text(prefix + name)])
        )
    }

    /// The record of sync under a name; nil if there is none. Errors: `.locked`, `.damaged`.
    package func record(_ name: String) throws -> [UInt8]? {
        guard let row = try row(ofRecord: name) else { return nil }
        let sealed = try reading.sealedSecret(ofRow: row.stored.id)
        do { return try secret(of: row, sealed) } catch { throw KeychainError(error) }
    }

    /// Stores bytes under a name, and replaces earlier ones.
    package func keep(_ bytes: [UInt8], as name: String, _ accessibility: Accessibility) throws {
        let prepared = try PreparedItem(
            whole: [.recordName: .text(prefix + name), .accessible: .text(accessibility.rawValue)], .syncRecord,
            secret: try Secret(copying: bytes))
        if let row = try row(ofRecord: name) {
            try replace(row, prepared)
        } else {
            try insert(prepared, uuid: nil)
        }
    }

    /// Has an empty record under a name, or none.
    package func note(_ name: String, _ isThere: Bool) throws {
        guard try (record(name) != nil) != isThere else { return }
        if isThere { try keep([], as: name, .afterFirstUnlockThisDeviceOnly) } else { try forget(name) }
    }

    /// Removes the record under a name.
    package func forget(_ name: String) throws {
        if let row = try row(ofRecord: name) { try writer().delete(row.stored) }
    }

    /// Removes all records whose names begin with the prefix; without one all but those of groups.
    package func forgetAll() throws {
        var rows: [StoredRow] = []
        try reading.rows("SELECT \(StoredRow.columns) FROM item WHERE kind = 5 ORDER BY id") { row in
            let row = try StoredRow(row)
            // What doesn't open is the account's.
            var name = ""
            if case .text(let text) = try? OpenRow(row, keys).attributes[.recordName] { name = text }
            if prefix.isEmpty ? !name.hasPrefix(Self.groups) : name.hasPrefix(prefix) { rows.append(row) }
            return true
        }
        for row in rows { try writer().delete(row) }
    }

    /// What the names of groups' records begin with.
    package static let groups = "group/"
    /// What the access groups of shared groups begin with.
    package static let sharedAccessGroups = "shared."
    /// The record of a group that is there while this home may only read its items.
    package static let onlyReads = "reads"

    // MARK: Items

    /// Separates the name of a group from a number in the access groups of items that are in no log. No group's name
    /// has it.
    package static let asideMark = "#"

    /// Moves the items of an access group into one that no log has, and that has none yet: `GROUP#1`, or the next
    /// number. Secrets stay sealed as they are. `keys`: only the items with these keys.
    /// - Returns: The new access group, and how many items are there; nil if there were none.
    package func setAside(
        _ accessGroup: String, only keys: Set<[UInt8]>? = nil
    ) throws -> (accessGroup: String, count: Int)? {
        var found: [OpenRow] = []
        var names: Set<String> = []
        try reading.rows("SELECT \(StoredRow.columns) FROM item WHERE kind <> 5 ORDER BY id") { row in
            guard let open = try? OpenRow(try StoredRow(row), self.keys), let name = open.attributes.accessGroup else {
                return true
            }
            names.insert(name)
            guard name.utf8.elementsEqual(accessGroup.utf8) else { return true }
            if let keys, !keys.contains(AttributeTable.key(open.itemClass, open.attributes)) { return true }
            found.append(open)
            return true
        }
        var number = 1
        while names.contains("\(accessGroup)\(Self.asideMark)\(number)") { number += 1 }
        let aside = "\(accessGroup)\(Self.asideMark)\(number)"
        var count = 0
        for row in found {
            if row.isTombstone {
                try writer().delete(row.stored)
                continue
            }
            var attributes = row.attributes
            attributes[.accessGroup] = .text(aside)
            let tags = try RowTags(row.itemClass, attributes: attributes, keys: self.keys, in: row.binding.domain)
            try writer().replaceAttributes(
                row.stored, by: SealedItem(row, attributes: attributes, tags: tags), self.keys)
            count += 1
        }
        return count > 0 ? (aside, count) : nil
    }

    /// The items of every class that were written after a revision, including deleted ones.
    package func changes(after revision: Int64) throws -> [SyncChange] {
        try changes(where: "revision > ?", revision)
    }

    /// The items whose stored secret and attributes together exceed `bytes`, regardless of when they were written. No
    /// other item is opened.
    package func items(storedIn bytes: Int) throws -> [SyncChange] {
        try changes(where: "ifnull(length(secret), 0) + length(attributes) > ?", Int64(bytes))
    }

    private func changes(where condition: String, _ number: Int64) throws -> [SyncChange] {
        var found: [SyncChange] = []
        try reading.rows(
            "SELECT \(StoredRow.columnsWithSecret) FROM item WHERE \(condition) AND kind <> 5 ORDER BY id",
            arguments: [.integer(number)]
        ) { row in
            let stored = try StoredRow(row)
            let sealed = try StoredRow.sealedSecret(row)
            // An item that is damaged here is intact elsewhere, and isn't sent.
            guard let open = try? OpenRow(stored, keys) else { return true }
            found.append(try change(open, sealed))
            return true
        }
        return found
    }

    private func change(_ row: OpenRow, _ sealed: [UInt8]?) throws -> SyncChange {
        var modified = 0.0
        if case .date(let date) = row.attributes[.modificationDate] { modified = date }
        return SyncChange(
            key: AttributeTable.key(row.itemClass, row.attributes), uuid: row.stored.uuid,
            protection: row.binding.keyClass.protection, revision: row.stored.filing.revision, modified: modified,
            accessGroup: row.attributes.accessGroup,
            sealedSize: sealed?.count ?? 0, content: try content(row, sealed))
    }

    private func content(_ row: OpenRow, _ sealed: [UInt8]?) throws -> SyncChange.Content {
        guard row.travels else { return .stays }
        if row.isTombstone { return .deleted }
        do {
            return .item(
                TravellingItem(
                    row.itemClass, uuid: row.stored.uuid, attributes: row.attributes,
                    secret: try row.hasSecret ? secret(of: row, sealed) : nil))
        } catch {
            let error = KeychainError(error)
            guard error.code == .locked || error.costsOneRow else { throw error }
            return .locked
        }
    }

    private func secret(of row: OpenRow, _ sealed: [UInt8]?) throws -> [UInt8]? {
        try store.keybag.withoutAsking { try row.openSecret(sealed, $0) }?.exposingAll()
    }

    private func row(_ key: [UInt8]) throws -> OpenRow? {
        guard let itemClass = key.first.flatMap({ ItemClass(kind: Int64($0)) }) else { return nil }
        return try row(itemClass, identity: Array(key.dropFirst()))
    }

    /// The local item with a key. Errors: `.damaged`.
    package func item(_ key: [UInt8]) throws -> SyncChange? {
        guard let row = try row(key) else { return nil }
        return try change(row, reading.sealedSecret(ofRow: row.stored.id))
    }

    /// Replaces the local item by an item from another home, and returns the row's UUID. Former secrets remain.
    /// If there is no item under the new key, the item under the key `former` is replaced, if that is given.
    package func put(_ item: TravellingItem, insteadOf former: [UInt8]?) throws -> [UInt8] {
        let prepared = try item.prepared()
        var there = try row(item.key)
        if let tombstone = there, tombstone.isTombstone {
            try writer().delete(tombstone.stored)
            there = nil
        }
        if there == nil, let former, let row = try row(former), !row.isTombstone, row.travels { there = row }
        guard let there else {
            let isTaken = try reading.integer("SELECT 1 FROM item WHERE uuid = ?", [.blob(item.uuid)]) != nil
            return try insert(prepared, uuid: isTaken ? nil : item.uuid)
        }
        try replace(there, prepared)
        return there.stored.uuid
    }

    /// Removes an item that another home deleted.
    package func remove(_ key: [UInt8]) throws {
        guard let row = try row(key), row.travels else { return }
        try writer().delete(row.stored)
    }

    @discardableResult
    private func insert(_ prepared: PreparedItem, uuid: [UInt8]?) throws -> [UInt8] {
        let sealed = try store.sealed(prepared, nil, keys: keys, uuid: uuid).sealed
        try writer().insert(sealed, keys)
        return sealed.binding.uuid
    }

    private func replace(_ row: OpenRow, _ prepared: PreparedItem) throws {
        let access = try writer()
        var binding = row.binding
        binding.keyClass = prepared.accessibility.keyClass
        var past = try store.keybag.withoutAsking { try row.openPast($0, reading) }
        if row.hasPast, let new = prepared.secret {
            let old = try secret(of: row, reading.sealedSecret(ofRow: row.stored.id))
            if let old { past.add(try Secret(copying: old), replacedAt: store.now()) }
            try past.drop(new, at: store.now())
        }
        let sealed = try prepared.secret.map {
            try SealedSecret(
                $0, binding: binding, attributes: prepared.attributes, keybag: store.keybag, password: nil, past: past)
        }
        let attributes = prepared.attributes
        let tags = try RowTags(row.itemClass, attributes: attributes, keys: keys, in: binding.domain)
        let item = SealedItem(
            row, attributes: attributes, binding: binding, secret: sealed.map { .replaced($0) } ?? .removed, tags: tags)
        try access.replace(row.stored, by: item, keys)
        if binding.keyClass.isStricter(than: row.binding.keyClass) { access.purgeAfterCommit() }
    }
}

extension ItemStore {
    /// One durable transaction of sync. Before the first unlock: `.locked`. `changesItems`: whether the transaction may
    /// change items.
    package func syncWrite<R>(
        changesItems: Bool = false, under prefix: String = "", _ body: (SyncAccess) throws -> R
    ) throws(KeychainError) -> R {
        try KeychainError.mapping {
            let result = try write { access in
                try ClearedScope.run {
                    let result = try body(try syncAccess(access.reading, access, prefix))
                    try access.settle()
                    return result
                }
            }
            if changesItems { observers.tell([.elsewhere]) }
            return result
        }
    }

    /// Sync's reads, in one snapshot. `afterWriters`: whether to wait for writes in progress, so that the snapshot
    /// includes them.
    package func syncRead<R>(
        afterWriters: Bool = false, under prefix: String = "", _ body: (SyncAccess) throws -> R
    ) throws(KeychainError) -> R {
        try KeychainError.mapping {
            if afterWriters { try database.awaitWriters() }
            return try database.read { access in try ClearedScope.run { try body(try syncAccess(access, nil, prefix)) }
            }
        }
    }

    /// Throws for an item of a shared group that this home may only read; its edit would reach no other member.
    /// - Throws: `.readOnly`.
    func refuseReadOnly(_ accessGroup: String?, _ access: WriteAccess) throws {
        guard let accessGroup, accessGroup.utf8.starts(with: SyncAccess.sharedAccessGroups.utf8) else { return }
        let name = accessGroup.dropFirst(SyncAccess.sharedAccessGroups.count)
        let records = try syncAccess(access.reading, nil, "\(SyncAccess.groups)\(name)/")
        guard try records.record(SyncAccess.onlyReads) != nil else { return }
        throw KeychainError(
            .readOnly,
            "you are a reader of the group \(name), so its items can't be changed here; an owner makes writers")
    }

    private func syncAccess(
        _ reading: ReadAccess, _ writing: WriteAccess?, _ prefix: String
    ) throws -> SyncAccess {
        let keys = try database.metadataKeys()
        guard keys.isComplete else { throw lockedBeforeFirstUnlock }
        return SyncAccess(self, keys, reading, writing, prefix)
    }
}

extension Secret {
    fileprivate func exposingAll() throws -> [UInt8] {
        try withSecretBytes { try $0.exposingBytes(0..<$0.count) } ?? []
    }
}
