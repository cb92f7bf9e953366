// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DataProtection

/// Killed at a random moment on the way through locks, hand-overs and changes of the passcode. `ZAMOK_KILLS` says how
/// often.
@Suite(.serialized) struct RandomKillTests {
    /// Each line is a command of the worker.
    private static let changes = [
        DurabilityTests.Change(command: "set new\nlock\nunlock new\nhand-over", before: nil, after: "new"),
        DurabilityTests.Change(
            command: "unlock old\nforget-retired\nhand-over\nchange old new rotating\nlock\nunlock new", before: "old",
            after: "new"),
        DurabilityTests.Change(command: "change old new\nleave\nunlock new\nlock", before: "old", after: "new"),
        DurabilityTests.Change(command: "unlock old\nlock\nunlock old\nremove old", before: "old", after: nil),
    ]

    @Test func `A kill at any moment leaves one of the two passcodes, and every key`() throws {
        var kills = RandomKills("passcode, lock and hand-over", bounded: 16, long: 400)
        let scenes = try Self.changes.map { try Scene($0) }
        defer { for scene in scenes { scene.remove() } }
        let times = try zip(scenes, Self.changes).map { scene, change in
            let worker = try Worker(try scene.copy("trial"))
            #expect(["unlocked", "beforeFirstUnlock"].contains(try worker.ask("state")))
            let begin = ContinuousClock.now
            for command in change.command.split(separator: "\n") {
                #expect(try !worker.ask(String(command)).hasPrefix("error"), "\(command)")
            }
            return ContinuousClock.now - begin
        }
        for number in 0..<kills.count {
            let scene = scenes[number % scenes.count]
            let copy = try scene.copy("\(number)")
            let worker = try Worker(copy)
            _ = try worker.ask("state")
            let commands = Self.changes[number % scenes.count].command.split(separator: "\n").map(String.init)
            let said = try kills.strike(worker.child, commands, within: times[number % scenes.count] * 1.1)
            #expect(said.allSatisfy { !$0.hasPrefix("error") }, "\(said)")
            try scene.check(copy, "kill \(number)", isDone: said.count == commands.count)
            try FileManager.default.removeItem(atPath: copy)
        }
        kills.report()
        #expect(kills.hitSomething)
    }

    @Test(.enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
    func `A kill inside an unlock leaves all groups in the kernel's keyring or none that a lock does not find`() throws
    {
        var kills = RandomKills("unlock in the kernel's keyring", bounded: 12, long: 200)
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open { $0.holder = .kernelKeyring }
        let keybag = home.keybag
        try keybag.setPasscode(secret("1234"))
        let kept = try Kept(keybag, PasscodeTests.everyClass.dropLast())
        for number in 0..<kills.count {
            try keybag.lockCompletely()
            let worker = try Worker(temporary.path)
            #expect(try worker.ask("open kernel") == "done")
            let said = try kills.strike(
                worker.child, ["unlock 1234", "lock", "unlock 1234", "leave"], within: .milliseconds(60))
            #expect(said.allSatisfy { $0 == "done" }, "\(said)")
            try Home.lock(temporary.configuration, completely: true)
            let left = try KernelKeyring.keys().filter {
                try $0.name.contains(keybag.home.hexadecimal) && !$0.name.hasSuffix("place")
                    && KernelKeyring.read($0.serial, expected: 512) != nil
            }
            #expect(left.map(\.name) == [], "kill \(number)")
            try keybag.unlock(passcode: secret("1234"))
            try kept.check(keybag)
        }
        kills.report()
        #expect(kills.hitSomething)
    }
}
