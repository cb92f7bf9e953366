// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ProtectedFiles

/// What others may do to a file from the moment on at which it is read to be replaced.
@Suite struct HeldFileTests {
    enum Replacing: String, CaseIterable, Sendable {
        case protect, reclassify, open

        func run(_ store: ProtectedFileStore, _ path: FileLocation) throws {
            switch self {
            case .protect: try store.protect(contentsOf: path, protection: ProtectionClass.none)
            case .reclassify: try store.reclassify(path, to: .completeUnlessOpen)
            case .open: try store.openInPlace(path)
            }
        }
    }

    private func begin(_ replacing: Replacing, _ files: TemporaryStore, _ content: [UInt8]) throws -> FileLocation {
        let path = files.path("f")
        if replacing == .protect {
            try files.setRaw(path, content)
        } else {
            try files.store.write(content, to: path, protection: ProtectionClass.none)
        }
        return path
    }

    /// The calls of a store, and what comes before the first write of the new content.
    private final class Calls: Sendable {
        private let made = Locked<[FileHooks.Operation]>([])
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        var all: [FileHooks.Operation] { made.withLock { $0 } }

        func store(_ files: TemporaryStore) throws -> ProtectedFileStore {
            let name = "\(files.path("f"))"
            return try files.another(
                .sealed {
                    $0.hooks.intercept = { step in
                        guard "\(step.path)".hasPrefix(name) else { return 0 }
                        let isFirst = self.made.withLock { made in
                            defer { made.append(step.operation) }
                            return step.operation == .write && !made.contains(.write)
                        }
                        if isFirst { self.body() }
                        return 0
                    }
                })
        }
    }

    @Test(
        "a writer that opens a file while it is replaced waits, and is released at once",
        arguments: Replacing.allCases)
    func opened(_ replacing: Replacing) throws {
        let files = try TemporaryStore()
        let content = pattern(5_000_000)
        let path = try begin(replacing, files, content)
        let before = try files.raw(path)
        let answer = Locked<Int32>(0)
        let calls = Calls {
            let file = unsafe open("\(path)", O_WRONLY | O_NONBLOCK)
            answer.withLock { $0 = file < 0 ? errno : 0 }
            if file >= 0 { close(file) }
        }
        let store = try calls.store(files)
        #expect(code { try replacing.run(store, path) } == .changed)
        #expect(answer.withLock { $0 } == EWOULDBLOCK, "nobody can write before the lease is given up")
        #expect(!calls.all.contains { $0 == .exchange || $0 == .sync }, "it gave way while it was reading")
        #expect(try files.raw(path) == before && files.names == ["f"])
        let file = unsafe open("\(path)", O_WRONLY | O_NONBLOCK)
        #expect(file >= 0)
        close(file)
        try replacing.run(files.store, path)
    }

    @Test("a file that another process has mapped is not replaced: what is written there changes no time")
    func mapped() throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.setRaw(path, [UInt8](repeating: 65, count: 100_000))
        let file = unsafe open("\(path)", O_RDWR)
        let map = unsafe mmap(nil, 100_000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        close(file)
        let bytes = unsafe try #require(unsafe map)
        unsafe bytes.storeBytes(of: 66, as: UInt8.self)
        let address = UInt(bitPattern: bytes)
        let calls = Calls {
            guard let bytes = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
            unsafe bytes.storeBytes(of: 67, as: UInt8.self)
            unsafe msync(bytes, 4096, MS_SYNC)
            unsafe munmap(bytes, 100_000)
        }
        let store = try calls.store(files)
        #expect(code { try store.protect(contentsOf: path) } == .busy)
        #expect(try files.raw(path).first == 66, "nobody has unmapped it yet")
        unsafe bytes.storeBytes(of: 67, as: UInt8.self)
        unsafe munmap(bytes, 100_000)
        try files.store.protect(contentsOf: path)
        #expect(try files.store.read(from: path).first == 67)
    }

    @Test("a time of the last change is kept, however late or early", arguments: [-300_000_000, 0, 1, 13_569_465_600])
    func times(_ seconds: Int) throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        try files.setRaw(path, [1])
        func modified() -> Int {
            var status = stat()
            return unsafe stat("\(path)", &status) == 0 ? status.st_mtim.tv_sec : 0
        }
        let times = [timespec(tv_sec: seconds, tv_nsec: 7), timespec(tv_sec: seconds, tv_nsec: 7)]
        #expect(unsafe utimensat(AT_FDCWD, "\(path)", times, 0) == 0)
        // Else the file system has no such times.
        guard modified() == seconds else { return }
        try files.store.protect(contentsOf: path)
        #expect(modified() == seconds)
        try files.store.openInPlace(path)
        #expect(modified() == seconds)
    }

    /// What becomes of the name while a process waits for the old file.
    enum Fate: CaseIterable, Sendable { case movedAway, savedOver, removed }

    private static func meet(_ fate: Fate, _ path: String) {
        switch fate {
        case .movedAway: _ = unsafe rename(path, path + ".1")
        case .savedOver:
            _ = try? Data("newer".utf8).write(to: URL(fileURLWithPath: path + ".edited"))
            _ = unsafe rename(path + ".edited", path)
        case .removed: _ = unsafe unlink(path)
        }
    }

    @Test(
        "a process that waits for the old file loses nothing when the new one is moved or replaced meanwhile",
        arguments: Fate.allCases)
    func fates(_ fate: Fate) throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        let content = pattern(70_000)
        try files.setRaw(path, content)
        let exchanges = Locked(0)
        let store = try files.another(
            .sealed {
                $0.hooks.intercept = { step in
                    guard step.operation == .exchange else { return 0 }
                    switch exchanges.withLock({ count in
                        count += 1
                        return count
                    }) {
                    // Asks for the lease, and doesn't wait for it.
                    case 1: _ = unsafe open("\(path)", O_WRONLY | O_NONBLOCK)
                    case 2: Self.meet(fate, "\(path)")
                    default: break
                    }
                    return 0
                }
            })
        let error = failure(ProtectedFileError.self) { try store.protect(contentsOf: path) }
        #expect(error?.code == .changed && error?.message.contains("f.zamok-kept-1") == true)
        let kept = "f.zamok-kept-1"
        #expect(try files.raw(files.path(kept)) == content)
        switch fate {
        case .movedAway:
            #expect(files.names == ["f.1", kept])
            #expect(try files.store.read(from: files.path("f.1")) == content)
        case .savedOver:
            #expect(files.names == ["f", kept])
            #expect(try files.raw(path) == Array("newer".utf8))
        case .removed: #expect(files.names == [kept])
        }
    }

    @Test("also where the process was killed: the old file gets a name that a person finds") func fatesAfterKill()
        throws
    {
        let start = try CrashSite(["clear @f a*70000"])
        let call = try start.exchange(of: "protect @f 4")
        for fate in Fate.allCases {
            let site = try CrashSite(copying: start)
            let faults = try FaultInjector(folder: site.folder.url)
            _ = try site.run(["protect @f 4"], faults.environment(kill: .after(call)))
            let left = try #require(site.names.first { TemporaryName.matches(Array($0.utf8)) })
            let content = site.raw("\(left)/content") + Array("line\n".utf8)
            let handle = try FileHandle(forWritingTo: site.folder.url.appendingPathComponent("files/\(left)/content"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("line\n".utf8))
            try handle.close()
            Self.meet(fate, site.folder.path("files/f"))
            _ = try site.store()
            let kept = "f.zamok-kept-1"
            let others = [Fate.movedAway: ["f.1"], .savedOver: ["f"], .removed: []][fate] ?? []
            #expect(site.names == others + [kept], "\(fate): \(site.names)")
            #expect(site.raw(kept) == content, "\(fate)")
        }
    }

    @Test("nor is an old file that another process has open taken for an untouched one") func openAfterKill() throws {
        let site = try CrashSite(["clear @f a*70000"])
        let faults = try FaultInjector(folder: site.folder.url)
        let call = try site.exchange(of: "protect @f 4")
        _ = try site.run(["protect @f 4"], faults.environment(kill: .after(call)))
        let left = try #require(site.names.first { TemporaryName.matches(Array($0.utf8)) })
        let writer = try FileHandle(forWritingTo: site.folder.url.appendingPathComponent("files/\(left)/content"))
        _ = try site.store()
        try writer.seekToEnd()
        try writer.write(contentsOf: Data("line\n".utf8))
        try writer.close()
        #expect(site.names == ["f"] && site.raw("f") == Scenario.content("a*70000") + Array("line\n".utf8))
    }
}
