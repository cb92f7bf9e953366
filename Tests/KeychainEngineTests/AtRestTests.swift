// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// What lies on the disk.
@Suite struct AtRestTests {
    let temporary = TemporaryHome()
    let markers = ["svce", "acct", "labl", "icmt", "value"].map { "\($0)-\(UUID().uuidString)" }

    private func found() throws -> [String] {
        try markers.flatMap { try PlaintextSearch($0).findings(in: temporary.path) }
    }

    private func marked() throws -> ItemRecord {
        var item = try ItemRecord.password(markers[0], markers[1], markers[4])
        item.attributes["labl"] = .text(markers[2])
        item.attributes["icmt"] = .text(markers[3])
        return item
    }

    @Test func `The search finds a planted marker in every encoding`() throws {
        _ = try temporary.open()
        for (name, bytes) in PlaintextSearch(markers[0]).encodings {
            let path = "\(temporary.path)/planted"
            try (Data("before".utf8) + bytes + Data("behind".utf8)).write(to: URL(fileURLWithPath: path))
            #expect(try PlaintextSearch(markers[0]).findings(in: temporary.path).contains("planted: \(name)"))
        }
    }

    @Test(arguments: Accessibility.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly })
    func `No file holds a marker in clear after add, update and delete`(accessibility: Accessibility) throws {
        let store = try ItemStore.of(try temporary.open())
        var item = try marked()
        item.attributes["pdmn"] = .text(accessibility.rawValue)
        _ = try store.add(item)
        #expect(try found() == [])
        var changes = ItemChanges()
        changes.secret = try Secret(markers[4] + " changed")
        changes.attributes["icmt"] = .text("changed")
        try store.update(.password(markers[0], markers[1]), with: changes)
        #expect(try found() == [])
        try store.delete(.password(markers[0], markers[1]))
        #expect(try found() == [])
    }

    @Test func `No file holds a marker in clear after a writer was killed`() throws {
        let worker = try WorkerProcess(temporary.path)
        #expect(try worker.ask("add", markers[0], markers[1], markers[4]) == "ok")
        #expect(try worker.ask("update", markers[0], markers[1], markers[2]) == "ok")
        _ = try worker.killed()
        #expect(temporary.names.contains("keychain.db-wal"))
        #expect(try found() == [])
    }

    @Test func `Equal secrets in equal items never give equal ciphertext`() throws {
        let store = try ItemStore.of(try temporary.open())
        var seen: Set<[UInt8]> = []
        for account in 0..<20 {
            _ = try store.add(.password("service", "\(account)", "the same secret"))
            let columns = try store.columns(of: .password("service", "\(account)"))
            for bytes in [columns.secret, columns.attributes, columns.wrapped] { #expect(seen.insert(bytes).inserted) }
            try store.delete(.password("service", "\(account)"))
        }
    }

    @Test(arguments: [("dk", "ck"), ("ck", "ak"), ("ak", "aku"), ("dk", "dku")])
    func `After a stricter class no file holds the old wrapped key or value`(from: String, to: String) throws {
        let store = try ItemStore.of(try temporary.open())
        var item = try ItemRecord.password("service", "anna", "secret")
        item.attributes["pdmn"] = .text(from)
        _ = try store.add(item)
        let old = try store.columns(of: .password("service", "anna"))
        #expect(try holds(old.secret) && holds(old.wrapped))
        var changes = ItemChanges()
        changes.attributes["pdmn"] = .text(to)
        try store.update(.password("service", "anna"), with: changes)
        #expect(try !holds(old.secret) && !holds(old.wrapped))
        #expect(try store.database.isPurgeDue() == false)
    }

    // Rule: what is deleted is overwritten | `secure_delete` off
    // Rule: deleted rows leave the log | no purge after a commit | also "After a stricter class no file holds the old
    //   wrapped key or value" (4 classes)
    @Test func `After delete no file holds the old wrapped key, value or attributes`() throws {
        let store = try ItemStore.of(try temporary.open())
        for account in ["anna", "berta"] { _ = try store.add(.password("service", account, "secret")) }
        let old = try store.columns(of: .password("service", "anna"))
        #expect(try holds(old.secret) && holds(old.wrapped) && holds(old.attributes))
        try store.delete(.password("service", "anna"))
        #expect(try !holds(old.secret) && !holds(old.wrapped) && !holds(old.attributes))
    }

    @Test func `A reader keeps deleted rows in the log; a mark makes the next writer remove them`() throws {
        let store = try ItemStore.of(try temporary.open())
        _ = try store.add(.password("service", "anna", "secret"))
        let old = try store.columns(of: .password("service", "anna"))
        try store.database.read { access in
            _ = try access.integer("SELECT count(*) FROM item")
            try store.delete(.password("service", "anna"), onThreadOfItsOwn: ())
            #expect(try holds(old.secret))
        }
        #expect(try store.database.isPurgeDue())
        #expect(try store.examine().map(\.kind) == [.purgeDue])
        _ = try store.add(.password("service", "berta", "secret"))
        #expect(try !store.database.isPurgeDue() && !holds(old.secret) && !holds(old.wrapped))
    }

    @Test func `With another device secret the home reads nothing`() throws {
        _ = try ItemStore.of(try temporary.open()).add(.password("service", "anna", "secret"))
        let other = TemporaryHome()
        _ = try other.open()
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy.path)
        for name in ["device-secret"] {
            try FileManager.default.removeItem(atPath: "\(copy.path)/\(name)")
            try FileManager.default.copyItem(atPath: "\(other.path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        #expect(failure(DataProtectionError.self) { try copy.open() }?.code == .damaged)
        // And with a keybag that fits it: another home's.
        for name in ["keybag", "epoch", "generation"] {
            try FileManager.default.removeItem(atPath: "\(copy.path)/\(name)")
            try FileManager.default.copyItem(atPath: "\(other.path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        #expect(failure(KeychainError.self) { try ItemStore.of(try copy.open()) }?.code == .damaged)
    }

    private func holds(_ bytes: [UInt8]) throws -> Bool {
        try !PlaintextSearch(bytes: bytes).findings(in: temporary.path).isEmpty
    }
}

/// The sealed columns of one row.
struct SealedRowColumns {
    var secret: [UInt8] = []
    var attributes: [UInt8] = []
    var wrapped: [UInt8] = []
    var id: Int64 = 0
}

extension ItemStore {
    func columns(of query: ItemQuery) throws -> SealedRowColumns {
        let reference = try items(matching: query, withSecret: false)[0].persistentReference
        guard case .uuid(let uuid) = reference?.target else { throw KeychainError(.parameter, "no UUID") }
        var found = SealedRowColumns()
        try database.readOnce { access in
            try access.rows("SELECT id, secret, attributes, wrapped FROM item WHERE uuid = ?", arguments: [.blob(uuid)])
            { row in
                found.id = row.integer(0)
                found.secret = try row.bytes(1) ?? []
                found.attributes = try row.bytes(2) ?? []
                found.wrapped = try row.bytes(3) ?? []
                return false
            }
        }
        return found
    }

    /// A call inside a read of the same thread would be a call within a call.
    func delete(_ query: ItemQuery, onThreadOfItsOwn: Void) throws {
        let done = DispatchSemaphore(value: 0)
        let failed = Locked(false)
        Thread {
            do { try self.delete(query) } catch { failed.withLock { $0 = true } }
            done.signal()
        }.start()
        done.wait()
        if failed.withLock({ $0 }) { throw KeychainError(.inputOutput, "the deletion failed") }
    }
}
