// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import SecretMemory
import ZamokTLS

/// A home in a folder of its own, and openssl beside it.
final class TLSScene: Sendable {
    static let passcode = "tall-grass"

    let folder: URL
    let home: Home
    let keychain: Keychain

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "zamok-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = Home.Configuration()
        configuration.folder = folder.appending(path: "home").path
        configuration.holder = .process
        configuration.prompter = ThreadWatcher.shared
        home = try Home(configuration)
        keychain = Keychain(home: home)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Runs openssl with these words; what it printed on both ways.
    @discardableResult
    func openssl(_ words: String..., input: String = "") throws -> String {
        let (process, output, typed) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "60", "openssl"] + words
        process.currentDirectoryURL = folder
        (process.standardInput, process.standardOutput, process.standardError) = (typed, output, output)
        try process.run()
        typed.fileHandleForWriting.write(Data(input.utf8))
        try typed.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// Adds a key and a certificate that it gives itself, which is called `name` and stays as NAME.pem; the key's file goes.
    @discardableResult
    func add(
        _ name: String, _ key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], asks: Bool = false
    ) throws -> IdentityItem {
        let subject = ["-nodes", "-keyout", "key.pem", "-out", "\(name).pem", "-subj", "/CN=\(name)", "-days", "30"]
        try run(["req", "-x509", "-newkey"] + key + subject + ["-addext", "subjectAltName=DNS:localhost"])
        defer { try? FileManager.default.removeItem(atPath: path("key.pem")) }
        var item = try KeyItem(try Data(contentsOf: folder.appending(path: "key.pem")))
        if asks { item.accessControl = .devicePasscode }
        let certificate = try CertificateItem(try Data(contentsOf: folder.appending(path: "\(name).pem")))
        return try keychain.add(try IdentityItem(certificate: certificate, key: item))
    }

    func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure.openssl(words) }
    }

    enum Failure: Error {
        case openssl([String])
        case closed
    }

    func setPasscode() throws { try home.keybag.setPasscode(try SecretBytes(copying: Array(Self.passcode.utf8))) }
    func unlock() throws { try home.keybag.unlock(passcode: try SecretBytes(copying: Array(Self.passcode.utf8))) }

    func identity(_ name: String, logger: Logger = Logger(label: "tests")) throws -> KeychainIdentity {
        try KeychainIdentity(KeychainQuery<IdentityItem>().with(\.label, name), in: keychain, logger: logger)
    }

    func certificates(_ name: String) throws -> NIOSSLTrustRoots { .file(path("\(name).pem")) }
}

/// Gives the passcode, and remembers whether it was asked on a thread of an event loop.
final class ThreadWatcher: Prompter {
    static let shared = ThreadWatcher()
    let wasOnLoop = NIOLockedValueBox<[Bool]>([])

    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        wasOnLoop.withLockedValue { $0.append(MultiThreadedEventLoopGroup.currentEventLoop != nil) }
        do { return try SecretBytes(copying: Array(TLSScene.passcode.utf8)) } catch {
            throw DataProtectionError(.notAvailable, "no memory", cause: error)
        }
    }
}

/// A server that greets, on a port that was free, and keeps the errors of its handshakes.
final class TLSServer: Sendable {
    let port: Int
    let errors = NIOLockedValueBox<[any Error]>([])
    private let channel: any Channel

    init(_ configuration: TLSConfiguration) async throws {
        let (context, errors) = (try NIOSSLContext(configuration: configuration), errors)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(Greeting(errors))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func stop() async throws { try await channel.close() }

    private final class Greeting: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let errors: NIOLockedValueBox<[any Error]>
        init(_ errors: NIOLockedValueBox<[any Error]>) { self.errors = errors }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if "\(event)".hasPrefix("handshakeCompleted") {
                let greeting = wrapOutboundOut(ByteBuffer(string: "hello\n"))
                context.writeAndFlush(greeting).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            }
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            errors.withLockedValue { $0.append(error) }
            context.close(promise: nil)
        }
    }
}

/// A client of NIO: a handshake, a greeting, and the end.
enum TLSClient {
    /// The certificate that the server showed, in DER.
    static func greet(_ port: Int, _ context: NIOSSLContext) async throws -> [UInt8] {
        let greeting = NIOLockedValueBox<EventLoopFuture<[UInt8]>?>(nil)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                    let promise = channel.eventLoop.makePromise(of: [UInt8].self)
                    greeting.withLockedValue { $0 = promise.futureResult }
                    try channel.pipeline.syncOperations.addHandler(tls)
                    try channel.pipeline.syncOperations.addHandler(Reader(promise))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        guard let future = greeting.withLockedValue({ $0 }) else { throw TLSScene.Failure.closed }
        let shown = try await future.get()
        try? await channel.close()
        return shown
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let promise: EventLoopPromise<[UInt8]>
        init(_ promise: EventLoopPromise<[UInt8]>) { self.promise = promise }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            do {
                let tls = try context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
                promise.succeed(try tls.peerCertificate?.toDERBytes() ?? [])
            } catch { promise.fail(error) }
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }
        func channelInactive(context: ChannelHandlerContext) { promise.fail(TLSScene.Failure.closed) }
        func handlerRemoved(context: ChannelHandlerContext) { promise.fail(TLSScene.Failure.closed) }
    }
}
