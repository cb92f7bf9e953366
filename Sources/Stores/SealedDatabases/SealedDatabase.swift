// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SecretMemory

/// A database of sealed rows (Documentation/Formats/Keychain.md, part 1). There is one object per file and process, for
/// any thread.
///
/// Readers run beside one writer. An access is valid only inside its closure, which must not begin another call on the
/// same database.
package final class SealedDatabase: Sendable {
    package let kind: DatabaseKind
    let keybag: Keybag
    let connections: Connections
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
    /// The copy of the files as they were before their state was accepted; nil if nothing was given up.
    package let copyBeforeAcceptance: String?
    /// When the file's age was last checked, on a coarse clock.
    let lastLookAtAge = Locked<Int64>(-1_000_000_000)
    /// Whether a write since the last count deleted something.
    private let hasDeleted = SharedNumber(0)

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
        copyBeforeAcceptance = acceptingRestoredCopy ? try Self.keepCopy(kind, of: home) : nil
        let kind = kind.located(in: home)
        self.kind = kind
        keybag = home.keybag
        patience = Patience()
        self.isRelaxed = isRelaxed
        record = home.record(of: kind.changes, kind.applicationID, kind.fileName)
        let fresh = try home.keybag.freshState(of: kind.fileName)
        let bound = [try record.known()?.revision, fresh.map { Int64(clamping: $0.number) }].compactMap(\.self).max()
        if !acceptingRestoredCopy { try Self.refuseIfLost(kind, home: home, bound: bound) }
        try home.prepareFile(kind.fileName)
        let path = try Self.path(of: kind, home)
        self.path = path
        let beside = home.filesBeside(kind.fileName)
        try beside.check()
        let patience = patience
        connections = Connections(
            reader: { isFirst in
                try Self.openReader(kind, path: path, beside: beside, patience: isFirst ? patience : nil)
            },
            writer: {
                try patience.untilFree {
                    try Self.openWriter(kind, path: path, beside: beside, patience: patience, isRelaxed: isRelaxed)
                }
            })
        try withFailures {
            try patience.untilFree { try setUp(acceptingRestoredCopy ? Acceptance(bound: bound) : nil, bound) }
            if let fresh, !acceptingRestoredCopy { try refuseIfOther(than: fresh) }
        }
        keybag.register(fresh: self)
    }

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
            try connections.read { connection in
                try connection.inSnapshot { try body(reading(connection, from: floor)) }
            }
        }
    }

    /// Reads with one statement, which is consistent by itself and needs no transaction.
    package func readOnce<R>(_ body: (ReadAccess) throws -> R) throws -> R {
        try refuseOtherProcess()
        try checkFileBeneath()
        let floor = seen.revision
        return try withFailures { try connections.read { try body(reading($0, from: floor)) } }
    }

    /// `floor`: the number of writes seen before the snapshot began, which it must contain; nil if it is
    /// compared elsewhere.
    func reading(_ connection: Connection, from floor: Int64? = nil) -> ReadAccess {
        ReadAccess(connection: connection) { [self] in try checkWhatChanged($0, floor) }
    }

    /// Runs `body` in one immediate transaction: all of it or nothing, durable on return. Waits for other writers.
    ///
    /// If another process changes the keybag at the same time, `body` is rolled back and runs again.
    /// `committed` is called after the commit, before other processes are notified.
    package func write<R>(committed: () -> Void = {}, _ body: (WriteAccess) throws -> R) throws -> R {
        try refuseOtherProcess()
        let result = try withFailures {
            try againWhileKeybagMoves { generation in
                try connections.write { try commit(on: $0, generation, body) }
            }
        }
        committed()
        keybag.countChange(kind.changes)
        keybag.countWrite(deleting: hasDeleted.exchange(0) != 0)
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

    private func commit<R>(
        on connection: Connection, _ generation: UInt64, _ body: (WriteAccess) throws -> R
    ) throws -> R {
        var end: WriteAccess.End?
        var keys: KeysName?
        let result = try connection.immediately {
            try checkWhatChanged(connection, nil)
            try checkFileBeneath()
            // No other process writes from here on, so the checked state remains valid.
            let reading = ReadAccess(connection: connection) { _ in }
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
            hasDeleted.value = 1
            purge(connection)
        } else {
            checkpointByAge(connection)
        }
        recheckFileBeneath()
        return result
    }

    /// Returns once every write that has begun has ended.
    /// Until a write ends, which waits for the disk, its data is in the file but not visible. A reader that is notified
    /// of the change would look too early.
    package func awaitWriters() throws {
        try refuseOtherProcess()
        try withFailures { try connections.write { try $0.immediately {} } }
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
