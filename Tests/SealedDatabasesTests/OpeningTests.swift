// SPDX-License-Identifier: Apache-2.0

import CSQLite
import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import SealedDatabases

@Suite struct OpeningTests {
    let temporary = TemporaryHome()
    private var path: String { "\(temporary.path)/test.db" }

    // In a process of its own: the mask is the whole process's, and would open the files of tests beside this one.
    @Test func `Files are 0600 under any umask, and the writer is durable`() async {
        await #expect(processExitsWith: .success) {
            umask(0)
            let temporary = TemporaryHome()
            defer { withExtendedLifetime(temporary) {} }
            let database = try TestDatabase.open(try temporary.open())
            try database.add([1])
            for name in ["test.db", "test.db-wal", "test.db-shm"] {
                #expect(try temporary.mode(name) == 0o600, "\(name)")
            }
            #expect(try database.synchronousOfWriter() == 2)
            #expect(try database.pragmas == ["wal", "1", "1", "0"])
        }
    }

    @Test func `A symbolic link, a file of others and a folder in its place are refused`() throws {
        let home = try temporary.open()
        for prepare in [
            { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/tmp/elsewhere.db") },
            {
                _ = FileManager.default.createFile(
                    atPath: path, contents: Data(), attributes: [.posixPermissions: 0o640])
            },
            { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) },
        ] {
            try prepare()
            #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .unsafeHome)
            try FileManager.default.removeItem(atPath: path)
        }
        try FileManager.default.createSymbolicLink(atPath: "\(path)-wal", withDestinationPath: "/tmp/elsewhere")
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .unsafeHome)
    }

    @Test(arguments: [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL])
    func `A process that waits too long is told that another one holds the lock, and what to do`(code: Int32) {
        let error = DataProtectionError(DatabaseError(code), "keychain.db")
        #expect(error.code == .notAvailable)
        #expect(error.message.contains("another process") && error.message.contains("try again"))
    }

    @Test func `A newer format is refused, and not a byte is written`() throws {
        let home = try temporary.open()
        try TestDatabase.open(home).set("user_version", 2)
        let before = try temporary.content("test.db")
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .newerFormat)
        #expect(try temporary.content("test.db") == before)
    }

    @Test(arguments: [("application_id", 1), ("application_id", 0)])
    func `Another program's database is refused`(pragma: String, value: Int) throws {
        let home = try temporary.open()
        try TestDatabase.open(home).set(pragma, value)
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .damaged)
    }

    @Test func `What is no database at all is damaged`() throws {
        let home = try temporary.open()
        let noise = Data((0..<8192).map { _ in UInt8.random(in: 0...255) })
        _ = FileManager.default.createFile(atPath: path, contents: noise, attributes: [.posixPermissions: 0o600])
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .damaged)
        #expect(try temporary.content("test.db") == noise)
    }

    @Test func `Another home's database is refused`() throws {
        let other = TemporaryHome()
        try TestDatabase.open(try other.open()).close()
        let home = try temporary.open()
        try temporary.take(["test.db"], from: other)
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .damaged)
    }

    // Rule: a database that has seen a newer keybag refuses an older one | the comparison of generations left out |
    //   also "A keybag that goes back while the database is open is noticed inside the next write"
    @Test func `A keybag older than the database is a restored copy, accepted only explicitly`() throws {
        try TestDatabase.open(try temporary.open()).close()
        let old = try temporary.copied()
        let home = try temporary.open()
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        let database = try TestDatabase.open(home)
        try database.add([1])
        try database.close()
        try old.take(["test.db"], from: temporary)
        let restored = try old.open()
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(restored) }?.code == .restoredCopy)
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(restored) }?.code == .restoredCopy)
        #expect(try SealedDatabase(TestDatabase.kind, of: restored, acceptingRestoredCopy: true).count == 1)
        #expect(try TestDatabase.open(restored).count == 1)
    }

    @Test func `A keybag that goes back while the database is open is noticed inside the next write`() throws {
        let database = try TestDatabase.open(try temporary.open())
        try database.add([1])
        try database.pretendToHaveSeen(generation: 1_000_000)
        #expect(failure(DataProtectionError.self) { try database.add([2]) }?.code == .restoredCopy)
        #expect(try database.count == 1)
    }

    @Test func `A changed state row is damaged`() throws {
        let home = try temporary.open()
        let database = try TestDatabase.open(home)
        try database.change("UPDATE state SET sealed = zeroblob(length(sealed))")
        #expect(failure(DataProtectionError.self) { try TestDatabase.open(home) }?.code == .damaged)
        #expect(failure(DataProtectionError.self) { try database.add([1]) }?.code == .damaged)
    }
}

extension SealedDatabase {
    fileprivate func set(_ pragma: String, _ value: Int) throws {
        try change("PRAGMA \(pragma) = \(value)")
        try close()
    }

    fileprivate func change(_ sql: String) throws { try connections.write { try $0.run(sql) } }

    /// Leaves everything in the file itself.
    fileprivate func close() throws {
        try change("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    fileprivate var pragmas: [String] {
        get throws {
            try connections.write { connection in
                try ["journal_mode", "secure_delete", "cell_size_check", "trusted_schema"].map {
                    try connection.texts("PRAGMA \($0)").first ?? ""
                }
            }
        }
    }

    fileprivate func pretendToHaveSeen(generation: UInt64) throws {
        try connections.write { connection in
            let reading = reading(connection)
            let stored = try readState(reading)
            var state = stored
            state.generation = generation
            try writeState(
                state, WriteAccess(reading, stored: stored, state: state, store: self, keybagGeneration: generation))
        }
    }
}
