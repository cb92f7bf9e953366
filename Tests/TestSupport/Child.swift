// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation

/// A program that a test starts and talks with by lines: it says a word when it has come somewhere, and goes on when it
/// is told to. It is ended, if need be, with the value.
package final class Child {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Its process id.
    package let id: Int32
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var pending: [UInt8] = []
    private var status: Int32?

    /// Starts the package's executable `tool`, or the program at that path if it begins with a slash. `environment` is
    /// added to ours. Standard error is ours.
    package init(_ tool: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        let path = tool.hasPrefix("/") ? tool : try Tool.url(tool).path
        // The test runner asks for backtraces. With them an intended crash would take a minute, and other signal
        // handlers would be installed.
        let variables = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
            .flatMap { Array("\($0.key)=\($0.value)".utf8CString) }
        let words = ([path] + arguments).flatMap { Array($0.utf8CString) }
        id = unsafe tools_start(path, words, words.count, variables, variables.count, &input, &output)
        guard id > 0 else { throw Failure(description: "can't start \(tool): error \(-id)") }
    }

    deinit {
        close(input)
        if id > 0, status == nil {
            _ = Foundation.kill(id, SIGKILL)
            _ = tools_wait(id, 0)
        }
        close(output)
    }

    /// Writes to its standard input.
    package func send(_ bytes: some Sequence<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "takes no input: error \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Tells it to go on.
    package func proceed() throws { try send("\n".utf8) }

    /// Ends its standard input.
    package func closeInput() {
        close(input)
        input = -1
    }

    /// Its next line. Throws at its end, or when none comes for so long that none will.
    package func line(seconds: Int = 300) throws -> String {
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

    /// Its next `count` bytes. Throws as ``line(seconds:)``.
    package func bytes(_ count: Int, seconds: Int = 300) throws -> [UInt8] {
        while pending.count < count {
            guard try readMore(seconds: seconds) else {
                throw Failure(description: "ended after \(pending.count) bytes")
            }
        }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// Waits until it stops itself (`FaultInjector`, `stops`). What it says must fit into a pipe. Throws when it ends.
    package func awaitStop() throws {
        let found = tools_wait(id, 1)
        guard found == 256 + SIGSTOP else {
            status = found
            throw Failure(description: "ended with \(found) and did not stop")
        }
    }

    /// Whether it wrote output that was not read yet.
    package var hasSpoken: Bool {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return unsafe !pending.isEmpty || poll(&wanted, 1, 1) > 0
    }

    /// Waits until it says `word`, on a line of its own.
    package func await(_ word: String) throws {
        let said = try line()
        guard said == word else { throw Failure(description: "said “\(said)” in place of “\(word)”") }
    }

    /// Closes its input, waits for its end, and answers its status: 128 + the signal if one ended it.
    @discardableResult
    package func finish() throws -> Int32 {
        if let status { return status }
        closeInput()
        while try readMore(seconds: 300) {}
        let status = tools_wait(id, 0)
        self.status = status
        return status
    }

    /// Everything it says until its end, and its status.
    package func rest() throws -> (text: String, status: Int32) {
        let status = try finish()
        return (String(decoding: pending, as: UTF8.self), status)
    }

    /// Sends it a signal.
    package func kill(_ signal: Int32) { if status == nil { _ = Foundation.kill(id, signal) } }

    private func readMore(seconds: Int) throws -> Bool {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, Int32(seconds * 1000)) > 0 else {
            throw Failure(description: "said nothing for \(seconds) s")
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe read(output, &bytes, bytes.count)
        if count > 0 { pending += bytes.prefix(count) }
        return count > 0
    }
}
