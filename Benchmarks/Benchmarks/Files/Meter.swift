// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Clocks, medians and child processes.
enum Meter {
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = ContinuousClock.now
        try body()
        let time = ContinuousClock.now - begin
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    /// The best of several runs: what the machine can do when nobody disturbs.
    static func best(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
        try (0..<runs).map { _ in try seconds(body) }.min() ?? 0
    }

    /// The median of single calls, in microseconds.
    static func median(_ calls: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        var times: [Double] = []
        times.reserveCapacity(calls)
        for call in 0..<calls { times.append(try seconds { try body(call) }) }
        times.sort()
        return times[times.count / 2] * 1e6
    }

    /// Highest resident memory of this process so far, in MB.
    static var residentMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1000
    }

    struct Failed: Error {
        let command: [String]
    }

    /// Runs a program to its end; its standard output.
    @discardableResult
    static func run(_ command: [String], input: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(command: command) }
        return text
    }

    /// Runs a program beside this one.
    static func start(_ command: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    static func has(_ program: String) -> Bool { (try? run(["which", program])) != nil }
}
