// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// What the access log does where its files were changed, taken away, or held.
@Suite struct AccessLogDamageTests {
    private let temporary = TemporaryHome()

    private static func use(_ name: String = "api") -> AccessUse {
        AccessUse(itemClass: 1, item: [UInt8](repeating: 7, count: 16), name: name, source: .keychains)
    }

    /// A home whose log is on and has so many lines, the one that says so included.
    private func log(_ lines: Int, isRequired: Bool = false) throws -> AccessLog {
        let log = try AccessLog.of(try temporary.open())
        var change = AccessLog.Change()
        change.isRequired = isRequired
        try log.turnOn(change)
        for number in 1..<max(1, lines) { try log.note([Self.use("item \(number)")]) }
        return log
    }

    /// As another process has it.
    private func another() throws -> AccessLog { try AccessLog.of(try temporary.open()) }

    private func read(_ log: AccessLog) throws -> (names: [String], findings: [AccessFinding]) {
        var names: [String] = []
        let findings = try log.read { names.append($0.name) }.findings
        return (names, findings)
    }

    private var place: String { temporary.path + "/stores/log" }
    private var segment: String { temporary.path + "/access-log/00000000" }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    // Rule: --require holds where the settings of the access log can't be read | what the home remembers not read | the
    //   secret is given
    @Test(arguments: ["changed", "empty", "gone", "folder", "link"], [false, true])
    func `settings that can't be read refuse what they refused before`(damage: String, isRequired: Bool) throws {
        _ = try log(3, isRequired: isRequired)
        let whole = try bytes(place)
        try FileManager.default.removeItem(atPath: place)
        switch damage {
        case "changed": try write(whole.dropLast() + [whole[whole.count - 1] ^ 1], place)
        case "empty": try write([], place)
        case "folder": try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        case "link": try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "/dev/null")
        default: break
        }
        let next = try another()
        #expect(next.isOn)
        let error = failure(DataProtectionError.self) { try next.note([Self.use()]) }
        #expect((error != nil) == isRequired)
        #expect(error.map { $0.message.contains("--require") } ?? true)
        // Turned on again, it removes nothing that can still be read.
        #expect(failure(DataProtectionError.self) { try next.turnOn(AccessLog.Change()) } != nil)
        try? FileManager.default.removeItem(atPath: place)
        if damage != "gone" {
            #expect(failure(DataProtectionError.self) { try next.turnOn(AccessLog.Change()) }?.code == .damaged)
        }
        try write(whole, place)
        #expect(try read(try another()).names == ["", "item 1", "item 2"])
        // A new log in the place of one whose settings are gone refuses what that one refused.
        try FileManager.default.removeItem(atPath: place)
        try next.clear()
        #expect(try next.status()?.isRequired == isRequired)
        #expect(try read(next).findings == [])
    }

    /// What is left of an access log whose settings are gone, with what the home remembers of it.
    enum Trace: String, CaseIterable { case everything, segments, tail }

    private func keep(_ trace: Trace) throws {
        let folder = temporary.path + "/access-log"
        var gone = ["stores/log", "stores-seen"]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            if trace == .segments && name.hasPrefix("tail-") || trace == .tail && name == "00000000" {
                gone.append("access-log/" + name)
            }
        }
        for name in gone { try FileManager.default.removeItem(atPath: temporary.path + "/" + name) }
    }

    // Rule: any trace of an access log makes settings that are gone damage | hasTrace() answers false | the secret is
    //   given, "was never on"
    @Test(arguments: Trace.allCases) func `a log that left any trace was on`(trace: Trace) throws {
        _ = try log(3, isRequired: true)
        try keep(trace)
        let next = try another()
        #expect(next.isOn)
        #expect(failure(DataProtectionError.self) { try next.note([Self.use()]) }?.code == .damaged)
        #expect(failure(DataProtectionError.self) { try next.status() }?.code == .damaged)
        #expect(failure(DataProtectionError.self) { try next.turnOn(AccessLog.Change()) }?.code == .damaged)
        try next.clear()
        #expect(try next.status()?.isRequired == true)
        try next.note([Self.use("next")])
        #expect(try read(next).names == ["", "next"])
    }

    @Test func `a first beginning that was killed is no trace of a log`() throws {
        _ = try log(1, isRequired: true)
        for name in ["stores/log", "stores-seen"] {
            try FileManager.default.removeItem(atPath: temporary.path + "/" + name)
        }
        let next = try another()
        #expect(!next.isOn)
        try next.note([Self.use()])
        #expect(failure(DataProtectionError.self) { try next.clear() }?.code == .notAvailable)
        try next.turnOn(AccessLog.Change())
        #expect(try read(next).names == [""])
    }

    // Rule: a process that holds the access log's lock stalls no other one for ever | a wait without a limit | the test
    //   does not end
    @Test(arguments: [false, true]) func `a lock that is held is waited for once, and not for long`(
        isRequired: Bool
    ) throws {
        let log = try log(2, isRequired: isRequired)
        let held = try OpenFile.open(
            FileLocation(temporary.path + "/access-log/lock"), mode: .change, hooks: FileHooks())
        try held.lock(shared: true)
        for _ in 0..<20 {
            let error = failure(DataProtectionError.self) { try log.note([Self.use("late")]) }
            #expect((error != nil) == isRequired)
            #expect(error.map { $0.message.contains("access-log/lock") } ?? true)
        }
        held.unlock()
        try log.note([Self.use("next")])
        var lines: [AccessLine] = []
        #expect(try log.read { lines.append($0) }.findings == [])
        #expect(lines.map(\.name) == ["", "item 1", "next"])
        #expect(lines.last?.lost == (isRequired ? 0 : 20))
    }

    // Rule: accesses that no line has are counted by the process that writes the next one | the count of this process
    //   alone | the next process's line counts none
    @Test func `what a full disk lost is counted by the next line of any process`() throws {
        _ = try log(2)
        for _ in 0..<3 {
            let home = try temporary.open {
                $0.fileSystem = FileHooks {
                    $0.operation == .write && AccessSegment.number($0.name) != nil ? ENOSPC : 0
                }
            }
            try AccessLog.of(home).note([Self.use("lost"), Self.use("lost")])
        }
        #expect(try read(try another()).findings == [.lost(6)])
        let next = try another()
        try next.note([Self.use("next")])
        var last: AccessLine?
        #expect(try next.read { last = $0 }.findings == [])
        #expect(last?.name == "next" && last?.lost == 6)
        try next.note([Self.use("after")])
        _ = try next.read { last = $0 }
        #expect(last?.name == "after" && last?.lost == 0)
    }

    // Rule: lines of a segment are shown by their own codes, in any state of its header | a segment with a wrong header
    //   not read | no line is shown
    @Test func `a header that was changed hides no line, nor does a segment that was emptied hide later ones`() throws {
        let log = try log(4)
        var whole = try bytes(segment)
        whole[500] ^= 1
        try write(whole, segment)
        try log.note([Self.use("later")])
        var found = try read(log)
        #expect(found.names == ["", "item 1", "item 2", "item 3", "later"])
        #expect(found.findings == [.foreign(0)])
        try write([], segment)
        try another().note([Self.use("after")])
        found = try read(log)
        #expect(found.names == ["after"])
        #expect(found.findings == [.foreign(0), .missing(0..<5)])
    }

    // Rule: a segment that is gone doesn't keep later lines from being written | the missing file told as an error |
    //   nothing is recorded
    @Test func `where the present segment is gone the next one is begun`() throws {
        let log = try log(4, isRequired: true)
        try FileManager.default.removeItem(atPath: segment)
        try log.note([Self.use("later")])
        let found = try read(log)
        #expect(found.names == ["segment 0", "later"])
        #expect(found.findings == [.segmentMissing(0)])
        #expect(try log.read { _ in }.first == 4)
    }

    // Rule: dropped lines hide none that is written afterwards | holes counted as lines | the later lines are in
    //   others' places
    @Test(arguments: 1..<4) func `pieces that were dropped hide no later line`(dropped: Int) throws {
        let log = try log(6)
        let whole = try bytes(segment)
        try write(Array(whole[..<1024] + whole[(1024 + dropped * 512)...]), segment)
        for number in 6..<9 { try log.note([Self.use("item \(number)")]) }
        let found = try read(log)
        #expect(found.names == [""] + (1 + dropped..<9).map { "item \($0)" })
        #expect(found.findings == [.missing(1..<UInt64(1 + dropped))])
    }

    // Rule: a home that remembers no number of lines says so | a missing number taken for none | verify is clean
    @Test func `an older log is named also where what the home remembers of it is gone`() throws {
        let log = try log(5)
        try FileManager.default.removeItem(atPath: temporary.path + "/stores-seen")
        #expect(try read(log).findings == [.forgotten])
        // Begun anew, it can't tell what was there before, until the user accepts that.
        try another().note([Self.use()])
        #expect(try read(log).findings == [.forgotten])
        try temporary.open().acceptStores()
        #expect(try read(log).findings == [])
    }

    // Rule: each line is compared with what the home remembers | compared once in a process | the numbers are given
    //   again, and verify is clean
    @Test func `an older log that is put back under a program that runs is noticed at its next line`() throws {
        let log = try log(3)
        let (folder, copy) = (temporary.path + "/access-log", temporary.path + "-copy")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        for number in 3..<6 { try log.note([Self.use("item \(number)")]) }
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: copy, toPath: folder)
        for number in 6..<12 { try log.note([Self.use("item \(number)")]) }
        let found = try read(log)
        #expect(found.findings == [.missing(3..<6)])
        #expect(found.names == ["", "item 1", "item 2", "3 to 5"] + (6..<12).map { "item \($0)" })
    }

    // Rule: earlier settings of the access log are none | their generation not compared | what was put back counts
    @Test(arguments: ["off", "not required"]) func `earlier settings that are put back are refused`(
        earlier: String
    ) throws {
        let log = try log(2)
        if earlier == "off" { try log.turnOff() }
        let before = try bytes(place)
        var change = AccessLog.Change()
        change.isRequired = true
        try log.turnOn(change)
        try write(before, place)
        let next = try another()
        #expect(next.isOn)
        #expect(failure(DataProtectionError.self) { try next.note([Self.use()]) }?.code == .damaged)
        #expect(failure(DataProtectionError.self) { try next.read { _ in } }?.code == .damaged)
        try next.clear()
        #expect(try next.status()?.isRequired == true)
    }

    @Test func `a file with the name of a much later segment prevents no new log`() throws {
        let log = try log(2)
        try write([], temporary.path + "/access-log/ffffffff")
        for _ in 0..<2 { try log.clear() }
        try log.note([Self.use("next")])
        #expect(try read(log).names == ["", "next"])
        #expect(!FileManager.default.fileExists(atPath: temporary.path + "/access-log/ffffffff"))
    }

    // Rule: settings of the access log are changed as they are under its lock | read before the lock | keys of another
    //   log in the settings
    @Test func `changes of settings and a clearing at once leave a log that is whole`() async throws {
        _ = try log(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { [temporary] in
                    let log = try AccessLog.of(try temporary.open())
                    for round in 0..<25 {
                        var change = AccessLog.Change()
                        change.days = UInt32(round * 4 + worker + 1)
                        if worker == 0 { try log.clear() } else { try log.turnOn(change) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let log = try another()
        try log.note([Self.use("next")])
        let found = try read(log)
        #expect(found.names.last == "next" && found.findings == [])
    }

    @Test func `a tail that is gone is named as what it is, by its home's path`() throws {
        let log = try log(3, isRequired: true)
        let tail = try #require(
            try FileManager.default.contentsOfDirectory(atPath: temporary.path + "/access-log").first {
                $0.hasPrefix("tail")
            })
        try FileManager.default.removeItem(atPath: "\(temporary.path)/access-log/\(tail)")
        #expect(try read(log).findings == [.tail])
        let error = failure(DataProtectionError.self) { try log.note([Self.use()]) }
        #expect(error?.message.contains("\(temporary.path)/access-log,") == true)
    }
}
