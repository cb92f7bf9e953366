// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import Files
@testable import ProtectedFiles

/// What is remembered of a folder so that files open quickly, and what ends it.
@Suite struct BareFolderTests {
    private let manager = FileManager.default

    /// A store that has read the file `f` until it remembers that nothing else is in the folder.
    private func site(inMemory: Bool) throws -> TemporaryStore {
        let files = try TemporaryStore(inMemory: inMemory)
        try files.store.write([1], to: files.path("f"))
        try settle(files)
        return files
    }

    private func settle(_ files: TemporaryStore) throws {
        let begin = ContinuousClock.now
        while try files.store.boundary.bare.isBare(status(files)) != true {
            #expect(try files.store.read(from: files.path("f")) == [1])
            guard ContinuousClock.now - begin < .seconds(20) else { break }
        }
        // On a file system that isn't trusted to tell, nothing is remembered, and the rest holds all the same.
        if inKnownPlace(files) { #expect(try files.store.boundary.bare.isBare(status(files)) == true) }
    }

    private func status(_ files: TemporaryStore) throws -> FileStatus {
        try OpenFile.open(files.folder, mode: .place, hooks: FileHooks()).status()
    }

    private func inKnownPlace(_ files: TemporaryStore) -> Bool { "\(files.folder)".hasPrefix("/dev/shm/") }

    enum Way: CaseIterable { case made, renamed, linked, keybag }

    @Test("a home that is made in a folder is seen at the next opening", arguments: Way.allCases, [false, true])
    func newHome(_ way: Way, inMemory: Bool) throws {
        let files = try site(inMemory: inMemory)
        let name = "\(files.path(way == .keybag ? "keybag" : "keybag.lock"))"
        // Beside it, so that it is of the same file system.
        let source = "\(files.folder)-source"
        defer { try? manager.removeItem(atPath: source) }
        for _ in 0..<5 {
            try Data("zamokbag".utf8).write(to: URL(fileURLWithPath: source))
            switch way {
            case .made, .keybag: try Data("zamokbag".utf8).write(to: URL(fileURLWithPath: name))
            case .renamed: try manager.moveItem(atPath: source, toPath: name)
            case .linked: try manager.linkItem(atPath: source, toPath: name)
            }
            #expect(code { _ = try files.store.read(from: files.path("f")) } == .homesOwn)
            #expect(code { _ = try files.store.handle(forReadingFrom: files.path("f")) } == .homesOwn)
            try manager.removeItem(atPath: name)
            #expect(try files.store.read(from: files.path("f")) == [1])
            try settle(files)
        }
    }

    @Test("an index that another process makes binds from the next opening on", arguments: [false, true])
    func newIndex(inMemory: Bool) throws {
        let files = try site(inMemory: inMemory)
        let old = try files.raw(files.path("f"))
        let other = try files.another()
        try other.setIndexed(true, folder: files.folder)
        try other.write([2], to: files.path("f"))
        try files.setRaw(files.path("f"), old)
        #expect(code { _ = try files.store.read(from: files.path("f")) } == .replaced)
        try manager.removeItem(atPath: "\(files.path("f"))")
        #expect(code { _ = try files.store.read(from: files.path("f")) } == .missing)
    }

    @Test("another folder in the place of one that is remembered is looked at itself", arguments: [false, true])
    func exchanged(inMemory: Bool) throws {
        let files = try site(inMemory: inMemory)
        let aside = "\(files.folder)-aside"
        defer { try? manager.removeItem(atPath: aside) }
        try manager.moveItem(atPath: "\(files.folder)", toPath: aside)
        try manager.createDirectory(atPath: "\(files.folder)", withIntermediateDirectories: false)
        try manager.copyItem(atPath: aside + "/f", toPath: "\(files.path("f"))")
        try files.setRaw(files.path("keybag.lock"), [])
        #expect(code { _ = try files.store.read(from: files.path("f")) } == .homesOwn)
    }

    @Test("nothing is remembered of a folder whose next change might have the same time") func coarseTimes() throws {
        let files = try TemporaryStore(inMemory: true)
        let folder = try OpenFile.open(files.folder, mode: .place, hooks: FileHooks())
        let second: Int64 = 1_000_000_000
        func shows(_ changed: Int64, after nanoseconds: Int64) throws -> Bool {
            let now = try folder.status()
            return folder.showsChanges(
                from: changed + nanoseconds,
                FileStatus(
                    kind: now.kind, size: now.size, permissions: now.permissions, links: now.links, owner: now.owner,
                    group: now.group,
                    identity: now.identity, modified: now.modified, modifiedTime: now.modifiedTime, changed: changed))
        }
        if inKnownPlace(files) { #expect(try shows(5 * second + 1, after: second / 10)) }
        // A step of the kernel's clock has at most ten milliseconds.
        #expect(try !shows(5 * second + 1, after: second / 20))
        #expect(try !shows(5 * second + 1, after: -second))
        // Times in seconds.
        #expect(try !shows(5 * second, after: 3600 * second))
        // A file system of which nothing is known.
        let other = try OpenFile.open("/proc/self", mode: .place, hooks: FileHooks())
        let status = try other.status()
        #expect(!other.showsChanges(from: .max, status))
    }

    @Test("a link is followed to the folder that the file lies in, which is judged", arguments: [false, true])
    func links(inMemory: Bool) throws {
        let files = try site(inMemory: inMemory)
        let elsewhere = try TemporaryStore()
        try manager.createSymbolicLink(
            atPath: "\(elsewhere.path("first"))", withDestinationPath: "\(files.path("f"))")
        try manager.createSymbolicLink(atPath: "\(elsewhere.path("second"))", withDestinationPath: "first")
        try manager.createSymbolicLink(atPath: "\(elsewhere.path("round"))", withDestinationPath: "round")
        for _ in 0..<2 { #expect(try files.store.read(from: elsewhere.path("second")) == [1]) }
        #expect(code { _ = try files.store.read(from: elsewhere.path("round")) } != nil)
        try files.setRaw(files.path("keybag.lock"), [])
        #expect(code { _ = try files.store.read(from: elsewhere.path("second")) } == .homesOwn)
        // A missing file of a home is the home's, too.
        #expect(code { _ = try files.store.read(from: files.path("nothing")) } == .homesOwn)
    }
}
