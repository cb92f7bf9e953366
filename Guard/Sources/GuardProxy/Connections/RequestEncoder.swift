// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1

/// Writes a request that the proxy has rebuilt. The head is made from bytes, so that a secret is in no text and in one
/// buffer, which is overwritten when the socket or TLS has taken it.
final class RequestEncoder: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = ByteBuffer

    /// The bytes of the next head.
    var head = ByteBuffer()
    var framing = BodyFraming()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            let written = context.eventLoop.makePromise(of: Void.self)
            context.write(wrapOutboundOut(head), promise: written)
            written.futureResult.assumeIsolated().whenComplete { [self] _ in head.wipe() }
            written.futureResult.cascade(to: promise)
        case .body(.byteBuffer(let bytes)):
            framing.write(bytes, context, promise)
        case .body(.fileRegion): promise?.fail(ChannelError.operationUnsupported)
        case .end:
            guard framing.isChunked else { return context.write(wrapOutboundOut(ByteBuffer()), promise: promise) }
            context.write(wrapOutboundOut(ByteBuffer(string: "0\r\n\r\n")), promise: promise)
        }
    }
}

/// The head of a request with its secrets.
package enum RequestHead {
    /// Errors: a secret that can't be at its place.
    package static func bytes(_ request: CheckedRequest, _ given: [Given]) throws(Refusal) -> ByteBuffer {
        var size = 256 + request.target.utf8.count + request.host.name.utf8.count
        for (name, value) in request.fields { size += name.utf8.count + value.utf8.count + 4 }
        for one in given { size += 8 * one.secret.count + 2 * one.account.utf8.count + 64 }
        var buffer = ByteBuffer()
        // It doesn't grow: what is left of a smaller one would not be overwritten.
        buffer.reserveCapacity(size)
        buffer.writeString("\(request.method) ")
        writeTarget(request.target, given, &buffer)
        buffer.writeString(" HTTP/1.1\r\nHost: \(request.host.authority)\r\n")
        let placed = Dictionary(given.compactMap { one in one.field.map { ($0, one) } }) { first, _ in first }
        var written: Set<String> = []
        for (name, value) in request.fields {
            let field = name.lowercased()
            guard let one = placed[field] else {
                buffer.writeString("\(name): \(value)\r\n")
                continue
            }
            guard written.insert(field).inserted else { continue }
            try writeField(name, value, one, given, &buffer)
        }
        for (field, one) in placed where !written.contains(field) { try writeField(field, "", one, given, &buffer) }
        // What is compressed can't be searched.
        buffer.writeString("Accept-Encoding: identity\r\n")
        switch request.body {
        case .none: break
        case .length(let count): buffer.writeString("Content-Length: \(count)\r\n")
        case .chunked: buffer.writeString("Transfer-Encoding: chunked\r\n")
        }
        buffer.writeString("\r\n")
        return buffer
    }

    private static func writeField(
        _ name: String, _ value: String, _ one: Given, _ given: [Given], _ buffer: inout ByteBuffer
    ) throws(Refusal) {
        guard one.secret.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !one.secret.isEmpty else {
            throw Refusal(
                502, "the secret has bytes that a header can't have, for example a line's end; store it without")
        }
        buffer.writeString("\(name): ")
        switch one.place {
        case .basicUser, .basicPassword:
            let basic = BasicCredentials(value)
            var credentials: [UInt8] = []
            credentials.reserveCapacity(one.secret.count + 1024)
            for (place, text) in [
                (Place.basicUser, basic?.user ?? one.account), (.basicPassword, basic?.password ?? ""),
            ] {
                if let secret = given.first(where: { $0.place == place })?.secret {
                    credentials += secret
                } else {
                    credentials += text.utf8
                }
                if place == .basicUser { credentials.append(UInt8(ascii: ":")) }
            }
            buffer.writeString("Basic ")
            var encoded = SearchedForms.base64(credentials + [0, 0], offset: 0)
            // As many characters as the bytes need, without those of the two zeros.
            encoded.removeLast(encoded.count - (credentials.count * 8 + 5) / 6)
            buffer.writeBytes(encoded)
            buffer.writeString(String(repeating: "=", count: (3 - credentials.count % 3) % 3))
            encoded.wipe()
            credentials.wipe()
        default:
            let pieces = value.pieces(around: one.placeholder)
            if pieces.count == 2 {
                buffer.writeString(String(pieces[0]))
                buffer.writeBytes(one.secret)
                buffer.writeString(String(pieces[1]))
            } else {
                // A base address: the request has no placeholder.
                if name.lowercased() == "authorization" { buffer.writeString("Bearer ") }
                buffer.writeBytes(one.secret)
            }
        }
        buffer.writeString("\r\n")
    }

    private static func writeTarget(_ target: String, _ given: [Given], _ buffer: inout ByteBuffer) {
        var position = target.startIndex
        var names: Set<String> = []
        for parameter in QueryParameters(target).parameters {
            guard let name = parameter.name, let one = given.first(where: { $0.place == .query(name) }) else {
                continue
            }
            guard parameter.value == one.placeholder || !names.contains(name) else { continue }
            names.insert(name)
            buffer.writeString(String(target[position..<parameter.range.lowerBound]))
            writeEncoded(one.secret, &buffer)
            position = parameter.range.upperBound
        }
        buffer.writeString(String(target[position...]))
        for one in given {
            guard case .query(let name) = one.place, !names.contains(name) else { continue }
            buffer.writeString(target.contains("?") ? "&" : "?")
            writeEncoded(Array(name.utf8), &buffer)
            buffer.writeString("=")
            writeEncoded(one.secret, &buffer)
        }
    }

    private static func writeEncoded(_ bytes: [UInt8], _ buffer: inout ByteBuffer) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                buffer.writeInteger(byte)
            default: buffer.writeBytes([UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
    }
}

extension Given {
    /// The header field that it is in.
    var field: String? {
        switch place {
        case .header(let name): name
        case .basicUser, .basicPassword: "authorization"
        case .query, .postgres, nil: nil
        }
    }
}
