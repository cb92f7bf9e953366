// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SharedGroups
import SyncLog
import Testing

/// Walks through every interleaving of changes by three owners: before each, a person fetches what any of the others
/// have, or nothing; where persons may pretend, also as if nothing had been said since the beginning. Two worlds are
/// the same where the same statements are known to the same persons.
///
/// Held for what any person knows, and for all statements together:
/// 1. there is an owner;
/// 2. statements that arrive in another order give the same members, and the same ones count;
/// 3. of two owners that strike each other at the same moment, the one's strike counts at most;
/// 4. what an owner did at the same moment as a strike against it that counts, counts only before a strike by a more
///   senior owner;
/// 5. what counts was its author's to make, by what the author knew.
private struct GroupExplorer {
    struct World {
        var graph = StatementGraph()
        var ids: [UInt64] = []
        var views = [StatementSet](repeating: StatementSet(), count: 3)
        var all = StatementSet()
        var start = StatementSet()

        /// The persons that know each statement, regardless of the order in which they were made.
        var key: UInt64 {
            ids.indices.map { number in
                GroupExplorer.mix(
                    ids[number],
                    views.enumerated().reduce(1) { $0 | ($1.element.contains(number) ? 2 << $1.offset : 0) })
            }.reduce(0, &+)
        }
    }

    static func mix(_ value: UInt64, _ other: UInt64) -> UInt64 {
        var mixed = (value ^ other &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    static let persons: [Digest32] = (1...3).map { [UInt8](repeating: $0, count: 32) }

    let mayPretend: Bool
    private(set) var worlds = 0
    private(set) var sets = 0
    private var judged: Set<UInt64> = []
    private var seen: Set<UInt64> = []

    init(mayPretend: Bool) { self.mayPretend = mayPretend }
    private(set) var broken: [String] = []

    mutating func run(changes: Int) {
        var world = World()
        for change in [
            GroupChange.founding, .addition(Self.persons[1], .owner), .addition(Self.persons[2], .owner),
        ] { world = step(world, 0, change, with: world.all) ?? world }
        world.start = world.all
        world.views = [StatementSet](repeating: world.all, count: 3)
        walk(world, changes)
    }

    private mutating func walk(_ world: World, _ changes: Int) {
        guard changes > 0 else { return }
        for after in successors(world) where seen.insert(after.key).inserted {
            worlds += 1
            judge(after, after.all)
            for view in after.views { judge(after, view) }
            walk(after, changes - 1)
        }
    }

    private func successors(_ world: World) -> [World] {
        (0..<3).flatMap { person in
            let others = (0..<3).filter { $0 != person }
            let changes = others.flatMap { other -> [GroupChange] in
                let subject = Self.persons[other]
                return [.removal(subject), .role(subject, .reader), .role(subject, .owner), .addition(subject, .owner)]
            }
            return (0..<(mayPretend ? 5 : 4)).flatMap { fetched -> [World] in
                var view = fetched == 4 ? world.start : world.views[person]
                for (bit, other) in others.enumerated() where fetched < 4 && fetched >> bit & 1 == 1 {
                    view.formUnion(world.views[other])
                }
                return (changes + [.leaving]).compactMap { step(world, person, $0, with: view) }
            }
        }
    }

    /// Nil where the person can't make the change.
    private func step(_ world: World, _ person: Int, _ change: GroupChange, with view: StatementSet) -> World? {
        var after = world
        var named = StatementSet()
        for number in view.members { named.formUnion(world.graph.past(number)) }
        let parents = view.subtracting(named).members
        var id = Self.mix(UInt64(person) << 32, code(change))
        for parent in parents.map({ world.ids[$0] }).sorted() { id = Self.mix(id, parent) }
        guard !world.ids.contains(id) else { return nil }
        let number = after.graph.insert(change, by: Self.persons[person], id: Self.digest(id), after: parents)
        guard after.graph.isAllowed(number) else { return nil }
        after.ids.append(id)
        after.all.insert(number)
        after.views[person].formUnion(view)
        after.views[person].insert(number)
        return after
    }

    private func code(_ change: GroupChange) -> UInt64 {
        switch change {
        case .founding: 1
        case .addition(let subject, let role): 2 << 16 | UInt64(subject[0]) << 8 | UInt64(role.rawValue)
        case .role(let subject, let role): 3 << 16 | UInt64(subject[0]) << 8 | UInt64(role.rawValue)
        case .removal(let subject): 4 << 16 | UInt64(subject[0]) << 8
        case .leaving: 5 << 16
        }
    }

    private static func digest(_ id: UInt64) -> Digest32 {
        (0..<32).map { UInt8(truncatingIfNeeded: id >> UInt64(56 - 8 * ($0 & 7))) }
    }

    private mutating func judge(_ world: World, _ set: StatementSet) {
        let numbers = set.members
        guard judged.insert(numbers.reduce(0) { $0 &+ Self.mix(world.ids[$1], 0) }).inserted else { return }
        sets += 1
        let (state, counted) = world.graph.outcome(of: set)
        if state.owners.isEmpty { broken.append("no owner: \(describe(world, set))") }
        if !arrivesAlike(world, numbers, state, counted) { broken.append("another order: \(describe(world, set))") }
        let graph = world.graph
        let areAside = { (left: Int, right: Int) in
            left != right && !graph.past(left).contains(right) && !graph.past(right).contains(left)
        }
        let strikes = numbers.filter { graph.isStrike($0) }
        for number in counted.members {
            let (change, author) = graph.statement(number)
            if !graph.isAllowed(number) { broken.append("not allowed: \(describe(world, set))") }
            for strike in strikes where counted.contains(strike) && areAside(strike, number) {
                guard graph.struck(strike) == author, change != .leaving else { continue }
                if graph.struck(number) == graph.statement(strike).author {
                    broken.append("both strike: \(describe(world, set))")
                }
                let isCovered = strikes.contains {
                    ($0 == number || graph.past($0).contains(number)) && graph.isSenior($0, strike)
                }
                if !isCovered { broken.append("struck and counts: \(describe(world, set))") }
            }
        }
    }

    /// The same statements in another order that has what each one names before it.
    private func arrivesAlike(
        _ world: World, _ numbers: [Int], _ state: GroupState, _ counted: StatementSet
    ) -> Bool {
        var (graph, places, rest) = (StatementGraph(), [Int: Int](), numbers)
        while !rest.isEmpty {
            guard let at = rest.lastIndex(where: { world.graph.past($0).members.allSatisfy { places[$0] != nil } })
            else {
                return false
            }
            let number = rest.remove(at: at)
            let (past, statement) = (world.graph.past(number), world.graph.statement(number))
            var named = StatementSet()
            for other in past.members { named.formUnion(world.graph.past(other)) }
            places[number] = graph.insert(
                statement.change, by: statement.author, id: Self.digest(world.ids[number]),
                after: past.subtracting(named).members.compactMap { places[$0] })
        }
        var all = StatementSet()
        for place in places.values { all.insert(place) }
        let other = graph.outcome(of: all)
        return other.state == state
            && numbers.allSatisfy { other.counted.contains(places[$0] ?? 0) == counted.contains($0) }
    }

    private func describe(_ world: World, _ set: StatementSet) -> String {
        set.members.map { number in
            let (change, author) = world.graph.statement(number)
            return "\(number): \(author[0]) \(change) after \(world.graph.past(number).members)"
        }.joined(separator: "; ")
    }
}

@Suite struct GroupExplorerTests {
    // Rule: strikes go first, and no order of arrival has a part in it | StatementGraph.order gives the statements as
    //   they came | 2: another order
    @Test(arguments: [false, true])
    func `no interleaving of changes gives two truths, or no owner`(mayPretend: Bool) {
        // ZAMOK_MEMBERSHIP_CHANGES=6 is all of them; optimised, a quarter of an hour.
        let environment = ProcessInfo.processInfo.environment
        let byHand = environment["ZAMOK_MEMBERSHIP_CHANGES"].flatMap { Int($0) }
        var explorer = GroupExplorer(mayPretend: mayPretend)
        explorer.run(changes: byHand.map { mayPretend ? $0 - 1 : $0 } ?? (environment["ZAMOK_LONG"] == nil ? 2 : 3))
        #expect(explorer.broken.isEmpty, "\(explorer.broken.prefix(3).joined(separator: "\n"))")
        #expect(explorer.worlds > 200 && explorer.sets > 200)
        if byHand != nil { print("\(explorer.worlds) worlds, \(explorer.sets) sets of statements") }
    }

    // Rule: a person that is added at the same moment as it is removed is no member | apply without isKnown | the
    //   person is one again
    @Test func `an addition at the same moment as a removal doesn't undo it`() {
        var graph = StatementGraph()
        let persons: [Digest32] = (1...3).map { [UInt8](repeating: $0, count: 32) }
        var numbers: [Int] = []
        func add(_ change: GroupChange, _ person: Int, _ parents: [Int]) {
            let id = [UInt8](repeating: UInt8(numbers.count), count: 32)
            numbers.append(graph.insert(change, by: persons[person], id: id, after: parents))
        }
        add(.founding, 0, [])
        add(.addition(persons[1], .owner), 0, [0])
        add(.addition(persons[2], .owner), 0, [1])
        add(.removal(persons[1]), 0, [2])
        // Found by the explorer: it left, was added again, and removed its remover.
        add(.leaving, 1, [2])
        add(.addition(persons[1], .owner), 2, [4])
        add(.removal(persons[0]), 1, [5])
        var all = StatementSet()
        for number in numbers { all.insert(number) }
        let (state, counted) = graph.outcome(of: all)
        #expect(state.owners == [persons[0], persons[2]])
        #expect(counted.members == [0, 1, 2, 3])
    }
}
