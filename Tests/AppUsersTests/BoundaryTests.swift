// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing
import UserPreferences

@testable import AppUsers

/// The way from Anna to Bob and through his first batch. At each call that changes a file, the process is killed, or
/// has no space or no power.
@Suite("Users, at every step of a switch and a write", .serialized, .ahead)
struct BoundaryTests {
    private static let isLong = ProcessInfo.processInfo.environment["ZAMOK_LONG"] != nil
    private static let before = FoundState("Anna", anna: 1, bob: 1)
    private static let switched = FoundState("Bob", anna: 1, bob: 1)
    private static let written = FoundState("Bob", anna: 1, bob: 2)

    let prepared: PreparedHome

    init() throws { prepared = try PreparedHome() }

    /// How many calls the switch, the opening of what is to be read included, and the write make.
    private func calls() throws -> (switching: Int, writing: Int) {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        let log = outside.url.appendingPathComponent("log")
        let home = try prepared.copy(to: folder)
        let process = try UserProcess(home, environment: try FaultInjector(folder: folder.url).environment(log: log))
        #expect(try process.ask("switch", "Bob") == "ok")
        #expect(try process.ask("get", "left") == "1")
        let switching = try WriteLog(contentsOf: log).calls
        #expect(try process.ask("batch", "2", "left", "right") == "ok")
        let writing = try WriteLog(contentsOf: log).calls
        try process.killed()
        #expect(switching > 2 && writing > switching)
        return (switching, writing)
    }

    /// Some of the calls, the first and the last of each step among them; all of them in the long form.
    private static func chosen(_ calls: (switching: Int, writing: Int), _ wanted: Int) -> [Int] {
        guard !isLong else { return Array(1...calls.writing) }
        let step = max(1, calls.writing / wanted)
        return Array(
            Set(
                [1, calls.switching, calls.switching + 1, calls.writing] + stride(from: 1, to: calls.writing, by: step))
        )
        .sorted()
    }

    @Test func `killed at any call, the next start finds one of the two users, whole`() throws {
        let calls = try calls()
        var seen: Set<FoundState> = []
        for call in Self.chosen(calls, 16) {
            for kill in [FaultInjector.Kill.before(call), .after(call)] {
                let folder = try TemporaryFolder()
                let home = try prepared.copy(to: folder)
                let faults = try FaultInjector(folder: folder.url).environment(kill: kill)
                let process = try UserProcess(home, environment: faults)
                let isSwitched = try process.last("switch", "Bob") == "ok"
                let isRead = try isSwitched && process.last("get", "left") == "1"
                let isWritten = try isRead && process.last("batch", "2", "left", "right") == "ok"
                try process.killed()
                let found = try FoundState(home)
                let allowed =
                    isWritten
                    ? [Self.written] : isSwitched ? [Self.switched, Self.written] : [Self.before, Self.switched]
                #expect(allowed.contains(found), "\(kill): \(found)")
                seen.insert(found)
            }
        }
        #expect(seen == [Self.before, Self.switched, Self.written])
    }

    @Test func `after a loss of power everything that was acknowledged is there, and nothing by half`() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        let log = outside.url.appendingPathComponent("log")
        let home = try prepared.copy(to: folder)
        try FileManager.default.copyItem(atPath: folder.path, toPath: outside.path("start"))
        let process = try UserProcess(home, environment: try FaultInjector(folder: folder.url).environment(log: log))
        #expect(try process.ask("switch", "Bob") == "ok")
        let switched = try WriteLog(contentsOf: log).records.count
        #expect(try process.ask("get", "left") == "1")
        #expect(try process.ask("batch", "2", "left", "right") == "ok")
        let written = try WriteLog(contentsOf: log).records.count
        try process.killed()
        let replay = WriteReplay(
            try WriteLog(contentsOf: log), of: folder.url, startingFrom: outside.url.appendingPathComponent("start"))
        for survivors in [WriteReplay.Survivors.none, .all, .some(seed: 3)] {
            try expect([Self.switched], replay, after: switched, survivors)
            try expect([Self.written], replay, after: written, survivors)
        }
        for count in stride(from: 0, to: written, by: Self.isLong ? 1 : max(1, written / 6)) {
            let allowed = count < switched ? [Self.before, Self.switched] : [Self.switched, Self.written]
            try expect(allowed, replay, after: count, .some(seed: UInt64(count)))
        }
    }

    @Test func `what a relaxed store wrote is durable once its user was left`() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        let log = outside.url.appendingPathComponent("log")
        let home = try prepared.copy(to: folder)
        try FileManager.default.copyItem(atPath: folder.path, toPath: outside.path("start"))
        let process = try UserProcess(home, environment: try FaultInjector(folder: folder.url).environment(log: log))
        #expect(try process.ask("relax", "left", "5", "Bob") == "ok")
        #expect(try process.ask("relax", "right", "5", "Anna") == "ok")
        try process.killed()
        let records = try WriteLog(contentsOf: log)
        let replay = WriteReplay(
            records, of: folder.url, startingFrom: outside.url.appendingPathComponent("start"))
        let target = try TemporaryFolder()
        let rebuilt = target.url.appendingPathComponent("disk")
        try replay.rebuild(after: records.records.count, keeping: .none, in: rebuilt)
        let directory = try UserDirectory(
            root: try Home(TemporaryHome.configuration(of: rebuilt.appendingPathComponent("home").path)))
        for (name, key) in [("Anna", "left"), ("Bob", "right")] {
            let preferences = try Preferences(home: try directory.home(of: try directory.user(named: name)))
            #expect(try preferences.integer(forKey: key) == 5)
        }
    }

    // Rule: the pointer names the next user once the previous one is locked and on the disk | the pointer written first
    //   | Written for this: none had failed
    @Test func `the pointer names the next user only once all data of the previous one is on the disk`() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        let log = outside.url.appendingPathComponent("log")
        let home = try prepared.copy(to: folder)
        try FileManager.default.copyItem(atPath: folder.path, toPath: outside.path("start"))
        let process = try UserProcess(home, environment: try FaultInjector(folder: folder.url).environment(log: log))
        #expect(try process.ask("relax", "left", "5", "Bob") == "ok")
        try process.killed()
        let records = try WriteLog(contentsOf: log)
        let replay = WriteReplay(
            records, of: folder.url, startingFrom: outside.url.appendingPathComponent("start"))
        var seen: Set<String> = []
        for count in 0...records.records.count {
            let target = try TemporaryFolder()
            let rebuilt = target.url.appendingPathComponent("disk")
            try replay.rebuild(after: count, keeping: .none, in: rebuilt)
            let directory = try UserDirectory(
                root: try Home(TemporaryHome.configuration(of: rebuilt.appendingPathComponent("home").path)))
            let current = try #require(try directory.recorded()?.name)
            seen.insert(current)
            guard current == "Bob" else { continue }
            let anna = try Preferences(home: try directory.home(of: try directory.user(named: "Anna")))
            #expect(try anna.integer(forKey: "left") == 5, "after \(count) calls")
        }
        #expect(seen == ["Anna", "Bob"])
    }

    private func expect(
        _ states: [FoundState], _ replay: WriteReplay, after count: Int, _ survivors: WriteReplay.Survivors
    ) throws {
        let target = try TemporaryFolder()
        let rebuilt = target.url.appendingPathComponent("disk")
        try replay.rebuild(after: count, keeping: survivors, in: rebuilt)
        let found = try FoundState(rebuilt.appendingPathComponent("home").path)
        #expect(states.contains(found), "after \(count) calls, \(survivors): \(found)")
    }

    @Test func `a full disk is told as such, loses nothing, and the store goes on`() throws {
        let calls = try calls()
        var full = 0
        for call in Self.chosen((calls.switching, calls.writing), 8) where call > calls.switching {
            let folder = try TemporaryFolder()
            let home = try prepared.copy(to: folder)
            let faults = try FaultInjector(folder: folder.url).environment(fail: .at(call, .noSpace))
            let process = try UserProcess(home, environment: faults)
            #expect(try process.ask("switch", "Bob") == "ok")
            #expect(try process.ask("get", "left") == "1")
            let answer = try process.ask("batch", "2", "left", "right")
            #expect(["ok", "diskFull"].contains(answer), "call \(call): \(answer)")
            if answer == "diskFull" {
                full += 1
                #expect(try process.ask("get", "left") == "1")
                #expect(try process.ask("batch", "2", "left", "right") == "ok")
            }
            #expect(try process.ask("get", "right") == "2")
            try process.killed()
            #expect(try FoundState(home) == Self.written)
        }
        #expect(full > 0)
    }

    @Test func `a folder that can't be written to is told as such, and can still be read`() throws {
        let folder = try TemporaryFolder()
        let home = try prepared.copy(to: folder)
        let paths = ["."] + (FileManager.default.subpaths(atPath: home) ?? [])
        for path in paths {
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: "\(home)/\(path)", isDirectory: &isFolder)
            guard isFolder.boolValue || path.contains("preferences.db") else { continue }
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder.boolValue ? 0o500 : 0o400], ofItemAtPath: "\(home)/\(path)")
        }
        defer { for path in paths { unsafe chmod("\(home)/\(path)", 0o700) } }
        // The superuser may write everywhere unless that is taken away.
        let launcher = geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override"] : []
        guard launcher.first.map({ FileManager.default.isExecutableFile(atPath: $0) }) ?? true else {
            print("skipped: there is no setpriv, and the superuser may write everywhere")
            return
        }
        let process = try UserProcess(home, through: launcher)
        #expect(try process.ask("batch", "2", "left", "right") == "readOnly")
        try process.killed()
        for path in paths { unsafe chmod("\(home)/\(path)", path == "." || !path.contains(".") ? 0o700 : 0o600) }
    }
}
