// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// What both sides of the proxy have in common with HTTP/2.
enum Streams {
    /// How much of a stream waits, in either direction.
    static var configuration: NIOHTTP2Handler.StreamConfiguration {
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = 256 << 10
        stream.outboundBufferSizeHighWatermark = 64 << 10
        stream.outboundBufferSizeLowWatermark = 32 << 10
        return stream
    }

    static func connection(_ settings: HTTP2Settings) -> NIOHTTP2Handler.ConnectionConfiguration {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = settings
        connection.targetWindowSize = 1 << 20
        return connection
    }
}

/// The end of a connection of HTTP/2.
final class StreamsEndHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// Of a connection to a server.
    weak var connection: ServerConnection?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway = unwrapInboundIn(data).payload { connection?.isEnding = true }
    }

    /// One of a stream alone ends that stream, any other the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }
}

extension ChannelHandlerContext {
    /// Writes a frame of a stream, which ends if that fails.
    func write(_ payload: HTTP2Frame.FramePayload, _ promise: EventLoopPromise<Void>?) {
        let written = promise ?? eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenFailure { _ in self.close(promise: nil) }
        write(NIOAny(payload), promise: written)
    }

    /// Writes something, and closes the connection, or one direction of it, when that and all before it is sent.
    func writeAndClose(_ data: NIOAny, _ mode: CloseMode = .all) {
        let written = eventLoop.makePromise(of: Void.self)
        writeAndFlush(data, promise: written)
        written.futureResult.assumeIsolated().whenComplete { _ in self.close(mode: mode, promise: nil) }
    }
}
