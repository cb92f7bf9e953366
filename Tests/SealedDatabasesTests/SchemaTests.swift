// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import SealedDatabases

/// The tables are ours, or the database is refused; what a file says is limited before it is believed.
@Suite struct SchemaTests {
    let temporary = TemporaryHome()
    private var path: String { "\(temporary.path)/test.db" }

    static let changes = [
        "CREATE TRIGGER stop BEFORE INSERT ON thing BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER stop BEFORE DELETE ON thing BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TABLE stash (bytes BLOB)",
        "CREATE TABLE stash (bytes BLOB); CREATE TRIGGER keep AFTER DELETE ON thing BEGIN INSERT INTO stash VALUES (old.bytes); END",
        "CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE INDEX more ON thing (bytes)",
        "ALTER TABLE thing ADD COLUMN more INTEGER",
        "ALTER TABLE thing RENAME TO other; CREATE VIEW thing AS SELECT id, bytes FROM other",
        "DROP TABLE thing",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE', 'UNIQUE ON CONFLICT IGNORE') WHERE name = 'thing'",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'state') WHERE name = 'thing'",
        "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_thing_1'",
        "ANALYZE", "PRAGMA user_version = -1", "PRAGMA user_version = 0", "PRAGMA user_version = -2147483648",
    ]

    private func tamper(_ sql: String) throws {
        try SQLiteFile(path).execute(sql)
    }

    // Rule: the schema is ours, or the database is refused | any schema taken | 13 cases; also "A schema that is
    //   changed under an open database ..." (30); HostileStateTests "A schema that says anything but what ours says is
    //   refused" (23)
    @Test(arguments: changes) func `A foreign schema is refused, and nothing is written`(change: String) throws {
        let home = try temporary.open()
        do { try TestDatabase.open(home).add([1]) }
        try tamper(change)
        let before = try temporary.content("test.db")
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .damaged)
        #expect(try temporary.content("test.db") == before)
    }

    @Test(arguments: changes.prefix(9))
    func `A schema that is changed under an open database is refused by the next read and write`(change: String) throws
    {
        let home = try temporary.open()
        let database = try TestDatabase.open(home)
        try database.add([1])
        #expect(try database.count == 1)
        try tamper(change)
        #expect(
            failure(DataProtectionError.self) { try database.readOnce { try $0.integer("SELECT 1 FROM thing") } } != nil
        )
        #expect(failure(DataProtectionError.self) { try database.count }?.code == .damaged)
        #expect(
            failure(DataProtectionError.self) { try database.read { try $0.integer("SELECT 1 FROM state") } }?.code
                == .damaged)
        #expect(failure(DataProtectionError.self) { try database.add([2]) }?.code == .damaged)
    }

    @Test func `What the program expects is what SQLite makes of its statements`() throws {
        let database = try Connection(":memory:", isWriter: true, patience: nil)
        for statement in SealedDatabase.ownSchema + TestDatabase.kind.steps.joined() { try database.run(statement) }
        #expect(try database.texts("SELECT name FROM sqlite_schema").count == TestDatabase.kind.expectedSchema.count)
        try TestDatabase.kind.checkSchema(database)
    }

    // Rule: a write that changes other rows than it has to is undone | the count not compared | 2 cases
    @Test func `A write that changes other rows than it has to is undone and told`() throws {
        let database = try TestDatabase.open(try temporary.open())
        let error = failure(DataProtectionError.self) {
            try database.write { access in
                try access.execute("INSERT INTO thing (bytes) VALUES (?)", [.blob([1])], expecting: 1)
                try access.execute("UPDATE thing SET bytes = ? WHERE id = 7", [.blob([2])], expecting: 1)
            }
        }
        #expect(error?.code == .damaged)
        #expect(try database.count == 0)
        #expect(
            failure(DataProtectionError.self) {
                try database.write { try $0.prepared("DELETE FROM thing WHERE id = ?").execute([.integer(9)]) }
            }?.code == .damaged)
    }

    // Rule: values have a limit before they are read | a thousand million bytes
    @Test func `A connection takes no value beyond the limit, and none of SQLite's powers that we don't need`() throws {
        let database = try TestDatabase.open(try temporary.open())
        try tamper("INSERT INTO thing (bytes) VALUES (zeroblob(100000000))")
        #expect(
            failure(DataProtectionError.self) {
                try database.readOnce { try $0.rows("SELECT bytes FROM thing") { _ in true } }
            }?.code == .damaged)
        for sql in [
            "CREATE VIEW v AS SELECT 1; SELECT * FROM v", "ATTACH ':memory:' AS other",
            "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema",
            "SELECT 1" + repeatElement(" + 1", count: 80).joined(),
            "SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5",
        ] {
            #expect(throws: (any Error).self, "\(sql)") {
                try database.connections.write { connection in
                    for part in sql.components(separatedBy: "; ") { try connection.run(part) }
                }
            }
        }
    }

    /// Bytes of header and schema pages; `ZAMOK_FUZZ_INPUTS` makes it longer.
    @Test func `A mutated file opens or is refused, and never traps or hangs`() throws {
        let home = try temporary.open()
        do {
            let database = try TestDatabase.open(home)
            for number in 0..<20 { try database.add([UInt8(number)]) }
            try database.connections.write { try $0.checkpoint(.truncate) }
        }
        let good = [UInt8](try temporary.content("test.db"))
        let seen = try temporary.content("stores-seen")
        let head = Array(good.prefix(100))
        let schema = Array(good[100..<4096])
        let run = FuzzRun.tried("database file", corpus: [head, schema], bounded: 300) { variant in
            var bytes = good
            if variant.count < 1000 {
                bytes.replaceSubrange(0..<min(100, variant.count), with: variant.prefix(100))
            } else {
                bytes.replaceSubrange(100..<min(4096, 100 + variant.count), with: variant.prefix(3996))
            }
            for name in ["test.db-wal", "test.db-shm"] {
                try? FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            // Else one write makes every earlier state a lost one.
            try seen.write(to: URL(fileURLWithPath: "\(temporary.path)/stores-seen"))
            let database = try TestDatabase.open(home)
            _ = try database.count
            try database.add([99])
            return true
        }
        #expect(run.isBounded && run.refused > run.inputs / 4 && run.refused < run.inputs)
    }
}
