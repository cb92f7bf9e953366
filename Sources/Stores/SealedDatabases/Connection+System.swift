// SPDX-License-Identifier: Apache-2.0

import CSQLite
import SecretMemory

/// One connection to a database file, through SQLite's C API. `Connections` lends it to one thread at a time, so it is
/// Sendable without a lock.
@safe
final class Connection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let patience: Patience?
    private var prepared: [(text: String, statement: Statement)] = []
    private var others: [String: Statement] = [:]
    /// So many statements are found by comparing texts, which takes less time than hashing one.
    private static let mostCompared = 16

    /// Opens the file at `path`, which is created if `isWriter` and there is none.
    ///
    /// - Parameters:
    ///   - patience: How long it waits for another process's lock; nil: 10 seconds.
    ///   - isURI: Whether `path` is a URI, with SQLite's parameters.
    init(_ path: String, isWriter: Bool, patience: Patience?, isURI: Bool = false) throws(DatabaseError) {
        var opened: OpaquePointer?
        let access = isWriter ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let flags = access | SQLITE_OPEN_NOMUTEX | (isURI ? SQLITE_OPEN_URI : 0)
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let extended = unsafe sqlite3_extended_errcode(opened)
            unsafe sqlite3_close(opened)
            throw DatabaseError(extended & 0xff == code ? extended : code)
        }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe self.handle = handle
        self.patience = patience
        if let patience {
            unsafe sqlite3_busy_handler(handle, Self.wait, Unmanaged.passUnretained(patience).toOpaque())
        } else {
            unsafe sqlite3_busy_timeout(handle, 10_000)
        }
    }

    /// Statements are finalized first, because they would keep the connection open.
    deinit {
        for (_, statement) in prepared { statement.finalize() }
        for statement in others.values { statement.finalize() }
        unsafe sqlite3_close(handle)
    }

    /// SQLite calls it with the `Patience` and the number of tries so far; 0 gives up.
    private static let wait: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { patience, tries in
        guard let patience = unsafe patience else { return 0 }
        return unsafe Unmanaged<Patience>.fromOpaque(patience).takeUnretainedValue().wait(Int(tries)) ? 1 : 0
    }

    /// The statement for a text, prepared once per connection.
    func statement(_ text: String) throws(DatabaseError) -> Statement {
        for index in prepared.indices where prepared[index].text == text { return prepared[index].statement }
        if let known = others[text] { return known }
        let statement = try unsafe Statement(text, on: handle, isKept: true)
        if prepared.count < Self.mostCompared {
            prepared.append((text, statement))
        } else {
            others[text] = statement
        }
        return statement
    }

    /// Prepares a statement for `body` alone.
    private func once<R>(_ text: String, _ body: (Statement) throws -> R) throws -> R {
        let statement = try unsafe Statement(text, on: handle, isKept: false)
        defer { statement.finalize() }
        return try body(statement)
    }

    /// Runs one statement that is not kept, and ignores its rows.
    func run(_ text: String, _ arguments: [SQLValue] = []) throws {
        try once(text) { try $0.rows(arguments) { _ in true } }
    }

    /// Passes each row of a statement that is not kept to `body` until that returns false.
    func rows(_ text: String, _ body: (SQLRow) throws -> Bool) throws { try once(text) { try $0.rows([], body) } }

    /// The number in the first column of the first row; nil without a row.
    func integer(_ text: String) throws -> Int64? { try once(text) { try $0.integer([]) } }

    /// The first column of each row.
    func texts(_ text: String) throws -> [String] {
        var texts: [String] = []
        try rows(text) { row in
            texts.append(String(decoding: try row.bytes(0) ?? [], as: UTF8.self))
            return true
        }
        return texts
    }

    /// Runs `body` in one immediate transaction, all of it or nothing.
    func immediately<R>(_ body: () throws -> R) throws -> R { try transaction("BEGIN IMMEDIATE", body) }

    /// Runs `body` in one read-only transaction.
    func inSnapshot<R>(_ body: () throws -> R) throws -> R { try transaction("BEGIN DEFERRED", body) }

    private func transaction<R>(_ begin: String, _ body: () throws -> R) throws -> R {
        try statement(begin).rows([]) { _ in true }
        do {
            let result = try body()
            try statement("COMMIT").rows([]) { _ in true }
            return result
        } catch {
            // SQLite has rolled back by itself after some errors.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try statement("ROLLBACK").rows([]) { _ in true } }
            throw error
        }
    }

    /// The row id of the last insertion.
    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Writes pages of the log back into the file.
    enum Checkpoint {
        /// As many as possible without waiting.
        case passive
        /// All of them.
        case full
        /// All of them; the log is empty afterwards.
        case truncate
    }

    func checkpoint(_ kind: Checkpoint) throws(DatabaseError) {
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .full: SQLITE_CHECKPOINT_FULL
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        try check(unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil))
    }

    /// Copies the whole database into `other`, in one snapshot.
    func copy(to other: Connection) throws(DatabaseError) {
        guard let copy = unsafe sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw unsafe DatabaseError(sqlite3_extended_errcode(other.handle), of: other.handle)
        }
        let code = unsafe sqlite3_backup_step(copy, -1)
        let end = unsafe sqlite3_backup_finish(copy)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw unsafe DatabaseError(code == SQLITE_DONE ? end : code, of: other.handle)
        }
    }

    /// Distinguishes this connection from the others of its database.
    var identity: UInt { unsafe UInt(bitPattern: handle) }

    /// A number that changes whenever the file was written to since this connection's last transaction; nil if a query
    /// is needed. Runs no statement.
    var dataVersion: UInt32? {
        var version: UInt32 = 0
        let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code, of: handle) }
    }
}

extension Connection {
    /// The most bytes of one value or row: a secret of 16 MiB, attributes of 1 MiB, and the overhead of sealing.
    static var longestValue: Int32 { 18 << 20 }

    /// Limits what the file's content can make this connection execute, write or allocate to what our own statements
    /// need (Keychain.md, "File").
    func harden() throws(DatabaseError) {
        let options: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for (option, isOn) in options {
            try check(unsafe zamok_sqlite_configure(handle, option, isOn))
        }
        let limits: [(Int32, Int32)] = [
            (SQLITE_LIMIT_LENGTH, Self.longestValue), (SQLITE_LIMIT_SQL_LENGTH, 64 << 10), (SQLITE_LIMIT_COLUMN, 64),
            (SQLITE_LIMIT_EXPR_DEPTH, 64), (SQLITE_LIMIT_COMPOUND_SELECT, 4), (SQLITE_LIMIT_VDBE_OP, 25_000),
            (SQLITE_LIMIT_FUNCTION_ARG, 8), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64),
            (SQLITE_LIMIT_VARIABLE_NUMBER, 4096), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { _ = unsafe sqlite3_limit(handle, limit, value) }
    }

    /// The row of `state` in the file at `path` without its log. Nil if it can't be read: the file is new, damaged, or
    /// being written at this moment.
    ///
    /// An immutable connection takes no locks, and closing it drops none that other connections of this process hold.
    static func stateBeneath(_ path: String) throws -> (sealed: [UInt8], revision: Int64)? {
        guard let file = try? Connection(Self.immutable(path), isWriter: false, patience: nil, isURI: true) else {
            return nil
        }
        try file.harden()
        var state: (sealed: [UInt8], revision: Int64)?
        do {
            try file.rows("SELECT sealed, revision FROM state WHERE id = 0") { row in
                if let sealed = try row.bytes(0), !sealed.isEmpty, let revision = row.optionalInteger(1) {
                    state = (sealed, revision)
                }
                return false
            }
        } catch { return nil }
        return state
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

    /// Switches to WAL mode, which the file keeps. A rollback journal of that moment is in memory, so that a process
    /// killed meanwhile leaves no file: a journal file beside the database is never ours.
    func writeAhead() throws {
        if try texts("PRAGMA journal_mode") == ["delete"] { try run("PRAGMA journal_mode = MEMORY") }
        guard try texts("PRAGMA journal_mode = WAL") == ["wal"] else { throw DatabaseError(SQLITE_CANTOPEN) }
    }
}

/// An error that SQLite reported.
@safe
struct DatabaseError: Error, CustomStringConvertible {
    /// SQLite's extended result code.
    let code: Int32
    /// SQLite's text, which names tables and columns but no value.
    let description: String

    /// The result code without its extension.
    var primary: Int32 { code & 0xff }

    init(_ code: Int32) {
        self.code = code
        description = unsafe String(cString: sqlite3_errstr(code))
    }

    /// With the text of the connection's last error.
    init(_ code: Int32, of connection: OpaquePointer?) {
        self.code = code
        description = unsafe String(cString: sqlite3_errmsg(connection))
    }
}
