// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Testing

/// Where newcomers begin, what is dropped, reading with a code or a ticket, and how an account goes on after its engine
/// lost it.
@Suite struct DepthTests {
    typealias Member = World.Member

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

    /// A hand-shake to its end: the answer that the newcomer has when the words agree, and its keys.
    private static func join(_ world: inout World) async throws -> (Applicant.Answered, DeviceKeys) {
        let device = try DeviceKeys()
        let applicant = try Applicant(device.record, id: random(16), nonce: random(32))
        let approver = try Approver(
            applicant.first, state: world.a.replica.state, as: 1, nonce: random(32),
            snapshot: world.a.replica.verifiedSnapshot)
        let answered = try applicant.answer(approver.second)
        let (words, record, _) = try approver.finish(answered.third)
        #expect(words == answered.words)
        _ = try await world.a.send { try $0.addition(of: record) }
        return (answered, device)
    }

    /// A snapshot by a, acknowledged by both.
    private static func settle(_ world: inout World, _ time: UInt64) async throws {
        #expect(try await world.a.snapshot(now: time))
        #expect(try await world.a.acknowledge())
        #expect(try await world.b.acknowledge())
        try await world.a.pull()
    }

    @Test func `a newcomer at a snapshot comes to what the others have, and old entries may go`() async throws {
        var world = try await World()
        for step in 0..<3 {
            for key in ["k", "l", "m"] { try await world.a.put(key, "\(key) \(step)") }
            try await world.b.pull()
            try await world.b.put("m", "b \(step)")
            try await Self.settle(&world, UInt64(step))
        }
        #expect(world.a.replica.removableBelow > 1)
        try await world.a.removeSettled()
        #expect(try await world.engine.read(world.account, from: 1, limit: 1).first?.place == world.a.replica.firstKept)
        try await world.a.put("k", "after")
        let (answered, device) = try await Self.join(&world)
        var c = try await Member.follow(answered, device, on: world.engine)
        try await world.a.pull()
        #expect(c.replica.firstKept == answered.snapshot)
        #expect(!c.replica.isWaiting)
        #expect(c.replica.mergedView == world.a.replica.mergedView)
        #expect(c.replica.state.bytes == world.a.replica.state.bytes)
        #expect(c.replica.notices.isEmpty)
        // It goes on as a member like any other: edits, acknowledges, and mends what it keeps.
        try await c.put("k", "by the newcomer")
        #expect(try await c.acknowledge())
        try world.engine.remove(world.account, c.replica.state.place)
        try await c.pull()
        try await world.b.pull()
        #expect(world.b.value("k") == "by the newcomer")
        #expect(world.b.replica.mergedView == c.replica.mergedView)
    }

    // Rule: a newcomer takes over only chunks that the snapshot's entry names | LogReplica.verified without its
    //   comparison | a cut or changed chunk is taken, or traps
    @Test(arguments: [0, 4], ["cut", "changed", "of another class", "empty"])
    func `a chunk that is not the snapshot's is refused`(_ stream: UInt8, _ how: String) async throws {
        var world = try await World()
        try await Self.settle(&world, 1)
        let (answered, device) = try await Self.join(&world)
        let (engine, place) = (world.engine, answered.snapshot)
        let key = SideKey.chunk(place: place, stream: stream, index: 0)
        let good = try #require(try await engine.honest.get(key, of: world.account))
        let other = try await engine.honest.get(.chunk(place: place, stream: 4 - stream, index: 0), of: world.account)
        engine.lie { lies in
            lies.get = { bytes in
                guard bytes == good else { return bytes }
                return switch how {
                case "cut": Array(good.dropLast())
                case "changed": good.dropLast() + [good[good.count - 1] ^ 1]
                case "empty": []
                default: other
                }
            }
        }
        await stops(.unknownSnapshot) { try await Member.follow(answered, device, on: engine) }
    }

    @Test func `without a chunk the newcomer reads the whole log, and without that it is told`() async throws {
        var world = try await World()
        try await Self.settle(&world, 1)
        let (answered, device) = try await Self.join(&world)
        let engine = world.engine
        engine.lie { $0.get = { _ in nil } }
        let c = try await Member.follow(answered, device, on: engine)
        #expect(c.replica.firstKept == 1)
        #expect(c.replica.mergedView == world.a.replica.mergedView)
        try engine.remove(world.account, 1)
        await stops(.notALog) { try await Member.follow(answered, device, on: engine) }
    }

    // Rule: a newcomer's log leads to the head and state that the approver named | mustBeVouchedFor without its
    //   comparison | an old or forged snapshot is taken over
    @Test func `an old snapshot, a shorter log and a forged snapshot are refused`() async throws {
        var world = try await World()
        try await Self.settle(&world, 1)
        let old = world.a.replica.state.snapshot
        try await world.a.put("k", "newer")
        try await Self.settle(&world, 2)
        let (answered, device) = try await Self.join(&world)
        let engine = world.engine
        // The engine shows the log only up to the old snapshot's acknowledgements.
        engine.lie { lies in lies.read = { $0.filter { $0.place < answered.place } } }
        await stops(.gap) { try await Member.follow(answered, device, on: engine) }
        engine.stopLying()
        // A snapshot that the engine's user wrote. It is void for members, and a stranger is the only member of its
        // state.
        let stranger = try DeviceKeys()
        var forged = try #require(try await Member.stored(old, of: world.account, on: engine))
        var entry = try Entry(forged.entry)
        entry.author = 1
        entry.signature = [UInt8](repeating: 1, count: 64)
        forged = StoredSnapshot(place: old, entry: entry.bytes, chunks: forged.chunks)
        #expect(throws: SyncLogError(.unknownSnapshot, "")) {
            try LogReplica(startingAt: forged, account: world.account, device: stranger)
        }
        // The right one, and then another head than the approver's.
        let stored = try #require(try await Member.stored(old, of: world.account, on: engine))
        var replica = try LogReplica(startingAt: stored, account: world.account, device: device)
        let place = replica.state.place + 1
        try replica.take(#require(world.a.replica.bytes(at: place)), at: place)
        #expect(throws: SyncLogError(.fork, "")) {
            try replica.mustBeVouchedFor(
                place: place, hash: answered.hash, stateDigest: answered.stateDigest)
        }
        #expect(throws: SyncLogError(.unknownSnapshot, "")) {
            try LogReplica(startingAt: stored, account: [UInt8](repeating: 1, count: 32), device: device)
        }
    }

    @Test func `a snapshot that was interrupted is made again over its own chunks`() async throws {
        var world = try await World()
        world.engine.lie { $0.append = { _, _ in .done } }
        await stops(.gap) { try await world.a.snapshot(now: 1) }
        world.engine.stopLying()
        world.a.replica.outgoing = nil
        #expect(try await world.a.snapshot(now: 1))
        // Chunks by another writer stop it: they can't be replaced.
        let place = world.a.replica.state.place + 1
        _ = try await world.engine.put([1], at: .chunk(place: place, stream: 0, index: 0), of: world.account)
        await stops(.differentBytes) { try await world.a.snapshot(now: 2) }
    }

    @Test func `a recovery code opens each epoch and adds a device, until another is made`() async throws {
        var world = try await World()
        let code = RecoveryCode()
        #expect(code.text.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4, 4, 4, 2])
        _ = try await world.a.send { try $0.recovery(code) }
        _ = try await world.a.send { try $0.epoch(removing: [2]).entry }
        try await world.a.put("k", "after the epoch")
        // No device is left but the paper.
        let typed = try RecoveryCode(code.text.lowercased().split(separator: "-").joined(separator: " "))
        let paper = try typed.device(in: world.account)
        let found = try await Member.follow(world.account, paper, on: world.engine)
        #expect(found.value("k") == "after the epoch")
        #expect(found.replica.member == nil)
        #expect(throws: SyncLogError(.endedHere, "")) { _ = try found.replica.writer() }
        let fresh = try DeviceKeys()
        let addition = try found.replica.recoveryWriter().addition(of: fresh.record)
        _ = try await world.engine.append(addition.bytes, at: addition.place, of: world.account)
        var again = try await Member.follow(world.account, fresh, on: world.engine)
        #expect(again.value("k") == "after the epoch")
        try await again.put("k", "by the new device")
        try await world.a.pull()
        #expect(world.a.value("k") == "by the new device")
        // It may do nothing else, and a newer code ends it.
        let forbidden = try found.replica.recoveryWriter().epoch(removing: []).entry
        var state = found.replica.state
        guard case .void(.notAllowed) = state.take(forbidden.bytes) else {
            Issue.record("the code began an epoch")
            return
        }
        _ = try await world.a.send { try $0.recovery(RecoveryCode()) }
        let later = try await Member.follow(world.account, paper, on: world.engine)
        #expect(throws: SyncLogError(.notAccepted, "")) { _ = try later.replica.recoveryWriter() }
    }

    // Rule: a slip in a recovery code shows | RecoveryCode takes any last two digits | none of eight is seen
    @Test func `a slip in a recovery code shows`() throws {
        let text = RecoveryCode().text
        let first = text.prefix(1) == "A" ? "B" : "A"
        #expect(throws: SyncLogError(.wrongWords, "")) { _ = try RecoveryCode(String(text.dropLast())) }
        #expect(throws: SyncLogError(.wrongWords, "")) { _ = try RecoveryCode("") }
        // Two digits: one slip in 1,024 stays unseen, and opens nothing.
        let slips = (0..<8).count { _ in (try? RecoveryCode(first + RecoveryCode().text.dropFirst())) == nil }
        #expect(slips >= 4)
    }

    @Test func `an unattended ticket reads until the next epoch, and writes nothing`() async throws {
        var world = try await World()
        let device = try DeviceKeys()
        _ = try await world.a.send { try $0.unattendedTicket(for: device.record, machines: 1) }
        try await world.a.put("k", "read in silence")
        var machine = try await Member.follow(world.account, device, on: world.engine)
        #expect(machine.value("k") == "read in silence")
        #expect(throws: SyncLogError(.endedHere, "")) { _ = try machine.replica.writer() }
        _ = try await world.a.send { try $0.epoch().entry }
        try await world.a.put("k", "not for it")
        try await machine.pull()
        #expect(machine.value("k") == "read in silence")
        #expect(machine.replica.isWaiting)
    }

    // Rule: an account that its engine lost goes on with everything that any member had | LogReplica.missing without
    //   its check of sequences | an edit of the member that didn't found it is lost
    @Test func `after the engine lost the log a new era begins from the members' states`() async throws {
        var world = try await World()
        try await world.a.put("k", "both have it")
        try await world.b.pull()
        // b is ahead of a when the engine loses everything, and has made an edit offline.
        try await world.b.put("only b", "acknowledged")
        try await world.b.put("k", "by b, after a's")
        try world.b.edit([
            NewOperation(
                key: Array("offline".utf8), protectionClass: .complete, time: 5, context: Context(),
                change: .put(value: Array("not sent".utf8), from: nil))
        ])
        try FileManager.default.removeItem(at: world.engine.folder)
        try FileManager.default.createDirectory(at: world.engine.folder, withIntermediateDirectories: true)
        var a = try await world.a.restart(now: 1)
        await stops(.fork) { try await world.b.restart(now: 1) }
        #expect(a.replica.state.era == 1)
        await stops(.wrongWords) { try await world.b.followRestart { _ in false } }
        let head = Words.head(account: a.replica.state.account, place: 2, hash: a.replica.state.hash)
        var b = try #require(try await world.b.followRestart { $0 == head })
        try await b.push()
        try await a.pull()
        #expect(a.value("k") == "by b, after a's")
        #expect(a.value("only b") == "acknowledged")
        #expect(a.value("offline") == "not sent")
        #expect(a.replica.mergedView == b.replica.mergedView)
        #expect(a.replica.notices.isEmpty && b.replica.notices.isEmpty)
        // It goes on: edits, a newcomer by hand-shake, and no removed device is in it.
        try await a.put("k", "in the new era")
        try await b.pull()
        #expect(b.value("k") == "in the new era")
        world.a = a
        let (answered, device) = try await Self.join(&world)
        let c = try await Member.follow(answered, device, on: world.engine)
        #expect(c.replica.mergedView == b.replica.mergedView)
        #expect(try await world.b.followRestart { _ in true }?.replica.state.account == a.replica.state.account)
    }

    @Test func `an era that isn't this account's is refused`() async throws {
        let world = try await World()
        var other = try await World()
        try await other.a.put("k", "elsewhere")
        let restarted = try await other.a.restart(now: 1)
        _ = try await world.engine.honest.append(
            #require(restarted.replica.bytes(at: 1)), at: 1, of: restarted.replica.state.account)
        let stored = try #require(
            try await Member.stored(2, of: restarted.replica.state.account, on: other.engine))
        #expect(throws: SyncLogError(.fork, "")) {
            _ = try world.a.replica.continued(#require(restarted.replica.bytes(at: 1)), stored)
        }
    }
}
