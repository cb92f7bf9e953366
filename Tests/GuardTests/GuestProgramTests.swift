// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs in real guards.
@Suite(.needsBoundary) struct GuestProgramTests {
    private let scene: GuardScene
    private let program: [String]
    private let share: [String]

    init() throws {
        scene = try GuardScene()
        let folder = try Tool.folder.resolvingSymlinksInPath().path
        program = ["\(folder)/keychain-program"]
        share = ["--share", "\(folder)/keychain-program:ro"]
        try scene.store("one", in: "group.a", "first")
        try scene.store("two", in: "group.b", "second")
    }

    private func program(_ name: String, _ words: String...) throws -> String {
        try scene.inside(name, program + words, share).text
    }

    @Test func `an unchanged program of Security has the items of its grants`() throws {
        #expect(try program("app", "find", "service", "one") == "-34018\n")
        try scene.allow("app", "group.a", "read", "add")
        #expect(try program("app", "find", "service", "one") == "0 group.a first\n")
        #expect(try program("app", "find", "service", "two") == "-25300\n")
        #expect(try program("app", "find", "service", "two", "group.b") == "-34018\n")
        #expect(try program("app", "add", "service", "new", "third") == "0\n")
        #expect(try program("app", "add", "service", "new", "third") == "-25299\n")
        #expect(try program("app", "add", "service", "new", "third", "zamok.guard") == "-34018\n")
        #expect(
            try scene.zamok(["keychain", "find", "--account", "new", "--group", "group.a", "-w"]).text.hasPrefix(
                "third"))
    }

    @Test func `two guests with two groups don't see, count or collide with each other's items`() throws {
        try scene.allow("first", "group.a", "read", "add", "change", "delete")
        try scene.allow("second", "group.b", "read", "add", "change", "delete")
        #expect(try program("first", "find", "service", "two") == "-25300\n")
        #expect(try program("second", "find", "service", "one") == "-25300\n")
        #expect(try program("first", "add", "service", "two", "mine") == "0\n")
        #expect(try program("second", "find", "service", "two") == "0 group.b second\n")
        #expect(try scene.inside("first", ["zamok", "keychain", "list"]).text.split(separator: "\n").count == 2)
        #expect(try scene.inside("second", ["zamok", "keychain", "list"]).text.split(separator: "\n").count == 1)
    }

    @Test func `the command inside works on items, and has no home and no grants to give`() throws {
        try scene.allow("app", "group.a", "read")
        let found = try scene.inside("app", ["zamok", "keychain", "find", "--account", "one", "-w"])
        #expect(found.text.hasPrefix("first") && found.status == 0)
        for words in [
            ["status"], ["lock"], ["guard", "allow", "app", "--group", "group.b", "--read"], ["guard", "grants"],
        ] {
            #expect(try scene.inside("app", ["zamok"] + words).status != 0, "\(words)")
        }
        #expect(try scene.inside("app", ["zamok", "guard", "--", "true"]).status == 126)
        #expect(
            try scene.inside("app", ["sh", "-c", "ZAMOK_GUARD=other ZAMOK_APPLICATION=group.b zamok keychain list"])
                .text.split(separator: "\n").count == 1)
    }

    @Test func `a revocation and a new grant reach a running guest`() throws {
        try scene.allow("app", "group.a", "read")
        let script = "while read line; do zamok keychain find --account one -w >/dev/null 2>&1; echo $?; done"
        let child = try scene.start(["guard", "--name", "app", "--", "sh", "-c", script])
        try child.proceed()
        try child.await("0")
        #expect(try scene.zamok(["guard", "revoke", "app"]).status == 0)
        try child.proceed()
        try child.await("30")
        try scene.allow("app", "group.a", "read")
        try child.proceed()
        try child.await("0")
        #expect(try child.finish() == 0)
    }

    // Rule: a grant is made by allow alone | groupForWriting let it pass | the import was done
    @Test func `no import, new item or update makes or weakens a grant`() throws {
        try scene.allow("app", "group.a", "read")
        let item = ["--service", "app", "--account", "group.b", "--group", "zamok.guard"]
        #expect(try scene.zamok(["keychain", "add"] + item, input: "x").status != 0)
        let grant = ["--service", "app", "--account", "group.a", "--group", "zamok.guard"]
        for change in [["--new-accessible", "when-unlocked"], ["--new-account", "group.b"], ["--new-label", "x"]] {
            #expect(try scene.zamok(["keychain", "update"] + grant + change).status != 0, "\(change)")
        }
        #expect(try scene.zamok(["keychain", "update", "--account", "one", "--new-group", "zamok.guard"]).status != 0)
        #expect(try scene.zamok(["guard", "grants"]).text == "app\tgroup.a\tread\n")
    }

    // Rule: another protection takes the right to read | the attribute was not looked at | the class changed
    @Test func `a guest that may change and not read can't weaken an item`() throws {
        try scene.allow("app", "group.a", "change")
        let update = ["zamok", "keychain", "update", "--account", "one"]
        #expect(try scene.inside("app", update + ["--new-label", "other"]).status == 0)
        for change in [["--new-accessible", "always"], ["--new-synchronizable"]] {
            #expect(try scene.inside("app", update + change).status != 0, "\(change)")
        }
        let found = try scene.zamok(["keychain", "find", "--account", "one"])
        #expect(found.text.contains("other") && !found.text.contains("always"))
    }

    @Test func `every secret given is a line with the guest's name`() throws {
        try scene.allow("app", "group.a", "read")
        #expect(try scene.zamok(["log", "on"]).status == 0)
        #expect(try program("app", "find", "service", "one") == "0 group.a first\n")
        let lines = try scene.zamok(["log", "--json"]).text.split(separator: "\n")
        #expect(lines.contains { $0.contains("guest app") && $0.contains("\"guest\"") }, "\(lines)")
    }

    private func allowUse(_ host: String) throws -> Int32 {
        let item = ["keychain", "update", "--account", "one"]
        try #require(try scene.zamok(item, input: "long enough").status == 0)
        return try scene.zamok(
            ["guard", "allow", "app", "--item", "service/one", "--use", "--host", host]
        ).status
    }

    // Rule: a grant for use turns the log on, once | it did not | there were no lines
    @Test func `the first grant for use turns the log on, unless it was turned off`() throws {
        #expect(try scene.zamok(["log"]).status != 0)
        #expect(try allowUse("api.example.com") == 0)
        #expect(try scene.zamok(["log"]).status == 0)
        #expect(try scene.zamok(["log", "off"]).status == 0)
        #expect(try allowUse("api.example.com") == 0)
        #expect(try scene.zamok(["log", "status", "--json"]).text.contains("\"on\":false"))
    }

    @Test func `a grant that isn't there to take back names those that are`() throws {
        let host = "api.example.com:8443"
        #expect(try allowUse(host) == 0)
        let revoke = ["guard", "revoke", "app", "--item", "service/one", "--host", "api.example.com"]
        let ended = try Child(
            "/bin/sh", ["-c", #"exec "$@" 2>&1"#, "sh", try Tool.url("zamok").path] + revoke,
            environment: scene.environment
        ).rest()
        #expect(ended.status == 44 && ended.text.contains("there are grants for \(host)"), "\(ended)")
    }

    // MARK: Ends

    @Test func `the status is the program's`() throws {
        #expect(try scene.inside("app", ["sh", "-c", "exit 7"]).status == 7)
        #expect(try scene.inside("app", ["sh", "-c", "kill -TERM $$"]).status == 143)
        #expect(try scene.inside("app", ["no-such-program"]).status == 127)
        #expect(try scene.zamok(["guard", "--net", "far", "--", "true"]).status == 64)
    }

    @Test func `signals reach the program`() throws {
        let script = "trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.05; done"
        let child = try scene.start(["guard", "--name", "app", "--", "sh", "-c", script])
        try child.await("ready")
        child.kill(SIGINT)
        try child.await("caught")
        #expect(try child.finish() == 9)
    }

    // Rule: the guest ends with its guard | --die-with-parent was left out | the guest lived on, and the test waited
    @Test(arguments: [0, 5, 20, 60, 120, 400]) func `a killed guard leaves nothing`(milliseconds: Int) throws {
        let mark = "mark-\(UUID().uuidString)"
        let child = try scene.start(["guard", "--name", "app", "--", "sh", "-c", "sleep 300; true", mark])
        usleep(UInt32(milliseconds * 1000))
        child.kill(SIGKILL)
        _ = try? child.finish()
        var isThere = true
        for _ in 0..<200 where isThere {
            isThere = Self.isRunning(mark)
            if isThere { usleep(10_000) }
        }
        #expect(!isThere)
    }

    @Test func `processes that the guest leaves behind end with it`() throws {
        let mark = "mark-\(UUID().uuidString)"
        let script = "sh -c 'sleep 300; true' \(mark) >/dev/null 2>&1 & exit 0"
        #expect(try scene.inside("app", ["sh", "-c", script]).status == 0)
        #expect(!Self.isRunning(mark))
        let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
        let own = names.filter { $0.hasPrefix("zamok-guard-") }
        for name in own { #expect(FileManager.default.fileExists(atPath: "/tmp/\(name)/socket")) }
    }

    @Test func `the home folder is kept for the name, and not with --fresh`() throws {
        #expect(try scene.inside("app", ["sh", "-c", "echo kept > ~/file"]).status == 0)
        #expect(try scene.inside("app", ["sh", "-c", "cat ~/file"]).text == "kept\n")
        #expect(try scene.inside("other", ["sh", "-c", "cat ~/file"]).status != 0)
        #expect(try scene.inside("app", ["sh", "-c", "cat ~/file"], ["--fresh"]).status != 0)
    }

    @Test(arguments: ["..", "../.ssh", "/", "/etc", "/usr/lib", "../../zamok-home"])
    func `a share that would be a way out is refused`(path: String) throws {
        try scene.write("key", to: "\(scene.person)/.ssh/id")
        #expect(try scene.inside("app", ["true"], ["--share", path]).status == 64)
    }

    private static func isRunning(_ mark: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard Int(process) != nil, let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else {
                return false
            }
            return String(decoding: words, as: UTF8.self).contains(mark)
        }
    }
}
