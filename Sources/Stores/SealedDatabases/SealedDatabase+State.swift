// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory

/// The content of the table `state` (Keychain.md).
struct DatabaseState: Equatable, Sendable {
    var home: [UInt8]
    var generation: UInt64
    /// The keybag's generation whose retired class keys no row uses.
    var rewrappedGeneration: UInt64
    /// The number of writes to rows so far; each has its own number.
    var revision: Int64 = 0
    var rows = RowTotals()
    /// Raised by every purging transaction; 0 if no purge is due.
    var purge: Int64 = 0
    var isPurgeDue: Bool { purge != 0 }

    /// A number that no honest writer reaches, with enough room below the maximum of Int64 for additions.
    static let lastRevision: Int64 = 1 << 62

    mutating func raisePurge() { purge = (0..<Self.lastRevision).contains(purge) ? purge + 1 : 1 }
}

/// The state as it was last opened, so that a transaction compares bytes instead of opening it again.
struct KnownState: Sendable {
    var sealed: [UInt8] = []
    var state: DatabaseState?
}

extension SealedDatabase {
    static let stateSchema =
        "CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 0), revision INTEGER NOT NULL, sealed BLOB NOT NULL, purge INTEGER NOT NULL) STRICT"

    /// The tables of every sealed database.
    static let ownSchema = [stateSchema, Sentinels.schema]

    /// `revision`: where counting begins, above every number that was ever used.
    func makeState(_ connection: Connection, _ generation: UInt64, revision: Int64) throws {
        var state = DatabaseState(home: keybag.homeIdentifier, generation: generation, rewrappedGeneration: generation)
        state.revision = revision
        try connection.run(
            "INSERT INTO state (id, revision, sealed, purge) VALUES (0, ?, ?, 0)",
            [.integer(state.revision), .blob(try seal(state))])
    }

    /// The state, as a write transaction would begin with it: with the generation of a newer keybag.
    /// Refuses a database of another home, one put back to an older state, and a keybag older than the one this
    /// database has seen.
    /// `generation`: the keybag's, verified before the transaction began.
    func currentState(
        _ access: ReadAccess, _ generation: UInt64, accepting: Acceptance? = nil
    ) throws -> (stored: DatabaseState, current: DatabaseState) {
        guard keybag.generation == generation else { throw KeybagMoved() }
        let stored = try readState(access)
        var state = stored
        try refuseOtherHome(state)
        if generation < state.generation {
            guard accepting != nil else { throw restoredCopy }
            state.rewrappedGeneration = 0
        }
        state.generation = generation
        guard let accepting else {
            guard state.revision >= seen.revision else { throw lost(state.revision) }
            return (stored, state)
        }
        try accept(access, acceptance: accepting, state: &state)
        return (stored, state)
    }

    /// Checks the state. Returns whether nothing has to be written.
    func checkStateWithoutWriting(_ generation: UInt64) throws -> Bool {
        try connections.read { connection in
            let (stored, state) = try currentState(reading(connection), generation)
            seen.raise(to: state.revision)
            return state == stored && !state.isPurgeDue
        }
    }

    private func refuseOtherHome(_ state: DatabaseState) throws {
        guard state.home == keybag.homeIdentifier else {
            throw DataProtectionError(.damaged, "\(kind.shown) belongs to another home; put the right one back")
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
            "the keybag beside \(kind.shown) is older than \(kind.fileName): a copy was put back; if that was you, run: \(kind.acceptCommand)"
        )
    }

    /// `inside`: whether another statement, perhaps this one, is on a row. This one then needs its own text.
    func readState(_ access: ReadAccess, inside: Bool = false) throws -> DatabaseState {
        var columns: (sealed: [UInt8], revision: Int64, purge: Int64)?
        let text = "SELECT sealed, revision, purge FROM state WHERE id = 0"
        try access.rows(inside ? text + " LIMIT 1" : text) { row in
            columns = (try row.bytes(0) ?? [], row.integer(1), row.integer(2))
            return false
        }
        guard let columns, (0...DatabaseState.lastRevision).contains(columns.revision) else { throw damagedState }
        let known = known.withLock { $0.sealed == columns.sealed ? $0.state : nil }
        if var known, known.revision == columns.revision {
            known.purge = columns.purge
            return known
        }
        var state = try open(columns.sealed, columns.revision)
        state.purge = columns.purge
        remember(columns.sealed, state)
        return state
    }

    /// `sealed`: the result of `seal`, if it was already computed.
    func writeState(_ state: DatabaseState, _ access: WriteAccess, sealed: [UInt8]? = nil) throws {
        let sealed = try sealed ?? seal(state)
        try access.execute(
            "UPDATE state SET sealed = ?, revision = ?, purge = ? WHERE id = 0",
            [.blob(sealed), .integer(state.revision), .integer(state.purge)], expecting: 1)
        remember(sealed, state)
    }

    private func remember(_ sealed: [UInt8], _ state: DatabaseState) {
        known.withLock { $0 = KnownState(sealed: sealed, state: state) }
    }

    // MARK: Sealing

    private var damagedState: DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(kind.shown) does not open: it is damaged, or the device secret is not the one it was made with"
        )
    }

    func seal(_ state: DatabaseState) throws -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.append(state.home)
        writer.integer(state.generation)
        writer.integer(state.rewrappedGeneration)
        state.rows.append(to: &writer)
        return try withStateKey(state.revision) { key in
            try ChunkCipher.with(key) {
                try $0.envelope(writer.bytes, authenticating: associatedData(state.revision))
            }
        }
    }

    func open(_ sealed: [UInt8], _ revision: Int64) throws -> DatabaseState {
        do {
            let plaintext = try withStateKey(revision) {
                try Seal.open(sealed, under: $0, authenticating: associatedData(revision))
            }
            guard let bytes = try plaintext.exposingBytes(0..<plaintext.count) else { throw damagedState }
            var reader = ByteReader(bytes)
            var state = DatabaseState(
                home: try reader.read(16), generation: try reader.integer(), rewrappedGeneration: try reader.integer()
            )
            state.rows = try RowTotals(&reader)
            state.revision = revision
            try reader.end()
            return state
        } catch is SealingError {
            throw damagedState
        }
    }

    private func associatedData(_ revision: Int64) -> [UInt8] {
        bigEndianBytes(kind.applicationID) + bigEndianBytes(UInt32(kind.version)) + bigEndianBytes(revision)
    }

    /// The key changes every 2^31 writes, because the nonces are random.
    private func withStateKey<R: ~Copyable>(
        _ revision: Int64, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R {
        let context = bigEndianBytes(kind.applicationID) + bigEndianBytes(revision >> 31)
        return try keybag.metadataKey(of: .none).derived(.databaseState, context).withSecretBytes(body)
    }
}
