// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncEngines
import SyncS3

/// A real server of S3's protocol on loopback (moto), which ends with the test.
final class S3Server: Sendable {
    /// Whether Python has moto.
    static let isThere: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import moto.moto_server.werkzeug_app, moto.s3, moto.iam"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    let configuration: S3Engine.Configuration
    private let process = Process()

    init(_ mode: String = "") throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "s3_server.py")
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path, mode]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let words = String(bytes: output.fileHandleForReading.availableData, encoding: .utf8)?.split(
            whereSeparator: \.isWhitespace)
        guard let words, words.count == 3 else {
            throw SyncEngineError(.unreachable, "moto said something else than its port and credentials")
        }
        var configuration = S3Engine.Configuration(
            endpoint: "http://127.0.0.1:\(words[0])", bucket: "homes", accessKey: String(words[1]),
            secretKey: String(words[2]))
        configuration.attempts = 12
        configuration.pauses = .milliseconds(5)...(.milliseconds(100))
        self.configuration = configuration
    }

    deinit {
        // It was born with the signals blocked that are blocked here.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
