// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing

/// The in-memory state of a store.
struct PreferencesCache: ~Copyable, Sendable {
    /// The counters in the shared page when `values` was current.
    var stamp: SharedCounters.Stamp?
    /// When the keys, and with them the whole cache, become invalid, on the boot clock. `nil`: only the
    /// counters decide.
    var deadline: UInt64?
    var values = EntryTable()
    /// Names by tag, to find the name of a change by another process.
    private var names: [[UInt8]: String] = [:]
    var lastSequence: Int64 = 0
    var keys: StoreKeys?

    mutating func reset() { self = PreferencesCache() }

    mutating func keep(_ entry: EntryTable.Entry, name: String, hash: Int, tag: [UInt8]) {
        if values.tag(name, hash) == nil { names[tag] = name }
        values.set(entry, name: name, hash: hash, tag: tag)
    }

    /// Drops values that other stores changed since; all values if the log no longer reaches back.
    mutating func catchUp(_ access: ReadAccess, _ newest: Int64) throws {
        guard newest != lastSequence else { return }
        var followed: Int64 = 0
        if newest > lastSequence {
            try access.rows("SELECT tag FROM change WHERE sequence > ?", arguments: [.integer(lastSequence)]) { row in
                if let tag = try row.bytes(0), let name = names[tag] { values.forget(name) }
                followed += 1
                return true
            }
        }
        if followed != newest - lastSequence {
            // Too many changes to follow, or the log is incomplete.
            values = EntryTable()
            names.removeAll()
        }
        lastSequence = newest
    }

    // MARK: Keys

    func tag(_ name: String, _ hash: Int) throws -> [UInt8] {
        try values.tag(name, hash) ?? withKeys { try $0.tag(name) }
    }

    func open(_ sealed: [UInt8], _ place: SealedPreference.RowHeader) throws -> SealedPreference.Opened {
        try withKeys { try $0.open(sealed, place) }
    }

    func seal(_ rows: [(row: SealedPreference.Opened, place: SealedPreference.RowHeader)]) throws -> [[UInt8]] {
        try withKeys { try $0.seal(rows) }
    }

    func entry(_ tag: [UInt8], in access: ReadAccess) throws -> EntryTable.Entry {
        var row: (place: SealedPreference.RowHeader, sealed: [UInt8])?
        try access.rows("SELECT sequence, removed, sealed FROM preference WHERE tag = ?", arguments: [.blob(tag)]) {
            columns in
            let place = SealedPreference.RowHeader(
                tag: tag, sequence: columns.integer(0), isRemoved: columns.integer(1) != 0)
            row = (place, try columns.bytes(2) ?? [])
            return false
        }
        guard let row else { return .absent }
        do {
            return try open(row.sealed, row.place).value.map { .value($0) } ?? .absent
        } catch is SealingError { return .corrupt }
    }

    private func withKeys<R>(_ body: (borrowing StoreKeys) throws -> R) throws -> R {
        switch keys {
        case .some(let keys): try body(keys)
        case .none: throw StoreKeyMissing()
        }
    }
}
