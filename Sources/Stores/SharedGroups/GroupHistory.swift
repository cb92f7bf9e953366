// SPDX-License-Identifier: Apache-2.0

package import SyncLog

/// A group's statements as they arrive, in any order and any number of times.
package struct GroupHistory: Sendable {
    package static let most = 4_096
    package static let mostWaiting = 1_024

    package enum Arrival: Hashable, Sendable {
        /// It is one of the group's statements now, with what waited for it.
        case taken
        /// It was there already.
        case known
        /// Something that it names is not there yet.
        case waits
    }

    package enum Verdict: Hashable, Sendable {
        case counts
        /// Another one at the same moment went before it.
        case beaten
    }

    /// The founding statement's id.
    package let group: Digest32
    private let isMachine: @Sendable (_ key: [UInt8], _ person: Digest32) -> Bool
    private var graph = StatementGraph()
    private var numbers: [Digest32: Int] = [:]
    private var refused: Set<Digest32> = []
    private var waiting: [Digest32: GroupStatement] = [:]
    private var all = StatementSet()
    /// The members, by the statements that are there.
    package private(set) var state = GroupState()
    private var counted = StatementSet()

    /// Begins with a founding statement.
    /// - Parameter isMachine: Whether a signing key is or was one of a machine of a person, by that person's own log.
    ///   The answer never changes.
    /// - Throws: `GroupError` if the statement founds no group.
    package init(
        founding bytes: [UInt8], isMachine: @escaping @Sendable (_ key: [UInt8], _ person: Digest32) -> Bool
    ) throws(GroupError) {
        let founding = try GroupStatement(bytes)
        guard founding.change == .founding else { throw .malformed }
        guard isMachine(founding.key, founding.author) else { throw .unknownMachine }
        group = founding.id
        self.isMachine = isMachine
        insert(founding)
        judge()
    }

    /// Takes a statement from outside.
    package mutating func take(_ bytes: [UInt8]) throws(GroupError) -> Arrival {
        let arrival = try arrive(bytes)
        if arrival == .taken { judge() }
        return arrival
    }

    /// Takes many, and judges once.
    package mutating func take(all statements: [[UInt8]]) -> [Result<Arrival, GroupError>] {
        let arrivals = statements.map { bytes in Result { () throws(GroupError) in try arrive(bytes) } }
        judge()
        return arrivals
    }

    private mutating func arrive(_ bytes: [UInt8]) throws(GroupError) -> Arrival {
        let statement = try GroupStatement(bytes)
        if numbers[statement.id] != nil { return .known }
        guard statement.group == group else { throw .anotherGroup }
        guard isMachine(statement.key, statement.author) else { throw .unknownMachine }
        guard !isRefused(statement) else { throw .notAllowed }
        guard hasParents(statement) else {
            guard waiting.count < Self.mostWaiting else { throw .full }
            waiting[statement.id] = statement
            return .waits
        }
        guard graph.count < Self.most else { throw .full }
        insert(statement)
        guard numbers[statement.id] != nil else { throw .notAllowed }
        takeWaiting()
        return .taken
    }

    private func hasParents(_ statement: GroupStatement) -> Bool {
        statement.parents.allSatisfy { numbers[$0] != nil }
    }

    private func isRefused(_ statement: GroupStatement) -> Bool {
        refused.contains(statement.id) || statement.parents.contains(where: refused.contains)
    }

    private mutating func insert(_ statement: GroupStatement) {
        let number = graph.insert(
            statement.change, by: statement.author, id: statement.id,
            after: statement.parents.compactMap { numbers[$0] })
        // No honest author builds on what was never allowed, so that it needs no place.
        guard graph.isAllowed(number) else {
            graph.removeLast()
            if refused.count < Self.most { refused.insert(statement.id) }
            return
        }
        numbers[statement.id] = number
        all.insert(number)
    }

    private mutating func takeWaiting() {
        var isDone = false
        while !isDone {
            isDone = true
            for (id, statement) in waiting.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                if isRefused(statement) { waiting[id] = nil }
                guard waiting[id] != nil, hasParents(statement), graph.count < Self.most else { continue }
                waiting[id] = nil
                insert(statement)
                isDone = false
            }
        }
    }

    private mutating func judge() { (state, counted) = graph.outcome(of: all) }

    /// Whether a statement counts; nil if it isn't there, or was never its author's to make.
    package func verdict(_ id: Digest32) -> Verdict? {
        numbers[id].map { counted.contains($0) ? .counts : .beaten }
    }

    /// How many statements name something that is not there.
    package var waitingCount: Int { waiting.count }

    /// What the next statement names: what no other one has named.
    package var heads: [Digest32] {
        var named = StatementSet()
        for number in all.members { named.formUnion(graph.past(number)) }
        let heads = numbers.filter { !named.contains($0.value) }.map(\.key)
        return Array(heads.sorted { $0.lexicographicallyPrecedes($1) }.prefix(GroupStatement.mostParents))
    }
}
