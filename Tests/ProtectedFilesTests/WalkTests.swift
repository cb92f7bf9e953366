// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ProtectedFiles

/// Reports of a walk through folders, with any obstacle in the way.
@Suite struct WalkTests {
    private func makeFolder(_ path: FileLocation) throws {
        try FileManager.default.createDirectory(atPath: "\(path)", withIntermediateDirectories: true)
    }

    /// Names, with the beginning of what they are.
    private func looked(_ store: ProtectedFileStore, _ folder: FileLocation) throws -> [String] {
        var kinds: [String] = []
        try store.enumerate(folder, recursively: true) {
            kinds.append("\(String(decoding: $0.location.name, as: UTF8.self)) \(String("\($0.kind)".prefix(6)))")
        }
        return kinds
    }

    // Rule: a walk goes on behind what is closed | it ends there | 5 cases
    @Test(
        "a folder that can't be looked into is named, and the walk goes on behind it",
        arguments: [EACCES, ELOOP, ENAMETOOLONG, EIO, ENOENT])
    func closedFolders(_ number: Int32) throws {
        let files = try TemporaryStore()
        for name in ["a", "m", "z"] {
            try makeFolder(files.path(name))
            try files.setRaw(files.path(name).appending("f"), [1])
        }
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    step.operation == .open && step.path.name == Array("m".utf8) ? number : 0
                }
            })
        var reasons: [ProtectedFileError] = []
        try store.enumerate(files.folder, recursively: true) {
            if case .closedFolder(let error) = $0.kind { reasons.append(error) }
        }
        #expect(reasons.count == 1 && reasons.first?.message.contains("\(files.path("m"))") == true)
        #expect(
            try looked(store, files.folder) == [
                "a folder", "m folder", "z folder", "f unprot", "m closed", "f unprot",
            ])
        // The one that was asked for is not "done in part".
        #expect(code { try store.enumerate(files.path("m")) { _ in } } != nil)
    }

    @Test("a file that can't be looked at is named, and the walk goes on") func closedFiles() throws {
        let files = try TemporaryStore()
        for name in ["a", "m", "z"] { try files.setRaw(files.path(name), [1]) }
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    step.operation == .open && step.path.name == Array("m".utf8) ? EACCES : 0
                }
            })
        #expect(try looked(store, files.folder) == ["a unprot", "m unusab", "z unprot"])
    }

    /// What lies in a folder that is called like a temporary one.
    enum Shape: String, CaseIterable, Sendable {
        case exact, withoutContent, otherFile, otherFolder, contentIsFolder, contentIsLink, markIsFolder, writable
    }

    // Rule: only a folder of exactly its form is a temporary one | the mark alone counts | 6 cases; transcript
    //   files-attacks
    @Test("only a folder of exactly the form of a temporary one is passed over", arguments: Shape.allCases)
    func temporaryFolders(_ shape: Shape) throws {
        let files = try TemporaryStore()
        let folder = files.path(".zamok-0123456789abcdef.new")
        try makeFolder(folder)
        try FileManager.default.setAttributes(
            [.posixPermissions: shape == .writable ? 0o777 : 0o700], ofItemAtPath: "\(folder)")
        let content = folder.appending("content")
        if shape == .markIsFolder {
            try makeFolder(folder.appending("mark"))
        } else {
            try files.setRaw(folder.appending("mark"), Array("zamoktmp".utf8) + [1])
        }
        switch shape {
        case .withoutContent: break
        case .contentIsFolder:
            try makeFolder(content)
            try files.setRaw(content.appending("more"), [1])
        case .contentIsLink:
            try FileManager.default.createSymbolicLink(atPath: "\(content)", withDestinationPath: "/etc/passwd")
        default: try files.setRaw(content, [1])
        }
        if shape == .otherFile { try files.setRaw(folder.appending("notes"), [1]) }
        if shape == .otherFolder { try makeFolder(folder.appending("notes")) }
        let isOne = shape == .exact || shape == .withoutContent
        var (walked, clear) = (false, 0)
        try files.store.enumerate(files.folder, recursively: true) {
            switch $0.kind {
            case .folder: walked = true
            case .unprotected, .clearLeftover: clear += 1
            default: break
            }
        }
        #expect(walked == !isOne)
        #expect(clear >= (shape == .withoutContent || shape == .markIsFolder ? 0 : 1))
        // Nothing of a person's goes.
        if isOne {
            files.removeLeftovers(files.store)
        } else {
            files.store.temporaries.leftovers.remove(in: files.folder)
        }
        #expect(files.names.isEmpty == isOne)
    }

    // Rule: the size of a file is looked at while its key is locked | not looked at | transcript files-locked
    @Test("while its key is locked a file that was cut or made longer is damaged all the same") func lockedStructure()
        throws
    {
        let files = try TemporaryStore(passcode: "correct horse")
        for name in ["a", "b", "c"] {
            try files.store.write(pattern(100), to: files.path(name), protection: .complete)
        }
        try files.setRaw(files.path("a"), try files.raw(files.path("a")) + Array("in clear".utf8))
        try files.setRaw(files.path("b"), try files.raw(files.path("b")).dropLast(1))
        try files.home.keybag.lock()
        #expect(code { _ = try files.store.info(of: files.path("a")) } == .damaged)
        #expect(code { _ = try files.store.info(of: files.path("b")) } == .damaged)
        #expect(try files.store.info(of: files.path("c")).obstacle == .locked)
        #expect(try looked(files.store, files.folder) == ["a unusab", "b unusab", "c protec"])
        // The error names the file that can't be read, for any destination.
        let error = failure(ProtectedFileError.self) {
            try files.store.open(files.path("c"), toPlaintextAt: files.path("d"))
        }
        #expect(error?.code == .locked && error?.message.hasPrefix("\(files.path("c")) ") == true)
        let copied = failure(ProtectedFileError.self) { try files.store.copy(files.path("c"), to: files.path("d")) }
        #expect(copied?.code == .locked && copied?.message.hasPrefix("\(files.path("c")) ") == true)
    }

    // Rule: the index is read again before it is believed | believed as it was read
    @Test("what another process protects in a folder with an index meanwhile is no attack") func twoAtOnce() throws {
        let files = try TemporaryStore()
        let other = try files.another()
        let paths = (0..<80).map { files.path("f\($0)") }
        for path in paths { try files.setRaw(path, [1, 2]) }
        try files.store.setIndexed(true, folder: files.folder)
        let codes = Mutex<Set<String>>([])
        @Sendable func protectAll(_ store: ProtectedFileStore) {
            for path in paths {
                if let code = code({ try store.protect(contentsOf: path, protection: ProtectionClass.none) }) {
                    codes.withLock { _ = $0.insert("\(code)") }
                }
                do {
                    try store.enumerate(files.folder) {
                        guard case .unusable(let error) = $0.kind else { return }
                        codes.withLock { _ = $0.insert("walk: \(error.code)") }
                    }
                } catch {
                    codes.withLock { _ = $0.insert("walk: \(error)") }
                }
            }
        }
        let done = DispatchSemaphore(value: 0)
        Thread {
            protectAll(other)
            done.signal()
        }.start()
        protectAll(files.store)
        done.wait()
        let found = codes.withLock { $0 }
        #expect(found.isSubset(of: ["alreadyProtected", "changed", "busy"]), "\(found)")
        for path in paths { #expect(try files.store.read(from: path) == [1, 2]) }
        // What is one still says so.
        try files.setRaw(paths[0], [1, 2])
        #expect(code { try other.protect(contentsOf: paths[0]) } == .replaced)
    }

    @Test("the time of the last change of content stays, protected in place and opened in place") func times() throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.setRaw(path, pattern(100))
        let date = Date(timeIntervalSince1970: 981_158_400)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(path)")
        let before = try #require(try OpenFile.status(of: path, FileHooks())).modified
        func modified() throws -> Int64? { try OpenFile.status(of: path, FileHooks())?.modified }
        try files.store.protect(contentsOf: path)
        #expect(try modified() == before)
        try files.store.openInPlace(path)
        #expect(try modified() == before)
        try files.store.protect(contentsOf: path)
        // What backs up by size and time has to see it.
        try files.store.reclassify(path, to: .none)
        #expect(try modified() != before)
    }
}
