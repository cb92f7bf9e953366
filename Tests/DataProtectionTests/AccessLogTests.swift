// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// The access log by itself (Documentation/Formats/AccessLog.md). APIs and real processes: AccessLogProgramsTests.
@Suite struct AccessLogTests {
    private let temporary = TemporaryHome()

    private static func use(_ name: String = "api/deploy") -> AccessUse {
        AccessUse(
            itemClass: 1, item: (1...16).map { UInt8($0) }, name: name, source: .secItem, operation: .read)
    }

    /// A home whose log is on and has so many lines, the one that says so included.
    private func log(_ lines: Int, _ change: (inout AccessLog.Change) -> Void = { _ in }) throws -> AccessLog {
        let log = try AccessLog.of(try temporary.open())
        var settings = AccessLog.Change()
        change(&settings)
        try log.turnOn(settings)
        for number in 1..<max(1, lines) { try log.note([Self.use("item \(number)")]) }
        return log
    }

    private func findings(_ log: AccessLog) throws -> [AccessFinding] { try log.read { _ in }.findings }

    private func lines(_ log: AccessLog) throws -> [AccessLine] {
        var lines: [AccessLine] = []
        let report = try log.read { lines.append($0) }
        #expect(report.findings.isEmpty && report.whole == UInt64(lines.count))
        return lines
    }

    private var folder: String { temporary.path + "/access-log" }

    private func files(_ prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Line `index` of a segment without its header.
    private func piece(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        Array(bytes[(index + 1) * 512..<(index + 2) * 512])
    }

    // MARK: On and off

    // Rule: while the access log is off, an access touches no file | the settings read anew at each access | steps at
    //   the second access
    @Test func `while it is off nothing is made, and from the second access on nothing is looked at`() throws {
        let steps = Locked(0)
        let home = try temporary.open {
            $0.fileSystem = FileHooks { _ in
                steps.withLock { $0 += 1 }
                return 0
            }
        }
        let log = try AccessLog.of(home)
        try log.note([Self.use()])
        let before = steps.withLock { $0 }
        for _ in 0..<1000 { try log.note([Self.use()]) }
        #expect(steps.withLock { $0 } == before)
        #expect(!temporary.names.contains("access-log"))
        #expect(try log.status() == nil)
        #expect(failure(DataProtectionError.self) { try log.read { _ in } }?.code == .notAvailable)
        // Another opening, as of another process, turns it on: this one knows it at once.
        try AccessLog.of(try temporary.open()).turnOn(AccessLog.Change())
        try log.note([Self.use()])
        #expect(try lines(log).map(\.operation) == [AccessOperation.turnedOn.rawValue, AccessOperation.read.rawValue])
        try AccessLog.of(try temporary.open()).turnOff()
        try log.note([Self.use()])
        #expect(try lines(log).last?.operation == AccessOperation.turnedOff.rawValue)
    }

    // Rule: a locked home writes lines of the access log and shows none | the private half wrapped under class none |
    //   lines are read while locked
    @Test func `a locked home writes lines and shows none; the disk shows nothing of them`() throws {
        let home = try temporary.open()
        try home.keybag.setPasscode(try secret("tall-grass"))
        let log = try AccessLog.of(home)
        try log.turnOn(AccessLog.Change())
        try log.note([Self.use("visible-name")])
        try home.keybag.lock()
        let context = AccessContext(.agent, .sign, client: ThisProcess.identifier)
        try AccessContext.$current.withValue(context) { try log.note([Self.use("while-locked")]) }
        #expect(failure(DataProtectionError.self) { try log.read { _ in } }?.code == .locked)
        for text in ["visible-name", "while-locked", ProcessInfo.processInfo.processName] {
            #expect(try PlaintextSearch(bytes: Array(text.utf8)).findings(in: folder).isEmpty)
        }
        try home.keybag.unlock(passcode: try secret("tall-grass"))
        let all = try lines(log)
        #expect(all.map(\.number) == [0, 1, 2])
        #expect(all.map(\.name) == ["", "visible-name", "while-locked"])
        let (first, last) = (all[1], all[2])
        #expect(first.source == AccessSource.secItem.rawValue && last.source == AccessSource.agent.rawValue)
        #expect(last.operation == AccessOperation.sign.rawValue && first.client == nil)
        #expect(last.client?.process == UInt32(ThisProcess.identifier) && last.client?.path == last.program.path)
        #expect(first.program.process == UInt32(ThisProcess.identifier) && !first.program.path.isEmpty)
        #expect(first.parent.process == AccessProcess.parent && first.user == getuid())
        #expect(first.item == (1...16).map { UInt8($0) } && first.itemClass == 1)
        #expect(abs(Double(first.time) / 1_000_000 - Date().timeIntervalSince1970) < 60)
    }

    @Test func `long paths keep their ends and long names their beginnings`() throws {
        var line = AccessLine(about: .removedOldest, name: String(repeating: "ä", count: 100))
        #expect(line.name.utf8.count <= AccessLine.nameLimit && line.name.hasPrefix("ää") && line.name.hasSuffix("…"))
        line.program.path = String(repeating: "x", count: AccessLine.pathLimit)
        line.parent.path = line.program.path
        line.client = AccessLine.Program(process: 7, path: line.program.path)
        #expect(line.encoded.count == AccessLine.size)
        line.number = 9
        #expect(try AccessLine(line.encoded, number: 9) == line)
        for count in 0..<64 {
            #expect(throws: SealingError.self) { try AccessLine(Array(line.encoded.prefix(count)), number: 0) }
        }
    }

    // MARK: What is noticed

    // Rule: a changed line of the access log is named | the code of a line not compared | the change in a ciphertext
    //   passes verify
    @Test func `whichever byte of a segment or the tail is changed, it is noticed`() throws {
        let log = try log(4)
        #expect(try findings(log).isEmpty)
        let segment = try #require(try files("0").first)
        let tail = try #require(try files("tail").first)
        let whole = try bytes(segment)
        #expect(whole.count == 5 * 512)
        for offset in stride(from: 0, to: whole.count, by: 11) {
            var changed = whole
            changed[offset] ^= 0x20
            try write(changed, segment)
            #expect(try findings(log) != [], "byte \(offset)")
        }
        var changed = whole
        changed[512 + 512 + 100] ^= 1
        try write(changed, segment)
        #expect(try findings(log) == [.changed(1)])
        // What is behind it is read all the same.
        var names: [String] = []
        _ = try log.read { names.append($0.name) }
        #expect(names == ["", "item 2", "item 3"])
        try write(whole, segment)
        let wholeTail = try bytes(tail)
        let used = wholeTail[0] == 0 ? 256 : 0
        for offset in stride(from: used, to: used + 164, by: 3) {
            var changed = wholeTail
            changed[offset] ^= 0x20
            try write(changed, tail)
            // A number of the version is another answer.
            if offset == used + 8 { continue }
            #expect(try findings(log).contains(.tail), "byte \(offset)")
        }
    }

    // Rule: a line that was dropped from the access log, or put where another belongs, is named | a line looked for
    //   only at its own place | the rest is reported as changed
    @Test func `dropped, exchanged and doubled lines are named`() throws {
        let log = try log(6)
        let segment = try #require(try files("0").first)
        let whole = try bytes(segment)
        let pieces = (0..<6).map { piece(whole, $0) }
        func put(_ order: [Int]) throws -> [AccessFinding] {
            try write(Array(whole[..<512]) + order.flatMap { pieces[$0] }, segment)
            return try findings(log)
        }
        #expect(try put([0, 1, 2, 3, 4, 5]) == [])
        #expect(try put([0, 1, 3, 4, 5]) == [.missing(2..<3)])
        #expect(try put([0, 3, 4, 5]) == [.missing(1..<3)])
        #expect(try put([0, 1, 1, 2, 3, 4, 5]) == [.outOfPlace(1)])
        #expect(try put([0, 2, 1, 3, 4, 5]) == [.missing(1..<2), .outOfPlace(1)])
        try write(Array(whole[..<512]) + pieces[0] + [UInt8](repeating: 0, count: 512) + pieces[2...].joined(), segment)
        #expect(try findings(log) == [.missing(1..<2)])
    }

    // Rule: a cut of the access log is named: its tail counts outside the file | the tail's number not compared |
    //   verify is clean
    @Test(arguments: [0, 1, 3, 512, 1024, 1500])
    func `a cut is named`(cut: Int) throws {
        let log = try log(5)
        let segment = try #require(try files("0").first)
        let whole = try bytes(segment)
        try write(Array(whole.dropLast(cut)), segment)
        let lost = UInt64((cut + 511) / 512)
        #expect(try findings(log) == (cut == 0 ? [] : [.cut(5 - lost..<5)]))
        // New lines stand where their numbers put them, and what was cut stays missing.
        try log.note([Self.use("after")])
        var last: AccessLine?
        let report = try log.read { last = $0 }
        #expect(last?.name == "after" && last?.number == 5)
        // A line that was cut in two is no longer what it was; behind it there is nothing.
        let half = cut % 512 == 0 ? 5 - lost : 6 - lost
        let rest: [AccessFinding] = half < 5 ? [.missing(half..<5)] : []
        #expect(report.findings == (half == 5 - lost ? [] : [.changed(5 - lost)]) + rest)
    }

    // Rule: the access log's present keys can't make or change an earlier line | the chain's key kept for all lines |
    //   the forged line passes
    @Test func `a later process can't write an earlier line, nor exchange the log`() throws {
        let log = try log(5)
        let settings = try #require(try log.settings())
        let segment = try #require(try files("0").first)
        let whole = try bytes(segment)
        // All that lies there now: the public key, and the tail's keys.
        let forged = try log.alone { folder in
            let file = try #require(try folder.openFile(AccessLogTail.fileName(settings.log), .read))
            guard let opened = try AccessLogTail.read(file, try log.tailKey(), settings.home) else {
                throw SealingError.malformed
            }
            var line = AccessLine(about: .turnedOn)
            line.number = 2
            return try AccessSegment(log: settings.log, home: settings.home).seal(
                line, to: settings.publicKey, opened.chain)
        }
        try write(Array(whole[..<(3 * 512)]) + forged + whole[(4 * 512)...], segment)
        #expect(try findings(log) == [.changed(2)])
        // The log of another home, and one of new keys under the same name.
        let other = TemporaryHome()
        let another = try AccessLog.of(try other.open())
        try another.turnOn(AccessLog.Change())
        for _ in 1..<5 { try another.note([Self.use()]) }
        try write(try bytes(other.path + "/access-log/00000000"), segment)
        let named = try findings(log)
        #expect(named.first == .foreign(0) && named.count <= 2)
    }

    // Rule: an older access log that is put back is named, and what it lacks stays missing | the number that the home
    //   remembers not compared | the numbers are given again
    @Test func `an older copy that is put back is named, and its numbers are not given again`() throws {
        let log = try log(3)
        let copy = temporary.path + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        for _ in 0..<4 { try log.note([Self.use()]) }
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: copy, toPath: folder)
        #expect(try findings(log) == [.putBack(known: 7)])
        // Another process writes on.
        let next = try AccessLog.of(try temporary.open())
        try next.note([Self.use("after")])
        var all: [AccessLine] = []
        let report = try next.read { all.append($0) }
        #expect(report.findings == [.missing(3..<7)])
        #expect(all.map(\.number) == [0, 1, 2, 7, 8])
        #expect(all[3].operation == AccessOperation.linesMissing.rawValue && all[3].name == "3 to 6")
    }

    @Test func `segments that are missing, and settings that are gone, are named`() throws {
        let log = try log(40) { $0.sizeLimit = 65_536 }
        let all = try files("0")
        #expect(all.count == 3)
        let second = try bytes(all[1])
        try FileManager.default.removeItem(atPath: all[1])
        #expect(try findings(log) == [.segmentMissing(1)])
        try write(try bytes(all[0]), all[1])
        #expect(try findings(log) == [.foreign(1)])
        try write(second, all[1])
        #expect(try findings(log) == [])
        let place = temporary.path + "/stores/log"
        let settings = try bytes(place)
        try FileManager.default.removeItem(atPath: place)
        #expect(failure(DataProtectionError.self) { try log.read { _ in } }?.code == .damaged)
        #expect(try temporary.open().missingStores() == ["stores/log"])
        var newer = settings
        newer[8] = 2
        try write(newer, place)
        #expect(failure(DataProtectionError.self) { try log.read { _ in } }?.code == .newerFormat)
        for offset in stride(from: 9, to: settings.count, by: 5) {
            var changed = settings
            changed[offset] ^= 4
            try write(changed, place)
            #expect(failure(DataProtectionError.self) { try log.read { _ in } }?.code == .damaged, "byte \(offset)")
        }
    }
}
