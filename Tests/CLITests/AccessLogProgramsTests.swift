// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import TestSupport
import Testing

/// The access log as programs write it, one process a use.
@Suite struct AccessLogProgramsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try #require(try run(["set", "api/deploy"], input: "a-secret\n").status == 0)
        try #require(try run(["log", "on", "--require"]).status == 0)
    }

    private func run(
        _ words: [String], input: String = "", _ faults: [String: String] = [:]
    ) throws -> (text: String, status: Int32) {
        let places = ["ZAMOK_HOME": folder.path("home"), "HOME": folder.path, "ZAMOK_PASSCODE_FILE": ""]
        let child = try Child("zamok", words, environment: places.merging(faults) { $1 })
        try child.send(input.utf8)
        return try child.rest()
    }

    /// How many uses of a secret the log tells, when it is whole.
    private func lines() throws -> Int {
        let (text, status) = try run(["log", "--json"])
        #expect(status == 0)
        return text.split(separator: "\n").count { $0.contains("\"use\":\"read\"") }
    }

    @Test func `killed at each call that changes a file, no secret is given without a line`() throws {
        let log = folder.url.appendingPathComponent("calls")
        let faults = try FaultInjector(folder: folder.url.appendingPathComponent("home"))
        try #require(try run(["get", "api/deploy"], faults.environment(log: log)).text == "a-secret\n")
        let calls = try WriteLog(contentsOf: log).calls
        try #require(calls > 2)
        var (given, before) = (1, try lines())
        #expect(before == given)
        for call in 1...calls {
            for kill in [FaultInjector.Kill.before(call), .after(call)] {
                let text = try run(["get", "api/deploy"], faults.environment(kill: kill)).text
                #expect(text.isEmpty || text == "a-secret\n")
                if !text.isEmpty { given += 1 }
                let now = try lines()
                #expect(now >= given && now - before <= 1 && now - before >= (text.isEmpty ? 0 : 1), "call \(call)")
                before = now
            }
        }
        #expect(try run(["log", "verify"]).status == 0)
    }

    @Test func `killed at random moments, as many lines are there as secrets at least`() throws {
        var kills = RandomKills("access log", bounded: 20, long: 1_000)
        var given = 0
        for _ in 0..<kills.count {
            let places = ["ZAMOK_HOME": folder.path("home"), "HOME": folder.path, "ZAMOK_PASSCODE_FILE": ""]
            let child = try Child("zamok", ["run", "--env", "A=api/deploy", "--", "env"], environment: places)
            let said = try kills.strike(child, [], within: .milliseconds(600))
            if said.contains("A=a-secret") { given += 1 }
        }
        let lines = try lines()
        #expect(lines >= given && lines <= kills.count)
        print("access log: \(kills.count) kills, \(given) secrets given, \(lines) lines")
        #expect(try run(["log", "verify"]).status == 0)
    }

    @Test func `each line tells the source and the use`() throws {
        #expect(try run(["run", "--env", "A=api/deploy", "--", "true"]).status == 0)
        #expect(try run(["keys", "generate", "pair", "--type", "p256"]).status == 0)
        #expect(try run(["keys", "export", "pair"]).status == 0)
        #expect(try run(["keys", "certificate-request", "pair", "--subject", "/CN=a"]).status == 0)
        // Keys are left out of it, which is told by 3.
        #expect(try run(["keychain", "export", "--format", "json", folder.path("out.json")]).status == 3)
        let (text, _) = try run(["log", "--json"])
        let lines = text.split(separator: "\n").map(String.init)
        for (source, use) in [("run", "read"), ("zamok", "export"), ("zamok", "sign")] {
            #expect(
                lines.contains { $0.contains("\"use\":\"\(use)\"") && $0.contains("\"source\":\"\(source)\"") },
                "\(source) \(use): \(text)")
        }
        #expect(lines.count { $0.contains("\"use\":\"export\"") } >= 2)
    }
}
