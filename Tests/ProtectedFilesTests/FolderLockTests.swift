// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Dispatch
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// Changes of a folder's index, and changes of the files that it knows.
@Suite struct FolderLockTests {
    enum Change: String, CaseIterable, Sendable {
        case protect, reclassify, open, write, commit, remove, move

        /// The call by which the file changes.
        var call: FileHooks.Operation {
            switch self {
            case .protect, .reclassify, .open: .exchange
            case .write, .move: .rename
            case .commit: .write
            case .remove: .remove
            }
        }

        func run(_ store: ProtectedFileStore, _ path: FileLocation) throws {
            switch self {
            case .protect: try store.protect(contentsOf: path, protection: ProtectionClass.none)
            case .reclassify: try store.reclassify(path, to: .completeUnlessOpen)
            case .open: try store.openInPlace(path)
            case .write: try store.write([9], to: path)
            case .remove: try store.remove(path)
            case .move: try store.move(path, to: FileLocation("\(path)-moved"))
            case .commit:
                let handle = try store.handle(forUpdating: path)
                try handle.append([3])
                try handle.close()
            }
        }
    }

    @Test(
        "an index that is turned on while a file changes knows the file as it is afterwards", arguments: Change.allCases
    )
    func turnedOn(_ change: Change) throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        if change == .protect {
            try files.setRaw(path, pattern(40_000))
        } else {
            try files.store.write(pattern(40_000), to: path, protection: ProtectionClass.none)
        }
        let other = try files.another()
        let isBegun = Locked(false)
        let done = DispatchSemaphore(value: 0)
        let folder = files.folder
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    guard step.operation == change.call, "\(step.path)".hasPrefix("\(folder)/"),
                        // A commit writes the header last.
                        change != .commit || step.offset < FileFormat.headerSize,
                        isBegun.withLock({ value in
                            defer { value = true }
                            return !value
                        })
                    else { return 0 }
                    Thread {
                        try? other.setIndexed(true, folder: folder)
                        done.signal()
                    }.start()
                    // It waits for us; where it doesn't, it is done by then.
                    _ = done.wait(timeout: .now() + .milliseconds(300))
                    done.signal()
                    return 0
                }
            })
        try change.run(store, path)
        done.wait()
        for _ in 0..<20_000 where try !files.store.isIndexed(folder) { usleep(1000) }
        #expect(try files.store.isIndexed(folder))
        let wrong = Locked<[String]>([])
        try files.another().enumerate(folder) { entry in
            switch entry.kind {
            case .protected: try files.another().verify(entry.location)
            case .unprotected: break
            default: wrong.withLock { $0.append("\(entry)") }
            }
        }
        #expect(wrong.withLock { $0 } == [])
    }

    @Test("another user that may read a folder or file doesn't prevent changing the one or protecting the other")
    func lockedByOthers() throws {
        let files = try TemporaryStore()
        try files.store.setIndexed(true, folder: files.folder)
        try files.setRaw(files.path("f"), [1])
        for path in [files.folder, files.path("f")] {
            let lock = unsafe open("\(path)", O_RDONLY)
            #expect(flock(lock, LOCK_SH | LOCK_NB) == 0)
            defer { close(lock) }
            let begin = ContinuousClock.now
            try files.store.write([1], to: files.path("g"))
            if path != files.folder { try files.store.protect(contentsOf: path) }
            #expect(ContinuousClock.now - begin < .seconds(9))
        }
        #expect(try files.store.read(from: files.path("f")) == [1])
    }

    @Test("a record that was emptied or written over is told as such, with a way out")
    func emptiedRecord() throws {
        for content: [UInt8] in [[], [UInt8](repeating: 0, count: 5000)] {
            let files = try TemporaryStore()
            try files.store.write([1], to: files.path("f"))
            try files.store.setIndexed(true, folder: files.folder)
            let record = files.path(".zamok-folder")
            try Data(content).write(to: URL(fileURLWithPath: "\(record)"), options: [])
            let store = try files.another()
            for error in [
                failure(ProtectedFileError.self) { try store.verify(folder: files.folder) },
                failure(ProtectedFileError.self) { try store.verify(files.path("f")) },
            ] {
                #expect(error?.code == .folderRecord && error?.message.contains("--adopt") == true, "\(error as Any)")
            }
            try FileManager.default.removeItem(atPath: "\(record)")
            try store.setIndexed(true, folder: files.folder, adopting: true)
            #expect(try files.another().read(from: files.path("f")) == [1])
        }
    }

    @Test("what a process makes for its own use is neither a finding nor a folder, at any moment") func passing() throws
    {
        let files = try TemporaryStore()
        let (content, clear) = (pattern(100), files.path("clear"))
        try files.store.write(content, to: files.path("f"), protection: ProtectionClass.none)
        let wrong = Locked<[String]>([])
        let (other, folder) = (try files.another(), files.folder)
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    guard "\(step.path)".hasPrefix("\(folder)/") else { return 0 }
                    do {
                        try other.enumerate(folder, recursively: true) { entry in
                            let name = "\(entry.location)".dropFirst("\(folder)/".count)
                            switch entry.kind {
                            case .protected, .leftover: break
                            case .unprotected where name == "clear": break
                            default: wrong.withLock { $0.append("\(step.operation): \(name) \(entry.kind)") }
                            }
                        }
                    } catch {
                        wrong.withLock { $0.append("\(step.operation): \(error)") }
                    }
                    return 0
                }
            })
        try store.reclassify(files.path("f"), to: .completeUnlessOpen)
        try files.setRaw(clear, content)
        try store.protect(contentsOf: clear)
        try store.openInPlace(clear)
        #expect(wrong.withLock { $0 } == [])
    }
}
