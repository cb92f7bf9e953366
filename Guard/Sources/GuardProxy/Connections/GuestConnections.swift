// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A connection of the guest to the proxy.
final class GuestConnection {
    fileprivate let channel: any Channel
    /// Requests under way, and a tunnel.
    fileprivate private(set) var count = 0
    fileprivate private(set) var idleSince = NIODeadline.now()

    fileprivate init(_ channel: any Channel) { self.channel = channel }

    func begin() { count += 1 }

    func end() {
        count -= 1
        idleSince = .now()
    }
}

/// All of the guest's connections. One that has no request for long is closed, and earlier if there are too many.
final class GuestConnections {
    private static let patience = TimeAmount.minutes(2)
    private static let sweep = TimeAmount.seconds(30)

    private var connections: [ObjectIdentifier: GuestConnection] = [:]
    private var isSweeping = false

    subscript(channel: any Channel) -> GuestConnection? { connections[ObjectIdentifier(channel)] }

    /// False: there are too many, and all are in use.
    func add(_ channel: any Channel) -> Bool {
        if connections.count >= Proxy.connectionLimit {
            guard let oldest = connections.values.filter({ $0.count == 0 }).min(by: { $0.idleSince < $1.idleSince }),
                NIODeadline.now() - oldest.idleSince > .seconds(1)
            else { return false }
            end(oldest)
        }
        let identifier = ObjectIdentifier(channel)
        connections[identifier] = GuestConnection(channel)
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.connections[identifier] = nil }
        sweepLater(channel.eventLoop)
        return true
    }

    private func end(_ connection: GuestConnection) {
        connections[ObjectIdentifier(connection.channel)] = nil
        connection.channel.close(promise: nil)
    }

    private func sweepLater(_ loop: any EventLoop) {
        guard !isSweeping, !connections.isEmpty else { return }
        isSweeping = true
        loop.assumeIsolated().scheduleTask(in: Self.sweep) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            for one in connections.values where one.count == 0 && now - one.idleSince > Self.patience { end(one) }
            isSweeping = false
            sweepLater(loop)
        }
    }
}

/// Says to a connection that is too much that it is.
final class FullHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var hasAnswered = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        hasAnswered = true
        let body = "zamok guard: there are more than \(Proxy.connectionLimit) connections\n"
        let head =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        context.writeAndClose(wrapOutboundOut(ByteBuffer(string: head + body)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
