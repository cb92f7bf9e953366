// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabase
import Sealing
import SecretMemory

/// The table rows below the calls: keys, reading, catching up with other processes, writing.
extension Preferences {
    /// The value of a name in the store, registered defaults left out; nil if it has none.
    func stored(_ name: String) throws(PreferencesError) -> PropertyValue? {
        let now = stamp
        let kept = cache.withLock { $0.stamp == now ? $0.values[name] : nil }
        let entry = if let kept { kept } else { try load(name) }
        switch entry {
        case .value(let value): return value
        case .absent: return nil
        case .corrupt:
            throw PreferencesError(
                .corrupt, "this preference is damaged, the others are not; run: zamok doctor", key: name)
        }
    }

    private func load(_ name: String) throws(PreferencesError) -> PreferencesCache.Entry {
        try Self.checkName(name)
        return try withFailures(name) {
            let now = stamp
            return try database.read { access in
                try withKeys(access, asOf: now) { cache in
                    let tag = try cache.tag(name)
                    let entry = try cache.entry(tag, in: access)
                    cache.values[name] = entry
                    cache.names[tag] = name
                    return entry
                }
            }
        }
    }

    /// Everything, out of one snapshot. Damaged rows are left out and counted.
    func loadAll() throws(PreferencesError) -> (values: [String: PropertyValue], damaged: Int) {
        try withFailures(nil) {
            let now = stamp
            return try database.read { access in
                try withKeys(access, asOf: now) { cache in
                    var values: [String: PropertyValue] = [:]
                    var damaged = 0
                    try access.rows("SELECT tag, sequence, sealed FROM preference WHERE removed = 0") { row in
                        let place = SealedPreference.Place(
                            tag: try row.bytes(0) ?? [], sequence: row.integer(1), isRemoved: false)
                        do {
                            let opened = try cache.open(try row.bytes(2) ?? [], place)
                            values[opened.name] = opened.value
                        } catch is SealingError { damaged += 1 }
                        return true
                    }
                    return (values, damaged)
                }
            }
        }
    }

    /// Runs `body` with the keys and with a cache that is right for the snapshot of `access`. `now` was read before the snapshot: a change
    /// that falls between the two is then looked for once more, and never missed.
    ///
    /// The cache's lock is taken inside the snapshot and calls nothing but SQLite on this connection, so that no order of locks arises.
    func withKeys<R>(
        _ access: ReadAccess, asOf now: SharedCounters.Stamp, _ body: (inout PreferencesCache) throws -> R
    ) throws -> R {
        try cache.withLock { cache in
            if cache.stamp?.generation != now.generation || cache.stamp?.leaves != now.leaves {
                cache.reset()
                cache.keys = StoreKeys?.some(try openKeys(access))
                cache.lastSequence = try access.integer("SELECT max(sequence) FROM change") ?? 0
            } else {
                try cache.catchUp(access)
            }
            cache.stamp = now
            return try body(&cache)
        }
    }

    private func openKeys(_ access: ReadAccess) throws -> StoreKeys {
        var wrapped: WrappedKey?
        try access.rows("SELECT class_key, wrapped FROM store WHERE id = 0") { row in
            wrapped = WrappedKey(
                keyClass: PreferencesSchema.keyClass,
                classKeyID: ClassKeyID(UInt64(bitPattern: row.integer(0))), bytes: try row.bytes(1) ?? [])
            return false
        }
        guard let wrapped else { throw StoreKeyMissing() }
        do {
            return try StoreKeys(storeKey: try home.keybag.unwrap(wrapped))
        } catch let error as DataProtectionError where error.code == .damaged {
            throw PreferencesError(
                .wrongKey, "preferences.db was made with another keybag, or its key is damaged; nothing was changed",
                cause: error)
        }
    }

    /// The store key is made at the first call after an unlock, because wrapping it needs the class key.
    private func makeStoreKey() throws {
        let key = try SecretBytes.random(count: 32)
        let wrapped = try home.keybag.wrap(key, for: PreferencesSchema.keyClass)
        try database.write { access in
            _ = try access.execute(
                "INSERT OR IGNORE INTO store (id, class_key, wrapped) VALUES (0, ?, ?)",
                [.bits(wrapped.classKeyID.value), .blob(wrapped.bytes)])
        }
    }

    func withFailures<R>(_ name: String?, _ body: () throws -> R) throws(PreferencesError) -> R {
        do {
            do { return try body() } catch is StoreKeyMissing {
                try makeStoreKey()
                return try body()
            }
        } catch {
            throw PreferencesError(translating: error, key: name)
        }
    }

    static func checkName(_ name: String) throws(PreferencesError) {
        guard (1...PreferencesSchema.nameLimit).contains(name.utf8.count) else {
            throw PreferencesError(.invalidArgument, "the name of a preference has 1 to 4,096 bytes")
        }
    }
}

struct StoreKeyMissing: Error {}

extension PreferencesCache {
    func tag(_ name: String) throws -> [UInt8] { try withKeys { try $0.tag(name) } }

    func open(_ sealed: [UInt8], _ place: SealedPreference.Place) throws -> SealedPreference.Opened {
        try withKeys { try $0.open(sealed, place) }
    }

    func seal(_ row: SealedPreference.Opened, _ place: SealedPreference.Place) throws -> [UInt8] {
        try withKeys { try $0.seal(row, place) }
    }

    private func withKeys<R>(_ body: (borrowing StoreKeys) throws -> R) throws -> R {
        switch keys {
        case .some(let keys): try body(keys)
        case .none: throw StoreKeyMissing()
        }
    }

    func entry(_ tag: [UInt8], in access: ReadAccess) throws -> Entry {
        var row: (place: SealedPreference.Place, sealed: [UInt8])?
        try access.rows("SELECT sequence, removed, sealed FROM preference WHERE tag = ?", [.blob(tag)]) { columns in
            let place = SealedPreference.Place(
                tag: tag, sequence: columns.integer(0), isRemoved: columns.integer(1) != 0)
            row = (place, try columns.bytes(2) ?? [])
            return false
        }
        guard let row else { return .absent }
        do {
            return try open(row.sealed, row.place).value.map { .value($0) } ?? .absent
        } catch is SealingError { return .corrupt }
    }

    /// Drops what other stores changed since; all of it when the log no longer reaches back.
    mutating func catchUp(_ access: ReadAccess) throws {
        let newest = try access.integer("SELECT max(sequence) FROM change") ?? 0
        guard newest != lastSequence else { return }
        let oldest = try access.integer("SELECT min(sequence) FROM change") ?? 0
        guard newest > lastSequence, oldest <= lastSequence + 1 else { return forgetValues(lastSequence: newest) }
        try access.rows("SELECT tag FROM change WHERE sequence > ?", [.integer(lastSequence)]) { row in
            if let tag = try row.bytes(0), let name = names[tag] { values[name] = nil }
            return true
        }
        lastSequence = newest
    }
}
