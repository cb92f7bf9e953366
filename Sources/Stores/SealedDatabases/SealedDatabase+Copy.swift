// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import GRDB

extension SealedDatabase {
    /// Copies the whole file page by page, damaged rows included, to a new file of the home; readers and writers go on.
    /// Through SQLite, because reading the file by other means would drop SQLite's locks on it when it is closed
    /// (fcntl(2)).
    ///
    /// Errors: `.diskFull`, `.readOnly`, `.io`.
    package func copy(to name: String, in home: Home) throws {
        do {
            try home.prepareFile(name)
            var configuration = Configuration()
            configuration.label = name
            let target = try DatabaseQueue(path: home.path(of: name), configuration: configuration)
            try pool().backup(to: target)
            try target.close()
        } catch let error as DatabaseError {
            throw DataProtectionError(error, name)
        }
    }

    /// What SQLite finds wrong with the structure of the file; empty: nothing. Reads all of it.
    package func structuralDamage() throws -> [String] {
        do {
            return try pool().read { database in
                try database.texts("PRAGMA integrity_check(20)").filter { $0 != "ok" }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return ["the file can't be read through"]
        }
    }

    /// Whether deleted rows may still lie in the log: readers kept it from being truncated.
    package func isPurgeDue() throws -> Bool { try readOnce { try readState($0).isPurgeDue } }
}

extension SealedDatabase {
    /// Makes committed writes durable, which a relaxed object leaves to the next checkpoint. Waits for readers of older states for a while.
    /// Errors: `.notAvailable`, `.diskFull`, `.io`.
    package func flush() throws {
        do {
            let revision = seen.revision
            try pool().writeWithoutTransaction { database in
                try patience.shortly { _ = try database.checkpoint(.full) }
            }
            noteFileBeneath()
            record.remember(revision, mark: markBeneath)
        } catch let error as DatabaseError {
            throw DataProtectionError(error, kind.shown)
        }
    }

    /// Writes everything from the WAL back into the file and truncates the WAL, so that no old page is left anywhere. If
    /// readers prevent it, the mark stays, and the next opener or writer does it: the caller's own work
    /// is committed all the same.
    func purge(_ database: Database) {
        do {
            guard let due = try database.integer("SELECT purge FROM state WHERE id = 0"), due != 0 else {
                return
            }
            try patience.shortly { _ = try database.checkpoint(.truncate) }
            // Before the log begins again: from here on it has not every page.
            noteFileBeneath()
            // Another process may have deleted more since: its own mark stays.
            try database.immediately {
                try database.run("UPDATE state SET purge = 0 WHERE id = 0 AND purge = ?", [.integer(due)])
            }
        } catch {
            return
        }
    }

    /// The same on request; true if nothing is left to be done.
    package func purge() throws -> Bool {
        try pool().writeWithoutTransaction { database in
            purge(database)
            return try database.integer("SELECT purge FROM state WHERE id = 0") == 0
        }
    }
}
