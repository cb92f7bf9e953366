// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import GuardProxy

/// Hostile clients and servers of PostgreSQL: refused or read, and never a trap, a long time or much memory.
@Suite("Fuzzing of PostgreSQL", .serialized) struct PostgresFuzzTests {
    private static let secret = "the-password/+of it"

    // What is sent can be read in one way alone: by another reader than the proxy's.
    private static func isClear(_ start: PostgresStart) -> Bool {
        let bytes = start.bytes
        guard bytes.count <= StartMessage.limit + 100, bytes[4..<8] == [0, 3, 0, 0], bytes.suffix(2) == [0, 0] else {
            return false
        }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        let parts = bytes[8...].dropLast(2).split(separator: 0, omittingEmptySubsequences: false)
        let names = stride(from: 0, to: parts.count, by: 2).map { String(decoding: parts[$0], as: UTF8.self) }
        return size == bytes.count && parts.count % 2 == 0 && Set(names).count == names.count
            && names.filter { $0 == "user" }.count == 1 && !names.contains { $0.isEmpty || $0 == "replication" }
    }

    @Test func `hostile beginnings of sessions`() {
        let corpus = [
            PostgresTests.start([("user", "app"), ("database", "shop"), ("options", "-c a=b --c=d")]),
            PostgresTests.start([("user", "app"), ("replication", "true"), ("_pq_.x", "1")], version: [0, 3, 0, 2]),
            PostgresTests.start([("user", "app"), ("application_name", "psql"), ("client_encoding", "UTF8")]),
            PostgresTests.framed(PostgresMessage.integer(80_877_103)),
            PostgresTests.framed(PostgresMessage.integer(80_877_102) + [1, 2, 3, 4, 5, 6, 7, 8]),
        ]
        var unclear: [[UInt8]] = []
        let run = Fuzzing("beginnings of sessions", corpus, bounded: 20_000) { input in
            switch StartMessage(input) {
            case .start(let start):
                if !Self.isClear(start) { unclear.append(input) }
                return true
            case .encryption, .cancel: return true
            case .undecided, .malformed: return false
            }
        }
        #expect(unclear.isEmpty, "\(unclear.first ?? [])")
        #expect(run.isGood)
    }

    @Test func `hostile log-ins`() {
        let first = "r=rOprNGfwEbeRWgbNEkqO%hv,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
        let plus = PostgresTests.message("R", [0, 0, 0, 10] + Array("SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0".utf8))
        let corpus = [
            plus + PostgresTests.message("R", [0, 0, 0, 11] + Array(first.utf8))
                + PostgresTests.message("R", [0, 0, 0, 12] + Array("v=AAAA".utf8)),
            PostgresTests.message("N", Array("Mhello\0\0".utf8)) + plus,
            PostgresTests.message("R", [0, 0, 0, 0]), PostgresTests.message("R", [0, 0, 0, 5, 1, 2, 3, 4]),
            PostgresTests.message("E", Array("SFATAL\0Mno\0\0".utf8)),
        ]
        var isDone = false
        let run = Fuzzing("log-ins", corpus, bounded: 20_000) { input in
            var (login, count) = (PostgresLogin(.certificate([1, 2]), nonce: "rOprNGfwEbeRWgbNEkqO"), 0)
            for piece in [input[..<(input.count / 2)], input[(input.count / 2)...]] {
                login.append(piece)
                while let step = try login.next() {
                    count += 1
                    // Without the rounds, which take their time.
                    if case .salt = step { _ = try login.answer([UInt8](repeating: 7, count: 32)) }
                    if case .done = step { isDone = true }
                }
            }
            return count > 0
        }
        #expect(!isDone && run.isGood)
    }

    /// Each message with its kind and length; the last one may not be whole.
    private static func messages(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var (messages, rest) = ([ArraySlice<UInt8>](), bytes[...])
        while rest.count >= 5 {
            let size = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
            messages.append(rest.prefix(size + 1))
            rest = rest.dropFirst(size + 1)
        }
        return messages + [rest]
    }

    private static func hasSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(secret)
    }

    @Test func `hostile rows`() {
        let row = PostgresTests.message("D", [0, 1, 0, 0, 0, 19] + Array(Self.secret.utf8))
        let corpus = [
            PostgresTests.message("T", [0, 1] + Array("name\0".utf8)) + row + PostgresTests.message("Z", [0x49]),
            PostgresTests.message("E", Array("Mwas \(Self.secret)\0\0".utf8)),
            PostgresTests.message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + PostgresTests.message("D", Array("the-pass".utf8)),
            PostgresTests.message("d", Array("\\\\x7468652d70617373776f72642f2b6f66206974".utf8)),
        ]
        var leaks: [[UInt8]] = []
        let forms = SharedForms([Array(Self.secret.utf8)])
        let run = Fuzzing("rows", corpus, bounded: 5000) { input in
            var answers = PostgresAnswers(AnswerSearch(forms, [[]]))
            var passed: [UInt8] = []
            defer { if Self.messages(passed).contains(where: Self.hasSecret) { leaks.append(input) } }
            for piece in [input[..<(input.count / 2)], input[(input.count / 2)...]] {
                var output = ByteBuffer()
                do { try answers.feed(ByteBuffer(bytes: piece), into: &output) } catch {
                    if let found = error as? PostgresAnswers.Found, let whole = found.whole {
                        passed += whole.readableBytesView
                    }
                    throw error
                }
                passed += output.readableBytesView
            }
            return !passed.isEmpty
        }
        #expect(leaks.isEmpty, "\(leaks.count): \(leaks.first ?? [])")
        #expect(run.isGood)
    }
}
