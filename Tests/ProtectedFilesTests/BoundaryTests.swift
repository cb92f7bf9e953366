// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// What this module keeps its hands off, and where it doesn't let itself be led.
@Suite struct BoundaryTests {
    private let manager = FileManager.default

    /// A home inside the folder of files, as in a person's home folder, and all of its bytes.
    private func site() throws -> (files: TemporaryStore, inner: String, store: ProtectedFileStore) {
        let files = try TemporaryStore()
        let inner = "\(files.path("inner"))"
        let home = try Home(TemporaryHome.configuration(of: inner))
        try home.keybag.setPasscode(try SecretBytes(copying: Array("correct horse".utf8)))
        return (files, inner, ProtectedFileStore(home: home, configuration: .sealed))
    }

    private func everything(_ folder: String) throws -> [String: Data] {
        try manager.subpathsOfDirectory(atPath: folder).reduce(into: [:]) {
            let url = URL(fileURLWithPath: "\(folder)/\($1)")
            // Counters and logs change by being used.
            guard !["generation", "temporaries"].contains(where: url.path.contains) else { return }
            $0[$1] = try? Data(contentsOf: url)
        }
    }

    // Rule: no operation in a home | a folder with `keybag.lock` or a keybag is not taken for a home | also "a walk
    //   passes over a home, and says so"
    @Test("no file of a home is protected, opened, moved or removed, by its own store or another's") func ownFiles()
        throws
    {
        let (files, inner, own) = try site()
        let before = try everything(inner)
        #expect(before["keybag"] != nil)
        try manager.createSymbolicLink(atPath: "\(files.path("link"))", withDestinationPath: inner)
        for store in [files.store, own] {
            for folder in [inner, "\(files.path("link"))"] {
                for name in before.keys.sorted() {
                    let path = FileLocation("\(folder)/\(name)")
                    #expect(code { try store.protect(contentsOf: path) } == .homesOwn, "\(path)")
                    #expect(code { try store.openInPlace(path) } == .homesOwn)
                    #expect(code { try store.reclassify(path, to: .none) } == .homesOwn)
                    #expect(code { try store.remove(path) } == .homesOwn)
                    #expect(code { try store.move(path, to: files.path("x")) } == .homesOwn)
                    #expect(code { try store.write([1], to: path) } == .homesOwn)
                }
                #expect(code { try store.write([1], to: FileLocation("\(folder)/new")) } == .homesOwn)
                #expect(code { try store.setIndexed(true, folder: FileLocation(folder)) } == .homesOwn)
                #expect(
                    code { try store.setDefaultProtection(.complete, forFolder: FileLocation(folder)) } == .homesOwn)
            }
        }
        #expect(try everything(inner) == before)
    }

    @Test("a walk passes over a home, and says so") func walks() throws {
        let (files, _, store) = try site()
        defer { withExtendedLifetime(store) {} }
        try files.setRaw(files.path("a"), [1])
        var found: [String] = []
        var homes: [String] = []
        try files.store.enumerate(files.folder, recursively: true) { entry in
            if case .home = entry.kind { homes.append("\(entry.location)") }
            if case .unprotected = entry.kind { found.append("\(entry.location)") }
        }
        #expect(found == ["\(files.path("a"))"])
        #expect(homes == ["\(files.path("inner"))"])
    }

    @Test("files of users are no home's own") func usersFiles() throws {
        let (files, inner, store) = try site()
        defer { withExtendedLifetime(files) {} }
        let folder = "\(inner)/files/below"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try store.write([1, 2], to: FileLocation("\(folder)/f"))
        #expect(try store.read(from: FileLocation("\(folder)/f")) == [1, 2])
    }

    @Test("a reader sees users' own files in a home, and what is hidden behind the mark of an unmade one")
    func lookingIntoHomes() throws {
        let (files, inner, store) = try site()
        defer { withExtendedLifetime(store) {} }
        var wanted: [String] = []
        for folder in ["inner/files", "inner/users/A/files/deep", "false"] {
            try manager.createDirectory(atPath: "\(files.path(folder))", withIntermediateDirectories: true)
            try files.setRaw(files.path("\(folder)/diary"), [1])
            wanted.append("\(files.path("\(folder)/diary"))")
        }
        try files.setRaw(files.path("false/keybag.lock"), [])
        var (clear, homes, wrong): ([String], [String], [String]) = ([], [], [])
        try files.store.enumerate(files.folder, recursively: true, includingHomes: true) { entry in
            switch entry.kind {
            case .home: homes.append("\(entry.location)")
            case .unprotected: clear.append("\(entry.location)")
            case .folder: break
            default: wrong.append("\(entry)")
            }
        }
        #expect(homes == [inner] && wrong == [])
        #expect(clear.filter { !$0.hasSuffix("keybag.lock") }.sorted() == wanted.sorted())
        // Nothing is worked on there.
        #expect(code { try files.store.protect(contentsOf: files.path("false/diary")) } == .homesOwn)
    }

    @Test(
        "the search upwards from a user's own files ends at the home: records above it are another owner's",
        arguments: [false, true])
    func wayUp(_ isDamaged: Bool) throws {
        let (files, inner, store) = try site()
        let folder = FileLocation("\(inner)/files")
        try manager.createDirectory(atPath: "\(folder)", withIntermediateDirectories: true)
        try files.store.setDefaultProtection(.complete, forFolder: files.folder)
        try files.store.setIndexed(true, folder: files.folder)
        if isDamaged { try files.setRaw(files.path(".zamok-folder"), [1, 2, 3]) }
        #expect(try store.defaultProtection(forFolder: folder) == nil)
        try store.write([1], to: folder.appending("f"))
        try store.setDefaultProtection(.completeUnlessOpen, forFolder: folder)
        try store.setIndexed(true, folder: folder)
        try store.write([2], to: folder.appending("g"))
        try store.verify(folder: folder)
        #expect(try store.protection(of: folder.appending("g")) == .completeUnlessOpen)
    }

    @Test("a home is told by its keybag, not by a file of that name") func notAHome() throws {
        let files = try TemporaryStore()
        try files.setRaw(files.path("keybag"), Array("my keys".utf8))
        try files.store.protect(contentsOf: files.path("keybag"))
        #expect(try files.store.read(from: files.path("keybag")) == Array("my keys".utf8))
    }

    // Rule: what begins as a file of a home is refused wherever it lies | not looked at | 18 cases
    @Test(
        "what begins as a file of a home is refused wherever it lies, as where a mount shows it",
        arguments: ["zamokbag", "zamokepo", "zamokdev", "zamokatt", "zamokgen", "zamoktmp"])
    func content(_ magic: String) throws {
        let files = try TemporaryStore()
        let path = files.path("x")
        let bytes = Array(magic.utf8) + [1] + pattern(100)
        try files.setRaw(path, bytes)
        #expect(code { try files.store.protect(contentsOf: path) } == .homesOwn)
        #expect(code { try files.store.protect(contentsOf: path, to: files.path("y")) } == .homesOwn)
        #expect(try files.raw(path) == bytes && files.names == ["x"])
    }

    // Rule: what others put into a shared folder makes no home | any user's mark counts
    @Test(
        "what another user has put into a shared folder above makes nothing a home",
        .enabled(if: geteuid() == 0, "another owner can be given by root alone"))
    func sharedFolder() throws {
        let files = try TemporaryStore()
        try manager.createDirectory(atPath: "\(files.path("mine"))", withIntermediateDirectories: false)
        let path = files.path("mine/f")
        try files.store.write([1], to: path)
        func give(_ name: String, _ owner: Int) throws {
            try manager.setAttributes([.ownerAccountID: owner], ofItemAtPath: "\(files.path(name))")
        }
        for name in ["keybag.lock", "keybag"] {
            try files.setRaw(files.path(name), Array("zamokbag".utf8))
            try give(name, 54_321)
            #expect(try files.another().read(from: path) == [1])
            try files.another().write([1], to: path)
            // Its own folder's owner is to be believed, and so are we.
            try give(".", 54_321)
            #expect(code { _ = try files.another().read(from: path) } == .homesOwn)
            try give(".", 0)
            try give(name, 0)
            #expect(code { _ = try files.another().read(from: path) } == .homesOwn)
            try manager.removeItem(atPath: "\(files.path(name))")
        }
    }

    // MARK: Paths

    // Rule: the kernel resolves a path without links, and not out of its folder | neither asked for | 4 cases; written
    //   for this: before, no test failed
    @Test(
        "what a walk found is not looked for through a link that was put in the way", arguments: [false, true],
        ["deep", "deep/er"])
    func exchangedFolders(_ byParts: Bool, folder: String) throws {
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.walksByParts = byParts })
        let elsewhere = try TemporaryStore()
        try manager.createDirectory(atPath: "\(files.path("deep/er"))", withIntermediateDirectories: true)
        try files.setRaw(files.path("deep/er/f"), [1])
        let victims = ["f", "er/f"].map { elsewhere.path($0) }
        try manager.createDirectory(atPath: "\(elsewhere.path("er"))", withIntermediateDirectories: false)
        for victim in victims { try elsewhere.setRaw(victim, [2]) }
        var found: [FileLocation] = []
        try files.store.enumerate(files.folder, recursively: true) {
            if case .unprotected = $0.kind { found.append($0.location) }
        }
        let path = try #require(found.first)
        try manager.moveItem(atPath: "\(files.path(folder))", toPath: "\(files.path("kept"))")
        try manager.createSymbolicLink(atPath: "\(files.path(folder))", withDestinationPath: "\(elsewhere.folder)")
        #expect(code { try files.store.protect(contentsOf: path) } != nil)
        #expect(code { try files.store.remove(path) } != nil)
        #expect(code { try files.store.write([3], to: path) } != nil)
        for victim in victims { #expect(try elsewhere.raw(victim) == [2]) }
        #expect(elsewhere.names == ["er", "f"])
        // Without the link the same location works.
        try manager.removeItem(atPath: "\(files.path(folder))")
        try manager.moveItem(atPath: "\(files.path("kept"))", toPath: "\(files.path(folder))")
        try files.store.protect(contentsOf: path)
        #expect(try files.store.read(from: path) == [1])
    }

    @Test("an operation stays in the folder that it began in") func heldFolder() throws {
        let elsewhere = try TemporaryStore()
        try elsewhere.setRaw(elsewhere.path("f"), [2])
        let swap = Swap()
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.intercept = { swap.run($0) } })
        try manager.createDirectory(atPath: "\(files.path("d"))", withIntermediateDirectories: false)
        try files.setRaw(files.path("d/f"), [1])
        swap.set { [manager] in
            try? manager.moveItem(atPath: "\(files.path("d"))", toPath: "\(files.path("moved"))")
            try? manager.createSymbolicLink(atPath: "\(files.path("d"))", withDestinationPath: "\(elsewhere.folder)")
        }
        try files.store.protect(contentsOf: files.path("d/f"))
        #expect(try elsewhere.raw(elsewhere.path("f")) == [2])
        #expect(elsewhere.names == ["f"])
        #expect(try files.store.read(from: files.path("moved/f")) == [1])
    }

    // MARK: Leftovers

    // Rule: a leftover is told by its content | by its name
    @Test("a person's own file or folder of a temporary's name is never removed") func ownNames() throws {
        let files = try TemporaryStore()
        let name = ".zamok-0123456789abcdef.new"
        try files.setRaw(files.path(name), Array("mine".utf8))
        try manager.createDirectory(
            atPath: "\(files.path(".zamok-1123456789abcdef.new"))", withIntermediateDirectories: false)
        try files.setRaw(files.path(".zamok-1123456789abcdef.new/content"), [1])
        try files.store.write([1], to: files.path("sealed"))
        try manager.moveItem(atPath: "\(files.path("sealed"))", toPath: "\(files.path(".zamok-2123456789abcdef.new"))")
        let before = files.names
        let other = try files.another()
        try other.write([2], to: files.path("x"))
        other.temporaries.leftovers.remove(in: files.folder)
        #expect(files.names == (before + ["x"]).sorted())
        #expect(try files.raw(files.path(name)) == Array("mine".utf8))
        // And it is told as what it is.
        var clear: [String] = []
        try other.enumerate(files.folder) { if case .unprotected = $0.kind { clear.append("\($0.location)") } }
        #expect(clear == ["\(files.path(name))"])
    }
}

/// Does something at the first file that is made.
private final class Swap: @unchecked Sendable {
    private let lock = NSLock()
    private var body: (() -> Void)?
    func set(_ body: @escaping () -> Void) { lock.withLock { self.body = body } }
    func run(_ step: FileHooks.Step) -> Int32 {
        guard step.operation == .make, step.path.name == Array("f".utf8) else { return 0 }
        let body = lock.withLock {
            defer { self.body = nil }
            return self.body
        }
        body?()
        return 0
    }
}
