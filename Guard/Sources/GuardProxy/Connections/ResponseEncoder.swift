// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1

/// Writes an answer to the guest. Its framing is said by the handler, which knows the request.
final class ResponseEncoder: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = ByteBuffer

    var framing = BodyFraming()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            var buffer = ByteBuffer()
            buffer.writeString("HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n")
            for (name, value) in head.headers { buffer.writeString("\(name): \(value)\r\n") }
            buffer.writeString("\r\n")
            context.write(wrapOutboundOut(buffer), promise: promise)
        case .body(.byteBuffer(let bytes)):
            framing.write(bytes, context, promise)
        case .body(.fileRegion): promise?.fail(ChannelError.operationUnsupported)
        case .end(let trailers):
            guard framing.isChunked else { return context.write(wrapOutboundOut(ByteBuffer()), promise: promise) }
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
