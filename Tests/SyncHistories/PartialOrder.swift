// SPDX-License-Identifier: Apache-2.0

package import SyncMerge

/// Six edits of one register by three homes, and what each home had applied when it wrote. The log may have them in
/// several orders.
package struct PartialOrder: Sendable {
    package struct Edit: Sendable {
        package let author: UInt32
        package let sequence: UInt64
        package let time: UInt64
        package let context: Context
        /// One, or a put and the `moved` beside it.
        package let changes: [(protectionClass: TravellingClass, change: Operation.Change)]

        package init(
            author: UInt32, sequence: UInt64, time: UInt64, context: Context,
            changes: [(protectionClass: TravellingClass, change: Operation.Change)]
        ) {
            self.author = author
            self.sequence = sequence
            self.time = time
            self.context = context
            self.changes = changes
        }
    }

    package private(set) var edits: [Edit] = []

    package init(edits: [Edit]) { self.edits = edits }

    /// Draws one. The order of the draws is part of what the reader in Python does too.
    package init(_ seed: inout Seed, edits count: Int = 6, homes: UInt32 = 3) {
        var known: [UInt32: Context] = [:]
        for index in 0..<count {
            let author = UInt32(seed.below(Int(homes))) + 1
            var context = known[author] ?? Context()
            for other in 1...homes where other != author {
                let theirs = edits.filter { $0.author == other }
                if theirs.isEmpty { continue }
                for edit in theirs.prefix(seed.below(theirs.count + 1)) {
                    context.cover(edit.author, edit.sequence)
                    context.join(edit.context)
                }
            }
            let sequence = UInt64(edits.count { $0.author == author }) + 1
            if sequence > 1 { context.cover(author, sequence - 1) }
            let time = UInt64(seed.below(4))
            let roll = seed.below(12)
            let own = seed.below(3)
            let other = (own + 1 + seed.below(2)) % 3
            let put = Operation.Change.put(value: [UInt8(index)], from: nil)
            let classes = TravellingClass.allCases
            edits.append(
                Edit(
                    author: author, sequence: sequence, time: time, context: context,
                    changes: roll < 7
                        ? [(classes[own], put)]
                        : roll < 10
                            ? [(classes[own], .delete)]
                            : [(classes[own], put), (classes[other], .moved(to: classes[own]))]))
            context.cover(author, sequence)
            known[author] = context
        }
    }

    /// All orders in which the log may have them, in the order of their indices.
    package var logs: [[Int]] {
        var found: [[Int]] = []
        var order: [Int] = []
        func extend() {
            if order.count == edits.count { return found.append(order) }
            for index in edits.indices where !order.contains(index) {
                let isReady = edits.indices.allSatisfy { before in
                    before == index || order.contains(before)
                        || !edits[index].context.covers(edits[before].author, edits[before].sequence)
                }
                if !isReady { continue }
                order.append(index)
                extend()
                order.removeLast()
            }
        }
        extend()
        return found
    }

    /// The operations, when the log has them in this order.
    package func operations(_ log: [Int]) -> [Operation] {
        log.enumerated().flatMap { place, index in
            edits[index].changes.map {
                Operation(
                    place: UInt64(place) + 1, author: edits[index].author, sequence: edits[index].sequence,
                    protectionClass: $0.protectionClass, index: 0, time: edits[index].time,
                    context: edits[index].context, change: $0.change)
            }
        }
    }

    /// A register that learns operations in this order.
    package static func register(_ operations: some Sequence<Operation>) -> Register {
        var register = Register()
        for operation in operations { register.insert(operation) }
        return register
    }
}
