// SPDX-License-Identifier: Apache-2.0

import SyncHistories
import SyncMerge
import Testing

@Suite struct MergeTests {
    private static func put(
        _ author: UInt32, _ sequence: UInt64, time: UInt64, seen: [(UInt32, UInt64)] = [], _ value: String
    ) -> PartialOrder.Edit {
        PartialOrder.Edit(
            author: author, sequence: sequence, time: time,
            context: Context(seen.map { Context.Mark(author: $0.0, sequence: $0.1) }),
            changes: [(.complete, .put(value: Array(value.utf8), from: nil))])
    }

    // Rule: an edit beats what its home had applied, and the clock decides between the others alone | the clock decides
    //   always (Operation.dominates false) | the vector of three edits has two losers more
    @Test func `of three edits the one that had seen another beats it, and the clock decides between the rest`() {
        let order = PartialOrder(edits: [
            Self.put(1, 1, time: 10, "a"), Self.put(2, 1, time: 5, seen: [(1, 1)], "b"), Self.put(3, 1, time: 7, "c"),
        ])
        #expect(order.logs.count == 3)
        for log in order.logs {
            for operations in Self.permutations(order.operations(log)) {
                let register = PartialOrder.register(operations)
                #expect(register.frontier.map(\.author) == [3, 2])
                #expect(register.value == .value(Array("c".utf8)))
                #expect(register.losers.map(\.author) == [2])
            }
        }
    }

    // Rule: an edit dominates only what is before it in the log | Operation.dominates without the places | two edits
    //   that name each other both vanish
    @Test func `a context that names the future has no effect`() {
        let order = PartialOrder(edits: [
            Self.put(1, 1, time: 1, seen: [(2, 1000)], "a"), Self.put(2, 7, time: 2, seen: [(1, 1)], "b"),
        ])
        let register = PartialOrder.register(order.operations([0, 1]))
        #expect(register.value == .value(Array("b".utf8)))
        #expect(register.frontier.count == 1)
        #expect(PartialOrder.register(order.operations([1, 0])).value == .value(Array("a".utf8)))
    }

    // Rule: a value that moved to a locked class can't be read, and no older one is shown | frontier without its filter
    //   of moved | the put and its moved are both in F
    @Test func `a value that moved to a locked class is out of reach until that is opened`() {
        let first = Operation(
            place: 1, author: 1, sequence: 1, protectionClass: .none, index: 0, time: 1, context: Context(),
            change: .put(value: [1], from: nil))
        let seen = Context([Context.Mark(author: 1, sequence: 1)])
        let moved = Operation(
            place: 2, author: 1, sequence: 2, protectionClass: .none, index: 0, time: 2, context: seen,
            change: .moved(to: .complete))
        let put = Operation(
            place: 2, author: 1, sequence: 2, protectionClass: .complete, index: 0, time: 2, context: seen,
            change: .put(value: [2], from: nil))
        var register = PartialOrder.register([first, moved])
        #expect(register.value == .outOfReach)
        register.insert(put)
        #expect(register.value == .value([2]))
        #expect(register.losers.isEmpty)
        #expect(register.frontier == [put])
    }

    @Test func `joining partial sets is a union in any order`() {
        var seed = Seed(4)
        for _ in 0..<300 {
            let order = PartialOrder(&seed)
            let operations = order.operations(order.logs[0])
            var left = MergedItems()
            var right = MergedItems()
            for operation in operations {
                if seed.below(3) > 0 { left.insert(operation, on: [7]) }
                if seed.below(3) > 0 { right.insert(operation, on: [7]) }
            }
            var both = left
            both.join(right)
            var other = right
            other.join(left)
            #expect(both == other)
            both.join(left)
            #expect(both == other)
        }
    }

    // Rule: a delete is dropped only when nothing of its register came before all had seen it | Register.drop without
    //   `before` (count of all operations) | the late drop differs
    @Test func `what is dropped late is what was dropped in time`() {
        var seed = Seed(5)
        for _ in 0..<2000 {
            let order = PartialOrder(&seed)
            guard let log = order.logs.randomElement(using: &seed) else { continue }
            let operations = order.operations(log)
            let settled = UInt64(seed.below(6)) + 1
            let end = settled + 1 + UInt64(seed.below(3))
            var early = PartialOrder.register(operations.filter { $0.place < end })
            early.drop(through: settled, before: end)
            for operation in operations where operation.place >= end { early.insert(operation) }
            var late = PartialOrder.register(operations)
            late.drop(through: settled, before: end)
            #expect(early == late)
        }
    }

    // Rule: the state is a function of the set of operations, not of the order in which they were learned | insert
    //   always takes the newer operation as undominated | the orders of opening differ
    @Test func `every history comes to the same`() throws {
        let seed: UInt64 = 20_261_122
        print("seed \(seed)")
        var histories = Histories(seed: seed)
        var views = 0
        while histories.played < 20_000 { try histories.play(openings: 8) { _ in views += 1 } }
        #expect(views * 8 == histories.played)
    }

    @Test func `every order of opening, not only those that are drawn`() {
        var seed = Seed(6)
        for _ in 0..<40 {
            let order = PartialOrder(&seed, edits: 4)
            for log in order.logs {
                let operations = order.operations(log)
                let expected = PartialOrder.register(operations)
                for permutation in Self.permutations(operations) {
                    #expect(PartialOrder.register(permutation) == expected)
                }
            }
        }
    }

    private static func permutations(_ operations: [Operation]) -> [[Operation]] {
        guard let last = operations.last else { return [[]] }
        return permutations(operations.dropLast()).flatMap { shorter in
            (0...shorter.count).map { at in Array(shorter[..<at]) + [last] + Array(shorter[at...]) }
        }
    }
}
