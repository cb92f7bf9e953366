// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1

/// Writes an answer to the guest. Its framing is said by the handler, which knows the request.
final class ResponseEncoder: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = ByteBuffer

    var isChunked = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            var buffer = ByteBuffer()
            buffer.writeString("HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n")
            for (name, value) in head.headers { buffer.writeString("\(name): \(value)\r\n") }
            buffer.writeString("\r\n")
            context.write(wrapOutboundOut(buffer), promise: promise)
        case .body(.byteBuffer(let bytes)):
            guard isChunked else { return context.write(wrapOutboundOut(bytes), promise: promise) }
            guard bytes.readableBytes > 0 else { return promise?.succeed() ?? () }
            context.write(
                wrapOutboundOut(ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")), promise: nil)
            context.write(wrapOutboundOut(bytes), promise: nil)
            context.write(wrapOutboundOut(ByteBuffer(string: "\r\n")), promise: promise)
        case .body(.fileRegion): promise?.fail(ChannelError.operationUnsupported)
        case .end(let trailers):
            guard isChunked else { return context.write(wrapOutboundOut(ByteBuffer()), promise: promise) }
            var buffer = ByteBuffer(string: "0\r\n")
            for (name, value) in trailers ?? [:] { buffer.writeString("\(name): \(value)\r\n") }
            buffer.writeString("\r\n")
            context.write(wrapOutboundOut(buffer), promise: promise)
        }
    }
}

/// The handlers that parse what a guest says in HTTP.
package struct ServerParser {
    let encoder = ResponseEncoder()
    let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    let pipelining = HTTPServerPipelineHandler()

    package init() {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = RequestRules.headLimit
        limits.maxHeaderFieldSize = RequestRules.headLimit
        decoder = ByteToMessageHandler(
            HTTPRequestDecoder(
                leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .drop, limitConfiguration: limits))
    }

    package func add(to channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandlers([encoder, decoder, pipelining])
    }
}
