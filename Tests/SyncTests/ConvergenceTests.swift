// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import TestSupport
import Testing

@Suite struct ConvergenceTests {
    @Test func `five homes that edit at random, offline and locked at times, come to the same`() async throws {
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        print("seed \(seed)")
        var random = Random(state: seed)
        let engine = try HostileEngine()
        var members = [try await World.Member.create(DeviceKeys(), on: engine)]
        var devices = [members[0].replica.device]
        for _ in 1..<5 {
            let device = try DeviceKeys()
            _ = try await members[0].send { try $0.addition(of: device.record) }
            members.append(try await World.Member.follow(members[0].replica.state.account, device, on: engine))
            devices.append(device)
        }
        for step in 0..<150 {
            let home = random.below(5)
            switch random.below(10) {
            case 0: members[home].replica.lock(.complete)
            case 1: members[home].replica.unlock(devices[home])
            case 2, 3: try await members[home].pull()
            case 4:
                // Another process of the engine's user, and a home that is behind, write at once.
                _ = try await engine.honest.append(
                    [UInt8(step)], at: members[home].replica.state.place + 1, of: members[0].replica.state.account)
            case 5 where step.isMultiple(of: 3):
                _ = try await members[home].send { try $0.epoch().entry }
            default:
                let key = [UInt8(random.below(6))]
                let classes: [TravellingClass] = [.none, .completeUntilFirstUserAuthentication]
                try members[home].edit([
                    NewOperation(
                        key: key, protectionClass: classes[random.below(2)], time: UInt64(random.below(1000)),
                        context: members[home].replica.context(of: key),
                        change: random.below(4) == 0 ? .delete : .put(value: [UInt8(step)], from: nil))
                ])
                if random.below(2) == 0 { try await members[home].push() }
            }
        }
        for home in 0..<5 {
            members[home].replica.unlock(devices[home])
            try await members[home].push()
        }
        for home in 0..<5 {
            try await members[home].pull()
            #expect(members[home].replica.mergedView == members[0].replica.mergedView)
            #expect(members[home].replica.state.bytes == members[0].replica.state.bytes)
            #expect(members[home].outbox.isEmpty)
        }
    }

    @Test func `a snapshot that all acknowledge lets all drop the same`() async throws {
        var world = try await World()
        try await world.b.put("k", "second")
        try await world.a.pull()
        let items = world.a.replica.items
        _ = try await world.a.send {
            try $0.snapshot(of: items, time: 1000, chunks: [[[UInt8](repeating: 0, count: 32)], [], [], []])
        }
        _ = try await world.a.send { try $0.acknowledgement() }
        try await world.b.pull()
        #expect(world.b.replica.mayAcknowledge)
        #expect(world.b.replica.items[[107]].operations.count == 2)
        _ = try await world.b.send { try $0.acknowledgement() }
        try await world.a.pull()
        #expect(world.a.replica.state.settled == 5)
        #expect(world.a.replica.items[[107]].operations.count == 1)
        #expect(world.a.replica.mergedView == world.b.replica.mergedView)
        #expect(world.a.replica.notices.isEmpty && world.b.replica.notices.isEmpty)
    }

    @Test func `what was made offline is gathered into few entries, and nothing is lost`() async throws {
        var world = try await World()
        let head = world.head
        for step in 0..<200 {
            let key = Array("key \(step % 100)".utf8)
            try world.b.edit([
                NewOperation(
                    key: key, protectionClass: .none, time: UInt64(step), context: world.b.replica.context(of: key),
                    change: .put(value: [UInt8(step)], from: nil))
            ])
        }
        try world.b.gather()
        // A hundred registers, 64 an entry; the second edit of each begins anew.
        #expect(world.b.outbox.count == 4)
        try await world.b.push()
        #expect(world.b.replica.state.place == head + 4)
        try await world.a.pull()
        for step in 100..<200 {
            #expect(world.a.replica.items[Array("key \(step - 100)".utf8)].value == .value([UInt8(step)]))
        }
        #expect(world.a.replica.mergedView == world.b.replica.mergedView)
    }

    @Test func `waiting ends when an entry comes, or with the patience`() async throws {
        var world = try await World()
        let (engine, account, head) = (world.engine, world.account, world.head)
        #expect(try await engine.wait(account, after: head, patience: .milliseconds(20)) == false)
        async let came = engine.wait(account, after: head, patience: .seconds(60))
        try await world.a.put("k", "second")
        #expect(try await came)
    }

    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
        mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    }
}
