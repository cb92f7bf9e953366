// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd

/// A real etcd of its own on loopback, from the package etcd-server, which ends with the test.
final class Etcd: Sendable {
    static var program: String? {
        ["/usr/bin/etcd", "/usr/local/bin/etcd"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    let folder: URL
    let endpoint: String
    private let process: Process

    init(isSecure: Bool = false) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "etcd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if isSecure { try Self.makeCertificates(folder) }
        // A port that is taken ends the server, and another is tried.
        for _ in 0..<20 {
            let port = Int.random(in: 20_000..<60_000)
            let process = try Self.start(folder, port, isSecure)
            let endpoint = "http\(isSecure ? "s" : "")://127.0.0.1:\(port)"
            if await Self.answers(Self.settings(endpoint, isSecure ? folder : nil), process) {
                self.process = process
                self.endpoint = endpoint
                return
            }
            if process.isRunning {
                process.terminate()
                throw SyncEngineError(.unreachable, "etcd runs and doesn't answer")
            }
        }
        throw CocoaError(.executableLoad)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(_ folder: URL, _ port: Int, _ isSecure: Bool) throws -> Process {
        let client = "http\(isSecure ? "s" : "")://127.0.0.1:\(port)"
        let peer = "http://127.0.0.1:\(port + 1)"
        let path = { (name: String) in folder.appending(path: name).path }
        let process = Process()
        process.executableURL = URL(filePath: program ?? "/usr/bin/etcd")
        process.arguments = [
            "--name", "n", "--data-dir", folder.appending(path: "data-\(port)").path, "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", "n=\(peer)",
        ]
        if isSecure {
            process.arguments? += [
                "--cert-file", path("server.pem"), "--key-file", path("server.key"), "--trusted-ca-file",
                path("ca.pem"),
                "--client-cert-auth",
            ]
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// An authority, and certificates for the server and for a client.
    private static func makeCertificates(_ folder: URL) throws {
        let script = """
            set -e
            new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
            openssl req -x509 $new -keyout ca.key -out ca.pem -subj /CN=authority -days 2
            printf subjectAltName=IP:127.0.0.1 > names
            for name in server client; do
                openssl req $new -keyout $name.key -out $name.csr -subj /CN=$name
                openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out $name.pem -extfile names
            done
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    /// How an engine reaches it; `folder` is where the certificates are.
    static func settings(_ endpoint: String, _ folder: URL?) -> EtcdEngine.Configuration {
        var settings = EtcdEngine.Configuration(endpoints: [endpoint])
        settings.timeout = .seconds(1)
        guard let folder else { return settings }
        let path = { (name: String) in folder.appending(path: name).path }
        settings.authorityFile = path("ca.pem")
        settings.clientCertificate = (path("client.pem"), path("client.key"))
        return settings
    }

    private static func answers(_ settings: EtcdEngine.Configuration, _ process: Process) async -> Bool {
        guard let engine = try? EtcdEngine(settings) else { return false }
        var isThere = false
        let end = ContinuousClock.now + .seconds(30)
        while process.isRunning, !isThere, ContinuousClock.now < end {
            isThere = (try? await engine.read([0], from: 1, limit: 1)) != nil
            if !isThere { try? await Task.sleep(for: .milliseconds(50)) }
        }
        await engine.close()
        return isThere
    }

    /// Asks the gateway something that the engine never would.
    func control(_ words: String...) throws -> String { try run(words) }

    func run(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ETCDCTL_API=3", "etcdctl", "--endpoints", endpoint] + words
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(bytes: said, encoding: .utf8) ?? ""
    }
}
