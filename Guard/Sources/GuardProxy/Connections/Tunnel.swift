// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS

/// What a connection of the guest to a host and port becomes, by CONNECT or by SOCKS.
enum Tunnel {
    /// The proxy reads the requests in it.
    case opened(Host)
    /// Bytes go both ways, unread. Nil: any host is permitted.
    case closed(Host, ListedHost?)

    /// Errors: a host that is not listed, if only such are permitted.
    init(_ configuration: Configuration, _ name: String, _ port: UInt16) throws(Refusal) {
        let listed = [Scheme.https, .http].compactMap { configuration.listed(Host($0, name, port)) }
        if let opened = listed.first(where: \.isOpened) {
            self = .opened(opened.host)
            return
        }
        let host = Host(.https, name, port)
        guard !listed.isEmpty || configuration.isOpen else {
            throw .forbidden("\(host.description) is not granted")
        }
        self = .closed(host, listed.first)
    }

    /// The handlers that read requests to an opened host, on the guest's end of its tunnel.
    static func open(_ host: Host, _ proxy: Proxy, _ channel: any Channel) throws {
        let operations = channel.pipeline.syncOperations
        guard host.scheme == .https else { return try addHTTP1(host, proxy, channel) }
        try operations.addHandler(NIOSSLServerHandler(context: try proxy.authority.context(for: host.name)))
        let bound = NIOLoopBound(proxy, eventLoop: channel.eventLoop)
        try operations.addHandler(
            ApplicationProtocolNegotiationHandler { result, channel in
                channel.eventLoop.makeCompletedFuture {
                    if result == .negotiated("h2") {
                        try addHTTP2(host, bound, channel)
                    } else {
                        try addHTTP1(host, bound.value, channel)
                    }
                }
            })
    }

    private static func addHTTP1(_ host: Host, _ proxy: Proxy, _ channel: any Channel) throws {
        let parser = ServerParser()
        try parser.add(to: channel)
        try channel.pipeline.syncOperations.addHandler(RequestHandler(proxy, .tunnel(host), parser.encoder))
    }

    private static func addHTTP2(_ host: Host, _ proxy: NIOLoopBound<Proxy>, _ channel: any Channel) throws {
        let settings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: RequestRules.headLimit),
        ]
        // A malformed head ends its stream (``StreamHead``), and not all others on the connection.
        var connection = Streams.connection(settings)
        connection.headerBlockValidation = .disabled
        let handler = NIOHTTP2Handler(
            mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: connection,
            streamConfiguration: Streams.configuration
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers([
                    GuestStreamHandler(), RequestHandler(proxy.value, .tunnel(host), ResponseEncoder(), isStream: true),
                ])
            }
        }
        try channel.pipeline.syncOperations.addHandlers([handler, StreamsEndHandler()])
    }
}
