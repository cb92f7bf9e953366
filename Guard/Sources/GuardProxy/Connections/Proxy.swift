// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// What all connections share. On the one event loop.
final class Proxy {
    /// Connections of the guest at once.
    static let connectionLimit = 1024
    /// Bytes of all bodies that wait.
    static let heldLimit = 32 << 20

    let configuration: Configuration
    let guardian: Guardian
    let authority: RunAuthority
    let rules: RequestRules
    let loop: any EventLoop
    private let threads: NIOThreadPool
    private let tls: NIOSSLContext
    /// Also HTTP/2.
    private let tls2: NIOSSLContext
    /// Of databases. Its authorities are read before the guest begins, which may be able to change their file. Nil:
    /// there is no base address of one.
    let databaseTLS: NIOSSLContext?
    private var handlers: [ObjectIdentifier: RequestHandler] = [:]
    /// Of PostgreSQL.
    var sessions: [ObjectIdentifier: PostgresHandler] = [:]
    /// Connections to servers that have no request.
    private var idle: [Host: [Upstream]] = [:]
    private var connections: [Host: ServerConnection] = [:]
    /// Of all hosts, also those that take no more requests.
    private var open: [ObjectIdentifier: ServerConnection] = [:]
    /// Those that are about to be there: requests that come together wait for one.
    private var connecting: [Host: EventLoopFuture<NIOLoopBound<ServerConnection?>>] = [:]
    let turns: SearchTurns
    /// What answers under way are searched for.
    var forms = SharedForms.Known()
    let guests = GuestConnections()
    var heldBytes = 0
    var handlerCount: Int { handlers.count }

    init(
        _ configuration: Configuration, _ guardian: Guardian, _ authority: RunAuthority, _ loop: any EventLoop,
        _ threads: NIOThreadPool
    ) throws {
        (self.configuration, self.guardian, self.authority) = (configuration, guardian, authority)
        (self.loop, self.threads) = (loop, threads)
        rules = RequestRules(configuration.placeholders)
        turns = SearchTurns(loop)
        var client = TLSConfiguration.makeClientConfiguration()
        client.applicationProtocols = ["http/1.1"]
        client.minimumTLSVersion = .tlsv12
        // Servers may leave the end of TLS unanswered. The default is 5 s.
        client.shutdownTimeout = .milliseconds(30)
        if let trust = configuration.trust { client.trustRoots = .file(trust) }
        tls = try NIOSSLContext(configuration: client)
        client.applicationProtocols = ["h2", "http/1.1"]
        tls2 = try NIOSSLContext(configuration: client)
        guard configuration.bases.contains(where: { $0.host.scheme == .postgres }) else {
            databaseTLS = nil
            return
        }
        client.applicationProtocols = ["postgresql"]
        if let trust = configuration.databaseTrust { client.trustRoots = .file(trust) }
        databaseTLS = try NIOSSLContext(configuration: client)
    }

    func register(_ handler: RequestHandler) { handlers[ObjectIdentifier(handler)] = handler }

    func forget(_ handler: RequestHandler) { handlers[ObjectIdentifier(handler)] = nil }

    func lock() {
        for handler in handlers.values { handler.lock() }
        for session in sessions.values { session.lock() }
        for upstream in idle.values.joined() where upstream.carriesSecret { upstream.cut() }
        for connection in open.values where connection.carriesSecret { connection.channel.cut() }
    }

    /// How long a connection without a request stays, and how long one is fresh enough for a request that can't be
    /// repeated if the server has ended it.
    private static let patience = (idle: TimeAmount.seconds(10), fresh: TimeAmount.seconds(2))
    private static let idleLimit = 32

    /// Keeps a connection for the next request to its host.
    func keep(_ upstream: Upstream) {
        upstream.handler.owner = nil
        guard upstream.connection == nil, upstream.channel.isActive,
            idle[upstream.host, default: []].count < Self.idleLimit
        else {
            return upstream.close()
        }
        // What waited for the guest to take more is read, so that its end is seen.
        upstream.handler.goOn()
        upstream.idleSince = .now()
        idle[upstream.host, default: []].append(upstream)
        let loop = loop.assumeIsolated()
        upstream.end = loop.scheduleTask(in: Self.patience.idle) { upstream.close() }
        upstream.channel.closeFuture.assumeIsolated().whenComplete { [weak self, weak upstream] _ in
            guard let self, let upstream else { return }
            upstream.end?.cancel()
            idle[upstream.host]?.removeAll { $0 === upstream }
        }
    }

    /// A kept connection. `mayRepeat`: the request can be sent again.
    func take(_ host: Host, mayRepeat: Bool) -> Upstream? {
        while let upstream = idle[host]?.popLast() {
            upstream.end?.cancel()
            let isFresh = NIODeadline.now() - upstream.idleSince < Self.patience.fresh
            if upstream.channel.isActive, mayRepeat || isFresh { return upstream }
            upstream.close()
        }
        return nil
    }

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
            guard !all.isEmpty else {
                let remedy = listed?.isOpened == false ? "--reach \(host.authority)=ADDRESS" : "allow --at ADDRESS"
                throw Refusal(502, "\(host.name) has no address; the guard can be given one: \(remedy)")
            }
            guard let own else { throw Refusal(502, "the networks of this machine can't be told") }
            let permitted = all.filter { one in
                Address(one).map { address in
                    address.isPublic && !own.contains { $0.contains(address) }
                } ?? false
            }
            guard !permitted.isEmpty else {
                let remedy =
                    listed == nil || listed?.isOpened == false
                    ? "--reach \(host.authority)=ADDRESS" : "allow --at ADDRESS"
                throw Refusal(
                    403,
                    "\(host.name) has no public address, but one of this machine, of its network or a reserved one; the guard can be told that it is meant: \(remedy)"
                )
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
            // Long answers come in fewer calls of the kernel. It grows with them alone.
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 256 << 10)
            )
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try initialize.value(channel) } }
        let bound = NIOLoopBound(bootstrap, eventLoop: loop)
        return addresses(of: host, listed).flatMap { addresses in Self.connect(bound, addresses[...], host) }
    }

    /// A stream of HTTP/2 to a host, or a connection of HTTP/1.1 if its server knows no other. Errors: ``Refusal``.
    /// `initialize` gets the channel, and whether it is a stream.
    func connectStream(
        _ host: Host, _ listed: ListedHost?, _ initialize: @escaping (any Channel, Bool) throws -> Void
    ) -> EventLoopFuture<Opened> {
        let initialize = NIOLoopBound(initialize, eventLoop: loop)
        if let known = connections[host], known.takesMore { return Self.stream(known, initialize) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        guard let waiting = connecting[host] else { return firstStream(host, listed, initialize) }
        return waiting.flatMap { made in
            // A connection of HTTP/1.1 is for one request at a time.
            guard made.value != nil else { return bound.value.firstStream(host, listed, initialize) }
            return bound.value.connectStream(host, listed, initialize.value)
        }
    }

    private func firstStream(
        _ host: Host, _ listed: ListedHost?, _ initialize: NIOLoopBound<(any Channel, Bool) throws -> Void>
    ) -> EventLoopFuture<Opened> {
        let promise = loop.makePromise(of: NIOLoopBound<ServerConnection?>.self)
        let connected = connect(host, listed) { [tls2, loop] channel in
            channel.closeFuture.whenComplete { _ in
                promise.fail(Refusal(502, "\(host.authority) has closed the connection"))
            }
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(try CertificateName.client(tls2, host))
            try operations.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    let made = Result {
                        guard result == .negotiated("h2") else {
                            try initialize.value(channel, false)
                            return NIOLoopBound<ServerConnection?>(nil, eventLoop: loop)
                        }
                        return NIOLoopBound<ServerConnection?>(try Self.begin(channel), eventLoop: loop)
                    }
                    promise.completeWith(made)
                    return channel.eventLoop.makeSucceededVoidFuture()
                })
            try operations.addHandler(FailureHandler { promise.fail(Refusal.of($0, host)) })
        }
        connected.cascadeFailure(to: promise)
        let bound = NIOLoopBound(self, eventLoop: loop)
        let made = promise.futureResult.always { result in
            bound.value.connecting[host] = nil
            if case .success(let made) = result, let connection = made.value {
                bound.value.connections[host] = connection
                let identifier = ObjectIdentifier(connection)
                bound.value.open[identifier] = connection
                connection.channel.closeFuture.whenComplete { _ in bound.value.open[identifier] = nil }
            }
        }
        connecting[host] = made
        return connected.and(made).flatMap { channel, made in
            guard let connection = made.value else {
                return channel.eventLoop.makeSucceededFuture(Opened(channel, nil))
            }
            return Self.stream(connection, initialize)
        }
    }

    /// What a request is sent on. For the one event loop.
    struct Opened: @unchecked Sendable {
        let channel: any Channel
        let connection: ServerConnection?

        init(_ channel: any Channel, _ connection: ServerConnection?) {
            (self.channel, self.connection) = (channel, connection)
        }
    }

    private static func begin(_ channel: any Channel) throws -> ServerConnection {
        let settings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 256 << 10),
        ]
        let handler = NIOHTTP2Handler(
            mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: Streams.connection(settings),
            streamConfiguration: Streams.configuration
        ) { pushed in pushed.close() }
        let last = StreamsEndHandler()
        try channel.pipeline.syncOperations.addHandlers([handler, last])
        let connection = ServerConnection(channel, try handler.syncMultiplexer())
        last.connection = connection
        return connection
    }

    private static func stream(
        _ connection: ServerConnection, _ initialize: NIOLoopBound<(any Channel, Bool) throws -> Void>
    ) -> EventLoopFuture<Opened> {
        connection.count += 1
        connection.end?.cancel()
        let bound = NIOLoopBound(connection, eventLoop: connection.channel.eventLoop)
        let made = connection.multiplexer.createStreamChannel { channel in
            channel.eventLoop.makeCompletedFuture { try initialize.value(channel, true) }
        }
        made.whenFailure { _ in ended(bound.value) }
        return made.map { channel in
            channel.closeFuture.whenComplete { _ in ended(bound.value) }
            return Opened(channel, bound.value)
        }
    }

    private static func ended(_ connection: ServerConnection) {
        connection.count -= 1
        guard connection.count == 0 else { return }
        let channel = connection.channel
        guard !connection.isEnding else { return channel.close(promise: nil) }
        connection.end = channel.eventLoop.scheduleTask(in: patience.idle) { channel.close(promise: nil) }
    }

    /// A connection for a tunnel that stays closed. Errors: ``Refusal``.
    func connectTunnel(_ host: Host, _ listed: ListedHost?, _ far: TunnelHandler) -> EventLoopFuture<any Channel> {
        connect(host, listed) { try far.add(to: $0) }
    }

    private static func connect(
        _ bootstrap: NIOLoopBound<ClientBootstrap>, _ addresses: ArraySlice<SocketAddress>, _ host: Host
    ) -> EventLoopFuture<any Channel> {
        let first = bootstrap.value.connect(to: addresses[addresses.startIndex])
        return first.flatMapError { error in
            let rest = addresses.dropFirst().prefix(4)
            guard rest.isEmpty else { return connect(bootstrap, rest, host) }
            return first.eventLoop.makeFailedFuture(Refusal.of(error, host))
        }
    }

    /// The salted password of a log-in, made beside the event loop.
    func salted(_ given: Given, _ challenge: ScramClient.Challenge) -> EventLoopFuture<SaltedPassword> {
        let password = SharedPassword(given)
        return threads.runIfActive(eventLoop: loop) {
            SaltedPassword(ScramClient.salted(password.given.secret, challenge))
        }
    }

    /// TLS of a connection to a host. Its certificate has to be valid for the host's name; for an address
    /// if the host is one.
    func clientTLS(_ host: Host) throws -> NIOSSLClientHandler { try CertificateName.client(tls, host) }
}

/// Tells errors.
private final class FailureHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let tell: (any Error) -> Void

    init(_ tell: @escaping (any Error) -> Void) { self.tell = tell }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tell(error)
        context.fireErrorCaught(error)
    }
}

/// A connection to a server, or a stream of one, and what was sent on it.
final class Upstream {
    let channel: any Channel
    let host: Host
    let encoder: RequestEncoder
    let handler: AnswerHandler
    /// Of a stream.
    let connection: ServerConnection?
    var carriesSecret = false { didSet { if carriesSecret { connection?.carriesSecret = true } } }
    /// Whether it has had a request before.
    var isUsed = false
    var idleSince = NIODeadline.now()
    /// Ends it while it has no request.
    var end: Scheduled<Void>?

    init(
        _ channel: any Channel, _ host: Host, _ encoder: RequestEncoder, _ handler: AnswerHandler,
        _ connection: ServerConnection? = nil
    ) {
        (self.channel, self.host, self.encoder, self.handler) = (channel, host, encoder, handler)
        self.connection = connection
    }

    func close() {
        handler.owner = nil
        channel.close(promise: nil)
    }

    /// Closes it at once.
    func cut() {
        handler.owner = nil
        channel.cut()
    }
}

extension Channel {
    /// Closes it without the end of TLS, which waits for the server's.
    func cut() {
        guard let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) else {
            return close(promise: nil)
        }
        tls.close(promise: nil)
    }
}

/// A password on its path to the thread that salts it.
// Reason: nothing changes it until the last reference is gone.
private final class SharedPassword: @unchecked Sendable {
    let given: Given

    init(_ given: Given) { self.given = given }
}

/// Overwritten with its last reference.
// Reason: nothing but its end changes it.
final class SaltedPassword: @unchecked Sendable {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    deinit { bytes.wipe() }
}
