// SPDX-License-Identifier: Apache-2.0

import CSQLite
package import DataProtection

extension SealedDatabase {
    /// Copies the whole file page by page, damaged rows included, to a new file of the home. Readers and
    /// writers continue.
    /// The copy goes through SQLite: closing any other descriptor of the file would drop SQLite's locks on
    /// it (fcntl(2)).
    ///
    /// Errors: `.diskFull`, `.readOnly`, `.io`.
    package func copy(to name: String, in home: Home) throws {
        do {
            try home.prepareFile(name)
            let target = try Connection(home.path(of: name), isWriter: true, patience: patience)
            try connections.read { try $0.copy(to: target) }
        } catch let error as DatabaseError {
            throw DataProtectionError(error, name)
        }
    }

    /// The damage that SQLite finds in the structure of the file; empty if there is none. Reads the whole file.
    package func structuralDamage() throws -> [String] {
        do {
            return try connections.read { try $0.texts("PRAGMA integrity_check(20)").filter { $0 != "ok" } }
        } catch let error as DatabaseError where error.primary == SQLITE_CORRUPT {
            return ["the file can't be read through"]
        }
    }

    /// Whether the log may still contain deleted rows, because readers kept it from being truncated.
    package func isPurgeDue() throws -> Bool { try readOnce { try readState($0).isPurgeDue } }
}

extension SealedDatabase {
    /// Makes committed writes durable, which a relaxed object otherwise leaves to the next checkpoint. Waits a short
    /// time for readers of older states.
    ///
    /// Errors: `.notAvailable`, `.diskFull`, `.io`.
    package func flush() throws {
        do {
            let revision = seen.revision
            try connections.write { connection in
                try patience.shortly { try connection.checkpoint(.full) }
            }
            recheckFileBeneath()
            record.remember(revision, mark: markBeneath)
        } catch let error as DatabaseError {
            throw DataProtectionError(error, kind.shown)
        }
    }

    /// Writes the WAL back into the file and truncates it, so that no old page is left anywhere.
    /// If readers prevent it, the mark remains, and the next opener or writer does it. The caller's own work is
    /// committed all the same.
    func purge(_ connection: Connection) {
        do {
            guard let due = try connection.integer("SELECT purge FROM state WHERE id = 0"), due != 0 else {
                return
            }
            try patience.shortly { try connection.checkpoint(.truncate) }
            // Before the log begins again, because from then on it lacks some pages.
            recheckFileBeneath()
            // Another process may have deleted more since then; its own mark remains.
            try connection.immediately {
                try connection.run("UPDATE state SET purge = 0 WHERE id = 0 AND purge = ?", [.integer(due)])
            }
        } catch {
            return
        }
    }

    /// Purges on request. Returns true if nothing is left to be done.
    package func purge() throws -> Bool {
        try connections.write { connection in
            purge(connection)
            return try connection.integer("SELECT purge FROM state WHERE id = 0") == 0
        }
    }
}
