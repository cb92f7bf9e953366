// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecretMemory

/// Work on chunks, divided so that each thread has the chunks of one node: 3.2 MiB.
struct FileUnits {
    /// The chunks of this round.
    let all: Range<Int>
    private let units: [Range<Int>]

    /// The next round of chunks `from`..<`to` for so many threads. The first unit ends where a node ends.
    init(from: Int, to: Int, threads: Int) {
        var units: [Range<Int>] = []
        var begin = from
        while begin < to, units.count < max(1, threads) {
            let end = min(to, (begin / FileFormat.fanout + 1) * FileFormat.fanout)
            units.append(begin..<end)
            begin = end
        }
        self.units = units
        all = from..<begin
    }

    /// Runs `body` for each unit, at the same time; the results are in order.
    func map<R: Sendable>(_ body: @escaping @Sendable (Range<Int>) throws -> R) -> [Result<R, any Error>] {
        let units = units
        if units.count == 1 { return [Result { try body(units[0]) }] }
        let results = Locked<[Int: Result<R, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: units.count) { number in
            let result = Result { try body(units[number]) }
            results.withLock { $0[number] = result }
        }
        return results.withLock { results in units.indices.compactMap { results[$0] } }
    }
}
