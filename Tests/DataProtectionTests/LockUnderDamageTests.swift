// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// A lock locks in spite of any damage to the home. Real processes work on it, and are searched afterwards.
@Suite(.serialized) struct LockUnderDamageTests {
    private static let holders = KernelKeyringHolder.refusal() == nil ? ["process", "kernel"] : ["process"]
    private static let isRoot = geteuid() == 0

    /// What is wrong when the lock comes.
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case nothing, keybagNamedOtherwise, keybagCut, keybagMissing, keybagAndEpochMissing, keybagOfOthers
        case deviceSecretMissing, deviceSecretElsewhere, folderOpenToAll, pageOpenToOthers, currentDamaged
        case directoryDamaged, pageExchanged, pageCut, pageMissing, pageOverwritten, changeStopped, homeReadOnly
        case keybagIsALink, parentOpenToAll

        var testDescription: String { rawValue }

        /// What the lock answers when it has locked.
        var answer: String {
            switch self {
            case .nothing, .pageExchanged, .pageCut, .pageMissing, .pageOverwritten, .changeStopped,
                .pageOpenToOthers:
                "done"
            case .deviceSecretMissing, .deviceSecretElsewhere: "error missingDeviceSecret"
            case .folderOpenToAll, .keybagIsALink, .keybagOfOthers, .parentOpenToAll: "error unsafeHome"
            case .homeReadOnly: "error readOnly"
            case .keybagAndEpochMissing: "error erased"
            default: "error damaged"
            }
        }

        static var possible: [Damage] {
            allCases.filter { LockUnderDamageTests.isRoot || ($0 != .homeReadOnly && $0 != .keybagOfOthers) }
        }
    }

    /// A home with a passcode in a folder of its own, and processes that use it.
    private final class Scene {
        let outer: TemporaryHome
        let home: TemporaryHome
        let runtime: TemporaryFolder
        let kernel: Bool
        private(set) var needles: [[UInt8]] = []
        private(set) var identifier = UniqueIdentifier.random()
        /// Another process in the middle of a change of the passcode.
        private var stopped: Worker?

        init(kernel: Bool) throws {
            self.kernel = kernel
            outer = TemporaryHome()
            try FileManager.default.createDirectory(
                atPath: outer.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            home = TemporaryHome(at: "\(outer.path)/home")
            runtime = try TemporaryFolder()
            let keybag = try home.open().keybag
            try keybag.setPasscode(secret("1234"))
            identifier = keybag.home
            let view = try keybag.view()
            for slot in view.file.slots where slot.role == .complete {
                let key = try keybag.group(.complete, view)?.key(slot.kind, slot.id)?.exposingBytes(0..<32)
                needles.append(try #require(key))
            }
            try keybag.lockCompletely()
        }

        deinit {
            for folder in [outer, home] { try? folder.setMode(0o700, "") }
            home.remove()
        }

        var environment: [String: String] { ["XDG_RUNTIME_DIR": runtime.path] }

        func worker() throws -> Worker {
            let worker = try Worker(home.path, environment: environment)
            #expect(try worker.ask("open \(kernel ? "kernel" : "process")") == "done")
            return worker
        }

        /// What locks, started once the damage is there.
        func locker(_ damage: Damage) throws -> Worker {
            switch damage {
            case .homeReadOnly:
                let mounting = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\""
                return try Worker(
                    home.path, through: ["/usr/bin/unshare", "-m", "sh", "-c", mounting, home.path],
                    environment: environment)
            case .deviceSecretElsewhere:
                let elsewhere = "\(outer.path)/elsewhere"
                return try Worker(
                    home.path, environment: environment.merging(["ZAMOK_DEVICE_SECRET": elsewhere]) { $1 })
            default: return try Worker(home.path, environment: environment)
            }
        }

        /// Does it; the answer takes it back.
        func apply(_ damage: Damage) throws -> () throws -> Void {
            let path = home.path
            let manager = FileManager.default
            func saved(_ name: String, _ change: (inout [UInt8]) -> Void) throws -> () throws -> Void {
                let before = try home.bytes(name)
                var bytes = before
                change(&bytes)
                try home.put(bytes, name)
                return { [home] in try home.put(before, name) }
            }
            func moved(_ names: String...) throws -> () throws -> Void {
                for name in names { try manager.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(name).away") }
                return {
                    for name in names {
                        try? manager.removeItem(atPath: "\(path)/\(name)")
                        try manager.moveItem(atPath: "\(path)/\(name).away", toPath: "\(path)/\(name)")
                    }
                }
            }
            func mode(_ mode: Int, _ name: String, _ before: Int) throws -> () throws -> Void {
                try home.setMode(mode, name)
                return { [home] in try home.setMode(before, name) }
            }
            switch damage {
            case .nothing, .deviceSecretElsewhere, .homeReadOnly: return {}
            case .keybagNamedOtherwise: return try saved("keybag") { for index in 16..<32 { $0[index] ^= 0xA5 } }
            case .keybagCut: return try saved("keybag") { $0 = Array($0.prefix(20)) }
            case .keybagMissing: return try moved("keybag")
            case .keybagAndEpochMissing: return try moved("keybag", "epoch")
            case .keybagOfOthers:
                try home.setOwner(12345, "keybag")
                return { [home] in try home.setOwner(0, "keybag") }
            case .keybagIsALink:
                let back = try moved("keybag")
                try manager.createSymbolicLink(atPath: "\(path)/keybag", withDestinationPath: "keybag.away")
                return back
            case .deviceSecretMissing: return try moved("device-secret")
            case .folderOpenToAll: return try mode(0o777, "", 0o700)
            case .parentOpenToAll:
                try outer.setMode(0o777, "")
                return { [outer] in try outer.setMode(0o700, "") }
            case .pageOpenToOthers: return try mode(0o666, "generation", 0o600)
            case .currentDamaged, .directoryDamaged:
                let name = damage == .currentDamaged ? "current" : "directory"
                try home.make(name)
                try home.put(Array("nonsense".utf8), name)
                return { [home] in try home.delete(name) }
            case .pageExchanged:
                let before = try home.bytes("generation")
                try home.delete("generation")
                try home.make("generation")
                try home.put(before, "generation")
                return {}
            case .pageCut:
                try home.put([], "generation")
                return {}
            case .pageMissing:
                try home.delete("generation")
                return {}
            case .pageOverwritten:
                try home.put([UInt8](repeating: 0x55, count: 4096), "generation")
                return {}
            case .changeStopped: return try stopInsideChange()
            }
        }

        /// Another process is stopped inside a change of the passcode, with the lock of the keybag in its hands.
        private func stopInsideChange() throws -> () throws -> Void {
            let worker = try Worker(home.path, environment: environment)
            stopped = worker
            // Before the page and the groups of the new keybag. After that no process works on until the change is
            // over.
            #expect(try worker.ask("stop-at 9") == "done")
            #expect(try worker.ask("open \(kernel ? "kernel" : "process")") == "done")
            try worker.child.send("change 1234 1234\n".utf8)
            #expect(worker.child.waitUntilStopped())
            return { [self] () throws -> Void in
                worker.child.kill(SIGCONT)
                #expect(try worker.child.line() == "done")
                stopped = nil
            }
        }

        /// Class keys that a lock destroys and that are there all the same, a second after `moment` at the latest.
        func remains(_ processes: [Int32], since moment: ContinuousClock.Instant) throws -> [String] {
            while true {
                let begin = ContinuousClock.now
                var found = try processes.flatMap { process in
                    try MemorySearch.search(process: process, for: needles, inArena: true).map { "\(process): \($0)" }
                }
                if kernel {
                    found += try KernelKeyring.keys().map(\.name).filter {
                        $0.hasPrefix("zamok:\(identifier.hexadecimal):") && $0.hasSuffix(":1")
                    }
                }
                if found.isEmpty || begin > moment + .seconds(1) { return found }
            }
        }
    }

    // Rule: a lock locks before it checks | it checks the home first, and says what is wrong | ended at its first
    //   damage
    @Test(.disabled(if: MemorySearch.isHindered), arguments: holders)
    func `Within a second no class key is left in the keyring, in any memory or in a usable memory file`(
        holder: String
    ) throws {
        let rounds = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 1 : 20
        var times: [Duration] = []
        for _ in 0..<rounds {
            let scene = try Scene(kernel: holder == "kernel")
            let workers = try (0..<4).map { _ in try scene.worker() }
            for damage in Damage.possible { times.append(try check(damage, scene, workers)) }
        }
        times.sort()
        print("\(holder): seen to be gone after \(times[times.count / 2]), at most \(times[times.count - 1])")
    }

    /// How long after the lock's answer all processes had noticed, and a search was over that found nothing.
    private func check(_ damage: Damage, _ scene: Scene, _ workers: [Worker]) throws -> Duration {
        for (index, worker) in workers.enumerated() where !scene.kernel || index == 0 {
            #expect(try worker.ask("unlock 1234") == "done", "\(damage)")
        }
        let (heir, number) = try heir(scene)
        for worker in workers + [heir] {
            #expect(try worker.ask("state") == "unlocked", "\(damage)")
            try worker.child.send("work-until-refused\n".utf8)
            #expect(try worker.child.line() == "working")
        }
        let repair = try scene.apply(damage)
        let locker = try scene.locker(damage)
        #expect(try locker.ask("lock-home") == damage.answer, "\(damage)")
        let moment = ContinuousClock.now
        for worker in workers + [heir] {
            #expect(!["done", "lost"].contains(try worker.child.line(seconds: 30)), "\(damage)")
        }
        #expect(ContinuousClock.now < moment + .seconds(5), "\(damage)")
        var processes = workers.map(\.child.id)
        // A grandchild can be searched by root alone.
        if Self.isRoot { processes.append(number) }
        #expect(try scene.remains(processes, since: moment) == [], "\(damage)")
        let time = ContinuousClock.now - moment
        try repair()
        #expect(["locked", "beforeFirstUnlock"].contains(try workers[0].ask("state")), "\(damage)")
        // The memory file is still there, since the process that would have wiped it is dead. No process can use it any
        // more.
        #expect(["locked", "beforeFirstUnlock"].contains(try heir.ask("start state")), "\(damage)")
        kill(number, SIGKILL)
        return time
    }

    /// A process that was handed the keys by one that was killed then, and its number.
    private func heir(_ scene: Scene) throws -> (Worker, Int32) {
        let worker = try Worker(scene.home.path, environment: scene.environment)
        #expect(try worker.ask("unlock 1234") == "done")
        #expect(Int32(try worker.ask("hand-over")) != nil)
        let number = try #require(Int32(try worker.ask("become-parent")))
        worker.child.kill(SIGKILL)
        #expect(try worker.ask("state") == "unlocked")
        return (worker, number)
    }

    @Test(arguments: holders, ["current", "users"])
    func `Where the user can't be determined, every user is locked`(holder: String, broken: String) throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let choice: HolderChoice = holder == "kernel" ? .kernelKeyring : .process
        let root = try temporary.open { $0.holder = choice }
        let users = try (0..<2).map { _ in try root.home(ofUser: .random(), making: true) }
        for home in [root] + users { try home.keybag.setPasscode(secret("1234")) }
        try root.recordUser(users[0].userIdentifier)
        // The recorded user, and no other.
        try Home.lock(temporary.configuration)
        #expect((users + [root]).map(\.keybag.lockState) == [.locked, .unlocked, .unlocked])
        try users[0].keybag.unlock(passcode: secret("1234"))
        if broken == "current" {
            try temporary.put([1, 2, 3], "current")
        } else {
            try root.recordUser(.random())
        }
        let error = failure { try Home.lock(temporary.configuration, completely: true) }
        #expect(error != nil && error?.code != .notLocked)
        #expect(
            (users + [root]).map(\.keybag.lockState) == [.beforeFirstUnlock, .beforeFirstUnlock, .beforeFirstUnlock])
    }

    @Test func `A home without a passcode is refused, and one that isn't there is not made`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        #expect(failure { try Home.lock(temporary.configuration) }?.code == .noPasscode)
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        let keybag = try temporary.open().keybag
        #expect(failure { try Home.lock(temporary.configuration) }?.code == .noPasscode)
        #expect(failure { try keybag.lock() }?.code == .noPasscode)
        #expect(keybag.lockState == .unlocked)
        try Home.erase(temporary.configuration)
        #expect(failure { try Home.lock(temporary.configuration) }?.code == .erased)
        #expect(temporary.names == ["device-secret", "keybag.lock"])
        #expect(try temporary.open().keybag.lockState == .unlocked)
    }

    @Test func `What can't be told to other processes is said, and its own keys go all the same`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let fails = Locked(false)
        let keybag = try temporary.open {
            $0.fileSystem = FileHooks { step in
                // As in a home that can't be written to.
                let isPage = step.name.hasPrefix("generation") && step.operation != .status
                return isPage && fails.withLock { $0 } ? EROFS : 0
            }
        }.keybag
        try keybag.setPasscode(secret("1234"))
        fails.withLock { $0 = true }
        let error = failure { try keybag.lock() }
        #expect(error?.code == .notLocked)
        #expect(error?.message.contains("runtime folder") == true)
        fails.withLock { $0 = false }
        #expect(keybag.lockState == .locked)
    }

    @Test func `An erase destroys at once though a stopped process has the keybag in its hands`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let held = try OpenFile.open(FileLocation("\(temporary.path)/keybag.lock"), mode: .change, hooks: FileHooks())
        let isHeld = try held.tryLock()
        #expect(isHeld)
        #expect(failure { try Home.erase(temporary.configuration) }?.message.contains("keybag.lock") == true)
        held.unlock()
        #expect(keybag.lockState == .beforeFirstUnlock)
        #expect(failure { try temporary.open() }?.code == .erased)
    }
}
