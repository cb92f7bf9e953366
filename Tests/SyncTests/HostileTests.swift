// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncEngines
import SyncLog
import SyncMerge
import Testing

/// What an engine, an outsider, or a member that breaks the rules may try. Each attempt is named, and no member loses
/// anything.
@Suite struct HostileTests {
    @Test func `1 an entry that is dropped is kept and sent again`() async throws {
        var world = try await World()
        world.engine.lie { $0.append = { _, _ in .done } }
        await stops(.gap) { try await world.a.put("k", "second") }
        #expect(world.a.outbox.count == 1)
        world.engine.stopLying()
        try await world.a.push()
        try await world.b.pull()
        #expect(world.b.value("k") == "second")
    }

    @Test func `2 entries in another order stop sync`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        try await world.a.put("k", "third")
        let (fourth, fifth) = (try #require(world.a.replica.bytes(at: 4)), try #require(world.a.replica.bytes(at: 5)))
        world.engine.lie {
            $0.read = { found in
                found.map { StoredEntry(place: $0.place, bytes: [4: fifth, 5: fourth][$0.place] ?? $0.bytes) }
            }
        }
        let before = world.b.replica.mergedView
        // The first is void for its place, and so is the second. The next true entry proves that another log was shown.
        try await world.b.pull()
        #expect(world.b.replica.mergedView == before)
        #expect(world.b.replica.notices.contains(.void(place: 4, .anotherPlace)))
        world.engine.stopLying()
        try await world.a.put("k", "fourth")
        await stops(.differentBytes) { try await world.b.pull() }
        #expect(world.b.value("k") == "first")
    }

    @Test func `3 an old entry that is played again doesn't count`() async throws {
        var world = try await World()
        let old = try #require(world.a.replica.bytes(at: 3))
        _ = try await world.engine.honest.append(old, at: 4, of: world.account)
        try await world.b.pull()
        #expect(world.b.replica.notices == [.void(place: 4, .anotherPlace)])
        try await world.a.put("k", "second")
        try await world.b.pull()
        #expect(world.b.value("k") == "second")
    }

    @Test func `4 a fork shows when heads are compared, and when an entry of the other side comes`() async throws {
        var world = try await World()
        try await world.a.put("k", "to a")
        let other = try HostileEngine()
        for place in 1...3 {
            _ = try await other.append(
                #require(world.b.replica.bytes(at: UInt64(place))), at: UInt64(place), of: world.account)
        }
        var b = SyncMember(replica: world.b.replica, engine: other)
        try await b.put("k", "to b")
        try await b.state(now: 1000)
        let statement = try #require(try await other.get(.head(2), of: world.account))
        _ = try await world.engine.put(statement, at: .head(2), of: world.account)
        await stops(.fork) { try await world.a.compareHeads(now: 1000) }
        try await b.put("k", "more")
        _ = try await world.engine.honest.append(#require(b.replica.bytes(at: 5)), at: 5, of: world.account)
        await stops(.fork) { try await world.a.pull() }
        #expect(world.a.value("k") == "to a")
    }

    @Test func `5 a frozen log shows by the others' heads, and silence by their age`() async throws {
        var world = try await World()
        world.engine.lie { $0.read = { $0.filter { $0.place <= 3 } } }
        let (member, engine) = (world.a.replica, world.engine.honest)
        var honest = SyncMember(replica: member, engine: engine)
        try await honest.put("k", "second")
        try await honest.state(now: 1000)
        try await world.b.pull()
        #expect(try await world.b.compareHeads(now: 2000) == [1: .behind(by: 1)])
        world.engine.stopLying()
        try await world.b.pull()
        #expect(try await world.b.compareHeads(now: 2000) == [1: .same])
        #expect(try await world.b.compareHeads(now: 1001 + SyncLimits.silence) == [1: .silent(since: 1000)])
    }

    @Test func `6 a log that was rolled back is given back what it forgot`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        try world.engine.remove(world.account, 4)
        try world.engine.remove(world.account, 3)
        try await world.a.pull()
        try await world.b.pull()
        #expect(world.b.value("k") == "second")
    }

    // Rule: a home that appends gives back what is missing before it | SyncMember.appendAndTake without mend | the
    //   other home sees neither entry
    @Test func `6b an entry that was forgotten is given back by the home that appends the next one`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        try world.engine.remove(world.account, 4)
        try await world.a.put("k", "third")
        try await world.b.pull()
        #expect(world.b.value("k") == "third")
        #expect(world.b.replica.state.bytes == world.a.replica.state.bytes)
    }

    @Test func `7 a log that was rolled back and went on stops a home that knows better`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        try world.engine.remove(world.account, 4)
        try await world.b.put("k", "instead")
        await stops(.differentBytes) { try await world.a.pull() }
        #expect(world.a.value("k") == "second")
    }

    @Test func `8 entries and logs of another account are refused`() async throws {
        var world = try await World()
        let other = try await World()
        _ = try await world.engine.honest.append(#require(other.a.replica.bytes(at: 3)), at: 4, of: world.account)
        try await world.b.pull()
        #expect(world.b.replica.notices == [.void(place: 4, .anotherAccount)])
        let device = try DeviceKeys()
        let genesis = try #require(other.a.replica.bytes(at: 1))
        world.engine.lie { $0.read = { _ in [StoredEntry(place: 1, bytes: genesis)] } }
        let (account, engine) = (world.account, world.engine)
        await stops(.notALog) { try await World.Member.follow(account, device, on: engine) }
    }

    @Test func `9 only a member adds a device, deletes an item or ends a ticket`() async throws {
        var world = try await World()
        let thief = try DeviceKeys()
        let forged = LogWriter(after: world.a.replica.state, as: 1, thief, keys: world.a.replica.keys)
        let delete = NewOperation(
            key: [107], protectionClass: .none, time: 9, context: world.a.replica.context(of: [107]), change: .delete)
        for (place, entry) in [
            try forged.addition(of: thief.record), try forged.edits([delete]), try forged.end(ticket: 1),
        ].enumerated() {
            var entry = entry
            entry.place = UInt64(place) + 4
            _ = try await world.engine.honest.append(entry.bytes, at: entry.place, of: world.account)
        }
        try await world.b.pull()
        #expect(world.b.replica.notices == (4...6).map { .void(place: $0, .badSignature) })
        #expect(world.b.replica.state.members == [1, 2])
        #expect(world.b.value("k") == "first")
    }

    @Test func `10 an addition that is played again after a removal doesn't count`() async throws {
        var world = try await World()
        let record = world.b.replica.device.record
        _ = try await world.a.send { try $0.epoch(removing: [2]).entry }
        await stops(.wouldNotCount) { try await world.a.send { try $0.addition(of: record) } }
        let again = try world.a.replica.writer().addition(of: record)
        _ = try await world.engine.honest.append(again.bytes, at: 5, of: world.account)
        try await world.a.pull()
        #expect(world.a.replica.notices == [.void(place: 5, .notAllowed)])
        await stops(.endedHere) { try await world.b.put("k", "removed") }
        #expect(world.a.value("k") == "first")
    }

    @Test func `11 a snapshot that says something else is not acknowledged`() async throws {
        var world = try await World()
        let empty = MergedItems()
        _ = try await world.a.send {
            try $0.snapshot(of: empty, time: 1000, chunks: [[[UInt8](repeating: 0, count: 32)], [], [], []])
        }
        try await world.b.pull()
        #expect(world.b.replica.notices == [.wrongSnapshot(place: 4)])
        #expect(!world.b.replica.mayAcknowledge)
    }

    // Rule: the time of a snapshot binds no member | a snapshot from the future not acknowledged, none with an earlier
    //   time counted | nothing is settled, the later snapshot is void
    @Test func `a clock that is decades ahead doesn't end compaction`() async throws {
        var world = try await World()
        let lateChunk = [[[UInt8](repeating: 0, count: 32)], [], [], []]
        for time: UInt64 in [2_713_910_400_000, 1_000] {
            try await world.b.put("k", "at \(time)")
            try await world.a.pull()
            let items = world.a.replica.items
            _ = try await world.a.send { try $0.snapshot(of: items, time: time, chunks: lateChunk) }
            #expect(try await world.a.acknowledge())
            #expect(try await world.b.acknowledge())
            try await world.a.pull()
            #expect(world.a.replica.state.settled == world.a.replica.state.snapshot)
            #expect(world.a.replica.state.snapshotTime == time)
            #expect(world.a.replica.items[[107]].operations.count == 1)
        }
        #expect(world.a.replica.notices.isEmpty && world.b.replica.notices.isEmpty)
    }

    @Test func `12 huge entries and garbage are void, and the log goes on`() async throws {
        var world = try await World()
        for (index, bytes) in [
            [UInt8](repeating: 1, count: 3_000_000), [], Array("zsyn".utf8), [UInt8](repeating: 0, count: 196),
        ].enumerated() {
            _ = try await world.engine.honest.append(bytes, at: 4 + UInt64(index), of: world.account)
        }
        try await world.a.put("k", "second")
        try await world.b.pull()
        #expect(world.b.replica.notices == [.void(place: 4, .tooLarge)] + (5...7).map { .void(place: $0, .malformed) })
        #expect(world.b.value("k") == "second")
        _ = try await world.engine.put([1, 2, 3], at: .head(1), of: world.account)
        #expect(try await world.b.compareHeads(now: 0).isEmpty)
    }

    @Test func `13 a removed device can't write, and an old epoch's key is no use`() async throws {
        var world = try await World()
        _ = try await world.a.send { try $0.epoch(removing: [2]).entry }
        for entry in [
            LogWriter(after: world.a.replica.state, as: 2, world.b.replica.device, keys: world.b.replica.keys)
        ] {
            let written = try entry.leaving()
            _ = try await world.engine.honest.append(written.bytes, at: 5, of: world.account)
        }
        // Right in everything but the epoch.
        try await world.a.pull()
        var stale = try world.a.replica.writer().leaving()
        stale.epoch = 1
        stale = try resigned(stale, world.a.replica)
        _ = try await world.engine.honest.append(stale.bytes, at: 6, of: world.account)
        try await world.a.pull()
        #expect(world.a.replica.notices == [.void(place: 5, .endedAuthor), .void(place: 6, .anotherEpoch)])
    }

    private func resigned(_ entry: Entry, _ replica: LogReplica) throws -> Entry {
        var entry = entry
        let label = Array("zamok/1 sync entry".utf8) + [0]
        entry.signature = Array(try replica.device.signing.signature(for: label + entry.signed).rawRepresentation)
        return entry
    }

    @Test
    func `14 a clock far ahead is told, wins only against what it had not seen, and is overwritten by the next edit`()
        async throws
    {
        var world = try await World()
        try await world.b.put("k", "from the future", time: 1_000_000_000)
        try await world.a.pull()
        world.a.replica.examineClocks(now: 1000)
        world.a.replica.examineClocks(now: 1000)
        #expect(world.a.replica.notices == [.clockAhead(author: 2, time: 1_000_000_000)])
        try await world.a.put("k", "now", time: 1001)
        try await world.b.pull()
        #expect(world.b.value("k") == "now")
    }

    @Test func `15 a ticket serves as many machines as it says, until it is ended, and alone makes no member`()
        async throws
    {
        var world = try await World()
        let key = P256.Signing.PrivateKey()
        _ = try await world.a.send { try $0.ticket(key: key.publicKey, machines: 1) }
        let machines = try (0..<3).map { _ in try DeviceKeys() }
        for machine in machines.prefix(2) {
            let entry = try LogWriter(after: world.a.replica.state, ticket: 3, signing: key).application(of: machine)
            _ = try await world.engine.honest.append(entry.bytes, at: entry.place, of: world.account)
            try await world.a.pull()
        }
        #expect(world.a.replica.notices == [.void(place: 6, .notAllowed)])
        #expect(world.a.replica.state.members == [1, 2])
        #expect(world.a.replica.state.applicants.map(\.record) == [machines[0].record])
        _ = try await world.a.send { try $0.end(ticket: 3) }
        let late = try LogWriter(after: world.a.replica.state, ticket: 3, signing: key).application(of: machines[2])
        _ = try await world.engine.honest.append(late.bytes, at: late.place, of: world.account)
        try await world.a.pull()
        #expect(world.a.replica.notices.last == .void(place: 8, .endedAuthor))
    }

    @Test func `16 a newcomer waits at a gap until a member fills it`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        try world.engine.remove(world.account, 3)
        let device = try DeviceKeys()
        let (account, engine) = (world.account, world.engine)
        await stops(.gap) { try await World.Member.follow(account, device, on: engine) }
        try await world.b.mend()
        let again = try await World.Member.follow(world.account, device, on: world.engine)
        #expect(again.replica.state.place == 4)
    }

    @Test func `17 a far entry is ignored`() async throws {
        var world = try await World()
        _ = try await world.engine.honest.append([1], at: 99, of: world.account)
        try await world.b.pull()
        #expect(world.b.replica.state.place == 3)
        try await world.a.put("k", "second")
        try await world.b.pull()
        #expect(world.b.value("k") == "second")
    }

    @Test func `18 an overwritten entry is named, a deleted one put back`() async throws {
        var world = try await World()
        try world.engine.overwrite(world.account, 3, [1, 2, 3])
        await stops(.differentBytes) { try await world.a.pull() }
        try world.engine.remove(world.account, 3)
        try world.engine.remove(world.account, 2)
        try await world.a.mend()
        let bytes = try await world.engine.read(world.account, from: 2, limit: 2).map(\.bytes)
        #expect(bytes == [2, 3].compactMap { world.a.replica.bytes(at: $0) })
    }

    @Test func `19 of a cloned device one goes on with new keys, and the other is told`() async throws {
        var world = try await World()
        var clone = world.b
        try await world.b.put("k", "original")
        try clone.edit([
            NewOperation(
                key: [108], protectionClass: .none, time: 2, context: Context(), change: .put(value: [1], from: nil))
        ])
        await stops(.clone) { try await clone.push() }
        try await clone.rekey()
        try await clone.push()
        await stops(.endedHere) { try await world.b.put("k", "too late") }
        try await world.a.pull()
        #expect(world.a.replica.notices.contains(.rekeyed(2)))
        #expect(world.a.value("k") == "original")
        #expect(world.a.replica.items[[108]].value == .value([1]))
        #expect(world.b.outbox.count == 1)
    }

    @Test func `20 an altered signature that still verifies doesn't make an edit count twice`() async throws {
        var world = try await World()
        world.engine.lie { $0.stored = Self.altered }
        try await world.a.put("k", "second")
        world.engine.stopLying()
        #expect(world.a.outbox.isEmpty)
        #expect(world.a.replica.notices.isEmpty)
        try await world.b.pull()
        #expect(world.b.replica.items[[107]].operations.count == 2)
    }

    /// s becomes the order of P-256 less s.
    @Sendable private static func altered(_ bytes: [UInt8]) -> [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7,
            0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        var bytes = bytes
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(bytes[bytes.count - 32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            bytes[bytes.count - 32 + index] = UInt8(truncatingIfNeeded: difference)
        }
        return bytes
    }

    @Test func `21 a home that loses the race for a place sends the same edit at the next`() async throws {
        var world = try await World()
        var late = world.b
        try await world.a.put("k", "second")
        try await late.put("l", "other")
        try await world.a.pull()
        #expect(world.a.value("l") == "other")
        #expect(world.a.replica.notices.isEmpty)
    }

    @Test func `22 an edit that raced with a new epoch is sealed anew`() async throws {
        var world = try await World()
        var late = world.b
        try late.edit([
            NewOperation(
                key: [108], protectionClass: .none, time: 2, context: Context(), change: .put(value: [1], from: nil))
        ])
        late.replica.outgoing = try late.replica.writer().edits(late.outbox[0])
        _ = try await world.a.send { try $0.epoch().entry }
        try await late.push()
        try await world.a.pull()
        #expect(world.a.replica.items[[108]].value == .value([1]))
        #expect(world.a.replica.notices.isEmpty)
    }

    @Test func `23 an answer that never came is not a second edit`() async throws {
        var world = try await World()
        var before = world.a
        try before.edit([
            NewOperation(
                key: [107], protectionClass: .none, time: 2, context: before.replica.context(of: [107]),
                change: .put(value: [1], from: nil))
        ])
        let entry = try before.replica.writer().edits(before.outbox[0])
        before.replica.outgoing = entry
        _ = try await world.engine.append(entry.bytes, at: entry.place, of: world.account)
        try await before.push()
        #expect(before.outbox.isEmpty)
        try await world.b.pull()
        #expect(world.b.replica.items[[107]].operations.count == 2)
    }
}
