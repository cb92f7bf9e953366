// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncLog
import SyncMerge

/// What sync costs over an engine; each line is a figure.
enum Figures {
    typealias Member = SyncMember<LabEngine>

    private static func put(_ key: String, _ value: String, of member: Member? = nil) -> NewOperation {
        let key = Array(key.utf8)
        return NewOperation(
            key: key, protectionClass: .none, time: UInt64(Date.now.timeIntervalSince1970 * 1000),
            context: member?.replica.context(of: key) ?? Context(),
            change: .put(value: Array(value.utf8), from: nil))
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    private static func print(_ name: String, _ value: String) {
        Swift.print("\(name.padding(toLength: 62, withPad: " ", startingAt: 0)) \(value)")
    }

    private static func round(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// An account with so many members, of which the first two are returned.
    private static func account(
        _ members: Int, _ engine: LabEngine, _ other: LabEngine
    ) async throws -> (Member, Member) {
        var a = try await Member.create(DeviceKeys(), on: engine)
        let device = try DeviceKeys()
        _ = try await a.send { try $0.addition(of: device.record) }
        for _ in 2..<max(2, members) {
            let record = try DeviceKeys().record
            _ = try await a.send { try $0.addition(of: record) }
        }
        return (a, try await Member.follow(a.replica.state.account, device, on: other))
    }

    /// All of them, over an engine that two homes reach each with connections of its own.
    static func run(_ name: String) async throws {
        let (engine, other) = (try LabEngine(name, timeout: .seconds(10)), try LabEngine(name, timeout: .seconds(10)))
        try await latency(engine, other)
        try await outgoing(engine, other)
        try await joining(engine, other)
        try await homes(engine, other)
        if name.hasPrefix("etcd:") { try await size(name, engine, other) }
        await engine.close()
        await other.close()
    }

    private static func latency(_ engine: LabEngine, _ other: LabEngine) async throws {
        var (a, b) = try await account(2, engine, other)
        var times: [Double] = []
        for step in 0..<300 {
            let (account, place) = (a.replica.state.account, a.replica.state.place)
            async let woken = other.wait(account, after: place, patience: .seconds(10))
            // The other home waits already.
            try await Task.sleep(for: .milliseconds(20))
            let start = ContinuousClock.now
            try a.edit([put("key \(step % 20)", "value \(step)", of: a)])
            try await a.push()
            _ = try await woken
            try await b.pull()
            times.append(milliseconds(ContinuousClock.now - start))
            guard b.replica.state.place == a.replica.state.place else { throw SyncLogError(.gap, "not readable") }
        }
        times.sort()
        print("put on one home, readable on another, median", "\(round(times[150])) ms")
        print("put on one home, readable on another, p99", "\(round(times[296])) ms (goal 150)")
    }

    private static func outgoing(_ engine: LabEngine, _ other: LabEngine) async throws {
        var (a, _) = try await account(2, engine, other)
        for index in 0..<1000 { try a.edit([put("item \(index)", "a small value")]) }
        var start = ContinuousClock.now
        try await a.push()
        print(
            "1,000 edits outgoing, an entry each",
            "\(round(milliseconds(ContinuousClock.now - start) / 1000)) s (goal 5)")
        for index in 0..<1000 { try a.edit([put("other \(index)", "a small value")]) }
        start = ContinuousClock.now
        try a.gather()
        try await a.push()
        print(
            "1,000 edits outgoing, gathered", "\(round(milliseconds(ContinuousClock.now - start) / 1000)) s (goal 5)"
        )
    }

    private static func joining(_ engine: LabEngine, _ other: LabEngine) async throws {
        var (a, _) = try await account(2, engine, other)
        for batch in 0..<157 {
            try a.edit(
                (0..<min(64, 10_000 - 64 * batch)).map { put("item \(batch) \($0)", "a small value of an item") })
        }
        try await a.push()
        guard try await a.snapshot(now: UInt64(Date.now.timeIntervalSince1970 * 1000)) else { return }
        let device = try DeviceKeys()
        let random = { (count: Int) in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let applicant = try Applicant(device.record, id: random(16), nonce: random(32))
        let approver = try Approver(
            applicant.first, state: a.replica.state, as: 1, nonce: random(32), snapshot: a.replica.verifiedSnapshot)
        let answered = try applicant.answer(approver.second)
        _ = try await a.send { try $0.addition(of: device.record) }
        var start = ContinuousClock.now
        let c = try await Member.follow(answered, device, on: other)
        print(
            "10,000 items joined, from the snapshot",
            "\(round(milliseconds(ContinuousClock.now - start) / 1000)) s (goal 10), \(c.replica.items.registers.count) items"
        )
        start = ContinuousClock.now
        let d = try await Member.follow(answered.account, device, on: other)
        print(
            "10,000 items joined, from the genesis",
            "\(round(milliseconds(ContinuousClock.now - start) / 1000)) s, alike: \(d.replica.mergedView == c.replica.mergedView)"
        )
    }

    private static func homes(_ engine: LabEngine, _ other: LabEngine) async throws {
        var costs: [Double] = []
        for members in [10, 100] {
            var (a, b) = try await account(members, engine, other)
            let start = ContinuousClock.now
            for step in 0..<200 {
                try a.edit([put("key \(step % 20)", "value \(step)", of: a)])
                try await a.push()
                try await b.pull()
            }
            costs.append(milliseconds(ContinuousClock.now - start) / 200)
            print("an edit pushed and pulled, \(members) homes in the account", "\(round(costs[costs.count - 1])) ms")
        }
        print("100 homes against 10", "\(round(costs[1] / costs[0])) times (goal 1.5)")
    }

    private static func size(_ name: String, _ engine: LabEngine, _ other: LabEngine) async throws {
        let endpoint = String(name.dropFirst(5).prefix { $0 != "," })
        let used = { () throws -> Int in
            let control = ["etcdctl", "--endpoints", endpoint]
            let said = try Programs.run(
                control + ["endpoint", "status", "-w", "json"], environment: ["ETCDCTL_API": "3"])
            let answer = try JSONDecoder().decode([Status].self, from: Data(said.utf8))
            return answer.first?.Status.dbSizeInUse ?? 0
        }
        for (title, batch) in [("one edit an entry", 1), ("8 edits an entry", 8)] {
            var (a, _) = try await account(2, engine, other)
            // What was written is committed to the file after a tenth of a second.
            try await Task.sleep(for: .seconds(1))
            let before = try used()
            for step in 0..<1000 / batch {
                try a.edit((0..<batch).map { put("item \(step) \($0)", "a password of some 24 bytes") })
            }
            try await a.push()
            try await Task.sleep(for: .seconds(1))
            let edits = 1000 / batch * batch
            print("etcd's size in use per small edit, \(title)", "\((try used() - before) / edits) bytes (goal 700)")
        }
    }

    private struct Status: Decodable {
        struct Inner: Decodable { let dbSizeInUse: Int }
        let Status: Inner
    }

    /// How often this process runs while it waits for a minute and nothing comes.
    static func idle(_ name: String) async throws {
        let engine = try LabEngine(name)
        let a = try await Member.create(DeviceKeys(), on: engine)
        async let waiting = engine.wait(a.replica.state.account, after: 1, patience: .seconds(75))
        try await Task.sleep(for: .seconds(5))
        let before = try switches()
        try await Task.sleep(for: .seconds(60))
        let after = try switches()
        _ = try await waiting
        await engine.close()
        // Threads that end meanwhile don't wake up any more; two wake-ups are those of this measurement.
        let counts = after.map { $0.value - (before[$0.key] ?? 0) }.sorted()
        print(
            "wake-ups of a home that waits, in a minute", "\(counts.dropLast().reduce(0, +)) (goal 1, and 2 to measure)"
        )
        print("those of libdispatch, which looks after its threads", "\(counts.last ?? 0)")
    }

    /// By thread.
    private static func switches() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let status = try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
            for line in status.split(separator: "\n") where line.hasPrefix("voluntary") {
                counts[thread] = Int(line.split(whereSeparator: \.isWhitespace).last ?? "") ?? 0
            }
        }
        return counts
    }
}
