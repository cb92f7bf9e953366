// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Sweeps

/// Counts calls.
private final class Count: Sendable {
    private let number = Locked(0)

    func next() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }
}

@Suite struct MoveFaultTests {
    private let text = "a=1\ntoken=s3cr3t-of-the-tool-0123456789\n"
    private let moved = "a=1\ntoken=zamok://tool/token\n"

    /// The calls that change a disk, up to one that fails; so do all after it, as for a process that is gone.
    private func dying(at number: Int, _ count: Count) -> FileHooks {
        let changing: Set<FileHooks.Operation> = [
            .make, .write, .sync, .truncate, .rename, .link, .remove, .makeFolder, .setMode, .exchange, .removeFolder,
            .metadata,
        ]
        return FileHooks { step in
            guard changing.contains(step.operation) else { return 0 }
            return count.next() > number ? EIO : 0
        }
    }

    @Test(arguments: [true, false])
    func `a move that ends at any call is finished or undone by the next run`(_ isUndo: Bool) throws {
        var number = 0
        while true {
            let scene = try MoveScene()
            let file = try scene.write(text)
            let before = try scene.status(file)
            if isUndo { try scene.move(.reference, file) }
            let count = Count()
            let hooks = dying(at: number, count)
            var isDone = false
            do {
                if isUndo {
                    _ = try scene.mover(hooks).undo(try scene.mover().moves()[0])
                } else {
                    try scene.move(.reference, file, hooks: hooks)
                }
                isDone = true
            } catch {}
            _ = try scene.mover().recover()
            let now = try scene.text(file)
            let moves = try scene.mover().moves()
            #expect(now == text && moves.isEmpty || now == moved && moves.count == 1, "call \(number)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["rc"], "call \(number)")
            if now == moved { #expect(try scene.secret("token") == "s3cr3t-of-the-tool-0123456789", "call \(number)") }
            for move in moves { _ = try scene.mover().undo(move) }
            #expect(try scene.text(file) == text, "call \(number)")
            #expect(try scene.status(file)?.modifiedTime == before?.modifiedTime, "call \(number)")
            if isDone, count.next() <= number + 1 { break }
            number += 1
            try #require(number < 200)
        }
        #expect(number > 10)
    }

    // Rule: an undo by force that is ended is finished by the next run or had not begun, is not undone again, and loses
    //   neither text | the record of what is replaced got its last name at once, and `toUndo` took it | the next undo
    //   gave the changed file back
    @Test func `an undo by force that ends at any call loses neither of the two texts`() throws {
        let changed = moved + "mine=1\n"
        var number = 0
        while true {
            let scene = try MoveScene()
            let file = try scene.write(text)
            try scene.move(.reference, file)
            try scene.write(changed)
            let count = Count()
            let move = try scene.mover().moves()[0]
            let isDone = (try? scene.mover(dying(at: number, count)).undo(move, force: true)) != nil
            let recovery = try scene.mover().recover()
            let now = try scene.text(file)
            let isUndone = now == text
            let left = try scene.mover().moves()
            #expect(isUndone || now == changed, "call \(number)")
            #expect(left.count == 1 && (left[0].replaced != nil) == isUndone, "call \(number)")
            #expect(recovery.undone.isEmpty || recovery.toUndo(left).isEmpty, "call \(number)")
            #expect(
                isDone || isUndone == !recovery.undone.isEmpty || recovery.toUndo(left).count == 1, "call \(number)")
            for expected in isUndone ? [changed, text] : [text, changed] {
                _ = try scene.mover().undo(try #require(try scene.mover().moves().first), force: true)
                #expect(try scene.text(file) == expected, "call \(number)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder) == ["rc"], "call \(number)")
            if isDone, count.next() <= number + 1 { break }
            number += 1
            try #require(number < 200)
        }
        #expect(number > 10)
    }
}
