// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import KeychainEngine

/// What is acknowledged survives the loss of power; a full disk costs one call.
@Suite struct DurabilityTests {
    let folder: TemporaryFolder
    private var home: String { folder.path("home") }

    init() throws { folder = try TemporaryFolder() }

    private func worker(_ variables: [String: String]) throws -> WorkerProcess {
        try WorkerProcess(home, environment: variables)
    }

    // Rule: a commit is on the disk when the call returns | `synchronous` NORMAL | also "Files are 0600 under any
    //   umask, and the writer is durable"
    @Test func `After a loss of power everything that was acknowledged is there, and nothing by half`() throws {
        let outside = try TemporaryFolder()
        let log = outside.url.appendingPathComponent("log")
        let worker = try worker(try FaultInjector(folder: folder.url).environment(log: log))
        let steps: [([String], [String: String])] = [
            (["add", "s", "anna", "one"], ["anna": "one"]),
            (["add", "s", "berta", "two"], ["anna": "one", "berta": "two"]),
            (["update", "s", "anna", "three"], ["anna": "three", "berta": "two"]),
            (["delete", "s", "berta"], ["anna": "three"]),
        ]
        var acknowledged: [(calls: Int, state: [String: String])] = []
        for (command, state) in steps {
            try worker.child.send("\(command.joined(separator: "\t"))\n".utf8)
            #expect(try worker.child.line() == "ok")
            acknowledged.append((try WriteLog(contentsOf: log).records.count, state))
        }
        _ = try worker.killed()
        let replay = WriteReplay(try WriteLog(contentsOf: log), of: folder.url)
        for (step, point) in acknowledged.enumerated() {
            for survivors in [WriteReplay.Survivors.none, .all, .some(seed: 1), .some(seed: 2)] {
                try expect([point.state], replay, after: point.calls, survivors)
            }
            // Anywhere on the way to the next acknowledgement: the state before or the one behind.
            guard step + 1 < acknowledged.count else { continue }
            let next = acknowledged[step + 1]
            for calls in stride(from: point.calls, to: next.calls, by: max(1, (next.calls - point.calls) / 4)) {
                try expect([point.state, next.state], replay, after: calls, .some(seed: UInt64(calls)))
            }
        }
    }

    private func expect(
        _ states: [[String: String]], _ replay: WriteReplay, after calls: Int, _ survivors: WriteReplay.Survivors
    ) throws {
        let target = try TemporaryFolder()
        let rebuilt = target.url.appendingPathComponent("disk")
        try replay.rebuild(after: calls, keeping: survivors, in: rebuilt)
        let path = rebuilt.appendingPathComponent("home").path
        let store = try ItemStore.of(try Home(TemporaryHome.configuration(of: path)))
        var query = ItemQuery(.genericPassword)
        query.limit = nil
        let found = try store.items(matching: query, withSecret: true)
        let pairs = found.map { item in
            (item.attributes["acct"]?.asText ?? "", String(decoding: item.secret?.exposedBytes ?? [], as: UTF8.self))
        }
        #expect(states.contains(Dictionary(pairs) { $1 }), "after \(calls) calls, \(survivors)")
        #expect(try store.checkInvariants() == [])
    }

    @Test func `A full disk answers errSecDiskFull, loses nothing, and the store goes on`() throws {
        let outside = try TemporaryFolder()
        let log = outside.url.appendingPathComponent("log")
        let faults = try FaultInjector(folder: folder.url)
        let trial = try worker(faults.environment(log: log))
        #expect(try trial.ask("add", "s", "kept", "kept") == "ok")
        let begin = try WriteLog(contentsOf: log).calls
        #expect(try trial.ask("add", "s", "trial", "secret") == "ok")
        let end = try WriteLog(contentsOf: log).calls
        _ = try trial.killed()
        var full = 0
        for call in begin + 1...end {
            let folder = try TemporaryFolder()
            let home = folder.path("home")
            let faults = try FaultInjector(folder: folder.url)
            let worker = try WorkerProcess(home, environment: faults.environment(fail: .at(call, .noSpace)))
            #expect(try worker.ask("add", "s", "kept", "kept") == "ok")
            let answer = try worker.ask("add", "s", "new", "secret")
            #expect(["ok", "error\t-34"].contains(answer), "call \(call)")
            if answer != "ok" { full += 1 }
            #expect(try worker.ask("find", "s", "kept") == "ok\tkept")
            if answer != "ok" { #expect(try worker.ask("add", "s", "new", "secret") == "ok") }
            #expect(try worker.ask("find", "s", "new") == "ok\tsecret")
            #expect(try worker.ask("check") == "ok\t")
        }
        #expect(full > 0)
    }
}

extension AttributeValue {
    var asText: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}
