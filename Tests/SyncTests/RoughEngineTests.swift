// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge
import Synchronization
import Testing

/// Five homes that edit at the same time over an engine that loses, delays, reorders and garbles single entries. With
/// ZAMOK_LONG in the environment 10,000 edits.
@Suite struct RoughEngineTests {
    typealias Member = SyncMember<RoughEngine>

    private static let edits = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 40 : 2000

    /// What a home keeps on its disk. Everything in memory is lost when it is killed.
    private final class Disk: Sendable {
        private let kept: Mutex<(replica: LogReplica, outbox: [[NewOperation]])>

        init(_ replica: LogReplica) { kept = Mutex((replica, [])) }

        func member(on engine: RoughEngine) throws -> Member {
            let (replica, outbox) = kept.withLock { $0 }
            var member = Member(replica: replica, engine: engine) { replica, outbox in
                self.kept.withLock { $0 = (replica, outbox) }
            }
            for operations in outbox { try member.edit(operations) }
            return member
        }
    }

    /// What a round may end with over such an engine; anything else is none of it.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let error as SyncEngineError: error.code == .unreachable
        // A garbled genesis is another log's.
        case let error as SyncLogError: error.code == .gap || error.code == .notALog
        default: false
        }
    }

    private static func insist(_ body: () async throws -> Void) async throws {
        for attempt in 0... {
            do { return try await body() } catch {
                guard isPassing(error), attempt < 5000 else { throw error }
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...10)))
            }
        }
    }

    /// Edits, each pushed until it is acknowledged; killed now and then. The sequences that were acknowledged.
    private static func work(_ home: Int, _ disk: Disk, _ engine: RoughEngine) async throws -> [UInt64] {
        var member = try disk.member(on: engine)
        var acknowledged: [UInt64] = []
        for number in 0..<edits {
            let key = Array("key \(Int.random(in: 0..<30))".utf8)
            try member.edit([
                NewOperation(
                    key: key, protectionClass: .none, time: UInt64(number), context: member.replica.context(of: key),
                    change: .put(value: Array("\(home) \(number)".utf8), from: nil))
            ])
            try await insist {
                if Int.random(in: 0..<50) == 0 { member = try disk.member(on: engine) }
                try await member.push()
            }
            acknowledged.append(member.replica.state.sequence(of: member.replica.member ?? 0) ?? 0)
        }
        return acknowledged
    }

    @Test(.timeLimit(.minutes(60)))
    func `five homes over an engine that loses, delays, reorders and garbles entries lose nothing`() async throws {
        let engine = try RoughEngine()
        var created: Member?
        // An answer that was lost left another account behind.
        try await Self.insist { created = try await Member.create(DeviceKeys(), on: engine) }
        var first = try #require(created)
        let account = first.replica.state.account
        let devices = try (1..<5).map { _ in try DeviceKeys() }
        for device in devices {
            try await Self.insist {
                // An addition whose answer was lost is in the log by now.
                try await first.push()
                while first.replica.state.member(device.record) == nil {
                    _ = try await first.send { try $0.addition(of: device.record) }
                }
            }
        }
        var disks = [Disk(first.replica)]
        for (home, device) in devices.enumerated() {
            var found: Member?
            try await Self.insist {
                found = try await Member.follow(account, device, on: engine.seen(by: home + 1))
            }
            disks.append(Disk(try #require(found).replica))
        }
        let start = ContinuousClock.now
        let acknowledged = try await withThrowingTaskGroup(of: (Int, [UInt64]).self) { group in
            for (home, disk) in disks.enumerated() {
                group.addTask { (home, try await Self.work(home, disk, engine.seen(by: home))) }
            }
            var all: [Int: [UInt64]] = [:]
            for try await (home, sequences) in group { all[home] = sequences }
            return all
        }
        let lasted = start.duration(to: .now)
        engine.calm()
        var members = try disks.map { try $0.member(on: engine) }
        // A home that lacks an entry says so in its round, and has it in the round after those of the others.
        for round in 0..<2 {
            for home in members.indices {
                do { try await members[home].pull() } catch {
                    guard round == 0, Self.isPassing(error) else { throw error }
                }
            }
        }
        for member in members {
            let known = Set(
                member.replica.items.registers.values.flatMap {
                    $0.operations.map { [UInt64($0.author), $0.sequence] }
                })
            for (home, sequences) in acknowledged {
                let number = UInt64(members[home].replica.member ?? 0)
                #expect(sequences.count == Self.edits)
                #expect(sequences.allSatisfy { known.contains([number, $0]) }, "home \(home)")
            }
            #expect(member.outbox.isEmpty)
            #expect(member.replica.mergedView == members[0].replica.mergedView)
            #expect(member.replica.state.bytes == members[0].replica.state.bytes)
        }
        let head = members[0].replica.state.place
        #expect(try await engine.count(account, from: 1, through: head) == Int(head))
        let told = engine.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("5 homes x \(Self.edits) edits in \(lasted), \(head) entries; \(told); acknowledged edits lost: 0")
        try Self.readInPython(members[0].replica, account)
    }

    /// The reader in Python comes to the same state and view, where there is one.
    private static func readInPython(_ replica: LogReplica, _ account: Digest32) throws {
        guard VectorTests.hasPython else { return }
        let seeds = TravellingClass.allCases.compactMap { replica.device.opening[$0]?.seed.exposingBytes.hexadecimal }
        var lines = ["device home 00 \(seeds.joined(separator: " "))", "account \(account.hexadecimal)"]
        for place in 1...replica.state.place { lines.append("entry \(replica.bytes(at: place)?.hexadecimal ?? "")") }
        lines.append("state \(Array(SHA256.hash(data: replica.state.bytes)).hexadecimal)")
        lines.append("view home 134 \(replica.mergedView.hexadecimal)")
        let folder = try EngineFolder()
        let file = "\(folder.path)/vector.txt"
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
        try VectorTests.checkInPython([file])
    }
}
