// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import GRDB

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], maxDuration: .seconds(3), maxIterations: 20_000)

    Benchmark("lookup/plain GRDB/1000", configuration: .init(scalingFactor: .kilo)) { benchmark in
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = try PlainTable(folder: folder, count: 1_000)
        benchmark.startMeasurement()
        for number in benchmark.scaledIterations { blackHole(try table.lookup(number % 1_000)) }
        benchmark.stopMeasurement()
    }
}
