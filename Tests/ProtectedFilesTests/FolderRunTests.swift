// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

/// A run over many files writes half as many commits to an index, and knows as much when it ends.
@Suite struct FolderRunTests {
    private func record(of folder: FileLocation, by store: ProtectedFileStore) throws -> FolderRecord {
        try #require(try store.folders.parsed(folder, rereading: true)?.record)
    }

    /// The files that the index has as being changed.
    private func incomplete(_ folder: FileLocation, by store: ProtectedFileStore) throws -> [String] {
        try record(of: folder, by: store).files.all.filter { $0.value.next != nil }.map {
            String(decoding: $0.key, as: UTF8.self)
        }
        .sorted()
    }

    private func commits(of folder: FileLocation, by store: ProtectedFileStore) throws -> UInt64 {
        let path = folder.appending(FolderRecord.fileName)
        return try SealedFile.open(path, mode: .look, keybag: store.keybag, hooks: store.hooks).header.sequence
    }

    // Rule: in a run a change is completed with the next one | each is completed by itself | 1 case
    @Test("a change is completed with the next one, and the last one at the end, also by an error") func completed()
        throws
    {
        struct Refused: Error {}
        let files = try TemporaryStore()
        try files.store.setIndexed(true, folder: files.folder)
        let before = try commits(of: files.folder, by: files.store)
        #expect(throws: Refused.self) {
            try files.store.completingLater {
                for number in 0..<10 {
                    try files.store.write(pattern(10), to: files.path("\(number)"))
                    #expect(try incomplete(files.folder, by: files.another()) == ["\(number)"])
                    #expect(try files.another().read(from: files.path("\(number)")) == pattern(10))
                }
                throw Refused()
            }
        }
        let inRun = try commits(of: files.folder, by: files.store) - before
        #expect(try incomplete(files.folder, by: files.another()).isEmpty)
        try files.another().verify(folder: files.folder)
        let old = try files.raw(files.path("9"))
        for number in 0..<10 { try files.store.write(pattern(20), to: files.path("\(number)")) }
        let alone = try commits(of: files.folder, by: files.store) - before - inRun
        #expect(inRun * 4 < alone, "\(inRun) in the run, \(alone) by themselves")
        try files.setRaw(files.path("9"), old)
        #expect(code { _ = try files.another().read(from: files.path("9")) } == .replaced)
    }

    // Rule: only the change that is still the last for its name is completed | every one is | 1 case
    @Test("what another process has done to a file meanwhile is not completed as if it hadn't") func meanwhile() throws
    {
        let files = try TemporaryStore()
        let another = try files.another()
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.completingLater {
            try files.store.write(pattern(10), to: files.path("a"))
            try another.write(pattern(20), to: files.path("a"))
            try files.store.write(pattern(10), to: files.path("b"))
            try another.remove(files.path("b"))
            try files.store.write(pattern(10), to: files.path("c"))
            try another.setIndexed(false, folder: files.folder)
            try another.setIndexed(true, folder: files.folder)
        }
        for store in [files.store, another, try files.another()] {
            #expect(try store.read(from: files.path("a")) == pattern(20))
            #expect(code { _ = try store.read(from: files.path("b")) } == .notFound)
            #expect(try store.read(from: files.path("c")) == pattern(10))
            #expect(try incomplete(files.folder, by: store).isEmpty)
        }
    }

    @Test("each folder's last change is completed before another folder's first, and one whose record is gone is none")
    func folders() throws {
        let files = try TemporaryStore()
        let (one, two) = (files.path("one"), files.path("two"))
        for folder in [one, two] {
            try OpenFile.makeFolder(folder, FileHooks())
            try files.store.setIndexed(true, folder: folder)
        }
        try files.store.completingLater {
            try files.store.write([1], to: one.appending("a"))
            try files.store.write([1], to: two.appending("a"))
            #expect(try incomplete(one, by: files.another()).isEmpty)
            #expect(try incomplete(two, by: files.another()) == ["a"])
            try files.store.move(two.appending("a"), to: one.appending("b"))
            try files.store.write([1], to: files.path("none"))
            #expect(try incomplete(one, by: files.another()) + incomplete(two, by: files.another()) == [])
            try files.store.write([1], to: two.appending("c"))
            try FileManager.default.removeItem(atPath: "\(two)")
        }
        #expect(try files.another().read(from: one.appending("b")) == [1])
        #expect(try incomplete(one, by: files.another()).isEmpty)
    }
}
