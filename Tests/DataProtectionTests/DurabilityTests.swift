// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Ended at any call, or losing power with any of the unsynced writes dropped: the result is the old state or the new
/// one. It is never a mixture, and no key is lost.
@Suite struct DurabilityTests {
    /// A change that another process makes, and what may be there when it was interrupted.
    struct Change: CustomTestStringConvertible, Sendable {
        let command: String
        /// The passcode before; nil: none.
        let before: String?
        /// The passcode after; nil: none.
        let after: String?
        /// Of a change that may end on a TPM: whether the device secret is in a file before.
        var beginsInFile = false
        var testDescription: String { beginsInFile ? "\(command), from a file" : command }
    }

    static let changes = [
        Change(command: "set new", before: nil, after: "new"),
        Change(command: "change old new", before: "old", after: "new"),
        Change(command: "change old new rotating", before: "old", after: "new"),
        Change(command: "remove old", before: "old", after: nil),
    ]

    /// What changes no passcode.
    static let uses = [
        Change(command: "unlock old", before: "old", after: "old"),
        Change(command: "forget-retired", before: "old", after: "old"),
    ]

    @Test(arguments: changes + uses) func `A change that is killed at any call leaves the old passcode or the new one`(
        change: Change
    ) throws {
        let scene = try Scene(change)
        defer { scene.remove() }
        try scene.checkKills(least: change.before == change.after ? 0 : 10)
    }

    // Rule: files of the home are on the disk before they are renamed into place | `fsync` left out | 44 states
    @Test(arguments: changes + uses) func `A loss of power at any call leaves the old passcode or the new one`(
        change: Change
    ) throws {
        let scene = try Scene(change)
        defer { scene.remove() }
        try scene.checkLossesOfPower([.none, .all] + (1...4).map { .some(seed: $0) })
    }

    @Test func `Making a home can be interrupted anywhere`() throws {
        let folder = try TemporaryFolder()
        let made = folder.path("made")
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: made)
        let log = URL(fileURLWithPath: folder.path("log"))
        let worker = try Worker(
            made, environment: try FaultInjector(folder: URL(fileURLWithPath: made)).environment(log: log))
        #expect(try worker.ask("state") == "unlocked")
        try worker.child.finish()
        let records = try WriteLog(contentsOf: log)
        #expect(records.calls > 10)
        let replay = WriteReplay(records, of: URL(fileURLWithPath: made))
        for count in 0...records.records.count {
            for (index, survivors) in [WriteReplay.Survivors.none, .all, .some(seed: 1), .some(seed: 2)].enumerated() {
                let target = folder.path("\(count)-\(index)")
                try replay.rebuild(after: count, keeping: survivors, in: URL(fileURLWithPath: target))
                let keybag = try TemporaryHome(at: target).open().keybag
                let kept = try Kept(keybag, PasscodeTests.everyClass.dropLast())
                try kept.check(try TemporaryHome(at: target).open().keybag)
            }
        }
    }

    @Test func `Erasing can be interrupted anywhere, and is finished by erasing again`() throws {
        let scene = try Scene(Change(command: "erase", before: "old", after: nil))
        defer { scene.remove() }
        let log = try scene.record()
        let replay = WriteReplay(
            log, of: URL(fileURLWithPath: scene.done), startingFrom: URL(fileURLWithPath: scene.start))
        var seen: Set<String> = []
        for count in 0...log.records.count {
            for (index, survivors) in [WriteReplay.Survivors.none, .all, .some(seed: 1)].enumerated() {
                let target = "\(scene.folder)/erased-\(count)-\(index)"
                try replay.rebuild(after: count, keeping: survivors, in: URL(fileURLWithPath: target))
                let home = TemporaryHome(at: target)
                seen.insert(scene.stateAfterErase(home))
                try Home.erase(home.configuration)
                #expect(scene.stateAfterErase(home) == "made anew")
            }
        }
        #expect(seen == ["as before", "being erased", "was erased", "made anew"])
        #expect(scene.stateAfterErase(TemporaryHome(at: scene.done)) == "made anew")
    }
}

/// A home before a change, in many copies.
final class Scene {
    private let temporary: TemporaryFolder
    private let change: DurabilityTests.Change
    private let key: Secret
    private let wrapped: [WrappedKey]
    private let environment: [String: String]
    var folder: String { temporary.path }
    var start: String { temporary.path("start") }
    var done: String { temporary.path("done") }

    init(
        _ change: DurabilityTests.Change, environment: [String: String] = [:],
        _ prepare: (Home) throws -> Void = { _ in }
    ) throws {
        temporary = try TemporaryFolder()
        self.change = change
        self.environment = environment
        let home = try TemporaryHome(at: temporary.path("start")).open { configuration in
            if !environment.isEmpty { configuration.environment = { environment[$0] } }
        }
        try prepare(home)
        let keybag = home.keybag
        if let before = change.before, try !keybag.hasPasscode { try keybag.setPasscode(secret(before)) }
        let key = try SecretBytes.random(count: 32)
        wrapped = try PasscodeTests.everyClass.dropLast().map { try keybag.wrap(key, for: KeyClass($0)) }
        self.key = Secret(key)
    }

    func remove() { try? FileManager.default.removeItem(at: temporary.url) }

    func copy(_ name: String) throws -> String {
        let path = temporary.path(name)
        try FileManager.default.copyItem(atPath: start, toPath: path)
        return path
    }

    /// The calls of the change, made in `done` without any fault.
    func record(sends: Bool = false) throws -> WriteLog {
        let home = try copy("done")
        let log = URL(fileURLWithPath: temporary.path("log"))
        let worker = try Worker(
            home,
            environment: try FaultInjector(folder: URL(fileURLWithPath: home)).environment(log: log, sends: sends)
                .merging(environment) { $1 })
        #expect(try worker.ask(change.command) == "done")
        try worker.child.finish()
        return try WriteLog(contentsOf: log)
    }

    /// The passcode is the old one or the new one; if the change had been done, it is the new one. Every key opens, and
    /// nothing is left over.
    func check(_ path: String, _ moment: String, isDone: Bool = false) throws {
        let home = TemporaryHome(at: path)
        let keybag: Keybag
        do { keybag = try home.open().keybag } catch {
            Issue.record("\(moment): \(error)")
            return
        }
        let passcodes = isDone ? [change.after] : [change.before, change.after]
        let opened = passcodes.contains { passcode in
            guard let passcode else { return (try? keybag.hasPasscode) == false }
            return failure { try keybag.unlock(passcode: secret(passcode)) } == nil
        }
        #expect(opened, "\(moment): no passcode opens it")
        for wrapped in wrapped {
            let isSame = try key.withSecretBytes { key in (try? keybag.unwrap(wrapped).isEqual(to: key)) ?? false }
            #expect(isSame, "\(moment): \(wrapped.keyClass) is lost")
        }
        let epoch = keybag.place.epoch
        #expect(try epoch.isEmpty(.first) != epoch.isEmpty(.second), "\(moment): two slots")
        // A home without a TPM does not look for a record of freshness or a note of counters. The next change of keys
        // removes them.
        let note = "chip-counters.new"
        let left = home.names.filter {
            $0.hasSuffix(".new") && !(change.beginsInFile && ($0 == note || $0.hasPrefix("freshness-")))
        }
        #expect(left.isEmpty, "\(moment): \(left)")
        guard home.names.contains(note) else { return }
        do {
            let present = passcodes.compactMap(\.self).first
            if let present {
                try keybag.changePasscode(from: secret(present), to: secret("another-one"))
                try keybag.changePasscode(from: secret("another-one"), to: secret(present))
            } else {
                try keybag.setPasscode(secret("another-one"))
                try keybag.removePasscode(secret("another-one"))
            }
        } catch {
            Issue.record("\(moment): the next change: \(error)")
        }
        #expect(!home.names.contains(note), "\(moment)")
    }

    /// The change, killed before each of its calls, of which there are more than `least`.
    func checkKills(least: Int) throws {
        let log = try record()
        #expect(log.calls > least)
        for call in 1...log.calls {
            let copy = try copy("killed-\(call)")
            let faults = try FaultInjector(folder: URL(fileURLWithPath: copy))
            let worker = try Worker(
                copy, environment: faults.environment(kill: .before(call)).merging(environment) { $1 })
            _ = worker.tell(change.command)
            #expect(try worker.child.finish() == 128 + 9)
            try check(copy, "killed before call \(call)")
        }
        try check(done, "done", isDone: true)
    }

    /// The change, with the power lost after each of its calls and what had not been synced gone, whole or in part.
    func checkLossesOfPower(_ survivors: [WriteReplay.Survivors]) throws {
        let log = try record()
        let replay = WriteReplay(log, of: URL(fileURLWithPath: done), startingFrom: URL(fileURLWithPath: start))
        for count in 0...log.records.count {
            for (index, survivors) in survivors.enumerated() {
                let target = "\(folder)/power-\(count)-\(index)"
                try replay.rebuild(after: count, keeping: survivors, in: URL(fileURLWithPath: target))
                try check(target, "power lost after \(count), \(survivors)", isDone: count == log.records.count)
                try? FileManager.default.removeItem(atPath: target)
            }
        }
    }

    func stateAfterErase(_ home: TemporaryHome) -> String {
        do {
            let keybag = try home.open().keybag
            guard let before = change.before, try keybag.hasPasscode else {
                return failure { try keybag.unwrap(wrapped[0]) }?.code == .keyDestroyed ? "made anew" : "?"
            }
            try keybag.unlock(passcode: secret(before))
            let isSame = try key.withSecretBytes { try keybag.unwrap(wrapped[0]).isEqual(to: $0) }
            return isSame ? "as before" : "?"
        } catch let error as DataProtectionError {
            guard error.code == .erased else { return "\(error)" }
            return error.message.contains("being erased") ? "being erased" : "was erased"
        } catch {
            return "\(error)"
        }
    }
}
