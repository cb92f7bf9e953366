// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import SealedDatabases

/// What a database says of itself, changed with write access alone, and with the device secret besides.
/// `ZAMOK_FUZZ_INPUTS` makes it longer.
@Suite struct HostileStateTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
    let temporary = TemporaryHome()

    private func file(_ name: String) -> URL { URL(fileURLWithPath: "\(temporary.path)/\(name)") }

    /// A database with a few rows, all of it in one file; what the home remembers of it.
    private func prepare() throws -> (home: Home, bytes: Data, seen: Data) {
        let home = try temporary.open()
        do {
            let database = try TestDatabase.open(home)
            for number in 0..<5 { try database.add([UInt8(number)]) }
            try database.connections.write { try $0.checkpoint(.truncate) }
        }
        return (home, try temporary.content("test.db"), try temporary.content("stores-seen"))
    }

    private func putBack(_ bytes: Data, _ seen: Data) throws {
        for name in ["test.db-wal", "test.db-shm"] { try? FileManager.default.removeItem(at: file(name)) }
        try bytes.write(to: file("test.db"))
        try seen.write(to: file("stores-seen"))
    }

    private func use(_ home: Home) throws -> Bool {
        do {
            let database = try TestDatabase.open(home)
            #expect(try database.count == 5)
            try database.add([99])
            return true
        } catch let error as DataProtectionError {
            #expect([.damaged, .newerFormat, .restoredCopy].contains(error.code), "\(error)")
            return false
        }
    }

    @Test func `A schema that says anything but what ours says is refused`() throws {
        let (home, bytes, seen) = try prepare()
        var generator = SeededGenerator(seed: Self.seed)
        let texts = TestDatabase.kind.expectedSchema.flatMap {
            [$0.type, $0.name, $0.table] + ($0.sql.map { [$0] } ?? [])
        }
        .sorted { $0.lexicographicallyPrecedes($1) }
        var words = Mutator(
            corpus: texts + SchemaTests.changes.prefix(8).map { Array($0.utf8) }, seed: Self.seed &+ 1)
        let columns = ["type", "name", "tbl_name", "rootpage", "sql"]
        let query = "SELECT rowid, * FROM sqlite_schema ORDER BY rowid"
        var changes = 0
        let run = try FuzzRun.repeated("schemas", bounded: 200) { _ in
            try putBack(bytes, seen)
            let database = try SQLiteFile(file("test.db").path)
            let before = try database.rows(query)
            let row = SQLiteFile.Value.integer(Int64.random(in: 1...Int64(before.count), using: &generator))
            let column = columns[Int.random(in: 0..<5, using: &generator)]
            let text = SQLiteFile.Value.text(String(decoding: words.next(), as: UTF8.self))
            let number = [0, 1, 2, 3, 4, -1, 5, Int64.max][Int.random(in: 0..<8, using: &generator)]
            try database.execute("PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: try database.execute("DELETE FROM sqlite_schema WHERE rowid = ?", [row])
            case 1:
                try database.execute(
                    "INSERT INTO sqlite_schema SELECT type, ?, tbl_name, rootpage, sql FROM sqlite_schema WHERE rowid = ?",
                    [text, row])
            case 2: try database.execute("INSERT INTO sqlite_schema VALUES ('trigger', 'more', 'thing', 0, ?)", [text])
            case 3:
                try database.execute("UPDATE sqlite_schema SET rootpage = ? WHERE rowid = ?", [.integer(number), row])
            case 4: try database.execute("UPDATE sqlite_schema SET \(column) = NULL WHERE rowid = ?", [row])
            default: try database.execute("UPDATE sqlite_schema SET \(column) = ? WHERE rowid = ?", [text, row])
            }
            let isSame = try database.rows(query) == before
            database.close()
            if !isSame { changes += 1 }
            // Two tables in each other's place are ours by word, and are found by what is in them.
            let isTaken = try use(home)
            #expect(isTaken == isSame)
            return isTaken
        }
        #expect(run.isBounded && changes > run.inputs / 2)
    }

    @Test func `A hostile state is refused, also under its right key, and never traps`() throws {
        let (home, bytes, seen) = try prepare()
        let kind = TestDatabase.kind
        let reader = try SQLiteFile(file("test.db").path)
        let row = try #require(try reader.rows("SELECT sealed, revision FROM state").first)
        reader.close()
        let (sealed, revision) = (try #require(row[0].bytes), try #require(row[1].number))
        func withKey<R: ~Copyable>(_ revision: Int64, _ body: (borrowing SecretBytes) throws -> R) throws -> R {
            let context = bigEndianBytes(kind.applicationID) + bigEndianBytes(revision >> 31)
            return try home.keybag.metadataKey(of: .none).derived(.databaseState, context).withSecretBytes(body)
        }
        func bound(_ revision: Int64) -> [UInt8] {
            bigEndianBytes(kind.applicationID) + bigEndianBytes(UInt32(kind.version)) + bigEndianBytes(revision)
        }
        let opened = try withKey(revision) { try Seal.open(sealed, under: $0, authenticating: bound(revision)) }
        let plaintext = try #require(try opened.exposingBytes(0..<opened.count))
        var seals = Mutator(corpus: [sealed], seed: Self.seed)
        var plaintexts = Mutator(corpus: [plaintext, Array(plaintext[..<32])], seed: Self.seed &+ 1)
        var generator = SeededGenerator(seed: Self.seed &+ 2)
        let numbers: [Int64] = [
            0, 1, -1, .max, .min, 1 << 62, (1 << 62) + 1, (1 << 62) - 1, 1 << 31, revision, revision + 1,
        ]
        let run = try FuzzRun.repeated("database states", bounded: 200) { number in
            try putBack(bytes, seen)
            let claimed = number % 2 == 0 ? revision : numbers[Int.random(in: 0..<numbers.count, using: &generator)]
            let purge = number % 5 != 0 ? 0 : numbers[Int.random(in: 0..<numbers.count, using: &generator)]
            var content = number % 7 == 0 ? plaintext : plaintexts.next()
            if number % 3 == 0 {
                content = seals.next()
            } else if !content.isEmpty {
                let hostile = try SecretBytes(copying: content)
                content = try withKey(claimed) { try Seal.seal(hostile, under: $0, authenticating: bound(claimed)) }
            }
            let database = try SQLiteFile(file("test.db").path)
            try database.execute("PRAGMA synchronous = OFF")
            try database.execute(
                "UPDATE state SET sealed = ?, revision = ?, purge = ?",
                [.blob(content), .integer(claimed), .integer(purge)])
            if number % 4 == 0 {
                try database.execute(
                    "INSERT OR REPLACE INTO sentinel VALUES (?, ?, ?)",
                    [
                        .integer(numbers[number / 4 % numbers.count]), .integer(numbers[number % numbers.count]),
                        .blob(content),
                    ])
            }
            database.close()
            return try use(home)
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }
}
