// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// One end of a tunnel that stays closed: bytes go both ways, unread but for the name that TLS begins with.
final class TunnelHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// At the guest's end: the only name that TLS may ask for; nil: any.
    var name: String?
    /// Gets why the tunnel was ended.
    var onRefusal: (String) -> Void = { _ in }
    private var beginning: [UInt8] = []
    private var partner: TunnelHandler?
    private var context: ChannelHandlerContext?
    private var wantsRead = false

    /// Connects a guest to a host. `begin` adds the guest's end of the tunnel, once the host is reached.
    static func connect(
        _ guest: any Channel, to host: Host, _ listed: ListedHost?, _ proxy: Proxy,
        _ begin: @escaping (TunnelHandler) throws -> Void, onFailure: @escaping (Refusal) -> Void
    ) {
        let (near, far) = pair(host, listed, proxy.guardian)
        proxy.connectTunnel(host, listed, far).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let server):
                guard guest.isActive else { return server.close(promise: nil) }
                do { try begin(near) } catch {
                    server.close(promise: nil)
                    guest.close(promise: nil)
                }
            case .failure(let error): onFailure(.of(error, host))
            }
        }
    }

    /// The guest's end, and the server's.
    private static func pair(
        _ host: Host, _ listed: ListedHost?, _ guardian: Guardian
    ) -> (TunnelHandler, TunnelHandler) {
        let (near, far) = (TunnelHandler(), TunnelHandler())
        (near.partner, far.partner) = (far, near)
        // Of a listed host alone: to other names at its address there is no grant.
        if listed != nil, Address(text: host.name) == nil { near.name = host.name }
        near.onRefusal = { guardian.note(host, "CONNECT", "", $0) }
        return (near, far)
    }

    /// Half-closed connections stay, so that nothing is lost of what is still on its way.
    func add(to channel: any Channel) throws {
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        partner = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let name else { return pass(bytes) }
        beginning += bytes.readableBytesView
        switch HelloName(beginning) {
        case .undecided where beginning.count < HelloName.limit: return
        case .undecided: return refuse("TLS began with more than 64 KiB", context)
        case .name(let other) where other != name:
            return refuse("TLS asked for another server than the tunnel's: \(other.prefix(253))", context)
        case .name, .none: break
        }
        self.name = nil
        pass(ByteBuffer(bytes: beginning))
        beginning = []
    }

    private func pass(_ bytes: ByteBuffer) { partner?.context?.write(NIOAny(bytes), promise: nil) }

    private func refuse(_ text: String, _ context: ChannelHandlerContext) {
        onRefusal(text)
        context.close(promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { partner?.context?.flush() }

    /// What came before is still sent.
    func channelInactive(context: ChannelHandlerContext) { partner?.finish(.all) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            partner?.finish(.output)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Ends what is sent, or the connection, when all of it is through.
    private func finish(_ mode: CloseMode) {
        context?.writeAndClose(NIOAny(ByteBuffer()), mode)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, let partner, partner.wantsRead else { return }
        partner.wantsRead = false
        partner.context?.read()
    }

    func read(context: ChannelHandlerContext) {
        if partner?.context?.channel.isWritable ?? true { context.read() } else { wantsRead = true }
    }
}
