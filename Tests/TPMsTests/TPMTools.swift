// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import TPMs

/// The tools of the TPM project, as a judge.
struct TPMTools {
    private let tpm: SoftwareTPM

    init(_ tpm: SoftwareTPM) { self.tpm = tpm }

    /// A file as the tools have it: the bytes after their length.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        try Data(length + bytes).write(to: URL(fileURLWithPath: "\(tpm.folder)/\(name)"))
    }

    /// A file of just these bytes.
    func writePlain(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(tpm.folder)/\(name)"))
    }

    /// What a tool says; nil: it failed.
    func run(_ words: String...) throws -> [UInt8]? { try run(words) }

    func run(_ words: [String]) throws -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try SoftwareTPM.path(words[0]))
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: tpm.folder)
        process.environment = ["TPM2TOOLS_TCTI": "swtpm:path=\(tpm.socket)", "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Array(said) : nil
    }

    /// The tools leave their objects in the TPM.
    func flush() throws { _ = try run("tpm2_flushcontext", "-t") }
}

extension SoftwareTPM {
    /// Keeps the key under which everything is sealed where systems do, and tools find it.
    func keepStorageRoot() throws {
        let line = try way.connect()
        let speaker = TPM(line)
        let parent = try TPMParent.make(TPMCode.owner, in: speaker)
        try keep(parent.handle.value, over: line)
        speaker.flush(parent.handle.value)
    }
}
