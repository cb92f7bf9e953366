// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct FolderTests {
    @Test("new files inherit the class of the nearest folder that has one") func inherited() throws {
        let files = try TemporaryStore(passcode: "correct horse")
        let inner = files.path("inner")
        try OpenFile.makeFolder(inner, FileHooks())
        try files.store.write([1], to: inner.appending("a"))
        #expect(try files.store.protection(of: inner.appending("a")) == .completeUntilFirstUserAuthentication)
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        try files.store.write([1], to: inner.appending("b"))
        #expect(try files.store.protection(of: inner.appending("b")) == .complete)
        try files.store.setDefaultProtection(ProtectionClass.none, forFolder: inner)
        try files.store.write([1], to: inner.appending("c"))
        #expect(try files.store.protection(of: inner.appending("c")) == ProtectionClass.none)
        try files.store.write([1], to: inner.appending("d"), protection: .completeUnlessOpen)
        #expect(try files.store.protection(of: inner.appending("d")) == .completeUnlessOpen)
        try files.store.setDefaultProtection(nil, forFolder: inner)
        #expect(try files.store.defaultProtection(forFolder: inner) == .complete)
        #expect(try files.store.protection(of: inner.appending("a")) == .completeUntilFirstUserAuthentication)
    }

    @Test("a changed folder record is refused, and no file gets a weaker class for it") func changedRecord() throws {
        let files = try TemporaryStore()
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        let record = files.folder.appending(FolderRecord.fileName)
        var bytes = try files.raw(record)
        bytes[bytes.count - 1] ^= 1
        try files.setRaw(record, bytes)
        #expect(code { try files.another().write([1], to: files.path("a")) } == .damaged)
        #expect(files.names == [".zamok-folder"])
    }

    @Test("a record of another home is what the error names, whichever file was asked for") func foreignRecord() throws
    {
        let (files, others) = (try TemporaryStore(), try TemporaryStore())
        try others.store.setDefaultProtection(ProtectionClass.none, forFolder: files.folder)
        for _ in 0..<2 {
            do {
                try files.store.write(pattern(10), to: files.path("a"))
                Issue.record("written into a folder whose record can't be read")
            } catch {
                #expect(error.code == .foreign && error.message.contains(".zamok-folder"))
            }
        }
        #expect(code { _ = try files.store.defaultProtection(forFolder: files.path("absent")) } == .notFound)
        try FileManager.default.removeItem(atPath: "\(files.folder)/.zamok-folder")
        #expect(code { _ = try files.store.defaultProtection(forFolder: files.path("absent")) } == .notFound)
        try files.store.write(pattern(10), to: files.path("a"))
        #expect(try files.store.read(from: files.path("a")) == pattern(10))
    }

    // Rule: the index of a folder is asked | `FolderIndex.attempt` ignores whether the state is admitted | an older, an
    //   exchanged and a foreign file are read; 4 issues
    @Test("with an index an older, exchanged, foreign or missing file is noticed; what Zamok does is not") func index()
        throws
    {
        let files = try TemporaryStore()
        let (a, b) = (files.path("a"), files.path("b"))
        try files.store.write(pattern(10), to: a)
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.write(pattern(20), to: b)
        let old = try files.raw(a)
        let handle = try files.store.handle(forUpdating: a)
        try handle.append([1])
        try handle.synchronize()
        try handle.append([2])
        try handle.close()
        #expect(try files.store.read(from: a) == pattern(10) + [1, 2])
        let new = try files.raw(a)
        try files.setRaw(a, old)
        #expect(code { _ = try files.store.read(from: a) } == .replaced)
        #expect(code { _ = try files.store.handle(forUpdating: a) } == .replaced)
        try files.setRaw(a, try files.raw(b))
        #expect(code { _ = try files.store.read(from: a) } == .replaced)
        try files.setRaw(a, new)
        #expect(try files.store.read(from: a).count == 12)
        try files.setRaw(files.path("c"), new)
        #expect(code { _ = try files.store.read(from: files.path("c")) } == .replaced)
        try FileManager.default.removeItem(atPath: b.description)
        #expect(code { _ = try files.store.read(from: b) } == .missing)
        #expect(code { _ = try files.store.read(from: files.path("never")) } == .notFound)
        var missing: [FileLocation] = []
        try files.store.enumerate(files.folder) { if case .missing = $0.kind { missing.append($0.location) } }
        #expect(missing == [b])
    }

    @Test("the index follows copies, moves, removals, other processes and its own rewriting") func followed() throws {
        let files = try TemporaryStore()
        try files.store.setIndexed(true, folder: files.folder)
        let other = try files.another()
        for number in 0..<60 {
            let store = number % 2 == 0 ? files.store : other
            try store.write(pattern(number), to: files.path("a"))
            try store.copy(files.path("a"), to: files.path("b"))
            try store.move(files.path("b"), to: files.path("c"), options: [])
            if number % 3 == 0 { try store.remove(files.path("c")) }
            #expect(try (number % 2 == 0 ? other : files.store).read(from: files.path("a")) == pattern(number))
        }
        #expect(code { _ = try files.store.read(from: files.path("b")) } == .notFound)
        #expect(try files.store.read(from: files.path("c")) == pattern(59))
        let record = try #require(try files.store.folders.record(of: files.folder))
        #expect(record.files.count == 2 && record.recordCount <= 64 + 2 * 3)
        try files.store.setIndexed(false, folder: files.folder)
        try files.setRaw(files.path("d"), try files.raw(files.path("a")))
        #expect(try files.store.read(from: files.path("d")) == pattern(59))
    }

    @Test("looking through a folder names the class of each file, what is in clear, damaged, a link, a leftover")
    func looked() throws {
        let files = try TemporaryStore()
        try files.store.write([1], to: files.path("a"), protection: ProtectionClass.none)
        try files.setRaw(files.path("b"), Array("in clear".utf8))
        var damaged = try files.raw(files.path("a"))
        damaged[300] ^= 1
        damaged[812] ^= 1
        try files.setRaw(files.path("c"), damaged)
        try FileManager.default.createSymbolicLink(
            atPath: files.path("d").description, withDestinationPath: files.path("a").description
        )
        try OpenFile.makeFolder(files.path("e"), FileHooks())
        try files.setRaw(files.path("e").appending("f"), [])
        var kinds: [String] = []
        try files.store.enumerate(files.folder, recursively: true) { entry in
            kinds.append(
                "\(entry.location.name.map { String(UnicodeScalar($0)) }.joined()) \(String(describing: entry.kind).prefix(9))"
            )
        }
        #expect(kinds == ["a protected", "b unprotect", "c unusable(", "d other", "e folder", "f unprotect"])
    }
}
