// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The `openssl` command, in a folder of its own; the judge of what is made here and the maker of what is read here.
package struct OpenSSL: ~Copyable {
    package let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    /// Runs `openssl` in the folder; what it wrote to standard output.
    @discardableResult
    package func run(_ arguments: String...) throws -> Data { try run(arguments) }

    @discardableResult
    package func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, output: String(decoding: data, as: UTF8.self))
        }
        return data
    }

    package func write(_ data: Data, to name: String) throws { try data.write(to: folder.appendingPathComponent(name)) }
    package func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }
}
