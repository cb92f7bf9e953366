// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import SealedDatabases

/// A kind whose rows are counted.
private let counted = DatabaseKind(
    fileName: "counted.db", applicationID: 0x5A6D_7475, changes: .preferences,
    steps: [
        [
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, uuid BLOB NOT NULL, kind INTEGER NOT NULL, revision INTEGER NOT NULL) STRICT"
        ]
    ],
    rows: "SELECT id, uuid, kind, revision FROM thing"
)

extension SealedDatabase {
    fileprivate func put(_ number: Int = 0) throws {
        try write { access in
            let revision = try access.nextRevision()
            let place = RowVersion(
                number: revision, uuid: (0..<16).map { _ in UInt8.random(in: 0...255) }, kind: 3, revision: revision)
            try access.execute(
                "INSERT INTO thing VALUES (?, ?, ?, ?)",
                [.integer(place.number), .blob(place.uuid), .integer(3), .integer(revision)], expecting: 1)
            try access.enter(place)
        }
    }

    fileprivate func place(_ id: Int64) throws -> RowVersion {
        var place: RowVersion?
        try readOnce {
            try $0.rows("SELECT id, uuid, kind, revision FROM thing WHERE id = ?", arguments: [.integer(id)]) {
                place = try RowVersion($0)
                return false
            }
        }
        return try #require(place)
    }

    fileprivate func rewrite(_ id: Int64) throws {
        let old = try place(id)
        try write { access in
            let new = RowVersion(number: id, uuid: old.uuid, kind: 3, revision: try access.nextRevision())
            try access.execute(
                "UPDATE thing SET revision = ? WHERE id = ?", [.integer(new.revision), .integer(id)], expecting: 1)
            try access.leave(old)
            try access.enter(new)
        }
    }

    /// As is possible without the keys.
    fileprivate func tamper(_ sql: String) throws {
        try connections.write { writer in for part in sql.components(separatedBy: "; ") { try writer.run(part) } }
    }
}

@Suite struct ExistenceTests {
    let temporary = TemporaryHome()
    private var path: String { "\(temporary.path)/counted.db" }

    private func filled(_ count: Int = 40) throws -> Home {
        let home = try temporary.open()
        let database = try SealedDatabase(counted, of: home)
        for number in 0..<count { try database.put(number) }
        return home
    }

    private func remove(_ suffixes: [String]) throws {
        for suffix in suffixes { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Copies as they lie there while the store is open, as at a crash: with its log.
    private func torn(_ change: (TemporaryHome, String) throws -> Void) throws -> DataProtectionError? {
        let home = try temporary.open()
        let database = try SealedDatabase(counted, of: home)
        for number in 0..<40 { try database.put(number) }
        let copy = try temporary.copied()
        try change(copy, "\(copy.path)/counted.db")
        _ = try database.readOnce { try $0.integer("SELECT 1 FROM thing") }
        return failure(DataProtectionError.self) { try SealedDatabase(counted, of: try copy.open()) }
    }

    // Rule: a lower bound of a store is remembered | none | 14 cases; also "An older copy of the file is damage, ...",
    //   and two more; `RewrapperTests`: "A store that the home remembers ..."
    @Test func `A log, a file or both that are gone, and an empty file, are damage and not an empty store`() throws {
        let files = FileManager.default
        #expect(try torn { _, _ in } == nil)
        let changes: [(String, (TemporaryHome, String) throws -> Void)] = [
            ("log", { try files.removeItem(atPath: $1 + "-wal") }),
            ("log and index", { for suffix in ["-wal", "-shm"] { try files.removeItem(atPath: $1 + suffix) } }),
            ("log cut", { try #require(unsafe truncate($1 + "-wal", 8192) == 0) }),
            ("file", { try files.removeItem(atPath: $1) }),
            ("all", { for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: $1 + suffix) } }),
            ("emptied", { try #require(unsafe truncate($1, 0) == 0) }),
            (
                "a new one",
                { home, path in
                    for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: path + suffix) }
                    try SQLiteFile(path).execute("PRAGMA user_version = 0; VACUUM")
                    unsafe chmod(path, 0o600)
                }
            ),
        ]
        for (name, change) in changes {
            let error = try torn(change)
            #expect(error?.code == .damaged, "\(name)")
            #expect(error?.message.contains("--accept-restored") == true, "\(name)")
        }
    }

    @Test func `An older copy of the file is damage, until it is accepted; then counting goes on above`() throws {
        let home = try filled()
        let before = try temporary.content("counted.db")
        do {
            let database = try SealedDatabase(counted, of: home)
            for number in 0..<3 { try database.put(number) }
        }
        try remove(["", "-wal", "-shm"])
        _ = FileManager.default.createFile(atPath: path, contents: before, attributes: [.posixPermissions: 0o600])
        #expect(failure(DataProtectionError.self) { try SealedDatabase(counted, of: home) }?.code == .damaged)
        let database = try SealedDatabase(counted, of: home, acceptingRestoredCopy: true)
        #expect(try database.readOnce { try $0.revision() } == 44)
        #expect(try database.examineRows() == nil)
        #expect(try SealedDatabase(counted, of: home).readOnce { try $0.integer("SELECT count(*) FROM thing") } == 40)
    }

    @Test func `A store that is gone is begun anew when that is accepted, and its numbers are not used again`() throws {
        let home = try filled(5)
        try remove(["", "-wal", "-shm"])
        #expect(failure(DataProtectionError.self) { try SealedDatabase(counted, of: home) }?.code == .damaged)
        let database = try SealedDatabase(counted, of: home, acceptingRestoredCopy: true)
        try database.put()
        #expect(try database.readOnce { try $0.integer("SELECT max(id) FROM thing") } == 7)
        _ = try SealedDatabase(counted, of: home)
    }

    // Rule: a file that is gone is noticed under an open database | where there is no file, nothing is compared | in
    //   this test, no error
    @Test(arguments: ["removed", "moved", "emptied"])
    func `A file that is gone under an open database is refused by the next read and write`(how: String) throws {
        let home = try filled(3)
        let database = try SealedDatabase(counted, of: home)
        try database.put()
        switch how {
        case "removed": try remove(["", "-wal", "-shm"])
        case "moved": try FileManager.default.moveItem(atPath: path, toPath: path + "-aside")
        default: try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 0)
        }
        #expect(
            failure(DataProtectionError.self) { try database.readOnce { try $0.integer("SELECT 1 FROM thing") } }?.code
                == .damaged)
        #expect(failure(DataProtectionError.self) { try database.put() }?.code == .damaged)
    }

    @Test func `A file that goes back under an open database is noticed by the next read and write`() throws {
        let home = try filled(3)
        let database = try SealedDatabase(counted, of: home)
        let saved = try database.readOnce { access in
            var state: ([UInt8], Int64) = ([], 0)
            try access.rows("SELECT sealed, revision FROM state") {
                state = (try $0.bytes(0) ?? [], $0.integer(1))
                return false
            }
            return state
        }
        try database.put()
        #expect(try database.readOnce { try $0.integer("SELECT count(*) FROM thing") } == 4)
        try SQLiteFile(path).execute(
            "UPDATE state SET sealed = ?, revision = ?; DELETE FROM thing WHERE id = 4",
            [.blob(saved.0), .integer(saved.1)])
        #expect(
            failure(DataProtectionError.self) { try database.readOnce { try $0.integer("SELECT 1 FROM thing") } }?.code
                == .damaged)
        #expect(failure(DataProtectionError.self) { try database.put() }?.code == .damaged)
    }

    @Test func `A record that is missing, cut, of noise or behind is no error, and comes again`() throws {
        let home = try filled(2)
        let record = "\(temporary.path)/stores-seen"
        #expect(try temporary.mode("stores-seen") == 0o600)
        let old = try temporary.content("stores-seen")
        for bytes in [nil, Data(), old.prefix(100), Data((0..<old.count).map { _ in UInt8.random(in: 0...255) }), old] {
            try FileManager.default.removeItem(atPath: record)
            if let bytes {
                _ = FileManager.default.createFile(
                    atPath: record, contents: bytes, attributes: [.posixPermissions: 0o600])
            }
            try SealedDatabase(counted, of: home).put()
            #expect(home.recordedRevision != nil)
        }
        try remove(["", "-wal", "-shm"])
        #expect(failure(DataProtectionError.self) { try SealedDatabase(counted, of: home) }?.code == .damaged)
    }

    // Rule: the log is moved into the file | by 1 GiB; after two years | also "... by age"
    @Test func `The log is moved into the file by size`() throws {
        let home = try temporary.open()
        let database = try SealedDatabase(counted, of: home)
        #expect(try temporary.content("counted.db").count >= 4096 * 2)
        for number in 0..<400 { try database.put(number) }
        #expect(try temporary.content("counted.db-wal").count <= 2 << 20)
        #expect(try temporary.content("counted.db").count > 4096 * 4)
    }

    @Test func `The log is moved into the file by age`() throws {
        let home = try temporary.open()
        let database = try SealedDatabase(counted, of: home)
        for number in 0..<5 { try database.put(number) }
        let before = try temporary.content("counted.db")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
        try database.put()
        #expect(try temporary.content("counted.db") != before)
    }

    @Test func `The log of a relaxed object is moved into the file by age, too`() throws {
        let home = try temporary.open()
        let database = try SealedDatabase(counted, of: home, isRelaxed: true)
        for number in 0..<5 { try database.put(number) }
        let before = try temporary.content("counted.db")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
        // It asks for the age once a second.
        let end = ContinuousClock.now + .seconds(20)
        while try temporary.content("counted.db") == before, ContinuousClock.now < end { try database.put() }
        #expect(try temporary.content("counted.db") != before)
    }
}

@Suite struct RowSumTests {
    let temporary = TemporaryHome()

    private func filled() throws -> SealedDatabase {
        let database = try SealedDatabase(counted, of: try temporary.open())
        for number in 0..<20 { try database.put(number) }
        try database.rewrite(7)
        #expect(try database.examineRows() == nil)
        return database
    }

    @Test func `A write of more rows than are counted at once is counted whole`() throws {
        let database = try filled()
        let count = RowChanges.atOnce * 2 + 3
        func place(_ number: Int) -> RowVersion {
            RowVersion(
                number: Int64(number), uuid: [UInt8](repeating: UInt8(number % 256), count: 16), kind: 1,
                revision: Int64(number))
        }
        try database.write { access in
            for number in 1000..<1000 + count {
                let place = place(number)
                try access.execute(
                    "INSERT INTO thing VALUES (?, ?, ?, ?)",
                    [.integer(place.number), .blob(place.uuid), .integer(1), .integer(place.revision)], expecting: 1)
                try access.enter(place)
            }
            #expect(access.countsRows)
        }
        #expect(try database.examineRows() == nil)
        try database.tamper("DELETE FROM thing WHERE id = \(1000 + RowChanges.atOnce)")
        #expect(try database.examineRows() == .missing(place(1000 + RowChanges.atOnce)))
    }

    @Test func `A write that takes all rows away counts none, before it is at its end`() throws {
        let database = try SealedDatabase(counted, of: try temporary.open())
        try database.put()
        let only = try database.place(1)
        try database.write { access in
            #expect(access.countsRows)
            try access.execute("DELETE FROM thing", expecting: 1)
            try access.leave(only)
            #expect(!access.countsRows)
        }
        #expect(try database.examineRows() == nil)
    }

    // Rule: all rows together are authenticated | the sum not compared | also "One row that is put back is named", "A
    //   removed row that is put back is named", "Other changes are told with the count" (8); DamageTests "Damage costs
    //   the row alone"
    @Test func `One row that is removed is named`() throws {
        let database = try filled()
        let place = try database.place(7)
        try database.tamper("DELETE FROM thing WHERE id = 7")
        #expect(try database.examineRows() == .missing(place))
    }

    @Test func `One row that is put back is named`() throws {
        let database = try filled()
        let old = try database.place(9)
        try database.rewrite(9)
        try database.rewrite(3)
        try database.rewrite(9)
        try database.tamper("UPDATE thing SET revision = \(old.revision) WHERE id = 9")
        #expect(try database.examineRows() == .older(old))
    }

    @Test func `A removed row that is put back is named`() throws {
        let database = try filled()
        let place = try database.place(11)
        try database.write { access in
            _ = try access.nextRevision()
            try access.execute("DELETE FROM thing WHERE id = 11", expecting: 1)
            try access.leave(place)
        }
        #expect(try database.examineRows() == nil)
        let bytes = place.uuid.map { (byte: UInt8) -> String in String(format: "%02x", byte) }.joined()
        try database.tamper("INSERT INTO thing VALUES (11, x'\(bytes)', 3, \(place.revision))")
        #expect(try database.examineRows() == .resurrected(place))
    }

    @Test(arguments: [
        "DELETE FROM thing WHERE id IN (1, 2)", "UPDATE thing SET id = 100 WHERE id = 5", "UPDATE thing SET kind = 4",
        "UPDATE thing SET uuid = zeroblob(16) WHERE id = 6", "UPDATE thing SET uuid = x'' WHERE id = 6",
        "UPDATE thing SET revision = 9223372036854775807 WHERE id = 1", "DELETE FROM thing",
        "UPDATE thing SET (uuid, revision) = (SELECT b.uuid, b.revision FROM thing b WHERE b.id = 3 - thing.id) WHERE id IN (1, 2)",
    ])
    func `Other changes are told with the count`(change: String) throws {
        let database = try filled()
        try database.tamper(change)
        let finding = try database.examineRows()
        switch finding {
        case .several: break
        // Another revision is another state of the row.
        case .older(let place) where change.contains("revision = 9"): #expect(place.number == 1)
        default: Issue.record("\(String(describing: finding))")
        }
        // What is accepted adds up again.
        let accepted = try SealedDatabase(counted, of: try temporary.open(), acceptingRestoredCopy: true)
        #expect(try accepted.examineRows() == nil)
    }

    @Test func `Numbers at their end are refused, and trap nowhere`() throws {
        let database = try filled()
        try database.write { access in
            _ = try access.nextRevision()
        }
        for (revision, code) in [(Int64.max, DataProtectionError.Code.damaged), (-1, .damaged), (.min, .damaged)] {
            try database.tamper("UPDATE state SET revision = \(revision)")
            #expect(failure(DataProtectionError.self) { try database.put() }?.code == code)
            #expect(
                failure(DataProtectionError.self) { try SealedDatabase(counted, of: try temporary.open()) }?.code
                    == code)
        }
    }

    @Test(arguments: [Int64.max, -1, .min, 1 << 62]) func `A purge mark at its end goes on`(purge: Int64) throws {
        let database = try filled()
        try database.tamper("UPDATE state SET purge = \(purge)")
        try database.write { $0.purgeAfterCommit() }
        #expect(try database.isPurgeDue() == false)
        #expect(try SealedDatabase(counted, of: try temporary.open()).examineRows() == nil)
    }

    @Test func `Sums of many bytes count round as numbers do`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let (a, b) = (
                UInt64.random(in: 0...UInt64.max, using: &generator), UInt64.random(in: (.max - 5)...UInt64.max)
            )
            var sum = WideSum(words: 2)
            sum += WideSum(WideSum.eight(a) + WideSum.eight(b), words: 2)
            sum += WideSum(WideSum.eight(b) + WideSum.eight(a), words: 2)
            let (low, carry) = a.addingReportingOverflow(b)
            #expect(sum.words == [low, a &+ b &+ (carry ? 1 : 0)])
            sum -= WideSum(WideSum.eight(b) + WideSum.eight(a), words: 2)
            #expect(sum.bytes == WideSum.eight(a) + WideSum.eight(b))
        }
    }
}

extension WideSum {
    fileprivate static func eight(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index))) }
        return bytes
    }
}

extension Home {
    fileprivate var recordedRevision: Int64? {
        (try? record(of: .preferences, counted.applicationID, counted.fileName).known()?.revision) ?? nil
    }
}
