// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Locked, before the first unlock, key destroyed: never "not found".
@Suite struct LockTests {
    let temporary = TemporaryHome()

    private func lockedStore(_ lock: (Keybag) throws -> Void) throws -> (Home, ItemStore) {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        try home.keybag.setPasscode(try SecretBytes(text: "passcode"))
        for code in Accessibility.allCases {
            var item = try ItemRecord.password("service", code.rawValue, "secret of \(code.rawValue)")
            item.attributes["pdmn"] = .text(code.rawValue)
            _ = try store.add(item)
        }
        try lock(home.keybag)
        return (home, store)
    }

    @Test(arguments: Accessibility.allCases)
    func `While locked secrets follow their class, attributes are there`(code: Accessibility) throws {
        let (home, store) = try lockedStore { try $0.lock() }
        let query = ItemQuery.password("service", code.rawValue)
        #expect(try store.items(matching: query, withSecret: false).count == 1)
        let isReadable = [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly].contains(
            code)
        if isReadable {
            #expect(try store.items(matching: query, withSecret: true).count == 1)
        } else {
            #expect(failure(KeychainError.self) { try store.items(matching: query, withSecret: true) }?.code == .locked)
        }
        try home.keybag.unlock(passcode: try SecretBytes(text: "passcode"))
        #expect(
            try store.items(matching: query, withSecret: true).first?.secret?.exposedBytes
                == Array("secret of \(code.rawValue)".utf8))
    }

    @Test
    func
        `While locked an item of a locked class can't be added, get a new secret, be renamed or moved; deleting stays`()
        throws
    {
        let (_, store) = try lockedStore { try $0.lock() }
        #expect(failure(KeychainError.self) { try store.add(.password("service", "new", "secret")) }?.code == .locked)
        var changes = ItemChanges()
        changes.secret = try Secret("other")
        #expect(
            failure(KeychainError.self) { try store.update(.password("service", "ak"), with: changes) }?.code == .locked
        )
        var toOther = ItemChanges()
        toOther.attributes["pdmn"] = .text("ck")
        #expect(
            failure(KeychainError.self) { try store.update(.password("service", "ak"), with: toOther) }?.code == .locked
        )
        let moves: [Attributes] = [
            ["acct": .text("renamed")], ["agrp": .text("test")], ["labl": .text("label")], ["icmt": .text("comment")],
            ["svce": .text("other"), "sync": .number(0)], ["cdat": .date(0)], [:],
        ]
        for attributes in moves {
            var move = ItemChanges()
            move.attributes = attributes
            #expect(
                failure(KeychainError.self) { try store.update(.password("service", "ak"), with: move) }?.code
                    == .locked, "\(attributes)")
            // With a new secret and a class that is open, too: the old one would be lost unread.
            move.attributes["pdmn"] = .text("ck")
            move.secret = try Secret("other")
            #expect(
                failure(KeychainError.self) { try store.update(.password("service", "ak"), with: move) }?.code
                    == .locked, "\(attributes)")
        }
        var rename = ItemChanges()
        rename.attributes["labl"] = .text("label")
        #expect(try store.update(.password("service", "ck"), with: rename) == 1)
        #expect(try store.delete(.password("service", "ak")) == 1)
    }

    // Rule: what is always readable is found before the first unlock by a search that takes it, and by one for that
    //   class alone | refused like every search for all | "locked"
    @Test func `Before the first unlock what is always readable is found, also by a search for all of it`() throws {
        let (_, store) = try lockedStore { try $0.lockCompletely() }
        var query = ItemQuery.password("service", "dk")
        query.limit = nil
        #expect(failure(KeychainError.self) { try store.items(matching: query, withSecret: true) }?.code == .locked)
        query.takesReadable = true
        #expect(try store.items(matching: query, withSecret: true).count == 1)
        for account in ["ak", "none"] {
            var other = ItemQuery.password("service", account)
            (other.limit, other.takesReadable) = (nil, true)
            #expect(failure(KeychainError.self) { try store.items(matching: other, withSecret: true) }?.code == .locked)
        }
        var all = ItemQuery(.genericPassword)
        (all.limit, all.attributes["pdmn"]) = (nil, .text("dk"))
        #expect(try store.items(matching: all, withSecret: true).count == 1)
        var seen = 0
        try store.stream(matching: all, withSecret: true, { $0 }, { seen += $0.count })
        #expect(seen == 1)
        #expect(try store.delete(all) == 1)
        all.attributes["pdmn"] = .text("ck")
        #expect(failure(KeychainError.self) { try store.items(matching: all, withSecret: true) }?.code == .locked)
    }

    // Rule: locked is never "not found" | the question before the first unlock left out
    @Test func `Before the first unlock what needs to know all rows answers locked`() throws {
        let (_, store) = try lockedStore { try $0.lockCompletely() }
        var all = ItemQuery(.genericPassword)
        all.limit = nil
        var always = try ItemRecord.password("service", "new", "secret")
        always.attributes["pdmn"] = .text("dk")
        let codes = [
            failure(KeychainError.self) { try store.items(matching: all, withSecret: false) }?.code,
            failure(KeychainError.self) { try store.add(always) }?.code,
            failure(KeychainError.self) { try store.update(.password("service", "dk"), with: ItemChanges()) }?.code,
            failure(KeychainError.self) { try store.delete(.password("service", "dk")) }?.code,
            failure(KeychainError.self) { try store.items(matching: .password("service", "ak"), withSecret: false) }?
                .code,
            failure(KeychainError.self) { try store.items(matching: .password("nothing", "there"), withSecret: false) }?
                .code,
        ]
        #expect(codes.allSatisfy { $0 == .locked })
        #expect(try store.items(matching: .password("service", "dk"), withSecret: true).count == 1)
    }

    @Test func `Before the first unlock a class without any sealed row works, and a persistent reference is exact`()
        throws
    {
        let (home, store) = try lockedStore { _ in }
        let reference = try #require(try store.items(matching: .password("service", "ak"), withSecret: false).first)
            .persistentReference
        try home.keybag.lockCompletely()
        var server = ItemRecord(.internetPassword)
        server.attributes = ["srvr": .text("example.com"), "pdmn": .text("dk")]
        server.secret = try Secret("secret")
        _ = try store.add(server)
        var all = ItemQuery(.internetPassword)
        all.limit = nil
        #expect(try store.items(matching: all, withSecret: true).count == 1)
        var byReference = ItemQuery(.genericPassword)
        byReference.persistentReference = reference
        #expect(
            failure(KeychainError.self) { try store.items(matching: byReference, withSecret: false) }?.code == .locked)
        byReference.persistentReference = PersistentReference(.genericPassword, uuid: [UInt8](repeating: 7, count: 16))
        #expect(
            failure(KeychainError.self) { try store.items(matching: byReference, withSecret: false) }?.code
                == .itemNotFound)
    }

    @Test
    func `Without a passcode whenPasscodeSet is not available; its items lose their key with the passcode, and say so`()
        throws
    {
        let other = TemporaryHome()
        let fresh = try ItemStore.of(try other.open())
        var item = try ItemRecord.password("service", "anna", "secret")
        item.attributes["pdmn"] = .text("akpu")
        #expect(failure(KeychainError.self) { try fresh.add(item) }?.code == .notAvailable)
        let (home, store) = try lockedStore { _ in }
        try home.keybag.removePasscode(try SecretBytes(text: "passcode"))
        #expect(try store.items(matching: .password("service", "akpu"), withSecret: false).count == 1)
        #expect(
            failure(KeychainError.self) { try store.items(matching: .password("service", "akpu"), withSecret: true) }?
                .code == .keyDestroyed)
        #expect(try store.examine().map(\.kind) == [.keyDestroyed])
        var all = ItemQuery(.genericPassword)
        all.limit = nil
        #expect(try store.items(matching: all, withSecret: true).count == Accessibility.allCases.count - 1)
    }

    @Test
    func
        `Setting, rotating and removing the passcode leaves no row under a retired key, and no old wrapped key in any file`()
        throws
    {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        _ = try store.add(.password("service", "anna", "secret"))
        let steps: [(Keybag) throws -> Void] = [
            { try $0.setPasscode(try SecretBytes(text: "one")) },
            {
                try $0.changePasscode(
                    from: try SecretBytes(text: "one"), to: try SecretBytes(text: "two"), rotatingKeys: true)
            },
            { try $0.removePasscode(try SecretBytes(text: "two")) },
        ]
        for step in steps {
            let old = try store.columns(of: .password("service", "anna"))
            try step(home.keybag)
            let new = try store.columns(of: .password("service", "anna"))
            #expect(old.wrapped != new.wrapped && old.secret == new.secret)
            #expect(try PlaintextSearch(bytes: old.wrapped).findings(in: temporary.path) == [])
            #expect(try store.examine() == [])
            #expect(
                try store.items(matching: .password("service", "anna"), withSecret: true).first?.secret?.exposedBytes
                    == Array("secret".utf8))
            try home.keybag.removeRetiredKeys()
        }
        #expect(try store.items(matching: .password("service", "anna"), withSecret: true).count == 1)
    }

    @Test func `Rows of a locked class stay under the retired key until the store opens unlocked`() throws {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        try home.keybag.setPasscode(try SecretBytes(text: "one"))
        _ = try store.add(.password("service", "anna", "secret"))
        try home.keybag.lock()
        try home.keybag.changePasscode(
            from: try SecretBytes(text: "one"), to: try SecretBytes(text: "two"), rotatingKeys: true)
        #expect(try store.examine().contains { $0.kind == .retiredKey })
        #expect(try home.keybag.removeRetiredKeys().needs.map(\.store) == ["keychain"])
        try home.keybag.unlock(passcode: try SecretBytes(text: "two"))
        let next = try ItemStore.of(try temporary.open())
        #expect(try next.examine() == [])
        try home.keybag.removeRetiredKeys()
        #expect(try next.items(matching: .password("service", "anna"), withSecret: true).count == 1)
    }
}
