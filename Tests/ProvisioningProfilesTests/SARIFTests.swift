// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct SARIFTests {
    private static let schema = ProcessInfo.processInfo.environment["ZAMOK_SARIF_SCHEMA"]

    private func log() throws -> String {
        try ProfilesCommand.run(["verify", "--sarif", TestAuthority.path("profiles"), "a:b/missing.mobileprovision"])
            .output
    }

    /// The log of a check, whose findings name entitlements and slices and which says what it does not cover.
    private func checkLog(in folder: String) throws -> String {
        var app = try AppRecipe(.adHoc)
        app.slices.append(app.slices[0])
        app.slices[1].entitlements?["get-task-allow"] = .boolean(true)
        return try ProfilesCommand.run(
            ["check", "--sarif", app.write(into: folder), "--configuration", "AppStore", "/missing.ipa"]
        ).output
    }

    @Test func `the log has the structure that SARIF 2.1.0 demands`() throws {
        let log = try #require(try JSONSerialization.jsonObject(with: Data(log().utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        #expect((log["$schema"] as? String)?.hasSuffix("sarif-schema-2.1.0.json") == true)
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "zamok")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.compactMap { $0["id"] as? String } == Rule.all.map(\.id))
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(!results.isEmpty)
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect(["error", "warning", "note"].contains(result["level"] as? String))
            #expect((result["message"] as? [String: Any])?["text"] is String)
            let location = try #require(
                (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
            let uri = try #require((location["artifactLocation"] as? [String: Any])?["uri"] as? String)
            #expect(URL(string: uri) != nil && !uri.contains(" "))
        }
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        let notifications = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
        #expect(notifications.count == 2)
    }

    @Test(.enabled(if: schema != nil, "ZAMOK_SARIF_SCHEMA does not name the schema of SARIF 2.1.0"))
    func `the log is valid under the schema`() throws {
        try TemporaryFolder.with { folder in
            let script = """
                import json, sys, jsonschema
                jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))
                """
            let schema = try #require(Self.schema)
            for log in [try log(), try checkLog(in: folder)] {
                #expect(log.contains("\"results\""))
                try Data(log.utf8).write(to: URL(filePath: "\(folder)/log.sarif"))
                let outcome = try ShellCommand.run(
                    "/usr/bin/env", ["python3", "-c", script, "\(folder)/log.sarif", schema])
                #expect(outcome.status == 0, "\(outcome.errors.suffix(2000))")
            }
        }
    }
}
