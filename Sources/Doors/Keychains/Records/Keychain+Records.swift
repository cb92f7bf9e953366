// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import KeychainEngine

extension Keychain {
    /// The items whose fields are those of `record`, synchronizable ones too unless it says otherwise; an empty array if there is none.
    ///
    /// - Parameters:
    ///   - limit: At most this many; nil: all.
    ///   - includingSecrets: Opens each secret; without it fields alone are read, which works while locked too (after the first unlock).
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` when there is nothing else.
    package func records(
        matching record: ItemRecord, limit: Int? = nil, includingSecrets: Bool = false
    ) throws(KeychainError) -> [ItemRecord] {
        var query = ItemQuery(record)
        query.limit = limit
        return try records(query, includingSecrets)
    }

    /// Hands what `make` makes of all items whose fields are those of `record` to `body`, some at a time and in the order in which they were
    /// added; nothing if there is none. For as many as there may be: no more than a few are in memory.
    ///
    /// Errors: those of ``records(matching:limit:includingSecrets:)``, also behind items that `body` was given; what `make`, called on several
    /// threads, and `body` throw.
    package func forEachRecord<Made: Sendable>(
        matching record: ItemRecord, includingSecrets: Bool = false, _ make: @Sendable (ItemRecord) throws -> Made,
        _ body: ([Made]) throws -> Void
    ) throws {
        var query = ItemQuery(record)
        query.limit = nil
        try store.stream(matching: query, withSecret: includingSecrets, { try make(ItemRecord($0)) }, body)
    }

    /// The item that a persistent reference stands for. Errors: as ``records(matching:limit:includingSecrets:)``, and `.itemNotFound`.
    package func record(
        _ reference: PersistentReference, includingSecret: Bool = false
    ) throws(KeychainError) -> ItemRecord {
        guard let found = try records(try ItemQuery(reference), includingSecret).first else {
            throw KeychainError(.itemNotFound, "there is no such item")
        }
        return found
    }

    private func records(_ query: ItemQuery, _ includingSecrets: Bool) throws(KeychainError) -> [ItemRecord] {
        do {
            return try store.items(matching: query, withSecret: includingSecrets).map { ItemRecord($0) }
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Adds an item; answers it as it is stored, without its secret. Errors: those of ``add(_:authentication:)``.
    @discardableResult
    package func add(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard record.itemClass != .identity else {
            let stored = try add(identity: NewItem(record), certificate: record.certificate, PersonPrompt())
            return ItemRecord(stored, of: .identity)
        }
        return ItemRecord(try store.add(NewItem(record)))
    }

    /// Adds items that are written down as text, read while they are added, in one transaction: all that can be added, or none. Those that
    /// exist already or break a rule are left out and counted; times that are written down are kept.
    ///
    /// - Parameter progress: Items seen so far.
    ///
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that concern all of them.
    package func add(
        contentsOf listing: ItemListing, progress: (_ done: Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try store.addMany(
            restart: { listing.rewind() }, next: { try listing.next().map { NewItem($0) } }, progress: progress)
    }

    /// Sets what `changes` has, fields and secret, in the item that a reference stands for. Errors: those of ``update(_:authentication:)``.
    package func update(_ reference: PersistentReference, with changes: ItemRecord) throws(KeychainError) {
        try store.update(try ItemQuery(reference), with: ItemChanges(changes))
    }

    /// The same for all items whose fields are those of `matching`, in one transaction; how many.
    @discardableResult
    package func update(
        matching record: ItemRecord, with changes: ItemRecord
    ) throws(KeychainError) -> Int { try store.update(ItemQuery(record), with: ItemChanges(changes)) }

    /// Deletes the item that a reference stands for. Errors: those of ``delete(matching:)``.
    public func delete(_ reference: PersistentReference) throws(KeychainError) {
        try store.delete(try ItemQuery(reference))
    }

    /// Deletes all items whose fields are those of `record`, in one transaction; how many.
    @discardableResult
    package func delete(matching record: ItemRecord) throws(KeychainError) -> Int {
        try store.delete(ItemQuery(record))
    }
}

extension NewItem {
    fileprivate init(_ record: ItemRecord) {
        self.init(record.itemClass)
        attributes = record.attributes
        secret = record.secret
        keepsDates = true
    }
}

extension ItemChanges {
    fileprivate init(_ record: ItemRecord) {
        self.init()
        attributes = record.attributes
        secret = record.secret
    }
}

extension ItemQuery {
    /// Every item with these fields, synchronizable or not.
    fileprivate init(_ record: ItemRecord) {
        self.init(record.itemClass)
        attributes = record.attributes
        synchronizable = .any
        limit = nil
    }

    /// One item, whatever it is called now.
    fileprivate init(_ reference: PersistentReference) throws(KeychainError) {
        guard let itemClass = reference.itemClass else {
            throw KeychainError(.parameter, "this is no persistent reference")
        }
        self.init(itemClass)
        persistentReference = reference
        synchronizable = .any
    }
}
