// SPDX-License-Identifier: Apache-2.0
//
// The ten calls that programs make most, each alone.
//
//   HotCalls                   what each asks of the allocator, beside its limit; status 1 where one is above it
//   HotCalls NAME [COUNT]      makes one call so often (1), for a profiler, after it was made 200 times

import AllocationCounter
import Foundation
import Meter

/// So that nothing is left out because nobody looks at it.
@inline(never)
func keep<Value>(_ value: Value) {}

/// Made so often before anything is counted: what is made once and kept is there then.
let warmUp = 200

/// The median of single calls: now and then one of them makes room for what follows.
@MainActor
func allocations(_ call: HotCall) throws -> Double {
    for round in 0..<warmUp { try call.body(round) }
    var counts: [Int64] = []
    for round in 0..<101 {
        let before = allocations_so_far()
        try call.body(warmUp + round)
        counts.append(allocations_so_far() - before)
    }
    return Double(counts.sorted()[50])
}

let words = Array(CommandLine.arguments.dropFirst())
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-calls-\(UUID().uuidString)").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
if let name = words.first {
    guard let call = try HotCall.all(folder).first(where: { $0.name == name }) else {
        print("no such call; there are: \(try HotCall.all(folder).map(\.name).joined(separator: ", "))")
        try? FileManager.default.removeItem(atPath: folder)
        exit(64)
    }
    for round in 0..<warmUp { try call.body(round) }
    try HotCall.repeated(call, words.dropFirst().first.flatMap { Int($0) } ?? 1)
} else {
    let goals = Goals()
    for call in try HotCall.all(folder) {
        goals.goal("allocations, \(call.name)", try allocations(call), atMost: call.limit)
    }
    try? FileManager.default.removeItem(atPath: folder)
    exit(goals.missed == 0 ? 0 : 1)
}
