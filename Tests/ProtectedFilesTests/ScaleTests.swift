// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Sealing
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite(.serialized) struct ScaleTests {
    private let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil

    @Test("a file of 5 GiB is read and changed anywhere") func large() throws {
        let files = try TemporaryStore(inMemory: !isLong)
        let path = files.path("large")
        let length = 5 << 30
        // All of it, or its structure alone: what was never read needs no bytes on the disk.
        if isLong { try makeWhole(files, path, length) } else { try makeSparse(files, path, length) }
        let size = try #require(try OpenFile.status(of: path, FileHooks())).size
        #expect(Double(size - length) / Double(length) <= 0.002)
        let handle = try files.store.handle(forUpdating: path)
        #expect(try handle.length == length)
        #expect(try handle.read(count: 6, at: length / 2) == Array("middle".utf8))
        #expect(try handle.read(count: 100, at: length - 100) == [UInt8](repeating: 0, count: 100))
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<(isLong ? 1000 : 0) {
            let offset = Int.random(in: 100..<length / 2 - 4096, using: &generator)
            #expect(try handle.read(count: 4096, at: offset) == [UInt8](repeating: 0, count: 4096))
        }
        try handle.write(pattern(4096), at: 3 << 30)
        try handle.append([1, 2, 3])
        try handle.close()
        let again = try files.store.handle(forReadingFrom: path)
        #expect(try again.read(count: 4096, at: 3 << 30) == pattern(4096))
        #expect(try again.read(count: 10, at: length - 1) == [0, 1, 2, 3])
        #expect(try again.read(count: 5, at: 0) == Array("first".utf8))
        if isLong { try files.store.verify(path) }
    }

    private func makeWhole(_ files: TemporaryStore, _ path: FileLocation, _ length: Int) throws {
        let source = try OpenFile.make(files.path("source"), FileHooks())
        try source.write(Array("first".utf8), at: 0)
        try source.write(Array("middle".utf8), at: length / 2)
        try source.truncate(to: length)
        try files.store.protect(contentsOf: source.path, to: path, protection: ProtectionClass.none)
    }

    /// Only the chunks that the test looks at are sealed; of the others the tree has an entry that opens nothing.
    private func makeSparse(_ files: TemporaryStore, _ path: FileLocation, _ length: Int) throws {
        let fileID = FreshFile.randomIdentifier()
        let (key, keys) = try FileKeys.draw(for: .none, fileID, in: files.home.keybag)
        var header = FileHeader(protection: .none, fileID: fileID, home: files.home.keybag.homeIdentifier, key: key)
        var context = ChunkContext(header)
        var tree = FreshTree()
        let file = try OpenFile.make(path, FileHooks())
        let count = FileFormat.chunkCount(length)
        let texts = [0: "first", count / 2: "middle", count - 1: "", (3 << 30) / chunk: ""]
        for index in 0..<count {
            let offset = tree.takeChunks(1)
            var entry = BlockEntry(offset: offset, digest: BlockEntry.none.digest)
            if let text = texts[index] {
                let content = Array(text.utf8) + [UInt8](repeating: 0, count: chunk - text.utf8.count)
                let authenticated = context.authenticated(index, isLast: index == count - 1)
                let nonceAndTag = try ChunkCipher.with(keys.content) { cipher in
                    try content.withSpan(chunk) {
                        try cipher.seal($0, authenticating: authenticated) { try file.write($0, at: offset) }
                    }
                }
                entry = BlockEntry(chunkAt: offset, nonceAndTag: nonceAndTag)
            }
            try tree.add(entry, file)
            tree.noteEnd(ofLastChunk: chunk)
        }
        (header.length, header.seals, header.height) = (length, texts.count, FileFormat.height(chunks: count))
        header.root = try tree.finish(count, file)
        header.end = tree.end
        let slot = try keys.slot(header)
        try file.write(slot + slot + [UInt8](repeating: 0, count: FileFormat.headerSize - HeaderPage.size), at: 0)
    }

    @Test("many small files, and one look through them") func many() throws {
        let files = try TemporaryStore(inMemory: true)
        let count = isLong ? 100_000 : 1000
        for number in 0..<count { try files.store.write(pattern(number % 50), to: files.path("\(number)")) }
        var found = 0
        try files.store.enumerate(files.folder) { entry in
            guard case .protected(let info) = entry.kind, info.isVerified else { return }
            found += 1
        }
        #expect(found == count)
        for number in stride(from: 0, to: count, by: count / 100) {
            #expect(try files.store.read(from: files.path("\(number)")) == pattern(number % 50))
        }
    }

    @Test("killed at random moments: what was acknowledged is there, whole, and nothing in clear") func randomKills()
        throws
    {
        var generator = SeededGenerator(seed: 9)
        let site = try CrashSite(["create @f 4 a*100000"])
        var known = 0
        for _ in 0..<(isLong ? 200 : 20) {
            let child = try Child("test-worker", ["files", site.home])
            #expect(try CrashSite.ask(child, site.resolve("open @f")) == "ok")
            // Each round writes its number over the whole file, and says when that was durable.
            for round in 1...100 {
                let content = "\(known + round)*100000"
                try child.send((site.resolve("handle-write @f \(content)\nsync @f") + "\n").utf8)
            }
            var answers = 0
            for _ in 0..<Int.random(in: 0..<12, using: &generator) where try child.line() == "ok" { answers += 1 }
            usleep(UInt32.random(in: 0..<4000, using: &generator))
            child.kill(SIGKILL)
            while let line = try? child.line(), line == "ok" { answers += 1 }
            let content = try site.store().read(from: FileLocation(site.folder.path("files/f")))
            let acknowledged = known + answers / 2
            let match = [acknowledged, acknowledged + 1].first {
                Scenario.content($0 == 0 ? "a*100000" : "\($0)*100000") == content
            }
            #expect(match != nil, "acknowledged \(acknowledged)")
            known = match ?? acknowledged
            #expect(!site.hasLeftovers)
            #expect(Data(site.raw("f")).range(of: Data("MARKER-".utf8)) == nil)
        }
        #expect(known > 0)
    }

    @Test("the memory of a large change stays bounded: nodes are written before the end") func boundedChange() throws {
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.sealing.cachedNodes = 8 }, inMemory: true)
        let handle = try files.store.handle(forWritingTo: files.path("a"), protection: ProtectionClass.none)
        var expected: [UInt8] = []
        for part in 0..<40 {
            let bytes = pattern(30 * chunk, seed: UInt64(part + 1))
            try handle.append(bytes)
            expected += bytes
        }
        try handle.write(pattern(100), at: 7)
        expected.replaceSubrange(7..<107, with: pattern(100))
        #expect(try handle.read(count: 200, at: 0) == Array(expected[..<200]))
        try handle.close()
        #expect(try files.store.read(from: files.path("a")) == expected)
    }
}
