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

/// What a home keeps in place of the entries of a log, and how the log stays short.
@Suite struct KeychainBaseTests {
    let folder: EngineFolder
    var one: SyncedHome
    var two: SyncedHome

    init() throws {
        folder = try EngineFolder()
        one = try SyncedHome("one", folder.engine)
        two = try SyncedHome("two", folder.engine)
    }

    private static let hasty = Pace(snapshot: (12, 1 << 20), patience: 8, base: 4)

    private mutating func pair() async throws -> [UInt8] {
        (one.pace, two.pace) = (Self.hasty, Self.hasty)
        let account = try await one.found()
        try await two.join(account, with: one)
        return account
    }

    private func first(_ account: [UInt8]) async throws -> UInt64? {
        try await folder.engine.read(account, from: 1, limit: 1).first?.place
    }

    /// Rounds in which each home edits, until the engine was asked to remove something.
    private func work(_ account: [UInt8]) async throws {
        for step in 0..<40 {
            try one.change("item", "one \(step)")
            try await one.round()
            try two.change("item", "two \(step)")
            try await two.round()
            if let first = try await first(account), first > 1 { return }
        }
        Issue.record("nothing was removed at the engine")
    }

    // Rule: a home that starts from what it kept comes to what the whole log comes to | LogReplica.kept without the
    //   operations | the home has no items in its registers, and sends all again
    @Test mutating func `a home starts from what it kept, and comes to the same as the whole log`() async throws {
        _ = try await pair()
        try one.add("item", "first")
        try one.add("closed", "c", .whenUnlocked)
        for step in 0..<5 {
            try one.change("item", "step \(step)")
            try await one.round()
            try await two.round()
            try two.change("closed", "by two, \(step)")
            try await two.round()
            try await one.round()
        }
        let sync = try one.open()
        #expect(sync.state.base > 4)
        let (kept, whole) = (sync.member.replica, try wholeLog(sync))
        #expect(kept.mergedView == whole.mergedView)
        #expect(kept.state.bytes == whole.state.bytes)
        #expect(kept.written == sync.state.written)
        #expect(!kept.isWaiting)
        // What was changed before it was first sent is in no log.
        #expect(sync.history.count == 9)
        #expect(try two.open().history.map(\.secret) == sync.history.map(\.secret))
    }

    /// The same copy, from the genesis on.
    private func wholeLog(_ sync: borrowing KeychainSync) throws -> LogReplica {
        let replica = sync.member.replica
        var whole = try LogReplica(
            genesis: #require(replica.bytes(at: 1)), account: replica.state.account, device: replica.device)
        for place in 2...replica.state.place { try whole.take(#require(replica.bytes(at: place)), at: place) }
        return whole
    }

    @Test mutating func `a class that is locked waits in what was kept, too`() async throws {
        try one.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode".utf8)))
        _ = try await pair()
        try one.add("open", "a")
        try one.add("closed", "b", .whenUnlocked)
        for step in 0..<3 {
            try one.change("open", "a \(step)")
            try one.change("closed", "b \(step)")
            try await one.round()
        }
        try await two.round()
        try one.home.keybag.lock()
        #expect(try one.open().state.base > 4)
        #expect(try one.open().member.replica.isWaiting)
        try two.change("open", "changed")
        try two.change("closed", "changed")
        try await two.round()
        #expect(try await one.round().received == 1)
        try one.change("open", "while locked")
        #expect(try await one.round().sent == 1)
        try one.home.keybag.unlock(passcode: try SecretBytes(copying: Array("passcode".utf8)))
        #expect(try await one.round().received == 1)
        try await two.round()
        #expect(try one.items() == ["open": "while locked", "closed": "changed"])
        #expect(try two.items() == one.items())
        #expect(try one.store.checkInvariants() == [])
    }

    // Rule: what a home dropped from its registers is kept in its history | LogReplica.former never filled | the
    //   history is shorter than 10
    @Test mutating func `snapshots are made, acknowledged and settled by rounds alone, and the history stays`()
        async throws
    {
        let account = try await pair()
        try one.add("item", "first")
        try one.add("gone", "deleted soon")
        try await one.round()
        try await two.round()
        try two.delete("gone")
        try await work(account)
        for home in [one, two, one, two] { try await home.round() }
        for home in [one, two] {
            let sync = try home.open()
            #expect(sync.history.filter { !$0.isGone }.count == 10)
            #expect(sync.history.contains { $0.isGone && $0.secret == Array("deleted soon".utf8) })
            #expect(sync.member.replica.items.registers.count == 3)
            #expect(sync.member.replica.firstKept > 1)
            #expect(try home.store.checkInvariants() == [])
        }
        // A newcomer begins at a snapshot, and comes to the same.
        var three = try SyncedHome("three", folder.engine)
        three.pace = Self.hasty
        try three.add("own", "brought along")
        try await three.join(account, with: one)
        #expect(try three.open().member.replica.firstKept > 1)
        try await one.round()
        try await two.round()
        #expect(try three.items()["item"] == two.items()["item"])
        #expect(try three.items() == one.items())
        #expect(try two.items() == one.items())
        #expect(try three.open().member.replica.mergedView == one.open().member.replica.mergedView)
        try three.change("own", "and changed")
        try await three.round()
        try await one.round()
        #expect(try one.items()["own"] == "and changed")
    }

    // Rule: a copy older than what was settled and removed says so | mustNotBeLeftBehind without its error | it writes
    //   its old entries again, and waits for ever
    @Test mutating func `a home from before what was removed is told, and nothing of it comes back`() async throws {
        let account = try await pair()
        try one.add("item", "first")
        try one.add("deleted", "once there")
        try await one.round()
        try await two.round()
        let copy = TemporaryHome()
        try FileManager.default.copyItem(atPath: two.temporary.path, toPath: copy.path)
        try one.delete("deleted")
        try await work(account)
        let first = try await first(account)
        let old = try SyncedHome("two", folder.engine, at: copy)
        await stops(.leftBehind) { try await old.round() }
        #expect(try old.items() == ["item": "first", "deleted": "once there"])
        #expect(try await self.first(account) == first)
        try await two.round()
        #expect(try two.items()["deleted"] == nil)
    }

    // Rule: a home has its entries until what replaces them is durable, even if the engine removed them | keepBaseIfDue
    //   forgets the first batch before keepBase | the home finds its log damaged
    @Test mutating func `an engine may remove entries before a home keeps their result`() async throws {
        let passcode = try SecretBytes(copying: Array("passcode".utf8))
        try one.home.keybag.setPasscode(passcode)
        let account = try await pair()
        try one.add("item", "first")
        try one.add("closed", "c", .whenUnlocked)
        var stored: (view: [UInt8], base: UInt64)?
        for step in 0..<40 where stored == nil {
            try one.change("item", "one \(step)")
            try await one.round()
            try await two.round()
            stored = try await removeWithoutBase()
        }
        let (view, base) = try #require(stored)
        #expect(try await #require(first(account)) > 1)
        #expect(try one.open().state.base == base)
        try one.home.keybag.unlock(passcode: passcode)
        #expect(try one.open().member.replica.mergedView == view)
        for home in [one, two, one] { try await home.round() }
        #expect(try one.open().state.base > base)
        #expect(try two.items() == one.items())
    }

    /// Has the engine remove what is settled, while a class is locked, so that the result can't be kept. Nil: nothing
    /// is settled yet.
    private func removeWithoutBase() async throws -> (view: [UInt8], base: UInt64)? {
        var sync = try one.open()
        try await sync.member.pull()
        guard sync.member.replica.hasSettled else { return nil }
        let before = sync
        sync.state = try one.store.syncWrite { try before.keep(before.state, $0) }
        try one.home.keybag.lock()
        var report = SyncReport()
        _ = try await sync.tidy(&report)
        return (before.member.replica.mergedView, before.state.base)
    }

    @Test mutating func `what is kept may take several records, and fewer again`() async throws {
        _ = try await pair()
        for number in 0..<3 { try one.add("big \(number)", String(repeating: "x", count: 600_000)) }
        try await one.round()
        try one.add("small", "s")
        try await one.round()
        #expect(try one.open().state.baseParts[2] >= 2)
        try await two.round()
        #expect(try two.items().count == 4)
        // Until they are no longer among the ten values that a history has.
        for step in 0..<24 {
            for number in 0..<3 { try one.change("big \(number)", "\(number) \(step)") }
            try await one.round()
            try await two.round()
        }
        #expect(try one.open().state.baseParts[2] == 1)
        #expect(try two.items() == ["small": "s", "big 0": "0 23", "big 1": "1 23", "big 2": "2 23"])
        #expect(try one.open().member.replica.mergedView == two.open().member.replica.mergedView)
    }

    /// `ZAMOK_LONG=1`: ten thousand items; the figures are printed.
    @Test mutating func `many items are joined from a snapshot in one transaction`() async throws {
        let count = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 200 : 10_000
        one.pace = Pace(snapshot: (UInt64(max(3, count / 128)), 1 << 30), base: 4)
        let account = try await one.found()
        for number in 0..<count { try one.add("item \(number)", "secret of item \(number)") }
        let start = ContinuousClock.now
        #expect(try await one.round().sent == count)
        let sent = ContinuousClock.now
        let opening = try one.open().member.replica.verifiedSnapshot
        #expect(opening > 0)
        let opened = ContinuousClock.now
        try await two.join(account, with: one)
        let joined = ContinuousClock.now
        #expect(try two.open().member.replica.firstKept == opening)
        print("\(count) items: sent in \(sent - start), opened in \(opened - sent), joined in \(joined - opened)")
        #expect(try two.items() == one.items())
        #expect(try two.items().count == count)
        // What one edit takes at the engine.
        try one.change("item 0", "changed alone")
        try await one.round()
        let edited = try one.open().member.replica
        print("an edit alone: an entry of \(edited.bytes(at: edited.state.place)?.count ?? 0) bytes")
    }
}
