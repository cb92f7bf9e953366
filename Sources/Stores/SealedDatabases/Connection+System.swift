// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import GRDB
import GRDBSQLite

extension Database {
    /// The most bytes of one value or row: a secret of 16 MiB, attributes of 1 MiB, and the overhead of sealing.
    static var longestValue: Int32 { 18 << 20 }

    /// Limits what the file's content can make this connection execute, write or allocate to what our own statements
    /// need (Keychain.md, "File").
    func harden() throws {
        guard let connection = unsafe sqliteConnection else { return }
        try unsafe Self.harden(connection)
    }

    private static func harden(_ connection: OpaquePointer) throws {
        let options: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ]
        for (option, isOn) in options {
            let code = unsafe zamok_sqlite_configure(UnsafeMutableRawPointer(connection), option, isOn)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        let limits: [(Int32, Int32)] = [
            (SQLITE_LIMIT_LENGTH, Self.longestValue), (SQLITE_LIMIT_SQL_LENGTH, 64 << 10), (SQLITE_LIMIT_COLUMN, 64),
            (SQLITE_LIMIT_EXPR_DEPTH, 64), (SQLITE_LIMIT_COMPOUND_SELECT, 4), (SQLITE_LIMIT_VDBE_OP, 25_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 4096), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { _ = unsafe sqlite3_limit(connection, limit, value) }
    }

    /// The row of `state` in the file at `path` without its log. Nil if it can't be read: the file is new, damaged, or
    /// being written at this moment.
    ///
    /// An immutable connection takes no locks, and closing it drops none that other connections of this process hold.
    static func stateBeneath(_ path: String) throws -> (sealed: [UInt8], revision: Int64)? {
        var connection: OpaquePointer?
        defer { unsafe sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard unsafe sqlite3_open_v2(Self.immutable(path), &connection, flags, nil) == SQLITE_OK,
            let opened = unsafe connection
        else { return nil }
        try unsafe harden(opened)
        var statement: OpaquePointer?
        defer { unsafe sqlite3_finalize(statement) }
        let text = "SELECT sealed, revision FROM state WHERE id = 0"
        guard unsafe sqlite3_prepare_v2(opened, text, -1, &statement, nil) == SQLITE_OK,
            unsafe sqlite3_step(statement) == SQLITE_ROW, unsafe sqlite3_column_type(statement, 1) == SQLITE_INTEGER,
            let start = unsafe sqlite3_column_blob(statement, 0)
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, 0)))
        return unsafe (Array(bytes), sqlite3_column_int64(statement, 1))
    }

    private static func immutable(_ path: String) -> String {
        let plain = Set("/._-~".utf8)
        let escaped = path.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = plain.contains(byte) || byte < 0x80 && (character.isLetter || character.isNumber)
            return isPlain ? String(character) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        // With an empty authority, so that a path of two slashes is not mistaken for one.
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
    }

    /// Prepares the switch to WAL mode without a rollback journal file, which a process killed meanwhile would leave.
    /// So a journal file beside the database is never ours.
    func journalInMemory() throws {
        guard try texts("PRAGMA journal_mode") == ["delete"] else { return }
        try run("PRAGMA journal_mode = MEMORY")
    }

    /// Distinguishes this connection from the others of its database.
    var identity: UInt { unsafe UInt(bitPattern: sqliteConnection) }

    /// A number that changes whenever the file was written to since this connection's last transaction; nil if a query
    /// is needed. Runs no statement.
    var dataVersion: UInt32? {
        var version: UInt32 = 0
        let code = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }
}
