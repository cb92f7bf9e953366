// SPDX-License-Identifier: Apache-2.0

import GuardProxy
import NIOCore
import NIOHTTP1
import Testing

@Suite("Streams of HTTP/2") struct StreamTests {
    private static let placeholder = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    private static let host = Host(.https, "api.example.com", 443)
    private static let rules = RequestRules([placeholder])
    private static let usual = [
        (":method", "GET"), (":scheme", "https"), (":authority", "api.example.com"), (":path", "/a?b=c"),
    ]

    private static func checked(_ fields: [(String, String)], isEnd: Bool = true) throws -> CheckedRequest {
        try rules.check(try StreamHead.request(fields, isEnd: isEnd), .tunnel(host))
    }

    @Test func `a clear request is the same as in HTTP/1.1`() throws {
        var request = try Self.checked(
            Self.usual + [
                ("authorization", "Bearer \(Self.placeholder)"), ("te", "trailers"), ("cookie", "a=b"),
                ("accept-encoding", "gzip"), ("cookie", "c=d"),
            ])
        #expect(request.found == [Found(placeholder: Self.placeholder, place: .header("authorization"))])
        #expect(request.target == "/a?b=c" && request.body == .none)
        #expect(request.fields.map(\.name) == ["authorization", "cookie"] && request.fields[1].value == "a=b; c=d")
        request = try Self.checked([(":method", "POST")] + Self.usual.dropFirst(), isEnd: false)
        #expect(request.body == .chunked)
        request = try Self.checked(
            [(":method", "POST")] + Self.usual.dropFirst() + [("content-length", "2")], isEnd: false)
        #expect(request.body == .length(2))
        request = try Self.checked(Self.usual.filter { $0.0 != ":authority" } + [("host", "api.example.com")])
        #expect(request.host == Self.host)
    }

    private static func with(_ name: String, _ value: String) -> [(String, String)] { usual + [(name, value)] }

    private static func instead(_ name: String, _ value: String) -> [(String, String)] {
        usual.map { $0.0 == name ? (name, value) : $0 }
    }

    private static let malformed: [(String, [(String, String)])] = {
        var all: [(String, [(String, String)])] = [
            ("no method", Array(usual.dropFirst())), ("no path", Array(usual.dropLast())),
            ("no authority and no Host", usual.filter { $0.0 != ":authority" }), ("two paths", with(":path", "/evil")),
            ("two authorities", with(":authority", "evil.example")),
            ("another authority", instead(":authority", "evil.example")),
            ("another Host", with("host", "evil.example")),
        ]
        let hosts = [("host", "api.example.com"), ("host", "api.example.com")]
        all.append(("two Hosts", usual.filter { $0.0 != ":authority" } + hosts))
        all += [
            ("plain HTTP", instead(":scheme", "http")), ("a protocol", with(":protocol", "websocket")),
            ("CONNECT", [(":method", "CONNECT"), usual[2]]), ("CONNECT with all", instead(":method", "CONNECT")),
            ("a pseudo field behind others", [usual[0], ("a", "b")] + usual.dropFirst()),
            ("a status", with(":status", "200")), ("a capital", with("Authorization", "x")),
            ("connection", with("connection", "close")), ("upgrade", with("upgrade", "websocket")),
            ("a coding", with("transfer-encoding", "chunked")), ("keep-alive", with("keep-alive", "1")),
            ("te", with("te", "gzip")), ("a line's end in a value", with("a", "b\r\nHost: evil.example")),
            ("a line's end in a name", with("a\r\nb", "c")), ("a blank in a name", with("a b", "c")),
            ("a blank in the path", instead(":path", "/a HTTP/1.1\r\nHost: x")),
        ]
        all += [
            ("a whole address", instead(":path", "https://evil.example/")), ("a star", instead(":path", "*")),
            ("a method with a blank", instead(":method", "GET / HTTP/1.1\r\nX: y")),
            ("TRACE", instead(":method", "TRACE")),
            ("two lengths", with("content-length", "1") + [("content-length", "1")]),
            ("another method by a header", with("x-http-method-override", "DELETE")),
            ("a placeholder in the path", instead(":path", "/" + placeholder)),
            ("a placeholder in crumbs", with("cookie", "a=" + placeholder) + [("cookie", "b=" + placeholder)]),
            ("70 KiB", with("a", String(repeating: "b", count: 70_000))),
        ]
        return all
    }()

    // Rule: a stream says one thing alone | pseudo fields were not compared with Host | another Host was sent
    @Test(arguments: malformed)
    func `nothing ambiguous is sent`(_ one: (String, [(String, String)])) {
        #expect(throws: Refusal.self, "\(one.0)") { try Self.checked(one.1, isEnd: false) }
    }

    @Test func `answers`() {
        let head = HTTPResponseHead(
            version: .http1_1, status: .custom(code: 200, reasonPhrase: "was"),
            headers: ["Content-Type": "a/b", "Transfer-Encoding": "chunked", "Connection": "close"])
        let fields = StreamHead.answer(head)
        #expect(fields.map(\.0) == [":status", "content-type"] && fields[0].1 == "200")
    }
}

@Suite("Streams to servers") struct ServerStreamTests {
    @Test func `the head is that of HTTP/1.1`() {
        let head =
            "POST /a?b=c HTTP/1.1\r\nHost: api.example.com:8443\r\nAuthorization: Bearer a: b\r\nAccept-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n"
        let fields = StreamHead.fields(ofHead: Array(head.utf8)).map { "\($0.0)=\($0.1)" }
        #expect(
            fields == [
                ":method=POST", ":scheme=https", ":authority=api.example.com:8443", ":path=/a?b=c",
                "authorization=Bearer a: b", "accept-encoding=identity",
            ])
        #expect(StreamHead.fields(ofHead: [UInt8]()).isEmpty)
    }
}

@Suite("SOCKS") struct SOCKSTests {
    @Test func `greetings`() {
        #expect(SOCKSMessage.greeting([5]) == .undecided && SOCKSMessage.greeting([5, 2, 0]) == .undecided)
        #expect(SOCKSMessage.greeting([5, 1, 0]) == .greeting(hasNoAuthentication: true, size: 3))
        #expect(SOCKSMessage.greeting([5, 2, 2, 1, 5]) == .greeting(hasNoAuthentication: false, size: 4))
        #expect(SOCKSMessage.greeting([5, 0]) == .greeting(hasNoAuthentication: false, size: 2))
        #expect(SOCKSMessage.greeting([4, 1, 0]) == .malformed)
    }

    // Rule: SOCKS connects to what is named, and nothing else | BIND was read as CONNECT | 3 requests connected
    @Test func `requests`() {
        let name = Array("api.example.com".utf8)
        let request = [5, 1, 0, 3, UInt8(name.count)] + name + [1, 0xBB]
        #expect(
            SOCKSMessage.request(request + [9]) == .connect(host: "api.example.com", port: 443, size: request.count))
        for count in 0..<request.count { #expect(SOCKSMessage.request(Array(request[..<count])) == .undecided) }
        #expect(
            SOCKSMessage.request([5, 1, 0, 1, 127, 0, 0, 1, 0, 80]) == .connect(host: "127.0.0.1", port: 80, size: 10))
        let six = [5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80]
        #expect(SOCKSMessage.request(six) == .connect(host: "::1", port: 80, size: 22))
        for command in [UInt8(0), 2, 3, 255] {
            #expect(SOCKSMessage.request([5, command, 0, 1, 127, 0, 0, 1, 0, 80]) == .unknown(7))
        }
        #expect(SOCKSMessage.request([5, 1, 0, 2, 127, 0, 0, 1, 0, 80]) == .unknown(8))
        for bytes: [UInt8] in [
            [5, 1, 1, 1, 127, 0, 0, 1, 0, 80], [4, 1, 0, 1, 127, 0, 0, 1, 0, 80], [5, 1, 0, 1, 127, 0, 0, 1, 0, 0],
            [5, 1, 0, 3, 1, 0xFF, 0, 80],
        ] { #expect(SOCKSMessage.request(bytes) == .malformed) }
    }
}
