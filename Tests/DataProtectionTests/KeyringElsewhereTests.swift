// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DataProtection

/// Locks by processes that can't search the keyring with the keys: no answer says that nothing is left there.
@Suite(.serialized, .enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
struct KeyringElsewhereTests {
    private static let isRoot = geteuid() == 0
    private static let canMakeNamespaces: Bool = {
        let home = TemporaryHome()
        let worker = try? Worker(home.path, through: ["/usr/bin/unshare", "-U", "-r", "-p", "-f", "--mount-proc"])
        return worker?.tell("clearing-off") == "done"
    }()

    /// A home that was unlocked in this process's keyring.
    private func unlocked(
        _ home: TemporaryHome
    ) throws -> (keybag: Keybag, groups: () throws -> [Int32]) {
        let keybag = try home.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.unlock(passcode: secret("1234"))
        let file = try keybag.view().file
        let groups = {
            try [KeyGroup.Role.complete, .firstUnlock].compactMap {
                try KernelKeyring.find(
                    KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: $0))
            }
        }
        #expect(try groups().count == 2)
        return (keybag, groups)
    }

    enum Stranger: String, CaseIterable {
        case inOtherUserNamespace, refusedTheKeyring

        static var possible: [Stranger] { KeyringElsewhereTests.canMakeNamespaces ? allCases : [.refusedTheKeyring] }

        func worker(_ home: TemporaryHome) throws -> Worker {
            guard self == .refusedTheKeyring else {
                return try Worker(home.path, through: ["/usr/bin/unshare", "-U", "-r"])
            }
            let worker = try Worker(home.path)
            #expect(try worker.ask("refuse-keyring") == "done")
            return worker
        }
    }

    @Test(arguments: Stranger.possible, ["lock", "leave", "lock-home", "leave-home", "erase"])
    func `A process that can't search the keyring of the keys does not say that they are gone`(
        stranger: Stranger, command: String
    ) throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let (keybag, groups) = try unlocked(home)
        let worker = try stranger.worker(home)
        #expect(try worker.ask(command) == "error notLocked")
        guard command != "erase" else {
            // A process that unlocks another home meanwhile clears up after homes that are no longer in their place.
            // The keyring names the folder.
            _ = failure(DataProtectionError.self) { try Home.lock(home.configuration, .root, completely: true) }
            #expect(try groups().isEmpty)
            return
        }
        #expect(try groups().count == 2)
        // Every process heard of it all the same, and the answer stays until a process that can search has looked.
        #expect(try worker.ask("lock") == "error notLocked")
        #expect(keybag.lockState != .unlocked)
        #expect(failure(DataProtectionError.self) { try keybag.lockCompletely() } == nil)
        #expect(try groups().isEmpty)
        #expect(try worker.ask(command) == "done")
    }

    @Test(arguments: Stranger.possible)
    func `What the keyring lost, or never had, prevents no lock`(stranger: Stranger) throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let (keybag, groups) = try unlocked(home)
        let worker = try stranger.worker(home)
        // A group without a time, then none; one past its time.
        #expect(try worker.ask("leave") == "error notLocked")
        try keybag.lockCompletely()
        try keybag.unlock(passcode: secret("1234"), for: .milliseconds(1))
        #expect(try worker.ask("lock") == "done")
        #expect(try worker.ask("leave") == "error notLocked")
        // Gone by itself, as with the last process of its user.
        for key in try groups() { try KernelKeyring.revoke(key) }
        try keybag.lockCompletely()
        #expect(try worker.ask("leave") == "done")
        // A process that meets a void group there and destroys it says so.
        try keybag.unlock(passcode: secret("1234"))
        #expect(try worker.ask("leave") == "error notLocked")
        #expect(keybag.lockState == .beforeFirstUnlock)
        #expect(try groups().isEmpty)
        #expect(try worker.ask("leave") == "done")
        // A passcode that is removed leaves nothing.
        try keybag.unlock(passcode: secret("1234"))
        try keybag.removePasscode(secret("1234"))
        #expect(try worker.ask("leave") == "error noPasscode")
    }

    @Test func `Where nothing was ever put into a keyring, a lock without one locks`() throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let worker = try Stranger.refusedTheKeyring.worker(home)
        for command in ["open automatic", "set 1234", "unlock 1234"] { #expect(try worker.ask(command) == "done") }
        #expect(try worker.ask("state") == "unlocked")
        #expect(try worker.ask("lock") == "done")
        #expect(try worker.ask("state") == "locked")
        #expect(try worker.ask("leave-home") == "done")
        #expect(try worker.ask("erase") == "done")
    }

    @Test func `A page that can't be read is no word for an empty keyring`() throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let (_, groups) = try unlocked(home)
        try home.put([], "generation")
        let worker = try Stranger.refusedTheKeyring.worker(home)
        #expect(try worker.ask("lock-home") == "error notLocked")
        #expect(try groups().count == 2)
    }

    @Test func `The page names eight keyrings, and more than eight as one that no process can empty`() throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let keybag = try home.open().keybag
        let (page, now) = (keybag.process.page, BootClock.system.now())
        let validity = KeyGroup.Validity(
            role: .complete, home: keybag.home, generation: 1, count: 0, deadline: nil, boot: now.start, slots: nil)
        for space in UInt64(1)...8 { page.notePublished(validity, in: space, now: now) }
        page.notePublished(validity, in: 3, now: now)
        #expect(page.published(.complete, now: now) == Set(1...8))
        #expect(page.published(.firstUnlock, now: now).isEmpty)
        page.forgetPublished(.complete, in: 3)
        page.notePublished(validity, in: 9, now: now)
        #expect(page.published(.complete, now: now) == [1, 2, 4, 5, 6, 7, 8, 9])
        page.notePublished(validity, in: 10, now: now)
        for space in UInt64(1)...10 { page.forgetPublished(.complete, in: space) }
        #expect(page.published(.complete, now: now) == [PublishedNote.manySpaces])
        #expect(page.published(.complete, now: BootInstant(start: .random(), nanoseconds: 0)).isEmpty)
    }

    @Test(
        .enabled(if: isRoot, "only root acts in the homes of others"), arguments: ["lock-home", "leave-home", "erase"])
    func `Root in another user's home leaves its files to the owner, and says what it can't reach`(
        command: String
    ) throws {
        let user = 3_000_000 + UInt32.random(in: 0..<1_000_000)
        let home = TemporaryHome()
        defer { home.remove() }
        try FileManager.default.createDirectory(
            atPath: home.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try home.setOwner(Int(user), "")
        let owner = try Worker(home.path)
        for command in ["as-user \(user)", "open kernel", "set 1234", "unlock 1234"] {
            #expect(try owner.ask(command) == "done")
        }
        let root = try Worker(home.path)
        #expect(try root.ask(command) == (command == "erase" ? "error unsafeHome" : "error notLocked"))
        for name in home.names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(home.path)/\(name)")
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == user, "\(name)")
        }
        // The owner heard of it, and goes on.
        #expect(try owner.ask("state") != "unlocked")
        #expect(try owner.ask("unlock 1234") == "done")
        #expect(try owner.ask("state") == "unlocked")
        // A page that root can't use is left to the owner, too.
        try home.put([], "generation")
        #expect(try root.ask("lock-home") == "error notLocked")
        #expect(try home.bytes("generation").isEmpty)
        #expect(try owner.ask("leave") == "done")
    }

    enum Change: String, CaseIterable {
        case passcode, passcodeAndKeys, eraseLimit, time

        func make(_ keybag: Keybag) throws {
            switch self {
            case .passcode: try keybag.changePasscode(from: secret("1234"), to: secret("1234"))
            case .passcodeAndKeys:
                try keybag.changePasscode(from: secret("1234"), to: secret("1234"), rotatingKeys: true)
            case .eraseLimit: try keybag.setErase(afterFailedAttempts: 10, passcode: secret("1234"))
            case .time: _ = try keybag.stayUnlocked(for: .seconds(3600))
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `What is unlocked for one process stays unlocked for it alone, after each change`(change: Change) throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let keybag = try home.open { $0.holder = .automatic }.keybag
        try keybag.setPasscode(secret("1234"))
        #expect(try keybag.isUnlockedForAll)
        try keybag.lockCompletely()
        // As programs of `zamok run` are.
        try home.open { $0.holder = .process }.keybag.unlock(passcode: secret("1234"))
        #expect(try keybag.lockState == .unlocked && !keybag.isUnlockedForAll)
        try change.make(keybag)
        #expect(try keybag.lockState == .unlocked && !keybag.isUnlockedForAll)
        let other = try Worker(home.path)
        #expect(try other.ask("open automatic") == "done")
        #expect(try other.ask("state") == "beforeFirstUnlock")
        // And what is unlocked for all processes stays so.
        try keybag.unlock(passcode: secret("1234"))
        try change.make(keybag)
        #expect(try keybag.isUnlockedForAll)
        #expect(try other.ask("state") == "unlocked")
    }

    @Test func `Where the keyring takes nothing, a passcode that is set leaves the home unlocked for no other process`()
        throws
    {
        let home = TemporaryHome()
        defer { home.remove() }
        let worker = try Stranger.refusedTheKeyring.worker(home)
        for command in ["open automatic", "set 1234"] { #expect(try worker.ask(command) == "done") }
        #expect(try worker.ask("state") == "unlocked")
        #expect(try worker.ask("state-for-all") == "false")
    }

    @Test(.enabled(if: canMakeNamespaces, "no user namespaces here"))
    func `As the first process of a container the launcher reaps orphaned processes`() throws {
        let home = TemporaryHome()
        defer { home.remove() }
        let worker = try Worker(
            home.path, through: ["/usr/bin/unshare", "-U", "-r", "-p", "-f", "--mount-proc"])
        #expect(try worker.ask("run-orphans") == "0")
    }
}
