// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@testable import KeychainSync

/// A member that keeps to no rule: nothing that it signs stops the account, and it can be removed after each of it.
@Suite struct RefusedTests {
    private static let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil

    @Test func `hostile entries of a member, and after each it is removed and the others go on`() async throws {
        var world = try await World()
        var hostile = HostileEntries(seed: 20_261_123)
        var slowest = Duration.zero
        let count = Self.isLong ? 200 : 2 * HostileEntries.kinds
        for number in 0..<count {
            let device = try DeviceKeys()
            // What was put far ahead takes a place.
            while try await !world.a.send({ try $0.addition(of: device.record) }) {}
            let m = try await World.Member.follow(world.account, device, on: world.engine)
            let entry = try hostile.entry(number, m.replica)
            _ = try await world.engine.honest.append(entry.bytes, at: entry.place, of: world.account)
            let before = world.head
            let start = ContinuousClock.now
            // What the others' rounds come to before the removal: they may stop and say so, and end.
            for home in [0, 1] {
                var member = home == 0 ? world.a : world.b
                _ = try? await member.pull()
                _ = try? await member.put("k", "beside \(number)")
                if home == 0 { world.a = member } else { world.b = member }
            }
            for _ in 0..<3 where world.a.replica.state.members.contains(m.replica.member ?? 0) {
                _ = try await world.a.remove([m.replica.member ?? 0])
            }
            slowest = max(slowest, start.duration(to: .now))
            #expect(world.a.replica.state.members == [1, 2], "\(number)")
            try await world.b.pull()
            try await world.b.put("k", "after \(number)")
            try await world.a.pull()
            #expect(world.a.value("k") == "after \(number)")
            // What the first one could not send until now, it sends with its round.
            try await world.b.pull()
            // Hashes: a difference in the bytes would be printed.
            let states = [world.a, world.b].map { SHA256.hash(data: $0.replica.state.bytes) }
            #expect(states[0] == states[1], "\(number)")
            #expect(world.head < before + 110, "\(number)")
        }
        #expect(slowest < .seconds(20), "\(slowest)")
        print("\(count) hostile entries; the slowest took \(slowest) until its member was removed")
    }

    @Test func `homes with items end their rounds and remove a member after each hostile entry`() async throws {
        let engine = try HostileEngine()
        let (one, two) = (try SyncedHome("one", AnyEngine(engine)), try SyncedHome("two", AnyEngine(engine)))
        try one.add("item", "first")
        let account = try await one.found()
        try await two.join(account, with: one)
        var hostile = HostileEntries(seed: 7)
        // The name of the first home, which that home writes again where another member changes it.
        hostile.key = DeviceName.key(1)
        let numbers = Self.isLong ? Array(0..<200) : [0, 1, 3, 5, 8, 14, 22, 23]
        for number in numbers {
            let device = try DeviceKeys()
            do {
                var sync = try one.open()
                try await sync.member.pull()
                while try await !sync.member.send({ try $0.addition(of: device.record) }) {}
                try await sync.now()
            }
            let m = try await SyncMember.follow(account, device, on: AnyEngine(engine))
            let own = try #require(m.replica.member)
            let entry = try hostile.entry(number, m.replica)
            _ = try await engine.honest.append(entry.bytes, at: entry.place, of: account)
            let head = m.replica.state.place
            for home in [one, two] { _ = try? await home.round() }
            do {
                var sync = try one.open()
                try await sync.remove([own])
                #expect(!sync.devices.contains { $0.number == own })
            }
            try two.change("item", "after \(number)")
            try await two.round()
            try await one.round()
            #expect(try one.items() == ["item": "after \(number)"])
            #expect(try one.open().status().place < head + 120)
        }
    }

    @Test func `what a member claims is cut to what was counted, alike at every reader`() async throws {
        var world = try await World()
        let device = try DeviceKeys()
        _ = try await world.a.send { try $0.addition(of: device.record) }
        let m = try await World.Member.follow(world.account, device, on: world.engine)
        var hostile = HostileEntries(seed: 1)
        let entry = try hostile.entry(0, m.replica)
        _ = try await world.engine.honest.append(entry.bytes, at: entry.place, of: world.account)
        try await world.a.pull()
        let counted = try #require(world.a.replica.state.sequence(of: 1))
        let context = world.a.replica.context(of: Array("k".utf8))
        #expect(context.marks.allSatisfy { $0.sequence <= counted })
        try await world.a.put("k", "after the claim")
        #expect(world.a.value("k") == "after the claim" && world.a.outbox.isEmpty)
    }

    @Test func `a writer looks at its own entry with the readers' eyes`() async throws {
        var world = try await World()
        let head = world.head
        await stops(.wouldNotCount) { try await world.a.send { try $0.end(ticket: 9) } }
        await stops(.wouldNotCount) { try await world.a.send { try $0.entry(.version, [2]) } }
        #expect(try await world.engine.read(world.account, from: head + 1, limit: 1).isEmpty)
    }

    @Test func `a name that no home could read again founds and joins nothing`() async throws {
        let folder = try EngineFolder()
        for name in [String(repeating: "n", count: 5000), "", "a\u{0}b", String(repeating: "é", count: 101)] {
            let home = try SyncedHome(name, folder.engine)
            await #expect(throws: KeychainError.self) { _ = try await home.found() }
            #expect(try KeychainSync.settings(of: home.home) == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
