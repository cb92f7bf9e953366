// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// A folder is what the kernel knows it by; its record is ours, and can't be lost unnoticed.
@Suite struct FolderRuleTests {
    private func makeFolder(_ path: FileLocation) throws { try OpenFile.makeFolder(path, FileHooks()) }

    private func remove(_ path: FileLocation) throws { try FileManager.default.removeItem(atPath: "\(path)") }

    private func link(_ path: FileLocation, to target: FileLocation) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)", withDestinationPath: "\(target)")
    }

    @Test("the default class is that of the folder itself, through any links and dots") func identity() throws {
        let (files, elsewhere) = (try TemporaryStore(), try TemporaryStore())
        let inner = files.path("inner")
        try makeFolder(inner)
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        let shortcut = elsewhere.path("link")
        try link(shortcut, to: inner)
        for (number, folder) in [
            shortcut, inner.appending("."), inner.appending("../inner"), shortcut.appending("../inner"),
        ].enumerated() {
            #expect(try files.store.defaultProtection(forFolder: folder) == .complete, "\(folder)")
            try files.store.write([1], to: folder.appending("\(number)"))
            #expect(try files.store.protection(of: inner.appending("\(number)")) == .complete, "\(folder)")
        }
        // What the text says lies above is no folder above.
        try makeFolder(files.path("other"))
        try files.store.setDefaultProtection(ProtectionClass.none, forFolder: elsewhere.folder)
        #expect(try files.store.defaultProtection(forFolder: shortcut) == .complete)
    }

    @Test("the index that counts is that of the folder in which a file lies, not of one with a link to it")
    func linkedFile() throws {
        let (files, elsewhere) = (try TemporaryStore(), try TemporaryStore())
        try files.store.write(pattern(10), to: files.path("a"))
        let old = try files.raw(files.path("a"))
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.write(pattern(20), to: files.path("a"))
        try link(elsewhere.path("l"), to: files.path("a"))
        #expect(try files.store.read(from: elsewhere.path("l")) == pattern(20))
        try files.setRaw(files.path("a"), old)
        #expect(code { _ = try files.store.read(from: elsewhere.path("l")) } == .replaced)
    }

    @Test("a record that others can write to doesn't count, and is told") func writable() throws {
        let files = try TemporaryStore()
        try files.store.setDefaultProtection(ProtectionClass.none, forFolder: files.folder)
        let record = files.path(".zamok-folder")
        for mode in [0o666, 0o620, 0o602] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(record)")
            #expect(code { try files.store.write([1], to: files.path("a")) } == .folderRecord)
            #expect(code { try files.store.verify(folder: files.folder) } == .folderRecord)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(record)")
        try files.store.write([1], to: files.path("a"))
        #expect(try files.store.protection(of: files.path("a")) == ProtectionClass.none)
        // Other file types in its place are no record, either.
        try remove(record)
        for make in [{ try makeFolder(record) }, { try link(record, to: "/etc/passwd") }] {
            try make()
            #expect(code { try files.store.write([1], to: files.path("b")) } == .folderRecord)
            try remove(record)
        }
    }

    // Rule: the search upwards ends at the first folder of another user | it goes on | 3 cases
    @Test(
        "another user's record doesn't count, and the search upwards ends at the first folder of another user",
        .enabled(if: geteuid() == 0, "another owner can be given by root alone"))
    func owners() throws {
        let files = try TemporaryStore()
        let (middle, inner) = (files.path("middle"), files.path("middle/inner"))
        for folder in [middle, inner] { try makeFolder(folder) }
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        #expect(try files.store.defaultProtection(forFolder: inner) == .complete)
        let record = files.path(".zamok-folder")
        try FileManager.default.setAttributes([.ownerAccountID: 54_321], ofItemAtPath: "\(record)")
        #expect(try files.store.defaultProtection(forFolder: inner) == nil)
        try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: "\(record)")
        try FileManager.default.setAttributes([.ownerAccountID: 54_321], ofItemAtPath: "\(middle)")
        #expect(try files.store.defaultProtection(forFolder: inner) == nil)
        #expect(try files.store.defaultProtection(forFolder: middle) == nil)
        // Bytes of another home are no obstacle there: they are not read.
        let others = try TemporaryStore()
        try others.store.write([1], to: others.path("other"), protection: ProtectionClass.none)
        try FileManager.default.moveItem(atPath: "\(others.path("other"))", toPath: "\(middle)/.zamok-folder")
        try files.store.write([1], to: inner.appending("a"))
        #expect(
            code { try files.store.setDefaultProtection(.complete, forFolder: middle) } == .notPermitted)
    }

    // Rule: files remember the records that held for them | they are not asked | 6 cases; also "a removed record with
    //   an index is noticed ..." (3); KnownFolderTests "every folder whose files remember ... is named" (4)
    @Test("a removed or exchanged record is noticed: no file gets a weaker class for it, and verify names it")
    func forgottenClass() throws {
        let files = try TemporaryStore()
        let inner = files.path("inner")
        try makeFolder(inner)
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        try files.store.write([1], to: inner.appending("a"))
        try files.store.verify(folder: inner)
        let record = files.path(".zamok-folder")
        let kept = try files.raw(record)
        try remove(record)
        for store in [files.store, try files.another()] {
            #expect(code { try store.write([1], to: inner.appending("b")) } == .folderRecord)
            #expect(code { try store.verify(folder: inner) } == .folderRecord)
        }
        // A class that is said is not weaker than asked.
        try files.store.write([1], to: inner.appending("c"), protection: .complete)
        // Another record of ours in its place.
        try makeFolder(files.path("weak"))
        try files.store.setDefaultProtection(ProtectionClass.none, forFolder: files.path("weak"))
        try files.setRaw(record, try files.raw(files.path("weak").appending(".zamok-folder")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(record)")
        #expect(code { try files.another().write([1], to: inner.appending("b")) } == .folderRecord)
        try files.setRaw(record, kept)
        try files.store.write([1], to: inner.appending("b"))
        #expect(try files.store.protection(of: inner.appending("b")) == .complete)
        // For good: by an explicit word.
        try remove(record)
        #expect(code { try files.store.setDefaultProtection(nil, forFolder: inner) } == .folderRecord)
        try files.store.setDefaultProtection(.completeUnlessOpen, forFolder: inner, adopting: true)
        try files.store.verify(folder: inner)
        try files.store.write([1], to: inner.appending("d"))
        #expect(try files.store.protection(of: inner.appending("d")) == .completeUnlessOpen)
    }

    @Test("a removed record with an index is noticed, also by files that were there before it; and while locked")
    func forgottenIndex() throws {
        let files = try TemporaryStore(passcode: "correct horse")
        try files.store.write(pattern(10), to: files.path("a"), protection: .complete)
        try files.store.setIndexed(true, folder: files.folder)
        try remove(files.path(".zamok-folder"))
        #expect(code { try files.store.verify(folder: files.folder) } == .folderRecord)
        #expect(try files.store.read(from: files.path("a")) == pattern(10))
        try files.home.keybag.lock()
        #expect(
            code { try files.another().write([1], to: files.path("b"), protection: .completeUnlessOpen) }
                == .folderRecord)
        try files.unlock()
        #expect(code { try files.store.setIndexed(true, folder: files.folder) } == .folderRecord)
        try files.store.setIndexed(true, folder: files.folder, adopting: true)
        try files.store.verify(folder: files.folder)
        try files.store.write([1], to: files.path("b"))
        #expect(try files.store.read(from: files.path("b")) == [1])
    }

    @Test("a file that was moved or copied to another folder claims nothing there") func moved() throws {
        let (files, elsewhere) = (try TemporaryStore(), try TemporaryStore())
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        for name in ["a", "b"] { try files.store.write(pattern(10), to: files.path(name)) }
        try FileManager.default.copyItem(atPath: "\(files.path("a"))", toPath: "\(elsewhere.path("a"))")
        try FileManager.default.moveItem(atPath: "\(files.path("b"))", toPath: "\(elsewhere.path("b"))")
        try files.store.verify(folder: elsewhere.folder)
        try files.store.write([1], to: elsewhere.path("c"))
        #expect(try files.store.protection(of: elsewhere.path("c")) == .completeUntilFirstUserAuthentication)
        #expect(try files.store.read(from: elsewhere.path("b")) == pattern(10))
    }

    @Test("the records of folders are changed by what they are for alone") func records() throws {
        let files = try TemporaryStore()
        try files.store.setIndexed(true, folder: files.folder)
        let record = files.path(".zamok-folder")
        let calls: [() throws -> Void] = [
            { try files.store.write([1], to: record) }, { try files.store.remove(record) },
            { try files.store.move(record, to: files.path("x")) }, { try files.store.openInPlace(record) },
            { _ = try files.store.handle(forUpdating: record) },
            { try files.store.copy(record, to: record, options: []) },
        ]
        for (number, call) in calls.enumerated() { #expect(code(call) == .invalidArgument, "\(number)") }
        #expect(try files.store.isIndexed(files.folder))
    }
}

/// What an index denies stays denied.
@Suite struct IndexRuleTests {
    private func site() throws -> TemporaryStore {
        let files = try TemporaryStore()
        for name in ["a", "b", "c", "d", "e"] { try files.store.write(pattern(10), to: files.path(name)) }
        try files.store.setIndexed(true, folder: files.folder)
        return files
    }

    private func remove(_ path: FileLocation) throws { try FileManager.default.removeItem(atPath: "\(path)") }

    /// What looking through a folder says of each name, with the code of what can't be used.
    private func kinds(_ files: TemporaryStore) throws -> [String: String] {
        var kinds: [String: String] = [:]
        try files.store.enumerate(files.folder) { entry in
            let name = String(decoding: entry.location.name, as: UTF8.self)
            switch entry.kind {
            case .unusable(let error): kinds[name] = "\(error.code)"
            case .protected: kinds[name] = "protected"
            default: if kinds[name] == nil { kinds[name] = "\(entry.kind)" }
            }
        }
        return kinds
    }

    @Test("a known name that is a link, a folder, a pipe, a file in clear or gone now is a finding") func names() throws
    {
        let files = try site()
        for name in ["a", "b", "c", "d", "e"] { try remove(files.path(name)) }
        try FileManager.default.createSymbolicLink(atPath: "\(files.path("a"))", withDestinationPath: "/etc/passwd")
        try OpenFile.makeFolder(files.path("b"), FileHooks())
        try #require(unsafe mkfifo("\(files.path("c"))", 0o600) == 0)
        try files.setRaw(files.path("d"), Array("in clear".utf8))
        try OpenFile.makeFolder(files.path("new"), FileHooks())
        #expect(
            try kinds(files) == [
                "a": "replaced", "b": "replaced", "c": "replaced", "d": "replaced", "e": "missing", "new": "folder",
            ])
        #expect(code { _ = try files.store.read(from: files.path("d")) } == .replaced)
        #expect(code { _ = try files.store.read(from: files.path("b")) } == .replaced)
    }

    @Test("protecting over a known name, moving and making another file adopt nothing without a word") func adopted()
        throws
    {
        let files = try site()
        let elsewhere = try TemporaryStore()
        try files.setRaw(files.path("a"), Array("in clear".utf8))
        #expect(code { try files.store.protect(contentsOf: files.path("a")) } == .replaced)
        #expect(code { try files.store.remove(files.path("z")) } == .notFound)
        try remove(files.path("b"))
        #expect(code { try files.store.remove(files.path("b")) } == .missing)
        #expect(code { try files.store.move(files.path("c"), to: files.path("b")) } == .missing)
        #expect(
            code { try files.store.write([1], to: files.path("b"), options: .withoutOverwriting) } == .missing)
        // Exchanged: neither to another name nor to another folder.
        try files.setRaw(files.path("c"), try files.raw(files.path("d")))
        #expect(code { try files.store.move(files.path("c"), to: files.path("n")) } == .replaced)
        #expect(code { try files.store.move(files.path("c"), to: elsewhere.path("n")) } == .replaced)
        #expect(code { try files.store.copy(files.path("c"), to: elsewhere.path("n")) } == .replaced)
        #expect(code { _ = try files.store.read(from: files.path("c")) } == .replaced)
        #expect(code { _ = try files.store.read(from: files.path("b")) } == .missing)
        // With one.
        try files.store.protect(contentsOf: files.path("a"), adopting: true)
        #expect(try files.store.read(from: files.path("a")) == Array("in clear".utf8))
        try files.store.write([1], to: files.path("b"), options: [.withoutOverwriting, .adopting])
        #expect(try files.store.read(from: files.path("b")) == [1])
    }

    @Test("a file is moved between neighbours that both have an index, and onto itself, however it is called")
    func moved() throws {
        let files = try TemporaryStore()
        let (first, second) = (files.path("first"), files.path("second"))
        for folder in [first, second] {
            try FileManager.default.createDirectory(atPath: "\(folder)", withIntermediateDirectories: false)
            try files.store.setIndexed(true, folder: folder)
        }
        let (old, new) = (first.appending("a"), second.appending("b"))
        try files.store.write([1], to: old)
        let other = FileLocation("\(second)/../first/./a")
        for name in [old, other] { try files.store.move(old, to: name) }
        try files.store.move(other, to: new)
        try files.store.move(new, to: FileLocation("\(first)/../second/c"))
        try files.store.move(second.appending("c"), to: old)
        #expect(try files.store.read(from: old) == [1])
        try FileManager.default.linkItem(atPath: "\(old)", toPath: "\(new)")
        #expect(code { try files.store.move(old, to: new, options: []) } == .exists)
        #expect(try files.store.read(from: old) == [1])
    }

    // Rule: an index that is turned on again takes nothing that it denies | it takes all | 4 cases
    @Test("turned on again an index takes nothing that it denies, also after it was off", arguments: [false, true])
    func again(wasOff: Bool) throws {
        let files = try site()
        try files.store.setIndexed(true, folder: files.folder)
        if wasOff { try files.store.setIndexed(false, folder: files.folder) }
        try files.setRaw(files.path("a"), try files.raw(files.path("b")))
        try remove(files.path("c"))
        try files.setRaw(files.path("new"), try files.raw(files.path("b")))
        let error = failure(ProtectedFileError.self) { try files.store.setIndexed(true, folder: files.folder) }
        #expect(error?.code == .replaced)
        #expect(error?.message.contains("3 names") == true && error?.message.contains("a, c, new") == true)
        if !wasOff { #expect(code { _ = try files.store.read(from: files.path("a")) } == .replaced) }
        try files.store.setIndexed(true, folder: files.folder, adopting: true)
        #expect(try files.store.read(from: files.path("a")) == pattern(10))
        #expect(code { _ = try files.store.read(from: files.path("c")) } == .notFound)
        #expect(try files.store.read(from: files.path("new")) == pattern(10))
        try files.store.setIndexed(true, folder: files.folder)
    }

    @Test("a handle that was open before the index was made tells it of its commits") func openHandle() throws {
        let files = try TemporaryStore()
        try files.store.write(pattern(10), to: files.path("a"))
        let handle = try files.store.handle(forUpdating: files.path("a"))
        try files.store.setIndexed(true, folder: files.folder)
        try handle.append([1])
        try handle.close()
        #expect(try files.store.read(from: files.path("a")) == pattern(10) + [1])
    }

    @Test("a damaged record is one finding, and the files beside it are seen all the same") func damagedRecord() throws
    {
        let files = try site()
        var bytes = try files.raw(files.path(".zamok-folder"))
        bytes[bytes.count - 1] ^= 1
        try files.setRaw(files.path(".zamok-folder"), bytes)
        var seen: [String: String] = [:]
        try files.another().enumerate(files.folder) {
            seen[String(decoding: $0.location.name, as: UTF8.self)] = String("\($0.kind)".prefix(9))
        }
        #expect(seen.count == 6 && seen[".zamok-folder"]?.hasPrefix("unusable") == true && seen["a"] == "protected")
    }
}

/// Whose a file is, and what lies behind its end.
@Suite struct FileRuleTests {
    // Rule: a file of another home says whose it is | said to be lost | 32 cases
    @Test(
        "a file of another home says so, of every class, and is never said to be lost",
        arguments: [ProtectionClass.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none])
    func foreign(protection: ProtectionClass) throws {
        let (one, two) = (try TemporaryStore(), try TemporaryStore(passcode: "correct horse"))
        try one.store.write(pattern(100), to: one.path("a"), protection: protection)
        for _ in 0..<2 {
            let error = failure(ProtectedFileError.self) { _ = try two.store.read(from: one.path("a")) }
            #expect(error?.code == .foreign && error?.owner == one.home.keybag.homeIdentifier)
            #expect(error?.message.contains("exist") == false)
            #expect(try two.store.info(of: one.path("a")).obstacle == .foreign)
            #expect(code { try two.store.verify(one.path("a")) } == .foreign)
            #expect(code { try two.store.reclassify(one.path("a"), to: .none) } == .foreign)
            try two.home.keybag.lock()
        }
    }

    @Test("a key that is gone in this very home is told as that; a header without a home's mark is damage")
    func gone() throws {
        let files = try TemporaryStore()
        try files.store.write(pattern(100), to: files.path("a"))
        let raw = try files.raw(files.path("a"))
        var bytes = raw
        for slot in [0, 512] { bytes[slot + 35] ^= 1 }
        try files.setRaw(files.path("a"), bytes)
        #expect(code { _ = try files.store.read(from: files.path("a")) } == .keyDestroyed)
        bytes = raw
        bytes[200] ^= 1
        try files.setRaw(files.path("a"), bytes)
        #expect(try files.store.read(from: files.path("a")) == pattern(100))
        #expect(try files.store.info(of: files.path("a")).hasDamagedHalf)
    }

    // Rule: bytes behind the end of a protected file are damage | ignored | 6 cases; also "a repair writes a damaged
    //   half ..."; ProtectedFilesTests/VectorTests (trailing-byte, trailing-chunk, header-of-older-state: 8)
    @Test("bytes behind the end go by a repair that verifies all the rest first", arguments: [0, 1, 100_000])
    func repaired(size: Int) throws {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(size), to: path)
        let raw = try files.raw(path)
        try files.setRaw(path, raw + [1, 2, 3])
        #expect(code { _ = try files.store.read(from: path) } == .damaged)
        #expect(code { _ = try files.store.handle(forUpdating: path) } == .damaged)
        #expect(try files.store.repair(path) == FileRepair(removedBytes: 3, hadDamagedHalf: false))
        #expect(try files.raw(path) == raw)
        #expect(try files.store.repair(path) == FileRepair(removedBytes: 0, hadDamagedHalf: false))
        #expect(try files.store.read(from: path) == pattern(size))
    }

    // Rule: a repair verifies the rest first | it does not | 2 cases
    @Test("a repair changes nothing where something else is damaged, or the index denies it") func notRepaired() throws
    {
        let files = try TemporaryStore()
        let path = files.path("a")
        try files.store.write(pattern(100_000), to: path)
        let raw = try files.raw(path)
        var bytes = raw + [1, 2, 3]
        bytes[90_000] ^= 1
        try files.setRaw(path, bytes)
        #expect(code { try files.store.repair(path) } == .damaged)
        #expect(try files.raw(path) == bytes)
        try files.setRaw(path, Array(raw.dropLast()))
        #expect(code { try files.store.repair(path) } == .damaged)
        #expect(try files.raw(path) == Array(raw.dropLast()))
        try files.setRaw(path, raw)
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.write(pattern(5), to: path)
        try files.setRaw(path, raw + [1])
        #expect(code { try files.store.repair(path) } == .replaced)
        #expect(try files.raw(path) == raw + [1])
    }

    @Test("a repair writes a damaged half of the header anew; a folder's record is repaired likewise") func halves()
        throws
    {
        let files = try TemporaryStore()
        try files.store.write(pattern(10), to: files.path("a"))
        try files.store.setIndexed(true, folder: files.folder)
        for offset in [100, 900] {
            var bytes = try files.raw(files.path("a"))
            bytes[offset] ^= 1
            try files.setRaw(files.path("a"), bytes)
            #expect(try files.store.repair(files.path("a")).hadDamagedHalf)
            #expect(try !files.store.info(of: files.path("a")).hasDamagedHalf)
        }
        let record = files.path(".zamok-folder")
        try files.setRaw(record, try files.raw(record) + [0])
        #expect(code { _ = try files.another().read(from: files.path("a")) } == .damaged)
        #expect(try files.another().repair(record).removedBytes == 1)
        #expect(try files.another().read(from: files.path("a")) == pattern(10))
    }
}
