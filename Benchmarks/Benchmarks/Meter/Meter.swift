// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Clocks, medians and child processes.
package enum Meter {
    package static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = ContinuousClock.now
        try body()
        let time = ContinuousClock.now - begin
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    package static func seconds(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async rethrows -> Double {
        let begin = ContinuousClock.now
        try await body()
        let time = ContinuousClock.now - begin
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    /// The best of several runs: what the machine can do when nobody disturbs.
    package static func best(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
        try (0..<runs).map { _ in try seconds(body) }.min() ?? 0
    }

    /// The median of single calls, in microseconds.
    package static func median(_ calls: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        median(try (0..<calls).map { call in try seconds { try body(call) } })
    }

    /// The median of these seconds, in microseconds.
    package static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] * 1e6 }

    /// The medians of two things done in turn, in microseconds, so that what disturbs one disturbs the other. `row`: so many of one before the other comes.
    package static func medians(
        _ calls: Int, inRowsOf row: Int = 1, _ first: (Int) throws -> Void, _ second: (Int) throws -> Void
    ) rethrows -> (first: Double, second: Double) {
        var times: (first: [Double], second: [Double]) = ([], [])
        for begin in stride(from: 0, to: calls, by: row) {
            let calls = begin..<min(calls, begin + row)
            times.first += try calls.map { call in try seconds { try first(call) } }
            times.second += try calls.map { call in try seconds { try second(call) } }
        }
        return (median(times.first), median(times.second))
    }

    /// What one thing takes beside another: medians in microseconds of a call, and the median of the rounds' ratios.
    package struct Comparison {
        package let ours: Double
        package let baseline: Double
        package let ratio: Double
    }

    /// A row of ours, then a row of the baseline, and again, so that a machine that speeds up or slows down between rounds moves no ratio. The first round warms up. Each body gets the number of
    /// its call, counted over all rows.
    package static func compare(
        rounds: Int = 9, row: Int, _ ours: (Int) throws -> Void, with baseline: (Int) throws -> Void
    ) rethrows -> Comparison {
        var times: [(ours: Double, baseline: Double)] = []
        for round in 0...rounds {
            let calls = (round * row)..<((round + 1) * row)
            let first = median(try calls.map { call in try seconds { try ours(call) } })
            let second = median(try calls.map { call in try seconds { try baseline(call) } })
            if round > 0 { times.append((first, second)) }
        }
        func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        return Comparison(
            ours: middle(times.map(\.ours)), baseline: middle(times.map(\.baseline)),
            ratio: middle(times.map { $0.ours / $0.baseline }))
    }

    /// Highest resident memory of this process so far, in MB.
    package static var residentMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1000
    }

    package struct Failed: Error {
        let command: [String]
        package init(command: [String]) { self.command = command }
    }

    /// Runs a program to its end; its standard output.
    @discardableResult
    package static func run(_ command: [String], input: String? = nil) throws -> String {
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
    package static func start(_ command: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    package static func has(_ program: String) -> Bool { (try? run(["which", program])) != nil }
}

/// Prints figures as they come, each beside its goal.
@MainActor
package final class Goals {
    /// How many were missed.
    package private(set) var missed = 0

    package init() {}

    /// Out at once, whatever it goes to: a run that is ended has told what it knew.
    package func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    package func goal(_ name: String, _ value: Double, atLeast: Double? = nil, atMost: Double? = nil) {
        let holds = value >= atLeast ?? -.infinity && value <= atMost ?? .infinity
        if !holds { missed += 1 }
        let bound = atLeast.map { "at least \($0)" } ?? atMost.map { "at most \($0)" } ?? ""
        say("\(holds ? "ok    " : "MISSED") \(name): \(rounded(value)) (\(bound))")
    }

    /// A comparison, its ratio beside its goal.
    package func goal(_ name: String, _ found: Meter.Comparison, atMost: Double) {
        goal("\(name), \(rounded(found.ours)) µs / \(rounded(found.baseline)) µs", found.ratio, atMost: atMost)
    }

    package func fact(_ name: String, _ value: Double, _ unit: String) {
        say("       \(name): \(rounded(value)) \(unit)")
    }

    private func rounded(_ value: Double) -> String { String(format: value < 1 ? "%.3f" : "%.2f", value) }
}
