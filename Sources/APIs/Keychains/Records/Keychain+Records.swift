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
    /// The items whose fields are those of `record`, including synchronizable ones unless it says otherwise. An empty
    /// array if there are none.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of items; nil: all.
    ///   - includingSecrets: Opens each secret. Without it only fields are read, which also works while locked (after
    ///     the first unlock).
    ///   - takingReadable: Before the first unlock, returns the items that are readable then, if any match.
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` if nothing else was found.
    package func records(
        matching record: ItemRecord, limit: Int? = nil, includingSecrets: Bool = false, takingReadable: Bool = false
    ) throws(KeychainError) -> [ItemRecord] {
        var query = ItemQuery(record)
        query.limit = limit
        query.takesReadable = takingReadable
        return try records(query, includingSecrets)
    }

    /// Like `records(matching:)`, for items of several classes. Damage in one class hides no intact items of another.
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

    /// Passes all items whose fields are those of `record` through `make`, and the results to `body`. Calls it with
    /// some at a time, in the order in which the items were added, and not at all if there are none. Only a few are in
    /// memory at a time.
    ///
    /// Errors: those of ``records(matching:limit:includingSecrets:)``, even after calls of `body`; errors of `make`,
    /// which is called on several threads, and of `body`.
    ///
    /// - Parameter asking: Whether the user is prompted for items that require it. Otherwise such an item
    ///   has no secret.
    package func forEachRecord<Made: Sendable>(
        matching record: ItemRecord, includingSecrets: Bool = false, asking: Bool = true,
        _ make: @Sendable (ItemRecord) throws -> Made, _ body: ([Made]) throws -> Void
    ) throws {
        var query = ItemQuery(record)
        query.limit = nil
        query.skipsGuarded = !asking
        guard let store = try access as? ItemStore else {
            // A guard answers at once.
            let found = try records(query, includingSecrets)
            return found.isEmpty ? () : try body(found.map(make))
        }
        try store.stream(matching: query, withSecret: includingSecrets, make, body)
    }

    /// Like `forEachRecord(matching:)`, for items of several classes, one class after the other. Damage in one class
    /// hides no intact items of another.
    package func forEachRecord<Made: Sendable>(
        matchingAny records: [ItemRecord], includingSecrets: Bool = false, asking: Bool = true,
        _ make: @Sendable (ItemRecord) throws -> Made, _ body: ([Made]) throws -> Void
    ) throws {
        var isEmpty = true
        var trouble = ClassTrouble(takingReadable: false)
        for record in records {
            do {
                guard record.itemClass != .certificate || includingSecrets else {
                    // There are few certificates, and each is opened for its fields.
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

    /// The item that a persistent reference identifies. Errors: as
    /// ``records(matching:limit:includingSecrets:)``, and `.itemNotFound`.
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
            let found = try access.items(matching: query, withSecret: includingSecrets)
            return includingSecrets || query.itemClass != .certificate ? found : found.map(withFacts)
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Adds an item. Returns it as it is stored, without its secret. Errors: those of ``add(_:authentication:)``.
    @discardableResult
    package func add(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard record.itemClass != .identity else {
            return try add(identity: record, certificate: record.certificate, PersonPrompt())
        }
        return try access.add(record, keepingDates: true, PersonPrompt())
    }

    /// Adds items from a text, which is read meanwhile, in one transaction: all that can be added, or none. Items that
    /// exist already or break a rule are left out and counted. Times in the text are kept.
    ///
    /// - Parameters:
    ///   - listing: The items.
    ///   - manner: How to treat items whose identity is already stored, and whether to add anything at all.
    ///   - notes: Receives the notes about single items.
    ///   - progress: The number of items seen so far.
    ///
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that affect all items.
    package func add(
        contentsOf listing: ItemListing, as manner: ImportManner = .adding, notes: ImportNotes = ImportNotes(),
        progress: (_ done: Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try store.addMany(
            restart: {
                listing.rewind()
                notes.clear()
            }, isTrial: manner.isTrial, twins: manner.twins, next: { try listing.next() },
            told: { notes.take($0, $1, line: listing.line) }, progress: progress)
    }

    /// Sets the fields and the secret of `changes` in the item that a reference identifies.
    /// `keepingPastOf`: in items of this group a replaced secret is kept as a former one.
    /// Errors: those of ``update(_:authentication:)``.
    package func update(
        _ reference: PersistentReference, with changes: ItemRecord, keepingPastOf group: String? = nil
    ) throws(KeychainError) {
        try access.update(try ItemQuery(reference), with: ItemChanges(changes, group))
    }

    /// Replaces the secret of the item that a reference identifies by the result of `make`, in one transaction.
    /// Concurrent processes do this one after the other.
    /// Errors: those of ``update(_:authentication:)``, errors of `make`; `.itemNotFound` if it has no secret.
    package func update(
        _ reference: PersistentReference, secret make: @escaping @Sendable (Secret) throws -> Secret
    ) throws(KeychainError) {
        var changes = ItemChanges()
        changes.newSecret = make
        try access.update(try ItemQuery(reference), with: changes)
    }

    /// Sets the fields and the secret of `changes` in all items whose fields are those of `record`, in one transaction.
    /// Returns their number. `passedOver` gets the number of damaged items, which stay unchanged.
    @discardableResult
    package func update(
        matching record: ItemRecord, with changes: ItemRecord, keepingPastOf group: String? = nil,
        passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        try access.update(
            ItemQuery(record), with: ItemChanges(changes, group), PersonPrompt(), passedOver: passedOver)
    }

    /// The maximum length in bytes of a secret that is kept as a former one.
    package static var largestPast: Int { PastSecrets.largest }

    /// The former secrets of an item, the newest first, with the time at which each was replaced.
    /// Errors: those of ``record(_:includingSecret:)`` for its secret.
    package func past(
        of reference: PersistentReference
    ) throws(KeychainError) -> [(secret: Secret, replaced: Date)] {
        try store.past(of: try ItemQuery(reference)).map {
            ($0.secret, Date(timeIntervalSinceReferenceDate: $0.replaced))
        }
    }

    /// Removes the former secrets of an item from every file. Returns the number of items that had some.
    /// Errors: those of ``delete(matching:)``.
    package func removePast(of reference: PersistentReference) throws(KeychainError) -> Int {
        try store.removePast(matching: try ItemQuery(reference))
    }

    /// Like `removePast(of:)`, for all items whose fields are those of `record`.
    package func removePast(matching record: ItemRecord) throws(KeychainError) -> Int {
        try store.removePast(matching: ItemQuery(record))
    }

    /// Deletes the item that a reference identifies. Errors: those of ``delete(matching:)``.
    public func delete(_ reference: PersistentReference) throws(KeychainError) {
        try access.delete(try ItemQuery(reference))
    }

    /// Deletes all items whose fields are those of `record`, in one transaction. Returns their number. `passedOver`
    /// gets the number of damaged items, which are not deleted.
    @discardableResult
    package func delete(
        matching record: ItemRecord, passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        try access.delete(ItemQuery(record), passedOver: passedOver)
    }
}

/// The first error that made a search over several classes skip one of them.
private struct ClassTrouble {
    /// Whether a class that isn't readable before the first unlock is skipped.
    let takingReadable: Bool
    private var failure: KeychainError?

    init(takingReadable: Bool) { self.takingReadable = takingReadable }

    mutating func skip(_ error: KeychainError) throws(KeychainError) {
        guard error.costsOneRow || (takingReadable && error.code == .locked) else { throw error }
        failure = failure ?? error
    }

    /// Throws the error if nothing was found.
    func end(where isEmpty: Bool) throws(KeychainError) {
        if isEmpty, let failure { throw failure }
    }
}

extension Keychain {
    /// Adds the fields of a certificate, which aren't secret and need no prompt. One that is unreadable now gets none.
    fileprivate func withFacts(_ record: ItemRecord) -> ItemRecord {
        var record = record
        guard record.accessControl.name.isEmpty, let reference = record.persistentReference,
            let query = try? ItemQuery(reference)
        else {
            return record
        }
        record.certificate = (try? access.items(matching: query, withSecret: true))?.first?.secret
        return record
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
    /// All items with these fields, synchronizable or not.
    fileprivate init(_ record: ItemRecord) {
        self.init(record.itemClass)
        attributes = record.attributes
        synchronizable = .any
        limit = nil
    }

    /// One item, regardless of its current fields.
    fileprivate init(_ reference: PersistentReference) throws(KeychainError) {
        guard let itemClass = reference.itemClass else {
            throw KeychainError(.parameter, "this is not a persistent reference")
        }
        self.init(itemClass)
        persistentReference = reference
        synchronizable = .any
    }
}
