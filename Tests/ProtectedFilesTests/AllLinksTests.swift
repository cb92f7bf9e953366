// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// Files with several names (hard links) that are replaced under all of them, or under none.
@Suite struct AllLinksTests {
    private static let content = pattern(70_000)

    /// A clear file with these names, in folders that are made.
    private func files(_ names: [String], protected: Bool = false) throws -> (TemporaryStore, [FileLocation]) {
        let files = try TemporaryStore()
        let paths = names.map(files.path)
        for path in paths {
            let folder = "\(path.folder)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        if protected {
            try files.store.write(Self.content, to: paths[0])
        } else {
            try files.setRaw(paths[0], Self.content)
        }
        for path in paths.dropFirst() { try link(paths[0], path) }
        return (files, paths)
    }

    private func link(_ path: FileLocation, _ other: FileLocation) throws {
        try FileManager.default.linkItem(atPath: "\(path)", toPath: "\(other)")
    }

    private func inode(_ path: FileLocation) throws -> UInt64? { try OpenFile.status(of: path, FileHooks())?.inode }

    @Test("all names of a file are protected, get another class and are opened together, and stay names of one file")
    func together() throws {
        let (files, paths) = try files(["f", "g", "d/h"])
        let store = files.store
        func areOne() throws -> Bool { try Set(paths.map(inode)).count == 1 }

        try store.protect(contentsOf: paths[1], protection: ProtectionClass.none, allLinks: store.links(among: paths))
        for path in paths { #expect(try store.read(from: path) == Self.content) }
        #expect(try areOne())

        try store.reclassify(paths[2], to: .complete, allLinks: store.links(among: paths))
        for path in paths { #expect(try store.info(of: path).protection == .complete) }
        #expect(try areOne())
        let handle = try store.handle(forUpdating: paths[0])
        try handle.append([1])
        try handle.close()
        #expect(try store.read(from: paths[2]) == Self.content + [1])

        try store.openInPlace(paths[0], allLinks: store.links(among: paths))
        for path in paths { #expect(try files.raw(path) == Self.content + [1]) }
        #expect(try areOne() && files.names == ["d", "f", "g"])
    }

    // Rule: no name keeps the content as it is | one missing name is ignored | also "a name that became another file,
    //   ..."; `ReplacingTests`: "hard links are refused ..."
    @Test("a name that was not given would keep the content as it is: refused, and nothing is done")
    func missingNames() throws {
        let (files, paths) = try files(["f", "g", "d/h"])
        let store = files.store
        // The same name by another path is no further name.
        let again = FileLocation("\(files.folder)/d/../g")
        for given in [[paths[0]], [paths[0], paths[1]], [paths[0], paths[1], again], [again, paths[1]]] {
            let failure = failure(ProtectedFileError.self) {
                try store.protect(contentsOf: given[0], allLinks: store.links(among: given))
            }
            #expect(failure?.code == .unsupported && failure?.message.contains("-inum") == true)
        }
        for path in paths { #expect(try files.raw(path) == Self.content) }
        #expect(files.names == ["d", "f", "g"])
    }

    @Test("a name that became another file, and a file that came by another name, since the names were looked up")
    func changedNames() throws {
        let (files, paths) = try files(["f", "g"])
        let links = files.store.links(among: paths)
        try files.setRaw(files.path("new"), [7])
        try FileManager.default.removeItem(atPath: "\(paths[1])")
        try FileManager.default.moveItem(atPath: "\(files.path("new"))", toPath: "\(paths[1])")
        try link(paths[0], files.path("h"))
        #expect(code { try files.store.protect(contentsOf: paths[0], allLinks: links) } == .unsupported)
        try FileManager.default.removeItem(atPath: "\(files.path("h"))")
        try files.store.protect(contentsOf: paths[0], allLinks: links)
        #expect(try files.store.read(from: paths[0]) == Self.content && files.raw(paths[1]) == [7])
    }

    @Test("an index follows one name: refused there; different default classes need a word")
    func folders() throws {
        let (files, paths) = try files(["d/f", "e/f"])
        let store = files.store
        let links = store.links(among: paths)
        try store.setDefaultProtection(.complete, forFolder: files.path("d"))
        #expect(code { try store.protect(contentsOf: paths[0], allLinks: links) } == .invalidArgument)
        try store.setIndexed(true, folder: files.path("e"))
        #expect(
            code { try store.protect(contentsOf: paths[0], protection: .complete, allLinks: links) } == .unsupported)
        try store.setIndexed(false, folder: files.path("e"))
        try store.protect(contentsOf: paths[0], protection: .complete, allLinks: links)
        for path in paths { #expect(try store.info(of: path).protection == .complete) }
    }

    @Test("where names can't be exchanged, several are not replaced one after the other") func withoutExchange() throws
    {
        let files = try TemporaryStore(configuration: .sealed { $0.hooks.withoutExchange = true })
        try files.setRaw(files.path("f"), [1])
        try link(files.path("f"), files.path("g"))
        let links = files.store.links(among: [files.path("f"), files.path("g")])
        #expect(code { try files.store.protect(contentsOf: files.path("f"), allLinks: links) } == .unsupported)
        #expect(try files.raw(files.path("f")) == [1] && files.raw(files.path("g")) == [1])
        #expect(files.names == ["f", "g"])
    }

    @Test("a program that saves one name between two exchanges keeps its data, and the other names keep the file")
    func savedMeanwhile() throws {
        let (files, paths) = try files(["f", "g", "h"])
        let exchanges = Locked(0)
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    guard step.operation == .exchange else { return 0 }
                    let isSecond = exchanges.withLock {
                        $0 += 1
                        return $0 == 2
                    }
                    guard isSecond else { return 0 }
                    try? files.setRaw(files.path("new"), [7])
                    return unsafe rename("\(files.path("new"))", "\(files.path("g"))") == 0 ? 0 : EIO
                }
            })
        let links = store.links(among: paths)
        #expect(code { try store.protect(contentsOf: paths[0], allLinks: links) } == .changed)
        #expect(try files.raw(paths[0]) == Self.content && files.raw(paths[2]) == Self.content)
        #expect(try files.raw(paths[1]) == [7] && files.names == ["f", "g", "h"])
    }

    // Rule: where both sides were changed after a kill, both stay | the changed old file is put back all the same
    // Rule: a leftover in clear is named | said to be sealed | also `WalkTests`: "only a folder of exactly the form
    //   ..."
    @Test("a name left in clear by a kill, changed since, wins over what was sealed; where both were changed both stay")
    func changedSince() throws {
        for isSealedChanged in [false, true] {
            let (files, paths) = try files(["f", "g"])
            // As a kill between the two names leaves it: nothing that is undone reaches the disk.
            let exchanges = Locked(0)
            var store: ProtectedFileStore? = try files.another(
                .sealed {
                    $0.hooks.intercept = { step in
                        let isKilled = exchanges.withLock {
                            if step.operation == .exchange { $0 += 1 }
                            return $0 >= 2
                        }
                        return isKilled && ![.read, .status, .open].contains(step.operation) ? EIO : 0
                    }
                })
            let links = try #require(store?.links(among: paths))
            #expect(code { try store?.protect(contentsOf: paths[0], allLinks: links) } == .io)
            store = nil
            #expect(files.names.count == 4)
            if isSealedChanged {
                let handle = try files.store.handle(forUpdating: paths[0])
                try handle.append([1])
                try handle.close()
            }
            try OpenFile.open(paths[1], mode: .change, hooks: FileHooks()).write([9, 9], at: Self.content.count)
            // The next start clears up.
            let next = try files.another()
            if isSealedChanged {
                #expect(try next.read(from: paths[0]) == Self.content + [1] && files.names.count == 3)
                #expect(try files.raw(paths[1]) == Self.content + [9, 9])
                #expect(try files.raw(files.path("f.zamok-kept-1")) == Self.content + [9, 9])
            } else {
                for path in paths { #expect(try files.raw(path) == Self.content + [9, 9]) }
                #expect(files.names == ["f", "g"])
            }
        }
    }

    // Rule: all names of a file are restored together | the last one alone | also "a program that saves one name
    //   between two exchanges ..."
    @Test("any call that fails leaves all names as they were, or all replaced", arguments: ["protect", "reveal"])
    func faults(_ operation: String) throws {
        var call = 1
        while true {
            let counter = FaultCounter(failing: call)
            let (files, paths) = try files(["f", "g"], protected: operation == "reveal")
            let store = try files.another(.sealed { $0.hooks.intercept = { counter.intercept($0) } })
            let links = store.links(among: paths)
            counter.begin()
            let failure = code {
                if operation == "reveal" {
                    try store.openInPlace(paths[0], allLinks: links)
                } else {
                    try store.protect(contentsOf: paths[0], allLinks: links)
                }
            }
            counter.end()
            let next = try files.another()
            files.removeLeftovers(next)
            let states = try paths.map { try isWhole($0, next, files) }
            #expect(states[0] == states[1], "\(operation), call \(call): \(failure as Any)")
            #expect(files.names == ["f", "g"], "\(operation), call \(call): \(failure as Any)")
            if !counter.hasFailed { break }
            call += 1
        }
        #expect(call > 8)
    }

    /// Whether it is protected; its content is what it was in any case.
    private func isWhole(_ path: FileLocation, _ store: ProtectedFileStore, _ files: TemporaryStore) throws -> Bool {
        do {
            #expect(try store.read(from: path) == Self.content)
            return true
        } catch let error {
            guard error.code == .notProtected else { throw error }
            #expect(try files.raw(path) == Self.content)
            return false
        }
    }

    @Test(
        "killed after every call: each name has the whole content, nothing is left, and the next run finishes",
        arguments: ["protect-links", "reveal-links"])
    func kills(_ command: String) throws {
        let isClear = command == "protect-links"
        let start = try CrashSite(["\(isClear ? "clear" : "create") @f \(isClear ? "" : "4 ")a*70000"])
        let content = Scenario.content("a*70000")
        func fresh() throws -> CrashSite {
            let site = try CrashSite(copying: start)
            try FileManager.default.linkItem(
                atPath: site.folder.path("files/f"), toPath: site.folder.path("files/g"))
            return site
        }
        let whole = try fresh()
        let file = whole.folder.url.appendingPathComponent("log")
        let faults = try FaultInjector(folder: whole.folder.url)
        try #require(try whole.run(["\(command) @f @g"], faults.environment(log: file)) == ["ok"])
        let calls = try WriteLog(contentsOf: file).calls
        var states: Set<[Bool]> = []
        for call in 1...calls {
            let site = try fresh()
            let faults = try FaultInjector(folder: site.folder.url)
            _ = try site.run(["\(command) @f @g"], faults.environment(kill: .after(call)))
            let store = try site.store()
            let paths = ["f", "g"].map { FileLocation(site.folder.path("files/" + $0)) }
            func isProtected(_ path: FileLocation) throws -> Bool {
                do {
                    #expect(try store.read(from: path) == content, "call \(call)")
                    return true
                } catch let error {
                    guard error.code == .notProtected else { throw error }
                    #expect(site.raw(String(decoding: path.name, as: UTF8.self)) == content, "call \(call)")
                    return false
                }
            }
            states.insert(try paths.map(isProtected))
            #expect(!site.hasLeftovers, "call \(call): \(site.names)")
            for path in paths where try isProtected(path) != isClear {
                // One of them, or both together with what is left of their names.
                let links = store.links(among: paths)
                if isClear {
                    try store.protect(contentsOf: path, allLinks: links)
                } else {
                    try store.openInPlace(path, allLinks: links)
                }
            }
            for path in paths { #expect(try isProtected(path) == isClear, "call \(call)") }
            #expect(site.names == ["f", "g"])
        }
        // The moment between two names was among them.
        #expect(states.count > 2, "\(states)")
    }
}
