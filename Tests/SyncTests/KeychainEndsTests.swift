// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSync

/// What ends a home, or its keys, while it shares its items: nothing is deleted for the others by it.
@Suite struct KeychainEndsTests {
    let folder: EngineFolder
    let one: SyncedHome

    init() throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        try one.add("item", "kept")
        try one.add("closed", "kept too", .whenUnlocked)
    }

    private static let both = ["item": "kept", "closed": "kept too"]

    @Test func `an erased home is in no account, deletes nothing for the others, and may join anew`() async throws {
        let place = TemporaryHome()
        let account: [UInt8]
        do {
            let two = try SyncedHome("two", folder.engine, at: place)
            account = try await one.found()
            try await two.join(account, with: one)
            #expect(try two.items() == Self.both)
            try two.change("item", "by two")
            try await two.round()
            try two.add("never sent", "gone with the home")
            try two.home.erase()
            #expect(throws: (any Error).self) { try two.open() }
            #expect(place.names.filter { $0.hasPrefix("keychain") } == [])
        }
        try await one.round()
        #expect(try one.items() == ["item": "by two", "closed": "kept too"])
        let anew = try SyncedHome("two", folder.engine, at: place)
        #expect(try KeychainSync.settings(of: anew.home) == nil)
        #expect(try anew.items() == [:])
        try await anew.join(account, with: one)
        #expect(try anew.items() == one.items())
        // The device that was erased is still listed, until a member removes it. From then on nothing is sealed to it.
        #expect(try one.open().devices.map(\.number) == [1, 2, 3])
        do {
            var sync = try one.open()
            try await sync.remove([2])
        }
        try one.delete("item")
        try await one.round()
        try await anew.round()
        #expect(try anew.items() == ["closed": "kept too"])
        for home in [one, anew] { #expect(try home.store.checkInvariants() == []) }
    }

    @Test func `a user that is removed takes his membership along, and his items stay with the others`() async throws {
        let root = TemporaryHome()
        let directory = try UserDirectory(root: try root.open())
        let (anna, bob) = (try directory.add("Anna"), try directory.add("Bob"))
        let (annas, bobs) = (
            try SyncedHome("anna", folder.engine, of: directory.home(of: anna), in: root),
            try SyncedHome("bob", folder.engine, of: directory.home(of: bob), in: root)
        )
        let account = try await one.found()
        try await annas.join(account, with: one)
        try await bobs.join(account, with: annas)
        #expect(try bobs.items() == Self.both)
        try annas.add("last", "by anna")
        try await annas.round()
        try directory.remove(anna)
        try await bobs.round()
        try await one.round()
        #expect(try bobs.items() == one.items())
        #expect(try one.items() == ["item": "kept", "closed": "kept too", "last": "by anna"])
        // A user of the same name is another one, and in no account.
        let again = try directory.home(of: directory.add("Anna"))
        #expect(try KeychainSync.settings(of: again) == nil)
        #expect(try one.open().devices.count == 3)
    }

    @Test func `a user's backup holds the items, and nothing of the account`() async throws {
        let root = TemporaryHome()
        let directory = try UserDirectory(root: try root.open())
        let anna = try directory.add("Anna")
        let home = try SyncedHome("anna", folder.engine, of: directory.home(of: anna), in: root)
        let account = try await one.found()
        try await home.join(account, with: one)
        let file = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = try await directory.backUp(anna, to: file, passphrase: try Secret("a long passphrase"))
        try home.change("item", "newer")
        try home.delete("closed")
        try await home.round()
        let restored = try await directory.restore(
            from: file, passphrase: try Secret("a long passphrase"), name: "Anna as she was")
        let old = try SyncedHome("old", folder.engine, of: directory.home(of: restored.user), in: root)
        #expect(try KeychainSync.settings(of: old.home) == nil)
        #expect(try old.items() == Self.both)
        // It joins as a new device; what was changed or deleted since it was saved stays so.
        try await old.join(account, with: home)
        try await home.round()
        try await one.round()
        #expect(try one.items() == ["item": "newer"])
        #expect(try old.items() == one.items())
        #expect(try home.items() == one.items())
    }

    @Test func `the passcode is set, changed, forgotten by a lock and removed, and sync goes on`() async throws {
        let two = try SyncedHome("two", folder.engine)
        try await two.join(try await one.found(), with: one)
        let (first, second) = (Array("passcode".utf8), Array("another one".utf8))
        let bag = one.home.keybag
        var step = 0
        let exchange = { () async throws in
            step += 1
            try one.change("closed", "one \(step)")
            try two.change("item", "two \(step)")
            for home in [one, two, one] { try await home.round() }
            #expect(try one.items() == ["item": "two \(step)", "closed": "one \(step)"])
            #expect(try two.items() == one.items())
            #expect(try await one.round() == SyncReport())
        }
        try bag.setPasscode(try SecretBytes(copying: first))
        try await exchange()
        try bag.lockCompletely()
        // Before the first unlock nothing can be said of the account, and nothing is touched.
        #expect(throws: KeychainError.self) { try one.open() }
        try two.change("item", "meanwhile")
        try await two.round()
        try bag.unlock(passcode: try SecretBytes(copying: first))
        #expect(try await one.round().received == 1)
        try bag.changePasscode(from: try SecretBytes(copying: first), to: try SecretBytes(copying: second))
        try await exchange()
        try bag.lock()
        try bag.unlock(passcode: try SecretBytes(copying: second))
        try await exchange()
        try bag.removePasscode(try SecretBytes(copying: second))
        try await exchange()
        #expect(try one.store.checkInvariants() == [])
    }
}
