// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Locking across processes; class codes as in Keybag.md.
@Suite struct LockTests {
    private static let names = KernelKeyringHolder.refusal() == nil ? ["process", "kernel"] : ["process"]
    private static let classes = "1 129 3 131 4 132 133"
    private static let all = "ok ok ok ok ok ok ok"

    @Test func `Removing the lock's file lets no process into a change that is under way`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        let other = try temporary.open().keybag
        let came = Locked(false)
        let waiting = try keybag.place.locked {
            try temporary.delete("keybag.lock")
            #expect(try other.place.tryLocked { true } == nil)
            let thread = Thread { _ = try? other.place.locked { came.withLock { $0 = true } } }
            thread.start()
            try waitUntilAwaited(keybag.place.folder.path + "/" + Epoch.fileName)
            #expect(came.withLock { !$0 })
            return thread
        }
        while !waiting.isFinished { Thread.sleep(forTimeInterval: 0.01) }
        #expect(came.withLock { $0 })
    }

    /// Returns once a thread or process waits for the lock on this file, as the kernel says: its line of /proc/locks
    /// has an arrow.
    private func waitUntilAwaited(_ path: String) throws {
        let number = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let lines = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            if lines.contains(where: { $0.contains("-> FLOCK") && $0.contains(":\(number) ") }) { return }
            Thread.sleep(forTimeInterval: 0.001)
        }
        Issue.record("nobody came to wait for \(path)")
    }

    @Test(arguments: names) func `A lock by one process binds another one from its next call on`(holder: String) throws
    {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let holding = try Worker(temporary.path)
        let locking = try Worker(temporary.path)
        #expect(try holding.ask("open \(holder)") == "done")
        #expect(try holding.ask("set 1234") == "done")
        #expect(try holding.ask("keep \(Self.classes)") == "done")
        #expect(try locking.ask("open \(holder)") == "done")
        #expect(try locking.ask("state") == (holder == "kernel" ? "unlocked" : "beforeFirstUnlock"))
        #expect(try holding.ask("check \(Self.classes)") == Self.all)
        #expect(try locking.ask("lock") == "done")
        #expect(try holding.ask("check \(Self.classes)") == "locked locked ok ok ok ok locked")
        #expect(try holding.ask("state") == "locked")
        #expect(try locking.ask("leave") == "done")
        #expect(try holding.ask("check \(Self.classes)") == "locked locked locked locked ok ok locked")
        #expect(try holding.ask("state") == "beforeFirstUnlock")
        #expect(try holding.ask("unlock 1234") == "done")
        #expect(try holding.ask("check \(Self.classes)") == Self.all)
    }

    @Test(.enabled(if: names.count > 1, "there is no kernel keyring here"))
    func `Two unrelated login sessions share the kernel holder`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let one = try Worker(temporary.path)
        let other = try Worker(temporary.path)
        for worker in [one, other] {
            #expect(try worker.ask("session") == "done")
            #expect(try worker.ask("open kernel") == "done")
        }
        #expect(try one.ask("set 1234") == "done")
        #expect(try one.ask("lock") == "done")
        #expect(try other.ask("state") == "locked")
        #expect(try one.ask("unlock 1234") == "done")
        #expect(try other.ask("state") == "unlocked")
        #expect(try other.ask("keep \(Self.classes)") == "done")
        #expect(try one.child.finish() == 0)
        #expect(try other.ask("check \(Self.classes)") == Self.all)
        let third = try Worker(temporary.path)
        #expect(try third.ask("session") == "done")
        #expect(try third.ask("open kernel") == "done")
        #expect(try third.ask("lock") == "done")
        #expect(try other.ask("check \(Self.classes)") == "locked locked ok ok ok ok locked")
    }

    @Test(arguments: names) func `A child after fork reads nothing`(holder: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let worker = try Worker(temporary.path)
        #expect(try worker.ask("open \(holder)") == "done")
        #expect(try worker.ask("set 1234") == "done")
        #expect(try worker.ask("keep \(Self.classes)") == "done")
        #expect(try worker.ask("fork \(Self.classes)") == "forked forked forked forked forked forked forked")
        #expect(try worker.ask("check \(Self.classes)") == Self.all)
    }

    @Test(arguments: names) func `An unlock for a time ends by itself, for every process`(holder: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = AttemptTests.HandClock()
        let open = {
            try temporary.open {
                $0.clock = hand.clock
                $0.holder = holder == "kernel" ? .kernelKeyring : .process
            }
        }
        let keybag = try open().keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.unlock(passcode: secret("1234"), for: .seconds(60))
        let home = try open()
        hand.advance(59)
        #expect(keybag.lockState == .unlocked)
        #expect(home.keybag.lockState == .unlocked)
        #expect(try home.status().unlockedFor == .seconds(1))
        hand.advance(1)
        #expect(keybag.lockState == .locked)
        #expect(home.keybag.lockState == .locked)
        for duration in [Duration.zero, .seconds(-1)] {
            #expect(failure { try keybag.unlock(passcode: secret("1234"), for: duration) }?.code == .invalidArgument)
        }
    }

    @Test(arguments: names) func `After a start of the machine nothing is unlocked`(holder: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = AttemptTests.HandClock()
        let keybag = try temporary.open {
            $0.clock = hand.clock
            $0.holder = holder == "kernel" ? .kernelKeyring : .process
        }.keybag
        try keybag.setPasscode(secret("1234"))
        hand.restart()
        #expect(keybag.lockState == .beforeFirstUnlock)
    }

    @Test(arguments: names) func `A lock that comes while an unlock derives its key wins`(holder: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let choice: HolderChoice = holder == "kernel" ? .kernelKeyring : .process
        let other = try temporary.open { $0.holder = choice }.keybag
        try other.setPasscode(secret("1234"))
        try other.lockCompletely()
        let keybag = try temporary.open {
            $0.holder = choice
            $0.onceBetweenPasscodeAndKeys { try? other.lockCompletely() }
        }.keybag
        try keybag.unlock(passcode: secret("1234"))
        #expect(keybag.lockState == .beforeFirstUnlock)
        #expect(other.lockState == .beforeFirstUnlock)
        try keybag.unlock(passcode: secret("1234"))
        #expect(other.lockState == .unlocked)
    }

    // Rule: a lock revokes the keys in the kernel | no revocation | other processes stay locked out all the same, since
    //   the generation page binds them
    @Test(.enabled(if: names.count > 1, "there is no kernel keyring here"))
    func `Locking revokes the kernel's keys, of every generation`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let file = try keybag.view().file
        let name = { KernelKeyringHolder.name(file.homeIdentifier, generation: $0, role: .complete) }
        let stray = try KernelKeyring.add(name(99), try SecretBytes.random(count: 100), expiringIn: 60)
        let serial = try #require(try KernelKeyring.find(name(file.generation)))
        try keybag.lock()
        let gone = try KernelKeyring.read(serial, expected: 64) == nil
        let strayGone = try KernelKeyring.read(stray, expected: 100) == nil
        #expect(gone && strayGone)
        #expect(try KernelKeyring.find(name(file.generation)) == nil)
        try keybag.lockCompletely()
        #expect(try KernelKeyring.keys().allSatisfy { !$0.name.contains(file.homeIdentifier.hexadecimal) })
    }

    @Test(.enabled(if: names.count > 1, "there is no kernel keyring here"))
    func `A group of another home, generation, count or start is ignored`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let view = try keybag.view()
        let good = try #require(try keybag.group(.complete, view))
        let changes: [(inout KeyGroup.Validity) -> Void] = [
            { $0.home = .random() }, { $0.generation += 1 }, { $0.count += 1 }, { $0.boot = .random() },
            { $0.deadline = 1 },
            { $0.role = .firstUnlock },
        ]
        for change in changes {
            var validity = good.validity
            change(&validity)
            let bad = try good.renewed(validity) { _, _ in true }
            // Under the name of the good one, as another process with the same user id could put it there.
            let name = KernelKeyringHolder.name(
                view.file.homeIdentifier, generation: view.file.generation, role: .complete)
            _ = try KernelKeyring.add(name, bad.payload, expiringIn: 60)
            let fresh = try temporary.open { $0.holder = .kernelKeyring }.keybag
            #expect(fresh.lockState == .locked, "\(validity)")
        }
        for garbage in [1, 63, 64, 65, 200] {
            let name = KernelKeyringHolder.name(
                view.file.homeIdentifier, generation: view.file.generation, role: .complete)
            _ = try KernelKeyring.add(name, try SecretBytes.random(count: garbage), expiringIn: 60)
            #expect(try temporary.open { $0.holder = .kernelKeyring }.keybag.lockState == .locked)
        }
    }
}
