// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Hands variants of good bytes to a reader and keeps what a run by hand wants to know: the slowest input and the most memory.
package struct FuzzRun {
    /// Inputs that the reader did not take.
    package private(set) var refused = 0
    /// Inputs that were tried.
    package let inputs: Int

    private let name: String
    private var slowest = (time: Duration.zero, input: 0)
    private let start = ContinuousClock.now

    /// Tries `bounded` inputs, or as many as `ZAMOK_FUZZ_INPUTS` says; `read` answers whether the reader took them.
    package static func tried(
        _ name: String, corpus: [[UInt8]], bounded: Int, _ read: (Data) throws -> Bool
    ) -> FuzzRun {
        let environment = ProcessInfo.processInfo.environment
        var mutator = Mutator(corpus: corpus, seed: FuzzBudget.seed(environment: environment))
        var run = FuzzRun(name: name, inputs: FuzzBudget.inputs(environment: environment, bounded: bounded))
        for number in 0..<run.inputs {
            let input = Data(mutator.next())
            let before = processorTime
            if (try? read(input)) != true { run.refused += 1 }
            let time = processorTime - before
            if time > run.slowest.time { run.slowest = (time, number) }
        }
        if environment["ZAMOK_FUZZ_INPUTS"] != nil { print(run.report) }
        return run
    }

    /// Of this thread: others are busy, too.
    private static var processorTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private init(name: String, inputs: Int) {
        self.name = name
        self.inputs = inputs
    }

    private var report: String {
        """
        \(name): \(inputs) inputs, \(refused) refused, \(start.duration(to: .now)); slowest number \(slowest.input), \
        \(slowest.time); peak memory so far \(Self.peakMemory)
        """
    }

    /// VmHWM of this process, which Linux alone has.
    private static var peakMemory: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.map { $0.dropFirst("VmHWM:".count).trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }
}
