// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import GRDB
import SecretMemory
import Synchronization

/// A database of sealed rows (Documentation/Formats/Keychain.md, part 1). There is one object per file and process, for
/// any thread.
///
/// Readers run beside one writer. An access is valid only inside its closure, which must not begin another call on the
/// same database.
package final class SealedDatabase: Sendable {
    package let kind: DatabaseKind
    let keybag: Keybag
    private let reader: SingleReader
    private let openPool: @Sendable () throws -> DatabasePool
    /// Opened by the first write, and by the first read that finds the single reader in use.
    /// A process that looks one item up and exits, such as the command, needs one connection (measured: 0.9 ms).
    private let opened = Locked<DatabasePool?>(nil)
    let patience: Patience
    private let owner = ThisProcess.identifier
    /// The result of the last check; only the writer changes it.
    let known = Locked(KnownState())
    let schemas = KnownSchemas()
    let seen = SeenRevision()
    /// The keys that this database is known to accept.
    let acceptedKeys = Locked<KeysName?>(nil)
    /// What the home remembers about the file.
    let record: StoreRecord
    /// The last known state of the file beneath the log.
    let beneath = Locked(FileBeneath())
    let path: String
    let isRelaxed: Bool
    /// When the file's age was last checked, on a coarse clock.
    let lastLookAtAge = Atomic<Int64>(-1_000_000_000)
    /// Whether a write since the last count deleted something.
    private let hasDeleted = Atomic<Bool>(false)

    /// Opens the file, creates it if there is none, and checks that it belongs to this home and is not older than
    /// its keybag.
    ///
    /// Errors: `.newerFormat` (nothing is written), `.restoredCopy` unless it is accepted, `.damaged`, `.unsafeHome`,
    /// `.diskFull`, `.readOnly`, `.io`, `.notAvailable`.
    ///
    /// - Parameter acceptingRestoredCopy: Whether to accept a keybag older than the database, and a database that is
    ///   missing or older than it was.
    /// - Parameter isRelaxed: Whether writes of this object survive SIGKILL at once, but a power cut only after the
    ///   next checkpoint.
    package init(
        _ kind: DatabaseKind, of home: Home, acceptingRestoredCopy: Bool = false, isRelaxed: Bool = false
    ) throws {
        let kind = kind.located(in: home)
        self.kind = kind
        keybag = home.keybag
        patience = Patience()
        self.isRelaxed = isRelaxed
        record = home.record(of: kind.changes, kind.applicationID, kind.fileName)
        let fresh = try home.keybag.freshState(of: kind.fileName)
        let bound = [try record.lowerBound(), fresh.map { Int64(clamping: $0.number) }].compactMap(\.self).max()
        if !acceptingRestoredCopy { try Self.refuseIfLost(kind, home: home, bound: bound) }
        try home.prepareFile(kind.fileName)
        let path = try Self.path(of: kind, home)
        self.path = path
        let beside = home.filesBeside(kind.fileName)
        try beside.check()
        home.prepareLog(of: kind.fileName)
        let patience = patience
        let configuration = Self.configuration(kind, patience: patience, beside: beside)
        openPool = {
            try patience.untilFree { try Self.openPool(kind, path: path, configuration, isRelaxed: isRelaxed) }
        }
        reader = SingleReader {
            var configuration = configuration
            configuration.readonly = true
            configuration.prepareDatabase { try $0.run("PRAGMA cache_size = -\(Self.readerCacheSize)") }
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        try withFailures {
            try patience.untilFree { try setUp(acceptingRestoredCopy ? Acceptance(bound: bound) : nil, bound) }
            if let fresh, !acceptingRestoredCopy { try refuseIfOther(than: fresh) }
        }
        keybag.register(fresh: self)
    }

    deinit { reader.close() }

    /// The writer, and the readers beside it.
    func pool() throws -> DatabasePool {
        try opened.withLock { known in
            if let known { return known }
            let pool = try openPool()
            known = pool
            return pool
        }
    }

    /// In KiB. SQLite's default, 2 MiB, holds neither the rows nor the index of some thousand items.
    private static var readerCacheSize: Int { 8192 }

    /// The metadata keys for one operation.
    package func metadataKeys() throws -> MetadataKeys {
        try refuseForeignKeys()
        return try MetadataKeys(keybag, applicationID: kind.applicationID)
    }

    /// Reads with any number of statements, all in one snapshot.
    package func read<R>(_ body: (ReadAccess) throws -> R) throws -> R {
        try refuseOtherProcess()
        try checkFileBeneath()
        let floor = seen.revision
        return try withFailures {
            if let answer = try reader.readConsistently({ try body(reading($0, from: floor, reader.statements)) }) {
                return answer.value
            }
            return try pool().read { try body(reading($0, from: floor)) }
        }
    }

    /// Reads with one statement, which is consistent by itself and needs no transaction.
    package func readOnce<R>(_ body: (ReadAccess) throws -> R) throws -> R {
        try refuseOtherProcess()
        try checkFileBeneath()
        let floor = seen.revision
        return try withFailures { try readSingly { try body(reading($0, from: floor, $1)) } }
    }

    func readSingly<R>(_ body: (Database, StatementList?) throws -> R) throws -> R {
        if let answer = try reader.read({ try body($0, reader.statements) }) { return answer.value }
        return try pool().unsafeRead { try body($0, nil) }
    }

    /// `floor`: the number of writes seen before the snapshot began, which it must contain; nil if it is
    /// compared elsewhere.
    func reading(_ database: Database, from floor: Int64? = nil, _ statements: StatementList? = nil) -> ReadAccess {
        ReadAccess(database: database, statements: statements) { [self] in try checkWhatChanged($0, floor) }
    }

    /// Runs `body` in one immediate transaction: all of it or nothing, durable on return. Waits for other writers.
    ///
    /// If another process changes the keybag at the same time, `body` is rolled back and runs again.
    /// `committed` is called after the commit, before other processes are notified.
    package func write<R>(committed: () -> Void = {}, _ body: (WriteAccess) throws -> R) throws -> R {
        try refuseOtherProcess()
        let result = try withFailures {
            try againWhileKeybagMoves { generation in
                try pool().writeWithoutTransaction { try commit(on: $0, generation, body) }
            }
        }
        committed()
        keybag.countChange(kind.changes)
        keybag.countWrite(deleting: hasDeleted.exchange(false, ordering: .relaxed))
        return result
    }

    /// The keybag's lock is taken before the database's. So a transaction never waits for the keybag: it begins
    /// again instead.
    func againWhileKeybagMoves<R>(_ body: (_ generation: UInt64) throws -> R) throws -> R {
        for _ in 0..<Self.mostTries {
            do { return try body(try keybag.settledGeneration()) } catch is KeybagMoved { continue }
        }
        throw DataProtectionError(.notAvailable, "the keybag keeps changing; try again")
    }

    private static var mostTries: Int { 100 }

    private func commit<R>(on database: Database, _ generation: UInt64, _ body: (WriteAccess) throws -> R) throws -> R {
        var end: WriteAccess.End?
        var keys: KeysName?
        let result = try database.immediately {
            try checkWhatChanged(database, nil)
            try checkFileBeneath()
            // No other process writes from here on, so the checked state remains valid.
            let reading = ReadAccess(database: database) { _ in }
            let (stored, state) = try currentState(reading, generation)
            let access = WriteAccess(reading, stored: stored, state: state, store: self, keybagGeneration: generation)
            try checkKeys(access)
            let result = try body(access)
            // Keys may have been retired while `body` ran; its rows must not be sealed under them.
            guard keybag.generation == generation else { throw KeybagMoved() }
            let settled = try access.settled()
            if let sealed = settled.sealed { try writeState(settled.state, access, sealed: sealed) }
            end = settled
            keys = access.keysAreKnown ? try keybag.keysName : nil
            return result
        }
        if let keys { acceptedKeys.withLock { $0 = keys } }
        if let end { remember(end) }
        if end?.state.isPurgeDue == true {
            hasDeleted.store(true, ordering: .relaxed)
            purge(database)
        } else {
            checkpointByAge(database)
        }
        noteFileBeneath()
        return result
    }

    /// Returns once every write that has begun has ended.
    /// Until a write ends, which waits for the disk, its data is in the file but not visible. A reader that is notified
    /// of the change would look too early.
    package func awaitWriters() throws {
        try refuseOtherProcess()
        try withFailures { try pool().writeWithoutTransaction { try $0.immediately {} } }
    }

    /// SQLite's connections and locks do not survive fork.
    private func refuseOtherProcess() throws {
        guard ThisProcess.identifier == owner else {
            throw DataProtectionError(
                .forked, "\(kind.shown) was opened before fork; open the home again in the child")
        }
    }

    private func withFailures<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as DatabaseError {
            throw DataProtectionError(error, kind.shown)
        } catch let error as WriteWithoutEffect {
            throw DataProtectionError(
                .damaged, "\(kind.shown) accepted a write without doing it: it is damaged; nothing was changed",
                cause: error)
        }
    }
}

/// The keybag's generation is not the one that a transaction was prepared for.
struct KeybagMoved: Error {}
