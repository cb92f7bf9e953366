// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// What happens to the page by which a lock reaches other processes.
@Suite struct MessengerTests {
    enum Accident: String, CaseIterable { case exchanged, copied, cut, removed, overwritten }

    private func strike(_ accident: Accident, _ home: TemporaryHome) throws {
        switch accident {
        case .exchanged:
            try home.delete("generation")
            try home.make("generation")
            try home.put(GenerationPage.fresh(nil), "generation")
        case .copied:
            // The same bytes in another file: no counter in it says that anything happened.
            let bytes = try home.bytes("generation")
            try home.delete("generation")
            try home.make("generation")
            try home.put(bytes, "generation")
        case .cut: try home.put([], "generation")
        case .removed: try home.delete("generation")
        case .overwritten: try home.put([UInt8](repeating: 0xFF, count: 4096), "generation")
        }
    }

    // Rule: an exchanged or cut page of the lock counter counts as a lock | it counts for nothing
    // Rule: a page that was cut, or that another file took the place of, is no page | its name is enough | 2 cases
    @Test(arguments: Accident.allCases)
    func `Damage to the page counts as a lock within a second, and ends no process`(accident: Accident) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let idle = try Worker(temporary.path)
        let busy = try Worker(temporary.path)
        #expect(try idle.ask("set 1234") == "done")
        #expect(try busy.ask("unlock 1234") == "done")
        try busy.child.send("work-until-refused\n".utf8)
        #expect(try busy.child.line() == "working")
        #expect(try idle.ask("state") == "unlocked")
        try strike(accident, temporary)
        let moment = ContinuousClock.now
        #expect(try busy.child.line(seconds: 30) == "locked")
        #expect(ContinuousClock.now < moment + .seconds(5))
        var state = ""
        repeat { state = try idle.ask("state") } while state == "unlocked" && ContinuousClock.now < moment + .seconds(5)
        #expect(state == "beforeFirstUnlock" || state == "locked")
        // And everything goes on, through one page.
        #expect(try idle.ask("unlock 1234") == "done")
        #expect(try idle.ask("state") == "unlocked")
        #expect(try busy.ask("unlock 1234") == "done")
        #expect(try busy.ask("lock") == "done")
        #expect(try idle.ask("state") == "locked")
    }

    @Test func `Counters that a process compares go on rising through another page`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        for _ in 0..<100 { keybag.countChange(.keychain) }
        let before = keybag.changeCount(.keychain)
        try temporary.delete("generation")
        #expect(!keybag.process.page.isStill())
        _ = try keybag.view()
        #expect(keybag.changeCount(.keychain) > before)
    }

    // Rule: a process that replaces the page without the lock does it beside others | one try | 2 cases
    /// Another process that writes the page at the same moment removes the new file, or renames it into place.
    @Test(arguments: [true, false])
    func `Replacing a page that can't be used needs no lock, beside another writer`(isPlaced: Bool) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let path = temporary.path
        let meetings = Locked(0)
        var configuration = temporary.configuration
        configuration.fileSystem = FileHooks { step in
            guard step.operation == .rename, step.name == "generation" else { return 0 }
            meetings.withLock { count in
                count += 1
                guard count % 3 != 0 else { return }
                _ =
                    isPlaced
                    ? unsafe rename("\(path)/generation.new", "\(path)/generation")
                    : unsafe unlink("\(path)/generation.new")
            }
            return 0
        }
        // Makes the first page.
        let keybag = try Home(configuration).keybag
        try keybag.setPasscode(secret("1234"))
        let worker = try Worker(path)
        #expect(try worker.ask("unlock 1234") == "done")
        for _ in 0..<3 {
            try strike(.overwritten, temporary)
            try Home.lock(configuration)
            #expect(try worker.ask("state") != "unlocked")
            #expect(try worker.ask("unlock 1234") == "done")
            // The same for a process that opens, and finds it so.
            try strike(.overwritten, temporary)
            _ = keybag.process.page.isStill()
            #expect(try keybag.view().file.hasPasscode)
            #expect(try worker.ask("unlock 1234") == "done")
        }
        #expect(meetings.withLock { $0 } >= 9)
    }

    @Test func `A lock reaches others by the runtime folder, and nothing else there does`() throws {
        let folder = try TemporaryFolder()
        let locks = RuntimeLocks(
            location: HomeLocation(
                environment: { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }, files: FileHooks()))
        #expect(locks.read() == nil)
        let first = try #require(locks.prepare())
        #expect(locks.prepare() == first)
        for role in [KeyGroup.Role.complete, .firstUnlock] {
            #expect(!RuntimeLocks.isLock(role, from: nil, to: first))
            #expect(!RuntimeLocks.isLock(role, from: first, to: nil))
            #expect(!RuntimeLocks.isLock(role, from: first, to: first))
        }
        try locks.void([.complete])
        let second = try #require(locks.read())
        #expect(RuntimeLocks.isLock(.complete, from: first, to: second))
        #expect(!RuntimeLocks.isLock(.firstUnlock, from: first, to: second))
        try locks.void([.complete, .firstUnlock])
        let third = try #require(locks.read())
        #expect(RuntimeLocks.isLock(.firstUnlock, from: second, to: third))
        // Made by a lock: a process that saw no file before missed a lock.
        try FileManager.default.removeItem(atPath: folder.path("zamok-locks"))
        try locks.void([.complete])
        let fourth = try #require(locks.read())
        #expect(RuntimeLocks.isLock(.complete, from: nil, to: fourth))
    }
}

/// Groups in the kernel's keyring: all or none, not a second longer than promised, and of homes that are there.
@Suite(.serialized, .enabled(if: KernelKeyringHolder.refusal() == nil, "there is no kernel keyring here"))
struct KernelGroupTests {
    private static let second: UInt64 = 1_000_000_000

    // Rule: the kernel's time-out is the deadline, rounded up | a minute more | 8 cases; also "Past the deadline the
    //   kernel gives the keys to no process ..."
    @Test(arguments: [
        (remaining: UInt64(0), wall: UInt64(5_000_000_000), seconds: UInt32(1)),
        (1, 5_000_000_000, 1), (second, 5_000_000_000, 1), (second + 1, 5_000_000_000, 2),
        (2 * second, 5_999_999_999, 3), (2 * second, 5_000_000_001, 3), (900_000_000, 5_050_000_000, 1),
        (900_000_000, 5_200_000_000, 2), (UInt64.max, 5_999_999_999, .max),
    ])
    func `The kernel's time-out is the deadline, rounded up to its next second`(
        remaining: UInt64, wall: UInt64, seconds: UInt32
    ) {
        #expect(KernelKeyringHolder.timeout(remaining: remaining, wall: wall) == seconds)
    }

    private func keys(_ home: UniqueIdentifier) throws -> [String] {
        try KernelKeyring.keys().map(\.name).filter { $0.contains(home.hexadecimal) }.compactMap {
            $0.split(separator: ":").last.map(String.init)
        }.sorted()
    }

    @Test func `Past the deadline the kernel gives the keys to no process, though no process of ours looks`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let file = try keybag.view().file
        let before = ContinuousClock.now
        try keybag.unlock(passcode: secret("1234"), for: .seconds(1))
        let begin = ContinuousClock.now
        let name = KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: .complete)
        let key = try #require(try KernelKeyring.find(name))
        while try KernelKeyring.read(key, expected: 512) != nil, ContinuousClock.now < begin + .seconds(10) {}
        let end = ContinuousClock.now
        // Never early: the time counts from somewhere inside the unlock.
        #expect(end - before >= .seconds(1) && end - begin < .seconds(8), "\(end - begin)")
    }

    // Rule: the first process that meets a void group destroys it | forgotten, not revoked | also "A group that is
    //   published after a lock came is destroyed at once", "A lock while a change of the passcode is stopped ..." (5)
    @Test func `A void group is destroyed by the first process that meets it`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let hand = AttemptTests.HandClock()
        let keybag = try temporary.open {
            $0.clock = hand.clock
            $0.holder = .kernelKeyring
        }.keybag
        try keybag.setPasscode(secret("1234"))
        try keybag.unlock(passcode: secret("1234"), for: .seconds(60))
        let file = try keybag.view().file
        let name = KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: .complete)
        let key = try #require(try KernelKeyring.find(name))
        hand.advance(61)
        #expect(keybag.lockState == .locked)
        let isGone = try KernelKeyring.read(key, expected: 512) == nil
        #expect(isGone)
        // Nor does a garbage key stay under our name.
        let garbage = try KernelKeyring.add(name, try SecretBytes.random(count: 70), expiringIn: 60)
        #expect(try temporary.open { $0.holder = .kernelKeyring }.keybag.lockState != .unlocked)
        let isDestroyed = try KernelKeyring.read(garbage, expected: 512) == nil
        #expect(isDestroyed)
    }

    @Test func `A group that is published after a lock came is destroyed at once`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let other = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try other.setPasscode(secret("1234"))
        let keybag = try temporary.open {
            $0.holder = .kernelKeyring
            $0.onceBetweenPasscodeAndKeys { try? other.lockCompletely() }
        }.keybag
        try keybag.unlock(passcode: secret("1234"))
        let readable = try KernelKeyring.keys().filter { $0.name.contains(keybag.home.hexadecimal) }.filter {
            try !$0.name.hasSuffix("place") && KernelKeyring.read($0.serial, expected: 512) != nil
        }
        #expect(readable.map(\.name) == [])
    }

    /// The bytes of a role's key in the kernel, whether they are keys or not.
    private func payload(_ keybag: Keybag, _ role: KeyGroup.Role) throws -> [UInt8]? {
        let file = try keybag.view().file
        let name = KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: role)
        guard let key = try KernelKeyring.find(name), let bytes = try KernelKeyring.read(key, expected: 512) else {
            return nil
        }
        return try bytes.exposingBytes(0..<bytes.count)
    }

    @Test func `A lock finds the keyring before the keys are in it, and a process killed there leaves it empty`() throws
    {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let file = try keybag.view().file
        let groups = try [KeyGroup.Role.firstUnlock, .complete].map {
            try #require(try KernelKeyringHolder().group($0, file.homeIdentifier, generation: file.generation))
        }
        try keybag.lockCompletely()
        let holder = KernelKeyringHolder()
        // Nothing is there but empty keyrings while it is asked whether a lock came; one came: nothing is left.
        let names = [KeyGroup.Role.firstUnlock, .complete].map {
            KernelKeyringHolder.name(file.homeIdentifier, generation: file.generation, role: $0)
        }
        var (seen, rings): ([[UInt8]?], [Int32?]) = ([], [])
        #expect(throws: KeyringError.overtaken) {
            try holder.publish(groups, at: nil, now: 0) { _ in
                for role in [KeyGroup.Role.firstUnlock, .complete] { seen.append(try? payload(keybag, role)) }
                for name in names { rings.append(try? KernelKeyring.findEmptyRing(name)) }
                return false
            }
        }
        #expect(seen == [nil, nil] && rings.allSatisfy { $0 != nil } && rings.count == 2)
        for name in names { #expect(try KernelKeyring.findEmptyRing(name) == nil) }
        for role in [KeyGroup.Role.firstUnlock, .complete] { #expect(try payload(keybag, role) == nil) }
        // One comes behind the question: it destroys the place, and the keys have nowhere to go.
        #expect(throws: KeyringError.self) {
            try holder.publish(groups, at: nil, now: 0) { _ in
                (try? Home.lock(temporary.configuration, .root, completely: true)) != nil
            }
        }
        for role in [KeyGroup.Role.firstUnlock, .complete] { #expect(try payload(keybag, role) == nil) }
        // A process was killed in between: the first one that finds the empty keyring revokes it.
        let ring = try KernelKeyring.makeRing(names[1])
        defer { KernelKeyring.letGo(ring) }
        try KernelKeyring.link(ring)
        #expect(try temporary.open { $0.holder = .kernelKeyring }.keybag.lockState != .unlocked)
        #expect(try KernelKeyring.findEmptyRing(names[1]) == nil)
        #expect(throws: KeyringError.self) {
            let key = try KernelKeyring.make(names[1], try SecretBytes.random(count: 300))
            defer { KernelKeyring.drop(key) }
            try KernelKeyring.link(key, into: ring)
        }
    }

    @Test func `A lock while a change of the passcode is stopped holds when it goes on`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let home = keybag.home
        func complete() throws -> [String] {
            try KernelKeyring.keys().filter {
                try $0.name.hasPrefix("zamok:\(home.hexadecimal):") && $0.name.hasSuffix(":1")
                    && KernelKeyring.read($0.serial, expected: 512) != nil
            }.map(\.name)
        }
        var steps = 0
        for step in 5... {
            try keybag.unlock(passcode: secret("1234"))
            let worker = try Worker(temporary.path)
            #expect(try worker.ask("stop-at \(step)") == "done")
            #expect(try worker.ask("open kernel") == "done")
            try worker.child.send("change 1234 1234\n".utf8)
            guard worker.child.waitUntilStopped() else {
                #expect(try worker.child.line() == "done")
                break
            }
            steps += 1
            #expect(failure { try Home.lock(temporary.configuration) } == nil)
            #expect(try complete() == [], "\(step)")
            worker.child.kill(SIGCONT)
            #expect(try worker.child.line() == "done")
            #expect(try complete() == [], "\(step)")
        }
        #expect(steps > 6)
    }

    // Rule: keys of a home that is gone go at the next start | they stay | 3 cases
    @Test(arguments: ["removed", "another home in its place", "moved"])
    func `The next start destroys the keys of a home that is gone`(how: String) throws {
        let temporary = TemporaryHome()
        let other = TemporaryHome()
        defer {
            temporary.remove()
            other.remove()
        }
        let keybag = try temporary.open { $0.holder = .kernelKeyring }.keybag
        try keybag.setPasscode(secret("1234"))
        let home = keybag.home
        #expect(try keys(home) == ["1", "2", "place"])
        #expect(try other.open { $0.holder = .kernelKeyring }.keybag.lockState == .unlocked)
        #expect(try keys(home) == ["1", "2", "place"])
        if how == "moved" {
            try FileManager.default.moveItem(atPath: temporary.path, toPath: "\(temporary.path).moved")
        } else {
            try FileManager.default.removeItem(atPath: temporary.path)
        }
        defer { try? FileManager.default.removeItem(atPath: "\(temporary.path).moved") }
        if how == "another home in its place" { _ = try temporary.open() }
        // A home without a passcode asks no keyring; one with does.
        try other.open { $0.holder = .kernelKeyring }.keybag.setPasscode(secret("1"))
        #expect(try keys(home) == [])
    }

    /// A home of a user whose quota has only so many bytes left when a process unlocks.
    private final class FullKeyring {
        private let temporary = TemporaryHome()
        private let user = 2_000_000 + UInt32.random(in: 0..<1_000_000)
        private let first: Worker
        private let holder: String

        init(_ holder: String) throws {
            self.holder = holder
            // In the folder of temporary files, in a folder of its own.
            try FileManager.default.createDirectory(
                atPath: temporary.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try temporary.setOwner(Int(user), "")
            first = try Worker(temporary.path)
            for command in ["as-user \(user)", "open kernel", "set 1234", "leave"] {
                #expect(try first.ask(command) == "done")
            }
        }

        /// Whether an unlock published its groups: all of them, as every process sees them, or none.
        func publishes(leaving rest: Int) throws -> Bool {
            let worker = try Worker(temporary.path)
            for command in ["as-user \(user)", "open \(holder)", "fill-keyring \(rest)"] {
                #expect(try worker.ask(command) == "done", "\(rest): \(command)")
            }
            let answer = try worker.ask("unlock 1234")
            let state = try first.ask("state")
            let isPublished = state == "unlocked"
            let published = try first.ask("published")
            #expect(published == (isPublished ? "1 2" : "none"), "\(rest): \(state), \(published)")
            #expect(isPublished || state == "beforeFirstUnlock", "\(rest): \(state)")
            // Without the kernel the process keeps them itself, where it may.
            #expect(answer == (isPublished || holder == "automatic" ? "done" : "error notAvailable"), "\(rest)")
            #expect(try worker.ask("state") == (answer == "done" ? "unlocked" : "beforeFirstUnlock"), "\(rest)")
            #expect(try worker.ask("leave") == "done")
            return isPublished
        }

        deinit { temporary.remove() }
    }

    // Rule: an unlock without room in the kernel publishes all groups or none | each group linked as it is made, the
    //   earlier ones left there | 110, both holders
    @Test(
        .enabled(if: geteuid() == 0, "only root can be another user, whose quota is small"),
        arguments: ["kernel", "automatic"])
    func `An unlock for which the kernel has no room publishes all groups or none`(holder: String) throws {
        let keyring = try FullKeyring(holder)
        var (none, all) = (0, 1400)
        #expect(try !keyring.publishes(leaving: none) && keyring.publishes(leaving: all))
        for rest in stride(from: 100, to: 1400, by: 100) { _ = try keyring.publishes(leaving: rest) }
        // Where it has just not room enough, a link may be what there is no room for.
        while all - none > 1 {
            let rest = (none + all) / 2
            if try keyring.publishes(leaving: rest) { all = rest } else { none = rest }
        }
        for rest in (all - 20)..<all { _ = try keyring.publishes(leaving: rest) }
    }
}
