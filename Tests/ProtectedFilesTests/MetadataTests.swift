// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

private func call(_ path: FileLocation, _ body: (UnsafePointer<CChar>) -> Int32) throws {
    let result = unsafe "\(path)".withCString { unsafe body($0) }
    try #require(result == 0)
}

/// What a file has beside its content: mode, owner, times, access lists, extended attributes.
@Suite struct MetadataTests {
    private static let note = Array("user.note".utf8)
    private static let list = Array("system.posix_acl_access".utf8)

    /// Owner rw, user 12345 r, group nothing, mask r, others nothing.
    private static let oneReader: [UInt8] = {
        let entries: [(tag: UInt16, access: UInt16, id: UInt32)] = [
            (1, 6, .max), (2, 4, 12345), (4, 0, .max), (16, 4, .max), (32, 0, .max),
        ]
        func bytes<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
            (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> T(8 * $0)) }
        }
        return bytes(UInt32(2)) + entries.flatMap { bytes($0.tag) + bytes($0.access) + bytes($0.id) }
    }()

    /// All of it, to compare.
    private struct Metadata: Equatable {
        let mode, owner, group: UInt32
        let read, modified: timespec
        let attributes: [[UInt8]: [UInt8]]

        init(_ path: FileLocation) throws {
            var status = stat()
            try unsafe call(path) { unsafe lstat($0, &status) }
            (mode, owner, group) = (status.st_mode, status.st_uid, status.st_gid)
            (read, modified) = (status.st_atim, status.st_mtim)
            let file = try OpenFile.open(path, mode: .look, hooks: FileHooks())
            var attributes: [[UInt8]: [UInt8]] = [:]
            for name in try file.attributeNames() { attributes[name] = try file.attribute(name) }
            self.attributes = attributes
        }

        /// But for the times.
        func isEqual(to other: Self) -> Bool {
            mode == other.mode && owner == other.owner && group == other.group && attributes == other.attributes
        }

        static func == (one: Self, other: Self) -> Bool {
            one.isEqual(to: other) && one.read.tv_sec == other.read.tv_sec && one.read.tv_nsec == other.read.tv_nsec
                && one.modified.tv_sec == other.modified.tv_sec && one.modified.tv_nsec == other.modified.tv_nsec
        }
    }

    /// A plaintext file with everything that the file system takes.
    private func made(_ files: TemporaryStore, _ name: String = "f", mode: UInt32 = 0o644) throws -> FileLocation {
        let path = files.path(name)
        try files.setRaw(path, pattern(100_000))
        let file = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        _ = try file.setAttribute(Self.note, Array("kept".utf8))
        _ = try file.setAttribute(Self.list, Self.oneReader)
        try unsafe call(path) { unsafe chmod($0, mode) }
        var times = [
            timespec(tv_sec: 1_000_000_000, tv_nsec: 1), timespec(tv_sec: 1_100_000_000, tv_nsec: 999_999_999),
        ]
        try unsafe call(path) { unsafe utimensat(AT_FDCWD, $0, &times, 0) }
        return path
    }

    // Rule: mode, times, lists and attributes are kept with a file | times and lists not set | the list is missing, the
    //   time is now
    @Test(
        "stay with a file that is protected, given another class and opened, in place and as copies",
        arguments: [0o644, 0o440, 0o4755, 0o600] as [UInt32])
    func kept(mode: UInt32) throws {
        let files = try TemporaryStore()
        let path = try made(files, mode: mode)
        let before = try Metadata(path)
        #expect(try files.store.protect(contentsOf: path, protection: ProtectionClass.none) == [])
        #expect(try Metadata(path) == before)
        #expect(try files.store.open(path, toPlaintextAt: files.path("copy")) == [])
        #expect(try Metadata(files.path("copy")) == before)
        #expect(try files.store.protect(contentsOf: files.path("copy"), to: files.path("sealed")) == [])
        #expect(try Metadata(files.path("sealed")) == before)
        #expect(try files.store.openInPlace(path) == [])
        #expect(try Metadata(path) == before)
        #expect(try files.raw(path) == pattern(100_000))
        // A change of class has a time of its own.
        try files.store.reclassify(files.path("sealed"), to: .completeUnlessOpen)
        #expect(try Metadata(files.path("sealed")).isEqual(to: before))
    }

    // Rule: an access list of the folder doesn't become effective with the mode | what is inherited not removed |
    //   others may read
    @Test("are not widened by what new files of the folder inherit")
    func inherited() throws {
        let files = try TemporaryStore()
        let folder = try OpenFile.open(files.folder, mode: .folder, hooks: FileHooks())
        let path = files.path("f")
        try files.setRaw(path, pattern(10))
        try unsafe call(path) { unsafe chmod($0, 0o640) }
        guard try folder.setAttribute(Array("system.posix_acl_default".utf8), Self.oneReader) else { return }
        try files.store.protect(contentsOf: path)
        #expect(try Metadata(path).attributes[Self.list] == nil)
        #expect(try Metadata(path).mode & 0o7777 == 0o640)
    }

    // Rule: the plaintext of another user's file is its opener's alone | the file's own mode and owner taken | mode
    //   0644, that user's
    @Test(
        "another user's file made of our ciphertext opens nothing to that user",
        .enabled(if: geteuid() == 0, "another owner can be given by root alone"))
    func foreign() throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.store.write(pattern(10), to: path, protection: ProtectionClass.none)
        try files.setRaw(files.path("theirs"), try files.raw(path))
        try unsafe call(files.path("theirs")) { unsafe chmod($0, 0o644) | chown($0, 12345, 12345) }
        _ = try OpenFile.open(files.path("theirs"), mode: .change, hooks: FileHooks())
            .setAttribute(Self.list, Self.oneReader)
        for target in ["copy", "theirs"] {
            let lost =
                target == "copy"
                ? try files.store.open(files.path("theirs"), toPlaintextAt: files.path("copy"))
                : try files.store.openInPlace(files.path("theirs"))
            #expect(lost.contains([.owner, .mode]))
            let metadata = try Metadata(files.path(target))
            #expect(metadata.owner == 0 && metadata.mode & 0o7777 == 0o600)
            #expect(metadata.attributes[Self.list] == nil)
        }
    }

    // Rule: an owner that Zamok has set is restored | the attribute is not set | it is its opener's
    @Test(
        "with their owner are given back to a file that was that user's, and to no copy of it",
        .enabled(if: geteuid() == 0, "another owner can be given by root alone"))
    func owner() throws {
        let files = try TemporaryStore()
        let path = try made(files)
        try unsafe call(path) { unsafe chown($0, 12345, 23456) }
        let before = try Metadata(path)
        // A file system without extended attributes keeps none of this.
        guard before.attributes[Self.note] != nil else { return }
        try files.store.protect(contentsOf: path, protection: ProtectionClass.none)
        let sealed = try Metadata(path)
        #expect(sealed.owner == 12345 && sealed.group == 23456 && sealed.mode == before.mode)
        let seal = try #require(sealed.attributes[AccessSeal.attribute])
        // On a file of other content, and with another mode, the attribute says nothing.
        try files.store.write(pattern(10), to: files.path("other"), protection: ProtectionClass.none)
        try unsafe call(files.path("other")) { unsafe chown($0, 12345, 23456) }
        #expect(
            try OpenFile.open(files.path("other"), mode: .change, hooks: FileHooks())
                .setAttribute(AccessSeal.attribute, seal))
        #expect(try files.store.openInPlace(files.path("other")).contains(.owner))
        try unsafe call(path) { unsafe chmod($0, 0o666) }
        #expect(try files.store.open(path, toPlaintextAt: files.path("copy")).contains(.owner))
        try unsafe call(path) { unsafe chmod($0, before.mode & 0o7777) }
        #expect(try files.store.openInPlace(path) == [])
        #expect(try Metadata(path) == before)
    }

    /// Leaves no room for another attribute; false where there is always more.
    private func isFull(_ path: FileLocation) throws -> Bool {
        let file = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        for size in [40, 10, 1, 0] {
            for number in 0..<300 {
                guard try file.setAttribute(Array("user.\(size).\(number)".utf8), pattern(size)) else { break }
            }
        }
        return try !file.setAttribute(AccessSeal.attribute, pattern(32))
    }

    // Rule: another user's file, whose owner could not be restored, is not protected | the attribute's failure ignored
    //   | protected
    @Test(
        "without room for the owner's attribute leave another user's file as it was",
        .enabled(if: geteuid() == 0, "another owner can be given by root alone"))
    func full() throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.setRaw(path, pattern(10))
        // A file system with room for more says nothing here.
        guard try isFull(path) else { return }
        try unsafe call(path) { unsafe chown($0, 12345, 23456) }
        let before = try Metadata(path)
        let error = #expect(throws: ProtectedFileError.self) {
            try files.store.protect(contentsOf: path, protection: ProtectionClass.none)
        }
        #expect(error?.code == .unsupported)
        #expect(try Metadata(path) == before)
        #expect(try files.raw(path) == pattern(10))
        #expect(files.names == ["f"])
        // Its own owner needs no such attribute.
        try unsafe call(path) { unsafe chown($0, 0, 0) }
        #expect(throws: Never.self) { try files.store.protect(contentsOf: path, protection: ProtectionClass.none) }
    }

    @Test("that can't be set leave the file as it was")
    func failing() throws {
        let files = try TemporaryStore()
        let path = try made(files)
        let before = try Metadata(path)
        let failing = try files.another(.sealed { $0.hooks.intercept = { $0.operation == .metadata ? EIO : 0 } })
        #expect(throws: ProtectedFileError.self) { try failing.protect(contentsOf: path) }
        #expect(try Metadata(path) == before)
        try files.store.protect(contentsOf: path, protection: ProtectionClass.none)
        #expect(throws: ProtectedFileError.self) { try failing.openInPlace(path) }
        #expect(try Metadata(path) == before)
        #expect(try files.store.read(from: path) == pattern(100_000))
        #expect(files.names == ["f"])
    }
}
