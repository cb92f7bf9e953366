// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncLog
import Synchronization

/// Three real nodes on loopback, which can be killed and started again.
final class EtcdCluster: Sendable {
    let folder: URL
    private let ports: [Int]
    private let nodes: Mutex<[Process]>

    init(size: Int = 3) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "etcd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let base = Int.random(in: 20_000..<50_000)
        ports = (0..<size).map { base + 10 * $0 }
        nodes = Mutex([])
        for node in 0..<size {
            let process = try start(node, "new")
            nodes.withLock { $0.append(process) }
        }
        try await untilItAnswers()
    }

    deinit {
        for process in nodes.withLock({ $0 }) where process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    var endpoints: [String] { ports.map { "http://127.0.0.1:\($0)" } }

    private func start(_ node: Int, _ state: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Etcd.program ?? "/usr/bin/etcd")
        let client = "http://127.0.0.1:\(ports[node])"
        let peer = { (port: Int) in "http://127.0.0.1:\(port + 1)" }
        process.arguments = [
            "--name", "n\(node)", "--data-dir", folder.appending(path: "\(node)").path, "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer(ports[node]),
            "--initial-advertise-peer-urls", peer(ports[node]), "--initial-cluster-state", state, "--initial-cluster",
            ports.enumerated().map { "n\($0)=\(peer($1))" }.joined(separator: ","),
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func untilItAnswers() async throws {
        var settings = EtcdEngine.Configuration(endpoints: endpoints)
        settings.timeout = .seconds(1)
        let engine = try EtcdEngine(settings)
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if (try? await engine.read([0], from: 1, limit: 1)) != nil { return await engine.close() }
            try await Task.sleep(for: .milliseconds(100))
        }
        await engine.close()
        throw SyncEngineError(.unreachable, "the nodes don't answer each other")
    }

    /// Kills the node that leads, as a loss of power would; which one it was.
    func killLeader() throws -> Int {
        for (node, endpoint) in endpoints.enumerated() {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "ETCDCTL_API=3", "etcdctl", "--endpoints", endpoint, "endpoint", "status", "-w", "fields",
            ]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let said = String(bytes: output.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8) ?? ""
            process.waitUntilExit()
            let field = { (name: String) in
                said.split(separator: "\n").first { $0.hasPrefix("\"\(name)\"") }?.split(separator: " ").last
            }
            if let own = field("MemberID"), own == field("Leader") {
                stop(node)
                return node
            }
        }
        throw SyncEngineError(.unreachable, "no node leads")
    }

    private func stop(_ node: Int) {
        let process = nodes.withLock { $0[node] }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func restart(_ node: Int) throws {
        let process = try start(node, "existing")
        nodes.withLock { $0[node] = process }
    }
}
