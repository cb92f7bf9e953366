// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncEngines
import SyncLog
import SyncMerge

/// A home as a process: its state is on disk, and it may be killed at any moment.
enum Home {
    /// Founds an account; prints its id.
    static func found(_ folder: String, _ engine: LabEngine) async throws {
        let disk = HomeDisk(folder)
        let member = try await SyncMember<LabEngine>.create(disk.makeDevice(), on: engine)
        try disk.save(member.replica, [])
        print(member.replica.state.account.hexadecimal)
    }

    /// Adds a new home at `newcomer`, as an approver does once the words agree.
    static func add(_ folder: String, _ engine: LabEngine, _ newcomer: String) async throws {
        let fresh = HomeDisk(newcomer)
        let device = try fresh.makeDevice()
        let disk = HomeDisk(folder)
        var member = try disk.open(on: engine)
        guard try await member.send({ try $0.addition(of: device.record) }) else {
            throw SyncLogError(.gap, "the place was taken")
        }
        try disk.save(member.replica, [])
        let joined = try await SyncMember<LabEngine>.follow(member.replica.state.account, device, on: engine)
        try fresh.save(joined.replica, [])
    }

    /// What a home does: so many edits by its own clock, each pushed until it is acknowledged.
    struct Work {
        let count: Int
        let seed: UInt64
        /// How far its clock is off, in milliseconds.
        let offset: Int64
        /// Locked but for each tenth edit.
        let isLockedMostly: Bool
        let pause: Duration
    }

    static func work(_ folder: String, _ engine: LabEngine, _ work: Work) async throws {
        let disk = HomeDisk(folder)
        var member = try disk.open(on: engine)
        let device = try disk.device()
        while disk.made < work.count || !member.outbox.isEmpty {
            if member.outbox.isEmpty {
                try edit(&member, disk, work, device)
                try await Task.sleep(for: work.pause)
            }
            do {
                try await member.push()
                try disk.acknowledge(member.replica.state.sequence(of: member.replica.member ?? 0) ?? 0)
            } catch let error as SyncEngineError where error.code == .unreachable {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        try disk.save(member.replica, member.outbox)
    }

    private static func edit(
        _ member: inout SyncMember<LabEngine>, _ disk: HomeDisk, _ work: Work, _ device: DeviceKeys
    ) throws {
        var random = Seed(work.seed &+ UInt64(disk.made) &* 1_000_003)
        if work.isLockedMostly {
            if disk.made % 10 == 9 { member.replica.unlock(device) } else { member.replica.lock(.complete) }
        }
        let open = TravellingClass.allCases.filter { !work.isLockedMostly || disk.made % 10 == 9 || $0 != .complete }
        let key = Array("key \(random.below(30))".utf8)
        let own = open[random.below(open.count)]
        let now = UInt64(max(0, Int64(Date.now.timeIntervalSince1970 * 1000) + work.offset))
        let context = member.replica.context(of: key)
        let value = Array("marker-of-a-value \(folderName(disk)) \(disk.made)".utf8)
        var operations = [
            NewOperation(
                key: key, protectionClass: own, time: now, context: context,
                change: random.below(5) == 0 ? .delete : .put(value: value, from: nil))
        ]
        if random.below(6) == 0, let left = open.first(where: { $0 != own }) {
            operations.append(
                NewOperation(key: key, protectionClass: left, time: now, context: context, change: .moved(to: own)))
        }
        disk.made += 1
        try member.edit(operations)
    }

    private static func folderName(_ disk: HomeDisk) -> String { disk.folder.lastPathComponent }

    /// The state of a home, with everything open. Prints the digests of its view and of the state of its log. Prints
    /// which of the edits acknowledged to the homes in `others` it lacks. Writes its log as a vector for the reader in
    /// Python.
    static func show(_ folder: String, _ engine: LabEngine, _ others: [String]) async throws {
        let disk = HomeDisk(folder)
        var member = try disk.open(on: engine)
        try member.replica.unlock(disk.device())
        try await member.pull()
        try disk.save(member.replica, member.outbox)
        let (replica, view) = (member.replica, member.replica.mergedView)
        let known = Set(
            replica.items.registers.values.flatMap { $0.operations.map { "\($0.author) \($0.sequence)" } })
        var lost: [String] = []
        for other in others {
            let disk = HomeDisk(other)
            let number = replica.state.member(try disk.device().record) ?? 0
            lost += disk.acknowledged().map { "\(number) \($0)" }.filter { !known.contains($0) }
        }
        let device = try disk.device()
        let seeds = TravellingClass.allCases.compactMap { device.opening[$0].map { Array(Lab.bytes($0.seed)) } }
        var lines = ["# Written by sync-storm.", "account \(replica.state.account.hexadecimal)"]
        lines.append(
            "device home \(Array(device.signing.rawRepresentation).hexadecimal) "
                + seeds.map(\.hexadecimal).joined(separator: " "))
        for place in 1...replica.state.place { lines.append("entry \(replica.bytes(at: place)?.hexadecimal ?? "")") }
        lines.append("state \(Array(SHA256.hash(data: replica.state.bytes)).hexadecimal)")
        lines.append("view home 134 \(view.hexadecimal)")
        try disk.replace("vector.txt", Data((lines.joined(separator: "\n") + "\n").utf8))
        print(
            "\(Array(SHA256.hash(data: view)).hexadecimal) \(Array(SHA256.hash(data: replica.state.bytes)).hexadecimal)"
                + " entries \(replica.state.place) operations \(known.count) waiting \(replica.isWaiting)"
                + " outbox \(member.outbox.count) lost \(lost.count)")
    }
}
