// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Reads inside one snapshot. Valid inside the closure that it is given to, on its thread alone.
package struct ReadAccess {
    let database: Database

    /// Runs a query and hands each row to `body` until it answers false. The statement is prepared once per connection.
    package func rows(_ sql: String, _ arguments: [SQLValue] = [], _ body: (SQLRow) throws -> Bool) throws {
        try RawStatement(try database.cachedStatement(sql: sql)).rows(arguments, body)
    }

    /// The number in the first column of the first row; nil without a row.
    package func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
        var found: Int64?
        try rows(sql, arguments) { row in
            found = row.optionalInteger(0)
            return false
        }
        return found
    }
}

/// Reads and writes inside one immediate transaction.
package final class WriteAccess {
    package let reading: ReadAccess
    /// The keybag's generation that this transaction was checked against.
    package let keybagGeneration: UInt64
    private(set) var wantsPurge = false
    private(set) var foundNoRetiredKey = false

    init(_ reading: ReadAccess, keybagGeneration: UInt64) {
        self.reading = reading
        self.keybagGeneration = keybagGeneration
    }

    /// Runs a statement that returns no rows; how many rows it changed.
    @discardableResult
    package func execute(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int {
        do {
            // GRDB's way to bind and run costs more than what SQLite does for a row.
            try reading.rows(sql, arguments) { _ in true }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw ConstraintViolation()
        }
        return reading.database.changesCount
    }

    /// Runs a statement that returns no rows once for each row of arguments. For many rows: finding the statement costs a tenth of a write.
    package func execute(_ sql: String, each rows: [[SQLValue]]) throws {
        let statement = RawStatement(try reading.database.cachedStatement(sql: sql))
        do {
            for row in rows { try statement.rows(row) { _ in true } }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw ConstraintViolation()
        }
    }

    /// The row id of the last insertion.
    package var lastInsertedRow: Int64 { reading.database.lastInsertedRowID }

    /// What this transaction deletes or replaces must be in no file any more, the WAL included (Keychain.md, "Purge").
    package func purgeAfterCommit() { wantsPurge = true }

    /// This transaction saw that no row is under a retired class key: remembered for this generation of the keybag.
    package func noteNoRetiredKey() { foundNoRetiredKey = true }
}

/// A value that must be unique is there already, or a column has a value that its table does not allow.
package struct ConstraintViolation: Error {}
