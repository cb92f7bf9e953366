// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The first handler of a connection to the proxy: gives it to SOCKS or HTTP, by its first byte.
final class WelcomeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let proxy: Proxy

    init(_ proxy: Proxy) { self.proxy = proxy }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        do {
            if bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == SOCKSMessage.version {
                try context.pipeline.syncOperations.addHandler(SOCKSHandler(proxy))
            } else {
                let parser = ServerParser()
                try parser.add(to: context.channel)
                try context.pipeline.syncOperations.addHandler(FrontHandler(proxy, parser))
            }
        } catch { return context.close(promise: nil) }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// What a client of SOCKS 5 says (RFC 1928): a greeting with methods, of which *none* has to be one, then a request, of
/// which CONNECT alone is known.
package enum SOCKSMessage: Equatable {
    static let version: UInt8 = 5

    /// The bytes end before it is known.
    case undecided
    case malformed
    case greeting(hasNoAuthentication: Bool, size: Int)
    /// `host`: a name as it was sent, or an address.
    case connect(host: String, port: UInt16, size: Int)
    /// Another command, or an unknown kind of address, with the number of the answer.
    case unknown(UInt8)

    package static func greeting(_ bytes: [UInt8]) -> SOCKSMessage {
        guard bytes.first == version || bytes.isEmpty else { return .malformed }
        guard bytes.count >= 2 else { return .undecided }
        let size = 2 + Int(bytes[1])
        guard bytes.count >= size else { return .undecided }
        return .greeting(hasNoAuthentication: bytes[2..<size].contains(0), size: size)
    }

    package static func request(_ bytes: [UInt8]) -> SOCKSMessage {
        guard bytes.count >= 5 else { return .undecided }
        guard bytes[0] == version, bytes[2] == 0 else { return .malformed }
        guard bytes[1] == 1 else { return .unknown(7) }
        let count: Int
        var start = 4
        switch bytes[3] {
        case 1: count = 4
        case 3: (count, start) = (Int(bytes[4]), 5)
        case 4: count = 16
        default: return .unknown(8)
        }
        let size = start + count + 2
        guard bytes.count >= size else { return .undecided }
        let part = Array(bytes[start..<start + count])
        let port = UInt16(bytes[size - 2]) << 8 | UInt16(bytes[size - 1])
        let host: String? =
            bytes[3] == 3
            ? String(validating: part, as: UTF8.self)
            : (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: part), port: 0))?.ipAddress
        guard let host, port > 0 else { return .malformed }
        return .connect(host: host, port: port, size: size)
    }

    /// An answer to a request, with an address of zeros.
    static func answer(_ number: UInt8) -> ByteBuffer { ByteBuffer(bytes: [version, number, 0, 1, 0, 0, 0, 0, 0, 0]) }
}

/// SOCKS 5 for programs that speak no other proxy's protocol. What is granted is the same as by CONNECT.
final class SOCKSHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Stage {
        case greeting
        case request
        /// Waits for the connection to the host.
        case connecting
        case passing
        case refused
    }

    private let proxy: Proxy
    private var stage = Stage.greeting
    private var bytes: [UInt8] = []

    init(_ proxy: Proxy) { self.proxy = proxy }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard stage != .refused else { return }
        bytes += unwrapInboundIn(data).readableBytesView
        // A client waits for each answer; what comes meanwhile is little.
        guard bytes.count <= 64 << 10 else { return context.close(promise: nil) }
        if stage == .greeting { greet(context) }
        if stage == .request { connect(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func greet(_ context: ChannelHandlerContext) {
        switch SOCKSMessage.greeting(bytes) {
        case .undecided: return
        case .greeting(true, let size):
            bytes.removeFirst(size)
            stage = .request
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [SOCKSMessage.version, 0])), promise: nil)
        case .greeting:
            stage = .refused
            context.writeAndClose(wrapOutboundOut(ByteBuffer(bytes: [SOCKSMessage.version, 0xFF])))
        default:
            stage = .refused
            context.close(promise: nil)
        }
    }

    private func connect(_ context: ChannelHandlerContext) {
        switch SOCKSMessage.request(bytes) {
        case .undecided: return
        case .connect(let name, let port, let size):
            bytes.removeFirst(size)
            let written = name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
            guard let authority = Authority(written) else {
                return refuse(.malformed("SOCKS names no host and port"), nil, 1, context)
            }
            stage = .connecting
            let tunnel: Tunnel
            do { tunnel = try Tunnel(proxy.configuration, authority.name, port) } catch {
                return refuse(error, Host(.https, authority.name, port), 2, context)
            }
            switch tunnel {
            case .opened(let host):
                do { try pass(context) { try Tunnel.open(host, self.proxy, $0) } } catch {
                    context.close(promise: nil)
                }
            case .closed(let host, let listed):
                proxy.guests[context.channel]?.begin()
                TunnelHandler.connect(context.channel, to: host, listed, proxy) { [self] near in
                    try pass(context) { try near.add(to: $0) }
                } onFailure: { [self] refusal in
                    refuse(refusal, host, refusal.status == 403 ? 2 : 4, context)
                }
            }
        case .unknown(let number): refuse(.malformed("SOCKS is there for CONNECT alone"), nil, number, context)
        default: refuse(.malformed("the request of SOCKS is malformed"), nil, 1, context)
        }
    }

    private func pass(_ context: ChannelHandlerContext, _ add: (any Channel) throws -> Void) throws {
        stage = .passing
        context.writeAndFlush(wrapOutboundOut(SOCKSMessage.answer(0)), promise: nil)
        try add(context.channel)
        if !bytes.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes))) }
        bytes = []
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func refuse(_ refusal: Refusal, _ host: Host?, _ number: UInt8, _ context: ChannelHandlerContext) {
        proxy.guardian.note(host, "SOCKS", "", refusal.text)
        stage = .refused
        context.writeAndClose(wrapOutboundOut(SOCKSMessage.answer(number)))
    }
}
