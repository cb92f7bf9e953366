// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import ProtectedFiles

/// How another program changes a file while Zamok replaces it.
enum OtherWriter: String, CaseIterable, Sendable {
    /// Writes another file and renames it over the name: editors.
    case saves
    /// Cuts the file and writes it anew.
    case cuts
    /// Opens it by its name, adds a line, closes it: shells, loggers.
    case appends
    /// Has it open all the time, and adds a line.
    case keeps
}

/// One file, and one writer that changes it at about the time when it is replaced.
private final class Race: @unchecked Sendable {
    let path: String
    let base: [UInt8]
    let line: [UInt8]
    let writer: OtherWriter
    private let kept: Int32

    init(_ path: String, _ base: [UInt8], _ line: [UInt8], _ writer: OtherWriter) {
        (self.path, self.base, self.line, self.writer) = (path, base, line, writer)
        kept = writer == .keeps ? unsafe open(path, O_WRONLY | O_APPEND) : -1
    }

    func write() {
        switch writer {
        case .saves:
            put(line, path + ".edited", O_WRONLY | O_CREAT | O_TRUNC)
            _ = unsafe rename(path + ".edited", path)
        case .cuts: put(line, path, O_WRONLY | O_TRUNC)
        case .appends: put(line, path, O_WRONLY | O_APPEND)
        case .keeps:
            _ = unsafe line.withUnsafeBytes { unsafe Foundation.write(kept, $0.baseAddress, $0.count) }
        }
    }

    private func put(_ bytes: [UInt8], _ path: String, _ flags: Int32) {
        let file = unsafe open(path, flags, 0o600)
        _ = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
        fsync(file)
        close(file)
    }

    func end() { if kept >= 0 { close(kept) } }

    /// Whether the writer's data is there: in clear, protected, or behind the end of a file that was protected before
    /// it wrote.
    func isKept(_ store: ProtectedFileStore) -> Bool {
        let raw = Array((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data())
        let wanted = writer == .saves || writer == .cuts ? line : base + line
        if raw == wanted { return true }
        if let content = try? store.read(from: FileLocation(path)) { return content == wanted }
        // It opened the name after the replacement. What is behind the end is reported as damage, and is all there.
        return writer == .appends && raw.starts(with: Array("zamokfil".utf8)) && raw.suffix(line.count) == line[...]
    }
}

@Suite struct ReplacingTests {
    /// How often each writer meets each operation.
    private static let rounds: Int = {
        let environment = ProcessInfo.processInfo.environment
        return environment["ZAMOK_REPLACING_ROUNDS"].flatMap(Int.init) ?? (environment["ZAMOK_LONG"] != nil ? 1000 : 40)
    }()

    // Rule: a file that is open for writing elsewhere is left | a refused lease is passed over | keeps
    // Rule: what came out of an exchange is what was read, and is checked before | its identity not compared; the check
    //   left out | 7 cases; also "what others do right before the last look, ..." (6), "nor one that is opened in
    //   place" (11)
    @Test(
        "a file that others change while it is protected loses nothing of the newer content",
        arguments: OtherWriter.allCases)
    func protecting(_ writer: OtherWriter) throws {
        try race(writer, isClear: true) { files, path in
            try files.store.protect(contentsOf: path, protection: ProtectionClass.none)
        }
    }

    @Test("nor one that is opened in place", arguments: [OtherWriter.saves, .cuts])
    func opening(_ writer: OtherWriter) throws {
        try race(writer, isClear: false) { files, path in try files.store.openInPlace(path) }
    }

    private func race(
        _ writer: OtherWriter, isClear: Bool, _ operation: (TemporaryStore, FileLocation) throws -> Void
    ) throws {
        let files = try TemporaryStore()
        var generator = SeededGenerator(seed: 12)
        var outcomes: [String: Int] = [:]
        for round in 0..<Self.rounds {
            let path = files.path("f")
            let base = pattern(70_000, seed: UInt64(round))
            try? FileManager.default.removeItem(atPath: "\(path)")
            if isClear { try files.setRaw(path, base) } else { try files.store.write(base, to: path) }
            let race = Race("\(path)", base, Array("line \(round)\n".utf8), writer)
            let delay = UInt32.random(in: 0..<3000, using: &generator)
            let done = DispatchSemaphore(value: 0)
            let other = Thread {
                usleep(delay)
                race.write()
                done.signal()
            }
            other.start()
            do {
                try operation(files, path)
                outcomes["replaced", default: 0] += 1
            } catch let error as ProtectedFileError {
                outcomes["\(error.code)", default: 0] += 1
                // Opening in place meets what the writer has put there already, or half of it.
                let expected: [ProtectedFileError.Code] =
                    isClear ? [.changed, .busy] : [.changed, .busy, .notProtected, .damaged]
                #expect(expected.contains(error.code), "round \(round): \(error)")
            }
            done.wait()
            race.end()
            #expect(race.isKept(files.store), "round \(round), delay \(delay): something was lost")
            #expect(files.names == ["f"], "round \(round): \(files.names)")
        }
        print("\(writer): \(outcomes)")
        if writer == .keeps { #expect(outcomes["replaced"] == nil) }
    }

    // Rule: where both files were changed, both stay | what was written into the new one is not checked | also "also
    //   long after a process was killed ..."
    @Test(
        "where one process wrote into the old file and another into the new one, both stay",
        arguments: [false, true], [false, true])
    func bothChanged(_ hasLeases: Bool, _ isKept: Bool) throws {
        let writers = TwoWriters(hasLeases: hasLeases, isKept: isKept)
        let files = try TemporaryStore(
            configuration: .sealed {
                $0.hooks.withoutLeases = !hasLeases
                $0.hooks.intercept = { writers.intercept($0) }
            })
        let path = files.path("f")
        let content = pattern(70_000)
        try files.setRaw(path, content)
        writers.begin("\(path)")
        let error = failure(ProtectedFileError.self) {
            try files.store.protect(contentsOf: path, protection: ProtectionClass.none)
        }
        writers.end()
        #expect(error?.code == .changed)
        let line = TwoWriters.line
        let names = ["f", "f.zamok-kept-1"]
        // A writer that has the new file open and hasn't written yet counts, too. Without leases it can't be detected,
        // and what it writes then is lost, as the page says.
        guard hasLeases || !isKept else { return #expect(files.names.first == "f") }
        #expect(files.names == names && error?.message.contains("\(files.path(names[1]))") == true)
        let all = try names.map { try files.raw(files.path($0)) }
        let old = hasLeases ? content : content + line
        #expect(all.contains(old), "the old file, with what was written into it")
        #expect(
            all.contains { $0.starts(with: Array("zamokfil".utf8)) && $0.suffix(line.count) == line[...] },
            "the new file, with what was written into it")
        // Both can be dealt with: the new one is repaired, and has the whole content.
        let sealed = try #require(names.first { (try? files.raw(files.path($0)).first) == UInt8(ascii: "z") })
        try files.another().repair(files.path(sealed))
        #expect(try files.another().read(from: files.path(sealed)) == content)
    }

    @Test("also long after a process was killed between the exchange and the removal") func bothChangedAfterKill()
        throws
    {
        let start = try CrashSite(["clear @f a*70000"])
        let call = try start.exchange(of: "protect @f 4")
        for (old, new) in [(true, true), (true, false), (false, true), (false, false)] {
            let site = try CrashSite(copying: start)
            let faults = try FaultInjector(folder: site.folder.url)
            _ = try site.run(["protect @f 4"], faults.environment(kill: .after(call)))
            let left = try #require(site.names.first { TemporaryName.matches(Array($0.utf8)) })
            let (content, sealed) = (site.raw("\(left)/content"), site.raw("f"))
            #expect(content == Scenario.content("a*70000") && sealed.starts(with: Array("zamokfil".utf8)))
            let line = TwoWriters.line
            if old { TwoWriters.append(to: site.folder.path("files/\(left)/content")) }
            if new { TwoWriters.append(to: site.folder.path("files/f")) }
            _ = try site.store()
            let (oldNow, newNow) = (content + (old ? line : []), sealed + (new ? line : []))
            switch (old, new) {
            case (true, true):
                #expect(site.names == ["f", "f.zamok-kept-1"])
                #expect(Set([site.raw("f"), site.raw("f.zamok-kept-1")]) == [oldNow, newNow])
            case (true, false): #expect(site.names == ["f"] && site.raw("f") == oldNow)
            default: #expect(site.names == ["f"] && site.raw("f") == newNow)
            }
        }
    }

    @Test("a commit of another handle is never lost to a change of class") func commits() throws {
        let files = try TemporaryStore()
        let other = try files.another()
        var kept = 0
        for round in 0..<Self.rounds {
            let path = files.path("f")
            let base = pattern(40_000, seed: UInt64(round))
            try files.store.write(base, to: path, protection: ProtectionClass.none)
            let done = DispatchSemaphore(value: 0)
            let isWritten = Atomic(false)
            let thread = Thread {
                let handle = try? other.handle(forUpdating: path)
                isWritten.store(
                    (try? handle?.append([1, 2, 3])) != nil && (try? handle?.close()) != nil, ordering: .relaxed)
                done.signal()
            }
            thread.start()
            let wanted: ProtectionClass = round % 2 == 0 ? .complete : .completeUnlessOpen
            let failure = code { try files.store.reclassify(path, to: wanted) }
            #expect(failure == nil || failure == .changed || failure == .busy)
            done.wait()
            let content = try files.store.read(from: path)
            let isThere = isWritten.load(ordering: .relaxed)
            #expect(content == (isThere ? base + [1, 2, 3] : base), "round \(round), \(failure as Any)")
            if isThere { kept += 1 }
            #expect(files.names == ["f"])
        }
        print("commits: \(kept) of \(Self.rounds) written")
    }

    /// A writer, the call of the replacement that it comes just before, and whether there are leases (then it would
    /// wait for us). Without an exchange there is one check, after the sync of the new file.
    typealias Moment = (writer: OtherWriter, call: FileHooks.Operation, hasLeases: Bool, hasExchange: Bool)

    // Rule: what came out of an exchange is compared with what was read | only that it still has a name | cuts,
    //   appends, keeps; also "nor one that is opened in place" (cuts)
    @Test(
        "what others do right before the last look, before the exchange, or right behind it, is kept",
        arguments: [
            (.saves, .exchange, true, true), (.saves, .exchange, false, true), (.cuts, .exchange, false, true),
            (.appends, .exchange, false, true), (.keeps, .exchange, false, true), (.keeps, .sync, false, true),
            (.saves, .sync, false, false), (.cuts, .sync, false, false), (.appends, .sync, false, false),
        ] as [Moment])
    func lastMoment(_ moment: Moment) throws {
        let files = try TemporaryStore()
        let path = files.path("f")
        let base = pattern(70_000)
        try files.setRaw(path, base)
        let race = Race("\(path)", base, Array("line\n".utf8), moment.writer)
        defer { race.end() }
        let calls = Locked((isLooked: false, isDone: false))
        let store = try files.another(
            .sealed {
                $0.hooks.withoutLeases = !moment.hasLeases
                $0.hooks.withoutExchange = !moment.hasExchange
                $0.hooks.intercept = { step in
                    let isNow = calls.withLock { calls in
                        if step.operation == .exchange { calls.isLooked = true }
                        guard calls.isLooked || !moment.hasExchange, step.operation == moment.call, !calls.isDone
                        else { return false }
                        calls.isDone = true
                        return true
                    }
                    if isNow { race.write() }
                    return 0
                }
            })
        #expect(code { try store.protect(contentsOf: path) } == .changed)
        #expect(race.isKept(files.store) && files.names == ["f"])
    }

    @Test("a handle that was open before says that its file is not there any more") func orphans() throws {
        let files = try TemporaryStore()
        try files.store.write([1], to: files.path("f"))
        let handle = try files.store.handle(forUpdating: files.path("f"))
        try files.store.write([2], to: files.path("f"))
        #expect(code { try handle.append([3]) } == .changed)
        #expect(try files.store.read(from: files.path("f")) == [2])
    }

    @Test("hard links are refused: the other name would keep the content as it is") func links() throws {
        let files = try TemporaryStore()
        try files.setRaw(files.path("f"), [1, 2])
        try FileManager.default.linkItem(atPath: "\(files.path("f"))", toPath: "\(files.path("g"))")
        #expect(code { try files.store.protect(contentsOf: files.path("f")) } == .unsupported)
        try files.store.write([1], to: files.path("h"))
        try FileManager.default.linkItem(atPath: "\(files.path("h"))", toPath: "\(files.path("i"))")
        #expect(code { try files.store.openInPlace(files.path("h")) } == .unsupported)
        #expect(code { try files.store.reclassify(files.path("h"), to: .none) } == .unsupported)
        #expect(try files.raw(files.path("f")) == [1, 2])
    }

    @Test(
        "without files that have no name, exchange or leases: the same results, and nothing is left",
        arguments: [(true, false, false), (false, true, false), (false, false, true), (true, true, true)])
    func otherSystems(_ lacks: (names: Bool, exchange: Bool, leases: Bool)) throws {
        let files = try TemporaryStore(
            configuration: .sealed {
                $0.hooks.withoutUnnamedFiles = lacks.names
                $0.hooks.withoutExchange = lacks.exchange
                $0.hooks.withoutLeases = lacks.leases
            })
        let path = files.path("f")
        let content = pattern(100_000)
        try files.setRaw(path, content)
        try files.store.protect(contentsOf: path)
        #expect(try files.store.read(from: path) == content)
        try files.store.reclassify(path, to: .none)
        #expect(try files.store.read(from: path) == content)
        try files.store.write([1], to: files.path("g"))
        try files.store.write([2], to: files.path("g"))
        #expect(code { try files.store.write([3], to: files.path("g"), options: .withoutOverwriting) } == .exists)
        try files.store.open(path, toPlaintextAt: files.path("h"))
        #expect(code { try files.store.open(path, toPlaintextAt: files.path("h")) } == .exists)
        try files.store.openInPlace(path)
        #expect(try files.raw(path) == content && files.raw(files.path("h")) == content)
        #expect(files.names == ["f", "g", "h"])
    }

    @Test(
        "any call that fails leaves the old file or the new one, and nothing in clear beside it",
        arguments: [false, true])
    func faults(_ isNamed: Bool) throws {
        for operation in ["protect", "reclassify", "reveal", "write"] {
            var call = 1
            while true {
                let counter = FaultCounter(failing: call)
                let files = try TemporaryStore(inMemory: true)
                let path = files.path("f")
                let content = pattern(40_000)
                if operation == "protect" {
                    try files.setRaw(path, content)
                } else {
                    try files.store.write(content, to: path, protection: ProtectionClass.none)
                }
                let store = try files.another(
                    .sealed {
                        $0.hooks.intercept = { counter.intercept($0) }
                        $0.hooks.withoutUnnamedFiles = isNamed
                    })
                counter.begin()
                let failure = code {
                    switch operation {
                    case "protect": try store.protect(contentsOf: path)
                    case "reclassify": try store.reclassify(path, to: .completeUnlessOpen)
                    case "reveal": try store.openInPlace(path)
                    default: try store.write(content, to: path)
                    }
                }
                counter.end()
                let next = try files.another()
                files.removeLeftovers(next)
                let raw = try files.raw(path)
                #expect(try raw == content || next.read(from: path) == content, "\(operation), call \(call)")
                #expect(files.names == ["f"], "\(operation), call \(call): \(failure as Any)")
                if !counter.hasFailed {
                    #expect(failure == nil)
                    break
                }
                call += 1
            }
            #expect(call > 3)
        }
    }
}

/// Two programs that change a file in the middle of an exchange. One asks for the old file before it, the other one
/// opens the name after it.
private final class TwoWriters: @unchecked Sendable {
    static let line = Array("saved\n".utf8)
    private let lock = NSLock()
    private let hasLeases: Bool
    /// The second one opens the file, and writes when all is over.
    private let isKept: Bool
    private var path: String?
    private var exchanges = 0
    private var kept: Int32 = -1

    init(hasLeases: Bool, isKept: Bool) { (self.hasLeases, self.isKept) = (hasLeases, isKept) }

    func begin(_ path: String) { lock.withLock { self.path = path } }

    func end() {
        guard kept >= 0 else { return }
        Self.write(kept)
    }

    func intercept(_ step: FileHooks.Step) -> Int32 {
        lock.withLock {
            guard step.operation == .exchange, let path else { return }
            exchanges += 1
            switch exchanges {
            // Asks for the lease, and doesn't wait for it.
            case 1 where hasLeases: _ = unsafe open(path, O_WRONLY | O_APPEND | O_NONBLOCK)
            case 1: Self.append(to: path)
            case 2 where isKept: kept = unsafe open(path, O_WRONLY | O_APPEND)
            case 2: Self.append(to: path)
            default: break
            }
        }
        return 0
    }

    static func append(to path: String) { write(unsafe open(path, O_WRONLY | O_APPEND)) }

    private static func write(_ file: Int32) {
        _ = unsafe line.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
        fsync(file)
        close(file)
    }
}

/// Lets one call of a run fail.
final class FaultCounter: Sendable {
    private struct State {
        var count = 0
        var isOn = false
        var hasFailed = false
    }
    private let state = Mutex(State())
    private let wanted: Int

    init(failing wanted: Int) { self.wanted = wanted }

    func begin() { state.withLock { $0.isOn = true } }
    func end() { state.withLock { $0.isOn = false } }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func intercept(_ step: FileHooks.Step) -> Int32 {
        state.withLock { state in
            guard state.isOn else { return 0 }
            state.count += 1
            guard state.count == wanted else { return 0 }
            state.hasFailed = true
            return EIO
        }
    }
}
