// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// One preference as sync sees it.
package struct SyncedPreference: Sendable {
    package let name: String
    /// The bytes of its value, which are the same in every home; nil: it was removed.
    package let value: [UInt8]?
    /// The number of the change that wrote it.
    package let sequence: Int64
}

/// The last change of a store, by which it is known again: a file that was put back, or made anew, has another one under that number.
package struct PreferencesMark: Hashable, Sendable {
    /// Bytes of a mark: the tag of the preference, and who changed it.
    package static let size = 24

    /// 0: nothing was ever changed.
    package let sequence: Int64
    package let bytes: [UInt8]

    package init(sequence: Int64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }

    package static let none = PreferencesMark(sequence: 0, bytes: [UInt8](repeating: 0, count: size))
}

/// What sync reads of a store in one snapshot.
package struct SyncedPreferences: Sendable {
    /// Those that were asked for, by the bytes of their names; without those that are damaged.
    package fileprivate(set) var rows: [[UInt8]: SyncedPreference] = [:]
    package fileprivate(set) var damaged = 0
    package let mark: PreferencesMark
    /// Whether the store is the one that had the mark that was given, and went on from there.
    package let isContinued: Bool
}

extension Preferences {
    /// The bytes of a value as it travels: those that are stored. Nil for what is no value, or not the one form of it.
    package static func value(ofSynced bytes: [UInt8], for name: String) -> PropertyValue? {
        var reader = ByteReader(bytes)
        guard let value = try? PropertyValue.decode(from: &reader), reader.remaining == 0, value.bytes == bytes,
            refusal(of: value, name) == nil
        else { return nil }
        return value
    }

    /// The last change. `afterWriters`: one that is being written is waited for.
    package func mark(afterWriters: Bool = false) throws(PreferencesError) -> PreferencesMark {
        try store.withStoreKey(nil) {
            if afterWriters { try store.database.awaitWriters() }
            return try store.database.readOnce { try Self.mark($0) }
        }
    }

    /// What is there of the names that are wanted, in one snapshot.
    package func synced(
        after mark: PreferencesMark, _ isWanted: (String) -> Bool
    ) throws(PreferencesError) -> SyncedPreferences {
        try store.withStoreKey(nil) {
            let now = store.stamp
            return try store.database.read { try synced($0, after: mark, asOf: now, isWanted) }
        }
    }

    /// As ``synced(after:_:)``, in a transaction in which `body` says what is to be changed, names with their bytes, none for those that are to be removed; what it
    /// throws is thrown, and nothing is changed then. The mark after it, and how many were left out, since what is there under their names is damaged.
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
        // What is kept in memory is read again where it was changed.
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

    /// Nothing is written over what is damaged: only a person does that.
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
                let place = SealedPreference.Place(
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

    /// The log of changes is shortened: where it doesn't reach back to the mark, more than 4,096 came after it.
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
