// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Sealing
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct AttackTests {
    /// Whether what a read of `path` hands out is a beginning of one of `contents`, and all of it if it says that
    /// all is well.
    private func reads(_ store: ProtectedFileStore, _ path: FileLocation, _ contents: [[UInt8]]) -> Bool {
        var handedOut: [UInt8] = []
        let failure = failure(ProtectedFileError.self) {
            try store.read(from: path) { handedOut.append(copying: $0) }
        }
        return contents.contains { failure == nil ? $0 == handedOut : $0.starts(with: handedOut) }
    }

    @Test("no change of any byte yields a wrong byte", arguments: [700, 2 * chunk + 10, 110 * chunk])
    func flips(size: Int) throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        let content = pattern(size)
        try files.store.write(content, to: path)
        let raw = try files.raw(path)
        var generator = SeededGenerator(seed: UInt64(size))
        for _ in 0..<(size > 10 * chunk ? 40 : 300) {
            var bytes = raw
            // Half of them where the structure is: the header, and the nodes at the end.
            let position = [
                Int.random(in: 0..<bytes.count, using: &generator), Int.random(in: 0..<1024, using: &generator),
                bytes.count - 1 - Int.random(in: 0..<min(bytes.count, 9000), using: &generator),
            ][Int.random(in: 0..<3, using: &generator)]
            bytes[position] ^= UInt8.random(in: 1...255, using: &generator)
            try files.setRaw(path, bytes)
            #expect(reads(files.store, path, [content]), "byte \(position)")
        }
    }

    @Test("a file cut anywhere is refused before any of it is handed out", arguments: [0, 1, 2, 3])
    func cuts(part: Int) throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(3 * chunk + 17), to: path)
        let raw = try files.raw(path)
        var generator = SeededGenerator(seed: UInt64(part))
        let boundaries = (0..<4).map { 4096 + $0 * chunk } + [1, 512, 1024, 4095, raw.count - 1]
        for size in boundaries + (0..<50).map({ _ in Int.random(in: 1..<raw.count, using: &generator) }) {
            try files.setRaw(path, Array(raw[..<size]))
            var handedOut = 0
            #expect(code { try files.store.read(from: path) { handedOut += $0.byteCount } } != nil, "\(size)")
            #expect(handedOut == 0)
        }
    }

    @Test("any page put back from an older state of the same file is refused before it yields an older byte")
    func older() throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        var content = pattern(105 * chunk)
        try files.store.write(content, to: path)
        let old = (try files.raw(path), content)
        let handle = try files.store.handle(forUpdating: path)
        for index in [0, 50, 104] {
            let bytes = pattern(4096, seed: UInt64(index + 2))
            try handle.write(bytes, at: index * chunk)
            content.replaceSubrange(index * chunk..<index * chunk + 4096, with: bytes)
            try handle.synchronize()
        }
        try handle.close()
        let new = try files.raw(path)
        for page in stride(from: 0, to: min(old.0.count, new.count) - 4096, by: 4096)
        where old.0[page..<page + 4096] != new[page..<page + 4096] {
            var mixed = new
            mixed.replaceSubrange(page..<page + 4096, with: old.0[page..<page + 4096])
            try files.setRaw(path, mixed)
            #expect(reads(files.store, path, [content]), "page \(page)")
        }
    }

    // Rule: an open handle does not follow its file back | sequences not compared
    @Test("a file put back to an older state under an open handle is refused") func underHandle() throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(2 * chunk), to: path)
        let old = try files.raw(path)
        let handle = try files.store.handle(forUpdating: path)
        try handle.write([1, 2, 3], at: 0)
        try handle.synchronize()
        // In place, as an attacker would: the handle has the file open.
        let file = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        try file.write(old, at: 0)
        try file.truncate(to: old.count)
        #expect(code { try handle.append([4]) } == .damaged)
    }

    @Test("hostile files and records never trap and never yield a wrong byte", arguments: [1, 2] as [UInt64])
    func fuzz(seed: UInt64) throws {
        let files = try TemporaryStore(inMemory: true)
        let path = files.path("a")
        let content = pattern(1500)
        try files.store.write(content, to: path)
        let small = try files.raw(path)
        let seed = seed &+ FuzzBudget.seed(environment: environment)
        var mutator = Mutator(corpus: [small, Array(small[..<4096]), Array(small[..<600])], seed: seed)
        let read = try FuzzRun.repeated("protected files", bounded: 1000) { _ in
            try files.setRaw(path, mutator.next())
            let isRight = reads(files.store, path, [content])
            if !isRight { Issue.record("a wrong byte, seed \(seed)") }
            return isRight
        }
        #expect(read.isBounded)
        var slots = Mutator(corpus: [Array(small[..<512])], seed: seed)
        var node = TreeNode(NodeName(level: 1, index: 3))
        for position in 0..<5 { node[position] = BlockEntry(offset: 4096, digest: pattern(32)) }
        var nodes = Mutator(corpus: [node.bytes], seed: seed)
        let parsed = FuzzRun.repeated("file headers and nodes", bounded: 10_000) { _ in
            let header = FileHeader(slots.next())
            let node = TreeNode(nodes.next(), NodeName(level: 1, index: 3), entries: 5)
            return header != nil || node != nil
        }
        #expect(parsed.isBounded)
    }

    // Rule: two halves of a header that are both right say the same | not compared | written for this
    @Test("two halves of a header that are both right and not the same are refused") func contradiction() throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(2 * chunk), to: path)
        let raw = try files.raw(path)
        var other = try #require(FileHeader(Array(raw[..<512])))
        let keys = try FileKeys.fetch(other, from: files.home.keybag)
        // What is possible with the key: the same sequence, another state.
        other.generation += 1
        try files.setRaw(path, Array(raw[..<512]) + keys.slot(other) + raw[1024...])
        #expect(code { _ = try files.store.read(from: path) } == .damaged)
        other.sequence += 1
        try files.setRaw(path, Array(raw[..<512]) + keys.slot(other) + raw[1024...])
        #expect(try files.store.read(from: path) == pattern(2 * chunk))
    }

    @Test("hostile values under a right authentication code never trap", arguments: [1, 2] as [UInt64])
    func authenticatedFuzz(seed: UInt64) throws {
        let files = try TemporaryStore(inMemory: true)
        let path = files.path("a")
        try files.store.write(pattern(3 * chunk + 10), to: path)
        let raw = try files.raw(path)
        let header = try #require(FileHeader(Array(raw[..<512])))
        let keys = try FileKeys.fetch(header, from: files.home.keybag)
        let node = header.root.offset..<header.root.offset + FileFormat.nodeSize
        var generator = SeededGenerator(seed: seed &+ FuzzBudget.seed(environment: environment))
        let file = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        let run = try FuzzRun.repeated("protected files under a right code", bounded: 1000) { _ in
            var hostile = header
            var leaf = Array(raw[node])
            // The leaf with some other entries, and a root that names it nevertheless.
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                let position = 16 + 8 * Int.random(in: 0..<20, using: &generator)
                var word = ByteWriter()
                word.integer(Self.number(&generator, raw.count))
                leaf.replaceSubrange(position..<position + 8, with: word.bytes)
            }
            hostile.root.digest = Digest.sha256(leaf)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: hostile.length = Int(clamping: Self.number(&generator, raw.count))
            case 1: hostile.end = Int(clamping: Self.number(&generator, raw.count))
            case 2: hostile.root.offset = Int(clamping: Self.number(&generator, raw.count))
            case 3: hostile.height = Int.random(in: 0..<7, using: &generator)
            default: break
            }
            try file.write(leaf, at: node.lowerBound)
            let slot = try keys.slot(hostile)
            try file.write(slot + slot, at: 0)
            return code({ _ = try Self.use(files.store, path) }) == nil
        }
        #expect(run.isBounded && run.refused > run.inputs / 3)
    }

    private static func use(_ store: ProtectedFileStore, _ path: FileLocation) throws -> Int {
        let handle = try store.handle(forReadingFrom: path)
        let last = try handle.read(count: 10, at: max(0, handle.length - 10))
        return try last.count + handle.read(count: 100, at: chunk - 50).count
    }

    private static func number(_ generator: inout SeededGenerator, _ near: Int) -> UInt64 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: UInt64.max >> UInt64.random(in: 0..<64, using: &generator)
        case 1: UInt64(FileFormat.offset(ofPlace: Int.random(in: 0..<6, using: &generator)))
        case 2: UInt64(near) &+ UInt64.random(in: 0..<5, using: &generator) &- 2
        default: UInt64.random(in: 0...UInt64(2 * near), using: &generator)
        }
    }

    private let environment = ProcessInfo.processInfo.environment
}
