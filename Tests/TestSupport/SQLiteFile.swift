// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A database file as another program opens it, with none of the product's checks and settings.
@safe
package final class SQLiteFile {
    private var handle: OpaquePointer?

    /// A value in a row.
    package enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])

        package var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
        package var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    }

    /// SQLite's message.
    package struct Failure: Error { package let message: String }

    package init(_ path: String = ":memory:", isReadOnly: Bool = false) throws {
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else { throw failure }
        unsafe sqlite3_busy_timeout(handle, 10_000)
    }

    deinit { close() }

    package func close() {
        unsafe sqlite3_close(handle)
        unsafe handle = nil
    }

    /// Runs every statement of `sql`. Each takes as many of the arguments as it has parameters.
    package func execute(_ sql: String, _ arguments: [Value] = []) throws { _ = try rows(sql, arguments) }

    /// The rows of all statements of `sql`.
    package func rows(_ sql: String, _ arguments: [Value] = []) throws -> [[Value]] {
        var arguments = arguments[...]
        var rows: [[Value]] = []
        let text = Array(sql.utf8CString)
        try unsafe text.withUnsafeBufferPointer { text in
            var next = text.baseAddress
            while let start = unsafe next, unsafe start.pointee != 0 {
                var statement: OpaquePointer?
                guard unsafe sqlite3_prepare_v2(handle, start, -1, &statement, &next) == SQLITE_OK else {
                    throw failure
                }
                defer { unsafe sqlite3_finalize(statement) }
                for index in 0..<(unsafe sqlite3_bind_parameter_count(statement)) {
                    guard let argument = arguments.popFirst() else { throw Failure(message: "too few arguments") }
                    unsafe bind(argument, to: statement, at: index + 1)
                }
                try unsafe step(statement, &rows)
            }
        }
        return rows
    }

    private func step(_ statement: OpaquePointer?, _ rows: inout [[Value]]) throws {
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW:
                let columns = 0..<(unsafe sqlite3_column_count(statement))
                rows.append(columns.map { unsafe value(of: statement, at: $0) })
            case SQLITE_DONE,
                SQLITE_MISUSE where unsafe statement == nil:
                return
            default: throw failure
            }
        }
    }

    private func bind(_ value: Value, to statement: OpaquePointer?, at index: Int32) {
        let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .real(let number): unsafe sqlite3_bind_double(statement, index, number)
        case .text(let text): unsafe sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copied)
        case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let bytes): unsafe sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copied)
        }
    }

    private func value(of statement: OpaquePointer?, at column: Int32) -> Value {
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)
            return unsafe .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            return unsafe .blob(
                Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
        default: return .null
        }
    }

    private var failure: Failure { Failure(message: unsafe String(cString: sqlite3_errmsg(handle))) }
}
