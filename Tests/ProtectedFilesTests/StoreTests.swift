// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct StoreTests {
    @Test(
        "a file in clear is protected, opened again, copied, moved and removed",
        arguments: [10, 5 * chunk, 250 * chunk + 3])
    func life(size: Int) throws {
        let files = try TemporaryStore()
        let (a, b, c) = (files.path("a"), files.path("b"), files.path("c"))
        let content = pattern(size)
        try files.setRaw(a, content)
        #expect(try files.store.protection(of: a) == nil)
        #expect(code { _ = try files.store.read(from: a) } == .notProtected)
        try files.store.protect(contentsOf: a, protection: .complete)
        #expect(try files.store.verify(a).length == size)
        #expect(code { try files.store.protect(contentsOf: a) } == .alreadyProtected)
        try files.store.copy(a, to: b)
        #expect(try files.store.info(of: a).identifier != files.store.info(of: b).identifier)
        #expect(try files.store.protection(of: b) == .complete)
        try files.store.reclassify(b, to: ProtectionClass.none)
        try files.store.open(b, toPlaintextAt: c)
        #expect(try files.raw(c) == content)
        #expect(try OpenFile.status(of: c, FileHooks())?.permissions == 0o600)
        #expect(code { try files.store.open(b, toPlaintextAt: c) } == .exists)
        try files.store.remove(c)
        try files.store.move(b, to: c)
        try files.store.openInPlace(c)
        #expect(try files.raw(c) == content)
        #expect(files.names == ["a", "c"])
    }

    @Test("what would leave plaintext under another name, or is no file, is refused") func refused() throws {
        let files = try TemporaryStore()
        try files.setRaw(files.path("a"), [1])
        try FileManager.default.linkItem(atPath: files.path("a").description, toPath: files.path("b").description)
        #expect(code { try files.store.protect(contentsOf: files.path("a")) } == .unsupported)
        try FileManager.default.createSymbolicLink(
            atPath: files.path("c").description, withDestinationPath: files.path("a").description
        )
        #expect(code { try files.store.write([2], to: files.path("c")) } == .notRegular)
        #expect(code { try files.store.write([2], to: files.folder) } == .notRegular)
        #expect(code { try files.store.write([2], to: files.path("a"), protection: .whenPasscodeSet) } == .unsupported)
        #expect(code { _ = try files.store.read(from: files.path("none")) } == .notFound)
        #expect(code { try files.store.write([2], to: "/dev/null") } == .notRegular)
        #expect(try files.raw(files.path("a")) == [1])
    }

    @Test("an operation that the caller stops leaves the old file and nothing else") func stopped() throws {
        struct Enough: Error {}
        let files = try TemporaryStore()
        let content = pattern(300 * chunk)
        try files.setRaw(files.path("a"), content)
        let answer = failure(ProtectedFileError.self) {
            try files.store.protect(contentsOf: files.path("a")) { _, _ in throw Enough() }
        }
        #expect(answer?.code == .stopped && answer?.cause is Enough)
        #expect(try files.raw(files.path("a")) == content && files.names == ["a"])
    }

    @Test("a retired class key still opens files, and an update or rewrap brings them under the present one")
    func retired() throws {
        let files = try TemporaryStore()
        for (name, protection) in [("a", ProtectionClass.complete), ("b", .completeUnlessOpen), ("c", .complete)] {
            try files.store.write(pattern(100), to: files.path(name), protection: protection)
        }
        try files.home.keybag.setPasscode(try .init(copying: Array("correct horse".utf8)))
        for name in ["a", "b", "c"] {
            #expect(try files.store.info(of: files.path(name)).isUnderRetiredKey)
            #expect(try files.store.read(from: files.path(name)) == pattern(100))
        }
        #expect(try files.store.rewrap(files.path("a")) && files.store.rewrap(files.path("b")))
        #expect(try !files.store.rewrap(files.path("a")))
        try files.store.handle(forUpdating: files.path("c")).close()
        for name in ["a", "b", "c"] {
            #expect(try !files.store.info(of: files.path(name)).isUnderRetiredKey)
            #expect(try files.store.read(from: files.path(name)) == pattern(100))
        }
    }

    @Test("erasing the home leaves nothing readable, for any amount of data") func erased() throws {
        let files = try TemporaryStore()
        try files.store.write(pattern(100 * chunk), to: files.path("a"), protection: ProtectionClass.none)
        try files.home.erase()
        let other = try files.another()
        // The new home in that place can't tell it from any other home's.
        #expect(code { _ = try other.read(from: files.path("a")) } == .foreign)
    }

    @Test("parts come and go as streams, and a stream that fails leaves the old file") func streams() async throws {
        struct Enough: Error {}
        let files = try TemporaryStore()
        let content = pattern(20 * chunk + 5)
        let parts = AsyncStream<[UInt8]> { continuation in
            for begin in stride(from: 0, to: content.count, by: 70_001) {
                continuation.yield(Array(content[begin..<min(content.count, begin + 70_001)]))
            }
            continuation.finish()
        }
        try await files.store.write(contentsOf: parts, to: files.path("a"))
        var read: [UInt8] = []
        for try await part in try files.store.stream(from: files.path("a")) {
            #expect(part.count <= 8 * chunk)
            read += part
        }
        #expect(read == content)
        let failing = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1])
            continuation.finish(throwing: Enough())
        }
        await #expect(throws: Enough.self) { try await files.store.write(contentsOf: failing, to: files.path("a")) }
        #expect(try files.store.read(from: files.path("a")) == content && files.names == ["a"])
    }

    // Rule: a reader begins again when a writer was faster | the block's fault thrown
    @Test("two handles: one changes at a time, and a reader sees commits whole") func twoHandles() throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(3 * chunk), to: path)
        let reader = try files.another().handle(forReadingFrom: path)
        let writer = try files.store.handle(forUpdating: path)
        for round in 1...20 {
            let bytes = [UInt8](repeating: UInt8(round), count: 3 * chunk)
            try writer.write(bytes, at: 0)
            #expect(Set(try reader.read(count: 3 * chunk, at: 0)).count == 1 || round == 1)
            try writer.synchronize()
            #expect(try reader.read(count: 3 * chunk, at: 0) == bytes)
        }
        #expect(code { try reader.write([1], at: 0) } == .invalidArgument)
        try writer.close()
        #expect(code { _ = try writer.read(upToCount: 1) } == .closed)
    }

    // Rule: a temporary whose writer lives is left alone | its lock not asked for | written for this
    @Test("a temporary that another process holds is left alone, and removed when that ended") func held() throws {
        let files = try TemporaryStore()
        try files.store.write(pattern(10), to: files.path("a"))
        try files.store.write(pattern(100), to: files.path("b"))
        let header = try HeaderPage(files.raw(files.path("b")), files.path("b")).claimed
        let name = String(decoding: TemporaryName.name(of: header.temporaryIdentifier), as: UTF8.self)
        try FileManager.default.moveItem(atPath: "\(files.path("b"))", toPath: "\(files.path(name))")
        var holder: OpenFile? = try OpenFile.open(files.path(name), mode: .change, hooks: FileHooks())
        #expect(try holder?.tryLock() == true)
        files.store.temporaries.leftovers.remove(in: files.folder)
        #expect(files.names == [name, "a"])
        holder = nil
        files.removeLeftovers(files.store)
        #expect(files.names == ["a"])
    }
}
