// SPDX-License-Identifier: Apache-2.0

import DataProtection

extension SealedDatabase {
    static func openReader(
        _ kind: DatabaseKind, path: String, beside: FilesBeside, patience: Patience?
    ) throws -> Connection {
        let reader = try Connection(path, isWriter: false, patience: patience)
        try prepare(reader, kind, beside)
        try reader.run("PRAGMA cache_size = -\(readerCacheSize)")
        return reader
    }

    static func openWriter(
        _ kind: DatabaseKind, path: String, beside: FilesBeside, patience: Patience, isRelaxed: Bool
    ) throws -> Connection {
        let writer = try Connection(path, isWriter: true, patience: patience)
        try prepare(writer, kind, beside)
        try writer.writeAhead()
        let level: Int64 = isRelaxed ? 1 : 2
        try writer.run("PRAGMA synchronous = \(level)")
        guard try writer.integer("PRAGMA synchronous") == level else {
            throw DataProtectionError(.notAvailable, "SQLite refuses the setting synchronous = \(level)")
        }
        return writer
    }

    /// In KiB. SQLite's default, 2 MiB, holds neither the rows nor the index of some thousand items.
    private static var readerCacheSize: Int { 8192 }

    /// Checks the file and makes the connection's settings (Keychain.md, "File"), before its first write, WAL
    /// mode included.
    private static func prepare(_ connection: Connection, _ kind: DatabaseKind, _ beside: FilesBeside) throws {
        try beside.check()
        try connection.harden()
        // In one snapshot, because another process may be making the file at this moment.
        try connection.inSnapshot { try refuseForeignFile(kind, connection) }
        // `page_size` has no effect on a file that already has pages. `wal_autocheckpoint` bounds the log's length.
        let size = kind.pageSize ?? 4096
        for setting in [
            "page_size = \(size)", "wal_autocheckpoint = \(longestLog / size)", "secure_delete = ON",
            "trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY",
        ] {
            try connection.run("PRAGMA \(setting)")
        }
    }

    /// Refuses paths that are too long for SQLite.
    static func path(of kind: DatabaseKind, _ home: Home) throws(DataProtectionError) -> String {
        let path = home.path(of: kind.fileName)
        guard path.utf8.count <= Home.longestDatabasePath else {
            throw DataProtectionError(
                .invalidArgument,
                "\(path) is longer than the \(Home.longestDatabasePath) bytes that SQLite opens; move the home to a shorter path"
            )
        }
        return path
    }

    /// Must run in a transaction.
    private static func refuseForeignFile(_ kind: DatabaseKind, _ connection: Connection) throws {
        let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        let application = try connection.integer("PRAGMA application_id") ?? 0
        if UInt32(truncatingIfNeeded: application) == kind.applicationID {
            guard version <= kind.version else {
                throw DataProtectionError(
                    .newerFormat,
                    "\(kind.shown) has format version \(version), this program knows \(kind.version); use a newer Zamok"
                )
            }
            guard version > 0 else {
                throw DataProtectionError(
                    .damaged, "\(kind.shown) has no format version: it is damaged; put it back from a backup")
            }
            if version == kind.version { try kind.checkSchema(connection) }
            return
        }
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        guard application == 0, version == 0, tables == 0 else {
            throw DataProtectionError(.damaged, "\(kind.shown) is not a database of this kind; nothing was changed")
        }
    }

    /// Brings the schema up to date and checks the state, in one transaction.
    func setUp(_ acceptance: Acceptance?, _ bound: Int64?) throws {
        let isCurrent = try connections.read {
            try $0.integer("PRAGMA user_version") == Int64(kind.version)
        }
        if acceptance == nil {
            // From here on the state is compared with what the home remembers as with what this process saw.
            seen.raise(to: bound ?? 0)
            if isCurrent { try checkFileBeneath() }
        }
        try againWhileKeybagMoves { generation in
            if isCurrent, acceptance == nil, try checkStateWithoutWriting(generation) { return }
            try connections.write { connection in
                var isNew = false
                var revision: Int64 = 0
                try connection.immediately {
                    isNew = try migrate(connection, generation: generation, acceptance: acceptance, bound: bound)
                    let reading = reading(connection)
                    let (stored, state) = try currentState(reading, generation, accepting: acceptance)
                    if state != stored {
                        let access = WriteAccess(
                            reading, stored: stored, state: state, store: self, keybagGeneration: generation)
                        // Accepting a restored copy includes accepting its keys.
                        if acceptance != nil { try access.execute("DELETE FROM sentinel") }
                        try writeState(state, access)
                    }
                    revision = state.revision
                }
                seen.raise(to: revision)
                purge(connection)
                // Once in the file's life: from then on the file has its tables, regardless of what happens to the log.
                if isNew { try connection.checkpoint(.truncate) }
                acceptance == nil ? recheckFileBeneath() : acceptFileBeneath(at: revision)
            }
        }
        // Other processes may have made writes that are not durable yet. Only the store's existence is certain.
        if bound == nil, acceptance == nil { record.remember(0, mark: markBeneath) }
    }

    /// Returns whether the file is new.
    private func migrate(
        _ connection: Connection, generation: UInt64, acceptance: Acceptance?, bound: Int64?
    ) throws -> Bool {
        let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
        guard version < kind.version else { return false }
        if version == 0, bound != nil, acceptance == nil { throw lost(nil) }
        for step in kind.steps[version...] {
            for statement in step { try connection.run(statement) }
        }
        if version == 0 {
            for statement in Self.ownSchema { try connection.run(statement) }
            try makeState(connection, generation, revision: bound ?? 0)
        }
        try connection.run("PRAGMA application_id = \(kind.applicationID)")
        try connection.run("PRAGMA user_version = \(kind.version)")
        return version == 0
    }

    /// `PRAGMA synchronous` of the writer, so that tests can check whether connections agree about durability.
    package func synchronousOfWriter() throws -> Int64? {
        try connections.write { try $0.integer("PRAGMA synchronous") }
    }
}
