// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Testing

/// An engine that loses an entry in the middle of the log. A home that has the entry gives it back. The others say that
/// it is missing, and no home writes there.
@Suite struct HolesTests {
    typealias Member = World.Member

    /// Entries 4 to 8, of which b has none and the engine lacks one.
    private static func hole(at place: UInt64 = 6) async throws -> World {
        var world = try await World()
        for number in 4...8 { try await world.a.put("k\(number)", "\(number)") }
        try world.engine.remove(world.account, place)
        return world
    }

    private func has(_ world: World, _ place: UInt64) -> Bool {
        FileManager.default.fileExists(atPath: world.engine.file(world.account, place).path)
    }

    @Test func `an entry that is lost in the middle is given back by its author, and by any reader`() async throws {
        var world = try await Self.hole()
        let bytes = try #require(world.a.replica.bytes(at: 6))
        try await world.a.pull()
        #expect(try await world.engine.read(world.account, from: 6, limit: 1).first?.bytes == bytes)
        try await world.b.pull()
        try world.engine.remove(world.account, 5)
        try world.engine.remove(world.account, 2)
        try await world.b.pull()
        #expect(has(world, 5) && has(world, 2))
        #expect(try await world.engine.read(world.account, from: 1, limit: 64).count == 8)
    }

    @Test func `a home that lacks a lost entry says so, and writes nothing until it is there`() async throws {
        var world = try await Self.hole()
        await stops(.gap) { try await world.b.pull() }
        await stops(.gap) { try await world.b.put("k", "of b") }
        await stops(.gap) { try await world.b.send { try $0.leaving() } }
        #expect(world.b.outbox.count == 1)
        #expect(world.b.replica.state.place == 5)
        #expect(!has(world, 6) && !has(world, 9))
        try await world.a.pull()
        try await world.b.push()
        try await world.a.pull()
        #expect(world.a.value("k") == "of b")
        #expect(world.a.replica.mergedView == world.b.replica.mergedView)
    }

    @Test func `a hole that opens between a look and an edit is not written into`() async throws {
        var world = try await World()
        try await world.b.pull()
        try await world.b.put("l", "before")
        for number in 5...7 { try await world.a.put("k", "\(number)") }
        try world.engine.remove(world.account, 6)
        await stops(.gap) { try await world.b.put("l", "after") }
        #expect(!has(world, 6))
    }

    @Test func `a newcomer is told of the hole, and joins once the entry is back`() async throws {
        var world = try await Self.hole()
        let (account, engine, device) = (world.account, world.engine, try DeviceKeys())
        await stops(.gap) { try await Member.follow(account, device, on: engine) }
        try await world.a.pull()
        let newcomer = try await Member.follow(account, device, on: engine)
        #expect(newcomer.replica.state.place == 8)
    }

    @Test func `a newcomer that was named a snapshot behind the hole begins there`() async throws {
        var world = try await World()
        try await world.a.put("k", "second")
        let code = RecoveryCode()
        let found = try await world.a.beginning(now: 1)
        let made = try await world.a.snapshot(now: 1)
        let place = world.a.replica.verifiedSnapshot
        let named = Beginning(place: place, hash: try #require(world.a.replica.hash(at: place)))
        #expect(made && found == nil)
        _ = try await world.a.send { try $0.recovery(code) }
        try world.engine.remove(world.account, 3)
        let paper = try code.device(in: world.account)
        let (member, stored) = try await Member.follow(world.account, paper, on: world.engine) { named }
        #expect(stored != nil)
        #expect(member.value("k") == "second")
        #expect(throws: Never.self) { _ = try member.replica.recoveryWriter() }
    }

    @Test func `an era founded before the hole is followed by a home with more of the log, without loss`()
        async throws
    {
        var world = try await World()
        try await world.a.put("only a", "acknowledged")
        _ = try await world.a.send { try $0.addition(of: DeviceKeys().record) }
        _ = try await world.a.send { try $0.epoch().entry }
        try world.engine.remove(world.account, 4)
        try await world.a.state(now: 1)
        await stops(.gap) { try await world.b.pull() }
        #expect(try await world.b.membersAhead() == [1])
        var b = try await world.b.restart(now: 1)
        var a = try #require(try await world.a.followRestart { _ in true })
        try await a.push()
        try await b.pull()
        #expect(b.value("only a") == "acknowledged")
        #expect(a.replica.mergedView == b.replica.mergedView)
    }

    @Test func `an answer that was garbled once is asked for again`() async throws {
        var world = try await World()
        for number in 4...6 { try await world.a.put("k", "\(number)") }
        for flip in [0, 5, 60, 130] {
            var b = world.b
            world.engine.lie {
                $0.read = { found in
                    guard found.count > 1 else { return found }
                    return found.map { entry in
                        var bytes = entry.bytes
                        if entry.place == 5 { bytes[flip] ^= 1 }
                        return StoredEntry(place: entry.place, bytes: bytes)
                    }
                }
            }
            try await b.pull()
            #expect(b.value("k") == "6" && b.replica.notices.isEmpty)
            world.engine.stopLying()
        }
    }

    @Test func `an entry that was too large, and is lost, is given back as what it says`() async throws {
        var world = try await World()
        let large = [UInt8](repeating: 1, count: SyncLimits.entry + 9)
        _ = try await world.engine.honest.append(large, at: 4, of: world.account)
        try await world.a.put("k", "second")
        try world.engine.remove(world.account, 4)
        try await world.a.pull()
        try await world.b.pull()
        #expect(world.b.value("k") == "second")
    }
}
