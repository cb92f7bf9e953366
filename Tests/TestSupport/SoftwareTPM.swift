// SPDX-License-Identifier: Apache-2.0

import Foundation
package import TPMs

/// A TPM in software (swtpm) with a state of its own, as the distribution has it.
package final class SoftwareTPM {
    package static let isInstalled = program("swtpm") != nil

    /// Short: the path of a socket has 107 bytes at most.
    package let folder = "/tmp/zamok-chip-\(UInt32.random(in: 0...UInt32.max))"
    private var process: Child?

    /// A new TPM, switched on.
    package init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    package var socket: String { "\(folder)/chip" }

    package var way: TPMAddress { TPMAddress("swtpm:\(socket)") ?? .usual }

    /// Switches it on.
    package func start() throws {
        process = try Child(
            try Self.path("swtpm"),
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(socket)", "--ctrl",
                "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init,startup-clear", "--log",
                "file=\(folder)/log",
            ])
        let end = ContinuousClock.now + .seconds(20)
        while (try? way.isThere()) != true {
            guard ContinuousClock.now < end else { throw CocoaError(.fileReadUnknown) }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    /// Lets it answer nothing until it is continued.
    package func pause() { process?.kill(SIGSTOP) }
    package func proceed() { process?.kill(SIGCONT) }

    /// Ends it as a cut of power does.
    package func stop() {
        process = nil
        try? FileManager.default.removeItem(atPath: "\(socket).ctrl")
        try? FileManager.default.removeItem(atPath: socket)
    }

    package func restart() throws {
        stop()
        try start()
    }

    /// What it keeps while it is off.
    package func memory() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/tpm2-00.permall")))
    }

    /// Starts it again with earlier memory, which is impossible with a hardware TPM.
    package func begin(with memory: [UInt8]) throws {
        stop()
        try Data(memory).write(to: URL(fileURLWithPath: "\(folder)/tpm2-00.permall"))
        try start()
    }

    package static func program(_ name: String) -> String? {
        ["/usr/bin", "/usr/local/bin", "/usr/sbin"].map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    package static func path(_ name: String) throws -> String {
        guard let path = program(name) else { throw CocoaError(.fileNoSuchFile) }
        return path
    }
}
