// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// A connection of the guest whose requests the proxy reads: checks each, asks the guard, sends it rebuilt, and
/// searches the answer. One request at a time.
final class RequestHandler: ChannelDuplexHandler, Searching {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A body of at most so many bytes is searched before anything is sent; a longer one while it is sent.
    static let bodyHeld = 256 << 10

    /// Bytes of an answer that are written together.
    private static let passedTogether = 64 << 10

    private let proxy: Proxy
    private let origin: Origin
    private let encoder: ResponseEncoder
    /// Whether the guest speaks HTTP/2: so does the proxy then, if the server does.
    private let isStream: Bool
    private var context: ChannelHandlerContext?
    private var exchange: Exchange? {
        didSet {
            if oldValue == nil, exchange != nil {
                guest?.begin()
            } else if oldValue != nil, exchange == nil {
                guest?.end()
            }
        }
    }
    private var guest: GuestConnection?
    private var upstream: Upstream?
    /// The rest of what the guest sends is dropped until the connection closes.
    private var isDropping = false
    private var wantsRead = false
    /// What came from the guest, and is not looked at yet.
    private var arrived = CircularBuffer<Arrived>()
    var isWaiting = false
    /// What of an answer was searched and is not written yet: the parts that come together are written together.
    private var passed = ByteBuffer()
    private var lastPassed = 0

    init(_ proxy: Proxy, _ origin: Origin, _ encoder: ResponseEncoder, isStream: Bool = false) {
        (self.proxy, self.origin, self.encoder, self.isStream) = (proxy, origin, encoder, isStream)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guest = proxy.guests[isStream ? context.channel.parent ?? context.channel : context.channel]
        proxy.register(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        let isUnfinished = exchange != nil
        if let exchange { letGo(exchange) }
        exchange = nil
        if let upstream, !isUnfinished, !isDropping { proxy.keep(upstream) } else { upstream?.close() }
        upstream = nil
        arrived.removeAll()
        proxy.forget(self)
    }

    // MARK: Turns

    func searchNext(_ most: Int) -> Bool {
        guard mayGoOn() else { return false }
        if let exchange, let part = exchange.arrived.popFirst() {
            if case .body(var bytes) = part, exchange.search != nil, bytes.readableBytes > most,
                let piece = bytes.readSlice(length: most)
            {
                exchange.arrived.prepend(.body(bytes))
                answer(.body(piece))
            } else {
                answer(part)
            }
            return true
        }
        guard let part = arrived.popFirst() else { return false }
        if case .part(.body(var bytes)) = part, exchange?.bodySearch != nil, bytes.readableBytes > most,
            let piece = bytes.readSlice(length: most)
        {
            arrived.prepend(.part(.body(bytes)))
            take(piece)
        } else {
            receive(part)
        }
        return true
    }

    /// Whether a lock or a revoked grant ends the request before more of it or of its answer is passed on. False also
    /// while the guard is asked.
    private func mayGoOn() -> Bool {
        guard let exchange, exchange.isSent, !exchange.arrived.isEmpty || !arrived.isEmpty else { return true }
        guard !isLocked(exchange), !exchange.isChecking else { return false }
        return isGranted(exchange) { [weak self] in
            guard let self else { return }
            proxy.turns.search(self)
        }
    }

    /// Whether the grant is there that the request uses. False: the guard is asked, and `goOn` called if it still is.
    private func isGranted(_ exchange: Exchange, _ goOn: @escaping () -> Void) -> Bool {
        guard exchange.usesGrant, !proxy.guardian.isStill(exchange.checked) else { return true }
        guard !exchange.isChecking else { return false }
        exchange.isChecking = true
        let moment = proxy.guardian.now
        proxy.guardian.askAgain(question(exchange.request)) { [weak self] verdict in
            guard let self, self.exchange === exchange else { return }
            exchange.isChecking = false
            if case .refused(let status, let text) = verdict { return refuse(Refusal(status, text), isNoted: false) }
            exchange.checked = moment
            goOn()
        }
        return false
    }

    /// Ends what has a secret if a lock is there that the event loop has not come to yet.
    private func isLocked(_ exchange: Exchange) -> Bool {
        guard exchange.hasSecret, proxy.guardian.isLocking else { return false }
        lock()
        return true
    }

    func searched(isLate: Bool) {
        if isLate { flush() }
        // Reading may have waited for this.
        upstream?.handler.goOn()
        goOn()
    }

    // MARK: The guest's side

    /// What came from the guest.
    private enum Arrived {
        case part(HTTPServerRequestPart)
        case failed(any Error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived.append(.part(unwrapInboundIn(data)))
        proxy.turns.search(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        arrived.append(.failed(error))
        proxy.turns.search(self)
    }

    private func receive(_ one: Arrived) {
        switch one {
        // A stream ends when both sides have ended it. If it was closed here, the answer would be cut.
        case .part(.end) where isDropping && !isStream: context?.close(promise: nil)
        case .part where isDropping: break
        case .part(.head(let head)): begin(head)
        case .part(.body(let bytes)): take(bytes)
        case .part(.end(let trailers)): finish(trailers)
        case .failed(let error): fail(error)
        }
    }

    private func fail(_ error: any Error) {
        if let error = error as? Refusal, !isDropping { return refuse(error) }
        guard let error = error as? HTTPParserError, !isDropping else { return context?.close(promise: nil) ?? () }
        let isLong = error == .headerOverflow
        refuse(
            Refusal(
                isLong ? 431 : 400,
                isLong
                    ? "the head of the request has more than 64 KiB"
                    : "the request is not HTTP/1.1, or not clearly"))
        context?.close(promise: nil)
    }

    /// Nothing is read that the server doesn't take.
    func read(context: ChannelHandlerContext) {
        let isFull = exchange.map { !$0.isSent && $0.size >= Self.bodyHeld } ?? false
        if isFull || !arrived.isEmpty || upstream?.channel.isWritable == false {
            wantsRead = true
        } else {
            context.read()
        }
    }

    func goOn() {
        guard wantsRead, let context else { return }
        wantsRead = false
        read(context: context)
    }

    /// Whether the guest takes more of an answer.
    var takesMore: Bool { exchange?.arrived.isEmpty ?? true && context?.channel.isWritable ?? true }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { upstream?.handler.goOn() }
        context.fireChannelWritabilityChanged()
    }

    func flush() {
        writePassed()
        context?.flush()
    }

    /// Forgets what a request and its answer have.
    private func letGo(_ exchange: Exchange) {
        proxy.heldBytes -= exchange.held
        exchange.held = 0
        exchange.wipe()
    }

    private func begin(_ head: HTTPRequestHead) {
        guard !isStream || proxy.handlerCount <= Proxy.connectionLimit else {
            return refuse(Refusal(503, "there are more than \(Proxy.connectionLimit) requests at once"))
        }
        let request: CheckedRequest
        do { request = try proxy.rules.check(head, origin) } catch {
            return refuse(error, head.method.rawValue, String(head.uri.prefix { $0 != "?" }))
        }
        let exchange = Exchange(request, isHTTP11: head.version == .http1_1)
        self.exchange = exchange
        let listed = proxy.configuration.listed(request.host)
        guard let listed, listed.isOpened else {
            guard listed != nil || proxy.configuration.isOpen else {
                return refuse(.forbidden("\(request.host.description) is not granted"))
            }
            guard request.found.isEmpty else {
                return refuse(.forbidden("there is no grant for a placeholder at \(request.host.description)"))
            }
            return allowed(exchange, [])
        }
        exchange.bodySearch = AnswerSearch(lookingFor: proxy.rules.forms)
        ask(exchange)
    }

    private func ask(_ exchange: Exchange) {
        let request = exchange.request
        let others = request.found.isEmpty && !isBase ? [] : request.otherPaths
        ask(exchange, [request.path] + others, [])
    }

    private var isBase: Bool { if case .base = origin { true } else { false } }

    /// Asks about each of the paths. What the first of the answers gives is used.
    private func ask(_ exchange: Exchange, _ paths: [String], _ given: [Given]) {
        guard let path = paths.first else { return allowed(exchange, given) }
        let request = exchange.request
        if given.isEmpty { exchange.checked = proxy.guardian.now }
        exchange.usesGrant = isBase || !request.found.isEmpty
        proxy.guardian.ask(question(request, path)) { [weak self] verdict in
            guard let self, self.exchange === exchange else { return }
            switch verdict {
            case .refused(let status, let text): refuse(Refusal(status, text), isNoted: false)
            case .allowed(let more): ask(exchange, Array(paths.dropFirst()), path == request.path ? more : given)
            }
        }
    }

    private func question(_ request: CheckedRequest, _ path: String? = nil) -> Question {
        var number: UInt16 = 0
        if case .base(let base, _) = origin { number = base }
        return Question(
            base: number, host: request.host, method: request.method, path: path ?? request.path, found: request.found)
    }

    private func allowed(_ exchange: Exchange, _ given: [Given]) {
        exchange.given = given.filter { $0.place != nil }
        if !given.isEmpty {
            exchange.search = AnswerSearch(
                proxy.forms.forms(given.map(\.secret)), given.map { Array($0.placeholder.utf8) })
        }
        exchange.isAllowed = true
        if exchange.request.expectsContinue, !exchange.hasEnded, exchange.size == 0 {
            write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
            flush()
        }
        let host = exchange.request.host
        if let upstream, upstream.host == host, upstream.channel.isActive { return advance() }
        upstream?.close()
        upstream = exchange.isRepeated ? nil : proxy.take(host, mayRepeat: exchange.mayRepeat)
        guard let upstream else { return connect(host, exchange) }
        upstream.handler.owner = self
        advance()
    }

    private func connect(_ host: Host, _ exchange: Exchange) {
        let encoder = RequestEncoder()
        let handler = AnswerHandler(self)
        let proxy = proxy
        let listed = proxy.configuration.listed(host)
        let addHTTP1 = { (channel: any Channel) throws in
            let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)
            try channel.pipeline.syncOperations.addHandlers([encoder, ByteToMessageHandler(decoder), handler])
        }
        let connected: EventLoopFuture<Proxy.Opened>
        if isStream, host.scheme == .https {
            connected = proxy.connectStream(host, listed) { channel, isStream in
                guard isStream else { return try addHTTP1(channel) }
                try channel.pipeline.syncOperations.addHandlers([ServerStreamHandler(encoder), handler])
            }
        } else {
            connected = proxy.connect(host, listed) { channel in
                if host.scheme == .https {
                    try channel.pipeline.syncOperations.addHandler(try proxy.clientTLS(host))
                }
                try addHTTP1(channel)
            }.map { Proxy.Opened($0, nil) }
        }
        connected.assumeIsolated().whenComplete { [weak self] result in
            guard let self, self.exchange === exchange else {
                if case .success(let opened) = result { opened.channel.close(promise: nil) }
                return
            }
            switch result {
            case .success(let opened):
                upstream = Upstream(opened.channel, host, encoder, handler, opened.connection)
                advance()
            case .failure(let error): refuse(.of(error, host))
            }
        }
    }

    private func take(_ bytes: ByteBuffer) {
        guard let exchange else { return }
        if exchange.hasPlaceholder(in: bytes) {
            return refuse(.forbidden("a placeholder is in the body of the request, where no grant puts a secret in"))
        }
        exchange.size += bytes.readableBytes
        guard exchange.isSent else {
            guard proxy.heldBytes + bytes.readableBytes <= Proxy.heldLimit else {
                return refuse(Refusal(503, "the bodies of requests that wait have more than 32 MiB"))
            }
            proxy.heldBytes += bytes.readableBytes
            exchange.held += bytes.readableBytes
            exchange.parts.append(bytes)
            return advance()
        }
        upstream?.channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(bytes)), promise: nil)
    }

    private func finish(_ trailers: HTTPHeaders?) {
        guard let exchange else { return }
        for (name, value) in trailers ?? [:] where proxy.rules.contains(name) || proxy.rules.contains(value) {
            return refuse(.forbidden("a placeholder is in a trailer of the request"))
        }
        exchange.hasEnded = true
        if exchange.isSent {
            upstream?.channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        } else {
            advance()
        }
    }

    /// Sends the request if all that it takes is there.
    private func advance() {
        guard let exchange, let upstream, exchange.isAllowed, !exchange.isSent,
            exchange.hasEnded || exchange.size >= Self.bodyHeld
        else { return }
        // Connecting may have taken long.
        guard isGranted(exchange, { [weak self] in self?.advance() }) else { return }
        let request = exchange.request
        do { upstream.encoder.head = try RequestHead.bytes(request, exchange.given) } catch { return refuse(error) }
        upstream.encoder.framing.isChunked = request.body == .chunked
        if !exchange.given.isEmpty { upstream.carriesSecret = true }
        exchange.isSent = true
        exchange.isReused = upstream.isUsed
        upstream.isUsed = true
        let head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: "/")
        upstream.channel.write(HTTPClientRequestPart.head(head), promise: nil)
        for part in exchange.parts {
            upstream.channel.write(HTTPClientRequestPart.body(.byteBuffer(part)), promise: nil)
        }
        exchange.parts = []
        proxy.heldBytes -= exchange.held
        exchange.held = 0
        if exchange.hasEnded { upstream.channel.write(HTTPClientRequestPart.end(nil), promise: nil) }
        upstream.channel.flush()
        // What was searched for is in the answer from here on.
        exchange.given = []
        goOn()
    }

    // MARK: The server's side

    /// What comes from the server, or that nothing more does.
    enum Answer {
        case head(HTTPResponseHead)
        case body(ByteBuffer)
        case end(HTTPHeaders?)
        case failed(any Error)
        case closed
    }

    /// Its turn comes when all before it is searched.
    func serverSays(_ part: Answer) {
        guard let exchange else { return answer(part) }
        exchange.arrived.append(part)
        proxy.turns.search(self)
    }

    private func answer(_ part: Answer) {
        switch part {
        case .head(let head): answerBegins(head)
        case .body(let bytes): answerGoesOn(bytes)
        case .end(let trailers): answerEnds(trailers)
        case .failed(let error): serverFailed(error)
        case .closed: serverClosed()
        }
    }

    private func answerBegins(_ head: HTTPResponseHead) {
        // An answer that was not asked for would reach the next request before it is known what to search for.
        guard let exchange, exchange.isSent, !exchange.isAnswering else { return dropServer() }
        do throws(Refusal) { try AnswerRules.check(head, isSearched: exchange.search != nil) } catch {
            return refuse(error)
        }
        exchange.isAnswering = true
        exchange.isServerKept = head.isKeepAlive
        let status = Int(head.status.code)
        let hasBody = exchange.request.method != "HEAD" && status != 204 && status != 304
        var headers = HTTPHeaders(AnswerRules.passed(head.headers))
        headers = exchange.replaced(headers)
        let length = head.headers["content-length"]
        encoder.framing.isChunked = false
        if hasBody || status == 204 { headers.remove(name: "content-length") }
        if hasBody {
            if exchange.search == nil, length.count == 1 {
                headers.add(name: "Content-Length", value: length[0])
            } else if exchange.isHTTP11 {
                headers.add(name: "Transfer-Encoding", value: "chunked")
                encoder.framing.isChunked = true
            } else {
                exchange.isKept = false
            }
        }
        if !exchange.isKept { headers.add(name: "Connection", value: "close") }
        let reason = exchange.replaced(head.status.reasonPhrase)
        // Written with what follows: until then, an answer that breaks off is refused with a reason.
        exchange.head = HTTPResponseHead(
            version: .http1_1, status: .custom(code: head.status.code, reasonPhrase: reason), headers: headers)
    }

    private func answerGoesOn(_ bytes: ByteBuffer) {
        guard let exchange, exchange.isAnswering else { return }
        guard exchange.search != nil else {
            writePassed()
            return write(.body(.byteBuffer(bytes)))
        }
        if passed.capacity == 0 { passed.reserveCapacity(max(bytes.readableBytes, lastPassed)) }
        exchange.search?.feed(bytes, into: &passed)
        guard !isLocked(exchange) else { return }
        if passed.readableBytes >= Self.passedTogether { writePassed() }
    }

    private func writePassed() {
        if let exchange, exchange.head != nil || passed.readableBytes > 0, isLocked(exchange) { return }
        if let exchange, let head = exchange.head {
            (exchange.head, exchange.isHeadWritten) = (nil, true)
            write(.head(head))
        }
        guard passed.readableBytes > 0 else { return }
        lastPassed = passed.readableBytes
        write(.body(.byteBuffer(passed)))
        passed = ByteBuffer()
    }

    private func answerEnds(_ trailers: HTTPHeaders?) {
        guard let exchange, exchange.isAnswering else { return }
        exchange.search?.finish(into: &passed)
        guard !isLocked(exchange) else { return }
        writePassed()
        let replaced = trailers.map { exchange.replaced(HTTPHeaders(AnswerRules.passed($0))) }
        tellFound(exchange)
        let isKept = exchange.isKept && exchange.hasEnded
        // What comes behind an answer was not asked for.
        if !exchange.isServerKept || !exchange.hasEnded || !exchange.arrived.isEmpty {
            upstream?.close()
            upstream = nil
        }
        letGo(exchange)
        self.exchange = nil
        // Before the end is written: that delivers the next request.
        isDropping = !isKept
        let written = context?.eventLoop.makePromise(of: Void.self)
        context?.writeAndFlush(wrapOutboundOut(.end(replaced)), promise: written)
        guard !isKept else { return }
        written?.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.context?.close(promise: nil) }
    }

    private func tellFound(_ exchange: Exchange) {
        guard let count = exchange.search?.count, count > 0 else { return }
        let request = exchange.request
        proxy.guardian.note(
            request.host, request.method, request.path, "the secret was in the answer, and was taken out")
    }

    private func serverFailed(_ error: any Error) {
        dropServer()
        guard let exchange else { return }
        guard !exchange.isHeadWritten else { return abort() }
        guard exchange.isAnswering || !askAgain(exchange) else { return }
        refuse(.of(error, exchange.request.host))
    }

    private func serverClosed() {
        upstream = nil
        guard let exchange, exchange.isSent else { return }
        guard !exchange.isHeadWritten else { return abort() }
        guard !exchange.isAnswering else {
            return refuse(Refusal(502, "\(exchange.request.host.authority) has closed the connection in its answer"))
        }
        guard !askAgain(exchange) else { return }
        guard !exchange.isReused else { return abort() }
        refuse(Refusal(502, "\(exchange.request.host.authority) has closed the connection"))
    }

    /// The server ended a connection that had waited, before it saw the request: a request of its own to the guard.
    private func askAgain(_ exchange: Exchange) -> Bool {
        guard exchange.isReused, exchange.mayRepeat, exchange.hasEnded, !exchange.isRepeated else { return false }
        exchange.isRepeated = true
        (exchange.isSent, exchange.isAllowed, exchange.isReused) = (false, false, false)
        letGo(exchange)
        exchange.search = nil
        if proxy.configuration.listed(exchange.request.host)?.isOpened == true {
            ask(exchange)
        } else {
            allowed(exchange, [])
        }
        return true
    }

    /// Ends both connections, so that the guest sees that the answer is not whole.
    private func abort() {
        passed = ByteBuffer()
        if let exchange { tellFound(exchange) }
        if let exchange { letGo(exchange) }
        exchange = nil
        isDropping = true
        context?.close(promise: nil)
    }

    func lock() {
        if let upstream, upstream.carriesSecret {
            upstream.cut()
            upstream.connection?.channel.cut()
            self.upstream = nil
        }
        // A secret that is not sent yet, or searched for, is given up also.
        guard let exchange, exchange.hasSecret || exchange.isSent && upstream == nil else { return }
        upstream?.close()
        upstream = nil
        if exchange.isHeadWritten { abort() } else { refuse(.forbidden("locked")) }
    }

    private func dropServer() {
        upstream?.close()
        upstream = nil
    }

    // MARK: Refusals

    private func refuse(
        _ refusal: Refusal, _ method: String? = nil, _ path: String? = nil, isNoted: Bool = true
    ) {
        let request = exchange?.request
        if isNoted {
            var host = request?.host
            if case .tunnel(let tunnel) = origin { host = host ?? tunnel }
            proxy.guardian.note(host, request?.method ?? method ?? "", request?.path ?? path ?? "", refusal.text)
        }
        let isHeadWritten = exchange?.isHeadWritten == true
        let hasEnded = exchange?.hasEnded == true
        let isKept = hasEnded && exchange?.isKept == true
        if exchange?.isSent == true || upstream?.channel.isActive != true {
            upstream?.close()
            upstream = nil
        }
        if let exchange { letGo(exchange) }
        exchange = nil
        passed = ByteBuffer()
        guard !isHeadWritten else { return abort() }
        let body = "zamok guard: \(refusal.text)\n"
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.utf8.count)",
        ]
        if !isKept { headers.add(name: "Connection", value: "close") }
        encoder.framing.isChunked = false
        write(
            .head(
                HTTPResponseHead(
                    version: .http1_1, status: HTTPResponseStatus(statusCode: Int(refusal.status)), headers: headers)))
        write(.body(.byteBuffer(ByteBuffer(string: body))))
        isDropping = !isKept
        let written = context?.eventLoop.makePromise(of: Void.self)
        context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        guard !isKept else { return }
        // The rest of the request is read, so that the guest gets the answer.
        guard !hasEnded || isStream else {
            written?.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.context?.close(promise: nil) }
            return
        }
        let loop = proxy.loop
        loop.assumeIsolated().scheduleTask(in: .seconds(3)) { [weak self] in self?.context?.close(promise: nil) }
    }

    private func write(_ part: HTTPServerResponsePart) { context?.write(wrapOutboundOut(part), promise: nil) }
}

/// One request and its answer.
final class Exchange {
    let request: CheckedRequest
    let isHTTP11: Bool
    var given: [Given] = []
    var isAllowed = false
    /// What of the body is not sent yet, and its bytes.
    var parts: [ByteBuffer] = []
    var held = 0
    var size = 0
    var hasEnded = false
    var isSent = false
    /// The connection to the server had a request before; this one was asked about twice.
    var isReused = false
    var isRepeated = false
    /// A secret is put in by a grant, which has to be there while anything is passed on: when the guard was asked, and
    /// whether it is just now.
    var usesGrant = false
    var checked = Guardian.Moment.distantPast
    var isChecking = false
    var isAnswering = false
    /// Of the answer, until it is written.
    var head: HTTPResponseHead?
    var isHeadWritten = false
    /// What came from the server, and is not searched yet.
    var arrived = CircularBuffer<RequestHandler.Answer>()
    var isServerKept = false
    var isKept: Bool
    var bodySearch: AnswerSearch?
    var search: AnswerSearch?

    init(_ request: CheckedRequest, isHTTP11: Bool) {
        (self.request, self.isHTTP11, isKept) = (request, isHTTP11, request.isKeptAlive)
    }

    func hasPlaceholder(in bytes: ByteBuffer) -> Bool {
        var passed = ByteBuffer()
        bodySearch?.feed(bytes, into: &passed)
        return (bodySearch?.count ?? 0) > 0
    }

    /// Whether it can be sent again: safe or idempotent (RFC 9110, 9.2), and without a body.
    var mayRepeat: Bool {
        ["GET", "HEAD", "OPTIONS", "DELETE"].contains(request.method)
            && (request.body == .none || request.body == .length(0))
    }

    var hasSecret: Bool { search != nil || !given.isEmpty }

    func replaced(_ text: String) -> String { search?.replaced(text) ?? text }

    /// Fields of an answer, each searched by itself and together with its name. Those with bytes that are no text are
    /// left out.
    func replaced(_ fields: HTTPHeaders) -> HTTPHeaders {
        guard search != nil else { return fields }
        var result = HTTPHeaders()
        for (name, value) in fields where !(name + value).unicodeScalars.contains("\u{FFFD}") {
            let field = (replaced(name), replaced(value))
            let before = search?.count
            for joined in ["\(field.0):\(field.1)", "\(field.0)\(field.1)"] { _ = replaced(joined) }
            if before == search?.count { result.add(name: field.0, value: field.1) }
        }
        return result
    }

    func wipe() {
        search?.wipe()
        given = []
    }
}

/// Which answers can be passed on.
enum AnswerRules {
    private static let own: Set<String> = [
        "connection", "proxy-connection", "proxy-authenticate", "keep-alive", "te", "trailer", "transfer-encoding",
        "upgrade", "alt-svc",
    ]

    static func check(_ head: HTTPResponseHead, isSearched: Bool) throws(Refusal) {
        guard head.status.code != 101 else { throw Refusal(502, "the server changed to another protocol") }
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw Refusal(502, "the answer's Transfer-Encoding is not chunked")
        }
        guard (200...999).contains(head.status.code) else {
            throw Refusal(502, "the answer's status is not a number of three digits from 200 on")
        }
        guard isSearched else { return }
        guard head.headers["content-encoding"].allSatisfy({ $0.lowercased() == "identity" }) else {
            throw Refusal(
                502, "the answer is compressed though it was asked not to be, and can't be searched for the secret")
        }
        let isPart = head.headers["content-type"].contains { $0.lowercased().contains("multipart/byteranges") }
        let hasRange = head.headers.contains(name: "content-range") && head.status.code != 416
        guard head.status.code != 206, !isPart, !hasRange else {
            throw Refusal(502, "a part of an answer can't be searched for the secret")
        }
    }

    /// Without the fields that concern one connection alone.
    static func passed(_ headers: HTTPHeaders) -> [(String, String)] {
        headers.filter { !own.contains($0.name.lowercased()) }.map { ($0.name, $0.value) }
    }
}
