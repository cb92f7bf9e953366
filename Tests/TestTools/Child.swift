// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test starts and talks with by lines: it says a word when it has come somewhere, and goes on when it
/// is told to. Ended, if need be, with the value.
package final class Child {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending: [UInt8] = []

    /// Its process id.
    package var id: Int32 { process.processIdentifier }

    /// Starts the package's executable `tool`, or the program at that path if it begins with a slash. `environment` is
    /// added to ours.
    package init(_ tool: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        process.executableURL = tool.hasPrefix("/") ? URL(fileURLWithPath: tool) : try Tool.url(tool)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill(id, SIGKILL) }
        process.waitUntilExit()
    }

    /// Writes to its standard input.
    package func send(_ bytes: some Sequence<UInt8>) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    }

    /// Tells it to go on.
    package func proceed() throws { try send("\n".utf8) }

    /// Its next line. Throws at its end, or when none comes for so long that none will.
    package func line(seconds: Int = 60) throws -> String {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard try readMore(seconds: seconds) else {
                throw Failure(description: "ended after “\(String(decoding: pending, as: UTF8.self))”")
            }
        }
    }

    /// Waits until it says `word`, on a line of its own.
    package func await(_ word: String) throws {
        let said = try line()
        guard said == word else { throw Failure(description: "said “\(said)” in place of “\(word)”") }
    }

    /// Closes its input, waits for its end, and answers its status: 128 + the signal if one ended it.
    @discardableResult
    package func finish() throws -> Int32 {
        try? input.fileHandleForWriting.close()
        while try readMore(seconds: 60) {}
        process.waitUntilExit()
        return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }

    /// Everything it says until its end, and its status.
    package func rest() throws -> (text: String, status: Int32) {
        let status = try finish()
        return (String(decoding: pending, as: UTF8.self), status)
    }

    package func kill(_ signal: Int32) { kill(id, signal) }

    private func kill(_ process: Int32, _ signal: Int32) { _ = Foundation.kill(process, signal) }

    private func readMore(seconds: Int) throws -> Bool {
        let file = output.fileHandleForReading.fileDescriptor
        var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, Int32(seconds * 1000)) > 0 else {
            throw Failure(description: "said nothing for \(seconds) s")
        }
        let bytes = output.fileHandleForReading.availableData
        pending += bytes
        return !bytes.isEmpty
    }
}
