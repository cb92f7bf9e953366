// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SecretMemory

/// Reads inside one snapshot. Valid only inside the closure that receives it, on its thread.
package struct ReadAccess {
    let connection: Connection
    /// Called after the first step of each statement.
    let check: (Connection) throws -> Void

    /// Runs a query and passes each row to `body` until it returns false. The statement is prepared once
    /// per connection.
    package func rows(_ sql: String, arguments: [SQLValue] = [], _ body: (SQLRow) throws -> Bool) throws {
        try connection.statement(sql).rows(arguments, started: { try check(connection) }, body)
    }

    /// The number in the first column of the first row; nil without a row.
    package func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
        try connection.statement(sql).integer(arguments) { try check(connection) }
    }
}

extension ReadAccess {
    /// The number of the last write to a row in this snapshot.
    package func revision() throws -> Int64 { try integer("SELECT revision FROM state WHERE id = 0") ?? 0 }
}

/// Reads and writes inside one immediate transaction.
package final class WriteAccess {
    package let reading: ReadAccess
    /// The keybag's generation that this transaction was checked against.
    package let keybagGeneration: UInt64
    private(set) var wantsPurge = false
    private let stored: DatabaseState
    private var state: DatabaseState { didSet { end = nil } }
    private var rows: RowChanges { didSet { end = nil } }
    private var end: End?
    /// Whether the database knows all keys of the keybag, so that it needs no retired key to confirm them.
    var keysAreKnown = false
    private let store: SealedDatabase

    /// `stored`: the state in the database. `state`: the state to be written, apart from the changes of
    /// this transaction.
    init(
        _ reading: ReadAccess, stored: DatabaseState, state: DatabaseState, store: SealedDatabase,
        keybagGeneration: UInt64
    ) {
        self.reading = reading
        self.stored = stored
        self.state = state
        rows = RowChanges(state.rows)
        self.store = store
        self.keybagGeneration = keybagGeneration
    }

    /// The number of the last write to a row.
    package var revision: Int64 { state.revision }

    /// Whether any row is counted.
    package var countsRows: Bool { rows.countsRows }

    /// The keys that are needed to confirm the present ones until the database knows these (Keychain.md, "Sentinels").
    package func sentinelsInUse() throws -> [ClassKeyID] {
        store.knows(self) ? [] : try Sentinels.Known(reading).marks.map(\.id)
    }

    /// The number of the next write to a row.
    package func nextRevision() throws -> Int64 {
        guard state.revision < DatabaseState.lastRevision else { throw SealedDatabase.noNumbersLeft(store.kind) }
        state.revision += 1
        return state.revision
    }

    /// Counts a row that this transaction writes (Keychain.md, "Sums").
    package func enter(_ place: RowVersion) throws { try rows.note(place, isThere: true, store.codes) }

    /// Stops counting a row that this transaction deletes or rewrites.
    package func leave(_ place: RowVersion) throws { try rows.note(place, isThere: false, store.codes) }

    /// What a transaction writes at its end.
    struct End {
        let state: DatabaseState
        /// The sealed state; nil if it has not changed.
        let sealed: [UInt8]?
        /// What the home must remember; nil for nothing.
        let note: [UInt8]?
    }

    /// The state with all changes of this transaction, in one scope for the codes and for the data that contains them.
    func settled() throws -> End {
        if let end { return end }
        return try ClearedScope.run {
            try rows.settle(store.codes)
            state.rows = rows.totals
            let isNew = state.revision != stored.revision
            let made = End(
                state: state, sealed: state == stored ? nil : try store.seal(state),
                note: isNew && !store.isRelaxed ? store.record.note(state.revision, mark: store.markBeneath) : nil)
            end = made
            return made
        }
    }

    /// Computes the end of the transaction in the caller's scope, for a body with one scope around all its row changes.
    package func settle() throws { _ = try settled() }

    /// Runs a statement that returns no rows, and returns how many rows it changed. `expecting`: how many it
    /// must change.
    @discardableResult
    package func execute(_ sql: String, _ arguments: [SQLValue] = [], expecting: Int? = nil) throws -> Int {
        let changed = try reading.connection.statement(sql).execute(arguments)
        if let expecting, changed != expecting { throw WriteWithoutEffect() }
        return changed
    }

    /// A statement for many rows. Looking it up costs a tenth of a write.
    package func prepared(_ sql: String) throws -> PreparedStatement {
        PreparedStatement(statement: try reading.connection.statement(sql))
    }

    /// The row id of the last insertion.
    package var lastInsertedRow: Int64 { reading.connection.lastInsertedRow }

    /// Requests that deleted or replaced data of this transaction is removed from all files, the WAL included
    /// (Keychain.md, "Purge").
    package func purgeAfterCommit() {
        if !wantsPurge { state.raisePurge() }
        wantsPurge = true
    }

    /// Records, for this generation of the keybag, that no row is under a retired class key.
    /// Returns false if the database still needs a retired key to tell its keys from foreign ones. An unlock and a
    /// write end that.
    @discardableResult
    package func noteNoRetiredKey() -> Bool {
        let isDone = store.knows(self)
        if isDone { state.rewrappedGeneration = keybagGeneration }
        return isDone
    }
}

/// A statement of one transaction, valid inside its closure.
package struct PreparedStatement {
    fileprivate let statement: Statement

    /// The number in the first column of the first row; nil without a row.
    package func integer(_ arguments: [SQLValue]) throws -> Int64? {
        try statement.integer(arguments)
    }

    /// Changes one row.
    package func execute(_ arguments: [SQLValue]) throws {
        guard try statement.execute(arguments) == 1 else { throw WriteWithoutEffect() }
    }
}

/// A value that must be unique already exists, or a column has a value that its table does not allow.
package struct ConstraintViolation: Error {}

/// A statement changed another number of rows than it had to: the file is inconsistent.
struct WriteWithoutEffect: Error {}
