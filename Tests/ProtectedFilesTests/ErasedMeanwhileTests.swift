// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import ProtectedFiles

/// An erase does not wait for long work, which goes on beside it.
@Suite struct ErasedMeanwhileTests {
    /// Whose home goes, and how.
    enum Erasing: String, CaseIterable, Sendable { case home, user }

    /// What is done to the file `f`.
    enum Work: String, CaseIterable, Sendable {
        case protect, protectWithoutExchange, protectLinks, reclassify, openInPlace
    }

    /// At one call of the work the home is erased, by other objects, as another process would do it.
    private final class Eraser: Sendable {
        private struct State {
            var count = 0
            var isOn = false
            /// The file's bytes when the home was erased.
            var before: [UInt8]?
        }
        private let state = Mutex(State())
        private let wanted: Int
        private let look: @Sendable () -> [UInt8]
        private let erase: @Sendable () throws -> Void

        init(at wanted: Int, look: @escaping @Sendable () -> [UInt8], erase: @escaping @Sendable () throws -> Void) {
            (self.wanted, self.look, self.erase) = (wanted, look, erase)
        }

        func begin() { state.withLock { $0.isOn = true } }
        func end() { state.withLock { $0.isOn = false } }
        var before: [UInt8]? { state.withLock { $0.before } }

        func intercept() -> Int32 {
            let isNow = state.withLock { state in
                guard state.isOn else { return false }
                state.count += 1
                return state.count == wanted
            }
            guard isNow else { return 0 }
            let bytes = look()
            #expect(throws: Never.self) { try erase() }
            state.withLock { $0.before = bytes }
            return 0
        }
    }

    // Rule: nothing is renamed into place under keys that are gone | the key isn't checked again before the old file
    //   goes; handles commit without a check | also "nor is a new file, or a commit, said to be written under keys that
    //   are gone"
    @Test(
        "whenever a home is erased, no file takes the place of another one under keys that are gone",
        arguments: Erasing.allCases, Work.allCases)
    func replacing(_ erasing: Erasing, _ work: Work) throws {
        var (call, kept, done, late) = (1, 0, 0, 0)
        while true {
            let (temporary, files) = (TemporaryHome(), try TemporaryFiles())
            let root = try temporary.open()
            let user = UniqueIdentifier.random()
            let home = erasing == .home ? root : try root.home(ofUser: user, making: true)
            let content = pattern(70_000)
            let path = files.path
            let isClear = work != .reclassify && work != .openInPlace
            let first = ProtectedFileStore(home: home, configuration: .sealed)
            if isClear { try files.set(content) } else { try first.write(content, to: path, protection: .complete) }
            if work == .protectLinks {
                try FileManager.default.linkItem(atPath: "\(path)", toPath: "\(files.folder)/g")
            }
            let original = files.bytes
            let configuration = temporary.configuration
            let erase: @Sendable () throws -> Void = {
                if erasing == .home {
                    try Home.erase(configuration)
                } else {
                    try Home(configuration).removeHome(ofUser: user)
                }
            }
            let eraser = Eraser(at: call, look: { files.bytes }, erase: erase)
            let store = ProtectedFileStore(
                home: home,
                configuration: .sealed {
                    $0.hooks.intercept = { _ in eraser.intercept() }
                    $0.hooks.withoutExchange = work == .protectWithoutExchange
                })
            eraser.begin()
            let failure = code { try Self.run(work, store, path, FileLocation("\(files.folder)/g")) }
            eraser.end()
            guard let before = eraser.before else {
                #expect(failure == nil)
                break
            }
            if failure == nil {
                done += 1
                // It had its place before the keys went: then it was erased with the rest.
                if work == .protectWithoutExchange, before == original {
                    // Where names can't be exchanged, one call lies between the last look at the keys and the renaming.
                    late += 1
                } else {
                    #expect(before == files.bytes && before != original, "\(erasing), \(work), call \(call)")
                }
            } else {
                kept += 1
                // Where names can't be exchanged, nothing is put back.
                let isPutBack = files.bytes == original || work == .protectWithoutExchange && before != original
                #expect(isPutBack, "\(erasing), \(work), call \(call): \(failure as Any)")
            }
            call += 1
        }
        print("\(erasing), \(work): \(kept) kept, \(done) done")
        #expect(kept > 5 && done > 0 && late <= 1)
    }

    private static func run(
        _ work: Work, _ store: ProtectedFileStore, _ path: FileLocation, _ other: FileLocation
    ) throws {
        switch work {
        case .protect, .protectWithoutExchange: try store.protect(contentsOf: path, protection: .complete)
        case .protectLinks:
            try store.protect(
                contentsOf: path, protection: .complete, allLinks: store.links(among: [path, other]))
        case .reclassify: try store.reclassify(path, to: .completeUntilFirstUserAuthentication)
        case .openInPlace: try store.openInPlace(path)
        }
    }

    @Test("nor is a new file, or a commit, said to be written under keys that are gone") func acknowledged() throws {
        for protection in [ProtectionClass.complete, .completeUnlessOpen, .none] {
            let files = try TemporaryStore()
            let configuration = files.temporary.configuration
            try files.store.write([1], to: files.path("old"), protection: protection)
            let handle = try files.store.handle(forUpdating: files.path("old"))
            try handle.append([2])
            try files.setRaw(files.path("clear"), [3])
            let isErased = Mutex(false)
            let store = try files.another(
                .sealed {
                    $0.hooks.intercept = { step in
                        let isNow =
                            step.operation == .sync
                            && isErased.withLock { isErased in
                                defer { isErased = true }
                                return !isErased
                            }
                        guard isNow else { return 0 }
                        #expect(throws: Never.self) { try Home.erase(configuration) }
                        return 0
                    }
                })
            let target = files.path("new")
            #expect(
                code { try store.protect(contentsOf: files.path("clear"), to: target, protection: protection) }
                    == .keyDestroyed)
            #expect(isErased.withLock { $0 })
            #expect(!files.names.contains("new"))
            #expect(code { try handle.synchronize() } == .keyDestroyed)
            #expect(code { try store.write([1], to: files.path("clear")) } == .keyDestroyed)
            #expect(try files.raw(files.path("clear")) == [3])
        }
    }

    @Test("a key that was removed counts like one that was erased") func removedKey() throws {
        let files = try TemporaryStore()
        #expect(throws: Never.self) {
            try files.store.write([1], to: files.path("a"))
            let id = try SealedFile.open(files.path("a"), mode: .read, keybag: files.home.keybag, hooks: FileHooks())
                .header.key.classKeyID
            try files.home.keybag.checkExists(ClassKeyID(id))
        }
        let error = failure(DataProtectionError.self) { try files.home.keybag.checkExists(ClassKeyID(12_345)) }
        #expect(error?.code == .keyDestroyed)
    }
}

/// A folder with a file `f`, removed with this object.
private final class TemporaryFiles: Sendable {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    var path: FileLocation { FileLocation(temporary.path("f")) }

    init() throws { temporary = try TemporaryFolder() }

    func set(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: "\(path)")) }
    var bytes: [UInt8] { Array((try? Data(contentsOf: URL(fileURLWithPath: "\(path)"))) ?? Data()) }
}
