// SPDX-License-Identifier: Apache-2.0

import Crypto
import NIOCore
import NIOSSL
import NIOTLS
import SwiftASN1
import X509

/// The end of a session at a server of PostgreSQL: TLS, the log-in, then what the server says, searched.
final class PostgresServerHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Purpose {
        case session(PostgresStart, Given, AnswerSearch)
        case cancel([UInt8])
    }

    private enum Stage { case asking, handshake, login, open }

    private static let found = "the password was in what the server said, and the session was ended"

    private let proxy: Proxy
    private let host: Host
    private var purpose: Purpose
    private weak var owner: PostgresHandler?
    private var context: ChannelHandlerContext?
    private var stage = Stage.asking
    private var login = PostgresLogin(.none)
    private var answers: PostgresAnswers?
    private var wantsRead = false
    private var isSalting = false

    init(_ proxy: Proxy, _ host: Host, _ purpose: Purpose, _ owner: PostgresHandler) {
        (self.proxy, self.host, self.purpose, self.owner) = (proxy, host, purpose, owner)
    }

    var cancelKey: [UInt8]? { answers?.cancelKey }
    var isWhole: Bool { answers?.isWhole ?? true }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        answers?.wipe()
        purpose = .cancel([])
    }

    func channelActive(context: ChannelHandlerContext) {
        send(PostgresMessage.tlsRequest)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch stage {
        case .asking: tlsAnswer(bytes, context)
        case .handshake: break
        case .login:
            login.append(bytes.readableBytesView)
            guard login.rest.count <= 2 * PostgresLogin.limit else { return fail("the log-in is too long") }
            // While the password is salted, what comes waits.
            if !isSalting { goOn() }
        case .open: pass(bytes)
        }
    }

    private func tlsAnswer(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let answer = bytes.readableBytesView.first
        // An error of any length. It may be of any program between, so what it says isn't told.
        guard answer != UInt8(ascii: "E") else { return fail("the server refuses the connection before TLS") }
        // Bytes behind the answer would be taken for what TLS protects.
        guard bytes.readableBytes == 1 else {
            return fail("the server sent more than an answer to the question for TLS")
        }
        switch answer {
        case UInt8(ascii: "S"):
            stage = .handshake
            do {
                guard let tls = proxy.databaseTLS else { return fail("no authorities of databases are known") }
                let handler = try CertificateName.client(tls, host)
                try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
            } catch { fail(.of(error, host)) }
        case UInt8(ascii: "N"):
            guard context.remoteAddress.flatMap(Address.init)?.isLoopback == true else {
                return fail("the server has no TLS, and is not on this machine")
            }
            begin(.none)
        default: fail("the server gives no answer of PostgreSQL to the question for TLS")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent, stage == .handshake else {
            return context.fireUserInboundEventTriggered(event)
        }
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()?.toDERBytes()
        begin(certificate.flatMap(Self.endPoint).map { .certificate($0) } ?? .none)
    }

    /// The hash of a certificate for tls-server-end-point (RFC 5929, 4.1). Nil: none is specified for its signature.
    static func endPoint(_ certificate: [UInt8]) -> [UInt8]? {
        guard let algorithm = try? Certificate(derEncoded: certificate).signatureAlgorithm else { return nil }
        switch algorithm {
        case .ecdsaWithSHA256, .sha256WithRSAEncryption, .sha1WithRSAEncryption:
            return Array(SHA256.hash(data: certificate))
        case .ecdsaWithSHA384, .sha384WithRSAEncryption: return Array(SHA384.hash(data: certificate))
        case .ecdsaWithSHA512, .sha512WithRSAEncryption: return Array(SHA512.hash(data: certificate))
        default: return nil
        }
    }

    private func begin(_ binding: ScramClient.Binding) {
        switch purpose {
        case .cancel(let key):
            stage = .open
            send(PostgresMessage.cancel(key))
        case .session(let start, _, let search):
            answers = PostgresAnswers(search) { [guardian = proxy.guardian] in guardian.isLocking }
            (stage, login) = (.login, PostgresLogin(binding))
            send(start.bytes)
        }
    }

    private func goOn() {
        do throws(Refusal) {
            while let step = try login.next() {
                switch step {
                case .wait: continue
                case .send(let bytes): send(bytes)
                case .salt(let challenge): return salt(challenge)
                case .done: return done()
                }
            }
        } catch { fail(error) }
    }

    /// The text of an error of the server may have what it knows.
    private func searched(_ refusal: Refusal) -> Refusal {
        guard case .session(_, _, var search) = purpose else { return refusal }
        return Refusal(refusal.status, search.replaced(refusal.text))
    }

    private func salt(_ challenge: ScramClient.Challenge) {
        guard case .session(_, let given, _) = purpose else { return }
        isSalting = true
        proxy.salted(given, challenge).assumeIsolated().whenComplete { [weak self] result in
            guard let self, context != nil else { return }
            isSalting = false
            do {
                send(try login.answer(try result.get().bytes))
                goOn()
            } catch { fail(.of(error, host)) }
        }
    }

    private func done() {
        stage = .open
        // The password is not needed any more: the answers are searched for forms of their own.
        purpose = .cancel([])
        owner?.opened()
        let rest = login.rest
        login = PostgresLogin(.none)
        if !rest.isEmpty { pass(ByteBuffer(bytes: rest)) }
        owner?.flush()
    }

    private func pass(_ bytes: ByteBuffer) {
        var output = ByteBuffer()
        do {
            try answers?.feed(bytes, into: &output)
            owner?.write(output)
        } catch let found as PostgresAnswers.Found {
            if let whole = found.whole { owner?.write(whole) }
            owner?.refuse(.forbidden(Self.found), canTell: found.whole != nil)
        } catch let locked as PostgresAnswers.Locked {
            owner?.refuse(.forbidden("locked"), isNoted: false, canTell: locked.isBetweenMessages)
        } catch { fail(.of(error, host)) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { owner?.flush() }

    func channelInactive(context: ChannelHandlerContext) {
        owner?.serverClosed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A server may end TLS without saying so, when all is said.
        if error as? NIOSSLError == .uncleanShutdown, stage == .open { return context.close(promise: nil) }
        fail(.of(error, host))
    }

    private func fail(_ text: String) { fail(Refusal(502, text)) }

    private func fail(_ refusal: Refusal) {
        let owner = owner
        self.owner = nil
        owner?.refuse(searched(refusal))
        close()
    }

    // MARK: To the server

    private func send(_ bytes: [UInt8]) {
        context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    func write(_ bytes: ByteBuffer) { context?.write(wrapOutboundOut(bytes), promise: nil) }

    func flush() { context?.flush() }

    /// Closes when what was written is sent.
    func finish() {
        owner = nil
        context?.writeAndClose(wrapOutboundOut(ByteBuffer()))
    }

    func close() {
        owner = nil
        context?.channel.cut()
    }

    var takesMore: Bool { context?.channel.isWritable ?? true }

    /// Nothing is read that the guest doesn't take.
    func read(context: ChannelHandlerContext) {
        if owner?.takesMore ?? true { context.read() } else { wantsRead = true }
    }

    func resume() {
        guard wantsRead, let context else { return }
        wantsRead = false
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { owner?.resume() }
        context.fireChannelWritabilityChanged()
    }
}
