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
    ])
    func `files that are refused`(_ text: String) {
        #expect(throws: (any Error).self, "\(text)") { try ProjectGrants(Array(text.utf8)) }
    }

    // Rule: a project's file grants nothing until a person confirms it | the question was left out | all were given
    @Test func `nothing is given until it is confirmed, and a changed file gives nothing`() throws {
        let scene = try GuestHome(try #require(GuestName("agent")))
        var record = ItemRecord(.genericPassword)
        record.attributes[.service] = .text("api")
        record.attributes[.account] = .text("me")
        record.attributes[.accessGroup] = .text("zamok")
        record.secret = try Secret("the secret of the API")
        _ = try scene.outside.add(record, PersonPrompt())
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
        let project = try ProjectGrants(reading: path)
        #expect(try project.compared(scene.name, scene.home).lacking == 3)
        let asked = try allow()
        #expect(asked.status != 0 && asked.text.contains("new") && asked.text.contains("api.example.com"))
        #expect(try given() == [0, 0])
        #expect(try allow("--yes").status == 0)
        #expect(try given() == [1, 2] && project.compared(scene.name, scene.home).lacking == 0)
        let changed = Self.file.replacing("/a/**", with: "/**")
        try Data(changed.utf8).write(to: URL(filePath: path))
        #expect(try ProjectGrants(reading: path).compared(scene.name, scene.home).lacking == 1)
        #expect(try allow().status != 0 && allow("--yes", "--read").status != 0)
        #expect(try GrantStore(scene.outside).uses(of: scene.name).contains { $0.paths.map(\.text) == ["/a/**"] })
    }
}
