// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A session of the guest at a base address of PostgreSQL. The guest is asked for no password: the proxy logs in at the
/// server, and then passes on what both say.
final class PostgresHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Stage { case beginning, waiting, open, ended }

    /// Until a session is open.
    private static let patience = TimeAmount.seconds(60)

    private let proxy: Proxy
    private let number: UInt16
    private let base: Base
    private var stage = Stage.beginning
    private var bytes: [UInt8] = []
    private var context: ChannelHandlerContext?
    private var server: PostgresServerHandler?
    private var start: PostgresStart?
    private var end: Scheduled<Void>?
    private var wantsRead = false
    /// When the guard was last asked about what it permits.
    private var checked = Guardian.Moment.distantPast
    private var isChecking = false
    /// What the guest said while the guard is asked.
    private var held: [ByteBuffer] = []
    /// What the server said meanwhile, and whether it has closed the connection behind it.
    private var heldAnswers: [ByteBuffer] = []
    private var isServerClosed = false
    /// What the guest has had are whole messages.
    private var isGuestWhole = true

    init(_ proxy: Proxy, _ number: UInt16, _ base: Base) {
        (self.proxy, self.number, self.base) = (proxy, number, base)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        proxy.sessions[ObjectIdentifier(self)] = self
        let loop = context.eventLoop.assumeIsolated()
        end = loop.scheduleTask(in: Self.patience) { [weak self] in
            self?.refuse(Refusal(504, "the log-in takes too long"))
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        letGo()
    }

    func channelInactive(context: ChannelHandlerContext) {
        letGo()
        context.fireChannelInactive()
    }

    private func letGo() {
        stage = .ended
        end?.cancel()
        server?.finish()
        server = nil
        (held, heldAnswers) = ([], [])
        proxy.sessions[ObjectIdentifier(self)] = nil
    }

    // MARK: The guest's side

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let more = unwrapInboundIn(data)
        switch stage {
        case .beginning:
            bytes += more.readableBytesView
            begin(context)
        case .open: pass(more)
        case .waiting: refuse(.malformed("the client sent more than it may before it is answered"))
        case .ended: break
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        // A client asks for TLS once and for GSSAPI once at most.
        for _ in 0..<3 {
            switch StartMessage(bytes) {
            case .undecided: return
            case .malformed(let text): return refuse(.malformed(text))
            case .encryption:
                bytes.removeFirst(StartMessage.encryptionSize)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "N")), promise: nil)
            case .cancel(let key):
                stage = .waiting
                return cancel(key)
            case .start(let start):
                (stage, bytes, self.start) = (.waiting, [], start)
                return ask(start)
            }
        }
        refuse(.malformed("the client asks for encryption again and again"))
    }

    private func question(_ start: PostgresStart) -> Question {
        Question(
            base: number, host: base.host, method: Question.connect, path: "/\(start.database)",
            found: [Found(placeholder: "", place: .postgres(start.user))])
    }

    private func ask(_ start: PostgresStart) {
        checked = proxy.guardian.now
        proxy.guardian.ask(question(start)) { [weak self] verdict in
            guard let self, stage == .waiting else { return }
            switch verdict {
            case .refused(let status, let text): refuse(Refusal(status, text), isNoted: false)
            case .allowed(let given): connect(start, given)
            }
        }
    }

    private func connect(_ start: PostgresStart, _ given: [Given]) {
        guard let password = given.first(where: { $0.place == .postgres(start.user) }) else {
            return refuse(.forbidden("the guard gave no password"))
        }
        let search = AnswerSearch(proxy.forms.forms(given.map(\.secret)), given.map { Array($0.placeholder.utf8) })
        let server = PostgresServerHandler(proxy, base.host, .session(start, password, search), self)
        self.server = server
        connect(server)
    }

    private func connect(_ server: PostgresServerHandler) {
        let host = base.host
        let connected = proxy.connect(host, proxy.configuration.listed(host)) { channel in
            try channel.pipeline.syncOperations.addHandler(server)
        }
        connected.assumeIsolated().whenComplete { [weak self] result in
            guard let self, stage == .waiting else {
                if case .success(let channel) = result { channel.close(promise: nil) }
                return
            }
            if case .failure(let error) = result { refuse(.of(error, host)) }
        }
    }

    /// Only sessions of this guest can be asked to end what they do: the server isn't told of others.
    private func cancel(_ key: [UInt8]) {
        let own = proxy.sessions.values.contains { $0.number == number && $0.server?.cancelKey == key }
        guard own else { return refuse(.forbidden("a request to cancel is for no session of this guest")) }
        let server = PostgresServerHandler(proxy, base.host, .cancel(key), self)
        self.server = server
        connect(server)
    }

    private func pass(_ more: ByteBuffer) {
        held.append(more)
        guard isFresh else { return check() }
        passHeld()
    }

    private func passHeld() {
        for part in held { server?.write(part) }
        held = []
    }

    private var isFresh: Bool { !isChecking && proxy.guardian.isStill(checked) }

    /// Asks whether the grant is still there; a lock is told without being asked. Until then nothing is passed on.
    private func check() {
        guard !isChecking, let start else { return }
        isChecking = true
        let moment = proxy.guardian.now
        proxy.guardian.askAgain(question(start)) { [weak self] verdict in
            guard let self, stage == .open else { return }
            isChecking = false
            if case .refused(_, let text) = verdict { return refuse(.forbidden(text), isNoted: false) }
            checked = moment
            passHeld()
            for part in heldAnswers { context?.write(wrapOutboundOut(part), promise: nil) }
            heldAnswers = []
            isGuestWhole = server?.isWhole ?? true
            server?.flush()
            flush()
            guard !isServerClosed else { return close() }
            resume()
            server?.resume()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { server?.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Nothing is read that the server doesn't take.
    func read(context: ChannelHandlerContext) {
        if isChecking || server?.takesMore == false { wantsRead = true } else { context.read() }
    }

    func resume() {
        guard wantsRead, let context else { return }
        wantsRead = false
        context.read()
    }

    var takesMore: Bool { heldAnswers.isEmpty && context?.channel.isWritable ?? true }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { server?.resume() }
        context.fireChannelWritabilityChanged()
    }

    // MARK: The server's side

    func opened() {
        guard stage == .waiting, let start else { return }
        stage = .open
        end?.cancel()
        write(ByteBuffer(bytes: (start.negotiation ?? []) + PostgresMessage.authenticated))
    }

    func write(_ bytes: ByteBuffer) {
        guard stage != .ended else { return }
        guard stage != .open || isFresh else {
            heldAnswers.append(bytes)
            return check()
        }
        context?.write(wrapOutboundOut(bytes), promise: nil)
        isGuestWhole = server?.isWhole ?? true
    }

    func flush() { context?.flush() }

    func serverClosed() {
        guard stage != .ended else { return }
        guard stage == .open || start == nil else {
            return refuse(Refusal(502, "\(base.host.authority) has closed the connection"))
        }
        server = nil
        if heldAnswers.isEmpty { close() } else { isServerClosed = true }
    }

    func lock() { if server != nil { refuse(.forbidden("locked"), isNoted: false) } }

    private func close() {
        stage = .ended
        context?.writeAndClose(wrapOutboundOut(ByteBuffer()))
    }

    /// Ends the session, and tells the client why if it can be told.
    ///
    /// `canTell`: no message of the server is begun; nil: as far as is known here.
    func refuse(_ refusal: Refusal, isNoted: Bool = true, canTell: Bool? = nil) {
        guard stage != .ended else { return }
        let path = start.map { "/\($0.database)" } ?? ""
        if isNoted { proxy.guardian.note(base.host, Question.connect, path, refusal.text) }
        let canTell = heldAnswers.isEmpty ? canTell ?? (stage != .open || server?.isWhole == true) : isGuestWhole
        let code = stage == .open ? "57P01" : "28000"
        stage = .ended
        end?.cancel()
        (held, heldAnswers) = ([], [])
        server?.close()
        server = nil
        let bytes = canTell ? ByteBuffer(bytes: PostgresMessage.fatal(refusal.text, code: code)) : ByteBuffer()
        context?.writeAndClose(wrapOutboundOut(bytes))
    }
}
