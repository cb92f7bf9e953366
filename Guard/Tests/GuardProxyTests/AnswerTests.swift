// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import GuardProxy

@Suite("Answers") struct AnswerTests {
    private static func refusal(_ status: Int, _ headers: HTTPHeaders) -> String? {
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        do throws(Refusal) { try AnswerRules.check(head, isSearched: true) } catch { return error.text }
        return nil
    }

    // Rule: what can't be searched whole is refused | only 206 and codings that are not empty were | 5 of 8 passed
    @Test(arguments: [
        (206, "A", "b"), (200, "Content-Range", "bytes 0-4/40"), (200, "Content-Encoding", ""),
        (200, "Content-Encoding", "gzip"), (200, "Content-Encoding", "identity, br"),
        (200, "Content-Type", "multipart/byteranges; boundary=x"), (0, "A", "b"), (1000, "A", "b"),
    ])
    func `answers that can't be searched`(_ one: (Int, String, String)) {
        #expect(Self.refusal(one.0, [one.1: one.2]) != nil)
    }

    @Test func `other answers`() {
        #expect(Self.refusal(200, ["Content-Encoding": "identity"]) == nil && Self.refusal(999, [:]) == nil)
        #expect(Self.refusal(416, ["Content-Range": "bytes */9"]) == nil)
    }

    // Rule: what is sent on while it is searched has no placeholder | a placeholder at the end of a piece was held
    //   until more came | 28 of 124 were not seen
    @Test func `a placeholder at the end of a piece is seen at once`() {
        for end in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" {
            let word = "ghp_0123456789abcdefghijABCDEFGHIJ01234" + String(end)
            for text in [word, base64(word)] {
                var search = AnswerSearch(lookingFor: SharedForms([Array(word.utf8), Array("\(word)2".utf8)]))
                _ = search.feed("token=\(text)".utf8)
                #expect(search.count >= 1, "\(text)")
            }
        }
    }

    /// Takes a millisecond for each of its pieces.
    private final class Slow: Searching {
        var isWaiting = false
        var (left, turns) = (100, 0)

        func searchNext(_ most: Int) -> Bool {
            guard left > 0 else { return false }
            let end = NIODeadline.now() + .milliseconds(1)
            while NIODeadline.now() < end {}
            left -= 1
            return true
        }

        func searched(isLate: Bool) { if isLate { turns += 1 } }
    }

    // Rule: no search keeps the event loop for long | a turn was without an end | all of it at once
    @Test func `searches share the event loop`() {
        let loop = EmbeddedEventLoop()
        let turns = SearchTurns(loop)
        let (one, other) = (Slow(), Slow())
        other.left = 1
        turns.search(one)
        turns.search(other)
        #expect((95...99).contains(one.left) && one.turns == 0 && other.left == 1)
        for _ in 0..<2 { loop.advanceTime(by: .microseconds(100)) }
        // The other's turn came while the first one has much left.
        #expect(other.left == 0 && other.turns == 1 && one.left > 70)
        for _ in 0..<100 { loop.advanceTime(by: .milliseconds(1)) }
        #expect(one.left == 0)
    }

    /// Has something of another searched while it is searched itself.
    private final class Causing: Searching {
        var isWaiting = false
        let turns: SearchTurns
        let other: Slow
        var (left, count) = (1, 0)

        init(_ turns: SearchTurns, _ other: Slow) { (self.turns, self.other) = (turns, other) }

        func searchNext(_ most: Int) -> Bool {
            guard left > 0 else { return false }
            left -= 1
            turns.search(other)
            turns.search(self)
            return true
        }

        func searched(isLate: Bool) { if isLate { count += 1 } }
    }

    // Rule: what comes while something else is searched is passed on when it is searched itself | only turns after a
    //   pause said so | neither was told
    @Test func `what comes during a search is passed on`() {
        let turns = SearchTurns(EmbeddedEventLoop())
        let other = Slow()
        other.left = 1
        let causing = Causing(turns, other)
        turns.search(causing)
        #expect(other.left == 0 && other.turns >= 1 && causing.count >= 1)
    }
}
