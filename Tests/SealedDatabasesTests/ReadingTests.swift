// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import Synchronization
import TestSupport
import Testing

/// Queries by SQLite's own calls, and the reader that the first one to come gets.
@Suite struct ReadingTests {
    let temporary = TemporaryHome()

    @Test func `What is bound comes back: numbers, NULL, bytes of any count`() throws {
        let database = try TestDatabase.open(try temporary.open())
        let values: [SQLValue] = [
            .integer(0), .integer(.min), .integer(.max), .null, .blob([]), .blob([0]), .blob([UInt8](0...255)),
            .blob([UInt8](repeating: 1, count: 1 << 20)),
        ]
        try database.readOnce { access in
            for value in values {
                try access.rows("SELECT ?, typeof(?1)", arguments: [value]) { row in
                    let number = row.optionalInteger(0)
                    let bytes = try row.bytes(0)
                    switch value {
                    case .null: #expect(number == nil && bytes == nil && row.integer(0) == 0)
                    case .integer(let wanted): #expect(number == wanted && row.integer(0) == wanted)
                    case .blob(let wanted): #expect(bytes == wanted && number == nil)
                    }
                    return true
                }
            }
            // Columns that aren't there, and text where none is expected, don't trap either.
            try access.rows("SELECT 'text', 1.5") { row in
                #expect(row.integer(0) == 0 && row.integer(1) == 0 && row.optionalInteger(7) == nil)
                let bytes = (try row.bytes(0), try row.bytes(7))
                #expect(bytes.0 == Array("text".utf8) && bytes.1 == nil)
                return true
            }
        }
    }

    @Test func `An argument of the last call is not there any more in the next one`() throws {
        let database = try TestDatabase.open(try temporary.open())
        try database.readOnce { access in
            let numbers = (try access.integer("SELECT ?1", [.integer(5)]), try access.integer("SELECT ?1"))
            #expect(numbers.0 == 5 && numbers.1 == nil)
        }
    }

    @Test func `A query that stops early, or whose rows throw, leaves no snapshot behind`() throws {
        struct Stop: Error {}
        let database = try TestDatabase.open(try temporary.open())
        for number in 0..<10 { try database.add([UInt8(number)]) }
        #expect(throws: Stop.self) {
            try database.readOnce { try $0.rows("SELECT bytes FROM thing") { _ in throw Stop() } }
        }
        try database.readOnce { try $0.rows("SELECT bytes FROM thing") { _ in false } }
        // A reader that still stood in the log would keep it from being truncated.
        try database.write { access in
            try access.execute("DELETE FROM thing WHERE bytes = ?", [.blob([3])])
            access.purgeAfterCommit()
        }
        #expect(try database.isPurgeDue() == false)
        // The log was truncated, and has since then taken up that nothing is due: one page behind its header.
        #expect(try temporary.content("test.db-wal").count == 32 + 24 + 4096)
        #expect(try database.count == 9)
    }

    @Test func `A refused query says why, and the next one works`() throws {
        let database = try TestDatabase.open(try temporary.open())
        #expect(throws: DataProtectionError.self) {
            _ = try database.readOnce { try $0.integer("SELECT abs(?)", [.integer(.min)]) }
        }
        #expect(try database.count == 0)
    }

    @Test func `Threads read at the same time, each its own rows`() throws {
        let database = try TestDatabase.open(try temporary.open())
        for number in 0..<50 { try database.add([UInt8(number)]) }
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<200 {
                let wanted = [UInt8((step * 7 + thread) % 50)]
                var found: [UInt8]?
                try? database.readOnce { access in
                    try access.rows("SELECT bytes FROM thing WHERE bytes = ?", arguments: [.blob(wanted)]) { row in
                        found = try row.bytes(0)
                        return true
                    }
                }
                if found != wanted { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }

    @Test func `Two that read at once, one inside the other's rows, both see all`() throws {
        let database = try TestDatabase.open(try temporary.open())
        for number in 0..<3 { try database.add([UInt8(number)]) }
        let inside = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let other = Thread {
            inside.wait()
            #expect(throws: Never.self) { try #expect(database.count == 3) }
            goOn.signal()
        }
        other.start()
        var rows = 0
        try database.readOnce { access in
            try access.rows("SELECT bytes FROM thing") { _ in
                if rows == 0 {
                    inside.signal()
                    goOn.wait()
                }
                rows += 1
                return true
            }
        }
        #expect(rows == 3)
    }

    @Test func `Closed, a database leaves no log behind: the writer is closed last`() throws {
        let home = try temporary.open()
        do {
            let database = try TestDatabase.open(home)
            try database.add([1])
            #expect(try database.count == 1)
        }
        #expect(!temporary.names.contains("test.db-wal"))
    }
}
