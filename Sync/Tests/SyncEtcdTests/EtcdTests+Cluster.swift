// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncLog
import SyncMerge
import Testing

extension EtcdTests {
    /// `SYNC_EDITS` edits by each of five homes; 20 in a normal run.
    private static var edits: Int {
        ProcessInfo.processInfo.environment["SYNC_EDITS"].flatMap { Int($0) } ?? 20
    }

    /// One home: edits at random, with a clock that is off, until each edit is acknowledged. Answers its member and the
    /// acknowledged sequences.
    private static func home(
        _ member: SyncMember<EtcdEngine>, _ number: UInt64, _ count: Int
    ) async throws -> (SyncMember<EtcdEngine>, [UInt64]) {
        var member = member
        var acknowledged: [UInt64] = []
        for edit in 0..<count {
            let key = [UInt8.random(in: 0..<20)]
            try member.edit([
                NewOperation(
                    key: key, protectionClass: TravellingClass.allCases.randomElement() ?? .none,
                    time: UInt64(edit) + number * 3_600_000, context: member.replica.context(of: key),
                    change: Int.random(in: 0..<5) == 0
                        ? .delete : .put(value: [UInt8(number), UInt8(edit % 256)], from: nil))
            ])
            while !member.outbox.isEmpty {
                do {
                    try await member.push()
                    acknowledged.append(member.replica.state.sequence(of: member.replica.member ?? 0) ?? 0)
                } catch let error as SyncEngineError where error.code == .unreachable {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        return (member, acknowledged)
    }

    /// While no node leads, the cluster says so.
    private static func untilAnswered<T>(_ body: () async throws -> T) async throws -> T {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await body()
            } catch let error as SyncEngineError where error.code == .unreachable && ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    @Test func `five homes lose nothing that was acknowledged when the leader is killed`() async throws {
        let cluster = try await EtcdCluster()
        var settings = EtcdEngine.Configuration(endpoints: cluster.endpoints)
        settings.timeout = .seconds(2)
        let engine = try EtcdEngine(settings)
        var first = try await SyncMember<EtcdEngine>.create(DeviceKeys(), on: engine)
        var members: [SyncMember<EtcdEngine>] = []
        for _ in 1..<5 {
            let device = try DeviceKeys()
            _ = try await first.send { try $0.addition(of: device.record) }
            members.append(try await SyncMember<EtcdEngine>.follow(first.replica.state.account, device, on: engine))
        }
        members.insert(first, at: 0)
        let count = Self.edits
        let start = ContinuousClock.now
        let done = try await withThrowingTaskGroup(of: (SyncMember<EtcdEngine>, [UInt64]).self) { group in
            for (number, member) in members.enumerated() {
                group.addTask { try await Self.home(member, UInt64(number), count) }
            }
            // In the midst of it: about a tenth of the edits is done.
            let account = first.replica.state.account
            _ = try await Self.untilAnswered {
                try await engine.wait(account, after: 5 + UInt64(count) / 2, patience: .seconds(60))
            }
            let node = try cluster.killLeader()
            _ = try await Self.untilAnswered {
                try await engine.wait(account, after: 5 + UInt64(count) * 2, patience: .seconds(60))
            }
            try cluster.restart(node)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        print("\(5 * count) edits by five homes, the leader killed, in \(ContinuousClock.now - start)")
        var views: Set<[UInt8]> = []
        for (member, _) in done {
            var member = member
            try await Self.untilAnswered { try await member.pull() }
            views.insert(member.replica.mergedView + member.replica.state.bytes)
            let known = Set(
                member.replica.items.registers.values.flatMap(\.operations).map { [UInt64($0.author), $0.sequence] })
            for (author, acknowledged) in done {
                for sequence in acknowledged {
                    #expect(known.contains([UInt64(author.replica.member ?? 0), sequence]))
                }
            }
        }
        #expect(views.count == 1)
        #expect(done.allSatisfy { $0.1.count == count })
        await engine.close()
    }
}
