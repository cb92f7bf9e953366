// SPDX-License-Identifier: Apache-2.0

/// All counted and opened operations of one item, and what follows from them: a function of the set, not of the order in which it was learned.
public struct Register: Hashable, Sendable {
    /// What a person sees.
    public enum Value: Hashable, Sendable {
        /// Never put, or deleted.
        case absent
        /// The value.
        case value([UInt8])
        /// It lies under a class that is not open.
        case outOfReach
    }

    /// By place, class and index; each once.
    public private(set) var operations: [Operation] = []
    /// Those that nothing dominates; in the order of `operations`.
    private var undominated: [Operation] = []

    /// No operation.
    public init() {}

    /// Takes an operation in; one that is there already changes nothing. Whether it was new.
    @discardableResult
    public mutating func insert(_ operation: Operation) -> Bool {
        let at = Self.position(of: operation, in: operations)
        if at < operations.endIndex, !operation.stands(before: operations[at]) { return false }
        let isDominated = operations.contains { $0.dominates(operation) }
        operations.insert(operation, at: at)
        undominated.removeAll { operation.dominates($0) }
        if !isDominated { undominated.insert(operation, at: Self.position(of: operation, in: undominated)) }
        return true
    }

    /// Takes in all that `other` has.
    public mutating func join(_ other: Register) {
        for operation in other.operations { insert(operation) }
    }

    /// What nothing dominates, greatest first: the first is the value, the others lost. A `moved` is not among them where its put is known.
    public var frontier: [Operation] {
        undominated.filter { candidate in
            !candidate.isMoved
                || !operations.contains {
                    !$0.isMoved && $0.author == candidate.author && $0.sequence == candidate.sequence
                }
        }.sorted { $1.yields(to: $0) }
    }

    /// The value of the register.
    public var value: Value {
        switch frontier.first?.change {
        case nil, .delete: .absent
        case .put(let value, _): .value(value)
        case .moved: .outOfReach
        }
    }

    /// What lost against the value without its author knowing it: to be kept in history, and told once.
    public var losers: [Operation] { frontier.dropFirst().filter { !$0.isMoved } }

    /// The context for an edit by a home that has applied everything here.
    public var context: Context {
        var context = Context()
        for operation in operations {
            context.cover(operation.author, operation.sequence)
            context.join(operation.context)
        }
        return context
    }

    /// Forgets what is settled: up to `place` all members have seen everything, which they said before `end`. First what is dominated up to there, then
    /// a delete that stands alone among all that came before `end`. Only for a home that has opened all of that; what came later has no effect.
    /// What was forgotten.
    @discardableResult
    public mutating func drop(through place: UInt64, before end: UInt64) -> [Operation] {
        let all = operations
        let settled = operations.filter { $0.place <= place }
        operations.removeAll { candidate in
            candidate.place <= place && settled.contains { $0.dominates(candidate) }
        }
        let known = operations.prefix { $0.place < end }
        if known.count == 1, let only = known.first, only.place <= place, only.change == .delete {
            operations.removeFirst()
        }
        guard operations.count < all.count else { return [] }
        undominated = operations.filter { candidate in !operations.contains { $0.dominates(candidate) } }
        let left = Set(operations)
        return all.filter { !left.contains($0) }
    }

    /// Of operations that were dropped: the newest values, at most so many, and none from before a time.
    func former(_ count: Int, since time: UInt64) -> Register {
        var kept = Register()
        for operation in operations.filter({ $0.isPut && $0.time >= time }).sorted(by: { $1.yields(to: $0) })
            .prefix(count)
        {
            kept.operations.insert(operation, at: Self.position(of: operation, in: kept.operations))
        }
        return kept
    }

    private static func position(of operation: Operation, in list: [Operation]) -> Int {
        if let last = list.last, last.stands(before: operation) { return list.endIndex }
        return list.firstIndex { !$0.stands(before: operation) } ?? list.endIndex
    }
}
