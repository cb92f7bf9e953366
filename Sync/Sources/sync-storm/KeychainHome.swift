// SPDX-License-Identifier: Apache-2.0

import Crypto
import DataProtection
import Foundation
import KeychainSync
import Keychains
import SecretMemory
import SyncEngines
import SyncLog
import SyncMerge

/// A real home with a keychain, as a process that may be killed at any moment. It edits items, and makes a round after
/// a few of them.
struct KeychainHome {
    /// What edit number `number` of a home is: it follows from the seed, so that nothing but the number has to be kept.
    private struct Edit {
        let account: String
        /// Nil: a deletion.
        let value: String?
        let isClosed: Bool
        let endsRound: Bool

        init(_ number: Int, of home: String, seed: UInt64) {
            var random = Seed(seed &+ UInt64(number) &* 1_000_003)
            // Few enough values for each item that none falls out of a history.
            account = "item \(number / 2)"
            value = random.below(5) == 0 ? nil : "marker-of-a-value \(home) \(number);"
            isClosed = random.below(4) == 0
            endsRound = random.below(4) == 0
        }
    }

    private static let service = "storm"
    private let disk: HomeDisk
    private let home: DataProtection.Home
    private let engine: AnyEngine

    init(_ folder: String, _ engine: LabEngine) throws {
        disk = HomeDisk(folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = DataProtection.Home.Configuration()
        configuration.folder = "\(folder)/zamok"
        configuration.identity = ApplicationIdentity(applicationIdentifier: "storm", accessGroups: ["storm"])
        configuration.holder = .process
        home = try DataProtection.Home(configuration)
        self.engine = AnyEngine(engine)
    }

    private var name: String { disk.folder.lastPathComponent }
    private func passcode() throws -> SecretBytes { try SecretBytes(copying: Array("storm passcode".utf8)) }

    func found() async throws {
        let sync = try await KeychainSync.create(home, on: engine, at: "storm", name: name)
        print(sync.member.replica.state.account.hexadecimal)
    }

    /// Both sides of a hand-shake. Each accepts the words without comparing them.
    func add(_ newcomer: KeychainHome, isLocked: Bool) async throws {
        let id = (0..<16).map { _ in UInt8.random(in: 0...255) }
        var sync = try KeychainSync.open(home, on: engine)
        let account = sync.member.replica.state.account
        async let joined: Void = {
            var other = try await KeychainSync.join(
                newcomer.home, account: account, on: newcomer.engine, at: "storm", name: newcomer.name, id: id,
                patience: .seconds(60)
            ) { _ in true }
            try await other.now()
        }()
        _ = try await sync.approve(id, patience: .seconds(60)) { _ in true }
        try await joined
        if isLocked { try newcomer.home.keybag.setPasscode(passcode()) }
    }

    private func keychain(_ accessibility: Accessibility) -> Keychain {
        Keychain(service: Self.service, accessibility: accessibility, isSynchronizable: true, home: home)
    }

    /// `isLockedMostly`: unlocked for each hundredth edit only.
    func work(_ count: Int, seed: UInt64, isLockedMostly: Bool, pause: Duration) async throws {
        var number = Int(disk.acknowledged().last.map { $0 + 1 } ?? 0)
        if isLockedMostly, home.keybag.lockState != .unlocked { try home.keybag.unlock(passcode: passcode()) }
        try await round()
        while number < count {
            let edit = Edit(number, of: name, seed: seed)
            if isLockedMostly, number % 100 == 0, home.keybag.lockState != .unlocked {
                try home.keybag.unlock(passcode: passcode())
            }
            try make(edit)
            try disk.acknowledge(UInt64(number))
            number += 1
            if edit.endsRound || number == count { try await round() }
            if isLockedMostly, home.keybag.lockState == .unlocked { try home.keybag.lock() }
            try await Task.sleep(for: pause)
        }
    }

    private func make(_ edit: Edit) throws {
        let isOpen = home.keybag.lockState == .unlocked
        let keychain = keychain(edit.isClosed && isOpen ? .whenUnlocked : .afterFirstUnlock)
        do {
            if let value = edit.value {
                try keychain.setPassword(value, for: edit.account)
            } else {
                try keychain.removePassword(for: edit.account)
            }
        } catch {
            // An item that is locked can't be changed now.
            guard error.code == .locked, let value = edit.value else { return }
            try keychain.setPassword(value, for: "\(edit.account), beside")
        }
    }

    /// One round as the command makes it, from what is on disk.
    private func round() async throws {
        while true {
            do {
                var sync = try KeychainSync.open(home, on: engine)
                try await sync.now()
                return
            } catch let error as SyncEngineError where error.code == .unreachable {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// The state of the home: prints the digests of its view, of the state of its log and of its items. Prints how many
    /// of the edits acknowledged to the homes in `others` are nowhere. Writes its log as a vector for the reader in
    /// Python.
    func show(_ others: [String], seed: UInt64) async throws {
        if home.keybag.lockState != .unlocked { try home.keybag.unlock(passcode: passcode()) }
        try await round()
        let sync = try KeychainSync.open(home, on: engine)
        let replica = sync.member.replica
        var known: Set<String> = []
        for items in [replica.items, replica.former] {
            for register in items.registers.values {
                for operation in register.operations {
                    guard case .put(let value, _) = operation.change, let marker = Self.marker(value) else { continue }
                    known.insert(marker)
                }
            }
        }
        var lost: [String] = []
        for other in others {
            let (disk, name) = (HomeDisk(other), URL(filePath: other).lastPathComponent)
            let done = disk.acknowledged().map { Int($0) }
            for number in done {
                let edit = Edit(number, of: name, seed: seed &+ UInt64(name.last?.wholeNumberValue ?? 0) << 32)
                guard let value = edit.value, !known.contains(value) else { continue }
                // The home itself changed it once more.
                if number % 2 == 0, done.contains(number + 1) { continue }
                lost.append(value)
            }
        }
        try await write(replica)
        let keychain = keychain(.afterFirstUnlock)
        let accounts = try keychain.items(matching: KeychainQuery<GenericPassword>()).map(\.account).sorted()
        let lines = try accounts.map { "\($0) \(try keychain.password(for: $0) ?? "-")" }.joined(separator: "\n")
        try disk.replace("items.txt", Data((lines + "\n").utf8))
        print(
            "\(Self.digest(replica.mergedView)) \(Self.digest(replica.state.bytes)) items \(accounts.count) \(Self.digest(Array(lines.utf8)))"
                + " entries \(replica.state.place) values \(known.count) waiting \(replica.isWaiting) outbox \(try sync.status().unsent)"
                + " lost \(lost.count)")
    }

    private static func digest(_ bytes: [UInt8]) -> String { Array(SHA256.hash(data: bytes)).hexadecimal }

    /// A value ends with the item's secret.
    private static func marker(_ value: [UInt8]) -> String? {
        let text = String(decoding: value.suffix(64), as: UTF8.self)
        return text.range(of: "marker-of-a-value ", options: .backwards).map { String(text[$0.lowerBound...]) }
    }

    private func write(_ replica: LogReplica) async throws {
        let device = replica.device
        let seeds = TravellingClass.allCases.compactMap { device.opening[$0].map { Array(Lab.bytes($0.seed)) } }
        var lines = ["# Written by sync-storm.", "account \(replica.state.account.hexadecimal)"]
        lines.append(
            "device home \(Array(device.signing.rawRepresentation).hexadecimal) "
                + seeds.map(\.hexadecimal).joined(separator: " "))
        var place: UInt64 = 1
        while place <= replica.state.place {
            let read = try await engine.read(replica.state.account, from: place, limit: 256)
            guard read.first?.place == place else { throw SyncLogError(.gap, "the engine lacks entry \(place)") }
            for entry in read where entry.place == place && place <= replica.state.place {
                lines.append("entry \(entry.bytes.hexadecimal)")
                place += 1
            }
        }
        lines.append("state \(Self.digest(replica.state.bytes))")
        lines.append("view home 134 \(replica.mergedView.hexadecimal)")
        try disk.replace("vector.txt", Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
