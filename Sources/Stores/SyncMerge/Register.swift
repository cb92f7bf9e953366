// SPDX-License-Identifier: Apache-2.0

/// All counted and opened operations of one item, and their merged result: a function of the set, not of the order
/// of arrival.
public struct Register: Hashable, Sendable {
    /// The value that the user sees.
    public enum Value: Hashable, Sendable {
        /// Never put, or deleted.
        case absent
        /// The value.
        case value([UInt8])
        /// The value is sealed under a class that is not open.
        case outOfReach
    }

    /// Ordered by place, class and index; each once.
    public private(set) var operations: [Operation] = []
    /// The operations that none dominates, by author. Each slice is ordered by sequence, then as in `operations`. No
    /// slice is empty.
    private var undominated: [UInt32: ArraySlice<Operation>] = [:]

    /// An empty register.
    public init() {}

    /// Inserts an operation, and returns whether it was new. A known operation changes nothing.
    @discardableResult
    public mutating func insert(_ operation: Operation) -> Bool {
        let at = Self.position(of: operation, in: operations)
        if at < operations.endIndex, !operation.precedes(operations[at]) { return false }
        // Only later operations in the log can dominate it, and it can dominate only earlier ones.
        let isDominated = operations[at...].contains { $0.dominates(operation) }
        operations.insert(operation, at: at)
        for mark in operation.context.marks { dropUndominated(mark, before: operation.place) }
        if !isDominated { addUndominated(operation) }
        return true
    }

    /// Drops the operations that an operation at `place` dominates by one mark of its context.
    private mutating func dropUndominated(_ mark: Context.Mark, before place: UInt64) {
        guard let own = undominated[mark.author] else { return }
        let covered = own.prefixEnd { $0.sequence <= mark.sequence }
        let later = own[..<covered].filter { $0.place >= place }
        let left = later.isEmpty ? own[covered...] : later + own[covered...]
        undominated[mark.author] = left.isEmpty ? nil : left
    }

    private mutating func addUndominated(_ operation: Operation) {
        let at =
            undominated[operation.author]?.prefixEnd {
                $0.sequence < operation.sequence || $0.sequence == operation.sequence && $0.precedes(operation)
            } ?? 0
        undominated[operation.author, default: []].insert(operation, at: at)
    }

    /// Inserts all operations of `other`.
    public mutating func join(_ other: Register) {
        for operation in other.operations { insert(operation) }
    }

    /// The operations that none dominates, greatest first: the first is the value, the others lost. A `moved` whose put
    /// is known is left out.
    public var frontier: [Operation] {
        let all = undominated.values.joined()
        guard all.contains(where: \.isMoved) else { return all.sorted { $1.yields(to: $0) } }
        let others = Set(operations.lazy.filter { !$0.isMoved }.map(\.mark))
        return all.filter { !$0.isMoved || !others.contains($0.mark) }.sorted { $1.yields(to: $0) }
    }

    /// The value of the register.
    public var value: Value {
        switch frontier.first?.change {
        case nil, .delete: .absent
        case .put(let value, _): .value(value)
        case .moved: .outOfReach
        }
    }

    /// The operations that lost against the value without its author knowing them. They are kept in history, and
    /// reported once.
    public var losers: [Operation] { frontier.dropFirst().filter { !$0.isMoved } }

    /// The context for an edit by a home that has applied all operations here.
    public var context: Context {
        var covered = Covered()
        for operation in operations {
            covered.take(operation.mark)
            covered.take(operation.context)
        }
        return covered.context
    }

    /// Drops settled operations and returns them. All members have seen everything up to `place`, as they stated
    /// before `end`.
    /// First dropped are the dominated operations up to `place`, then a delete if it is the only operation
    /// before `end`.
    /// Only for a home that has opened everything before `end`. Later operations have no effect.
    @discardableResult
    public mutating func drop(through place: UInt64, before end: UInt64) -> [Operation] {
        let all = operations
        let settled = operations[...].prefixEnd { $0.place <= place }
        operations = Self.undominated(among: operations[..<settled]) + operations[settled...]
        let known = operations.prefix { $0.place < end }
        if known.count == 1, let only = known.first, only.place <= place, only.change == .delete {
            operations.removeFirst()
        }
        guard operations.count < all.count else { return [] }
        undominated = [:]
        for operation in Self.undominated(among: operations[...]) { addUndominated(operation) }
        let left = Set(operations)
        return all.filter { !left.contains($0) }
    }

    /// The newest puts of dropped operations: at most `count`, and none older than `time`.
    func former(_ count: Int, since time: UInt64) -> Register {
        var kept = Register()
        for operation in operations.filter({ $0.isPut && $0.time >= time }).sorted(by: { $1.yields(to: $0) })
            .prefix(count)
        {
            kept.operations.insert(operation, at: Self.position(of: operation, in: kept.operations))
        }
        return kept
    }

    /// The operations, in order, that none of them dominates. What several later ones cover together is covered by one
    /// of them.
    private static func undominated(among operations: ArraySlice<Operation>) -> [Operation] {
        var (kept, covered, rest) = ([Operation](), Covered(), operations)
        while let place = rest.last?.place {
            let entry = rest.prefixEnd { $0.place < place }
            // Operations of one entry don't dominate each other.
            kept += rest[entry...].reversed().filter { !covered.covers($0.mark) }
            for operation in rest[entry...] { covered.take(operation.context) }
            rest = rest[..<entry]
        }
        return kept.reversed()
    }

    private static func position(of operation: Operation, in list: [Operation]) -> Int {
        list[...].prefixEnd { $0.precedes(operation) }
    }
}

/// What several contexts cover together.
private struct Covered {
    private var sequences: [UInt32: UInt64] = [:]

    mutating func take(_ mark: Context.Mark) {
        sequences[mark.author] = max(sequences[mark.author] ?? 0, mark.sequence)
    }

    mutating func take(_ context: Context) { for mark in context.marks { take(mark) } }

    func covers(_ mark: Context.Mark) -> Bool { mark.sequence <= sequences[mark.author] ?? 0 }

    var context: Context {
        Context(
            ascending: sequences.sorted { $0.key < $1.key }.map { Context.Mark(author: $0.key, sequence: $0.value) })
    }
}

extension Operation {
    fileprivate var mark: Context.Mark { Context.Mark(author: author, sequence: sequence) }
}

extension ArraySlice {
    /// The end of the leading elements for which `isIn` holds. All such elements must come first in the slice.
    fileprivate func prefixEnd(where isIn: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isIn(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
