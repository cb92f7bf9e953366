// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// How the body of a message that the proxy has rebuilt is written: as it is, or in chunks (RFC 9112, 7.1).
struct BodyFraming {
    var isChunked = false

    /// A part of the body. An empty chunk would end it.
    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard isChunked else { return context.write(NIOAny(bytes), promise: promise) }
        guard bytes.readableBytes > 0 else { return promise?.succeed() ?? () }
        context.write(NIOAny(ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")), promise: nil)
        context.write(NIOAny(bytes), promise: nil)
        context.write(NIOAny(ByteBuffer(string: "\r\n")), promise: promise)
    }
}
