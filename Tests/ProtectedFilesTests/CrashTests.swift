// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

/// What a killed process leaves: a home and a folder of files, both in one temporary folder, and a process that
/// changes them.
struct CrashSite {
    let folder: TemporaryFolder
    var home: String { folder.path("home") }

    /// Runs the commands without a fault, to have something to change.
    init(_ commands: [String]) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: false)
        let child = try Child("test-worker", ["files", home])
        for command in commands { try #require(try Self.ask(child, resolve(command)) == "ok") }
        try #require(try child.finish() == 0)
    }

    /// A copy, so that each fault meets the same state.
    init(copying site: CrashSite) throws {
        folder = try TemporaryFolder()
        for name in ["home", "files"] {
            try FileManager.default.copyItem(atPath: site.folder.path(name), toPath: folder.path(name))
        }
    }

    /// `@` is the folder of files.
    func resolve(_ command: String) -> String {
        command.replacingOccurrences(of: "@", with: folder.path("files") + "/")
    }

    static func ask(_ child: Child, _ line: String) throws -> String {
        try child.send((line + "\n").utf8)
        return try child.line()
    }

    /// Runs the commands under faults; the answers until it ended.
    func run(_ commands: [String], _ environment: [String: String]) throws -> [String] {
        let child = try Child("test-worker", ["files", home], environment: environment)
        var answers: [String] = []
        for command in commands {
            guard let answer = try? Self.ask(child, resolve(command)) else { break }
            answers.append(answer)
        }
        _ = try? child.finish()
        return answers
    }

    /// Which call of the command exchanges names, seen on a copy.
    func exchange(of command: String) throws -> Int {
        let whole = try CrashSite(copying: self)
        let log = whole.folder.url.appendingPathComponent("log")
        _ = try whole.run([command], try FaultInjector(folder: whole.folder.url).environment(log: log))
        return try #require(try WriteLog(contentsOf: log).records.first { $0.kind == .exchange }?.call)
    }

    /// A store as the next start has it.
    func store() throws -> ProtectedFileStore {
        ProtectedFileStore(home: try Home(TemporaryHome.configuration(of: home)), configuration: .sealed)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("files"))) ?? []).sorted()
    }

    var hasLeftovers: Bool { names.contains { TemporaryName.matches(Array($0.utf8)) } }

    /// Whether everything that is left under a temporary's name is told as such.
    func tellsLeftovers(_ store: ProtectedFileStore) throws -> Bool {
        var told = 0
        try store.enumerate(FileLocation(folder.path("files"))) { entry in
            switch entry.kind {
            case .leftover, .clearLeftover: told += 1
            default: break
            }
        }
        return told == names.count { TemporaryName.matches(Array($0.utf8)) }
    }

    func raw(_ name: String) -> [UInt8] {
        Array((try? Data(contentsOf: URL(fileURLWithPath: folder.path("files/" + name)))) ?? Data())
    }
}

/// A change, what the file may hold after it or a crash in it, and which other names may be there.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    let before: [String]
    let change: [String]
    /// Contents as the victim spells them, or nil: no file.
    let outcomes: [String?]
    /// Whether the changed file lies there in clear before or after, so that markers are no fault.
    var isClear = false
    /// Whether bytes lie behind its end, which the change takes away.
    var isSpoiled = false
    var testDescription: String { name }

    static let all = [
        Scenario(name: "a new file", before: [], change: ["create @f 4 a*70000"], outcomes: [nil, "a*70000"]),
        Scenario(
            name: "a file replaced", before: ["create @f 4 a*70000"], change: ["create @f 4 b*5"],
            outcomes: ["a*70000", "b*5"]
        ),
        Scenario(
            name: "4 KiB in place", before: ["create @f 4 a*100000"],
            change: ["open @f", "handle-write @f b*4096 40000", "sync @f", "close @f"],
            outcomes: ["a*100000", "a*100000|b*4096@40000"]
        ),
        Scenario(
            name: "append", before: ["create @f 4 a*40000"],
            change: ["open @f", "handle-append @f b*60000", "close @f"], outcomes: ["a*40000", "a*40000+b*60000"]
        ),
        Scenario(
            name: "cut", before: ["create @f 4 a*140000"], change: ["open @f", "cut @f 100", "close @f"],
            outcomes: ["a*140000", "a*100"]
        ),
        Scenario(
            name: "reclassified", before: ["create @f 4 a*70000"], change: ["reclassify @f 3"],
            outcomes: ["a*70000"]
        ),
        Scenario(
            name: "protected in place", before: ["clear @f a*70000"], change: ["protect @f 4"],
            outcomes: ["a*70000"], isClear: true
        ),
        Scenario(
            name: "opened in place", before: ["create @f 4 a*70000"], change: ["reveal @f"],
            outcomes: ["a*70000"], isClear: true
        ),
        Scenario(
            name: "renamed over another one", before: ["create @f 4 a*10", "create @g 4 b*10"],
            change: ["delete @f", "rename @g @f"], outcomes: ["a*10", nil, "b*10"]
        ),
        Scenario(
            name: "indexed and replaced", before: ["create @f 4 a*10", "index @"], change: ["create @f 4 b*20"],
            outcomes: ["a*10", "b*20"]
        ),
        Scenario(
            name: "indexed and appended to", before: ["create @f 4 a*10", "index @"], change: ["append @f b*20"],
            outcomes: ["a*10", "a*10+b*20"]
        ),
        Scenario(name: "folder given an index", before: ["create @f 4 a*10"], change: ["index @"], outcomes: ["a*10"]),
        Scenario(
            name: "folder given a class", before: ["create @f 4 a*10", "index @"], change: ["class @ 3"],
            outcomes: ["a*10"]
        ),
        Scenario(
            name: "repaired", before: ["create @f 4 a*70000", "spoil @f"], change: ["repair @f"],
            outcomes: ["a*70000"], isSpoiled: true
        ),
    ]

    /// The bytes that a victim's words stand for.
    static func content(_ text: String) -> [UInt8] {
        let overlay = text.split(separator: "|").map(String.init)
        var bytes = overlay[0].split(separator: "+").flatMap { part -> [UInt8] in
            let words = part.split(separator: "*")
            let unit = Array("MARKER-\(words[0])-in-clear ".utf8)
            return (0..<(Int(words[1]) ?? 0)).map { unit[$0 % unit.count] }
        }
        if overlay.count > 1 {
            let words = overlay[1].split(separator: "@").map(String.init)
            let over = content(words[0])
            let begin = Int(words[1]) ?? 0
            bytes.replaceSubrange(begin..<begin + over.count, with: over)
        }
        return bytes
    }

    /// Whether the file of that site is whole, in a state that may be.
    func check(_ site: CrashSite, _ when: String, mustBeNew: Bool = false, afterPowerCut: Bool = false) throws {
        let store = try site.store()
        let allowed = mustBeNew ? outcomes.suffix(1) : outcomes[...]
        let path = FileLocation(site.folder.path("files/f"))
        do {
            let content = try store.read(from: path)
            #expect(allowed.contains { $0.map(Self.content) == content }, "\(name), \(when): neither old nor new")
        } catch let error where error.code == .notProtected && isClear {
            #expect(allowed.contains { $0.map(Self.content) == site.raw("f") }, "\(name), \(when): neither old nor new")
        } catch let error where error.code == .damaged && isSpoiled && !mustBeNew {
            _ = try store.repair(path)
            #expect(try store.read(from: path) == outcomes[0].map(Self.content), "\(name), \(when): not repaired")
        } catch let error {
            #expect(error.code == .notFound && allowed.contains(nil), "\(name), \(when): \(error)")
        }
        // The note that names the folder may be lost with the power; then the next write there clears up.
        #expect(afterPowerCut || !site.hasLeftovers, "\(name), \(when): leftovers")
        for file in site.names
        where !(isClear && file == "f") && Data(site.raw(file)).range(of: Data("MARKER-".utf8)) != nil {
            Issue.record("\(name), \(when): \(file) has plaintext")
        }
        // What a crash left is no obstacle.
        try store.write([1], to: path)
        // The simulated disk gives files other numbers, by which content in clear is known: then it is told.
        let isTold = afterPowerCut && isClear && site.hasLeftovers
        #expect(!site.hasLeftovers || isTold, "\(name), \(when): leftovers")
        if isTold { #expect(try site.tellsLeftovers(store), "\(name), \(when): leftovers that nobody tells") }
        let handle = try store.handle(forUpdating: path)
        try handle.append([2])
        try handle.close()
        #expect(try store.read(from: path) == [1, 2])
    }
}

@Suite struct CrashTests {
    // Rule: temporaries of killed processes are removed at the next start | `removeLeftovers()` returns at once |
    //   leftovers after "a new file" and "a file replaced"
    // Rule: the index knows what is meant before a file changes | the first of its two entries left out | and power
    //   cuts and full disks: in both indexed scenarios a file that the index does not admit
    // Rule: a file that is about to grow is marked before it does | the mark left out | all scenarios, and every
    //   append: "something was put behind its end"
    @Test(
        "killed before and after every call that changes a file: old or new content, no plaintext, no leftovers",
        arguments: Scenario.all)
    func kills(_ scenario: Scenario) throws {
        let start = try CrashSite(scenario.before)
        let log = try recorded(scenario, in: try CrashSite(copying: start))
        let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil
        for call in 1...log.calls {
            for kill in isLong ? [.before(call), .after(call)] : [FaultInjector.Kill.after(call)] {
                let site = try CrashSite(copying: start)
                let faults = try FaultInjector(folder: site.folder.url)
                _ = try site.run(scenario.change, faults.environment(kill: kill))
                try scenario.check(site, "\(kill)")
            }
        }
    }

    @Test("killed at a random moment: old or new content, no plaintext, no leftovers") func randomKills() throws {
        var kills = RandomKills("files", bounded: 14, long: 400)
        let starts = try Scenario.all.map { try CrashSite($0.before) }
        let times = try zip(starts, Scenario.all).map { start, scenario in
            let site = try CrashSite(copying: start)
            let begin = ContinuousClock.now
            #expect(
                try site.run(["state"] + scenario.change, [:]).dropFirst() == scenario.change.map { _ in "ok" }[...])
            return ContinuousClock.now - begin
        }
        for number in 0..<kills.count {
            let place = number % Scenario.all.count
            let scenario = Scenario.all[place]
            let site = try CrashSite(copying: starts[place])
            let child = try Child("test-worker", ["files", site.home])
            _ = try CrashSite.ask(child, "state")
            // The start of the process is in the time that was measured.
            let said = try kills.strike(child, scenario.change.map(site.resolve), within: times[place] * 0.6)
            #expect(said.allSatisfy { $0 == "ok" }, "\(said)")
            try scenario.check(site, "kill \(number)", mustBeNew: said.count == scenario.change.count)
        }
        kills.report()
        #expect(kills.hitSomething)
    }

    // Rule: a commit reaches the disk before its header does | `SealedFile.publish` without `fdatasync` | neither old
    //   nor new in "4 KiB in place", "cut" and the indexed scenarios; `.zamok-folder` damaged
    // Rule: a commit never touches a block of the state before it (others have a journal for that) | `putChunk` writes
    //   over the chunk's present place | 41 issues in five scenarios; ContentTests, the random model, all three seeds
    // Rule: a new file is on the disk before it gets its name | `fsync` left out | "a new file", "a file replaced",
    //   "reclassified"
    @Test(
        "the power fails after any call: with any of the unsynced writes lost, old or new content",
        arguments: Scenario.all)
    func powerCuts(_ scenario: Scenario) throws {
        let start = try CrashSite(scenario.before)
        let site = try CrashSite(copying: start)
        let log = try recorded(scenario, in: site)
        let replay = WriteReplay(log, of: site.folder.url, startingFrom: start.folder.url)
        for count in 0...log.records.count {
            for seed in 0..<3 {
                let survivors: WriteReplay.Survivors = seed == 0 ? .none : .some(seed: UInt64(count + 1000 * seed))
                let rebuilt = try CrashSite([])
                try FileManager.default.removeItem(at: rebuilt.folder.url)
                try replay.rebuild(after: count, keeping: survivors, in: rebuilt.folder.url)
                try scenario.check(
                    rebuilt, "\(count) calls, \(survivors)", mustBeNew: count == log.records.count,
                    afterPowerCut: true
                )
            }
        }
    }

    @Test("a full disk is said, and the old content is intact", arguments: Scenario.all)
    func fullDisk(_ scenario: Scenario) throws {
        let start = try CrashSite(scenario.before)
        let log = try recorded(scenario, in: try CrashSite(copying: start))
        for call in stride(from: 1, through: log.calls, by: 2) {
            let site = try CrashSite(copying: start)
            let faults = try FaultInjector(folder: site.folder.url)
            let answers = try site.run(scenario.change, faults.environment(fail: .from(call, .noSpace)))
            #expect(answers.count == scenario.change.count)
            #expect(answers.allSatisfy { ["ok", "diskFull"].contains($0) || $0.hasPrefix("error") })
            try scenario.check(site, "full from call \(call)", mustBeNew: answers.allSatisfy { $0 == "ok" })
        }
    }

    /// The calls of the change when nothing goes wrong; none of them writes a byte of content in clear.
    private func recorded(_ scenario: Scenario, in site: CrashSite) throws -> WriteLog {
        let faults = try FaultInjector(folder: site.folder.url)
        let file = site.folder.url.appendingPathComponent("log")
        let answers = try site.run(scenario.change, faults.environment(log: file))
        try #require(answers == scenario.change.map { _ in "ok" })
        let log = try WriteLog(contentsOf: file)
        #expect(scenario.isClear || !log.records.contains { $0.data.range(of: Data("MARKER-".utf8)) != nil })
        return log
    }
}
