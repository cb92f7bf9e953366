// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainEngine
@testable import KeychainSync

/// What an engine, an outsider, or a member that breaks the rules may try against homes with items in them. Each
/// attempt is named, and no item is lost, changed or brought back. The same at the log: `HostileTests`.
@Suite struct KeychainHostileTests {
    let engine: HostileEngine
    let one: SyncedHome
    let two: SyncedHome
    let account: [UInt8]

    init() async throws {
        engine = try HostileEngine()
        one = try SyncedHome("one", AnyEngine(engine))
        two = try SyncedHome("two", AnyEngine(engine))
        try one.add("item", "first")
        account = try await one.found()
        try await two.join(account, with: one)
        try two.add("own", "of two")
        try await two.round()
        try await one.round()
        #expect(try one.items() == Self.both)
    }

    private static let both = ["item": "first", "own": "of two"]

    private func head(_ home: SyncedHome) throws -> UInt64 { try home.open().status().place }

    /// Puts bytes at the next place, past all homes.
    @discardableResult
    private func slip(_ bytes: [UInt8], at place: UInt64? = nil) async throws -> UInt64 {
        let place = try place ?? head(one) + 1
        #expect(try await engine.honest.append(bytes, at: place, of: account) == .done)
        return place
    }

    /// Both homes read the entries from that place on, name them, and keep the items that they had.
    private func isNamed(_ reasons: [VoidReason], from place: UInt64) async throws {
        let expected = reasons.enumerated().map { LogReplica.Notice.void(place: place + UInt64($0), $1) }
        for home in [one, two] {
            let report = try await home.round()
            #expect(Array(report.notices.prefix(reasons.count)) == expected)
            #expect(report.notices.allSatisfy { !$0.text.isEmpty })
            #expect(report.received == 0 && report.sent == 0)
            #expect(try home.items() == Self.both)
        }
        try await goesOn()
    }

    /// An edit of either home comes to the other.
    private func goesOn() async throws {
        try one.change("item", "changed by one")
        try await one.round()
        try await two.round()
        try two.change("item", "changed by two")
        try await two.round()
        try await one.round()
        #expect(try one.items() == ["item": "changed by two", "own": "of two"])
        #expect(try two.items() == one.items())
        for home in [one, two] { #expect(try home.store.checkInvariants() == []) }
    }

    private func refuses(_ home: SyncedHome, _ code: SyncLogError.Code, _ items: [String: String]) async throws {
        await stops(code) { try await home.round() }
        #expect(try home.items() == items)
        #expect(try home.store.checkInvariants() == [])
    }

    /// Prints what it takes; with ZAMOK_CONCURRENT_EDITS so many edits, which cost as much as their number.
    @Test func `thousands of edits that don't know each other are each a conflict`() async throws {
        let count = Int(ProcessInfo.processInfo.environment["ZAMOK_CONCURRENT_EDITS"] ?? "") ?? 2_048
        try await editWithoutKnowing(count)
        var clock = ContinuousClock.now
        func told(_ what: String) {
            print("\(count) edits of one item, \(what): \(ContinuousClock.now - clock)")
            clock = .now
        }
        try await one.round()
        told("a round")
        let status = try one.open().status()
        told("status")
        #expect(status.conflicts == count)
        #expect(try one.open().history.count == 10)
        told("history")
        try await goesOn()
    }

    private func editWithoutKnowing(_ count: Int) async throws {
        var sync = try two.open()
        let items = sync.member.replica.items
        let key = try #require(items.keys.first { $0.first == 1 && items[$0].frontier[0].author == 1 })
        guard let first = items[key].frontier.first, case .put(let value, _) = first.change else { return }
        for start in stride(from: 0, to: count, by: SyncLimits.operations) {
            let times = (start..<min(start + SyncLimits.operations, count)).map { KeychainSync.clock + UInt64($0) }
            let operations = times.map {
                NewOperation(
                    key: key, protectionClass: first.protectionClass, time: $0, context: first.context,
                    change: .put(value: value, from: nil))
            }
            #expect(try await sync.member.send { try $0.edits(operations) })
        }
    }

    @Test func `an entry that is dropped is told, kept and sent again`() async throws {
        try one.change("item", "second")
        engine.lie { $0.append = { _, _ in .done } }
        try await refuses(one, .gap, ["item": "second", "own": "of two"])
        #expect(try one.open().status().unsent == 1)
        engine.stopLying()
        #expect(try await one.round().sent == 1)
        #expect(try await two.round().received == 1)
        #expect(try two.items()["item"] == "second")
        #expect(try one.open().history.count == 1)
    }

    @Test func `entries in another order change nothing, and stop sync when the true ones come`() async throws {
        for text in ["second", "third"] {
            try one.change("item", text)
            try await one.round()
        }
        let place = try head(one)
        let log = try one.open().member.replica
        let swapped = [place - 1: log.bytes(at: place) ?? [], place: log.bytes(at: place - 1) ?? []]
        engine.lie {
            $0.read = { found in
                found.map { StoredEntry(place: $0.place, bytes: swapped[$0.place] ?? $0.bytes) }
            }
        }
        #expect(try await two.round().notices.contains { if case .void(_, .anotherPlace) = $0 { true } else { false } })
        #expect(try two.items() == Self.both)
        engine.stopLying()
        try await refuses(two, .differentBytes, Self.both)
    }

    @Test func `an old entry played again, one of another account, garbage and a huge one don't count`() async throws {
        let place = try head(one)
        let stranger = try SyncedHome("stranger", AnyEngine(engine))
        try stranger.add("item", "of a stranger")
        let other = try await stranger.found()
        try await stranger.round()
        let foreign = try #require(stranger.open().member.replica.bytes(at: 2))
        #expect(other != account)
        let old = try #require(one.open().member.replica.bytes(at: place))
        for (offset, bytes) in [old, foreign, [], Array("zsyn".utf8), [UInt8](repeating: 1, count: 3_000_000)]
            .enumerated()
        {
            try await slip(bytes, at: place + 1 + UInt64(offset))
        }
        try await isNamed([.anotherPlace, .anotherAccount, .malformed, .malformed, .tooLarge], from: place + 1)
    }

    @Test func `a forged device, a forged deletion and the forged end of a member don't count`() async throws {
        let thief = try DeviceKeys()
        let replica = try one.open().member.replica
        let forger = LogWriter(after: replica.state, as: 1, thief, keys: replica.keys)
        let key = try #require(replica.items.keys.first { $0.first == 1 })
        let delete = NewOperation(
            key: key, protectionClass: .completeUntilFirstUserAuthentication, time: .max,
            context: replica.items[key].context, change: .delete)
        let forged = [try forger.addition(of: thief.record), try forger.edits([delete]), try forger.leaving()]
        let place = replica.state.place + 1
        for (offset, entry) in forged.enumerated() {
            var entry = entry
            entry.place = place + UInt64(offset)
            try await slip(entry.bytes, at: entry.place)
        }
        try await isNamed([.badSignature, .badSignature, .badSignature], from: place)
        #expect(try one.open().devices.count == 2)
    }

    @Test func `a removed device can't write, with the old epoch's key neither, nor be added by its old entry`()
        async throws
    {
        let removed = try two.open().member.replica
        do {
            var sync = try one.open()
            try await sync.remove([2])
        }
        let state = try one.open().member.replica.state
        let record = try #require(removed.state.record(of: 2))
        // By his own key; by a member's, under the epoch that has ended; and his addition once more.
        let late = try LogWriter(after: state, as: 2, removed.device, keys: removed.keys).leaving()
        try await slip(late.bytes)
        #expect(try await one.round().notices == [.void(place: late.place, .endedAuthor)])
        var stale = try one.open().member.replica.writer().leaving()
        stale.epoch = 1
        let label = Array("zamok/1 sync entry".utf8) + [0]
        stale.signature = Array(
            try one.open().member.replica.device.signing.signature(for: label + stale.signed).rawRepresentation)
        try await slip(stale.bytes)
        #expect(try await one.round().notices.first == .void(place: stale.place, .anotherEpoch))
        let again = try one.open().member.replica.writer().addition(of: record)
        try await slip(again.bytes)
        #expect(try await one.round().notices.contains(.void(place: again.place, .notAllowed)))
        try one.change("item", "not for two")
        try await one.round()
        try two.change("own", "by the removed one")
        try await refuses(two, .endedHere, ["item": "first", "own": "by the removed one"])
        try await one.round()
        #expect(try one.items() == ["item": "not for two", "own": "of two"])
    }

    @Test func `what was forgotten is given back, for any lost entry`() async throws {
        let place = try head(one)
        let files = try (1...place).map { try Data(contentsOf: engine.file(account, $0)) }
        for number in [place, place - 1, 2, 1] { try engine.remove(account, number) }
        #expect(try await two.round() == SyncReport())
        // All of it, as a cluster that was put back empty.
        for number in 1...place { try? engine.remove(account, number) }
        try one.change("item", "second")
        try await one.round()
        #expect(try (1...place).map { try Data(contentsOf: engine.file(account, $0)) } == files)
        try await goesOn()
    }

    @Test func `an overwritten entry, another genesis and a log that went on elsewhere stop sync`() async throws {
        let place = try head(one)
        let good = try Data(contentsOf: engine.file(account, place))
        try engine.overwrite(account, place, [1, 2, 3])
        try one.change("item", "here")
        try await refuses(one, .differentBytes, ["item": "here", "own": "of two"])
        try engine.overwrite(account, place, Array(good))
        // Two founders under one account's name: the other's first entry is not this account's.
        let other = try LogWriter.genesis(by: DeviceKeys()).bytes
        let lying = HostileEngine(beside: engine)
        lying.lie { $0.read = { $0.map { $0.place == 1 ? StoredEntry(place: 1, bytes: other) : $0 } } }
        try await isRefused(.notALog, lying, by: two)
        // Rolled back, then written on by a member that didn't know.
        try await one.round()
        let head = try head(one)
        try engine.remove(account, head)
        try await slip(two.open().member.replica.writer().leaving().bytes, at: head)
        try await refuses(one, .differentBytes, ["item": "here", "own": "of two"])
    }

    @Test func `a fork shows by the heads, and by the first entry of the other side`() async throws {
        let copy = try HostileEngine()
        try FileManager.default.removeItem(at: copy.folder)
        try FileManager.default.copyItem(at: engine.folder, to: copy.folder)
        let apart = try SyncedHome("two", AnyEngine(copy), at: TemporaryHome(at: two.temporary.path))
        try one.change("item", "to one")
        try await one.round()
        try apart.change("item", "to two")
        try await apart.round()
        #expect(try one.open().headWords != apart.open().headWords)
        let statement = try #require(try await copy.get(.head(2), of: account))
        _ = try await engine.put(statement, at: .head(2), of: account)
        await stops(.fork) { try await one.open().heads() }
        let proof = try apart.open().member.replica.writer().leaving()
        #expect(try proof.place == head(one) + 1)
        try await slip(proof.bytes)
        try await refuses(one, .fork, ["item": "to one", "own": "of two"])
        await stops(.differentBytes) { try await two.round() }
        #expect(try two.items() == ["item": "to two", "own": "of two"])
    }

    @Test func `a frozen log and a member's silence show by the heads`() async throws {
        let frozen = try head(two)
        try one.change("item", "second")
        try await one.round()
        engine.lie { $0.read = { $0.filter { $0.place <= frozen } } }
        #expect(try await two.round().received == 0)
        let seen = try head(one)
        #expect(try await two.open().heads() == [1: .behind(by: seen - frozen)])
        engine.stopLying()
        #expect(try await two.round().received == 1)
        #expect(try await two.open().heads() == [1: .same])
        let later = KeychainSync.clock + SyncLimits.silence + 60_000
        let heads = try await two.open().member.compareHeads(now: later)
        guard case .silent = heads[1] else {
            Issue.record("silence isn't told: \(heads)")
            return
        }
    }

    @Test func `keys exchanged in the hand-shake show by the words, and no machine joins`() async throws {
        let lying = HostileEngine(beside: engine)
        let newcomer = try SyncedHome("three", AnyEngine(lying))
        try newcomer.add("own", "of three")
        // Between the machines: the engine answers the approver's message with one of its own making.
        let (middle, state) = (try DeviceKeys(), try one.open().member.replica.state)
        let genesis = try LogWriter.genesis(by: middle).bytes
        let own = try LogReplica(genesis: genesis, account: nil, device: middle)
        lying.lie { lies in
            lies.get = { bytes in
                guard var bytes, bytes.starts(with: Array("zsyj".utf8) + [1, 2]) else { return bytes }
                // The approver's record, which ends 32 bytes before the nonce, becomes another.
                let record = own.state.record(of: 1)?.bytes ?? []
                bytes.replaceSubrange(bytes.count - 32 - record.count..<bytes.count - 32, with: record)
                return bytes
            }
        }
        let words = Locked<[String]>([])
        let id = [UInt8](repeating: 7, count: 16)
        let (home, account, shared) = (newcomer.home, account, newcomer.engine)
        async let joining: Void = {
            _ = try await KeychainSync.join(
                home, account: account, on: shared, at: "file:///test", name: "three", id: id, patience: .seconds(30)
            ) { shown in
                words.withLock { $0.append(shown) }
                return false
            }
        }()
        var sync = try one.open()
        await stops(.wrongWords) {
            try await sync.approve(id, patience: .seconds(30)) { shown in
                words.withLock { $0.append(shown) }
                return false
            }
        }
        do {
            try await joining
            Issue.record("it joined")
        } catch let error as SyncLogError {
            #expect(error.code == .wrongWords)
        }
        let shown = words.withLock { $0 }
        #expect(shown.count == 2 && shown[0] != shown[1])
        #expect(sync.member.replica.state.members == state.members)
        #expect(try KeychainSync.settings(of: newcomer.home) == nil)
        #expect(try newcomer.items() == ["own": "of three"])
    }

    @Test func `a clock far ahead is told, and the next edit goes over it`() async throws {
        let edit = try two.editAhead()
        try await slip(edit.bytes)
        #expect(try await one.round().notices == [.clockAhead(author: 2, time: edit.time)])
        #expect(try await one.round().notices == [])
        try one.change("item", "later")
        try await one.round()
        #expect(try one.items()["item"] == "later")
        #expect(try one.open().conflicts.isEmpty)
    }

    @Test func `a ticket used twice, or after its end, adds no machine`() async throws {
        let key = P256.Signing.PrivateKey()
        var sync = try one.open()
        #expect(try await sync.member.send { try $0.ticket(key: key.publicKey, machines: 1) })
        let number = sync.member.replica.state.next - 1
        for machine in try (0..<2).map({ _ in try DeviceKeys() }) {
            let entry = try LogWriter(after: sync.member.replica.state, ticket: number, signing: key)
                .application(of: machine)
            try await slip(entry.bytes, at: entry.place)
            try await sync.member.pull()
        }
        #expect(sync.member.replica.notices.last == .void(place: sync.member.replica.state.place, .notAllowed))
        #expect(try await sync.member.send { try $0.end(ticket: number) })
        let late = try LogWriter(after: sync.member.replica.state, ticket: number, signing: key)
            .application(of: DeviceKeys())
        try await slip(late.bytes, at: late.place)
        let report = try await sync.now()
        #expect(report.notices.last == .void(place: late.place, .endedAuthor))
        #expect(sync.devices.count == 2)
        #expect(try one.items() == Self.both)
    }

    // Rule: what a member put that can't be an item is left out and reported | ApplyPlan.run throws what it refuses |
    //   one bad item of a member stops sync
    @Test func `items that break the rules are refused, also with a member's signature`() async throws {
        let replica = try two.open().member.replica
        let key = try #require(replica.items.keys.first { $0.first == 1 })
        guard case .value(let good) = replica.items[key].value else {
            Issue.record("no value")
            return
        }
        var otherKey = key
        otherKey[otherKey.count - 1] ^= 1
        let values: [([UInt8], [UInt8])] = [
            (otherKey, good), (key, Array(good.dropLast(good.count / 2))), (key, [9] + good.dropFirst()), (key, []),
            ([1], good), ([200, 1], good),
        ]
        var before = replica
        for (key, value) in values {
            let entry = try before.writer().edits([
                NewOperation(
                    key: key, protectionClass: .completeUntilFirstUserAuthentication, time: KeychainSync.clock,
                    context: before.items[key].context, change: .put(value: value, from: nil))
            ])
            try await slip(entry.bytes, at: entry.place)
            try before.take(entry.bytes, at: entry.place)
        }
        let report = try await one.round()
        #expect(report.refused > 0 && report.received == 0)
        #expect(try one.items() == Self.both)
        // The home's own next edit replaces it.
        try one.change("item", "good again")
        try await one.round()
        #expect(try one.items() == ["item": "good again", "own": "of two"])
        #expect(try one.store.checkInvariants() == [])
    }

    @Test func `a far entry is ignored, and one on a lease is named`() async throws {
        try await slip([1], at: head(one) + 90)
        #expect(try await one.round() == SyncReport())
        engine.lie { $0.fault = SyncEngineError(.leased, "an entry hangs on a lease") }
        try one.change("item", "second")
        await #expect(throws: SyncEngineError(.leased, "")) { try await one.round() }
        #expect(try one.items()["item"] == "second")
        #expect(try one.open().status().unsent == 1)
        engine.stopLying()
        try await one.round()
        try await two.round()
        #expect(try two.items()["item"] == "second")
    }

    @Test
    func `two copies of a home: one goes on under new keys, the other is told, and no edit of either is lost here`()
        async throws
    {
        let place = TemporaryHome()
        try FileManager.default.copyItem(atPath: two.temporary.path, toPath: place.path)
        let copy = try SyncedHome("two", AnyEngine(engine), at: place)
        try two.change("own", "by the first")
        try await two.round()
        try copy.add("more", "by the copy")
        try await copy.round()
        try two.add("last", "by the first, later")
        try await refuses(two, .endedHere, ["item": "first", "own": "by the first", "last": "by the first, later"])
        try await one.round()
        #expect(try one.items() == ["item": "first", "own": "by the first", "more": "by the copy"])
        #expect(try copy.items() == one.items())
    }

    // Rule: an account founded anew has what every home had | KeychainSync.replace without comparing all rows again |
    //   what the other home had sent is gone
    @Test func `an account whose log was spoiled is founded anew, and nothing that a home has is lost`() async throws {
        do {
            var sync = try one.open()
            await stops(.notALog) { try await sync.restart() }
        }
        // Two is ahead of one, and both have edits that were not sent.
        try two.change("item", "sent by two")
        try two.add("sent", "by two alone")
        try await two.round()
        let spoiled = try head(one)
        try engine.overwrite(account, spoiled, [1, 2, 3])
        try one.add("unsent by one", "a")
        try two.add("unsent by two", "b")
        try two.delete("own")
        try await refuses(one, .differentBytes, ["item": "first", "own": "of two", "unsent by one": "a"])
        let words: String
        do {
            var sync = try one.open()
            words = try await sync.restart()
            #expect(sync.member.replica.state.era == 1)
        }
        do {
            var sync = try two.open()
            await stops(.wrongWords) { try await sync.followRestart { _ in false } }
            #expect(try await sync.followRestart { $0 == words })
            #expect(try await sync.followRestart { _ in true } == false)
        }
        for home in [two, one, two] { try await home.round() }
        let right = [
            "item": "sent by two", "sent": "by two alone", "unsent by one": "a", "unsent by two": "b",
        ]
        #expect(try one.items() == right)
        #expect(try two.items() == right)
        #expect(try one.open().member.replica.mergedView == two.open().member.replica.mergedView)
        #expect(try two.open().history.contains { $0.secret == Array("first".utf8) })
        for home in [one, two] {
            #expect(try await home.round() == SyncReport())
            #expect(try home.store.checkInvariants() == [])
        }
        // A newcomer begins in the new era.
        let three = try SyncedHome("three", AnyEngine(engine))
        try await three.join(one.open().status().account, with: one)
        #expect(try three.items() == right)
    }

    // Rule: a home that others went on without founds no account that they can't follow | KeychainSync.restart without
    //   `othersContinuation` | an era is founded
    @Test func `a home that the others went on without can't found the account of a restored engine anew`()
        async throws
    {
        try two.add("late", "of two")
        try await two.round()
        try engine.remove(account, head(two))
        try one.change("item", "changed")
        try await one.round()
        let items = ["item": "first", "own": "of two", "late": "of two"]
        try await refuses(two, .differentBytes, items)
        do {
            var sync = try two.open()
            await stops(.differentBytes) { try await sync.restart() }
        }
        // The way that it is told: nothing is lost.
        try KeychainSync.forget(two.home)
        try await two.join(account, with: one)
        try await one.round()
        #expect(try one.items() == ["item": "changed", "own": "of two", "late": "of two"])
        #expect(try two.items() == one.items())
        // And a home that needs a new era can still found one.
        try engine.overwrite(account, head(one), [1, 2, 3])
        var sync = try one.open()
        _ = try await sync.restart()
    }

    @Test func `a stale snapshot, and chunks that are cut, changed or gone, let no machine in`() async throws {
        var hasty = (one, two)
        (hasty.0.pace, hasty.1.pace) = (Pace(snapshot: (6, 1 << 20), base: 4), Pace(snapshot: (6, 1 << 20), base: 4))
        for step in 0..<8 {
            try hasty.0.change("item", "step \(step)")
            try await hasty.0.round()
            try await hasty.1.round()
        }
        #expect(try one.open().member.replica.verifiedSnapshot > 0)
        let lying = HostileEngine(beside: engine)
        for how in ["cut", "changed", "empty"] {
            lying.lie { lies in
                lies.get = { bytes in
                    // Hand-shakes and heads are as they are.
                    guard let bytes, !bytes.starts(with: Array("zsy".utf8)) else { return bytes }
                    return switch how {
                    case "cut": Array(bytes.dropLast())
                    case "changed": bytes.dropLast() + [(bytes.last ?? 0) ^ 1]
                    default: []
                    }
                }
            }
            try await isRefused(.unknownSnapshot, lying, by: hasty.0)
        }
        // An older log than the approver's.
        lying.stopLying()
        let head = try head(one)
        lying.lie { $0.read = { $0.filter { $0.place < head } } }
        try await isRefused(.gap, lying, by: hasty.0)
        let newcomer = try SyncedHome("four", AnyEngine(engine))
        try await newcomer.join(account, with: hasty.0)
        #expect(try newcomer.items() == one.items())
    }

    /// A home that the engine lies to doesn't join, and keeps what it has.
    private func isRefused(_ code: SyncLogError.Code, _ lying: HostileEngine, by member: SyncedHome) async throws {
        let newcomer = try SyncedHome("newcomer", AnyEngine(lying))
        try newcomer.add("mine", "kept")
        await stops(code) { try await newcomer.join(account, with: member) }
        #expect(try KeychainSync.settings(of: newcomer.home) == nil)
        #expect(try newcomer.items() == ["mine": "kept"])
    }
}
