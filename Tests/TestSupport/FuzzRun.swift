// SPDX-License-Identifier: Apache-2.0

import CTestSupport
package import Foundation

/// Gives hostile inputs to a reader and keeps what a run by hand reports: the slowest input, and the memory that all of
/// them took.
package struct FuzzRun {
    /// Inputs that the reader did not take.
    package private(set) var refused = 0
    /// Inputs that were tried.
    package let inputs: Int

    private let name: String
    private let seed: UInt64
    private let isByHand: Bool
    private let mostGrowth: Int
    private var slowest = (time: Duration.zero, input: 0)
    private let start = ContinuousClock.now
    private let memoryBefore: Int
    private var memoryPeak = 0
    private var growth = 0

    /// Tries `bounded` inputs, or as many as `ZAMOK_FUZZ_INPUTS` says; `read` answers whether the reader took them.
    package static func tried(
        _ name: String, corpus: [[UInt8]], bounded: Int, _ read: (Data) throws -> Bool
    ) -> FuzzRun {
        var mutator = Mutator(corpus: corpus, seed: FuzzBudget.seed(environment: ProcessInfo.processInfo.environment))
        return repeated(name, bounded: bounded) { _ in
            let input = Data(mutator.next())
            return (try? read(input)) == true
        }
    }

    /// The same for tests that make their own inputs: `round` makes and reads the input of that number, and answers
    /// whether the reader took it. `mebibytes`: how much more memory all of them may take.
    package static func repeated(
        _ name: String, bounded: Int, mebibytes: Int = 64, _ round: (Int) throws -> Bool
    ) rethrows -> FuzzRun {
        let environment = ProcessInfo.processInfo.environment
        var run = FuzzRun(name, environment, bounded: bounded, mebibytes)
        for number in 0..<run.inputs { try run.measure(number) { try round(number) } }
        run.memoryPeak = memory("VmHWM:")
        run.growth = max(0, run.memoryPeak - run.memoryBefore)
        if run.isByHand { print(run.report) }
        return run
    }

    /// The same where making an input takes more than reading it: time and memory are those of `read` alone.
    package static func repeated<Input>(
        _ name: String, bounded: Int, mebibytes: Int, make: (Int) throws -> Input,
        read: (Int, consuming Input) throws -> Bool
    ) rethrows -> FuzzRun {
        var run = FuzzRun(name, ProcessInfo.processInfo.environment, bounded: bounded, mebibytes)
        for number in 0..<run.inputs {
            let input = try make(number)
            // What was freed is given back, so that it is counted again.
            tools_return_freed()
            resetPeak()
            let before = memory("VmRSS:")
            try run.measure(number) { try read(number, input) }
            let peak = memory("VmHWM:")
            if peak - before > run.growth { (run.memoryPeak, run.growth) = (peak, peak - before) }
        }
        if run.isByHand { print(run.report) }
        return run
    }

    private mutating func measure(_ number: Int, _ read: () throws -> Bool) rethrows {
        let before = Self.processorTime
        if try !read() { refused += 1 }
        let time = Self.processorTime - before
        if time > slowest.time { slowest = (time, number) }
    }

    private static func resetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    /// Of this thread: others are busy, too.
    private static var processorTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private init(_ name: String, _ environment: [String: String], bounded: Int, _ mebibytes: Int) {
        self.name = name
        mostGrowth = mebibytes << 10
        seed = FuzzBudget.seed(environment: environment)
        inputs = FuzzBudget.inputs(environment: environment, bounded: bounded)
        isByHand = environment["ZAMOK_FUZZ_INPUTS"] != nil
        // The peak counts from here on.
        Self.resetPeak()
        memoryBefore = Self.memory("VmRSS:")
    }

    /// No input took long, nor all of them much memory; the latter can be told only by hand, where nothing else runs.
    package var isBounded: Bool { slowest.time < .seconds(5) && (!isByHand || growth <= mostGrowth) }

    private var report: String {
        """
        \(name), seed \(seed): \(inputs) inputs, \(refused) refused, \(start.duration(to: .now)); slowest number \(slowest.input), \
        \(slowest.time); resident at most \(memoryPeak / 1024) MiB, \(growth / 1024) MiB more than before it
        """
    }

    /// A figure of this process in KiB, which Linux alone has.
    private static func memory(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    }
}
