// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import GRDB
import GRDBSQLite

extension Database {
    /// The most bytes of one value or one row: a secret of 16 MiB with attributes of 1 MiB, and what sealing adds.
    static var longestValue: Int32 { 18 << 20 }

    /// Keeps the file's content from making this connection run, write or hold more than our own statements need (Keychain.md, "File").
    func harden() throws {
        guard let connection = unsafe sqliteConnection else { return }
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

    /// Where the file is not in WAL mode yet, it becomes so without a rollback journal, which a process that is killed meanwhile would leave: what lies there
    /// is none of ours then.
    func journalInMemory() throws {
        guard try texts("PRAGMA journal_mode") == ["delete"] else { return }
        try run("PRAGMA journal_mode = MEMORY")
    }

    /// Distinguishes this connection from the others of its database.
    var identity: UInt { unsafe UInt(bitPattern: sqliteConnection) }

    /// Another number whenever the file was written to since this connection began its last transaction; nil: ask for more. No statement is run.
    var dataVersion: UInt32? {
        var version: UInt32 = 0
        let code = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }
}
