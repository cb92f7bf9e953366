// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A request that is not sent, or an answer that is not passed on.
package struct Refusal: Error, Equatable {
    /// Of HTTP.
    package let status: UInt16
    /// One line.
    package let text: String

    package init(_ status: UInt16, _ text: String) { (self.status, self.text) = (status, text) }

    static func malformed(_ text: String) -> Refusal { Refusal(400, text) }
    static func forbidden(_ text: String) -> Refusal { Refusal(403, text) }
    /// Of a connection that failed.
    package static func of(_ error: any Error, _ host: Host) -> Refusal {
        error as? Refusal ?? Refusal(502, "\(host.authority): \(sentence(error))")
    }

    /// Why the proxy can't begin.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as Refusal: error.text
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            "a file of authorities has no certificates, or can't be read"
        case let error as IOError: system(error.errnoCode)
        default: "its certificates or sockets can't be made"
        }
    }

    /// What happened, in words. What a library says of it is for its programmers.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is for other names"
        case NIOSSLError.handshakeFailed(let error): tls(error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: tls(error)
        case let error as IOError: system(error.errnoCode)
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { sentence($0.error) } ?? "it can't be reached"
        case ChannelError.connectTimeout: "it doesn't answer"
        case is HTTPParserError: "its answer is not HTTP/1.1, or not clearly"
        case let error as NIOHTTP2Errors.StreamClosed:
            "it has ended the request (error \(error.errorCode.networkCode) of HTTP/2)"
        case is any NIOHTTP2Error: "its answer is not HTTP/2, or it has ended the connection"
        default: "the connection failed"
        }
    }

    private static func system(_ code: Int32) -> String {
        switch code {
        case ECONNREFUSED: "it refuses connections"
        case ECONNRESET, EPIPE: "it has ended the connection"
        case ETIMEDOUT: "it doesn't answer"
        case ENETUNREACH, EHOSTUNREACH: "there is no route to it"
        default: "the connection failed (error \(code))"
        }
    }

    private static func tls(_ error: any Error) -> String {
        "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
            ? "its certificate is not valid, or is of no trusted authority" : "TLS failed"
    }
}
