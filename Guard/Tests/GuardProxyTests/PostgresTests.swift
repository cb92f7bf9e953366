// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GuardProxy
import NIOCore
import Testing

@Suite("PostgreSQL") struct PostgresTests {
    /// A message that begins a session.
    static func start(_ parameters: [(String, String)], version: [UInt8] = [0, 3, 0, 0]) -> [UInt8] {
        let content = version + parameters.flatMap { Array($0.0.utf8) + [0] + Array($0.1.utf8) + [0] } + [0]
        return framed(content)
    }

    static func framed(_ content: [UInt8]) -> [UInt8] {
        PostgresMessage.integer(UInt32(content.count + 4)) + content
    }

    static func message(_ kind: Character, _ content: [UInt8]) -> [UInt8] {
        [kind.asciiValue ?? 0] + framed(content)
    }

    // Rule: a session is what was parsed, sent anew as version 3.0 | the version was 3.2 | it was sent
    @Test func `the beginning of a session`() throws {
        let wanted = [("user", "app"), ("database", "shop"), ("application_name", "psql"), ("_pq_.x", "1")]
        guard case .start(let start) = StartMessage(Self.start(wanted, version: [0, 3, 0, 2])) else {
            return #expect(Bool(false))
        }
        #expect(start.user == "app" && start.database == "shop")
        #expect(start.bytes == Self.start(Array(wanted.dropLast())))
        #expect(start.negotiation == Self.message("v", [0, 3, 0, 0, 0, 0, 0, 1] + Array("_pq_.x".utf8) + [0]))
        guard case .start(let short) = StartMessage(Self.start([("user", "app")])) else {
            return #expect(Bool(false))
        }
        #expect(short.database == "app" && short.negotiation == nil)
        let options = "-c search_path=a\\ b -cjit=off --work_mem=4MB"
        guard case .start = StartMessage(Self.start([("user", "app"), ("options", options)])) else {
            return #expect(Bool(false))
        }
        #expect(StartMessage(Array(start.bytes.dropLast())) == .undecided)
        #expect(StartMessage(Self.framed(PostgresMessage.integer(80_877_103))) == .encryption)
        #expect(
            StartMessage(Self.framed(PostgresMessage.integer(80_877_102) + [1, 2, 3, 4, 5, 6, 7, 8]))
                == .cancel([1, 2, 3, 4, 5, 6, 7, 8]))
    }

    private static let refusedStarts: [[UInt8]] = [
        start([("user", "a"), ("replication", "database")]),
        start([("user", "a"), ("replication", "true")]),
        start([("user", "a"), ("replication", "0")]),
        start([("user", "a"), ("options", "endpoint=other")]),
        start([("user", "a"), ("options", "-c a=b -d 5")]),
        start([("user", "a"), ("options", "-c")]),
        start([("user", "a"), ("user", "b")]),
        start([("database", "a")]), start([("user", "")]), start([]),
        start([("user", "a"), ("", "b")]), start([("user", "a\n")]),
        start([("user", String(repeating: "a", count: 64))]),
        start([("user", "a"), ("a b", "c")]),
        start([("user", "a")]) + [1],
        start([("user", "a")], version: [0, 2, 0, 0]),
        start([("user", "a")], version: [0, 4, 0, 0]),
        Array(start([("user", "a")]).dropLast()) + [1],
        framed([0, 3, 0, 0]), framed([0, 3, 0, 0] + Array("user".utf8) + [0, 0xFF, 0, 0]),
        [0, 0, 0, 4, 0, 3, 0, 0], [0, 0, 0x27, 0x11, 0, 3, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF, 0, 3, 0, 0],
        framed(PostgresMessage.integer(80_877_102) + [1, 2, 3, 4]),
        framed(PostgresMessage.integer(80_877_103) + [1]),
    ]

    // Rule: a session that is more than a user, a database and settings is refused | `replication` was passed on | 3
    //   were taken
    @Test(arguments: PostgresTests.refusedStarts)
    func `sessions that are refused`(_ bytes: [UInt8]) {
        guard case .malformed = StartMessage(bytes) else { return #expect(Bool(false), "\(bytes)") }
    }

    // MARK: SCRAM

    private static let server = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"

    // Rule: a server shows that it knows the password | its signature was not compared | 4 others were taken
    @Test func `the vector of RFC 7677`() throws {
        var scram = ScramClient(.none, nonce: "rOprNGfwEbeRWgbNEkqO", user: "user")
        #expect(scram.first == Array("n,,n=user,r=rOprNGfwEbeRWgbNEkqO".utf8))
        let challenge = try scram.challenge(Array(Self.server.utf8))
        let salted = ScramClient.salted(Array("pencil".utf8), challenge)
        #expect(
            scram.final(challenge, salted)
                == Array(
                    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
                        .utf8))
        try scram.verify(Array("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=".utf8))
        for text in ["v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5=", "v=", "", "e=invalid-proof"] {
            #expect(throws: Refusal.self, "\(text)") { try scram.verify(Array(text.utf8)) }
        }
        // What is salted with another password.
        #expect(ScramClient.salted(Array("pencils".utf8), challenge) != salted)
    }

    // Rule: a server's first message is for this log-in, with 4,096 rounds at least | rounds were not compared | 3
    //   other numbers were taken
    @Test(arguments: [
        "", "r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
        "r=rOprNGfwEbeRWgbNEkqOx,s=,i=4096", "r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1",
        "r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095",
        "r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=99999999",
        "r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=-5", "m=x,r=rOprNGfwEbeRWgbNEkqOx,s=W22Z,i=4096",
        "e=unknown-user", "r=rOprNGfwEbeRWgbNEkqO x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    ])
    func `first messages of servers that are refused`(_ text: String) {
        let scram = ScramClient(.none, nonce: "rOprNGfwEbeRWgbNEkqO")
        #expect(throws: Refusal.self) { try scram.challenge(Array(text.utf8)) }
    }

    /// A log-in by messages of a server; what was sent, or why there was none.
    private static func outcome(
        _ binding: ScramClient.Binding, _ messages: [[UInt8]]
    ) -> (sent: [String], refused: String?, isDone: Bool) {
        var login = PostgresLogin(binding, nonce: "rOprNGfwEbeRWgbNEkqO")
        var (sent, isDone) = ([String](), false)
        do throws(Refusal) {
            for message in messages {
                login.append(message)
                while let step = try login.next() {
                    switch step {
                    case .wait: continue
                    case .send(let bytes): sent.append(String(decoding: bytes.dropFirst(5), as: UTF8.self))
                    case .salt(let challenge):
                        let salted = ScramClient.salted(Array("pencil".utf8), challenge)
                        sent.append(String(decoding: try login.answer(salted).dropFirst(5), as: UTF8.self))
                    case .done: isDone = true
                    }
                }
            }
        } catch { return (sent, error.text, isDone) }
        return (sent, nil, isDone)
    }

    private static func request(_ code: UInt8, _ text: String = "") -> [UInt8] {
        message("R", [0, 0, 0, code] + Array(text.utf8))
    }

    private static let both = request(10, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0")
    private static let plain = request(10, "SCRAM-SHA-256\0\0")

    // Rule: with TLS the log-in is bound to the server's certificate if the server can, and says so if it can't | the
    //   bound mechanism was never chosen | the plain one was
    @Test func `channel binding`() {
        let certificate = ScramClient.Binding.certificate(Array("hash".utf8))
        #expect(
            Self.outcome(certificate, [Self.both]).sent
                == ["SCRAM-SHA-256-PLUS\0\0\0\0\u{31}p=tls-server-end-point,,n=,r=rOprNGfwEbeRWgbNEkqO"])
        #expect(
            Self.outcome(certificate, [Self.plain]).sent == ["SCRAM-SHA-256\0\0\0\0\u{1C}y,,n=,r=rOprNGfwEbeRWgbNEkqO"])
        #expect(
            Self.outcome(.none, [Self.both]).sent == ["SCRAM-SHA-256\0\0\0\0\u{1C}n,,n=,r=rOprNGfwEbeRWgbNEkqO"])
        let first = Self.request(11, Self.server)
        let bound = Self.outcome(certificate, [Self.both, first]).sent.last ?? ""
        let data = Data("p=tls-server-end-point,,hash".utf8).base64EncodedString()
        #expect(bound.hasPrefix("c=\(data),r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p="), "\(bound)")
    }

    private static let refusedLogins: [(String, [[UInt8]], String)] = [
        ("the password in clear text", [request(3)], "clear text"),
        ("MD5", [request(5, "salt")], "MD5"),
        ("no password", [request(0)], "no password"),
        ("GSSAPI", [request(7)], "other than"),
        ("another mechanism", [request(10, "SCRAM-SHA-1\0OAUTHBEARER\0\0")], "SCRAM-SHA-1"),
        (
            "no proof",
            [plain, request(11, server), request(0)],
            "no password"
        ),
        (
            "a wrong proof",
            [
                plain, request(11, server),
                request(12, "v=AAAA"),
            ], "does not show"
        ),
        (
            "the challenge twice",
            [
                plain, request(11, server),
                request(11, server),
            ], "other than"
        ),
        ("the mechanisms twice", [plain, plain], "other than"),
        ("the end first", [request(12, "v=x")], "other than"),
        ("an error", [message("E", Array("SFATAL\0Mno such user\0\0".utf8))], "no such user"),
        ("a row", [message("D", [0, 0])], "is not PostgreSQL's"),
        ("a huge message", [Array("R\u{7F}\0\0\0".utf8)], "is not"),
        ("HTTP", [Array("HTTP/1.1 200 OK\r\n".utf8)], "is not PostgreSQL's"),
    ]

    // Rule: nothing but SCRAM-SHA-256 is a log-in, and the server's proof belongs to it | the end was taken without a
    //   proof | 2 were done
    @Test(arguments: PostgresTests.refusedLogins)
    func `log-ins that are refused`(_ what: String, _ messages: [[UInt8]], _ text: String) {
        let outcome = Self.outcome(.none, messages)
        #expect(outcome.refused?.contains(text) == true && !outcome.isDone, "\(what): \(outcome)")
        #expect(!outcome.sent.contains { $0.contains("pencil") })
    }

    // MARK: Answers

    private static let secret = "the password of it"

    private static func answers() -> PostgresAnswers {
        PostgresAnswers(AnswerSearch([Array(secret.utf8)], [Array("PLACEHOLDER".utf8)]))
    }

    // Rule: what a server says is passed on as it came, message by message | what was held back was kept | in all 7
    //   sizes of pieces the ends lacked
    @Test func `messages are passed on whole, in any pieces`() throws {
        let all =
            Self.message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + Self.message("D", Array("the password of".utf8))
            + Self.message("D", [0, 1, 0, 0, 0, 3] + Array("the".utf8)) + Self.message("N", [])
            + Self.message("Z", Array("t".utf8))
        for size in [1, 2, 3, 5, 7, 64, 1000] {
            var (answers, output) = (Self.answers(), ByteBuffer())
            for at in stride(from: 0, to: all.count, by: size) {
                try answers.feed(ByteBuffer(bytes: all[at..<min(at + size, all.count)]), into: &output)
            }
            #expect(Array(output.readableBytesView) == all && answers.isWhole, "\(size)")
            #expect(answers.cancelKey == [0, 0, 0, 1, 0, 0, 0, 2])
        }
    }

    // Rule: a password in what the server says ends the session | hits were not looked at | it went on in 12 cases
    @Test(arguments: [1, 4, 9, 1000])
    func `the password in an answer`(_ size: Int) throws {
        let good = Self.message("D", [0, 1, 0, 0, 0, 2, 0x61, 0x62])
        for text in [Self.secret, Data(Self.secret.utf8).base64EncodedString(), Self.secret.uppercased()] {
            let all = good + Self.message("D", [0, 1, 0, 0, 0, 9] + Array(text.utf8)) + good
            var (answers, passed, isFound) = (Self.answers(), [UInt8](), false)
            for at in stride(from: 0, to: all.count, by: size) where !isFound {
                var output = ByteBuffer()
                do {
                    try answers.feed(ByteBuffer(bytes: all[at..<min(at + size, all.count)]), into: &output)
                    passed += output.readableBytesView
                } catch let found as PostgresAnswers.Found {
                    isFound = true
                    passed += found.whole?.readableBytesView ?? ByteBufferView()
                    #expect((found.whole != nil) == (size == 1000))
                }
            }
            #expect(isFound && passed.starts(with: good))
            #expect(!String(decoding: passed, as: UTF8.self).contains(text.prefix(9)), "\(passed)")
        }
    }

    // Rule: what is searched when a lock comes is not passed on | the lock was not looked at | all were passed on
    @Test func `a lock while an answer is searched`() throws {
        let row = Self.message("D", [0, 1, 0, 0, 0, 2, 0x61, 0x62])
        var asked = 0
        var answers = PostgresAnswers(AnswerSearch([Array(Self.secret.utf8)], [[]])) {
            asked += 1
            return asked > 4
        }
        var output = ByteBuffer()
        // One message and a half are passed on before.
        try answers.feed(ByteBuffer(bytes: row + row.prefix(7)), into: &output)
        #expect(output.readableBytes > row.count && !answers.isWhole)
        output.clear()
        let rest = ByteBuffer(bytes: Array(row[7...]) + row + row + row + row)
        var locked: PostgresAnswers.Locked?
        do { try answers.feed(rest, into: &output) } catch let error as PostgresAnswers.Locked { locked = error }
        #expect(locked?.isBetweenMessages == false && asked == 5 && output.readableBytes == 0)
    }

    @Test func `what is no message`() {
        for bytes in [
            [0x44, 0, 0, 0, 3], [0x44, 0xFF, 0, 0, 0], [0x44, 0x20, 0, 0, 0], [0, 0, 0, 0, 4], Array("HTTP/1.1".utf8),
        ] as [[UInt8]] {
            var (answers, output) = (Self.answers(), ByteBuffer())
            #expect(throws: Refusal.self, "\(bytes)") { try answers.feed(ByteBuffer(bytes: bytes), into: &output) }
        }
    }
}
