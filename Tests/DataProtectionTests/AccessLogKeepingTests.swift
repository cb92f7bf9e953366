// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

/// What becomes of the access log in time: limits, interruptions, full disks, new keys.
@Suite struct AccessLogKeepingTests {
    private let temporary = TemporaryHome()

    private static func use(_ name: String = "api") -> AccessUse {
        AccessUse(itemClass: 1, item: [UInt8](repeating: 7, count: 16), name: name, source: .keychains)
    }

    private func lines(_ log: AccessLog) throws -> [AccessLine] {
        var lines: [AccessLine] = []
        #expect(try log.read { lines.append($0) }.findings == [])
        return lines
    }

    private var segments: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: temporary.path + "/access-log").filter {
                AccessSegment.number($0) != nil
            }.sorted()
        }
    }

    // Rule: the access log stays within its size | the oldest segments not removed | more bytes than the limit
    @Test func `it stays within its size, and says what it removed`() throws {
        let log = try AccessLog.of(try temporary.open())
        var change = AccessLog.Change()
        change.sizeLimit = 65_536
        try log.turnOn(change)
        for number in 0..<300 {
            try log.note([Self.use("item \(number)")])
            #expect(try #require(try log.status()).size <= 65_536)
        }
        let all = try lines(log)
        #expect(all.last?.name == "item 299" && all.count > 90 && all.count < 128)
        #expect(all.map(\.number) == Array(all[0].number...(all.last?.number ?? 0)))
        #expect(all.contains { $0.operation == AccessOperation.removedOldest.rawValue })
        // Many at once go over several segments.
        try log.note((0..<60).map { Self.use("many \($0)") })
        let many = try lines(log).map(\.name).filter { $0.hasPrefix("many") }
        #expect(many == (0..<60).map { "many \($0)" })
        var last: [String] = []
        let report = try log.read(last: 3, verifiesAll: false) { last.append($0.name) }
        #expect(last == ["many 57", "many 58", "many 59"] && report.findings == [])
    }

    @Test func `segments older than the days that are kept go with the next one`() throws {
        let log = try AccessLog.of(try temporary.open())
        var change = AccessLog.Change()
        (change.sizeLimit, change.days) = (65_536, 2)
        try log.turnOn(change)
        for _ in 0..<40 { try log.note([Self.use()]) }
        #expect(try segments.count == 3)
        for name in try segments.prefix(2) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)],
                ofItemAtPath: "\(temporary.path)/access-log/\(name)")
        }
        for _ in 0..<16 { try log.note([Self.use()]) }
        #expect(try segments == ["00000002", "00000003"])
        let all = try lines(log)
        #expect(all.first?.number == 32)
        for wrong in [UInt64(65_535), 1 << 30] {
            change.sizeLimit = wrong
            #expect(failure(DataProtectionError.self) { try log.turnOn(change) }?.code == .invalidArgument)
        }
    }

    // Rule: lines of the access log are written before the tail counts them | the tail first | behind a full disk lines
    //   are missing
    // Rule: where the access log can't be written access is allowed, logged once, and counted in the next line | the
    //   error passed on | note throws without --require
    // Rule: with --require an access that can't be recorded is refused | the setting not looked at | note returns on a
    //   full disk
    @Test(arguments: [false, true])
    func `on a full disk the access goes on, unless the settings refuse it`(isRequired: Bool) throws {
        let isFull = Locked(false)
        let home = try temporary.open {
            $0.fileSystem = FileHooks { step in
                step.operation == .write && AccessSegment.number(step.name) != nil && isFull.withLock { $0 }
                    ? ENOSPC : 0
            }
        }
        let log = try AccessLog.of(home)
        var change = AccessLog.Change()
        change.isRequired = isRequired
        try log.turnOn(change)
        isFull.withLock { $0 = true }
        for _ in 0..<3 {
            let error = failure(DataProtectionError.self) { try log.note([Self.use("lost")]) }
            #expect(error?.code == (isRequired ? .diskFull : nil))
        }
        isFull.withLock { $0 = false }
        try log.note([Self.use("next")])
        let all = try lines(log)
        #expect(all.map(\.name) == ["", "next"])
        #expect(all[1].lost == (isRequired ? 0 : 3))
        try log.note([Self.use("after")])
        #expect(try lines(log).last?.lost == 0)
    }

    @Test func `whichever step is the last one, what was acknowledged is whole and the next line follows`() throws {
        let home = try temporary.open()
        let first = try AccessLog.of(home)
        var change = AccessLog.Change()
        change.sizeLimit = 65_536
        try first.turnOn(change)
        var acknowledged = 1
        var isDone = false
        for stop in 1...400 where !isDone {
            let left = Locked(Int.max)
            // From the step on nothing is done any more, as after SIGKILL; each round begins in a new process's place.
            let broken = try temporary.open {
                $0.fileSystem = FileHooks { _ in
                    left.withLock { left in
                        left -= 1
                        return left < 0 ? EIO : 0
                    }
                }
            }
            let log = try AccessLog.of(broken)
            left.withLock { $0 = stop }
            let uses = (0..<20).map { Self.use("round \(stop) \($0)") }
            // Where nothing can be read any more, nothing is given.
            _ = try? log.note(uses)
            isDone = left.withLock { $0 >= 0 }
            if isDone { acknowledged += 20 }
            try first.note([Self.use("after \(stop)")])
            acknowledged += 1
            let report = try first.read { _ in }
            #expect(report.findings == [], "stopped at step \(stop)")
        }
        #expect(isDone)
        #expect(try first.read { _ in }.next >= UInt64(acknowledged))
    }

    @Test func `a new passcode's keys take the log with them, and retired keys go`() throws {
        let home = try temporary.open()
        let log = try AccessLog.of(home)
        try log.turnOn(AccessLog.Change())
        try log.note([Self.use("before")])
        try home.keybag.setPasscode(try secret("tall-grass"))
        home.keybag.settleRetiredKeys()
        #expect(try !home.keybag.hasRetiredKeys)
        #expect(try lines(log).last?.name == "before")
        try home.keybag.removePasscode(try secret("tall-grass"))
        home.keybag.settleRetiredKeys()
        #expect(try !home.keybag.hasRetiredKeys)
        #expect(try lines(log).last?.name == "before")
    }

    @Test func `clearing begins anew with new keys, goes on with the numbers, and mends a damaged log`() throws {
        let home = try temporary.open()
        let log = try AccessLog.of(home)
        #expect(failure(DataProtectionError.self) { try log.clear() }?.code == .notAvailable)
        try log.turnOn(AccessLog.Change())
        for _ in 0..<3 { try log.note([Self.use()]) }
        let before = try #require(try log.settings())
        try log.clear()
        let after = try #require(try log.settings())
        #expect(after.log != before.log && after.publicKey != before.publicKey && after.isOn)
        #expect(try lines(log).map(\.number) == [4])
        #expect(try lines(log)[0].operation == AccessOperation.cleared.rawValue)
        try FileManager.default.removeItem(atPath: "\(temporary.path)/access-log/\(AccessLogTail.fileName(after.log))")
        // Told, and given all the same.
        try log.note([Self.use("lost")])
        #expect(try log.read { _ in }.findings.contains(.tail))
        try log.clear()
        #expect(try lines(log).map(\.number) == [5])
        try FileManager.default.removeItem(atPath: temporary.path + "/access-log")
        try log.note([Self.use("lost")])
        #expect(try !log.read { _ in }.findings.isEmpty)
        try log.clear()
        try log.note([Self.use("again")])
        #expect(try lines(log).last?.name == "again")
        #expect(try segments.count == 1)
        try Home.erase(home.configuration)
        #expect(!temporary.names.contains("access-log"))
    }

    @Test func `several writers at once lose no line`() async throws {
        let home = try temporary.open()
        try AccessLog.of(home).turnOn(AccessLog.Change())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask { [temporary] in
                    let log = try AccessLog.of(try temporary.open())
                    for number in 0..<50 { try log.note([Self.use("\(writer) \(number)")]) }
                }
            }
            try await group.waitForAll()
        }
        let all = try lines(try AccessLog.of(home))
        #expect(all.count == 201 && Set(all.map(\.name)).count == 201)
        for writer in 0..<4 {
            #expect(
                all.map(\.name).filter { $0.hasPrefix("\(writer) ") } == (0..<50).map { "\(writer) \($0)" })
        }
    }
}
