// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct KnownFolderTests {
    /// What noting so many folders one after the other costs.
    private struct Cost {
        var rewritings = 0
        /// Reads of the list from its beginning.
        var readings = 0
        var calls = 0
    }

    private func cost(ofNoting count: Int) throws -> Cost {
        let cost = Locked(Cost())
        let configuration = ProtectedFileStore.Configuration.sealed {
            $0.hooks.intercept = { step in
                guard "\(step.path)".hasSuffix("/stores/files") || "\(step.path)".hasSuffix("/stores/files.new") else {
                    return 0
                }
                cost.withLock { cost in
                    cost.calls += 1
                    if step.operation == .rename { cost.rewritings += 1 }
                    if step.operation == .read, step.offset == 0 { cost.readings += 1 }
                }
                return 0
            }
        }
        let files = try TemporaryStore(configuration: configuration)
        for number in 0..<count {
            let folder = files.path("\(number)")
            try OpenFile.makeFolder(folder, FileHooks())
            try files.store.knownFolders.note(folder)
        }
        #expect(try files.store.knownFolders.all().count == count)
        return cost.withLock { $0 }
    }

    // Rule: noting a folder costs the same, however many there are | the list read anew for each; folders that are gone
    //   looked for at each beyond 512 | 1 cases; 3
    @Test("noting folders costs the same for each, however many there are") func linear() throws {
        let (few, many) = (try cost(ofNoting: 300), try cost(ofNoting: 1500))
        #expect(many.rewritings <= 3, "\(many)")
        #expect(many.readings <= 8, "\(many)")
        #expect(many.calls <= 6 * few.calls, "\(few) \(many)")
    }

    @Test("the folders in a home are where they were when the home has another path") func movedHome() throws {
        let outer = try TemporaryStore()
        let (one, two) = (outer.path("one"), outer.path("two"))
        let elsewhere = outer.path("elsewhere")
        try OpenFile.makeFolder(elsewhere, FileHooks())
        do {
            let store = ProtectedFileStore(
                home: try Home(TemporaryHome.configuration(of: "\(one)")), configuration: .sealed)
            for folder in [one.appending("files"), one.appending("files/deep")] {
                try OpenFile.makeFolder(folder, FileHooks())
                try store.write([1], to: folder.appending("f"))
            }
            try store.write([1], to: elsewhere.appending("f"))
            #expect(try store.filesElsewhere().map(\.folder) == [elsewhere])
        }
        try FileManager.default.moveItem(atPath: "\(one)", toPath: "\(two)")
        let store = ProtectedFileStore(
            home: try Home(TemporaryHome.configuration(of: "\(two)")), configuration: .sealed)
        #expect(try store.knownFolders.missing() == [])
        #expect(try store.filesElsewhere().map(\.folder) == [elsewhere])
        #expect(
            try Set(store.knownFolders.all().map(\.folder))
                == [two.appending("files"), two.appending("files/deep"), elsewhere])
        // One that is gone is missing there, too.
        try FileManager.default.removeItem(atPath: "\(two)/files/deep")
        #expect(try store.knownFolders.missing().map(\.folder) == [two.appending("files/deep")])
    }

    @Test("two stores see each other's folders, and drop those that are gone") func shared() throws {
        let files = try TemporaryStore()
        let stores = [files.store, try files.another()]
        for number in 0..<700 {
            let folder = files.path("\(number)")
            try OpenFile.makeFolder(folder, FileHooks())
            try stores[number % 2].knownFolders.note(folder)
            // The other one finds it noted.
            try stores[1 - number % 2].knownFolders.note(folder)
            if number % 2 == 0 { try FileManager.default.removeItem(atPath: "\(folder)") }
        }
        let entries = try files.store.knownFolders.all()
        #expect(Set(entries).count == entries.count && entries.count < 700)
        let names = Set(entries.map { String(decoding: $0.folder.name, as: UTF8.self) })
        #expect(names.isSuperset(of: stride(from: 1, to: 700, by: 2).map(String.init)))
    }

    // Rule: a lost list of folders keeps retired keys | taken for an empty one
    @Test(
        "a list that was lost, or emptied, may have named any folder: every retired key stays until a person's word",
        arguments: [false, true])
    func lost(_ isEmptied: Bool) throws {
        let files = try TemporaryStore()
        try files.store.write([1], to: files.path("f"))
        #expect(ProtectedFilesDoctor(files.store).examine() == [])
        let list = FileLocation(files.temporary.path + "/stores/files")
        if isEmptied {
            try OpenFile.open(list, mode: .change, hooks: FileHooks()).truncate(to: 0)
        } else {
            try FileManager.default.removeItem(atPath: "\(list)")
        }
        let store = try files.another()
        #expect(ProtectedFilesDoctor(store).examine().map(\.word) == ["missing-list"])
        #expect(throws: ProtectedFileError.self) { try store.retiredKeysInUse(store.home.keybag) }
        // What comes next makes a list, which is not taken for the old one.
        let other = files.path("other")
        try OpenFile.makeFolder(other, FileHooks())
        try store.write([1], to: other.appending("f"))
        #expect(throws: ProtectedFileError.self) { try store.retiredKeysInUse(store.home.keybag) }
        #expect(ProtectedFilesDoctor(store).examine().map(\.word) == ["damaged-list"])
        #expect(try store.forgetMissingFolders() == [KnownFolders.lost.folder])
        #expect(try store.retiredKeysInUse(store.home.keybag) == [])
        try FileManager.default.removeItem(atPath: "\(list)")
        // Without a file made in between, too.
        let next = try files.another()
        #expect(try next.forgetMissingFolders() == [KnownFolders.lost.folder])
        #expect(try next.retiredKeysInUse(next.home.keybag) == [] && ProtectedFilesDoctor(next).examine() == [])
    }

    // Rule: a missing index is named | forgotten indexes passed over
    @Test("every folder whose files remember an index or a default class that is gone is named") func records() throws {
        let files = try TemporaryStore()
        for name in ["index", "class", "both", "plain", "gone"] {
            let folder = files.path(name)
            try OpenFile.makeFolder(folder, FileHooks())
            if ["index", "both"].contains(name) { try files.store.setIndexed(true, folder: folder) }
            if ["class", "both"].contains(name) { try files.store.setDefaultProtection(.complete, forFolder: folder) }
            try files.store.write([1], to: folder.appending("f"))
        }
        let doctor = ProtectedFilesDoctor(try files.another())
        #expect(doctor.examine() == [])
        for name in ["index", "class", "both"] {
            try FileManager.default.removeItem(atPath: "\(files.path(name))/.zamok-folder")
        }
        try FileManager.default.removeItem(atPath: "\(files.path("gone"))")
        let found = doctor.examine()
        #expect(found.map(\.word).sorted() == ["missing-default", "missing-index", "missing-index"])
        for name in ["index", "class", "both"] {
            #expect(found.count { $0.message.contains("\(files.path(name)): ") } == 1)
        }
    }

    @Test("a folder that took the path of another one is noted, too") func exchanged() throws {
        let files = try TemporaryStore()
        let (one, two) = (files.path("one"), files.path("two"))
        for folder in [one, two] { try OpenFile.makeFolder(folder, FileHooks()) }
        try FileManager.default.createSymbolicLink(atPath: "\(files.path("l"))", withDestinationPath: "\(one)")
        try files.store.knownFolders.note(files.path("l"))
        try FileManager.default.removeItem(atPath: "\(files.path("l"))")
        try FileManager.default.createSymbolicLink(atPath: "\(files.path("l"))", withDestinationPath: "\(two)")
        try files.store.knownFolders.note(files.path("l"))
        let names = try files.store.knownFolders.all().map { String(decoding: $0.folder.name, as: UTF8.self) }
        #expect(names.contains("one") && names.contains("two"))
    }

    /// What becomes of a list: the present one, one from before the last entry, another home's.
    enum Damage: CaseIterable {
        case cut, halved, zeroed, lastByte, firstByte, bit, older, others, noise

        func bytes(_ now: [UInt8], before: [UInt8], others: [UInt8]) -> [UInt8] {
            switch self {
            case .cut: now.dropLast()
            case .halved: Array(now.prefix(now.count / 2))
            case .zeroed: [UInt8](repeating: 0, count: now.count)
            case .lastByte: now.dropLast() + [now.last.map { $0 ^ 1 } ?? 0]
            case .firstByte: [now.first.map { $0 ^ 1 } ?? 0] + now.dropFirst()
            case .bit: now.enumerated().map { $0.offset == now.count / 2 ? $0.element ^ 0x10 : $0.element }
            case .older: before
            case .others: others
            case .noise: now.map { _ in UInt8.random(in: 0...255) }
            }
        }
    }

    // Rule: a list that is not whole needs every key | codes and number not compared |
    //   `Scripts/holes/what-destroys-keys-is-whole` on the code before: "removed: 1" for a list of zeros and another
    //   home's, "nothing is wrong" for 8 of 10
    @Test(
        "a list that is not whole may have named any folder, and what is noted next heals nothing",
        arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let files = try TemporaryStore()
        let other = try TemporaryStore()
        try other.store.write([1], to: other.path("f"))
        func list(_ files: TemporaryStore) -> FileLocation { FileLocation(files.home.folder).appending("stores/files") }
        var before: [UInt8] = []
        for name in ["a", "b", "c"] {
            try OpenFile.makeFolder(files.path(name), FileHooks())
            before = (try? files.raw(list(files))) ?? []
            try files.store.write([1], to: files.path(name).appending("f"))
        }
        let now = try files.raw(list(files))
        try files.setRaw(list(files), damage.bytes(now, before: before, others: try other.raw(list(other))))
        for _ in 0..<2 {
            let store = try files.another()
            #expect(try store.knownFolders.missing() == [KnownFolders.lost])
            #expect(throws: ProtectedFileError.self) { try store.retiredKeysInUse(store.home.keybag) }
            #expect(ProtectedFilesDoctor(store).examine().map(\.word) == ["damaged-list"])
            #expect(ProtectedFilesDoctor(store).examine().first?.message.contains("\(list(files))") == true)
            let next = files.path("next")
            if try OpenFile.status(of: next, FileHooks()) == nil { try OpenFile.makeFolder(next, FileHooks()) }
            try store.write([1], to: next.appending("f"))
        }
        // The list of before, put back beside what is remembered of its successor, is the older one.
        try files.setRaw(list(files), now)
        #expect(try files.another().knownFolders.doubt == .older)
        #expect(try files.another().forgetMissingFolders() == [KnownFolders.lost.folder])
        let store = try files.another()
        #expect(try store.knownFolders.doubt == nil && store.retiredKeysInUse(store.home.keybag) == [])
    }

    @Test("a list without what the home remembers of it is in doubt, and what follows its end is not read")
    func beside() throws {
        let files = try TemporaryStore()
        try files.store.write([1], to: files.path("f"))
        let list = FileLocation(files.home.folder).appending("stores/files")
        let good = try files.raw(list)
        for more in [[0], Array("17 4 /half of a pa".utf8), good] {
            try files.setRaw(list, good + more)
            #expect(try files.another().knownFolders.doubt == nil)
        }
        try files.setRaw(list, good)
        let seen = FileLocation(files.home.folder).appending("stores-seen")
        try FileManager.default.moveItem(atPath: "\(seen)", toPath: "\(seen)-aside")
        #expect(try files.another().knownFolders.doubt == .incomparable)
        try FileManager.default.moveItem(atPath: "\(seen)-aside", toPath: "\(seen)")
        #expect(try files.another().knownFolders.doubt == nil)
    }

    @Test("a folder that is made anew all the time leaves a short list, and is not taken for the old one") func anew()
        throws
    {
        let files = try TemporaryStore()
        let folder = files.path("again")
        for number in 0..<600 {
            // Not removed, so that no inode is used again.
            try OpenFile.makeFolder(folder, FileHooks())
            try files.store.knownFolders.note(folder)
            try FileManager.default.moveItem(atPath: "\(folder)", toPath: "\(folder) \(number)")
        }
        let entries = try files.store.knownFolders.all()
        #expect(entries.count < 520 && entries.contains(KnownFolders.severalMissing))
        #expect(try files.store.knownFolders.missing().contains(KnownFolders.severalMissing))
    }

    // Rule: what is below a noted folder counts | subfolders passed over
    @Test("what is below a noted folder is looked at, links not, and what looks like a home hides nothing")
    func below() throws {
        let files = try TemporaryStore()
        for name in ["a", "a/b", "a/b/c", "a/home", "out"] { try OpenFile.makeFolder(files.path(name), FileHooks()) }
        for name in ["a/f", "a/b/f", "a/b/c/f", "out/f", "a/home/f"] {
            try files.store.write([1], to: files.path(name))
        }
        try files.setRaw(files.path("a/home/keybag.lock"), [])
        try FileManager.default.createSymbolicLink(
            atPath: "\(files.path("a/link"))", withDestinationPath: "\(files.path("out"))")
        var found: [String] = []
        var walk = FolderWalk(FileHooks(), files.store.boundary)
        for _ in 0..<2 {
            try walk.files(below: files.path("a")) { found.append("\($0)") }
        }
        let wanted = ["a/b/c/f", "a/b/f", "a/f", "a/home/f", "a/home/keybag.lock"]
        #expect(found.sorted() == wanted.map { "\(files.path($0))" })
        #expect(throws: ProtectedFileError.self) { try walk.files(below: files.path("none")) { _ in } }
    }
}
