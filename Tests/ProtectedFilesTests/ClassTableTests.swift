// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

/// When what is possible with a file of which class. The table is the rule; the tests run every cell of it, in
/// processes of their own.
enum ClassTable {
    enum State: String, CaseIterable, Sendable {
        case beforeFirstUnlock, unlocked, locked, openedBeforeLock
    }

    enum Operation: String, CaseIterable, Sendable {
        case create, open, read, write, append, rename, delete
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let operation: Operation
        let protection: ProtectionClass
        let state: State
        let isPossible: Bool
        var testDescription: String { "\(operation) \(protection) \(state)" }
    }

    // One letter for each state in the order above: y possible, n refused as locked.
    private static let rows: [(Operation, complete: String, unlessOpen: String, firstUnlock: String, none: String)] = [
        (.create, "nynn", "yyyy", "nyyy", "yyyy"),
        (.open, "nynn", "nynn", "nyyy", "yyyy"),
        (.read, "nynn", "nyny", "nyyy", "yyyy"),
        (.write, "nynn", "nyny", "nyyy", "yyyy"),
        (.append, "nynn", "nyny", "nyyy", "yyyy"),
        (.rename, "yyyy", "yyyy", "yyyy", "yyyy"),
        (.delete, "yyyy", "yyyy", "yyyy", "yyyy"),
    ]

    static let cells: [Cell] = rows.flatMap { row in
        zip(
            [ProtectionClass.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none],
            [row.complete, row.unlessOpen, row.firstUnlock, row.none]
        ).flatMap { protection, letters in
            zip(State.allCases, letters).map {
                Cell(operation: row.0, protection: protection, state: $0, isPossible: $1 == "y")
            }
        }
    }
}

/// Two processes of one home: one unlocks and locks, the other one uses files. With the process-local holder it is
/// one process that does both.
final class LockedProcesses {
    let folder: TemporaryFolder
    private let keeper: Child
    private let user: Child

    init(kernelKeyring: Bool) throws {
        folder = try TemporaryFolder()
        let arguments = ["files", folder.path("home"), kernelKeyring ? "kernel" : "process"]
        keeper = try Child("test-worker", arguments)
        user = kernelKeyring ? try Child("test-worker", arguments) : keeper
        try #require(try tell("passcode horse") == "ok")
    }

    func tell(_ line: String) throws -> String { try Self.ask(keeper, line) }
    func use(_ line: String) throws -> String { try Self.ask(user, line) }

    private static func ask(_ child: Child, _ line: String) throws -> String {
        try child.send((line + "\n").utf8)
        return try child.line()
    }

    func run(_ cell: ClassTable.Cell, number: Int) throws -> String {
        let path = folder.path("\(number)")
        let code = cell.protection.rawValue
        try #require(try tell("unlock horse") == "ok")
        if cell.operation != .create { try #require(try use("create \(path) \(code) a*40000") == "ok") }
        switch cell.state {
        case .unlocked: break
        case .beforeFirstUnlock: try #require(try tell("leave") == "ok")
        case .locked: try #require(try tell("lock") == "ok")
        case .openedBeforeLock:
            if cell.operation != .create { try #require(try use("open \(path)") == "ok") }
            try #require(try tell("lock") == "ok")
        }
        return try use(command(cell, path))
    }

    private func command(_ cell: ClassTable.Cell, _ path: String) -> String {
        let viaHandle = cell.state == .openedBeforeLock ? "handle-" : ""
        switch cell.operation {
        case .create: return "create \(path) \(cell.protection.rawValue) a*40000"
        case .open: return "open \(path)"
        case .read: return "\(viaHandle)read \(path)"
        case .write: return "\(viaHandle)write \(path) b*50"
        case .append: return "\(viaHandle)append \(path) c*50"
        case .rename: return "rename \(path) \(path)-renamed"
        case .delete: return "delete \(path)"
        }
    }
}

@Suite(.serialized) struct ClassTableTests {
    // Rule: keys of `complete` are gone at lock | `mayUse` and `end` keep them without a grace period | 6 cells "ok"
    //   instead of "locked", with the kernel keyring and without; what was pending at the lock was committed; the
    //   impatient handle read on
    @Test("every cell of the class table holds", arguments: [true, false])
    func table(kernelKeyring: Bool) throws {
        if kernelKeyring, !KernelKeyring.works { return }
        let processes = try LockedProcesses(kernelKeyring: kernelKeyring)
        for (number, cell) in ClassTable.cells.enumerated() {
            let answer = try processes.run(cell, number: number)
            #expect(answer.hasPrefix(cell.isPossible ? "ok" : "locked"), "\(cell.testDescription): \(answer)")
        }
        #expect(ClassTable.cells.count == 7 * 4 * 4)
    }

    @Test("a file of completeUnlessOpen is made while locked, written on through its handle, and read after an unlock")
    func unlessOpen() throws {
        let processes = try LockedProcesses(kernelKeyring: KernelKeyring.works)
        let path = processes.folder.path("mail")
        #expect(try processes.tell("lock") == "ok")
        #expect(try processes.use("new \(path) 2") == "ok")
        for part in 1...3 {
            #expect(try processes.use("handle-append \(path) m*40000") == "ok")
            #expect(try processes.use("sync \(path)") == "ok")
            #expect(try processes.use("handle-read \(path)") == "ok \(part * 40000)")
        }
        #expect(try processes.use("close \(path)") == "ok")
        #expect(try processes.use("read \(path)") == "locked")
        #expect(try processes.use("open \(path)") == "locked")
        #expect(try processes.tell("unlock horse") == "ok")
        #expect(try processes.use("read \(path)") == "ok 120000")
    }

    @Test("what was written and not synchronised before a lock is refused, and the old content stays")
    func pendingAtLock() throws {
        let processes = try LockedProcesses(kernelKeyring: KernelKeyring.works)
        let path = processes.folder.path("note")
        #expect(try processes.use("create \(path) 1 a*50000") == "ok")
        #expect(try processes.use("open \(path)") == "ok")
        #expect(try processes.use("handle-append \(path) b*50000") == "ok")
        #expect(try processes.tell("lock") == "ok")
        #expect(try processes.use("sync \(path)") == "locked")
        #expect(try processes.tell("unlock horse") == "ok")
        #expect(try processes.use("read \(path)") == "ok 50000")
    }

    @Test("with a grace period an open handle of complete goes on that long after a lock, and no longer")
    func grace() throws {
        let files = try TemporaryStore(
            passcode: "correct horse", configuration: .sealed { $0.lockGrace = .seconds(3600) }
        )
        let strict = ProtectedFileStore(home: files.home, configuration: .sealed)
        try files.store.write(pattern(100_000), to: files.path("a"), protection: .complete)
        let patient = try files.store.handle(forReadingFrom: files.path("a"))
        let impatient = try strict.handle(forReadingFrom: files.path("a"))
        try files.home.keybag.lock()
        #expect(try patient.read(count: 10, at: 0) == Array(pattern(100_000)[..<10]))
        #expect(code { _ = try impatient.read(count: 10, at: 0) } == .locked)
        #expect(code { _ = try files.store.read(from: files.path("a")) } == .locked)
        try files.unlock()
        #expect(try impatient.read(count: 10, at: 0).count == 10)
    }
}

/// Whether this machine has a kernel keyring that works; containers often have none.
enum KernelKeyring {
    static let works: Bool = {
        guard let folder = try? TemporaryFolder(),
            let child = try? Child("test-worker", ["files", folder.path("home"), "kernel"])
        else { return false }
        try? child.send("passcode horse\n".utf8)
        return (try? child.line()) == "ok"
    }()
}
