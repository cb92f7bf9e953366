// SPDX-License-Identifier: Apache-2.0

import DataProtection
import GRDB
import Sealing
import SecretMemory

/// What the table `state` says (Keychain.md).
struct DatabaseState: Equatable, Sendable {
    var home: [UInt8]
    var generation: UInt64
    /// The keybag's generation whose retired class keys no row uses.
    var rewrappedGeneration: UInt64
    /// Raised by every purging transaction; 0: nothing is due.
    var purge: Int64 = 0
    var isPurgeDue: Bool { purge != 0 }
}

/// The state as it was last opened, so that a transaction compares bytes in place of opening them again.
struct KnownState: Sendable {
    var sealed: [UInt8] = []
    var state: DatabaseState?
}

extension SealedDatabase {
    static let stateSchema =
        "CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 0), sealed BLOB NOT NULL, purge INTEGER NOT NULL) STRICT"

    func makeState(_ database: Database, _ generation: UInt64) throws {
        try database.execute(sql: Self.stateSchema)
        let state = DatabaseState(home: keybag.homeIdentifier, generation: generation, rewrappedGeneration: generation)
        try database.execute(
            sql: "INSERT INTO state VALUES (0, ?, 0)", arguments: [SQLValue.blob(try seal(state)).databaseValue]
        )
    }

    /// Refuses a database of another home, and a keybag older than what this database has seen; tells it of a newer
    /// one. `generation`: of the keybag, verified before the transaction began.
    @discardableResult
    func checkState(
        _ access: ReadAccess, _ generation: UInt64, _ acceptingRestoredCopy: Bool = false
    ) throws -> DatabaseState {
        guard keybag.generation == generation else { throw KeybagMoved() }
        var state = try readState(access)
        try refuseOtherHome(state)
        if generation < state.generation {
            guard acceptingRestoredCopy else { throw restoredCopy }
            state.rewrappedGeneration = 0
        }
        if generation != state.generation {
            state.generation = generation
            try writeState(state, access.database)
        }
        return state
    }

    /// Whether all is well without anything to be written.
    func checkStateWithoutWriting(_ generation: UInt64) throws -> Bool {
        try readSingly { database in
            let state = try readState(ReadAccess(database: database))
            try refuseOtherHome(state)
            // What another process wrote may come from a keybag that is newer than the one verified here.
            guard keybag.generation == generation else { throw KeybagMoved() }
            if generation < state.generation { throw restoredCopy }
            return state.generation == generation && !state.isPurgeDue
        }
    }

    private func refuseOtherHome(_ state: DatabaseState) throws {
        guard state.home == keybag.homeIdentifier else {
            throw DataProtectionError(.damaged, "\(kind.fileName) belongs to another home; put the right one back")
        }
    }

    /// Whether no row is under a class key that the keybag of this generation has retired.
    package func isRewrapped() throws -> Bool {
        let generation = try keybag.settledGeneration()
        return try readOnce { try readState($0).rewrappedGeneration == generation }
    }

    private var restoredCopy: DataProtectionError {
        DataProtectionError(
            .restoredCopy,
            "the keybag is older than \(kind.fileName): a copy was put back; if that was you, run: zamok doctor --accept-restored"
        )
    }

    func readState(_ access: ReadAccess) throws -> DatabaseState {
        var columns: (sealed: [UInt8], purge: Int64)?
        try access.rows("SELECT sealed, purge FROM state WHERE id = 0") { row in
            columns = (try row.bytes(0) ?? [], row.integer(1))
            return false
        }
        guard let columns else { throw damagedState }
        if var state = known.withLock({ $0.sealed == columns.sealed ? $0.state : nil }) {
            state.purge = columns.purge
            return state
        }
        var state = try open(columns.sealed)
        state.purge = columns.purge
        remember(columns.sealed, state)
        return state
    }

    func writeState(_ state: DatabaseState, _ database: Database) throws {
        let sealed = try seal(state)
        try database.cachedStatement(sql: "UPDATE state SET sealed = ? WHERE id = 0")
            .execute(arguments: [SQLValue.blob(sealed).databaseValue])
        remember(sealed, state)
    }

    func noteRewrapped(_ state: DatabaseState, _ database: Database) throws {
        guard state.rewrappedGeneration != state.generation else { return }
        var state = state
        state.rewrappedGeneration = state.generation
        try writeState(state, database)
    }

    private func remember(_ sealed: [UInt8], _ state: DatabaseState) {
        known.withLock { $0 = KnownState(sealed: sealed, state: state) }
    }

    /// In the transaction that deletes or replaces.
    func raisePurge(_ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE state SET purge = purge + 1 WHERE id = 0").execute()
    }

    // MARK: Sealing

    private var damagedState: DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(kind.fileName) does not open: it is damaged, or the device secret is not the one it was made with"
        )
    }

    private func seal(_ state: DatabaseState) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.append(state.home)
        writer.integer(state.generation)
        writer.integer(state.rewrappedGeneration)
        let plaintext = try SecretBytes(copying: writer.bytes)
        return try withStateKey { try Seal.seal(plaintext, under: $0, authenticating: stateAssociatedData) }
    }

    private func open(_ sealed: [UInt8]) throws -> DatabaseState {
        do {
            let plaintext = try withStateKey { try Seal.open(sealed, under: $0, authenticating: stateAssociatedData) }
            guard let bytes = try plaintext.exposingBytes(0..<plaintext.count) else { throw damagedState }
            var reader = ByteReader(bytes)
            let state = DatabaseState(
                home: try reader.read(16), generation: try reader.integer(), rewrappedGeneration: try reader.integer()
            )
            try reader.end()
            return state
        } catch is SealingError {
            throw damagedState
        }
    }

    private var stateAssociatedData: [UInt8] {
        bigEndianBytes(kind.applicationID) + bigEndianBytes(UInt32(kind.version))
    }

    private func withStateKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        let key = try keybag.metadataKey(of: .none)
            .derived(.databaseState, bigEndianBytes(kind.applicationID))
        return try key.withSecretBytes(body)
    }
}
