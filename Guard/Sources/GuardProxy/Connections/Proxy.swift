// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// What all connections share. On the one event loop.
final class Proxy {
    /// Connections of the guest at once.
    static let connectionLimit = 1024

    let configuration: Configuration
    let guardian: Guardian
    let authority: RunAuthority
    let rules: RequestRules
    let loop: any EventLoop
    private let threads: NIOThreadPool
    private let tls: NIOSSLContext
    private var handlers: [ObjectIdentifier: RequestHandler] = [:]
    var connectionCount = 0

    init(
        _ configuration: Configuration, _ guardian: Guardian, _ authority: RunAuthority, _ loop: any EventLoop,
        _ threads: NIOThreadPool
    ) throws {
        (self.configuration, self.guardian, self.authority) = (configuration, guardian, authority)
        (self.loop, self.threads) = (loop, threads)
        rules = RequestRules(configuration.placeholders)
        var client = TLSConfiguration.makeClientConfiguration()
        client.applicationProtocols = ["http/1.1"]
        client.minimumTLSVersion = .tlsv12
        if let trust = configuration.trust { client.trustRoots = .file(trust) }
        tls = try NIOSSLContext(configuration: client)
    }

    func register(_ handler: RequestHandler) { handlers[ObjectIdentifier(handler)] = handler }

    func forget(_ handler: RequestHandler) { handlers[ObjectIdentifier(handler)] = nil }

    func lock() { for handler in handlers.values { handler.lock() } }

    /// The addresses at which a host may be reached, asked for once a connection. Errors: ``Refusal``.
    private func addresses(of host: Host, _ listed: ListedHost?) -> EventLoopFuture<[SocketAddress]> {
        if let fixed = listed?.address ?? (listed != nil && Address(text: host.name) != nil ? host.name : nil) {
            guard let address = try? SocketAddress(ipAddress: fixed, port: Int(host.port)) else {
                return loop.makeFailedFuture(Refusal(502, "\(fixed) is no address"))
            }
            return loop.makeSucceededFuture([address])
        }
        return threads.runIfActive(eventLoop: loop) {
            (Resolver.addresses(of: host.name, port: host.port), OwnNetworks.now())
        }
        .flatMapThrowing { all, own in
            guard !all.isEmpty else { throw Refusal(502, "\(host.name) has no address") }
            guard let own else { throw Refusal(502, "the networks of this machine can't be told") }
            let permitted = all.filter { one in
                Address(one).map { address in
                    address.isPublic && !own.contains { $0.contains(address) }
                } ?? false
            }
            guard !permitted.isEmpty else {
                throw Refusal(
                    403, "\(host.name) has an address of this machine or its network, which no grant names")
            }
            return permitted
        }
    }

    /// A connection to a host. `initialize` gets the channel before it connects. Errors: ``Refusal``.
    func connect(
        _ host: Host, _ listed: ListedHost?, _ initialize: @escaping (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let initialize = NIOLoopBound(initialize, eventLoop: loop)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(10))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try initialize.value(channel) } }
        let bound = NIOLoopBound(bootstrap, eventLoop: loop)
        return addresses(of: host, listed).flatMap { addresses in Self.connect(bound, addresses[...], host) }
    }

    private static func connect(
        _ bootstrap: NIOLoopBound<ClientBootstrap>, _ addresses: ArraySlice<SocketAddress>, _ host: Host
    ) -> EventLoopFuture<any Channel> {
        let first = bootstrap.value.connect(to: addresses[addresses.startIndex])
        return first.flatMapError { error in
            let rest = addresses.dropFirst().prefix(4)
            guard rest.isEmpty else { return connect(bootstrap, rest, host) }
            let failure = error as? Refusal ?? Refusal(502, "\(host.authority) can't be reached: \(error)")
            return first.eventLoop.makeFailedFuture(failure)
        }
    }

    /// TLS of a connection to a host. Its certificate has to be valid for the host's name, or for its address.
    func clientTLS(_ host: Host) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: tls, serverHostname: Address(text: host.name) == nil ? host.name : nil)
    }
}

/// A connection to a server, and what was sent on it.
final class Upstream {
    let channel: any Channel
    let host: Host
    let encoder: RequestEncoder
    let handler: AnswerHandler
    var carriesSecret = false

    init(_ channel: any Channel, _ host: Host, _ encoder: RequestEncoder, _ handler: AnswerHandler) {
        (self.channel, self.host, self.encoder, self.handler) = (channel, host, encoder, handler)
    }

    func close() {
        handler.owner = nil
        channel.close(promise: nil)
    }
}
