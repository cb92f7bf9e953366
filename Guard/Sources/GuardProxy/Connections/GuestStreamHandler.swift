// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHPACK
package import NIOHTTP1
import NIOHTTP2

/// A stream of the guest's HTTP/2 as a connection of HTTP/1.1 with one request, so that the same rules judge both.
final class GuestStreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private var hasHead = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame) where !hasHead:
            hasHead = true
            do throws(Refusal) {
                let head = try StreamHead.request(frame.headers.map { ($0.name, $0.value) }, isEnd: frame.endStream)
                context.fireChannelRead(wrapInboundOut(.head(head)))
                if frame.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
            } catch {
                context.fireErrorCaught(error)
            }
        case .headers(let frame):
            let trailers = HTTPHeaders(frame.headers.map { ($0.name, $0.value) })
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
        case .data(let frame):
            if case .byteBuffer(let bytes) = frame.data, bytes.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(.body(bytes)))
            }
            if frame.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let payload: HTTP2Frame.FramePayload
        switch unwrapOutboundIn(data) {
        case .head(let head):
            payload = .headers(.init(headers: .init(StreamHead.answer(head)), endStream: false))
        case .body(let part): payload = .data(.init(data: part, endStream: false))
        case .end(let trailers):
            let fields = StreamHead.fields(trailers ?? [:])
            payload =
                fields.isEmpty
                ? .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
                : .headers(.init(headers: .init(fields), endStream: true))
        }
        context.write(payload, promise)
    }
}

/// The heads of HTTP/2 as those of HTTP/1.1, and back (RFC 9113, 8).
package enum StreamHead {
    /// Errors: what RFC 9113 calls malformed, and what would be ambiguous in HTTP/1.1.
    package static func request(_ fields: [(String, String)], isEnd: Bool) throws(Refusal) -> HTTPRequestHead {
        var pseudo: [String: String] = [:]
        var headers = HTTPHeaders()
        var cookies: [String] = []
        for (name, value) in fields {
            if name.hasPrefix(":") {
                guard [":method", ":scheme", ":authority", ":path"].contains(name), pseudo[name] == nil,
                    headers.isEmpty, cookies.isEmpty
                else { throw .malformed("the head of the stream has \(name.prefix(32)) where it can't be") }
                pseudo[name] = value
                continue
            }
            guard name == name.lowercased() else { throw .malformed("the name of a header has a capital") }
            guard !connection.contains(name), name != "te" || value == "trailers" else {
                throw .malformed("HTTP/2 has no header \(name)")
            }
            if name == "cookie" { cookies.append(value) } else { headers.add(name: name, value: value) }
        }
        guard let method = pseudo[":method"], let path = pseudo[":path"], pseudo[":scheme"] == "https" else {
            throw .malformed("the head of the stream has no method, no path, or another scheme than https")
        }
        // Crumbs of one field (RFC 9113, 8.2.3).
        if !cookies.isEmpty { headers.add(name: "cookie", value: cookies.joined(separator: "; ")) }
        if let authority = pseudo[":authority"] {
            guard headers["host"].allSatisfy({ $0 == authority }) else {
                throw .malformed("the Host of the request is not its authority")
            }
            headers.replaceOrAdd(name: "host", value: authority)
        }
        if !isEnd, !headers.contains(name: "content-length") {
            headers.add(name: "transfer-encoding", value: "chunked")
        }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: headers)
    }

    package static func answer(_ head: HTTPResponseHead) -> [(String, String)] {
        [(":status", "\(head.status.code)")] + fields(head.headers)
    }

    /// Without the fields that concern one connection alone.
    package static func fields(_ headers: HTTPHeaders) -> [(String, String)] {
        headers.map { ($0.name.lowercased(), $0.value) }.filter { !connection.contains($0.0) && $0.0 != "te" }
    }

    private static let connection: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "http2-settings",
    ]
}
