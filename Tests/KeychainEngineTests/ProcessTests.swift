// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import KeychainEngine

/// Real processes on one home. `ZAMOK_LONG=1` kills more often, `ZAMOK_KILLS` as often as it says.
@Suite(.serialized) struct ProcessTests {
    let temporary = TemporaryHome()
    private static let kills = RandomKills("keychain", bounded: 20, long: 240).count

    @Test func `Killed writers lose nothing that was acknowledged, write nothing by half, and are never refused`()
        throws
    {
        let store = try ItemStore.of(try temporary.open())
        let before = try store.add(.password("before", "anna", "kept"))
        var last: [String: String] = [:]
        var refused = 0
        var writers = try (0..<4).map { try writer($0) }
        for kill in 0..<Self.kills {
            // The moment of the kill is what varies: it comes after a random number of acknowledgements.
            let number = kill % 4
            for _ in 0..<Int.random(in: 1...12) {
                let line = try writers[number].child.line()
                if let said = Acknowledged(line) {
                    last["\(said.service)\t\(said.account)"] = said.secret
                } else {
                    refused += 1
                }
            }
            for said in try writers[number].killed() { last["\(said.service)\t\(said.account)"] = said.secret }
            writers[number] = try writer(number)
        }
        for writer in writers {
            for said in try writer.killed() { last["\(said.service)\t\(said.account)"] = said.secret }
        }
        #expect(refused == 0)
        #expect(last.count > Self.kills)
        try expect(last, in: store)
        #expect(try store.checkInvariants() == [])
        #expect(
            try store.items(matching: .password("before", "anna"), withSecret: true).first?.persistentReference
                == before.persistentReference)
    }

    private func writer(_ number: Int) throws -> WorkerProcess {
        let writer = try WorkerProcess(temporary.path)
        try writer.write("writer \(number)")
        return writer
    }

    private func expect(_ last: [String: String], in store: ItemStore) throws {
        for (key, secret) in last {
            let words = key.split(separator: "\t").map(String.init)
            let found = try store.items(matching: .password(words[0], words[1]), withSecret: true)
            let text = String(decoding: found.first?.secret?.exposedBytes ?? [], as: UTF8.self)
            if words[1] == "own" {
                #expect(isAtMostOneStepAhead(text, of: secret), "\(key)")
            } else {
                #expect(text == secret, "\(key)")
            }
        }
    }

    /// An update that was under way at a kill may have happened or not; the next writer begins at 0 again.
    private func isAtMostOneStepAhead(_ found: String, of acknowledged: String) -> Bool {
        guard let number = Self.number(found), let last = Self.number(acknowledged) else { return false }
        let whole = "secret \(number) " + String(repeating: "x", count: number % 300)
        return found == whole && [last, last + 1, 0].contains(number)
    }

    private static func number(_ secret: String) -> Int? { Int(secret.split(separator: " ").dropFirst().first ?? "") }

    @Test func `Four processes and eight threads at once: no deadlock, no "database is locked"`() async throws {
        let home = try temporary.open()
        let store = try ItemStore.of(home)
        let workers = try (0..<4).map { _ in try WorkerProcess(temporary.path) }
        for (number, worker) in workers.enumerated() { try worker.write("process \(number)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<15 {
                        _ = try store.add(.password("thread \(thread)", "\(number)", "secret"))
                        _ = try store.items(matching: .password("thread \(thread)", "\(number)"), withSecret: true)
                    }
                }
            }
            try await group.waitForAll()
        }
        let said = try workers.flatMap { try $0.killed() }
        #expect(!said.isEmpty)
        var query = ItemQuery(.genericPassword)
        query.limit = nil
        #expect(
            try store.items(matching: query, withSecret: true).count >= 8 * 15
                + said.filter { $0.account != "own" }.count)
        #expect(try store.checkInvariants() == [])
    }

    @Test(arguments: ["process", "automatic"])
    func `A passcode that is set, changed and removed while others write loses nothing`(holder: String) throws {
        let environment = ["WORKER_HOLDER": holder]
        let changer = try WorkerProcess(temporary.path, environment: environment)
        let writers = try (0..<3).map { try WorkerProcess(temporary.path, environment: environment, writing: $0) }
        for _ in 0..<3 { for writer in writers { _ = try writer.child.line() } }
        #expect(try changer.ask("set-passcode", "one") == "ok")
        for _ in 0..<3 { for writer in writers { _ = try writer.child.line() } }
        #expect(try changer.ask("change-passcode", "one", "two") == "ok")
        for _ in 0..<3 { for writer in writers { _ = try writer.child.line() } }
        #expect(try changer.ask("remove-passcode", "two") == "ok")
        for _ in 0..<3 { for writer in writers { _ = try writer.child.line() } }
        let said = try writers.flatMap { try $0.killed() }
        let store = try ItemStore.of(try temporary.open())
        try expect(Dictionary(said.map { ("\($0.service)\t\($0.account)", $0.secret) }) { $1 }, in: store)
        #expect(try store.checkInvariants() == [])
        let keybag = try temporary.open().keybag
        #expect(try store.rewrapRetiredKeys(keybag) == false)
        #expect(try store.examine().allSatisfy { $0.kind != .retiredKey })
    }

    @Test
    func `What one process writes the next one reads at once, and changes tell that something happened elsewhere`()
        async throws
    {
        let store = try ItemStore.of(try temporary.open())
        var changes = store.changes().makeAsyncIterator()
        let worker = try WorkerProcess(temporary.path)
        #expect(try worker.ask("add", "service", "anna", "secret") == "ok")
        #expect(
            try store.items(matching: .password("service", "anna"), withSecret: true).first?.secret?.exposedBytes
                == Array("secret".utf8))
        #expect(await changes.next() == .elsewhere)
        #expect(try worker.ask("add", "service", "anna", "secret") == "error\t-25299")
        try store.delete(.password("service", "anna"))
        #expect(try worker.ask("find", "service", "anna") == "error\t-25300")
    }

    @Test func `A process that is forked off reads and writes nothing with the parent's store`() throws {
        let worker = try WorkerProcess(temporary.path)
        #expect(try worker.ask("add", "service", "anna", "secret") == "ok")
        #expect(try worker.ask("fork", "service", "anna") == "ok\t-25291 -25291")
        #expect(try worker.ask("find", "service", "anna") == "ok\tsecret")
    }
}

extension WorkerProcess {
    fileprivate convenience init(_ home: String, environment: [String: String], writing number: Int) throws {
        try self.init(home, environment: environment)
        try write("writer \(number)", ["ak", "ck", "dk"][number % 3])
    }
}
