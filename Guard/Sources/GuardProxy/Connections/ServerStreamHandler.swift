// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// A connection to a server that speaks HTTP/2, for the requests of many streams.
final class ServerConnection {
    let channel: any Channel
    let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    var carriesSecret = false
    /// Requests on it.
    var count = 0
    /// The server takes no more requests.
    var isEnding = false
    var end: Scheduled<Void>?

    /// Requests at once; more get another connection.
    private static let limit = 90

    init(_ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer) {
        (self.channel, self.multiplexer) = (channel, multiplexer)
    }

    var takesMore: Bool { channel.isActive && !isEnding && count < Self.limit }
}

/// A stream of HTTP/2 to a server as a connection of HTTP/1.1 with one request. What is sent is made from the same
/// head that HTTP/1.1 would get.
final class ServerStreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let encoder: RequestEncoder
    private var hasHead = false
    /// A head that waits for what follows: a request without a body ends with it.
    private var waiting: (headers: HPACKHeaders, promise: EventLoopPromise<Void>?)?

    init(_ encoder: RequestEncoder) { self.encoder = encoder }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            var headers = HPACKHeaders()
            // Never indexed: nothing that the guest chooses is compressed against a secret.
            for (name, value) in StreamHead.fields(ofHead: encoder.head.readableBytesView) {
                headers.add(name: name, value: value, indexing: .neverIndexed)
            }
            encoder.head.wipe()
            waiting = (headers, promise)
        case .body(let part):
            writeHead(context, isEnd: false)
            context.write(.data(.init(data: part, endStream: false)), promise)
        case .end where waiting != nil:
            writeHead(context, isEnd: true)
            promise?.succeed()
        case .end: context.write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)), promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        writeHead(context, isEnd: false)
        context.flush()
    }

    private func writeHead(_ context: ChannelHandlerContext, isEnd: Bool) {
        guard let (headers, promise) = waiting else { return }
        waiting = nil
        context.write(.headers(.init(headers: headers, endStream: isEnd)), promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame) where !hasHead:
            guard let status = frame.headers.first(name: ":status").flatMap(Int.init) else {
                return context.fireErrorCaught(Refusal(502, "the answer has no status"))
            }
            guard status >= 200 else { return }
            hasHead = true
            let fields = frame.headers.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) }
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: HTTPHeaders(fields))
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if frame.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
        case .headers(let frame):
            let trailers = HTTPHeaders(frame.headers.map { ($0.name, $0.value) })
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
        case .data(let frame):
            guard hasHead else { return context.close(promise: nil) }
            if case .byteBuffer(let bytes) = frame.data, bytes.readableBytes > 0 {
                context.fireChannelRead(wrapInboundOut(.body(bytes)))
            }
            if frame.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
        default: break
        }
    }
}

extension StreamHead {
    /// The fields of HTTP/2 for a head of HTTP/1.1 that the proxy made.
    package static func fields(ofHead bytes: some Collection<UInt8>) -> [(String, String)] {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.filter { $0 != UInt8(ascii: "\r") } }
        guard let first = lines.first else { return [] }
        let words = first.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3 else { return [] }
        var authority = ""
        var rest: [(String, String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
            switch name {
            case "host": authority = value
            case "transfer-encoding": continue
            default: rest.append((name, value))
            }
        }
        return [(":method", words[0]), (":scheme", "https"), (":authority", authority), (":path", words[1])] + rest
    }
}
