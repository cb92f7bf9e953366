// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Sweeps

@Suite struct MoveTests {
    private let value = "s3cr3t-of-the-tool-0123456789"

    @Test(
        arguments: [
            (
                Move.variable(template: "${$NAME}"), "a=1\ntoken=${TOOL_TOKEN}\nb=2\n",
                "zamok run --env TOOL_TOKEN=tool/token -- tool"
            ),
            (.environment(name: "X_$KEY"), "a=1\nb=2\n", "zamok run --env X_TOKEN=tool/token -- tool"),
            (
                .command(key: "token", template: "evalcmd=\"$COMMAND\""),
                "a=1\nevalcmd=\"zamok get tool/token\"\nb=2\n", ""
            ),
            (.reference, "a=1\ntoken=zamok://tool/token\nb=2\n", "zamok inject -i $FILE -o NEW-FILE"),
            (
                .filled(start: "tool <(zamok inject -i $FILE)"), "a=1\ntoken=zamok://tool/token\nb=2\n",
                "tool <(zamok inject -i $FILE)"
            ),
            (.mask, "a=1\ntoken=***\nb=2\n", ""),
        ] as [(Move, String, String)])
    func `each kind of move is undone to the byte, the mode and the time`(
        _ move: Move, _ changed: String, _ start: String
    ) throws {
        let scene = try MoveScene()
        let text = "a=1\ntoken=\(value)\nb=2\n"
        let file = try scene.write(text)
        let before = try scene.status(file)
        let planned = try scene.plan(move, file)
        let plan = try #require(planned.plan)
        #expect(plan.start ?? "" == start.replacingOccurrences(of: "$FILE", with: file.shellWord))
        #expect(planned.lines.map(\.masked) == ["s3…89, 29 bytes"])
        try scene.mover().carryOut(plan)
        #expect(try scene.text(file) == changed)
        #expect(try scene.status(file)?.permissions == before?.permissions)
        if case .mask = move {} else { #expect(try scene.secret("token") == value) }
        let moves = try scene.mover().moves()
        #expect(moves.count == 1)
        _ = try scene.mover().undo(moves[0])
        #expect(try scene.text(file) == text)
        let after = try scene.status(file)
        #expect(after?.modifiedTime == before?.modifiedTime && after?.permissions == 0o640)
        #expect(try scene.secret("token") == nil)
        #expect(try scene.mover().moves().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["rc"])
    }

    @Test func `a configuration is changed before the file of the secrets, and put back after it`() throws {
        let scene = try MoveScene()
        let file = try scene.write("[a]\ntoken=\(value)\n")
        let other = try scene.write("mine\n", to: "config")
        let setup = MovePlanner.Setup(other, shown: ["helper"]) { ($0 ?? "") + "helper\n" }
        let bytes = try #require(try ClearFile(file).bytes())
        var plan = MovePlan(place: "tool", program: "Tool")
        plan.items = [(MovedItem(.password, "tool", "token"), try Secret(value))]
        plan.changes = [
            MovePlan.Change(
                other, isConfiguration: true, before: Array("mine\n".utf8),
                after: Array(try setup.applied("mine\n").utf8)),
            MovePlan.Change(file, before: bytes, after: Array("[a]\n".utf8)),
        ]
        let order = Locked<[String]>([])
        let hooks = FileHooks { step in
            if step.operation == .exchange { order.withLock { $0.append(step.name) } }
            return 0
        }
        try scene.mover(hooks).carryOut(plan)
        #expect(order.withLock { $0 } == ["config", "rc"])
        #expect(try scene.text(other) == "mine\nhelper\n")
        _ = try scene.mover(hooks).undo(try scene.mover().moves()[0])
        #expect(order.withLock { $0 } == ["config", "rc", "rc", "config"])
        #expect(try scene.text(other) == "mine\n")
        #expect(try scene.text(file) == "[a]\ntoken=\(value)\n")
    }

    // Rule: an item that has another secret is never replaced by a move | `MovedItems.store` deleted the item that is
    //   there, and `free` took its name
    @Test func `another secret of the same name stays, and the new one gets a number`() throws {
        let scene = try MoveScene()
        try scene.store("another-secret-0123456789", "token")
        let file = try scene.write("token=\(value)\n")
        try scene.move(.variable(template: "${$NAME}"), file)
        #expect(try scene.secret("token") == "another-secret-0123456789")
        #expect(try scene.secret("token-2") == value)
        #expect(try scene.text(file) == "token=${TOOL_TOKEN_2}\n")
        // The item that came between plan and move.
        let next = try scene.write("token=third-secret-0123456789\n", to: "second")
        let plan = try #require(try scene.plan(.reference, next).plan)
        try scene.store("came-between-0123456789", "token-3")
        #expect(throws: MovedItems.Refusal.self) { try scene.mover().carryOut(plan) }
        #expect(try scene.text(next) == "token=third-secret-0123456789\n")
    }

    @Test func `an item that has the secret already is taken, and stays after an undo`() throws {
        let scene = try MoveScene()
        try scene.store(value, "token")
        let file = try scene.write("token=\(value)\n")
        try scene.move(.reference, file)
        _ = try scene.mover().undo(try scene.mover().moves()[0])
        #expect(try scene.secret("token") == value)
    }

    @Test func `an item that two moves need stays until the last is undone`() throws {
        let scene = try MoveScene()
        let files = try ["one", "two"].map { try scene.write("token=\(value)\n", to: $0) }
        for file in files { try scene.move(.reference, file) }
        let first = try #require(try scene.mover().moves().first { $0.files[0].path == files[0].bytes })
        #expect(try scene.mover().undo(first).kept.map(\.item.account) == ["token"])
        #expect(try scene.secret("token") == value)
    }

    // Rule: the sealed copy is durable before anything is changed | `MoveVault.begin` came after the files were placed
    @Test func `without room for the sealed copy nothing is changed`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        let plan = try #require(try scene.plan(.reference, file).plan)
        let exchanged = Locked(false)
        let hooks = FileHooks { step in
            if step.operation == .exchange { exchanged.withLock { $0 = true } }
            let isOfVault = String(decoding: step.path.bytes, as: UTF8.self).contains("/.moved/")
            return isOfVault && [.make, .write].contains(step.operation) ? ENOSPC : 0
        }
        #expect(throws: (any Error).self) { try scene.mover(hooks).carryOut(plan) }
        #expect(!exchanged.withLock { $0 })
        #expect(try scene.text(file) == "token=\(value)\n")
        #expect(try scene.secret("token") == nil)
        #expect(try scene.mover().moves().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["rc"])
    }

    // Rule: a file that was changed since its move is not undone without force | `Mover.undo` didn't compare the states
    @Test func `a file that was changed since is kept, and with force sealed first`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        try scene.move(.reference, file)
        try scene.write("token=zamok://tool/token\nmine=1\n")
        let move = try scene.mover().moves()[0]
        #expect(throws: Mover.Refusal.self) { _ = try scene.mover().undo(move) }
        #expect(try scene.text(file) == "token=zamok://tool/token\nmine=1\n")
        #expect(try scene.secret("token") == value)
        _ = try scene.mover().undo(move, force: true)
        #expect(try scene.text(file) == "token=\(value)\n")
        let left = try scene.mover().moves()
        #expect(left.count == 1)
        _ = try scene.mover().undo(left[0])
        #expect(try scene.text(file) == "token=zamok://tool/token\nmine=1\n")
        #expect(try scene.status(file)?.modifiedTime.rest == 123_456_789)
    }

    // Rule: what an undo replaces by force stays sealed until it is forgotten, and so does what its undo replaces |
    //   `seal` took files that were changed since alone | the file of before was nowhere
    @Test func `undos after one by force give both texts in turn`() throws {
        let scene = try MoveScene()
        let texts = ["# my notes\ntoken=\(value)\n", "token=zamok://tool/token\nmine=1\n"]
        let file = try scene.write(texts[0])
        try scene.move(.reference, file)
        try scene.write(texts[1])
        _ = try scene.mover().undo(try scene.mover().moves()[0], force: true)
        for number in 0..<5 {
            #expect(try scene.text(file) == texts[number % 2])
            let moves = try scene.mover().moves()
            #expect(moves.count == 1)
            #expect(Mover.Recovery().toUndo(moves).count == 1)
            _ = try scene.mover().undo(moves[0])
        }
        #expect(try scene.secret("token") == value)
    }

    // Rule: an undo by force replaces the file that was moved, and none to which its path leads by now | `isSameLink`
    //   not asked | the secret was in the other file
    @Test func `an undo follows no link that came since`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        try scene.move(.reference, file)
        let other = try scene.write("public\n", to: "index")
        try FileManager.default.removeItem(atPath: "\(file)")
        try FileManager.default.createSymbolicLink(atPath: "\(file)", withDestinationPath: "index")
        #expect(throws: Mover.Refusal.self) { _ = try scene.mover().undo(try scene.mover().moves()[0], force: true) }
        #expect(try scene.text(other) == "public\n")
    }

    @Test func `a file with several names, of another kind or that changes meanwhile stays as it is`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        let plan = try #require(try scene.plan(.reference, file).plan)
        try FileManager.default.linkItem(atPath: "\(file)", toPath: "\(scene.folder)/second")
        #expect(throws: ClearFile.Refusal.self) { try scene.mover().carryOut(plan) }
        try FileManager.default.removeItem(atPath: "\(scene.folder)/second")
        try scene.write("token=\(value)\nnew=1\n")
        #expect(throws: ClearFile.Refusal.self) { try scene.mover().carryOut(plan) }
        #expect(try scene.text(file) == "token=\(value)\nnew=1\n")
        #expect(try scene.secret("token") == nil)
        #expect(unsafe mkfifo("\(scene.folder)/pipe", 0o600) == 0)
        #expect(throws: ClearFile.Refusal.self) {
            _ = try ClearFile(FileLocation("\(scene.folder)/pipe")).bytes()
        }
    }

    @Test func `a link is followed, and stays a link`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n", to: "target")
        let link = FileLocation("\(scene.folder)/link")
        try FileManager.default.createSymbolicLink(atPath: "\(link)", withDestinationPath: "target")
        try scene.move(.reference, link)
        #expect(try scene.status(link)?.kind == .link)
        #expect(try scene.text(file) == "token=zamok://tool/token\n")
        _ = try scene.mover().undo(try scene.mover().moves()[0])
        #expect(try scene.status(link)?.kind == .link)
        #expect(try scene.text(file) == "token=\(value)\n")
    }

    @Test func `the record has the file sealed, and nothing of it in clear`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value)\n")
        try scene.move(.reference, file)
        #expect(try PlaintextSearch(value).findings(in: scene.temporary.path).isEmpty)
        #expect(try PlaintextSearch(value).findings(in: scene.folder).isEmpty)
    }

    @Test func `what has more than the secret in its line is left to the user`() throws {
        let scene = try MoveScene()
        let file = try scene.write("token=\(value) more words\n")
        let planned = try scene.plan(.command(key: "token", template: "x"), file)
        #expect(planned.plan == nil)
        #expect(planned.staying.count == 1)
    }
}
