// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The first handler of a connection to the proxy: makes a tunnel of `CONNECT`, and gives other requests on.
final class FrontHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let proxy: Proxy
    private let parser: ServerParser
    private var head: HTTPRequestHead?
    /// Later handlers have the connection.
    private var isPassing = false

    init(_ proxy: Proxy, _ parser: ServerParser) { (self.proxy, self.parser) = (proxy, parser) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isPassing else { return context.fireChannelRead(data) }
        switch unwrapInboundIn(data) {
        case .head(let head) where head.method == .CONNECT: self.head = head
        case .head:
            isPassing = true
            let handler = RequestHandler(proxy, .proxy, parser.encoder)
            do { try context.pipeline.syncOperations.addHandler(handler) } catch { return context.close(promise: nil) }
            context.fireChannelRead(data)
        case .body: break
        case .end:
            if let head { tunnel(head, context) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isPassing else { return context.fireErrorCaught(error) }
        guard error is HTTPParserError else { return context.close(promise: nil) }
        refuse(.malformed("the request is not HTTP/1.1, or not clearly"), nil, context)
    }

    private func tunnel(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard let authority = Authority(head.uri), let port = authority.port else {
            return refuse(.malformed("CONNECT names no host and port"), nil, context)
        }
        let host = Host(.https, authority.name, port)
        let hosts = head.headers["host"]
        guard hosts.count <= 1, hosts.allSatisfy({ Authority($0).map { $0.name == host.name } ?? false }) else {
            return refuse(.malformed("the Host of CONNECT is another one"), host, context)
        }
        let tunnel: Tunnel
        do { tunnel = try Tunnel(proxy.configuration, host.name, port) } catch { return refuse(error, host, context) }
        switch tunnel {
        case .opened(let host):
            do { try establish(context) { try Tunnel.open(host, self.proxy, $0) } } catch {
                context.close(promise: nil)
            }
        case .closed(let host, let listed): pass(host, listed, context)
        }
    }

    /// Removes what parses HTTP, and says that the tunnel is there. Bytes that came already go to the handlers behind.
    private func establish(_ context: ChannelHandlerContext, _ add: (any Channel) throws -> Void) throws {
        isPassing = true
        let operations = context.pipeline.syncOperations
        operations.removeHandler(parser.encoder, promise: nil)
        operations.removeHandler(parser.pipelining, promise: nil)
        context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")), promise: nil)
        try add(context.channel)
        operations.removeHandler(parser.decoder, promise: nil)
    }

    private func pass(_ host: Host, _ listed: ListedHost?, _ context: ChannelHandlerContext) {
        // A tunnel may be silent for long.
        proxy.guests[context.channel]?.begin()
        TunnelHandler.connect(context.channel, to: host, listed, proxy) { [self] near in
            try establish(context) { try near.add(to: $0) }
        } onFailure: { [self] refusal in
            refuse(refusal, host, context)
        }
    }

    private func refuse(_ refusal: Refusal, _ host: Host?, _ context: ChannelHandlerContext) {
        proxy.guardian.note(host, "CONNECT", "", refusal.text)
        let body = "zamok guard: \(refusal.text)\n"
        let headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.utf8.count)", "Connection": "close",
        ]
        let status = HTTPResponseStatus(statusCode: Int(refusal.status))
        context.write(
            wrapOutboundOut(
                .head(
                    HTTPResponseHead(
                        version: .http1_1,
                        status: .custom(code: status.code, reasonPhrase: "zamok guard: \(refusal.text)"),
                        headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndClose(wrapOutboundOut(.end(nil)))
    }
}
