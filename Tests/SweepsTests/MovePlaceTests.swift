// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Sweeps

/// What is put in place of a secret in the files of programs of the catalogue.
@Suite struct MovePlaceTests {
    private static let value = "s3cr3tValue0123456789abcdefXYZ"

    /// A file of a place, what it becomes, the items' names, and the words that its program is started with.
    struct Case: Sendable, CustomTestStringConvertible {
        let word, file, after: String
        var items: [String]
        var start: String?
        var testDescription: String { word }
    }

    static let cases = [
        Case(
            word: "npm", file: "//r.example/:_authToken=\(value)\n",
            after: "//r.example/:_authToken=${NPM_R_EXAMPLE}\n",
            items: [], start: "zamok run"),
        Case(
            word: "git", file: "https://me:\(value)@example.com\nhttps://you:other-Value-0123456789@example.org\n",
            after: "", items: ["https://example.org", "https://example.com"]),
        Case(
            word: "docker", file: #"{"auths":{"r.example":{"auth":"bWU6czNjcjN0VmFsdWUwMTIzNDU2Nzg5"}},"x":1}"#,
            after: #"{"auths":{"r.example":{}},"x":1}"#, items: ["r.example"]),
        Case(
            word: "cargo", file: "[registries.mine]\ntoken = \"\(value)\"\n[other]\na = 1\n",
            after: "[registries.mine]\n[other]\na = 1\n", items: ["sparse+https://example.com/"]),
        Case(
            word: "aws",
            file: "[default]\naws_access_key_id = AKIAQWERTYUIOPASDFGH\naws_secret_access_key = \(value)\nregion = x\n",
            after: "[default]\nregion = x\n", items: ["aws"]),
        Case(
            word: "pgpass", file: "h:5432:*:me:\(value)\n", after: "", items: [], start: "zamok run --env PGPASSWORD="),
        Case(
            word: "mysql", file: "[client]\nuser=me\npassword=\(value)\n", after: "[client]\nuser=me\n", items: [],
            start: "zamok run --env MYSQL_PWD="),
        Case(
            word: "composer",
            file: #"{"http-basic":{"example.com":{"username":"me","password":"\#(value)"}}}"#, after: "{}\n",
            items: [], start: "zamok run --env COMPOSER_AUTH="),
        Case(
            word: "codex-auth", file: "{\n  \"OPENAI_API_KEY\": \"\(value)\",\n  \"x\": 1\n}\n",
            after: "{\n  \"x\": 1\n}\n", items: [], start: "zamok run --env OPENAI_API_KEY="),
        Case(
            word: "curl", file: "user = \"me:\(value)\"\n", after: "user = \"me:zamok://curl/me\"\n", items: ["curl"],
            start: "curl -q -K <(zamok inject -i "),
        Case(
            word: "mbsync", file: "IMAPAccount one\nHost h.example\nUser me\nPass \(value)\n",
            after: "IMAPAccount one\nHost h.example\nUser me\nPassCmd \"zamok get mbsync\"\n",
            items: ["mbsync"]),
    ]

    @Test(arguments: cases) func `a file of a program becomes one without its secret`(_ each: Case) throws {
        let scene = try MoveScene()
        let place = try #require(Catalogue.places.first { $0.word == each.word })
        let file = try scene.write(each.file)
        let configuration = try scene.write(
            "[registries.mine]\nindex = \"sparse+https://example.com/\"\n", to: "config")
        let planner = MovePlanner(scene.items) { _, _, _ in
            MovePlanner.Setup(configuration, shown: ["lines"]) { ($0 ?? "") + "# lines\n" }
        }
        let planned = try planner.plan(place, file, Array(each.file.utf8))
        let plan = try #require(planned.plan, "\(planned.staying.map(\.reason))")
        let after = plan.changes.last?.after.map { String(decoding: $0, as: UTF8.self) }
        #expect(after == each.after)
        if !each.items.isEmpty { #expect(plan.items.map(\.item.service) == each.items) }
        #expect(plan.start?.hasPrefix(each.start ?? "") ?? (each.start == nil))
        // Carried out, the item is what its program looks up; undone, all is as before.
        try scene.mover().carryOut(plan)
        for (item, secret) in plan.items {
            #expect(try scene.items.current(item, like: secret)?.isEqual(to: secret) == true)
        }
        let undone = try scene.mover().undo(try scene.mover().moves()[0])
        #expect(undone.kept.isEmpty)
        #expect(try scene.text(file) == each.file)
        for (item, secret) in plan.items { #expect(try scene.items.current(item, like: secret) == nil) }
    }

    @Test(arguments: [
        ("{\"a\":\"x\"}", "{}"), ("{\"a\":\"x\",\"b\":1}", "{\"b\":1}"), ("{\"b\":1,\"a\":\"x\"}", "{\"b\":1}"),
        ("{\n  \"b\": 1,\n  \"a\": \"x\"\n}\n", "{\n  \"b\": 1\n}\n"),
        ("{\n  \"a\": \"x\",\n  \"b\": 1\n}\n", "{\n  \"b\": 1\n}\n"),
    ]) func `a member of an object is removed with its comma`(_ text: String, _ after: String) throws {
        let bytes = Array(text.utf8)
        let value = try #require(bytes.firstIndex(of: UInt8(ascii: "x")))
        let file = FileText(bytes: bytes)
        let range = try #require(file.member(of: value..<value + 1))
        #expect(String(decoding: try #require(file.replacing([(range, [])])), as: UTF8.self) == after)
    }
}
