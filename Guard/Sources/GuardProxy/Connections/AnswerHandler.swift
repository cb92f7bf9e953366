// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The end of a connection to a server: tells the connection of the guest what comes.
final class AnswerHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    weak var owner: RequestHandler?
    private var wantsRead = false
    private var context: ChannelHandlerContext?

    init(_ owner: RequestHandler) { self.owner = owner }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What no request asked for.
        guard owner != nil else { return context.close(promise: nil) }
        switch unwrapInboundIn(data) {
        case .head(let head): owner?.serverSays(.head(head))
        case .body(let bytes): owner?.serverSays(.body(bytes))
        case .end(let trailers): owner?.serverSays(.end(trailers))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { owner?.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let owner = owner
        context.close(promise: nil)
        owner?.serverSays(.failed(error))
    }

    func channelInactive(context: ChannelHandlerContext) { owner?.serverSays(.closed) }

    /// Nothing is read that the guest doesn't take.
    func read(context: ChannelHandlerContext) {
        if owner?.takesMore ?? true { context.read() } else { wantsRead = true }
    }

    func goOn() {
        guard wantsRead, let context else { return }
        wantsRead = false
        read(context: context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { owner?.goOn() }
    }
}
