// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSync

@Suite struct KeychainSyncTests {
    let folder: EngineFolder
    let one: SyncedHome
    let two: SyncedHome

    init() throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        two = try SyncedHome("two", folder.engine)
    }

    private func pair() async throws {
        let account = try await one.found()
        try await two.join(account, with: one)
    }

    private func settle() async throws {
        try await one.round()
        try await two.round()
        try await one.round()
    }

    @Test func `an item goes both ways, is changed and is deleted`() async throws {
        try one.add("early", "there before")
        try await pair()
        try two.add("late", "added there")
        #expect(try await two.round().sent == 1)
        #expect(try await one.round().received == 1)
        #expect(try one.items() == ["early": "there before", "late": "added there"])
        #expect(try two.items() == one.items())
        try one.change("late", "changed here")
        try one.delete("early")
        #expect(try await one.round().sent == 2)
        #expect(try await two.round().received == 2)
        #expect(try two.items() == ["late": "changed here"])
        #expect(try await one.round() == SyncReport())
        for home in [one, two] { #expect(try home.store.checkInvariants() == []) }
    }

    // Rule: only synchronizable items travel that are of no class of this device and have no access control |
    //   OpenRow.travels true | the other home has more than one item
    @Test func `nothing travels that may not`() async throws {
        try await pair()
        try one.add("local", "a", .afterFirstUnlock, [:])
        try one.add("device", "b", .afterFirstUnlockThisDeviceOnly)
        try one.add("free", "d")
        #expect(try await one.round().sent == 1)
        try await two.round()
        #expect(try two.items() == ["free": "d"])
        // It becomes one of this device: the others lose it, and this home keeps it.
        try one.change("free", nil, [.accessible: .text("cku")])
        try await settle()
        #expect(try two.items() == [:])
        #expect(try one.items()["free"] == "d")
        // What another home calls the same doesn't touch it.
        try two.add("free", "another")
        try await settle()
        #expect(try one.items()["free"] == "d")
    }

    // Rule: an item too large to travel is not changed, and what others do under its key is reported |
    //   SyncChange.isTooLarge false outside of Collector.take | the item is what the other home put
    @Test func `an item too large to travel is not replaced or deleted by what others do`() async throws {
        let large = String(repeating: "Q", count: 900_000)
        try await pair()
        try one.add("item", large)
        #expect(try await one.round().tooLarge == 1)
        try two.add("item", "small")
        try await two.round()
        #expect(try await one.round().refused == 1)
        #expect(try one.items() == ["item": large])
        #expect(try await one.round() == SyncReport())
        try two.delete("item")
        try await two.round()
        #expect(try await one.round().refused == 1)
        #expect(try one.items() == ["item": large])
        // As soon as it fits it goes; then it is too large again, and the others edit what they have.
        try one.change("item", "fits")
        try await settle()
        #expect(try two.items() == ["item": "fits"])
        try one.change("item", large)
        try await one.round()
        try two.change("item", "theirs")
        try await two.round()
        #expect(try await one.round().refused == 1)
        #expect(try one.items() == ["item": large])
        for home in [one, two] { #expect(try home.store.checkInvariants() == []) }
    }

    // Rule: a locked item's size is that of its sealed secret | SyncChange.isTooLarge false outside of Collector.take |
    //   it is what the other home put
    @Test func `so is one that is locked`() async throws {
        let large = String(repeating: "Q", count: 900_000)
        let passcode = { try SecretBytes(copying: Array("passcode".utf8)) }
        try await pair()
        try one.home.keybag.setPasscode(passcode())
        try one.add("item", large, .whenUnlocked)
        try one.home.keybag.lock()
        try two.add("item", "small")
        try await two.round()
        #expect(try await one.round().refused == 1)
        try one.home.keybag.unlock(passcode: passcode())
        try await one.round()
        #expect(try one.items() == ["item": large])
    }

    @Test func `a renamed item keeps its row, there too`() async throws {
        try one.add("old", "secret")
        try await pair()
        let (here, there) = (try one.reference("old"), try two.reference("old"))
        #expect(here == there)
        try one.change("old", nil, [.account: .text("new")])
        try await settle()
        #expect(try two.items() == ["new": "secret"])
        #expect(try two.reference("new") == there)
        // And what is deleted right after a rename is gone under both names.
        try two.change("new", nil, [.account: .text("newer")])
        try two.delete("newer")
        try await two.round()
        try await one.round()
        #expect(try one.items() == [:])
    }

    // Rule: the context of an edit is what had been applied when the person made it | the context of the merged
    //   register in its place | the older edit is no conflict
    @Test func `of two edits that didn't know each other the later one stays, and the other is told once and kept`()
        async throws
    {
        try one.add("item", "first")
        try await pair()
        try one.change("item", "earlier")
        await later()
        try two.change("item", "later")
        #expect(try await two.round().conflicts == 0)
        #expect(try await one.round().conflicts == 1)
        #expect(try await two.round().conflicts == 1)
        #expect(try await one.round().conflicts == 0)
        for home in [one, two] {
            #expect(try home.items() == ["item": "later"])
            let sync = try home.open()
            #expect(sync.conflicts.map { String(decoding: $0.secret, as: UTF8.self) } == ["earlier"])
            #expect(sync.history.map { String(decoding: $0.secret, as: UTF8.self) } == ["earlier", "first"])
        }
        // An edit now has seen both.
        try one.change("item", "settled")
        try await settle()
        #expect(try two.items() == ["item": "settled"])
        #expect(try two.open().conflicts.isEmpty)
    }

    @Test func `both add the same item before they meet`() async throws {
        try one.add("item", "of one")
        await later()
        try two.add("item", "of two")
        try await pair()
        try await settle()
        #expect(try one.items() == ["item": "of two"])
        #expect(try two.items() == ["item": "of two"])
        // Each kept its own row, and a rename by either is one for both.
        try one.change("item", nil, [.account: .text("renamed")])
        try await settle()
        #expect(try two.items() == ["renamed": "of two"])
        try two.change("renamed", nil, [.account: .text("again")])
        try await two.round()
        try await one.round()
        #expect(try one.items() == ["again": "of two"])
    }

    // Rule: a locked class waits, here and in the log, and keeps its place | state.applied set for every class | the
    //   item of the locked class never comes
    @Test func `what lies under a locked class waits, and the rest goes on`() async throws {
        try two.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        try await pair()
        try one.add("open", "a")
        try one.add("closed", "b", .whenUnlocked)
        try await one.round()
        try two.home.keybag.lock()
        #expect(try await two.round().received == 1)
        #expect(try await two.round().waiting > 0)
        try one.change("open", "c")
        try one.change("closed", "d")
        try await one.round()
        try await two.round()
        try two.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
        #expect(try two.items()["open"] == "c")
        #expect(try two.items()["closed"] == nil)
        #expect(try await two.round().received == 1)
        #expect(try two.items() == one.items())
    }

    @Test func `items change class, also to one that is locked there`() async throws {
        try two.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        try one.add("item", "a")
        try await pair()
        try two.home.keybag.lock()
        try one.change("item", "b", [.accessible: .text("ak")])
        try await one.round()
        try await two.round()
        try two.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
        try await two.round()
        #expect(try two.items() == ["item": "b"])
        try two.change("item", nil, [.accessible: .text("dk")])
        try await settle()
        try await settle()
        #expect(try one.items() == ["item": "b"])
    }

    // Rule: a home that was put back takes the log's state, and sends nothing again that it had sent |
    //   Collector.wasSent false and every own sequence its own | an old value or a deleted item comes back
    @Test func `an older home put back brings back neither deleted items nor old values`() async throws {
        try one.add("changed", "old")
        try one.add("deleted", "gone")
        try await pair()
        try one.add("unsent", "made before the copy")
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: one.temporary.path, toPath: copy.path)
        try one.change("changed", "new")
        try one.delete("deleted")
        try await one.round()
        try await two.round()
        try two.change("unsent", "edited there")
        try await two.round()
        let restored = try SyncedHome("one", folder.engine, at: copy)
        try await restored.round()
        try await two.round()
        let right = ["changed": "new", "unsent": "edited there"]
        #expect(try restored.items() == right)
        #expect(try two.items() == right)
        // It goes on under new keys, and the other copy is told that it has ended.
        try restored.add("more", "by the copy that goes on")
        #expect(try await restored.round().sent == 1)
        try await two.round()
        #expect(try two.items()["more"] != nil)
        try one.add("lost", "by the copy that ended")
        await #expect(throws: SyncLogError(.endedHere, "")) { try await one.round() }
        #expect(try one.items()["lost"] != nil)
    }

    @Test func `a removed home gets nothing more, keeps what it had, and is told`() async throws {
        try one.add("item", "before")
        try await pair()
        do {
            var sync = try one.open()
            try await sync.remove([2])
            #expect(sync.devices.map(\.name) == ["one"])
        }
        try one.change("item", "after")
        try await one.round()
        await #expect(throws: SyncLogError(.endedHere, "")) {
            try two.add("own", "a")
            try await two.round()
        }
        #expect(try two.items()["item"] == "before")
        #expect(try two.open().status().standing == .ended)
        try KeychainSync.forget(two.home)
        #expect(throws: KeychainError.self) { try KeychainSync.forget(two.home) }
        #expect(try KeychainSync.settings(of: two.home) == nil)
        #expect(try two.store.checkInvariants() == [])
    }

    // Rule: a join doesn't wait for an account that isn't there | KeychainSync.join without mustExist | the join waits
    //   for its time
    @Test func `an account that the engine doesn't have is told before anything is waited for`() async throws {
        let unknown = [UInt8](repeating: 7, count: 32)
        await #expect(throws: SyncLogError(.noSuchAccount, "")) {
            try await KeychainSync.join(
                one.home, account: unknown, on: one.engine, at: "file:///test", name: "one",
                id: [UInt8](repeating: 1, count: 16), patience: .seconds(1)
            ) { _ in true }
        }
        await #expect(throws: SyncLogError(.noSuchAccount, "")) {
            try await KeychainSync.recover(
                one.home, account: unknown, with: SyncLog.RecoveryCode(), on: one.engine, at: "file:///test",
                name: "one")
        }
        #expect(try KeychainSync.settings(of: one.home) == nil)
    }

    // Rule: 64 places that are lost to others end a removal, a recovery code and leaving with an error |
    //   KeychainSync.remove and insist return after their tries | no error, and the home is in no account
    @Test(.timeLimit(.minutes(15))) func `a machine that never comes to write is told so`() async throws {
        try await pair()
        var sync = try KeychainSync.open(one.home, on: AnyEngine(QuickerEngine(folder.path)))
        try await sync.member.pull()
        for attempt in 0..<3 {
            await #expect(throws: SyncEngineError(.unreachable, "")) {
                switch attempt {
                case 0: try await sync.remove([2])
                case 1: _ = try await sync.recoveryCode()
                default: try await sync.leave()
                }
            }
        }
        #expect(try KeychainSync.settings(of: one.home) != nil)
        #expect(sync.devices.count == 2)
    }

    @Test func `leaving ends the membership, and the items stay on both sides`() async throws {
        try one.add("item", "a")
        try await pair()
        do {
            var sync = try two.open()
            try await sync.leave()
        }
        #expect(try KeychainSync.settings(of: two.home) == nil)
        #expect(try two.items() == ["item": "a"])
        try one.change("item", "b")
        try await one.round()
        #expect(try one.open().devices.map(\.number) == [1])
        #expect(try two.items() == ["item": "a"])
    }

    @Test func `a new passcode, and what it retires, leaves sync as it is`() async throws {
        try one.add("item", "a", .whenUnlocked)
        try await pair()
        try one.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        try one.home.keybag.lock()
        try one.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
        #expect(try await one.round().sent == 0)
        try two.change("item", "b")
        try await two.round()
        try await one.round()
        #expect(try one.items() == ["item": "b"])
        #expect(try one.store.checkInvariants() == [])
    }

    @Test func `no query, listing or export has the records of sync`() async throws {
        try await pair()
        for itemClass in ItemClass.allCases where itemClass != .identity {
            var query = ItemQuery(itemClass)
            query.synchronizable = .any
            query.includesTombstones = true
            query.limit = nil
            #expect(throws: KeychainError.self) { try one.store.items(matching: query, withSecret: true) }
        }
        #expect(throws: KeychainError.self) { try one.store.items(matching: ItemQuery(.syncRecord), withSecret: true) }
        #expect(throws: KeychainError.self) { try one.store.delete(ItemQuery(.syncRecord)) }
        #expect(throws: KeychainError.self) { _ = try one.store.add(ItemRecord(.syncRecord)) }
        var written = 0
        let transfer = try one.store.export(
            one.home, passphrase: try SecretBytes(copying: Array("long enough".utf8)), progress: { _, _ in },
            to: { written += $0.count })
        #expect(transfer.count == 0 && transfer.leftOut.isEmpty)
    }
}

/// Another writer is always first. It writes garbage, which takes the place and counts for nothing.
private struct QuickerEngine: SyncEngine {
    let engine: FileEngine

    init(_ folder: String) { engine = FileEngine(folder: folder) }

    func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        _ = try await engine.append([0], at: place, of: account)
        return .taken
    }

    func read(_ account: Digest32, from place: UInt64, limit: Int) async throws(SyncEngineError) -> [StoredEntry] {
        try await engine.read(account, from: place, limit: limit)
    }

    func wait(_ account: Digest32, after place: UInt64, patience: Duration) async throws(SyncEngineError) -> Bool {
        try await engine.wait(account, after: place, patience: patience)
    }

    func put(_ bytes: [UInt8], at key: SideKey, of account: Digest32) async throws(SyncEngineError) -> AppendAnswer {
        try await engine.put(bytes, at: key, of: account)
    }

    func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try await engine.get(key, of: account)
    }
}
