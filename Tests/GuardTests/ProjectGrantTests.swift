// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Guards
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import ZamokCommand

@Suite("Grants that a project asks for") struct ProjectGrantTests {
    private static let file = """
        {"version": 1, "grants": [
          {"group": "example.tokens", "actions": ["read", "add"]},
          {"item": "api/me", "host": "api.example.com", "methods": "GET", "paths": ["/a/**"], "basic": "password"},
          {"item": "api/me", "host": "postgres://db", "role": "app", "databases": ["shop", "test"]}
        ]}
        """

    @Test func `what it asks for, as words of the command`() throws {
        #expect(
            try ProjectGrants(Array(Self.file.utf8)).wishes == [
                ["--group=example.tokens", "--read", "--add"],
                [
                    "--use", "--item=api/me", "--host=api.example.com", "--method=GET", "--path=/a/**",
                    "--basic-password",
                ],
                ["--use", "--item=api/me", "--host=postgres://db", "--role=app", "--database=shop", "--database=test"],
            ])
    }

    // Rule: what is not known in a project's file is an error | other members were passed over | 3 files were taken
    @Test(arguments: [
        "", "[]", "{}", #"{"version": 2, "grants": [{"group": "a", "actions": ["read"]}]}"#,
        #"{"version": 1, "grants": []}"#,
        #"{"version": 1, "grants": [{"group": "a", "actions": ["read"]}], "name": "b"}"#,
        #"{"version": 1, "grants": [{"group": "a", "actions": ["all"]}]}"#,
        #"{"version": 1, "grants": [{"group": "a", "actions": ["read"], "until": "tomorrow"}]}"#,
        #"{"version": 1, "grants": [{"group": ["a", "b"], "actions": ["read"]}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b"}]}"#, #"{"version": 1, "grants": [{"item": "a/b", "host": 5}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b", "host": "c", "at": "127.0.0.1"}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b", "host": "c", "methods": []}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b", "host": "c", "methods": ["GET", 1]}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b", "host": "c", "basic": "both"}]}"#,
        #"{"version": 1, "grants": [{"item": "a/b", "host": "c", "group": "d"}]}"#,
        #"{"version": 1, "grants": [{"group": "benign  read", "actions": ["delete"]}]}"#,
        #"{"version": 1, "grants": [{"group": "exаmple", "actions": ["read"]}]}"#,
        "{\"version\": 1, \"grants\": [{\"group\": \"\(String(repeating: "a", count: 101))\", \"actions\": [\"read\"]}]}",
    ])
    func `files that are refused`(_ text: String) {
        #expect(throws: (any Error).self, "\(text)") { try ProjectGrants(Array(text.utf8)) }
    }

    // Rule: a project's file grants nothing until a person confirms it | the question was left out | all were given
    @Test func `nothing is given until it is confirmed, and a changed file gives nothing`() throws {
        let scene = try GuestHome(try #require(GuestName("agent")))
        try scene.addToken()
        let folder = try TemporaryFolder()
        let path = folder.path("project.json")
        try Data(Self.file.utf8).write(to: URL(filePath: path))
        func allow(_ words: String...) throws -> (text: String, status: Int32) {
            try Child(
                try Tool.url("zamok").path, ["guard", "allow", "agent", "--from", path] + words,
                environment: ["ZAMOK_HOME": scene.home.folder, "ZAMOK_USER": ""]
            ).rest()
        }
        func given() throws -> [Int] {
            let all = try GrantStore(scene.outside).all(of: scene.name)
            return [all.grants.count, all.uses.count]
        }
        func lacking() throws -> Int {
            try ProjectGrants(reading: path).compared(scene.name, scene.home).count { !$0.isSame }
        }
        #expect(try lacking() == 3)
        let asked = try allow()
        #expect(asked.status != 0 && asked.text.contains("new") && asked.text.contains("api.example.com"))
        #expect(try given() == [0, 0])
        #expect(try allow("--yes").status == 0)
        #expect(try given() == [1, 2] && lacking() == 0)
        let changed = Self.file.replacing("/a/**", with: "/**")
        try Data(changed.utf8).write(to: URL(filePath: path))
        #expect(try lacking() == 1)
        #expect(try allow().status != 0 && allow("--yes", "--read").status != 0)
        #expect(try GrantStore(scene.outside).uses(of: scene.name).contains { $0.paths.map(\.text) == ["/a/**"] })
    }

    // Rule: what a project's file changes is shown beside what is there, and keeps address and shape | a change was
    //   shown as new and given as the file has it | no word "changes", no address
    @Test func `a grant that is there is changed in sight, and stays where it was`() throws {
        let scene = try GuestHome(try #require(GuestName("agent")))
        try scene.addToken()
        func zamok(_ words: [String]) throws -> (text: String, status: Int32) {
            try Child(
                try Tool.url("zamok").path, ["guard"] + words,
                environment: ["ZAMOK_HOME": scene.home.folder, "ZAMOK_USER": ""]
            ).rest()
        }
        let own = "--item api/me --use --host api.example.com --at 127.0.0.1 --method GET --path /ok/** --shape zz_"
        #expect(try zamok(["allow", "agent"] + own.split(separator: " ").map(String.init)).status == 0)
        #expect(try zamok(["allow", "agent", "--group", "w.g", "--read", "--add"]).status == 0)
        let folder = try TemporaryFolder()
        let path = folder.path("project.json")
        func write(_ grants: String) throws {
            try Data("{\"version\": 1, \"grants\": [\(grants)]}".utf8).write(to: URL(filePath: path))
        }
        let group = #"{"group": "w.g", "actions": ["read"]}"#
        try write(#"{"item": "api/me", "host": "https://api.example.com:443"}, "# + group)
        let shown = try zamok(["allow", "agent", "--from", path])
        let now = "use api.example.com at 127.0.0.1 header authorization GET /ok/** placeholder zz_..."
        let then = "use api.example.com at 127.0.0.1 header authorization placeholder zz_..."
        #expect(shown.status != 0)
        #expect(
            shown.text.split(separator: "\n").map(String.init) == [
                "now\tagent\tapi/me\t\(now)", "changes\tagent\tapi/me\t\(then)",
                "now\tagent\tw.g\tread add", "changes\tagent\tw.g\tread",
            ])
        #expect(try zamok(["grants"]).text == "agent\tw.g\tread add\nagent\tapi/me\t\(now)\n")
        #expect(try zamok(["allow", "agent", "--from", path, "--yes"]).status == 0)
        #expect(try zamok(["grants"]).text == "agent\tw.g\tread\nagent\tapi/me\t\(then)\n")
        #expect(try zamok(["allow", "agent", "--from", path]).text.hasPrefix("same\tagent\tapi/me\t\(then)\nsame"))
        // Two for one place.
        try write(#"{"item": "api/me", "host": "api.example.com"}, {"item": "api", "host": "API.example.com:443"}"#)
        #expect(try zamok(["allow", "agent", "--from", path, "--yes"]).status == 64)
        try write(group + #", {"group": "w.g", "actions": ["read", "delete"]}"#)
        #expect(try zamok(["allow", "agent", "--from", path, "--yes"]).status == 64)
        #expect(try zamok(["grants"]).text == "agent\tw.g\tread\nagent\tapi/me\t\(then)\n")
    }
}
