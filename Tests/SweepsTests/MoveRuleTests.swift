// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Sweeps

/// What a move refuses, keeps and tells.
@Suite struct MoveRuleTests {
    private let value = "s3cr3t-of-the-tool-0123456789"

    private func place(_ word: String) throws -> Place {
        try #require(Catalogue.places.first { $0.word == word })
    }

    /// The plan for a file of a place of the catalogue, with a configuration that takes any lines.
    private func plan(
        _ scene: MoveScene, _ word: String, _ text: String, isUsual: Bool = true
    ) throws -> (planned: MovePlanner.Planned, file: FileLocation) {
        let file = try scene.write(text, to: "credentials")
        let configuration = try scene.write("", to: "config")
        let planner = MovePlanner(scene.items) { _, item, profile in
            MovePlanner.Setup(configuration, shown: []) { ($0 ?? "") + "\(profile): \(item.name)\n" }
        }
        return (try planner.plan(try place(word), file, Array(text.utf8), isUsual: isUsual), file)
    }

    private static func key(_ profile: String, _ identifier: String, _ secret: String) -> String {
        "[\(profile)]\naws_access_key_id = \(identifier)\naws_secret_access_key = \(secret)\n"
    }

    // MARK: Forms

    // Rule: a secret stays where its program would read something else in its place | `checkForm`, and `reasonToStay`,
    //   not called | each of these moved, and its program had another value or none
    @Test(arguments: [
        ("env", ".env", "DATABASE_URL=postgres://app:Winter2023x@localhost:5432/app\n"),
        ("env", ".env", "G_TOKEN=`Rk39vmQpz81Lmbbg`\n"),
        ("env", ".env", "M_TOKEN=Rk39vmQ$USER-pz81Lmbbz\n"),
        ("env", ".env", "G_TOKEN=\"Rk39\\nvmQpz81Lmbbz\"\n"),
        ("netrc", ".netrc", "machine h login a password \"quo ted\\\"pw99\"\n"),
        ("curl", ".curlrc", "url = \"http://u:Wq83kfmzzP5q@h/\"\n"),
        ("npm", ".npmrc", "//r.b.com/:_authToken=SeCr3t-npm-tok-77abcdeff ; x\n"),
        ("npm", ".npmrc", "//r.b.com/:_authToken=SeCr3t-npm${X}-tok-77abcdeff\n"),
        ("git", ".git-credentials", "https://ghp_realsecret9QzXw81Lm77:x-oauth-basic@github.com\n"),
        ("pgpass", ".pgpass", "h1:5432:*:bob:Wq83kfmzzP5q\nh2:5432:*:bob:Wq83kfmzzP6q\n"),
        (
            "kube", "config",
            "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    token: &t Wq83kfmzzPeqLLq\n- name: b\n  user:\n    token: *t\n"
        ),
    ])
    func `what its program would read in another way stays`(_ word: String, _ name: String, _ text: String) throws {
        let scene = try MoveScene()
        let planner = MovePlanner(scene.items) { _, _, _ in nil }
        let planned = try planner.plan(try place(word), try scene.write(text, to: name), Array(text.utf8))
        #expect(planned.plan == nil && !planned.staying.isEmpty)
    }

    // Rule: an entry that can't move is told with its reason, and holds back no other of its file | `take` didn't
    //   halve | none of the others moved
    @Test func `what can't move holds back nothing else`() throws {
        let scene = try MoveScene()
        let place = Place("tool", program: "Tool", files: [], move: .reference) { bytes, path in
            // One of them is read with a reference in its place, too.
            let bad = ClearSecret(
                rule: Rule(.place, "tool/x", issuer: "Tool"), path: path, line: 3, range: 0..<1,
                secret: try Secret("zamok"), service: "tool")
            let isBad = String(decoding: bytes, as: UTF8.self).contains("bad_token=zamok")
            return try MoveScene.place(.reference).read(bytes, path) + (isBad ? [bad] : [])
        }
        let text = "a_token=\(value)1\nb_token=\(value)2\nbad_token=\(value)3\nc_token=\(value)4\n"
        let file = try scene.write(text)
        let planned = try MovePlanner(scene.items) { _, _, _ in nil }.plan(place, file, Array(text.utf8))
        #expect(planned.lines.map(\.number) == [1, 2, 4])
        #expect(planned.staying.map(\.secret.line) == [3] && planned.staying.allSatisfy { !$0.reason.isEmpty })
        let after = planned.plan?.changes.last?.after.map { String(decoding: $0, as: UTF8.self) }
        #expect(after?.contains("bad_token=\(value)3\n") == true && after?.contains("zamok://tool/c_token") == true)
    }

    // Rule: the keys and the token of a session are one item, which is the same each time it is made | the names of the
    //   object not sorted | nothing of the file moved
    @Test func `a profile of AWS with a session moves, and others with it`() throws {
        let scene = try MoveScene()
        let text =
            Self.key("work", "AKIAQX7NPLK3ZRT5WV2M", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa2")
            + "aws_session_token = Zx81LmPqRsTuVwXyZ0123aa\n"
            + Self.key("default", "AKIAQX7NPLK3ZRT5WV2Q", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa5")
        let (planned, file) = try plan(scene, "aws", text)
        #expect(planned.staying.isEmpty && planned.plan?.items.count == 2)
        try scene.mover().carryOut(try #require(planned.plan))
        #expect(try scene.text(file) == "[work]\n[default]\n")
    }

    // Rule: of docker's file only the bytes of the entry change | all of it written anew from its values | the order
    //   and the numbers were others
    @Test func `docker's file keeps its order, its numbers and its blanks`() throws {
        let scene = try MoveScene()
        let auth = Data("me:\(value)".utf8).base64EncodedString()
        func file(_ login: String, _ more: String) -> String {
            "{\n\t\"z\": 1e3,\n\t\"auths\": {\n\t\t\"r.example\": {\(login)},\n\t\t\"b\": {\"email\":\"x\"}\n\t},\n\t\"a\": 123456789012345678901234567890.5\(more)\n}\n"
        }
        let text = file("\"auth\": \"\(auth)\", \"email\": \"me@x\"", "")
        let location = try scene.write(text)
        let change = ConfigurationChange.member("credsStore", "zamok")
        let planner = MovePlanner(scene.items) { _, _, _ in
            MovePlanner.Setup(location, shown: change.shown) { try change.applied(to: $0 ?? "") }
        }
        let planned = try planner.plan(try place("docker"), location, Array(text.utf8))
        let after = try #require(planned.plan?.changes.last?.after.map { String(decoding: $0, as: UTF8.self) })
        #expect(after == file("\"email\": \"me@x\"", ",\n\t\"credsStore\": \"zamok\""))
        #expect(try change.removed(from: after, before: nil) == file("\"email\": \"me@x\"", ""))
        let twice = "{\"auths\":{\"a.b\":{\"auth\":\"\(auth)\"},\"a.b\":{\"auth\":\"\(auth)\"}}}"
        let refused = try plan(scene, "docker", twice).planned
        #expect(refused.plan == nil && refused.staying.count == 2)
    }

    // Rule: an alias is made for a command that there is | the words of the places taken as commands | claude-code
    @Test func `each program that is started in another way is called by its command`() {
        let told = Catalogue.places.compactMap { place -> String? in
            switch place.move {
            case .variable, .environment, .filled:
                MovePlanner.command(place).map { "\(place.word) \($0)" } ?? place.word
            default: nil
            }
        }
        let others = told.filter { each in
            let words = each.split(separator: " ")
            return words.count < 2 || words[0] != words[1]
        }
        #expect(
            others.sorted() == [
                "ci circleci", "claude-code claude", "clickhouse clickhouse-client", "codex-auth codex",
                "continue-yaml cn", "expo eas", "fetchmail", "huggingface hf", "huggingface-tokens hf",
                "linode linode-cli", "maven mvn", "netrc curl", "ovh", "pgpass psql", "pgservice psql", "pypi twine",
                "scaleway scw", "sentry sentry-cli", "shell-gpt sgpt", "snowflake snowsql", "tfvars terraform",
                "vscode code", "yarn-classic yarn",
            ])
    }

    // Rule: a plan sees what keeps a file from being replaced | `obstacle` gave nil | --dry-run said that it moves
    @Test func `what keeps a file from being replaced is seen before`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        #expect(try ClearFile(file).obstacle() == nil)
        let open = try FileHandle(forUpdating: URL(fileURLWithPath: "\(file)"))
        #expect(try ClearFile(file).obstacle() == "a program has it open for writing")
        try open.close()
        try FileManager.default.linkItem(atPath: "\(file)", toPath: "\(scene.folder)/second")
        #expect(try ClearFile(file).obstacle()?.contains("2 names") == true)
    }

    // Rule: a secret has one length in a search and in a move | `line` masked what is stored | the key had a byte more
    @Test func `a move shows a secret as a search does`() throws {
        let scene = try MoveScene()
        let text = "//r.example/:_password=\(Data(value.utf8).base64EncodedString())\n"
        let found = try place("npm").read(Array(text.utf8), ".npmrc")
        let (planned, _) = try plan(scene, "npm", text)
        #expect(try planned.lines.map(\.masked) == found.map { try MaskedSecret.text($0.secret) })
        #expect(planned.lines.map(\.masked) == ["s3…89, 29 bytes"])
    }

    // Rule: a search finds nothing in the commands that a move puts in place | the finder's words of such a line kept |
    //   kubectl's "token":"%s" was one
    @Test(arguments: [
        ("kube", "users:\n- name: a\n  user:\n    token: Wq83kfmzzQ3xabcdef\n"),
        ("aws", key("default", "AKIAQX7NPLK3ZRT5WV2M", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa2")),
    ]) func `what a move puts in place is no finding`(_ word: String, _ text: String) throws {
        let scene = try MoveScene()
        let name = word == "kube" ? ".kube/config" : ".aws/credentials"
        try FileManager.default.createDirectory(
            atPath: "\(scene.folder)/.\(word)", withIntermediateDirectories: true)
        let file = try scene.write(text, to: name)
        let configuration = try scene.write("", to: word == "kube" ? "x" : ".aws/config")
        let planner = MovePlanner(scene.items) { _, item, profile in
            MovePlanner.Setup(configuration, shown: []) { _ in
                "[\(profile)]\ncredential_process = zamok credential aws aws \(item.account)\n"
            }
        }
        try scene.mover().carryOut(try #require(try planner.plan(try place(word), file, Array(text.utf8)).plan))
        #expect(try Sweep(home: scene.folder, environment: { _ in nil }).run([]).findings.isEmpty)
    }

    // Rule: an account that is a token is never shown | the account as it is in the file | it was in --json, and in the
    //   item's name
    @Test func `the name of an account that is a token is not told`() throws {
        let text = Array(
            "https://ghp_realsecret9QzXw81Lm77:x-oauth-basic@github.com\nhttps://anna:Wq83kfmzzP5q@h\n".utf8)
        #expect(try place("git").read(text, ".git-credentials").map(\.account) == ["", "anna"])
    }

    // Rule: the last copy of a secret is dropped only by force | forgotten without a look | the secret was nowhere
    @Test func `a sealed copy stays while the keychain has not its secret`() throws {
        let scene = try MoveScene()
        let text = "A_TOKEN=Rk39vmQpz81Lmbbz\n"
        let file = try scene.write(text, to: ".env")
        let planned = try MovePlanner(scene.items) { _, _, _ in nil }.plan(try place("env"), file, Array(text.utf8))
        let move = try scene.mover().carryOut(try #require(planned.plan))
        #expect(try scene.items.remove(move.items[0], having: try Secret(copying: Array("Rk39vmQpz81Lmbbz".utf8))))
        #expect(throws: Mover.Refusal.self) { try scene.mover().forget(move) }
        try scene.mover().forget(move, force: true)
        #expect(try scene.mover().moves().isEmpty)
    }

    // MARK: Names

    // Rule: two secrets for which a helper looks by one name are not stored as one item | `aws`, and then `git`, asked
    //   for a free name without those of the edits before | no secret stayed, and the second was in no item
    @Test(arguments: [
        ("aws", key("dev", "minioadmin", "dev-Secret-9912-aaaa"), key("prod", "minioadmin", "prod-Secret-9912-bbbb")),
        ("git", "https://al:First-p9912x@git.example\n", "https://al:Other-9912-zz@git.example\n"),
    ])
    func `of two secrets under one name the second stays`(_ word: String, _ first: String, _ second: String) throws {
        let scene = try MoveScene()
        let (planned, file) = try plan(scene, word, first + second)
        let moved = try #require(planned.plan)
        #expect(moved.items.count == 1 && planned.lines.count == 1 && planned.staying.count == 1)
        try scene.mover().carryOut(moved)
        #expect(try scene.text(file) == (word == "aws" ? "[dev]\n" : "") + second)
    }

    // Rule: a profile's name is the one between the brackets | `profile` dropped blanks, and the first "profile" in it
    @Test(
        arguments: [
            ("bigprofile", false, "bigprofile"), ("my team", false, "my team"), ("default", false, "default"),
            ("profile", false, "profile"), ("profile x", false, "profile x"), ("default", true, "default"),
            ("profile work", true, "work"), ("profile bigprofile", true, "bigprofile"),
            ("profile 'my team'", true, "my team"), ("profile \"my team\"", true, "my team"),
            ("work", true, nil), ("profile my team", true, nil), ("profile 'my team", true, nil), (" work", false, nil),
            ("'work'", false, nil), ("", false, nil),
        ] as [(String, Bool, String?)])
    func `a profile is named as its tools name it`(_ written: String, _ isConfiguration: Bool, _ name: String?) {
        #expect(MovePlanner.profile(inBrackets: written, ofConfiguration: isConfiguration) == name)
    }

    @Test func `a profile that a file has twice stays, and the others move`() throws {
        let scene = try MoveScene()
        let doubled = Self.key("a", "AKIAQX7NPLK3ZRT5WV2M", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa2")
        let other = Self.key("my team", "AKIAQX7NPLK3ZRT5WV2Q", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa5")
        let (planned, file) = try plan(scene, "aws", doubled + other + doubled)
        #expect(planned.staying.count == 2)
        try scene.mover().carryOut(try #require(planned.plan))
        #expect(try scene.text(file) == "\(doubled)[my team]\n\(doubled)")
        #expect(try scene.text(file.folder.appending("config")) == "my team: aws/AKIAQX7NPLK3ZRT5WV2Q\n")
    }

    // Rule: no name with a line end gets into a helper's request | the check of control characters in `git` was taken
    //   out, and that of `MovedItems.git` | the item was evil.example's
    @Test(arguments: [
        "https://bob%0ahost=evil.example:pw-Abc-991122@git.example\n",
        "https://bob:pw-Abc%0a991122@git.example\n", "https://bob:pw-Abc-991122@git.example/a%0ab\n",
        "https://bob:pw-Abc-991122@git%2eexample\n",
    ]) func `a line of git with control characters stays`(_ line: String) throws {
        let scene = try MoveScene()
        let (planned, _) = try plan(scene, "git", line)
        #expect(planned.plan == nil)
        let request = MovedItem(.git, "https://git.example", "bob\nhost=evil.example")
        #expect(throws: MovedItems.Refusal.self) { _ = try scene.items.store(try Secret("pw-Abc-991122"), as: request) }
    }

    // Rule: git gets after a move what it got before, the first line of a server | the items stored in the file's
    //   order, and an item without a path taken for one that has any | the second line's password, and an item that
    //   stayed
    @Test(arguments: ["/b", ""]) func `lines of git with paths are looked up as git does it`(_ path: String) throws {
        let scene = try MoveScene()
        let first = "https://bob:First-p9912x@git.example\(path)\n"
        let (planned, _) = try plan(scene, "git", first + "https://bob:Other-9912-zz@git.example/a\n")
        try scene.mover().carryOut(try #require(planned.plan))
        let request = try GitRequest(try Secret("protocol=https\nhost=git.example\n\n"))
        let answer = try #require(try GitHelper(scene.keychain, request)).get(now: 0)
        let said = String(decoding: try answer.output.flatMap { try [UInt8](exposing: $0) }, as: UTF8.self)
        #expect(said.contains("password=First-p9912x\n"))
        #expect(try scene.mover().undo(try scene.mover().moves()[0]).kept.isEmpty)
    }

    // MARK: What stays

    // Rule: nothing of a file moves that `zamok run` doesn't read, such as a value over several lines | the file not
    //   parsed before | the item had the first line with its quote
    @Test(arguments: [
        "PW_SECRET=\"Ab9-first\nsecond-77-half\"\nN=1\n", "X_PASSWORD=\"trailing9 #\n", "PW_SECRET='Ab9-first\nx'\n",
    ]) func `a value over several lines of an environment file stays whole`(_ text: String) throws {
        let scene = try MoveScene()
        let file = try scene.write(text, to: ".env")
        let planned = try MovePlanner(scene.items) { _, _, _ in nil }.plan(try place("env"), file, Array(text.utf8))
        #expect(planned.plan == nil)
        #expect(!planned.staying.isEmpty)
    }

    // Rule: what a sweep finds in a file and a move doesn't take is told | `others` gave nothing
    @Test func `a private key in an environment file is told, and so is what stays with it`() throws {
        let scene = try MoveScene()
        let begin = "-----BEGIN RSA PRIVATE KEY-----"
        let text =
            "DB_PASSWORD=Hunter-77-gold\nPRIVATE_KEY=\"\(begin)\nMIIEow9IBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmljnnudb9G3HECdnH\nlWu2/a1gB9JW5TBQ+AVpum9Okx7KfqkfBKL9mcHgSAyWHhMjWfNOqz35F0iU4Iia\n-----END RSA PRIVATE KEY-----\"\n"
        let file = try scene.write(text, to: ".env")
        let planned = try MovePlanner(scene.items) { _, _, _ in nil }.plan(try place("env"), file, Array(text.utf8))
        #expect(planned.plan == nil && planned.staying.map(\.secret.line) == [1, 2])
    }

    // Rule: copies of a moved secret in the changed file are told | `ClearCopies.lines` gave nothing
    @Test func `what the program does not read of a moved secret is told by its lines`() throws {
        let scene = try MoveScene()
        let text = "; old \(value)\n//r.example/:_authToken=\(value)\nnote=\(value) and \(value)\n"
        let (planned, _) = try plan(scene, "npm", text)
        #expect(planned.lines.map(\.number) == [2])
        #expect(planned.copies.map(\.line) == [1, 3])
        #expect(planned.copies.allSatisfy { $0.masked == "s3…89, 29 bytes" })
    }

    @Test func `a copy of a helper's file stays, as no configuration names it`() throws {
        let scene = try MoveScene()
        let text = Self.key("default", "AKIAQX7NPLK3ZRT5WV2M", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa2")
        let (planned, _) = try plan(scene, "aws", text, isUsual: false)
        #expect(planned.plan == nil && planned.staying.count == 1)
    }

    @Test func `a secret that no variable can have stays`() throws {
        let scene = try MoveScene()
        let text = "//r.example/:_authToken=" + String(repeating: "A1b2", count: 20_000) + "\n"
        let (planned, _) = try plan(scene, "npm", text)
        #expect(planned.plan == nil && planned.staying.count == 1)
    }

    // Rule: of a log with more secrets than are looked for at once these move, and it is said that there are more |
    //   `check` took those behind them for ones that had moved | nothing moved
    @Test func `a log with very many secrets moves in parts`() throws {
        let scene = try MoveScene()
        let text = (0..<1_100).map { "token=Rk39vmQpz81L\(10_000 + $0) " }.joined()
        let file = try scene.write(text, to: "a.log")
        let planner = MovePlanner(scene.items) { _, _, _ in nil }
        let first = try planner.plan(try place("log"), file, Array(text.utf8))
        #expect(first.lines.count == 1_000 && first.staying.count == 100)
        let after = try #require(first.plan?.changes.last?.after)
        let second = try planner.plan(try place("log"), file, after)
        #expect(second.lines.count == 100 && second.staying.isEmpty)
    }

    // MARK: Files

    // Rule: a file that can't be given back keeps no other move from being made or undone | `undo` left its record as
    //   `.undoing`, and `recover` threw what it met
    @Test(arguments: [false, true]) func `an undo that fails leaves its record, and hinders no other`(
        _ isKilled: Bool
    ) throws {
        let scene = try MoveScene()
        let files = try ["a", "b", "c"].map { try scene.write("token=\(value)\($0)\n", to: $0) }
        for file in files[..<2] { try scene.move(.reference, file) }
        let move = try #require(try scene.mover().moves().first { $0.files[0].path == files[0].bytes })
        try FileManager.default.linkItem(atPath: "\(scene.folder)/a", toPath: "\(scene.folder)/second")
        if isKilled {
            let vault = MoveVault(home: scene.home)
            let entry = try #require(try vault.entries().first { $0.move.identifier == move.identifier })
            _ = try vault.set(entry, to: .undoing)
        } else {
            #expect(throws: ClearFile.Refusal.self) { _ = try scene.mover().undo(move) }
        }
        _ = try scene.mover().recover()
        #expect(try scene.mover().moves().map(\.identifier).contains(move.identifier))
        try scene.move(.reference, files[2])
        let other = try #require(try scene.mover().moves().first { $0.files[0].path == files[1].bytes })
        _ = try scene.mover().undo(other)
        #expect(try scene.text(files[1]) == "token=\(value)b\n")
        try FileManager.default.removeItem(atPath: "\(scene.folder)/second")
        _ = try scene.mover().undo(move)
        #expect(try scene.text(files[0]) == "token=\(value)a\n")
    }

    // Rule: nothing of another user's file is read | `ClearFile.read` looked at the owner after reading
    @Test func `a file of another user is not opened`() throws {
        let scene = try MoveScene()
        let file: FileLocation
        if geteuid() == 0 {
            file = try scene.write("token=\(value)\n")
            #expect(unsafe chown("\(file)", 65_534, 65_534) == 0)
        } else {
            file = "/etc/passwd"
        }
        let opened = Locked(false)
        let hooks = FileHooks { step in
            if step.operation == .open, step.path.bytes == file.bytes { opened.withLock { $0 = true } }
            return 0
        }
        #expect(throws: ClearFile.Refusal.self) { _ = try ClearFile(file, hooks).bytes() }
        #expect(!opened.withLock { $0 })
    }

    // MARK: Items

    // Rule: an item stays while a file refers to it | `forget` marked no other record, and the undo removed the item
    @Test func `an item of two files stays when one is forgotten, and goes with the last undo`() throws {
        let scene = try MoveScene()
        let files = try ["a", "b"].map { try scene.write("token=\(value)\n", to: $0) }
        func moves() throws -> [SealedMove] {
            try files.map { file in try #require(try scene.mover().moves().first { $0.files[0].path == file.bytes }) }
        }
        for file in files { try scene.move(.reference, file) }
        for move in try moves() { _ = try scene.mover().undo(move) }
        #expect(try scene.secret("token") == nil)
        for forgotten in [0, 1] {
            for file in files { try scene.move(.reference, file) }
            let both = try moves()
            try scene.mover().forget(both[forgotten])
            let other = try #require(try scene.mover().moves().first)
            let undone = try scene.mover().undo(other)
            #expect(try scene.secret("token") == value)
            let isNeeded = undone.kept.allSatisfy { if case .needed(nil) = $0.reason { true } else { false } }
            #expect(undone.kept.count == 1 && isNeeded)
            try scene.write("token=\(value)\n", to: forgotten == 0 ? "a" : "b")
            #expect(try scene.items.remove(MovedItem(.password, "tool", "token"), having: try Secret(value)))
        }
    }

    // Rule: a move that fails at its record says which items it could not take back | the failure of the removal was
    //   not looked at
    @Test func `what a failed move leaves in the keychain is named`() throws {
        let scene = try MoveScene()
        try scene.home.keybag.setPasscode(try SecretBytes(copying: Array("passcode-1".utf8)))
        let file = try scene.write("token=\(value)\n")
        let plan = try #require(try scene.plan(.reference, file).plan)
        let keybag = scene.home.keybag
        let hooks = FileHooks { step in
            guard [.make, .write].contains(step.operation),
                String(decoding: step.path.bytes, as: UTF8.self).contains("/.moved/")
            else { return 0 }
            try? keybag.lock()
            return ENOSPC
        }
        do {
            try scene.mover(hooks).carryOut(plan)
            Issue.record("it is done")
        } catch let error as Mover.Remainder {
            #expect(error.items.map(\.name) == ["tool/token"])
        }
    }

    // MARK: Targets

    private func targets(_ scene: MoveScene, _ paths: [String], only: Set<String> = []) throws -> MoveTargets {
        try MoveTargets(
            named: paths.map { FileLocation("\(scene.folder)/\($0)") }, home: scene.folder, only: only,
            includesPackages: false
        ) { _ in nil }
    }

    // Rule: a path that was named is moved, or told | a file that is missing in its folder gave nothing
    @Test func `what is named is found, or told`() throws {
        let scene = try MoveScene()
        for folder in ["proj", "e\nn\u{1B}w", "bk/.aws", ".aws"] {
            try FileManager.default.createDirectory(
                atPath: "\(scene.folder)/\(folder)", withIntermediateDirectories: true)
        }
        let environment = "DB_PASSWORD=Hunter-77-gold\n"
        try scene.write(environment, to: "proj/.env")
        try scene.write(environment, to: "proj/settings.conf")
        try scene.write(environment, to: "e\nn\u{1B}w/.env")
        let key = Self.key("default", "AKIAQX7NPLK3ZRT5WV2M", "kT9zQm4Lx8Vb2Nn6Rr1Ww5Yy7Uu3Ii0Oo9Pp8Aa2")
        for name in [".aws/credentials", "bk/.aws/credentials"] { try scene.write(key, to: name) }
        func names(_ targets: MoveTargets) -> [String] {
            targets.files.map {
                String(decoding: $0.location.bytes.dropFirst(scene.folder.utf8.count + 1), as: UTF8.self)
            }
        }
        #expect(names(try targets(scene, ["proj/.env"])) == ["proj/.env"])
        #expect(names(try targets(scene, ["e\nn\u{1B}w/.env"])) == ["e\nn\u{1B}w/.env"])
        let folder = try targets(scene, ["proj", "proj/.env"])
        #expect(names(folder) == ["proj/.env"])
        #expect(folder.obstacles.map(\.location.name) == [Array("settings.conf".utf8)])
        let keys = try targets(scene, ["bk", ".aws/credentials"], only: ["aws"])
        #expect(names(keys) == ["bk/.aws/credentials", ".aws/credentials"])
        #expect(keys.files.map(\.isUsual) == [false, true])
        let missing = try targets(scene, ["nosuch/.npmrc", "proj/.npmrc"])
        #expect(missing.files.isEmpty && missing.obstacles.map(\.isMissing) == [true, true])
    }

    @Test func `a path is one word of a shell, with any bytes`() {
        #expect(FileLocation("/a b/.env").shellWord == "'/a b/.env'")
        #expect(FileLocation("/a\n'\u{1B}/.env").shellWord == #"$'/a\n\'\033/.env'"#)
        #expect(FileLocation(bytes: Array("-/".utf8) + [0xFF]).shellWord == #"$'./-/\377'"#)
    }
}
