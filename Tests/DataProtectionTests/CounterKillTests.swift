// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TPMs
import TestSupport
import Testing

@testable import DataProtection

/// Changes of a home that has counters in a TPM, ended before and after every command to the TPM and every call on a
/// file. Each of them also with a loss of power. The TPM is then killed and started again, and what was not synced to
/// the disk is gone.
///
/// The short form tries some of the moments. All of them, counted, with what was found after each:
/// `ZAMOK_LONG=1 swift test --skip-build --filter 'home on a TPM'`.
extension TPMHomeTests {
    static let countedChanges = [
        DurabilityTests.Change(command: "set new", before: nil, after: "new"),
        DurabilityTests.Change(command: "bind old", before: "old", after: "old"),
        DurabilityTests.Change(command: "change old new", before: "old", after: "new"),
        DurabilityTests.Change(command: "remove old", before: "old", after: nil),
        DurabilityTests.Change(command: "unbind old", before: "old", after: "old"),
        DurabilityTests.Change(command: "move chip old", before: "old", after: "old"),
        DurabilityTests.Change(command: "move file old", before: "old", after: "old"),
        DurabilityTests.Change(command: "move chip old", before: "old", after: "old", beginsInFile: true),
    ]

    // A move that ends anywhere leaves a home that opens with its passcode, with every key.
    @Test(arguments: countedChanges)
    func `a change of a home on a TPM that is killed at any command or call is whole, and old states stay refused`(
        _ change: DurabilityTests.Change
    ) throws {
        let scene = try countedScene(change)
        defer { scene.scene.remove() }
        let tally = try scene.kill(powerToo: false, every: isLong ? 1 : 9)
        print("\(change.testDescription): \(tally)")
        #expect(tally.count > (isLong ? 60 : 7))
    }

    @Test(arguments: countedChanges)
    func `a loss of power to a home on a TPM leaves it whole, and old states stay refused`(
        _ change: DurabilityTests.Change
    ) throws {
        let scene = try countedScene(change)
        defer { scene.scene.remove() }
        let tally = try scene.kill(powerToo: true, every: isLong ? 3 : 17)
        print("\(change.testDescription), power: \(tally)")
        #expect(tally.count > (isLong ? 20 : 3))
    }

    private var isLong: Bool { ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil }

    private func countedScene(_ change: DurabilityTests.Change) throws -> CountedScene {
        try tpm.allow(tries: 255)
        let scene = try Scene(change, environment: environment) { home in
            try home.confirmRecoveryCode(try home.makeRecoveryCode())
            if let before = change.before { try home.keybag.setPasscode(secret(before)) }
            guard !change.beginsInFile else { return }
            try home.moveDeviceSecret(to: .tpm(.none), passcode: try change.before.map { try Secret($0) })
            guard let before = change.before, !change.command.hasPrefix("bind") else { return }
            try home.keybag.bindPasscode(secret(before))
        }
        return CountedScene(scene: scene, change: change, tpm: tpm, memory: try tpm.memory())
    }
}

/// How often what was found after a crash.
struct CrashTally: CustomStringConvertible {
    private(set) var count = 0
    private var rows: [String: Int] = [:]

    mutating func add(_ row: String) {
        count += 1
        rows[row, default: 0] += 1
    }

    var description: String {
        "\(count) times; " + rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}

/// A home before a change and the TPM that belongs to it, in many copies.
struct CountedScene {
    let scene: Scene
    let change: DurabilityTests.Change
    let tpm: SoftwareTPM
    /// What the TPM had kept before the change.
    let memory: [UInt8]

    /// Ends the change before and after each `every`-th of its calls, and checks what is left.
    func kill(powerToo: Bool, every: Int) throws -> CrashTally {
        let calls = try scene.record(sends: true).calls
        try scene.check(scene.done, "done", isDone: true)
        var tally = CrashTally()
        for call in stride(from: 1 + Int.random(in: 0..<every), through: calls, by: every) {
            for kill in [FaultInjector.Kill.before(call), .after(call)] {
                try tpm.begin(with: memory)
                let path = try ended(kill, "\(call)-\(tally.count)", powerToo: powerToo, seed: UInt64(call))
                if powerToo { try tpm.restart() }
                tally.add(try found(path))
                try check(path, "\(kill)")
                try FileManager.default.removeItem(atPath: path)
            }
        }
        return tally
    }

    /// The home of the change that was ended there.
    private func ended(_ kill: FaultInjector.Kill, _ name: String, powerToo: Bool, seed: UInt64) throws -> String {
        let copy = try scene.copy("ended-\(name)")
        let log = URL(fileURLWithPath: "\(scene.folder)/log-\(name)")
        let faults = try FaultInjector(folder: URL(fileURLWithPath: copy))
        let worker = try Worker(
            copy,
            environment: faults.environment(log: log, kill: kill, sends: true)
                .merging([TPMAddress.variable: tpm.way.description]) { $1 })
        _ = worker.tell(change.command)
        // Sessions and waits for the TPM differ from run to run: the last calls are not always reached.
        #expect([0, 128 + 9].contains(try worker.child.finish()), "\(kill)")
        guard powerToo else { return copy }
        let target = "\(scene.folder)/power-\(name)"
        let survivors = [WriteReplay.Survivors.none, .all, .some(seed: seed)][Int(seed % 3)]
        let records = (try? WriteLog(contentsOf: log)) ?? WriteLog()
        try WriteReplay(records, of: URL(fileURLWithPath: copy), startingFrom: URL(fileURLWithPath: scene.start))
            .rebuild(after: records.records.count, keeping: survivors, in: URL(fileURLWithPath: target))
        try FileManager.default.removeItem(atPath: copy)
        return target
    }

    /// Which of the states it is that a start may find; only looked at.
    private func found(_ path: String) throws -> String {
        let names = TemporaryHome(at: path).names
        var words: [String] = []
        if names.contains("keybag.new") { words.append("a keybag beside its place") }
        if names.contains("device-secret.new") { words.append("a device secret beside its place") }
        if names.contains("chip-counters") { words.append("counters noted") }
        if names.contains(where: { $0.hasPrefix("freshness-") && $0.hasSuffix(".new") }) {
            words.append("a record beside its place")
        }
        let epoch = try Data(contentsOf: URL(fileURLWithPath: "\(path)/epoch"))
        let slots = [4096, 8192].filter { start in epoch[start..<start + 32].contains { $0 != 0 } }
        if slots.count == 2 { words.append("two slots of the epoch") }
        words += try counters(path)
        return words.isEmpty ? "nothing left over" : words.joined(separator: " + ")
    }

    /// How counters stand to what names them.
    private func counters(_ path: String) throws -> [String] {
        TPMSecrets.forget()
        let folder = try HomeFolder(at: path, in: FileHooks())
        let place = KeybagLocation(
            folder: folder, epoch: Epoch(folder: folder, name: Epoch.fileName),
            deviceSecret: DeviceSecretFile(location: .home(folder), files: FileHooks()), allowsInsecureKDF: true,
            environment: { _ in nil })
        let file = try place.read().file
        var words: [String] = []
        if let freshness = try Freshness(place) {
            let (record, value) = try freshness.bothNumbers()
            if let record, record == value + 1 { words.append("a record one ahead of its counter") }
        }
        if let binding = try file.passcodeBinding, let limit = binding.limit {
            let proof = try limit.counter.authorization(try place.deviceSecret.read(file.deviceSecretNumber))
            if try tpm.way.read(limit.counter, proof, of: binding.part.sealed.identity) < limit.most {
                words.append("a passcode's counter one behind its keybag")
            }
        }
        return words
    }

    /// The home opens with the old passcode or the new one. If the change was made, the earlier state doesn't open.
    private func check(_ path: String, _ moment: String) throws {
        TPMSecrets.forget()
        try scene.check(path, moment)
        TPMSecrets.forget()
        let home: Home
        do { home = try TemporaryHome(at: path).open() } catch {
            Issue.record("\(moment): \(error)")
            return
        }
        let file = try home.keybag.view().file
        let isCounted = try home.status().counter != nil
        if change.beginsInFile, try home.status().deviceSecretTPM == nil {
            // What was made before the exchange stays noted, and the next change of keys removes it.
            try home.moveDeviceSecret(to: .file, passcode: try change.before.map { try Secret($0) })
            #expect(
                TemporaryHome(at: path).names.allSatisfy { !$0.hasPrefix("freshness-") && $0 != "chip-counters" },
                "\(moment)")
        }
        let expected = (isCounted ? 1 : 0) + (try file.passcodeBinding?.limit == nil ? 0 : 1)
        #expect(try tpm.indices().count == expected, "\(moment): counters left in the chip")
        // The home of before has another device secret, in a file that no TPM knows of: it stays a home of its own.
        guard !change.beginsInFile else { return }
        TPMSecrets.forget()
        let before = TemporaryHome(at: try scene.copy("before"))
        defer { before.remove() }
        let old = failure { try before.open() }?.code
        let start = try startGeneration()
        guard file.generation > start else {
            #expect(old == nil, "\(moment): the change was not made, and the state before it is refused")
            return
        }
        #expect([.rolledBack, .counterGone].contains(old), "\(moment): the state from before the change opens")
    }

    private func startGeneration() throws -> UInt64 {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(scene.start)/keybag"))
        return bytes[48..<56].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
