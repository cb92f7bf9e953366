// SPDX-License-Identifier: Apache-2.0

package import SyncMerge

/// Plays random partial orders: each in every order of the log, and each of these in random orders of opening. All of
/// them must end in the same state.
package struct Histories {
    package struct Difference: Error, CustomStringConvertible {
        package let description: String
    }

    /// How many were played: one is a partial order, an order of the log and an order of opening.
    package private(set) var played = 0
    /// Partial orders.
    package private(set) var orders = 0
    private var seed: Seed
    private var shuffles: Seed

    package init(seed: UInt64) {
        self.seed = Seed(seed)
        shuffles = Seed(~seed)
    }

    /// Plays one partial order; `tell` is given the view of each order of the log.
    package mutating func play(openings: Int, _ tell: ([UInt8]) -> Void) throws(Difference) {
        let order = PartialOrder(&seed)
        orders += 1
        var outcome: [UInt8]?
        for log in order.logs {
            let operations = order.operations(log)
            let register = PartialOrder.register(operations)
            let view = register.view
            for _ in 0..<openings {
                let other = PartialOrder.register(operations.shuffled(using: &shuffles))
                guard other == register, other.view == view else { throw difference("an order of opening", order, log) }
                played += 1
            }
            guard register.frontier == Self.frontier(operations) else { throw difference("the definition", order, log) }
            let without = Self.withoutPlaces(register)
            guard outcome == nil || outcome == without else { throw difference("an order of the log", order, log) }
            outcome = without
            tell(view)
        }
    }

    private func difference(_ what: String, _ order: PartialOrder, _ log: [Int]) -> Difference {
        Difference(description: "\(what) makes a difference: \(order.edits), log \(log)")
    }

    /// F as SyncLog.md defines it, computed anew from the set.
    package static func frontier(_ operations: [Operation]) -> [Operation] {
        operations.filter { candidate in
            let isDominated = operations.contains {
                $0.place > candidate.place && $0.context.covers(candidate.author, candidate.sequence)
            }
            let hasPut = operations.contains {
                $0.author == candidate.author && $0.sequence == candidate.sequence && !$0.isMoved
            }
            return !isDominated && !(candidate.isMoved && hasPut)
        }.sorted { $1.yields(to: $0) }
    }

    private static func withoutPlaces(_ register: Register) -> [UInt8] {
        var bytes: [UInt8] = []
        for operation in register.frontier {
            bytes.append(UInt64(operation.author), bytes: 4)
            bytes.append(operation.sequence, bytes: 8)
            bytes.append(operation.change.code)
        }
        return bytes
    }
}
