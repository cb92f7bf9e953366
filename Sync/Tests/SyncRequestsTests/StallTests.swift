// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncEtcd
import SyncS3
import Testing

/// A server that stops in the middle of each answer, and ends with the test.
private final class StallingServer {
    let port: String
    private let process = Process()

    init(_ stall: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "stalling_server.py")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path, stall]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = String(bytes: output.fileHandleForReading.availableData, encoding: .utf8) ?? ""
        port = said.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        // It was born with the signals blocked that are blocked here.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// No engine holds up a round, wherever in an answer it stops.
@Suite(.timeLimit(.minutes(15))) struct StallTests {
    private static let account = [UInt8](repeating: 7, count: 32)
    private static let stalls = ["connection", "head", "body", "trickle", "chunk"]

    private func ends(_ engine: some SyncEngine) async {
        let begun = ContinuousClock.now
        await #expect(throws: SyncEngineError(.unreachable, "")) {
            _ = try await engine.read(Self.account, from: 1, limit: 8)
        }
        await #expect(throws: SyncEngineError(.unreachable, "")) {
            _ = try await engine.append([1], at: 1, of: Self.account)
        }
        // Far above what the time-outs of both come to, and far below what a trickle takes.
        #expect(ContinuousClock.now - begun < .seconds(30))
    }

    // Rule: one deadline for a request, its body included | inTime without its second task | the test is over its
    //   limit
    @Test(arguments: stalls, ["http", "https"]) func `etcd`(stall: String, scheme: String) async throws {
        let server = try StallingServer(stall)
        var configuration = EtcdEngine.Configuration(
            endpoints: ["\(scheme)://127.0.0.1:\(server.port)", "\(scheme)://127.0.0.1:\(server.port)"])
        configuration.timeout = .milliseconds(400)
        let engine = try EtcdEngine(configuration)
        await ends(engine)
        await engine.close()
    }

    @Test(arguments: stalls, ["http", "https"]) func `S3`(stall: String, scheme: String) async throws {
        let server = try StallingServer(stall)
        var configuration = S3Engine.Configuration(
            endpoint: "\(scheme)://127.0.0.1:\(server.port)", bucket: "homes", accessKey: "key", secretKey: "secret")
        configuration.timeout = .milliseconds(400)
        configuration.attempts = 2
        let engine = try S3Engine(configuration)
        await ends(engine)
        await engine.close()
    }
}
