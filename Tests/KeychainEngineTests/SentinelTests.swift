// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Keys that are not those of the store seal nothing, and find nothing "not there".
@Suite struct SentinelTests {
    let temporary = TemporaryHome()

    private func count(_ store: ItemStore) throws -> Int64? {
        try store.database.readOnce { try $0.integer("SELECT count(*) FROM sentinel") }
    }

    private func expectRefusal(_ home: Home) throws {
        let store = try ItemStore(home)
        let query = ItemQuery.password("service", "anna")
        var changes = ItemChanges()
        changes.secret = try Secret("new")
        let codes = [
            failure(KeychainError.self) { try store.add(.password("service", "new", "secret")) },
            failure(KeychainError.self) { try store.update(query, with: changes) },
            failure(KeychainError.self) { try store.delete(query) },
            failure(KeychainError.self) { try store.items(matching: query, withSecret: false) },
            failure(KeychainError.self) { try store.items(matching: .password("not", "there"), withSecret: false) },
        ]
        #expect(codes.map { $0?.code } == [.damaged, .damaged, .damaged, .damaged, .damaged])
        #expect(codes.allSatisfy { $0?.message.contains("nothing was changed") == true })
    }

    /// Keybag and epoch as an attacker would put them: keys that the store has never seen.
    @Test func `With a keybag of other keys nothing is sealed, changed or found, until it is accepted`() throws {
        do { _ = try ItemStore.of(try temporary.open()).add(.password("service", "anna", "secret")) }
        let other = TemporaryHome()
        try FileManager.default.copyItem(atPath: temporary.path, toPath: other.path)
        do {
            let home = try other.open()
            try home.keybag.setPasscode(try SecretBytes(text: "one"))
            try home.keybag.removePasscode(try SecretBytes(text: "one"))
            _ = try ItemStore.of(home)
            try home.keybag.removeRetiredKeys()
        }
        for name in ["keybag", "epoch"] {
            try FileManager.default.removeItem(atPath: "\(temporary.path)/\(name)")
            try FileManager.default.copyItem(atPath: "\(other.path)/\(name)", toPath: "\(temporary.path)/\(name)")
        }
        let home = try temporary.open()
        try expectRefusal(home)
        let store = try ItemStore(home, acceptingRestoredCopy: true)
        _ = try store.add(.password("service", "new", "secret"))
        #expect(try store.items(matching: .password("service", "new"), withSecret: true).count == 1)
    }

    @Test(arguments: [
        "mark = randomblob(16)", "mark = x''", "key = key + 1", "key = -key, mark = zeroblob(16)", "role = 3 - role",
    ])
    func `Marks that are not those of the keys refuse them`(change: String) throws {
        let home = try temporary.open()
        do {
            let store = try ItemStore.of(home)
            _ = try store.add(.password("service", "anna", "secret"))
            #expect(try count(store) == 5)
            try store.database.write { _ = try $0.execute("UPDATE sentinel SET \(change)") }
        }
        try expectRefusal(try temporary.open())
    }

    @Test func `Passcodes that are set, changed, rotated and removed, and keys that go, leave the store open`() throws {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        _ = try store.add(.password("service", "anna", "secret"))
        for round in 0..<6 {
            try home.keybag.setPasscode(try SecretBytes(text: "one"))
            _ = try store.add(.password("service", "set \(round)", "secret"))
            try home.keybag.lockCompletely()
            #expect(
                failure(KeychainError.self) {
                    try store.items(matching: .password("service", "anna"), withSecret: true)
                }?.code == .locked)
            try home.keybag.unlock(passcode: try SecretBytes(text: "one"))
            try home.keybag.lock()
            #expect(try store.items(matching: .password("service", "anna"), withSecret: false).count == 1)
            try home.keybag.unlock(passcode: try SecretBytes(text: "one"))
            try home.keybag.removeRetiredKeys()
            #expect(try store.items(matching: .password("service", "anna"), withSecret: true).count == 1)
            try home.keybag.removePasscode(try SecretBytes(text: "one"))
            if round % 2 == 0 { try home.keybag.removeRetiredKeys() }
            _ = try store.add(.password("service", "removed \(round)", "secret"))
            #expect(
                try ItemStore(try temporary.open()).items(matching: .password("service", "anna"), withSecret: true)
                    .count == 1)
            #expect(try store.examine() == [])
        }
    }

    /// Until a group is loaded its marks are what the keybag's file says, which an attacker may have written.
    @Test func `Keys that are locked are recorded only after they were loaded`() throws {
        do { _ = try ItemStore.of(try temporary.open()).add(.password("service", "anna", "secret")) }
        // Drawn while no store is open, and so not recorded yet.
        let home = try temporary.open()
        try home.keybag.setPasscode(try SecretBytes(text: "one"))
        try home.keybag.lock()
        let store = try ItemStore(home)
        func recorded(_ role: KeyMark.Role) throws -> Bool {
            let current = try home.keybag.marks().filter { $0.role == role && !$0.isRetired }
            return try current.allSatisfy { mark in
                try store.database.readOnce {
                    try $0.integer("SELECT count(*) FROM sentinel WHERE key = \(Int64(bitPattern: mark.id.value))")
                } == 1
            }
        }
        #expect(try !recorded(.complete) && !recorded(.firstUnlock))
        var item = try ItemRecord.password("service", "new", "secret")
        item.attributes["pdmn"] = .text(Accessibility.afterFirstUnlock.rawValue)
        _ = try store.add(item)
        #expect(try !recorded(.complete) && recorded(.firstUnlock))
        try home.keybag.unlock(passcode: try SecretBytes(text: "one"))
        _ = try store.add(.password("service", "unlocked", "secret"))
        #expect(try recorded(.complete) && recorded(.firstUnlock))
    }
}
