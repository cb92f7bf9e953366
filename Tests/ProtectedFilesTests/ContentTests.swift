// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct ContentTests {
    @Test(
        "what was written is read, at every size around a chunk and a node",
        arguments: [
            0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 102 * chunk - 1, 102 * chunk, 102 * chunk + 1,
            210 * chunk + 77,
        ])
    func sizes(size: Int) throws {
        let files = try TemporaryStore()
        let content = pattern(size)
        try files.store.write(content, to: files.path("a"), protection: ProtectionClass.none)
        #expect(try files.store.read(from: files.path("a")) == content)
        let info = try files.store.info(of: files.path("a"))
        #expect(info.length == size && info.isVerified && info.protection == ProtectionClass.none)
        #expect(files.names == ["a"])
    }

    // Rule: files have mode 0600 | 0644 is set instead | 420 instead of 384
    @Test("a file has mode 0600, also when it replaces another") func mode() throws {
        let files = try TemporaryStore()
        try files.setRaw(files.path("a"), [1, 2, 3])
        try files.store.write(pattern(10), to: files.path("a"))
        let status = try OpenFile.status(of: files.path("a"), FileHooks())
        #expect(status?.permissions == 0o600)
    }

    @Test("any bytes but zero and slash are a name") func names() throws {
        let files = try TemporaryStore()
        for name: [UInt8] in [[0xFF, 0xFE], Array("a\nb".utf8), Array("-".utf8), [0x80], Array("ключ 🔑".utf8)] {
            let path = files.folder.appending(name)
            try files.store.write(name, to: path)
            #expect(try files.store.read(from: path) == name)
            try files.store.remove(path)
        }
        #expect(code { try files.store.write([], to: FileLocation(bytes: [0x61, 0])) } == .invalidArgument)
    }

    @Test(
        "random writes, cuts, growth, commits and reopenings are what a plain array would be",
        arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) throws {
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.sealing.cachedNodes = 8 })
        var model = HandleModel(try ModelFile(files.store, files.path("m")), seed: seed)
        for _ in 0..<400 { try model.step() }
        try model.finish()
    }
}

/// The file under test beside the array that says what it must be.
struct ModelFile {
    let store: ProtectedFileStore
    let path: FileLocation
    var handle: ProtectedFileHandle
    var content: [UInt8] = []
    var committed: [UInt8] = []

    init(_ store: ProtectedFileStore, _ path: FileLocation) throws {
        self.store = store
        self.path = path
        handle = try store.handle(forWritingTo: path)
    }
}

struct HandleModel {
    var file: ModelFile
    var generator: SeededGenerator

    init(_ file: ModelFile, seed: UInt64) {
        self.file = file
        generator = SeededGenerator(seed: seed)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }

    /// Offsets near the boundaries of chunks are where errors are.
    mutating func offset(upTo limit: Int) -> Int {
        let any = below(limit + 1)
        guard below(2) == 0 else { return any }
        return min(limit, max(0, any / chunk * chunk + [-1, 0, 1][below(3)]))
    }

    mutating func step() throws {
        switch below(20) {
        case 0..<6: try write(offset(upTo: file.content.count), 1 + below(9000))
        case 6..<8: try write(offset(upTo: file.content.count), 1 + below(5 * chunk))
        case 8..<11: try append(1 + below(2 * chunk))
        case 11: try write(file.content.count + below(4 * chunk), 1 + below(100))
        case 12: try cut(offset(upTo: file.content.count))
        case 13: try cut(file.content.count + below(150 * chunk) * below(2))
        case 14..<16: try commit()
        case 16: try reopen()
        case 17: try discard()
        default: try read()
        }
    }

    mutating func write(_ offset: Int, _ count: Int) throws {
        let bytes = pattern(count, seed: generator.next())
        try file.handle.write(bytes, at: offset)
        if file.content.count < offset + count {
            file.content += [UInt8](repeating: 0, count: offset + count - file.content.count)
        }
        file.content.replaceSubrange(offset..<offset + count, with: bytes)
    }

    mutating func append(_ count: Int) throws {
        let bytes = pattern(count, seed: generator.next())
        try file.handle.append(bytes)
        file.content += bytes
    }

    mutating func cut(_ length: Int) throws {
        try file.handle.truncate(atOffset: length)
        if length < file.content.count {
            file.content.removeLast(file.content.count - length)
        } else {
            file.content += [UInt8](repeating: 0, count: length - file.content.count)
        }
    }

    mutating func commit() throws {
        try file.handle.synchronize()
        file.committed = file.content
        try check(file.store.read(from: file.path), file.committed)
    }

    mutating func discard() throws {
        try file.handle.discardChanges()
        file.content = file.committed
    }

    mutating func reopen() throws {
        try file.handle.close()
        file.committed = file.content
        let info = try file.store.info(of: file.path)
        #expect(info.length == file.content.count)
        file.handle = try file.store.handle(forUpdating: file.path)
    }

    mutating func read() throws {
        let offset = offset(upTo: file.content.count)
        let count = below(3 * chunk)
        let expected = Array(file.content[offset..<min(file.content.count, offset + count)])
        try check(file.handle.read(count: count, at: offset), expected)
    }

    mutating func finish() throws {
        try file.handle.close()
        try check(file.store.read(from: file.path), file.content)
    }

    private func check(_ found: [UInt8], _ expected: [UInt8]) throws {
        if found != expected {
            let first = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            Issue.record("\(found.count) bytes, expected \(expected.count), first difference at \(first ?? -1)")
            throw CancellationError()
        }
    }
}
