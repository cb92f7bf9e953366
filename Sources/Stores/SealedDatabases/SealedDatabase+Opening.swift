// SPDX-License-Identifier: Apache-2.0

import DataProtection
import GRDB

extension SealedDatabase {
    /// The file's settings (Keychain.md, "File"). Each connection checks before its first write, WAL mode included,
    /// whether it may write to the file.
    /// Readers wait for 10 seconds, GRDB's default. Only recovery and closing can block them.
    static func configuration(_ kind: DatabaseKind, patience: Patience, beside: FilesBeside) -> Configuration {
        var configuration = Configuration()
        configuration.label = kind.fileName
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .callback { patience.wait($0) }
        configuration.prepareDatabase { database in
            try beside.check()
            try database.harden()
            // In one snapshot, because another process may be making the file at this moment.
            try database.inSnapshot { try refuseForeignFile(kind, database) }
            try database.journalInMemory()
            // `page_size` has no effect on a file that already has pages. `wal_autocheckpoint` bounds the length of
            // the log.
            let size = kind.pageSize ?? 4096
            for setting in [
                "page_size = \(size)", "wal_autocheckpoint = \(SealedDatabase.longestLog / size)", "secure_delete = ON",
                "trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY",
            ] {
                try database.run("PRAGMA \(setting)")
            }
        }
        return configuration
    }

    static func openPool(
        _ kind: DatabaseKind, path: String, _ configuration: Configuration, isRelaxed: Bool
    ) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        if !isRelaxed { try pool.writeWithoutTransaction { try makeDurable($0) } }
        return pool
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

    /// GRDB sets `synchronous = NORMAL` together with WAL mode, which loses the last transactions in a power cut.
    private static func makeDurable(_ database: Database) throws {
        try database.run("PRAGMA synchronous = FULL")
        guard try database.integer("PRAGMA synchronous") == 2 else {
            throw DataProtectionError(.notAvailable, "SQLite does not write durably here (synchronous is not FULL)")
        }
    }

    /// Must run in a transaction.
    private static func refuseForeignFile(_ kind: DatabaseKind, _ database: Database) throws {
        let version = Int(try database.integer("PRAGMA user_version") ?? 0)
        let application = try database.integer("PRAGMA application_id") ?? 0
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
            if version == kind.version { try kind.checkSchema(database) }
            return
        }
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        guard application == 0, version == 0, tables == 0 else {
            throw DataProtectionError(.damaged, "\(kind.shown) is not a database of this kind; nothing was changed")
        }
    }

    /// Brings the schema up to date and checks the state, in one transaction.
    func setUp(_ acceptance: Acceptance?, _ bound: Int64?) throws {
        let isCurrent = try readSingly { database, _ in
            try database.integer("PRAGMA user_version") == Int64(kind.version)
        }
        if acceptance == nil, isCurrent { try checkFileBeneath() }
        try againWhileKeybagMoves { generation in
            if isCurrent, acceptance == nil, try checkStateWithoutWriting(generation, bound) { return }
            try pool().writeWithoutTransaction { database in
                var isNew = false
                var revision: Int64 = 0
                try database.immediately {
                    isNew = try migrate(database, generation: generation, acceptance: acceptance, bound: bound)
                    let reading = reading(database)
                    let (stored, state) = try currentState(reading, generation, accepting: acceptance)
                    if acceptance == nil, state.revision < bound ?? 0 { throw lost(state.revision) }
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
                purge(database)
                // Once in the file's life: from then on the file has its tables, regardless of what happens to the log.
                if isNew { try database.checkpoint(.truncate) }
                noteFileBeneath(accepting: acceptance == nil ? nil : revision)
            }
        }
        // Other processes may have made writes that are not durable yet. Only the store's existence is certain.
        if bound == nil, acceptance == nil { record.remember(0, mark: markBeneath) }
    }

    /// Returns whether the file is new.
    private func migrate(
        _ database: Database, generation: UInt64, acceptance: Acceptance?, bound: Int64?
    ) throws -> Bool {
        let version = Int(try database.integer("PRAGMA user_version") ?? 0)
        guard version < kind.version else { return false }
        if version == 0, bound != nil, acceptance == nil { throw lost(nil) }
        for step in kind.steps[version...] {
            for statement in step { try database.run(statement) }
        }
        if version == 0 {
            for statement in Self.ownSchema { try database.run(statement) }
            try makeState(database, generation, revision: bound ?? 0)
        }
        try database.run("PRAGMA application_id = \(kind.applicationID)")
        try database.run("PRAGMA user_version = \(kind.version)")
        return version == 0
    }

    /// `PRAGMA synchronous` of the writer, so that tests can check whether connections agree about durability.
    package func synchronousOfWriter() throws -> Int64? {
        try pool().writeWithoutTransaction { try $0.integer("PRAGMA synchronous") }
    }
}
