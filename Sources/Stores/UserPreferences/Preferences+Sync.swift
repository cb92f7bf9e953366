// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// One preference as sync reads it.
package struct SyncedPreference: Sendable {
    package let name: String
    /// The encoded value, which is the same in every home; nil if it was removed.
    package let value: [UInt8]?
    /// The sequence number of the change that wrote it.
    package let sequence: Int64
}

/// The last change of a store, which identifies its state. A restored or newly created file has another change under
/// that number.
package struct PreferencesMark: Hashable, Sendable {
    /// The size of a mark in bytes: the tag of the preference and the origin of the change.
    package static let size = 24

    /// 0 if nothing was ever changed.
    package let sequence: Int64
    package let bytes: [UInt8]

    package init(sequence: Int64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }

    package static let none = PreferencesMark(sequence: 0, bytes: [UInt8](repeating: 0, count: size))
}

/// What sync reads from a store in one snapshot.
package struct SyncedPreferences: Sendable {
    /// The requested preferences by the bytes of their names, without damaged ones.
    package fileprivate(set) var rows: [[UInt8]: SyncedPreference] = [:]
    package fileprivate(set) var damaged = 0
    package let mark: PreferencesMark
    /// Whether the store is the one with the given mark, and continued from it.
    package let isContinued: Bool
}

extension Preferences {
    /// The value of synced bytes, which are the stored encoding. Returns nil if they are not a value in its only
    /// valid encoding.
    package static func value(ofSynced bytes: [UInt8], for name: String) -> PropertyValue? {
        var reader = ByteReader(bytes)
        guard let value = try? PropertyValue.decode(from: &reader), reader.remaining == 0, value.bytes == bytes,
            refusal(of: value, name) == nil
        else { return nil }
        return value
    }

    /// The mark of the last change. With `afterWriters`, waits for a write in progress.
    package func mark(afterWriters: Bool = false) throws(PreferencesError) -> PreferencesMark {
        try store.withStoreKey(nil) {
            if afterWriters { try store.database.awaitWriters() }
            return try store.database.readOnce { try Self.mark($0) }
        }
    }

    /// The stored preferences among the wanted names, in one snapshot.
    package func synced(
        after mark: PreferencesMark, _ isWanted: (String) -> Bool
    ) throws(PreferencesError) -> SyncedPreferences {
        try store.withStoreKey(nil) {
            let now = store.stamp
            return try store.database.read { try synced($0, after: mark, asOf: now, isWanted) }
        }
    }

    /// Like ``synced(after:_:)``, but in a transaction that applies the changes returned by `body`.
    ///
    /// `body` returns names with their encoded values, and nil for names to remove. If `body` throws, its error is
    /// thrown, and nothing is changed. The result is the new mark, and the number of changes refused because the stored
    /// row is damaged or the new value is invalid.
    package func sync(
        after mark: PreferencesMark, _ isWanted: (String) -> Bool,
        _ body: (SyncedPreferences) throws -> [(name: String, value: [UInt8]?)]
    ) throws -> (mark: PreferencesMark, refused: Int) {
        var thrown: (any Error)?
        let before = store.stamp
        let answer: (mark: PreferencesMark, refused: Int)
        do {
            answer = try store.withStoreKey(nil) {
                try store.database.write { access in
                    let there = try synced(access.reading, after: mark, asOf: before, isWanted)
                    let wanted: [(name: String, value: [UInt8]?)]
                    do { wanted = try body(there) } catch {
                        thrown = error
                        throw error
                    }
                    guard !wanted.isEmpty else { return (there.mark, 0) }
                    return try change(wanted, access, asOf: before)
                }
            }
        } catch {
            throw thrown ?? error
        }
        // Changed values in memory are read again later.
        ring()
        return answer
    }

    private func change(
        _ wanted: [(name: String, value: [UInt8]?)], _ access: WriteAccess, asOf now: SharedCounters.Stamp
    ) throws -> (mark: PreferencesMark, refused: Int) {
        var refused = 0
        var changes: [(name: String, value: PropertyValue?)] = []
        for (name, bytes) in wanted {
            let value = bytes.flatMap { Self.value(ofSynced: $0, for: name) }
            guard (value == nil) == (bytes == nil), try !isDamaged(name, access, asOf: now) else {
                refused += 1
                continue
            }
            changes.append((name, value))
        }
        if !changes.isEmpty { _ = try write(changes, access, asOf: now) }
        return (try Self.mark(access.reading), refused)
    }

    /// Sync never overwrites a damaged row: only the user does.
    private func isDamaged(_ name: String, _ access: WriteAccess, asOf now: SharedCounters.Stamp) throws -> Bool {
        try store.withCurrentCache(access.reading, asOf: now) { cache in
            if case .corrupt = try cache.entry(try cache.tag(name, EntryTable.hash(name)), in: access.reading) {
                return true
            }
            return false
        }
    }

    private func synced(
        _ access: ReadAccess, after mark: PreferencesMark, asOf now: SharedCounters.Stamp, _ isWanted: (String) -> Bool
    ) throws -> SyncedPreferences {
        var found = SyncedPreferences(
            mark: try Self.mark(access), isContinued: try Self.isContinued(access, after: mark))
        try store.withCurrentCache(access, asOf: now) { cache in
            try access.rows("SELECT tag, sequence, sealed, removed FROM preference") { row in
                let place = SealedPreference.RowHeader(
                    tag: try row.bytes(0) ?? [], sequence: row.integer(1), isRemoved: row.integer(3) != 0)
                do {
                    let opened = try cache.open(try row.bytes(2) ?? [], place)
                    guard isWanted(opened.name) else { return true }
                    found.rows[Array(opened.name.utf8)] = SyncedPreference(
                        name: opened.name, value: opened.value?.bytes, sequence: place.sequence)
                } catch is SealingError { found.damaged += 1 }
                return true
            }
        }
        return found
    }

    private static func mark(_ access: ReadAccess) throws -> PreferencesMark {
        var mark = PreferencesMark.none
        try access.rows("SELECT sequence, tag, origin FROM change ORDER BY sequence DESC LIMIT 1") { row in
            mark = PreferencesMark(
                sequence: row.integer(0), bytes: (try row.bytes(1) ?? []) + (try row.bytes(2) ?? []))
            return false
        }
        return mark
    }

    /// The log of changes is truncated: if it doesn't reach back to the mark, more than 4,096 changes followed it.
    private static func isContinued(_ access: ReadAccess, after mark: PreferencesMark) throws -> Bool {
        guard mark.sequence > 0 else { return true }
        var oldest: (sequence: Int64, bytes: [UInt8])?
        try access.rows(
            "SELECT sequence, tag, origin FROM change WHERE sequence >= ? ORDER BY sequence LIMIT 1",
            arguments: [.integer(mark.sequence)]
        ) { row in
            oldest = (row.integer(0), (try row.bytes(1) ?? []) + (try row.bytes(2) ?? []))
            return false
        }
        guard let oldest else { return false }
        return oldest.sequence > mark.sequence || oldest.bytes == mark.bytes
    }
}

extension PropertyValue {
    fileprivate var bytes: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}
