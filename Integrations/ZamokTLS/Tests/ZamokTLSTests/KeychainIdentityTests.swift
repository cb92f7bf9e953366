// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import DataProtection
import Foundation
import Keychains
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import SecItem
import SecretMemory
import Testing

@testable import ZamokTLS

/// Handshakes of NIO with openssl's programs and with itself, by keys that are in a keychain.
@Suite(.serialized, .timeLimit(.minutes(10))) struct KeychainIdentityTests {
    private static let keys: [[String]] = [
        ["rsa:2048"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"], ["ed25519"],
    ]

    @Test(arguments: keys, ["-tls1_2", "-tls1_3"])
    func `openssl verifies a server whose key is in the keychain`(key: [String], version: String) async throws {
        let scene = try TLSScene()
        try scene.add("server", key)
        let server = try await TLSServer(try scene.identity("server").serverConfiguration())
        let printed = try scene.openssl(
            "s_client", "-ign_eof", "-connect", "127.0.0.1:\(server.port)", "-CAfile", "server.pem",
            "-verify_return_error",
            "-verify_hostname", "localhost", version)
        #expect(printed.contains("Verify return code: 0 (ok)") && printed.contains("hello\n"), "\(printed)")
        #expect(server.errors.withLockedValue { $0.filter { !($0 is NIOSSLError) }.isEmpty })
        try await server.stop()
    }

    @Test(arguments: keys, ["-tls1_2", "-tls1_3"])
    func `openssl sees the client whose key is in the keychain`(key: [String], version: String) async throws {
        // Under TLS 1.2 openssl wants a client's curve among those of the key exchange, and NIO offers no P-521.
        if key.last == "ec_paramgen_curve:P-521", version == "-tls1_2" { return }
        let scene = try TLSScene()
        try scene.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "own.key",
                "-out", "own.pem", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        try scene.add("client", key)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "own.pem", "-key", "own.key", "-CAfile",
            "client.pem", "-Verify", "1", "-verify_return_error", "-www", version,
        ]
        process.currentDirectoryURL = scene.folder
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        // It sleeps through a SIGTERM.
        defer { kill(process.processIdentifier, SIGKILL) }
        var line = ""
        while !line.contains("\n") || !line.contains("ACCEPT") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty)
            line += String(decoding: more, as: UTF8.self)
        }
        let port = try #require(
            line.split(separator: "\n").compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }.first)
        var tls = try scene.identity("client").clientConfiguration()
        tls.trustRoots = try scene.certificates("own")
        let page = try await Self.get("https://localhost:\(port)/", tls)
        #expect(page.contains("CN=client") || page.contains("CN = client"), "\(page)")
        // Without the identity the server wants nothing of it.
        var without = TLSConfiguration.makeClientConfiguration()
        without.trustRoots = try scene.certificates("own")
        await #expect(throws: (any Error).self) { try await Self.get("https://localhost:\(port)/", without) }
    }

    private static func get(_ url: String, _ tls: TLSConfiguration) async throws -> String {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.httpVersion = .http1Only
        let client = HTTPClient(configuration: configuration)
        do {
            let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
            let text = String(buffer: try await answer.body.collect(upTo: 1 << 20))
            try await client.shutdown()
            return text
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    // Rule: an identity that takes another's place in the middle of handshakes fails none of them | the key that a handshake began with not held | a handshake ends with EOF
    @Test func `ten thousand handshakes, a rotation in the middle, and none fails`() async throws {
        let count = ProcessInfo.processInfo.environment["ZAMOK_HANDSHAKES"].flatMap { Int($0) } ?? 10_000
        let scene = try TLSScene()
        let old = try scene.add("server")
        let server = try await TLSServer(try scene.identity("server").serverConfiguration())
        try FileManager.default.copyItem(atPath: scene.path("server.pem"), toPath: scene.path("old.pem"))
        let (done, turn) = (NIOLockedValueBox<[[UInt8]: Int]>([:]), NIOLockedValueBox(0))
        let rotated = try await withThrowingTaskGroup(of: Void.self) { group in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            let context = try NIOSSLContext(configuration: tls)
            for _ in 0..<8 {
                group.addTask {
                    while turn.withLockedValue({ turn in
                        turn += 1
                        return turn <= count
                    }) {
                        let shown = try await TLSClient.greet(server.port, context)
                        done.withLockedValue { $0[shown, default: 0] += 1 }
                    }
                }
            }
            while turn.withLockedValue({ $0 }) < count / 2 { try await Task.sleep(for: .milliseconds(1)) }
            // The new one comes, and the old one goes at once, key and all.
            try scene.add("server")
            try scene.keychain.delete(old)
            try await group.waitForAll()
            return done.withLockedValue { $0 }
        }
        let new = try #require(try scene.keychain.item(matching: KeychainQuery<CertificateItem>()).der())
        #expect(rotated.values.reduce(0, +) == count && rotated.count == 2, "\(rotated.values)")
        #expect(rotated[[UInt8](new)] ?? 0 > count / 4)
        print("\(count) handshakes: \(rotated.values.sorted()), none failed")
        #expect(server.errors.withLockedValue { $0.contains { $0 is KeychainError } } == false)
        try await server.stop()
    }

    @Test func `while locked no handshake succeeds, and both sides' programs are told that it is locked`() async throws
    {
        let scene = try TLSScene()
        try scene.add("server")
        try scene.add("client")
        try scene.setPasscode()
        let told = NIOLockedValueBox<[String]>([])
        let logger = Logger(label: "tests") { _ in Collector(told) }
        var configuration = try scene.identity("server", logger: logger).serverConfiguration()
        (configuration.trustRoots, configuration.certificateVerification) = (
            try scene.certificates("client"), .noHostnameVerification
        )
        let server = try await TLSServer(configuration)
        var own = try scene.identity("client").clientConfiguration()
        own.trustRoots = try scene.certificates("server")
        let context = try NIOSSLContext(configuration: own)
        _ = try await TLSClient.greet(server.port, context)
        try scene.home.keybag.lock()
        for _ in 0..<3 { await #expect(throws: (any Error).self) { try await TLSClient.greet(server.port, context) } }
        #expect(server.errors.withLockedValue { $0.count { ($0 as? KeychainError)?.code == .locked } } == 3)
        #expect(told.withLockedValue { $0.count } == 1 && told.withLockedValue { $0[0].contains("locked") })
        try scene.unlock()
        _ = try await TLSClient.greet(server.port, context)
        try scene.home.keybag.lock()
        await #expect(throws: (any Error).self) { try await TLSClient.greet(server.port, context) }
        #expect(told.withLockedValue { $0.count } == 2)
        try await server.stop()
    }

    @Test func `a client of async-http-client gets the lock as the error of its request`() async throws {
        let scene = try TLSScene()
        try scene.add("client")
        try scene.setPasscode()
        // A server whose key is not in the home that is locked.
        let other = try TLSScene()
        try other.add("server")
        var configuration = try other.identity("server").serverConfiguration()
        (configuration.trustRoots, configuration.certificateVerification) = (
            try scene.certificates("client"), .noHostnameVerification
        )
        let server = try await TLSServer(configuration)
        var own = try scene.identity("client").clientConfiguration()
        own.trustRoots = try other.certificates("server")
        try scene.home.keybag.lock()
        let error = await #expect(throws: KeychainError.self) {
            try await Self.get("https://localhost:\(server.port)/", own)
        }
        #expect(error?.code == .locked)
        try await server.stop()
    }

    // Rule: a lock ends resumed sessions too | the key not read when a handshake begins, but kept | the session is resumed
    @Test func `a session that began before a lock is not resumed after it`() async throws {
        let scene = try TLSScene()
        try scene.add("server")
        try scene.setPasscode()
        let server = try await TLSServer(try scene.identity("server").serverConfiguration())
        func ask(_ session: String) throws -> String {
            try scene.openssl(
                "s_client", "-ign_eof", "-connect", "127.0.0.1:\(server.port)", "-CAfile", "server.pem",
                "-verify_return_error", "-tls1_2", session, "session")
        }
        let first = try ask("-sess_out")
        #expect(first.contains("New, TLSv1.2") && first.contains("hello\n"), "\(first)")
        let second = try ask("-sess_in")
        #expect(second.contains("Reused, TLSv1.2") && second.contains("hello\n"), "\(second)")
        try scene.home.keybag.lock()
        let third = try ask("-sess_in")
        #expect(!third.contains("hello\n"), "\(third)")
        try await server.stop()
    }

    // Rule: a key that is held for its removal signs nothing while locked | the held one used without a look at the keychain | a signature of 71 bytes
    @Test func `a removed key signs what a handshake began with it, but not while locked, nor later`() async throws {
        let scene = try TLSScene()
        let item = try scene.add("server")
        try scene.setPasscode()
        let query = KeychainQuery<IdentityItem>().with(\.label, "server")
        let source = try IdentitySource(query, scene.keychain, nil, Logger(label: "tests"))
        let all = try scene.keychain.item(matching: query)
        let key = KeychainQuery<KeyItem>().with(\.applicationLabel, all.certificate.publicKeyHash)
        let begun = { (age: Duration) in
            HandshakeKey(
                source, key, all.key, AuthenticationContext(), KeyAlgorithms.all, begin: .now - age)
        }
        try scene.home.keybag.lock()
        let locked = #expect(throws: KeychainError.self) {
            try source.sign([1], .ecdsaSecp256R1Sha256, with: begun(.zero))
        }
        #expect(locked?.code == .locked)
        try scene.unlock()
        try scene.keychain.delete(item)
        #expect(try !source.sign([1], .ecdsaSecp256R1Sha256, with: begun(.zero)).isEmpty)
        #expect(throws: KeychainIdentityError.notThere) {
            try source.sign([1], .ecdsaSecp256R1Sha256, with: begun(.seconds(11)))
        }
        #expect(throws: KeychainIdentityError.notThere) { try source.check() }
    }

    @Test func `a key that asks is asked for, on no event loop`() async throws {
        let scene = try TLSScene()
        try scene.setPasscode()
        try scene.add("server", asks: true)
        let server = try await TLSServer(try scene.identity("server").serverConfiguration())
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = try scene.certificates("server")
        ThreadWatcher.shared.wasOnLoop.withLockedValue { $0 = [] }
        _ = try await TLSClient.greet(server.port, try NIOSSLContext(configuration: tls))
        // Once for the handshake, though it opens the key twice.
        #expect(ThreadWatcher.shared.wasOnLoop.withLockedValue { $0 } == [false])
        try await server.stop()
    }

    @Test func `certificates above the identity's own are sent, and no root`() async throws {
        let scene = try TLSScene()
        let ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try scene.run(["req", "-x509"] + ec + ["-keyout", "root.key", "-out", "root.pem", "-subj", "/CN=Root"])
        for (name, above, extensions) in [
            ("middle", "root", "basicConstraints=critical,CA:TRUE"), ("leaf", "middle", "subjectAltName=DNS:localhost"),
        ] {
            try Data(extensions.utf8).write(to: scene.folder.appending(path: "ext"))
            try scene.run(["req"] + ec + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"])
            try scene.run(
                [
                    "x509", "-req", "-in", "\(name).csr", "-CA", "\(above).pem", "-CAkey", "\(above).key",
                    "-CAcreateserial", "-extfile", "ext", "-out", "\(name).pem",
                ])
        }
        for name in ["root", "middle"] {
            try scene.keychain.add(
                try CertificateItem(try Data(contentsOf: scene.folder.appending(path: "\(name).pem"))))
        }
        let key = try KeyItem(try Data(contentsOf: scene.folder.appending(path: "leaf.key")))
        let leaf = try CertificateItem(try Data(contentsOf: scene.folder.appending(path: "leaf.pem")))
        try scene.keychain.add(try IdentityItem(certificate: leaf, key: key))
        let identity = try scene.identity("leaf")
        #expect(try identity.check().count == 2)
        let server = try await TLSServer(identity.serverConfiguration())
        let printed = try scene.openssl(
            "s_client", "-ign_eof", "-connect", "127.0.0.1:\(server.port)", "-CAfile", "root.pem",
            "-verify_return_error")
        #expect(printed.contains("Verify return code: 0 (ok)") && printed.contains("hello\n"), "\(printed)")
        try await server.stop()
    }

    @Test(arguments: [keys[0], keys[1]])
    func `a SecKey is a server's key, too`(key: [String]) async throws {
        let scene = try TLSScene()
        try scene.add("server", key)
        let secKey = try #require(Self.secKey(scene))
        let chain = try NIOSSLCertificate.fromPEMFile(scene.path("server.pem")).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let server = try await TLSServer(
            .makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(NIOSSLPrivateKey(customPrivateKey: try SecKeyPrivateKey(secKey)))))
        let printed = try scene.openssl(
            "s_client", "-ign_eof", "-connect", "127.0.0.1:\(server.port)", "-CAfile", "server.pem",
            "-verify_return_error")
        #expect(printed.contains("Verify return code: 0 (ok)") && printed.contains("hello\n"), "\(printed)")
        let shown = try #require(SecKeyCopyPublicKey(secKey))
        #expect(throws: SecKeyPrivateKeyError.doesNotSign) { try SecKeyPrivateKey(shown) }
        try await server.stop()
    }

    private static func secKey(_ scene: TLSScene) -> SecKey? {
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
        ]
        return Home.withCurrent(scene.home) {
            var found: CFTypeRef?
            guard unsafe SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
            return found as? SecKey
        }
    }
}

private struct Collector: LogHandler {
    let told: NIOLockedValueBox<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ told: NIOLockedValueBox<[String]>) { self.told = told }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { told.withLockedValue { $0.append("\(event.message)") } }
}
