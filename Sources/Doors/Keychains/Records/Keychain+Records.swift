// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import KeychainEngine
package import SecretMemory

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Keychain {
    /// The items whose fields are those of `record`, synchronizable ones too unless it says otherwise; an empty array if there is none.
    ///
    /// - Parameters:
    ///   - limit: At most this many; nil: all.
    ///   - includingSecrets: Opens each secret; without it fields alone are read, which works while locked too (after the first unlock).
    ///   - takingReadable: Before the first unlock what can be read then is enough, where something matches.
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` when there is nothing else.
    package func records(
        matching record: ItemRecord, limit: Int? = nil, includingSecrets: Bool = false, takingReadable: Bool = false
    ) throws(KeychainError) -> [ItemRecord] {
        var query = ItemQuery(record)
        query.limit = limit
        query.takesReadable = takingReadable
        return try records(query, includingSecrets)
    }

    /// The same for items of several classes: what is damaged in one hides nothing that is healthy in another.
    package func records(
        matchingAny records: [ItemRecord], limit: Int? = nil, includingSecrets: Bool = false,
        takingReadable: Bool = false
    ) throws(KeychainError) -> [ItemRecord] {
        var found: [ItemRecord] = []
        var trouble = ClassTrouble(takingReadable: takingReadable)
        for record in records {
            let left = limit.map { $0 - found.count }
            guard left != 0 else { break }
            do throws(KeychainError) {
                found += try self.records(
                    matching: record, limit: left, includingSecrets: includingSecrets, takingReadable: takingReadable)
            } catch {
                try trouble.skip(error)
            }
        }
        try trouble.end(where: found.isEmpty)
        return found
    }

    /// Hands what `make` makes of all items whose fields are those of `record` to `body`, some at a time and in the order in which they were
    /// added; nothing if there is none. However many there are, only a few are in memory.
    ///
    /// Errors: those of ``records(matching:limit:includingSecrets:)``, also after `body` was given items; what `make`, called on several
    /// threads, and `body` throw.
    ///
    /// - Parameter asking: Whether a person is asked where an item wants one; else such an item comes without its secret.
    package func forEachRecord<Made: Sendable>(
        matching record: ItemRecord, includingSecrets: Bool = false, asking: Bool = true,
        _ make: @Sendable (ItemRecord) throws -> Made, _ body: ([Made]) throws -> Void
    ) throws {
        var query = ItemQuery(record)
        query.limit = nil
        query.skipsGuarded = !asking
        try store.stream(matching: query, withSecret: includingSecrets, { try make(ItemRecord($0)) }, body)
    }

    /// The same for items of several classes, one class behind the other; what is damaged in one hides nothing that is healthy in another.
    package func forEachRecord<Made: Sendable>(
        matchingAny records: [ItemRecord], includingSecrets: Bool = false, asking: Bool = true,
        _ make: @Sendable (ItemRecord) throws -> Made, _ body: ([Made]) throws -> Void
    ) throws {
        var isEmpty = true
        var trouble = ClassTrouble(takingReadable: false)
        for record in records {
            do {
                guard record.itemClass != .certificate || includingSecrets else {
                    // Few, and each is opened for what it says.
                    let found = try self.records(matching: record)
                    isEmpty = isEmpty && found.isEmpty
                    try body(found.map(make))
                    continue
                }
                try forEachRecord(matching: record, includingSecrets: includingSecrets, asking: asking, make) {
                    isEmpty = false
                    try body($0)
                }
            } catch let error as KeychainError {
                try trouble.skip(error)
            }
        }
        try trouble.end(where: isEmpty)
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
            let found = try store.items(matching: query, withSecret: includingSecrets).map { ItemRecord($0) }
            return includingSecrets || query.itemClass != .certificate ? found : found.map(withFacts)
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Adds an item; returns it as it is stored, without its secret. Errors: those of ``add(_:authentication:)``.
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
    /// - Parameters:
    ///   - manner: What is done where an item of the same identity is stored, and whether anything is added at all.
    ///   - notes: Gets what is to be told of single items.
    ///   - progress: Items seen so far.
    ///
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that concern all of them.
    package func add(
        contentsOf listing: ItemListing, as manner: ImportManner = .adding, notes: ImportNotes = ImportNotes(),
        progress: (_ done: Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try store.addMany(
            restart: {
                listing.rewind()
                notes.clear()
            }, isTrial: manner.isTrial, twins: manner.twins, next: { try listing.next().map { NewItem($0) } },
            told: { notes.take(ItemRecord($0), $1, line: listing.line) }, progress: progress)
    }

    /// Sets what `changes` has, fields and secret, in the item that a reference stands for. Errors: those of ``update(_:authentication:)``.
    /// `keepingPastOf`: in items of this group a secret that is replaced is kept as a former one.
    package func update(
        _ reference: PersistentReference, with changes: ItemRecord, keepingPastOf group: String? = nil
    ) throws(KeychainError) {
        try store.update(try ItemQuery(reference), with: ItemChanges(changes, group))
    }

    /// Replaces the secret of the item that a reference stands for by what `make` makes of it, in one transaction: of several processes one comes after the other.
    /// Errors: those of ``update(_:authentication:)``, what `make` throws; `.itemNotFound` if it has no secret.
    package func update(
        _ reference: PersistentReference, secret make: @escaping @Sendable (Secret) throws -> Secret
    ) throws(KeychainError) {
        var changes = ItemChanges()
        changes.newSecret = make
        try store.update(try ItemQuery(reference), with: changes)
    }

    /// The same for all items whose fields are those of `matching`, in one transaction; how many. `passedOver` is told how many damaged ones stay as they are.
    @discardableResult
    package func update(
        matching record: ItemRecord, with changes: ItemRecord, keepingPastOf group: String? = nil,
        passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        try store.update(ItemQuery(record), with: ItemChanges(changes, group), passedOver: passedOver)
    }

    /// Bytes that a secret may have to be kept as a former one.
    package static var largestPast: Int { PastSecrets.largest }

    /// The secrets that an item had before, the newest first, with the time at which each was replaced. Errors: those of ``record(_:includingSecret:)`` for its secret.
    package func past(
        of reference: PersistentReference
    ) throws(KeychainError) -> [(secret: Secret, replaced: Date)] {
        try store.past(of: try ItemQuery(reference)).map {
            ($0.secret, Date(timeIntervalSinceReferenceDate: $0.replaced))
        }
    }

    /// Removes the former secrets of an item, or of all items of a class, from every file; how many items had some. Errors: those of ``delete(matching:)``.
    package func removePast(of reference: PersistentReference) throws(KeychainError) -> Int {
        try store.removePast(matching: try ItemQuery(reference))
    }

    /// The same of all items whose fields are those of `record`.
    package func removePast(matching record: ItemRecord) throws(KeychainError) -> Int {
        try store.removePast(matching: ItemQuery(record))
    }

    /// Deletes the item that a reference stands for. Errors: those of ``delete(matching:)``.
    public func delete(_ reference: PersistentReference) throws(KeychainError) {
        try store.delete(try ItemQuery(reference))
    }

    /// Deletes all items whose fields are those of `record`, in one transaction; how many. `passedOver` is told how many damaged ones are left.
    @discardableResult
    package func delete(
        matching record: ItemRecord, passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        try store.delete(ItemQuery(record), passedOver: passedOver)
    }
}

/// What kept a search over several classes from one of them.
private struct ClassTrouble {
    /// A class that can't be looked at before the first unlock costs nothing but itself.
    let takingReadable: Bool
    private var failure: KeychainError?

    init(takingReadable: Bool) { self.takingReadable = takingReadable }

    mutating func skip(_ error: KeychainError) throws(KeychainError) {
        guard error.costsOneRow || (takingReadable && error.code == .locked) else { throw error }
        failure = failure ?? error
    }

    /// Where nothing was found.
    func end(where isEmpty: Bool) throws(KeychainError) {
        if isEmpty, let failure { throw failure }
    }
}

extension Keychain {
    /// What a certificate says is no secret, and nobody is asked for it: one that can't be read now stays as it is.
    fileprivate func withFacts(_ record: ItemRecord) -> ItemRecord {
        var record = record
        guard record.accessControl.name.isEmpty, let reference = record.reference, let query = try? ItemQuery(reference)
        else {
            return record
        }
        record.readFacts((try? store.items(matching: query, withSecret: true))?.first?.secret)
        return record
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
    fileprivate init(_ record: ItemRecord, _ keepsPastOfGroup: String?) {
        self.init()
        attributes = record.attributes
        secret = record.secret
        self.keepsPastOfGroup = keepsPastOfGroup
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
            throw KeychainError(.parameter, "this is not a persistent reference")
        }
        self.init(itemClass)
        persistentReference = reference
        synchronizable = .any
    }
}
