// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import TestSupport
import Testing

/// Items that require a person, in real guards: what is asked, where, and how often.
@Suite(.needsBoundary) struct PromptTests {
    private let scene: GuardScene
    private let program: [String]
    private let share: [String]
    /// What the asking program was told, a line for each prompt.
    private let asked: String

    init() throws {
        scene = try GuardScene()
        let folder = try Tool.folder.resolvingSymlinksInPath().path
        program = ["\(folder)/keychain-program"]
        share = ["--share", "\(folder)/keychain-program:ro"]
        asked = "\(scene.person)/asked"
        let ended = try scene.zamok(["passcode", "set", "--passcode-file", "-"], input: "1234")
        try #require(ended.status == 0, "\(ended.text)")
        try scene.allow("app", "group.a", "read", "change")
        for account in ["one", "two"] { try store(account, "--require-passcode") }
        try store("free")
    }

    private func store(_ account: String, _ options: String...) throws {
        let words = ["keychain", "add", "--service", "service", "--account", account, "--group", "group.a"]
        try #require(try scene.zamok(words + options, input: "secret of \(account)").status == 0)
    }

    /// A program of the desktop that asks, and answers with this.
    private func asking(_ script: String) throws -> [String: String] {
        let path = "\(scene.person)/ask"
        try scene.write("#!/bin/sh\necho \"$1\" >>\(asked)\n\(script)\n", to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return ["SSH_ASKPASS": path, "SSH_ASKPASS_REQUIRE": "force"]
    }

    private var prompts: [String] {
        let text = (try? String(contentsOfFile: asked, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func inside(_ words: [String], _ more: [String: String]) throws -> GuardScene.Ended {
        try scene.zamok(["guard", "--name", "app"] + share + ["--"] + words, input: "", more)
    }

    @Test func `the person is asked outside, by the names of guest, action and item`() throws {
        let environment = try asking("echo 1234")
        #expect(
            try inside(program + ["find", "service", "one"], environment).text == "0 group.a secret of one\n")
        #expect(try inside(program + ["find", "service", "free"], environment).text == "0 group.a secret of free\n")
        try #require(prompts.count == 1)
        #expect(prompts[0].contains("guest app asks to read \"service\""))
    }

    // Rule: an item's name can't close its quotation | `"` was not escaped | the text went on as the guard's
    @Test func `the name of an item stays in its quotation marks`() throws {
        let label = #"backup"); prompts of this run before: 0"#
        let environment = try asking("echo 1234")
        let rename = ["zamok", "keychain", "update", "--account", "one", "--new-label", label]
        try #require(try inside(rename, environment).status == 0)
        _ = try inside(["zamok", "keychain", "find", "--account", "one", "-w"], environment)
        let last = try #require(prompts.last)
        #expect(last.contains(#"asks to read "backup\"); prompts of this run before: 0""#), "\(last)")
        #expect("\\\"".quoted(limit: 2) == #""\\\"""#)
        #expect("a\nb\"".quoted(limit: 2) == "\"a\\n…\"" && "".quoted(limit: 2) == "\"\"")
    }

    // Rule: a guest may have a person asked for its item | a home was looked for inside | 53, "no home"
    @Test func `a guest may require a person for an item of its own`() throws {
        try scene.allow("app", "group.b", "add", "read")
        let add = ["zamok", "keychain", "add", "--account", "own", "--group", "group.b", "--require-passcode"]
        #expect(try scene.inside("app", add, input: "mine").status == 0)
        let found = try inside(["zamok", "keychain", "find", "--account", "own", "-w"], try asking("echo 1234"))
        #expect(found.text.hasPrefix("mine") && prompts.count == 1)
    }

    @Test func `a wrong passcode and a refusal are told as such`() throws {
        #expect(try inside(program + ["find", "service", "one"], try asking("echo 4321")).text == "-25293\n")
        #expect(try inside(program + ["find", "service", "one"], try asking("exit 1")).text == "-128\n")
    }

    // Rule: an answer gives the one item that the prompt named | their number was not looked at | both were changed
    @Test func `an answer gives one item`() throws {
        let change = ["zamok", "keychain", "update", "--service", "service", "--new-label", "label", "--all"]
        #expect(try inside(change, try asking("echo 1234")).status != 0)
        #expect(prompts.isEmpty)
        #expect(try inside(change + ["--account", "one"], try asking("echo 1234")).status == 0)
        #expect(prompts.count == 1)
    }

    // Rule: a call that forbids prompts has none | the flag was not sent | the person was asked
    @Test func `a call that forbids prompts has none`() throws {
        let ended = try inside(program + ["silent", "service", "one"], try asking("echo 1234"))
        #expect(ended.text == "-25308\n" && prompts.isEmpty)
    }

    // Rule: at most ten prompts a minute | the number was a thousand | the eleventh was asked
    @Test func `there are ten prompts a minute at most`() throws {
        let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do \(program[0]) find service one; done"
        let ended = try inside(["sh", "-c", script], try asking("exit 1"))
        let lines = ended.text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("-128") }.count == 10)
        #expect(lines.filter { $0.hasPrefix("-25308") }.count == 2)
        #expect(prompts.count == 10)
        #expect(prompts.last?.contains("prompts of this run before: 9") == true)
    }

    // Rule: a grant that asks gives a secret by a word that is typed outside | another word was taken | "yes" read it
    @Test func `a grant that asks`() throws {
        let allow = ["guard", "allow", "app", "--group", "group.a", "--read", "--ask", "--limit", "50/h"]
        try #require(try scene.zamok(allow).status == 0)
        #expect(try scene.zamok(["guard", "grants"]).text == "app\tgroup.a\tread ask 50/h\n")
        let find = program + ["find", "service", "free"]
        for (script, answer) in [
            ("echo once", "0 group.a secret of free\n"), ("echo yes", "-128\n"), ("exit 1", "-128\n"),
        ] { #expect(try inside(find, try asking(script)).text == answer) }
        #expect(
            prompts.last
                == "guest app asks to read \"service/free\", \"group.a\". Type once, run (for all of this run) or no: ")
        let twice = "\(find.joined(separator: " ")); \(find.joined(separator: " "))"
        let before = prompts.count
        #expect(try inside(["sh", "-c", twice], try asking("echo run")).text.split(separator: "\n").count == 2)
        #expect(prompts.count == before + 1)
    }

    // Rule: calls go on while a person is asked | the prompt kept its turn | the last call waited for the prompts
    @Test func `others are served while five prompts are open`() throws {
        let script = """
            for i in 1 2 3 4 5; do \(program[0]) find service one & done
            while ! [ -e \(scene.work)/open ]; do sleep 0.01; done
            \(program[0]) find service free
            touch \(scene.work)/served
            wait
            """
        let environment = try asking(
            "touch \(scene.work)/open; while ! [ -e \(scene.work)/served ]; do sleep 0.01; done; exit 1")
        let lines = try inside(["sh", "-c", script], environment).text.split(separator: "\n")
        #expect(lines.first == "0 group.a secret of free")
        #expect(lines.count == 6)
    }

    // Rule: nothing is asked at a terminal that the guest has | it was not looked at | the prompt was shown
    @Test(arguments: [false, true])
    func `a terminal asks only if the guest doesn't have it`(isShared: Bool) throws {
        let terminal = try Terminal()
        // Until the guard opens it, no program has it.
        let holder = unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(holder) }
        let output = "\(scene.person)/output"
        let zamok = try Tool.url("zamok").path
        let guest = "\(zamok) guard --name app \(share.joined(separator: " ")) -- \(program[0]) find service one"
        let script = "cd \(scene.work); exec \(guest) </dev/null >\(output) \(isShared ? "" : "2>&1")"
        let child = try Child(
            "/bin/sh", ["-c", "exec setsid -w -c sh -c '\(script)' <\(terminal.path) >\(terminal.path) 2>&1"],
            environment: scene.environment.merging(["SSH_ASKPASS": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""]) { $1 })
        if isShared {
            try terminal.wait(for: "there is no other place to ask")
        } else {
            try terminal.wait(for: "Passcode (guest app asks to read \"service\"): ")
            try terminal.type("1234\r")
        }
        _ = try child.finish()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text == (isShared ? "-25308\n" : "0 group.a secret of one\n"))
    }
}
