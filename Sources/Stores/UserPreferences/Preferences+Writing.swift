// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

extension Preferences {
    /// Several changes that take effect together: all or none, in one transaction with one wait for the disk.
    public struct Batch {
        fileprivate(set) var changes: [(name: String, value: PropertyValue?)] = []

        /// Sets a value. For an optional key, nil removes it.
        public mutating func set<Value>(_ value: Value, for key: PreferenceKey<Value>) {
            changes.append((key.name, value.storedPreference))
        }

        /// Sets a value by name; nil removes it.
        public mutating func set(_ value: PropertyValue?, forKey name: String) { changes.append((name, value)) }
    }

    /// Makes all changes of `body` in one transaction.
    ///
    /// Errors: `.notReady`, `.invalidArgument`, `.tooLarge`, `.diskFull`, `.readOnly`, `.io`. Nothing is changed on
    /// an error.
    public func update(_ body: (inout Batch) throws -> Void) throws {
        var batch = Batch()
        try body(&batch)
        try write(batch.changes)
    }

    func write(_ changes: [(name: String, value: PropertyValue?)]) throws(PreferencesError) {
        guard !changes.isEmpty else { return }
        for change in changes {
            try Self.checkName(change.name)
            if let value = change.value { try Self.check(value, change.name) }
        }
        let before = store.stamp
        let last = try store.withStoreKey(nil) {
            try store.database.write { access in try write(changes, access, asOf: before) }
        }
        store.adopt(changes, last: last, before: before)
        ring()
    }

    /// Why one preference can't be stored, regardless of what else is written; nil if it can be.
    static func refusal(of value: PropertyValue, _ name: String) -> PreferencesError? {
        do {
            try checkName(name)
            try check(value, name)
        } catch {
            return error
        }
        return SealedPreference.Opened(name: name, value: value).sealedCount > PropertyValue.sizeLimit
            ? tooLarge(name) : nil
    }

    private static func tooLarge(_ name: String) -> PreferencesError {
        PreferencesError(.tooLarge, "a preference has at most 16 MiB", key: name)
    }

    private static func check(_ value: PropertyValue, _ name: String) throws(PreferencesError) {
        do { try value.check() } catch {
            throw error == .date
                ? PreferencesError(
                    .invalidArgument, "an invalid date, or one outside the years 1 to 9999, can't be stored", key: name)
                : PreferencesError(.tooLarge, "a preference has at most 64 levels and a million values", key: name)
        }
        SecretName.warn(about: name)
    }

    func write(
        _ changes: [(name: String, value: PropertyValue?)], _ access: WriteAccess, asOf now: SharedCounters.Stamp
    ) throws -> Int64 {
        let first = access.revision
        // Counted first, so that no sum below overflows.
        for _ in changes { _ = try access.nextRevision() }
        let rows = try store.withCurrentCache(access.reading, asOf: now, newest: first) { cache in
            // The scope contains nothing else: traces of the keys are cleared once for all rows.
            try ClearedScope.run { try Self.seal(changes, after: first, &cache) }
        }
        try put(rows, access)
        let sequence = first + Int64(rows.count)
        // The log is truncated occasionally, and with it the rows of removals that no watcher needs any more.
        if sequence / 512 != (sequence - Int64(changes.count)) / 512 {
            let oldest = SQLValue.integer(sequence - PreferencesSchema.changeLimit)
            try access.execute("DELETE FROM change WHERE sequence <= ?", [oldest])
            try forgetRemoved(oldest, access, after: first, asOf: now)
        }
        return sequence
    }

    /// Deletes old rows of removals. `removed` is stored in plaintext, so each row is opened first. A row whose removal
    /// is not authentic stays, and counts as damage.
    private func forgetRemoved(
        _ oldest: SQLValue, _ access: WriteAccess, after first: Int64, asOf now: SharedCounters.Stamp
    ) throws {
        var places: [RowVersion] = []
        try store.withCurrentCache(access.reading, asOf: now, newest: first) { cache in
            try access.reading.rows(Self.removedQuery, arguments: [oldest]) { row in
                let place = SealedPreference.RowHeader(
                    tag: try row.bytes(0) ?? [], sequence: row.integer(1), isRemoved: true)
                do {
                    _ = try cache.open(try row.bytes(2) ?? [], place)
                    places.append(SealedPreference.counted(place.tag, place.sequence))
                } catch is SealingError {}
                return true
            }
        }
        // As in `sequenceQuery`.
        let delete = try access.prepared("DELETE FROM preference WHERE tag = ?1 AND +tag = ?1")
        for place in places {
            try delete.execute([.blob(place.uuid)])
            try access.leave(place)
        }
    }

    /// A row to be written.
    private struct Row {
        let place: SealedPreference.RowHeader
        let sealed: [UInt8]
    }

    private static func seal(
        _ changes: [(name: String, value: PropertyValue?)], after first: Int64, _ cache: inout PreferencesCache
    ) throws -> [Row] {
        var rows: [(row: SealedPreference.Opened, place: SealedPreference.RowHeader)] = []
        rows.reserveCapacity(changes.count)
        for (name, value) in changes {
            let hash = EntryTable.hash(name)
            let tag = try cache.tag(name, hash)
            let place = SealedPreference.RowHeader(
                tag: tag, sequence: first + Int64(rows.count) + 1, isRemoved: value == nil)
            rows.append((SealedPreference.Opened(name: name, value: value), place))
            // The cached value ends here. After a rollback it is read again.
            cache.keep(.unread, name: name, hash: hash, tag: tag)
        }
        return try zip(rows, cache.seal(rows)).map { row, sealed in
            guard sealed.count <= PropertyValue.sizeLimit else {
                throw tooLarge(row.row.name)
            }
            return Row(place: row.place, sealed: sealed)
        }
    }

    private func put(_ rows: [Row], _ access: WriteAccess) throws {
        let sequence = try access.prepared(Self.sequenceQuery)
        let put = try access.prepared(Self.putQuery)
        let log = try access.prepared("INSERT INTO change (sequence, tag, origin) VALUES (?, ?, ?)")
        let origin = SQLValue.blob(origin)
        for row in rows {
            let place = row.place
            let (tag, number) = (SQLValue.blob(place.tag), SQLValue.integer(place.sequence))
            // A name may occur several times: each row replaces the one before.
            if let known = try sequence.integer([tag]) {
                try access.leave(SealedPreference.counted(place.tag, known))
            }
            try access.enter(SealedPreference.counted(place.tag, place.sequence))
            try put.execute([tag, number, .integer(place.isRemoved ? 1 : 0), .blob(row.sealed)])
            try log.execute([number, tag, origin])
        }
        if rows.contains(where: \.place.isRemoved) { access.purgeAfterCommit() }
    }

    private static let removedQuery =
        "SELECT tag, sequence, sealed FROM preference WHERE removed = 1 AND sequence <= ?"

    /// Compared with the row as well, because a damaged index may lead to another one.
    private static let sequenceQuery = "SELECT sequence FROM preference WHERE tag = ?1 AND +tag = ?1"

    private static let putQuery =
        "INSERT INTO preference (tag, sequence, removed, sealed) VALUES (?, ?, ?, ?) ON CONFLICT (tag) DO UPDATE "
        + "SET sequence = excluded.sequence, removed = excluded.removed, sealed = excluded.sealed"
}

extension PreferencesStore {
    /// Stores the committed values in the cache, unless another process wrote in between. In that case the next read
    /// catches up.
    fileprivate func adopt(
        _ changes: [(name: String, value: PropertyValue?)], last: Int64, before: SharedCounters.Stamp
    ) {
        let now = stamp
        cache.withLock { cache in
            guard cache.stamp == before, cache.lastSequence + Int64(changes.count) == last else { return }
            for (name, value) in changes {
                cache.values.set(value.map { .value($0) } ?? .absent, name: name, hash: EntryTable.hash(name))
            }
            cache.lastSequence = last
            if now.changes == before.changes &+ 1, now.leaves == before.leaves, now.generation == before.generation {
                cache.stamp = now
            }
        }
    }
}
