// SPDX-License-Identifier: Apache-2.0
//
// The calls that programs make most, each alone. Scripts/hot-calls builds and judges it.
//
//   hot-calls                  what each asks of the allocator, beside its limit; status 1 where one is above it
//   hot-calls NAME [COUNT]     makes one call so often (1), for a profiler, after it was made 200 times

import AllocationCounter
import Foundation

/// So that nothing is left out because its result is not used.
@inline(never)
func keep<Value>(_ value: Value) {}

/// Made so often before anything is counted: what is made once and kept is there then.
let warmUp = 200

/// The median of single calls: now and then one of them makes room for what follows.
@MainActor
func allocations(_ call: (Int) throws -> Void) throws -> Double {
    for round in 0..<warmUp { try call(round) }
    var counts: [Int64] = []
    for round in 0..<101 {
        let before = allocations_so_far()
        try call(warmUp + round)
        counts.append(allocations_so_far() - before)
    }
    return Double(counts.sorted()[50])
}

/// Errors: of the calls. Status 1 if a limit is exceeded, 64 if there is no such call.
@MainActor
func run(_ words: [String], _ homes: Homes) throws -> Int32 {
    if let name = words.first {
        guard let call = HotCall.all.first(where: { $0.name == name }) else {
            print("no such call; there are: \(HotCall.all.map(\.name).joined(separator: ", "))")
            return 64
        }
        let body = try call.prepare(homes)
        for round in 0..<warmUp { try body(round) }
        try HotCall.repeated(body, words.dropFirst().first.flatMap { Int($0) } ?? 1)
        return 0
    }
    var status: Int32 = 0
    for call in HotCall.all {
        guard let limit = call.limit else { continue }
        let count = try allocations(try call.prepare(homes))
        print(
            "\(count <= limit ? "ok    " : "MISSED") allocations, \(call.name): \(Int(count)) (at most \(Int(limit)))")
        if count > limit { status = 1 }
    }
    return status
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-calls-\(UUID().uuidString)").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let status = try run(Array(CommandLine.arguments.dropFirst()), Homes(folder))
try? FileManager.default.removeItem(atPath: folder)
exit(status)
