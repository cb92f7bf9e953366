// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import Testing

@testable import GuardProxy

/// Hostile messages, requests, frames and answers: refused or read, and never a trap, a long time or much memory. What
/// passes is unambiguous.
@Suite("Fuzzing of the proxy", .serialized) struct FuzzTests {
    private static let placeholder = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    private static let host = Host(.https, "api.example.com", 443)
    private static let rules = RequestRules([placeholder])

    /// Whether a request, as it is sent, can be read in one way alone: by another reader than the proxy's.
    private static func isClear(_ request: CheckedRequest) throws -> Bool {
        let given = request.found.map { found in
            Given(found.placeholder, found.place, "me", Array("ghp_secret-of-the-item".utf8))
        }
        let bytes = Array(try RequestHead.bytes(request, given).readableBytesView)
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Each line ends with CR and LF, none has either isSame, and the empty one is the last.
        guard lines.count >= 4, lines[lines.count - 1].isEmpty, lines[lines.count - 2] == [13],
            lines.dropLast().allSatisfy({ $0.last == 13 && !$0.dropLast().contains(13) && !$0.contains(0) }),
            lines.dropLast(2).allSatisfy({ $0.count > 1 })
        else { return false }
        let words = lines[0].dropLast().split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == Array("HTTP/1.1".utf8)[...], words[1].first == UInt8(ascii: "/") else {
            return false
        }
        var (hosts, lengths) = (0, 0)
        for line in lines.dropFirst().dropLast(2) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            guard !name.contains(" "), !name.contains("\t") else { return false }
            switch name {
            case "host":
                hosts += 1
                guard line.dropLast().isSame("host: \(request.host.authority)") else { return false }
            case "content-length", "transfer-encoding": lengths += 1
            case "connection", "upgrade", "expect", "te", "trailer": return false
            default: break
            }
        }
        return hosts == 1 && lengths <= 1 && !text.contains(placeholder)
    }

    @Test func `hostile requests`() throws {
        let token = Self.placeholder
        let corpus = [
            "GET /a/b?c=d HTTP/1.1\r\nHost: api.example.com\r\nAuthorization: Bearer \(token)\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: api.example.com:443\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello",
            "POST /x HTTP/1.1\r\nhost: api.example.com\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
            "GET /?key=\(token)&a=%20+b HTTP/1.0\r\nConnection: keep-alive, X-A\r\nCookie: a=b; c=d\r\n\r\n",
            "PUT /y HTTP/1.1\r\nHost: api.example.com\r\nExpect: 100-continue\r\nContent-Length: 0\r\nTE: trailers\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: api.example.com\r\nAuthorization: Basic bWU6Z2hwXzAxMjM0NTY3ODlhYmNkZWZnaGlqQUJDREVGR0hJSjAxMjM0NQ==\r\n\r\n",
        ].map { Array($0.utf8) }
        var unclear: [String] = []
        let run = Fuzzing("requests of HTTP/1", corpus, bounded: 5000) { input in
            let channel = EmbeddedChannel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            try ServerParser().add(to: channel)
            var count = 0
            // In two pieces.
            for piece in [input[..<(input.count / 2)], input[(input.count / 2)...]] {
                try channel.writeInbound(ByteBuffer(bytes: piece))
                while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                    guard case .head(let head) = part else { continue }
                    let request = try Self.rules.check(head, .tunnel(Self.host))
                    if (try? Self.isClear(request)) == false { unclear.append(String(decoding: input, as: UTF8.self)) }
                    count += 1
                }
            }
            return count > 0
        }
        #expect(unclear.isEmpty, "\(unclear.count): \(unclear.first?.debugDescription ?? "")")
        #expect(run.isGood)
    }

    @Test func `hostile streams`() throws {
        var unclear: [String] = []
        let run = Fuzzing("frames of HTTP/2", Self.streams, bounded: 5000) { input in
            let channel = EmbeddedChannel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            let heads = NIOLoopBound(Heads(), eventLoop: channel.eventLoop)
            let handler = NIOHTTP2Handler(
                mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: Streams.connection([]),
                streamConfiguration: Streams.configuration
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandlers([GuestStreamHandler(), Collector(heads.value)])
                }
            }
            try channel.pipeline.syncOperations.addHandlers([handler, StreamsEndHandler()])
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.writeInbound(ByteBuffer(bytes: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + input))
            channel.embeddedEventLoop.run()
            var count = 0
            for head in heads.value.all {
                guard let request = try? Self.rules.check(head, .tunnel(Self.host)) else { continue }
                if (try? Self.isClear(request)) == false { unclear.append("\(head)") }
                let fields = StreamHead.fields(ofHead: try RequestHead.bytes(request, []).readableBytesView)
                if fields.filter({ $0.0.hasPrefix(":") }).count != 4 { unclear.append("\(fields)") }
                count += 1
            }
            return count > 0
        }
        #expect(unclear.isEmpty, "\(unclear.count): \(unclear.first ?? "")")
        #expect(run.isGood)
    }

    private final class Heads {
        var all: [HTTPRequestHead] = []
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        private let heads: Heads

        init(_ heads: Heads) { self.heads = heads }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { heads.all.append(head) }
        }
    }

    /// Connections without the preface: settings, then heads, data, trailers and what ends streams.
    private static let streams: [[UInt8]] = {
        func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0, UInt8(content.count >> 8), UInt8(content.count & 255), kind, flags, 0, 0, 0, stream] + content
        }
        func fields(_ all: [(String, String)]) -> [UInt8] {
            all.flatMap { name, value in
                [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
            }
        }
        let usual = [(":method", "GET"), (":scheme", "https"), (":authority", "api.example.com"), (":path", "/a?b=c")]
        let token = ("authorization", "Bearer \(placeholder)")
        let settings = frame(4, 0, 0, []) + frame(4, 0, 0, [0, 4, 0, 1, 0, 0])
        return [
            settings + frame(1, 5, 1, fields(usual + [token])) + frame(1, 5, 3, fields(usual + [("cookie", "a=b")])),
            settings + frame(1, 4, 1, fields([(":method", "POST")] + usual.dropFirst() + [("content-length", "5")]))
                + frame(0, 1, 1, Array("hello".utf8)),
            settings + frame(1, 4, 1, fields([(":method", "POST")] + usual.dropFirst()))
                + frame(0, 0, 1, Array("hello".utf8)) + frame(1, 5, 1, fields([("x-last", "y")])),
            settings + frame(1, 0, 1, fields(usual)) + frame(9, 4, 1, fields([("te", "trailers")]))
                + frame(8, 0, 1, [0, 0, 1, 0]) + frame(3, 0, 1, [0, 0, 0, 8])
                + frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])
                + frame(7, 0, 0, [0, 0, 0, 1, 0, 0, 0, 0]),
            // Of the static table, and with a priority.
            settings + frame(1, 0x25, 5, [0, 0, 0, 0, 16, 0x82, 0x87, 0x84, 0x41, 15] + Array("api.example.com".utf8)),
        ]
    }()

    @Test func `hostile answers`() throws {
        let secret = "ghp_secret-of-the-item/+%"
        let corpus = [
            "HTTP/1.1 200 OK\r\nContent-Length: 40\r\nX-Echo: \(secret)\r\n\r\n<\(secret)>0123456789012",
            "HTTP/1.1 404 was \(secret)\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nghp_secr\r\n11\r\net-of-the-item/+%\r\n0\r\nX-Last: \(secret)\r\n\r\n",
            "HTTP/1.1 103 Early\r\nLink: \(secret)\r\n\r\nHTTP/1.1 204 No\r\nSet-Cookie: a=\(secret)\r\n\r\n",
            "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n\(secret)\\u0067hp_%73ecret-of-the-item%2f%2B%25",
            "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nConnection: close\r\n\r\nghp_sec\r\nret-of-the-item/+%",
        ].map { Array($0.utf8) }
        var leaks: [String] = []
        let run = Fuzzing("answers of HTTP/1", corpus, bounded: 2000) { input in
            let channel = EmbeddedChannel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            let encoder = RequestEncoder()
            let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)
            try channel.pipeline.syncOperations.addHandlers([encoder, ByteToMessageHandler(decoder)])
            try channel.writeOutbound(
                HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
            let request = try Self.rules.check(
                HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "api.example.com"]),
                .tunnel(Self.host))
            let exchange = Exchange(request, isHTTP11: true)
            exchange.search = AnswerSearch([Array(secret.utf8)], [Array("PLACEHOLDER".utf8)])
            var (passed, head) = (ByteBuffer(), "")
            defer {
                let text = head + String(buffer: passed)
                if text.contains(secret) { leaks.append(String(decoding: input, as: UTF8.self)) }
            }
            var isTaken = false
            for piece in [input[..<(input.count / 2)], input[(input.count / 2)...]] {
                try channel.writeInbound(ByteBuffer(bytes: piece))
                while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
                    switch part {
                    case .head(let answer):
                        try AnswerRules.check(answer, isSearched: true)
                        let fields = exchange.replaced(HTTPHeaders(AnswerRules.passed(answer.headers)))
                        head += exchange.replaced(answer.status.reasonPhrase) + "\n"
                        head += fields.map { "\($0.name): \($0.value)\n" }.joined()
                        isTaken = true
                    case .body(let bytes): exchange.search?.feed(bytes, into: &passed)
                    case .end(let trailers):
                        exchange.search?.finish(into: &passed)
                        let fields = exchange.replaced(HTTPHeaders(AnswerRules.passed(trailers ?? [:])))
                        head += fields.map { "\($0.name): \($0.value)\n" }.joined()
                    }
                }
            }
            return isTaken
        }
        #expect(leaks.isEmpty, "\(leaks.count): \(leaks.first?.debugDescription ?? "")")
        #expect(run.isGood)
    }

    @Test func `hostile messages of the guard`() throws {
        let item: [UInt8] = [0, 0, 0, 1, 0x50, 1, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 1, 0x6D, 0, 0, 0, 2, 0x31, 0x32]
        let host: [UInt8] = [1, 0, 0, 0, 1, 0x68, 1, 0xBB]
        let corpus: [[UInt8]] = [
            [1, 3], [1, 2, 0, 0, 0, 7, 0, 1, 0x93, 0, 0, 0, 2, 0x6E, 0x6F], [1, 2, 0, 0, 0, 7, 1, 0, 1] + item,
            [1, 1, 0, 0, 0, 1, 1] + host + [0, 0, 1, 0, 0, 0, 1, 0x50, 0, 1] + host
                + [0, 0, 0, 0, 0, 0, 0, 1, 0x50, 0],
        ]
        let run = Fuzzing("messages of the guard", corpus, bounded: 20_000) { input in
            _ = try GuardMessage(input)
            return true
        }
        #expect(run.isGood)
    }

    @Test func `hostile beginnings of tunnels`() throws {
        let name = Array("api.example.com".utf8)
        let server: [UInt8] = [0, 0, 0, 20, 0, 18, 0, 0, 15] + name
        let hello: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0, 0, 24] + server
        let corpus: [[UInt8]] = [
            [22, 3, 1, 0, UInt8(hello.count + 4), 1, 0, 0, UInt8(hello.count)] + hello,
            [5, 1, 0], [5, 1, 0, 3, 15] + name + [1, 0xBB], [5, 1, 0, 1, 127, 0, 0, 1, 0, 80],
            [5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80],
        ]
        #expect(HelloName(corpus[0]) == .name("api.example.com"))
        let run = Fuzzing("beginnings of tunnels", corpus, bounded: 20_000) { input in
            var isKnown = false
            if case .name = HelloName(input) { isKnown = true }
            if case .greeting = SOCKSMessage.greeting(input) { isKnown = true }
            if case .connect(let host, _, let size) = SOCKSMessage.request(input) {
                #expect(size <= input.count)
                _ = Authority("\(host):1")
                isKnown = true
            }
            return isKnown
        }
        #expect(run.isGood)
    }
}

extension Sequence<UInt8> {
    /// The same text, capitals or not.
    fileprivate func isSame(_ text: String) -> Bool {
        String(decoding: Array(self), as: UTF8.self).lowercased() == text.lowercased()
    }
}
