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
