// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

/// One open file of preferences with its cache, shared by all `Preferences` objects of a home.
final class PreferencesStore: Sendable {
    let domain: Preferences.Domain
    let database: SealedDatabase
    let cache = Locked(PreferencesCache())
    // Not the home: it holds this object.
    let keybag: Keybag
    private let counters: SharedCounters

    init(_ domain: Preferences.Domain, durability: Preferences.Durability, home: Home) throws {
        self.domain = domain
        database = try SealedDatabase(domain.database, of: home, isRelaxed: durability == .relaxed)
        keybag = home.keybag
        counters = SharedCounters(home.keybag, domain.counter)
    }

    var stamp: SharedCounters.Stamp { counters.stamp }

    func forget() { cache.withLock { $0.reset() } }

    /// The cached entry of a name, if nothing changed since it was read.
    @inline(__always)
    func kept(_ name: String, _ hash: Int) -> EntryTable.Entry {
        let now = counters.stamp
        return cache.withLock { cache in
            guard cache.stamp == now, cache.deadline == nil || !keybag.isPast(cache.deadline) else { return .unread }
            return cache.values.entry(name, hash)
        }
    }

    func load(_ name: String, _ hash: Int) throws(PreferencesError) -> EntryTable.Entry {
        try Preferences.checkName(name)
        return try withStoreKey(name) {
            let now = stamp
            return try database.read { access in
                try withCurrentCache(access, asOf: now) { cache in
                    let tag = try cache.tag(name, hash)
                    let entry = try cache.entry(tag, in: access)
                    cache.keep(entry, name: name, hash: hash, tag: tag)
                    return entry
                }
            }
        }
    }

    /// All values, from one snapshot. Damaged rows are left out and counted. `removed` is stored in plaintext, so it is
    /// not trusted before the row is opened.
    func loadAll() throws(PreferencesError) -> (values: [String: PropertyValue], damaged: Int) {
        try withStoreKey(nil) {
            let now = stamp
            return try database.read { access in
                try withCurrentCache(access, asOf: now) { cache in
                    var values: [String: PropertyValue] = [:]
                    var damaged = 0
                    try access.rows("SELECT tag, sequence, sealed, removed FROM preference") { row in
                        let place = SealedPreference.RowHeader(
                            tag: try row.bytes(0) ?? [], sequence: row.integer(1), isRemoved: row.integer(3) != 0)
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

    /// Runs `body` with a cache, including its keys, that matches the snapshot of `access`.
    ///
    /// `now` was read before the snapshot: a change between the two is looked up once more, and never missed. `newest`
    /// is the highest sequence in the snapshot, if known. The cache's lock is taken inside the snapshot and covers only
    /// SQLite calls on this connection, so there is no lock-order problem.
    func withCurrentCache<R>(
        _ access: ReadAccess, asOf now: SharedCounters.Stamp, newest: Int64? = nil,
        _ body: (inout PreferencesCache) throws -> R
    ) throws -> R {
        try cache.withLock { cache in
            let isOver = cache.deadline != nil && keybag.isPast(cache.deadline)
            let newest = try newest ?? access.revision()
            if cache.stamp?.generation != now.generation || cache.stamp?.leaves != now.leaves || isOver {
                cache.reset()
                // Read before the keys: a deadline set in between invalidates them by the leave count.
                let deadline = domain == .device ? nil : try keybag.firstUnlockDeadline()
                cache.keys = StoreKeys?.some(try openKeys(access))
                cache.deadline = deadline
                cache.lastSequence = newest
            } else {
                try cache.catchUp(access, newest)
            }
            cache.stamp = now
            return try body(&cache)
        }
    }

    func wrappedKey(_ access: ReadAccess) throws -> WrappedKey? {
        var wrapped: WrappedKey?
        try access.rows("SELECT class_key, wrapped FROM store WHERE id = 0") { row in
            wrapped = WrappedKey(
                keyClass: domain.keyClass,
                classKeyID: ClassKeyID(UInt64(bitPattern: row.integer(0))), bytes: try row.bytes(1) ?? [])
            return false
        }
        return wrapped
    }

    private func openKeys(_ access: ReadAccess) throws -> StoreKeys {
        guard let wrapped = try wrappedKey(access) else { throw StoreKeyMissing() }
        do {
            return try StoreKeys(storeKey: try keybag.unwrap(wrapped), applicationID: domain.applicationID)
        } catch let error as DataProtectionError where error.code == .damaged {
            throw PreferencesError(
                .wrongKey,
                "\(path) was made with another keybag, or its key is damaged; nothing was changed",
                cause: error)
        } catch let error as DataProtectionError where error.code == .keyDestroyed {
            throw PreferencesError(
                .keyDestroyed,
                "the class key that \(path) was protected with was destroyed: the keybag is another one than it was written with; put keybag and epoch back "
                    + "from the same backup as this file, or give up these preferences: move \(path), \(path)-wal and \(path)-shm away, "
                    + "and run: \(keybag.acceptCommand)",
                cause: error)
        }
    }

    /// The path of the file in messages.
    private var path: String { "\(keybag.folderPath)/\(domain.fileName)" }

    /// Creates the store key, at the first call after an unlock, because wrapping it needs the class key.
    private func makeStoreKey() throws {
        let key = try SecretBytes.random(count: 32)
        try database.write { access in
            guard try access.reading.integer("SELECT 1 FROM store WHERE id = 0") == nil else { return }
            // The store key shows whether the class key is the right one, so it is created only once.
            guard !access.countsRows else {
                throw PreferencesError(
                    .wrongKey, "\(path) has lost its key and can't be read; put the file back from a backup")
            }
            // Wrapped here, so that the class key belongs to the transaction's keybag.
            let wrapped = try keybag.wrap(key, for: domain.keyClass)
            try access.execute(
                "INSERT INTO store (id, class_key, wrapped) VALUES (0, ?, ?)",
                [.bits(wrapped.classKeyID.value), .blob(wrapped.bytes)], expecting: 1)
        }
    }

    func withStoreKey<R>(_ name: String?, _ body: () throws -> R) throws(PreferencesError) -> R {
        try PreferencesError.mapping(about: name) {
            do {
                do { return try body() } catch is StoreKeyMissing {
                    try makeStoreKey()
                    return try body()
                }
            } catch is SealingError {
                throw PreferencesError(.damaged, "\(path) is damaged; run: zamok doctor", key: name)
            }
        }
    }
}

struct StoreKeyMissing: Error {}

extension PreferencesStore: KeyRewrapper {
    var name: String { domain == .device ? "settings of the app" : "preferences" }
    var fileInHome: String { domain.fileName }

    /// Only the store key is wrapped under a class key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        if try database.isRewrapped() { return false }
        return try database.write { access in
            if let old = try wrappedKey(access.reading), keybag.isRetired(old.classKeyID) {
                let new = try keybag.wrap(try keybag.unwrap(old), for: domain.keyClass)
                _ = try access.execute(
                    "UPDATE store SET class_key = ?, wrapped = ? WHERE id = 0",
                    [.bits(new.classKeyID.value), .blob(new.bytes)])
                access.purgeAfterCommit()
            }
            access.noteNoRetiredKey()
            return false
        }
    }

    func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        try database.write { access in
            guard let wrapped = try wrappedKey(access.reading), keybag.isRetired(wrapped.classKeyID) else { return [] }
            return [wrapped.classKeyID]
        }
    }

    /// Rewraps the store key if a passcode change left it under a retired key. If that fails now, the next
    /// opener continues.
    func rewrapWhenOpened() {
        keybag.settleIfAllStoresAreOpen(orHasToRewrap: try !database.isRewrapped())
    }
}
