// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// The certificates and profiles that `TestAuthority/make-test-profiles` makes with openssl, once for all tests.
enum TestAuthority {
    static let isAvailable = folder != nil
    static let missing: Comment = "openssl is not installed, so there are no test profiles"

    private static let folder: String? = {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TestAuthority/make-test-profiles")
        let made = NSTemporaryDirectory() + "zamok-test-authority-\(UUID().uuidString)"
        atexit { TestAuthority.remove() }
        guard (try? ShellCommand.run(script.path, [made]))?.status == 0 else { return nil }
        return made
    }()

    private static func remove() {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    static func path(_ name: String) throws -> String { try #require(folder) + "/" + name }

    static func profile(_ name: String) throws -> UnverifiedProfile {
        try UnverifiedProfile(contentsOf: path("profiles/\(name).mobileprovision"))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    static func certificate(_ name: String) throws -> [UInt8] {
        let text = try String(contentsOfFile: path("\(name).pem"), encoding: .utf8)
        let body = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return Array(try #require(Data(base64Encoded: body)))
    }

    static func key(_ name: String) throws -> String {
        try String(contentsOfFile: path("\(name).key"), encoding: .utf8)
    }

    /// Each root for what it signs, as Apple's are.
    static func anchor() throws -> CustomAnchor {
        let root = try Certificate(encoded: certificate("root"))
        let g3 = try Certificate(encoded: certificate("root-g3"))
        return CustomAnchor(
            envelopeRoots: [root], strongEnvelopeRoots: [g3], derCopyRoots: [g3], codeRoots: [root, g3])
    }
}

/// Real profiles, which can't be part of the repository.
enum Samples {
    static let folder = ProcessInfo.processInfo.environment["ZAMOK_SAMPLE_PROFILES"]
    static let isAvailable = folder != nil
    static let missing: Comment = "ZAMOK_SAMPLE_PROFILES does not name a folder of sample profiles"

    static func path(_ name: String) throws -> String { try #require(folder) + "/" + name }
}

enum ShellCommand {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a program to its end. Output goes through files, so that no pipe can fill up.
    static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil
    ) throws -> Outcome {
        try TemporaryFolder.with { folder in
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            if let environment { process.environment = environment }
            let files = ["output", "errors"].map { "\(folder)/\($0)" }
            for file in files { try Data().write(to: URL(filePath: file)) }
            process.standardOutput = FileHandle(forWritingAtPath: files[0])
            process.standardError = FileHandle(forWritingAtPath: files[1])
            process.standardInput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
            return Outcome(status: process.terminationStatus, output: texts[0], errors: texts[1])
        }
    }
}

enum TemporaryFolder {
    /// Runs `body` with a folder that is removed afterwards.
    static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
        let path = NSTemporaryDirectory() + "zamok-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }
}

/// The error that `body` throws; nil if it throws none.
func profileError(_ body: () throws -> Void) -> ProfileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? ProfileError
    }
}
