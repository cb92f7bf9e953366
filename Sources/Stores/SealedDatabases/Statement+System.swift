// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A prepared statement, valid as long as its connection.
@safe
struct Statement {
    private let statement: OpaquePointer

    /// `isKept`: whether the statement will run often.
    init(_ text: String, on connection: OpaquePointer, isKept: Bool) throws(DatabaseError) {
        var prepared: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = unsafe sqlite3_prepare_v3(connection, text, -1, flags, &prepared, nil)
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code, of: connection) }
        guard let statement = unsafe prepared else { throw DatabaseError(SQLITE_MISUSE) }
        unsafe self.statement = statement
    }

    /// Ends the statement's life.
    func finalize() { unsafe sqlite3_finalize(statement) }

    /// Passes each row to `body` until that returns false. The statement is always reset, because one that is left on a
    /// row would keep its snapshot open.
    /// `started` is called once, when the statement has its snapshot.
    func rows(_ arguments: [SQLValue], started: () throws -> Void = {}, _ body: (SQLRow) throws -> Bool) throws {
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, at: Int32(index + 1)) }
        let row = unsafe SQLRow(statement)
        var code = unsafe sqlite3_step(statement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
        try started()
        while code == SQLITE_ROW {
            guard try body(row) else { return }
            code = unsafe sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure(code) }
    }

    /// The number in the first column of the first row; nil without a row.
    func integer(_ arguments: [SQLValue], started: () throws -> Void = {}) throws -> Int64? {
        var found: Int64?
        try rows(arguments, started: started) { row in
            found = row.optionalInteger(0)
            return false
        }
        return found
    }

    /// Runs a statement that returns no rows; returns how many rows it changed.
    func execute(_ arguments: [SQLValue]) throws -> Int {
        do {
            try rows(arguments) { _ in true }
        } catch let error as DatabaseError where error.primary == SQLITE_CONSTRAINT {
            throw ConstraintViolation()
        }
        return unsafe Int(sqlite3_changes(sqlite3_db_handle(statement)))
    }

    private func bind(_ value: SQLValue, at index: Int32) throws {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(statement, index)
            case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
            // Empty bytes have no address, which would bind NULL.
            case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(statement, index, 0)
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe sqlite3_bind_blob64(
                        statement, index, bytes.baseAddress, UInt64(bytes.count), Self.copiedAtOnce
                    )
                }
            }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// SQLITE_TRANSIENT, a macro that isn't imported.
    private static var copiedAtOnce: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        unsafe DatabaseError(code, of: sqlite3_db_handle(statement))
    }
}

/// The current row of a statement. Columns are read by position, and no read can trap, regardless of the
/// file's content.
@safe
package struct SQLRow {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    /// The number in a column; 0 if it holds none.
    package func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

    /// The number in a column; nil for NULL.
    package func optionalInteger(_ column: Int) -> Int64? {
        guard unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(statement, Int32(column))
    }

    /// The bytes in a column; nil for NULL.
    package func bytes(_ column: Int) throws -> [UInt8]? { try unsafe withBytes(column) { unsafe Array($0) } }

    /// Appends the bytes in a column to `bytes`; returns false for NULL.
    package func append(_ column: Int, to bytes: inout [UInt8]) throws -> Bool {
        try unsafe withBytes(column) { unsafe bytes.append(contentsOf: $0) } != nil
    }

    private func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> R) throws -> R? {
        let column = Int32(column)
        guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        guard let start = unsafe sqlite3_column_blob(statement, column) else {
            // The value is empty, or SQLite was out of memory.
            let code = unsafe sqlite3_errcode(sqlite3_db_handle(statement))
            if code == SQLITE_NOMEM { throw DatabaseError(code) }
            return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let count = unsafe sqlite3_column_bytes(statement, column)
        return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}
