// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// Hostile bytes where processes of a home exchange state. That is the page, the locks in the runtime folder, what is
/// handed over, and what is remembered of the stores.
@Suite struct HostileFilesTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)

    @Test func `a hostile page is none, or a page; what it says opens nothing, and a cut ends no process`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let folder = home.openFolder
        let good = try temporary.bytes("generation")
        // A whole page is too long for a change to hit what is read of it.
        var mutator = Mutator(corpus: [Array(good[..<96]), Array(good[..<24])], seed: Self.seed)
        var isNew = true
        let run = try FuzzRun.repeated("generation", bounded: 1500) { number in
            if isNew {
                try temporary.put(good, "generation")
                isNew = false
            }
            let page = try #require(try GenerationPage(mappingIn: folder))
            let variant = mutator.next()
            let bytes = number % 4 == 0 ? variant : Array(variant.prefix(4096)) + Array(good.dropFirst(variant.count))
            if number % 3 == 0 {
                try temporary.delete("generation")
                try temporary.make("generation")
            }
            try temporary.put(bytes, "generation")
            // Mapped before it was changed, and after.
            let isStill = page.isStill()
            let later = try GenerationPage(mappingIn: folder, forLocking: true)
            for page in [page, later].compactMap(\.self) {
                _ = (page.homeIdentifier, page.keybagGeneration, page.lockCount, page.leaveCount, page.bell)
                _ = (page.token(.complete), page.changeCount(.keychain))
            }
            #expect(!isStill || later != nil)
            isNew = later == nil
            return later != nil
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    @Test func `hostile locks in the runtime folder are none, or void what they say`() throws {
        let folder = try TemporaryFolder()
        let locks = RuntimeLocks(
            location: HomeLocation(
                environment: { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }, files: FileHooks()))
        let first = try #require(locks.prepare())
        let path = folder.path("zamok-locks")
        let good = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var mutator = Mutator(corpus: [good], seed: Self.seed)
        let run = try FuzzRun.repeated("zamok-locks", bounded: 1500) { _ in
            let bytes = mutator.next()
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(bytes))
            try file.close()
            guard let read = locks.read() else { return false }
            #expect(bytes.count == good.count)
            let isOther = bytes.prefix(32) != good.prefix(32)
            #expect(RuntimeLocks.isLock(.complete, from: first, to: read) == isOther)
            return true
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }

    @Test func `a hostile memory file hands nothing over, with any content under its right key`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let handOver = try #require(try keybag.handOver())
        let good = try #require(try InheritedDescriptor(handOver.descriptor).read(limit: 1 << 16))
        let header = try #require(HandOverHeader(parsing: good))
        let roles = [KeyGroup.Role.firstUnlock, .complete]
        let view = try keybag.view()
        var files = Mutator(corpus: [good, header.bytes], seed: Self.seed)
        var groups = Mutator(
            corpus: try roles.compactMap { try keybag.group($0, view)?.payload.exposing() }, seed: Self.seed &+ 1)
        var generator = SeededGenerator(seed: Self.seed &+ 2)
        var (none, all) = (0, 0)
        let run = try FuzzRun.repeated("handed over", bounded: 1500) { number in
            let bytes: [UInt8]
            if number % 3 == 0 {
                bytes = files.next()
            } else {
                // As is possible with both halves.
                let role = roles[Int(generator.next() % 2)]
                let payload = groups.next()
                guard !payload.isEmpty, payload.count < KeyGroup.sizeLimit else { return false }
                var other = HandOverHeader(half: header.half, runtimePath: nil)
                other.parts = [HandOverPart(role, HandOverPart.size(of: payload.count))]
                let key = try header.key(keybag.home, role: role, tokens: keybag.process.tokens(role, nil))
                bytes = other.bytes + (try HandOverPart.wrap(try SecretBytes(copying: payload), under: key))
            }
            let found = keybag.handedOver(bytes)
            for group in found {
                let isMeant = try group.fits(view.file)
                #expect(isMeant)
            }
            if found.isEmpty { none += 1 } else { all += 1 }
            return !found.isEmpty
        }
        #expect(run.isBounded && none > 0 && all > 0)
    }

    @Test func `hostile lengths under a right key are refused`() throws {
        let key = try SecretBytes.random(count: 32)
        var generator = SeededGenerator(seed: Self.seed)
        for length in [0, 1, 27, 28, 29, 60, 61, UInt32.max, UInt32.max - 3, .max >> 1]
            + (0..<200).map({ _ in
                UInt32.random(in: 0...UInt32.max, using: &generator)
            })
        {
            let whole =
                (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + [UInt8](repeating: 7, count: 60)
            let wrapped = try stride(from: 0, to: 64, by: 32).flatMap {
                try KeyWrap.wrap(try SecretBytes(copying: Array(whole[$0..<$0 + 32])), under: key)
            }
            let count = (try? HandOverPart.unwrap(wrapped, under: key))?.count
            #expect(count == (length <= 60 ? Int(length) : nil), "\(length)")
        }
    }

    @Test func `a hostile memory of the stores says nothing, or what a write of ours said`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let home = try temporary.open()
        let record = home.record(of: .keychain, 7, "keychain.db")
        var corpus: [[UInt8]] = []
        for revision in [3, 4, 1 << 40, Int64.max] as [Int64] {
            record.remember(revision)
            corpus.append(try temporary.bytes("stores-seen"))
        }
        home.record(of: .preferences, 8, "preferences.db").remember(77)
        corpus.append(try temporary.bytes("stores-seen"))
        // Half of them with changes in the two entries alone.
        let entries = corpus.map { Array($0[64..<192]) }
        var wholes = Mutator(corpus: corpus, seed: Self.seed)
        var parts = Mutator(corpus: entries, seed: Self.seed &+ 1)
        var seen: Set<Int64?> = []
        let run = try FuzzRun.repeated("stores-seen", bounded: 1500) { number in
            let part = number % 2 == 0 ? [] : parts.next()
            let bytes =
                part.isEmpty
                ? wholes.next() : Array(corpus[0][..<64] + part.prefix(128) + corpus[0][(64 + min(128, part.count))...])
            try temporary.put(bytes, "stores-seen")
            let bound = try home.record(of: .keychain, 7, "keychain.db").known()?.revision
            seen.insert(bound)
            return bound != nil
        }
        #expect(run.isBounded && seen.isSuperset(of: [nil, 3]))
        #expect(seen.isSubset(of: [nil, 3, 4, 1 << 40, .max]), "\(seen)")
        // Other content at that place is overwritten.
        let last = home.record(of: .keychain, 7, "keychain.db")
        last.remember(9)
        last.remember(10)
        #expect(try home.record(of: .keychain, 7, "keychain.db").known()?.revision == 10)
    }
}

extension SecretBytes {
    fileprivate borrowing func exposing() throws -> [UInt8]? { try exposingBytes(0..<count) }
}
