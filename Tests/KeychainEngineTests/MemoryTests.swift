// SPDX-License-Identifier: Apache-2.0

import Foundation
import SealedDatabases
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// What a lock leaves in the memory of other processes, which make no call.
@Suite(.serialized, .disabled(if: MemorySearch.isHindered))
struct MemoryTests {
    private static let holders = KernelKeyringHolder.refusal() == nil ? ["process", "automatic"] : ["process"]
    // In no list of known phrases, which the program itself holds.
    private static let passcode = "seven lemon trees in a drawer"
    /// One item of each class that wraps row keys.
    private static let accounts = ["ak", "aku", "ck", "cku", "dk", "dku", "akpu"]

    /// As the worker plants it.
    private static let planted = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }

    /// Every key and passcode of a home, read from its files with the passcode.
    private struct Needles {
        /// By name. What a lock destroys begins with "complete".
        fileprivate(set) var named: [(name: String, bytes: [UInt8])] = []

        var complete: [[UInt8]] { named.filter { $0.name.hasPrefix("complete") }.map(\.bytes) }
        /// Both halves of every key, and its middle: a copy may have lost its ends.
        var pieces: [[UInt8]] {
            named.flatMap { _, bytes in
                bytes.count == 32 ? [0..<16, 8..<24, 16..<32].map { Array(bytes[$0]) } : [bytes, bytes, bytes]
            }
        }

        func names(_ hits: [MemorySearch.Hit]) -> [String] { hits.map { "\(named[$0.needle / 3].name): \($0.place)" } }

        init(_ home: Home) throws {
            let opened = try home.keybag.place.read()
            let file = opened.file
            let stretching = try #require(file.stretching)
            let passcode = try SecretBytes(text: MemoryTests.passcode)
            let stretched = try KeyDerivation.scrypt(
                passcode, salt: stretching.salt, parameters: stretching.parameters)
            let root = try opened.roots.passcodeRoot(stretched: stretched)
            for (number, slot) in file.slots.enumerated() {
                let wrapping =
                    try slot.root == .passcode
                    ? slot.wrappingKey(under: root, file.keybagIdentifier)
                    : slot.wrappingKey(under: opened.roots.device, file.keybagIdentifier)
                let role = slot.role.map { "\($0)" } ?? "none"
                let key = try KeyWrap.unwrap(slot.wrapped, under: wrapping)
                if slot.kind == .metadataKey { try addIndexKeys(of: key, "of \(role) key \(number)") }
                try add("\(role) key \(number)", key)
                try add("wrapping of \(role) key \(number)", wrapping)
            }
            named.append(("passcode", Array(MemoryTests.passcode.utf8)))
            try add("stretched passcode", stretched)
            try add("passcode root", root)
            try add("device root", opened.roots.device)
            try add("authentication key", opened.roots.authenticationKey())
        }

        /// What searches derive from a metadata key, and a process keeps as long as that.
        private mutating func addIndexKeys(of key: borrowing SecretBytes, _ name: String) throws {
            let database = ByteWriter.bytes(of: KeychainSchema.database.applicationID)
            for index in UInt8(1)...4 {
                let context = database + [1, index]
                try add("index \(index) \(name)", KeyDerivation.expand(from: key, label: .blindIndex, context: context))
            }
            try add(
                "identity \(name)", KeyDerivation.expand(from: key, label: .identityTag, context: database + [1, 0]))
        }

        private mutating func add(_ name: String, _ key: borrowing SecretBytes) throws {
            named.append((name, try #require(try key.exposingBytes(0..<32))))
        }
    }

    /// A home with a passcode and an item of each class.
    private struct Scene {
        let temporary = TemporaryHome()
        let folder: TemporaryFolder
        let home: Home
        let needles: Needles
        let variables: [String: String]

        init(_ holder: String) throws {
            folder = try TemporaryFolder()
            // The command reads no keybag with a cheap KDF.
            home = try temporary.open {
                $0.usesInsecureKDF = false
                $0.holder = holder == "automatic" ? .automatic : .process
            }
            try home.keybag.setPasscode(try SecretBytes(text: MemoryTests.passcode))
            let store = try ItemStore.of(home)
            for account in MemoryTests.accounts {
                var item = try ItemRecord.password("service", account, "secret of \(account)")
                item.attributes["pdmn"] = .text(account)
                _ = try store.add(item)
            }
            needles = try Needles(home)
            variables = ["WORKER_HOLDER": holder, "WORKER_KDF": "real"]
            let isMade = FileManager.default.createFile(
                atPath: folder.path("passcode"), contents: Data("\(MemoryTests.passcode)\n".utf8),
                attributes: [.posixPermissions: 0o600]
            )
            try #require(isMade)
        }

        /// A process that has unlocked, and planted what a search has to find.
        func process(isClearing: Bool) throws -> WorkerProcess {
            let worker = try WorkerProcess(temporary.path, environment: variables)
            if !isClearing { #expect(try worker.ask("clearing-off") == "ok") }
            #expect(try worker.ask("plant") == "ok")
            #expect(try worker.ask("unlock-by-file", folder.path("passcode")) == "ok")
            return worker
        }

        /// Lets it read items of all classes on five threads, which then wait; one of them unlocks again before.
        func read(_ worker: WorkerProcess, unlocksAgain: Bool) throws {
            let accounts = MemoryTests.accounts.joined(separator: "\t")
            let passcode = unlocksAgain ? folder.path("passcode") : ""
            #expect(try worker.ask("threads", "4", passcode, "service", accounts) == "ok")
            for account in MemoryTests.accounts {
                #expect(try worker.ask("find", "service", account) == "ok\tsecret of \(account)")
            }
        }

        /// Runs the command; when it returned.
        func lockByCommand() throws -> ContinuousClock.Instant {
            let path = ProcessInfo.processInfo.environment["ZAMOK_BINARY"] ?? ""
            let command = try Child(
                path.isEmpty ? "zamok" : path, ["lock"], environment: ["ZAMOK_HOME": temporary.path])
            #expect(try command.finish() == 0)
            return ContinuousClock.now
        }
    }

    @Test(arguments: holders)
    func `After zamok lock no key and no passcode is left in another process, which makes no call`(
        holder: String
    )
        throws
    {
        let scene = try Scene(holder)
        defer { try? scene.home.keybag.lockCompletely() }
        let worker = try scene.process(isClearing: true)
        try scene.read(worker, unlocksAgain: true)
        let process = worker.child.id
        #expect(try MemorySearch.search(process: process, for: [Self.planted]).contains { $0.place == .heap })
        if holder == "process" {
            // The needles are the right ones: before the lock the process holds each of them in the memory for secrets.
            let held = try MemorySearch.search(process: process, for: scene.needles.complete, inArena: true)
            #expect(Set(held.map(\.needle)).count == scene.needles.complete.count)
        }
        let locked = try scene.lockByCommand()
        #expect(try searchUntilClean(process, scene.needles, since: locked) == [])
        #expect(try MemorySearch.search(process: process, for: [Self.planted]).contains { $0.place == .heap })
        #expect(try worker.ask("find", "service", "ak") == "error\t-25308")
        #expect(try worker.ask("find", "service", "akpu") == "error\t-25308")
        #expect(try worker.ask("find", "service", "ck") == "ok\tsecret of ck")
        #expect(scene.needles.names(try MemorySearch.search(process: process, for: scene.needles.pieces)) == [])
        try expectKeysWithoutClearing(scene)
    }

    @Test(arguments: holders)
    func `While a person is awaited a complete lock leaves no key in the process that waits`(holder: String) throws {
        let scene = try Scene(holder)
        defer { try? scene.home.keybag.lockCompletely() }
        let worker = try scene.process(isClearing: true)
        #expect(try worker.ask("add-guarded", "service", "guarded", "of a person") == "ok")
        #expect(try worker.ask("answer", "wait") == "ok")
        try worker.child.send("find\tservice\tguarded\n".utf8)
        try worker.child.await("asked")
        try Home.lock(scene.temporary.configuration, .root, completely: true)
        let locked = ContinuousClock.now
        let firstUnlock = scene.needles.named.filter { $0.name.hasPrefix("firstUnlock") }
        #expect(!firstUnlock.isEmpty)
        var left: [String] = []
        repeat {
            left =
                try MemorySearch.search(
                    process: worker.child.id, for: scene.needles.complete + firstUnlock.map(\.bytes), inArena: true
                ).map { "\($0)" }
        } while !left.isEmpty && ContinuousClock.now - locked < .seconds(10)
        #expect(left == [])
        try worker.child.send("\(Self.passcode)\n".utf8)
        #expect(try worker.child.line() == "error\t-25308")
    }

    /// With clearing switched off the same search finds a key on the stacks of the threads.
    private func expectKeysWithoutClearing(_ scene: Scene) throws {
        let careless = try scene.process(isClearing: false)
        try scene.read(careless, unlocksAgain: false)
        _ = try scene.lockByCommand()
        let found = scene.needles.names(
            try MemorySearch.search(process: careless.child.id, for: scene.needles.pieces))
        let stacks = Set(found.filter { $0.hasPrefix("firstUnlock key") && $0.contains("stack") })
        #expect(stacks.count >= 4, "\(found)")
    }

    /// What is left a second after the lock. The limit allows for a busy machine. What stays usable while locked may
    /// stay in the memory for secrets, and nowhere else.
    private func searchUntilClean(
        _ process: Int32, _ needles: Needles, since locked: ContinuousClock.Instant
    ) throws -> [MemorySearch.Hit] {
        while true {
            let begin = ContinuousClock.now - locked
            let hits =
                try MemorySearch.search(process: process, for: needles.complete, inArena: true)
                + MemorySearch.search(process: process, for: needles.pieces)
            if hits.isEmpty || begin > .seconds(10) { return hits }
        }
    }
}

extension ByteWriter {
    fileprivate static func bytes(of number: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }
}
