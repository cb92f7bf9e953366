// SPDX-License-Identifier: Apache-2.0
//
// Reads the JMH files of one run and prints each figure beside its baseline of the same run and the goal for their ratio.
// A ratio is of medians. Nothing is judged by a time alone, since machines differ and drift.

import Foundation

struct Figure {
    let median: Double
    let p99: Double
}

/// `subject` may cost at most `limit` times `baseline`.
struct Goal: Decodable {
    let subject: String
    let baseline: String
    let limit: Double
    /// How many calls one sample of the run holds.
    let calls: Double
}

func figures(in file: String) throws -> [String: Figure] {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    guard let runs = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else { return [:] }
    var found: [String: Figure] = [:]
    for run in runs {
        guard let name = (run["benchmark"] as? String)?.split(separator: ".", maxSplits: 3).last,
            let metrics = run["secondaryMetrics"] as? [String: Any],
            let clock = metrics.first(where: { $0.key.lowercased().contains("wall clock") })?.value as? [String: Any],
            let percentiles = clock["scorePercentiles"] as? [String: Double],
            let median = percentiles["50.0"], let p99 = percentiles["99.0"]
        else { continue }
        found[String(name)] = Figure(median: median, p99: p99)
    }
    return found
}

func text(_ value: Double) -> String { String(format: "%.3g", value) }

let arguments = CommandLine.arguments.dropFirst()
guard let goalsFile = arguments.first, arguments.count > 1 else {
    print("usage: Ratios GOALS.json RUN.json...")
    exit(64)
}
let goals = try JSONDecoder().decode([Goal].self, from: Data(contentsOf: URL(fileURLWithPath: goalsFile)))
var all: [String: Figure] = [:]
for file in arguments.dropFirst() { all.merge(try figures(in: file)) { _, new in new } }

print("| figure | median µs | p99 µs | baseline | median µs | ratio | goal | |")
print("|---|---|---|---|---|---|---|---|")
for goal in goals {
    guard let subject = all[goal.subject], let baseline = all[goal.baseline] else {
        print("| \(goal.subject) | not measured | | \(goal.baseline) | | | \(text(goal.limit)) | |")
        continue
    }
    let ratio = subject.median / baseline.median
    print(
        "| \(goal.subject) | \(text(subject.median / goal.calls)) | \(text(subject.p99 / goal.calls)) | \(goal.baseline) "
            + "| \(text(baseline.median / goal.calls)) | \(text(ratio)) | \(text(goal.limit)) | \(ratio <= goal.limit ? "met" : "missed") |"
    )
}
