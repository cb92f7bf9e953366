// SPDX-License-Identifier: Apache-2.0

package import SyncLog

/// The members of a group, by a set of statements.
package struct GroupState: Equatable, Sendable {
    package fileprivate(set) var members: [Digest32: GroupRole] = [:]

    package var owners: [Digest32] {
        members.filter { $0.value == .owner }.map(\.key).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// The same by the numbers of persons and statements in a graph.
struct Standings: Sendable {
    struct Member: Sendable {
        var role: GroupRole
        /// The statement that gave this role.
        var grant: Int
        /// The statement by which the person came in.
        let entry: Int
    }

    private var members: [Member?] = []
    private(set) var owners = 0
    /// The strikes that counted: statement and person.
    private var strikes: [(number: Int, person: Int)] = []

    subscript(person: Int) -> Member? {
        get { person < members.count ? members[person] : nil }
        set {
            while members.count <= person { members.append(nil) }
            owners += (newValue?.role == .owner ? 1 : 0) - (members[person]?.role == .owner ? 1 : 0)
            members[person] = newValue
        }
    }

    mutating func strike(_ person: Int, by number: Int) { strikes.append((number, person)) }

    /// Whether a statement that knew `past` knew every strike against a person that counted.
    func isKnown(to past: StatementSet, _ person: Int) -> Bool {
        strikes.allSatisfy { $0.person != person || past.contains($0.number) }
    }

    var persons: [Int] { members.indices.filter { members[$0] != nil } }
}

/// Statements with what each author knew, and the one state that a set of them has, in any order of their arrival.
///
/// The order in which a set counts: each *strike* (a removal, or a lower role for another member) with what its author
/// knew, the strike of the more senior owner first; then the rest. Seniority is the depth of the statement that made
/// the author an owner, then its hash. In this order each statement is judged as in a log.
package struct StatementGraph: Sendable {
    struct Node: Sendable {
        let change: GroupChange
        let author: Int
        let subject: Int
        let id: Digest32
        /// What the author knew.
        let past: StatementSet
        /// The longest path from the founding.
        let depth: Int
        /// The author's role by what it knew; nil where the change is not the author's to make.
        var standing: Standings.Member?
        let before: Standings

        var isStrike: Bool { subject != author && change.lowers }
    }

    private(set) var nodes: [Node] = []
    private var persons: [Digest32] = []
    private var places: [Digest32: Int] = [:]

    package init() {}

    package var count: Int { nodes.count }

    /// Adds a statement whose parents are there. What its author may do follows from these alone, so that it is the
    /// same for every reader.
    package mutating func insert(_ change: GroupChange, by author: Digest32, id: Digest32, after parents: [Int]) -> Int
    {
        var past = StatementSet()
        var depth = 0
        for parent in parents {
            past.formUnion(nodes[parent].past)
            past.insert(parent)
            depth = max(depth, nodes[parent].depth + 1)
        }
        let before = standings(of: past, parents, depth)
        let number = nodes.count
        let (person, subject) = (place(of: author), place(of: change.subject ?? author))
        var node = Node(
            change: change, author: person, subject: subject, id: id, past: past, depth: depth,
            standing: before[person] ?? .init(role: .owner, grant: number, entry: number), before: before)
        var after = before
        if !Self.apply(node, number, to: &after) { node.standing = nil }
        nodes.append(node)
        return number
    }

    private mutating func place(of person: Digest32) -> Int {
        if let place = places[person] { return place }
        places[person] = persons.count
        persons.append(person)
        return persons.count - 1
    }

    /// Takes back the statement that was added last.
    package mutating func removeLast() { nodes.removeLast() }

    /// Where nothing was said at the same moment, the order is the one of the log.
    private func standings(of past: StatementSet, _ parents: [Int], _ depth: Int) -> Standings {
        guard parents.count == 1, past.count == depth else { return judged(past).standings }
        var standings = nodes[parents[0]].before
        _ = Self.apply(nodes[parents[0]], parents[0], to: &standings)
        return standings
    }

    /// Whether the author may make the change, by what it knew itself.
    package func isAllowed(_ number: Int) -> Bool { nodes[number].standing != nil }

    /// A statement's change and author.
    package func statement(_ number: Int) -> (change: GroupChange, author: Digest32) {
        (nodes[number].change, persons[nodes[number].author])
    }

    /// The member that a strike is against; nil where the statement is none.
    package func struck(_ number: Int) -> Digest32? {
        isStrike(number) ? persons[nodes[number].subject] : nil
    }

    /// What the author of a statement knew.
    package func past(_ number: Int) -> StatementSet { nodes[number].past }

    /// The state of a set that has the past of each of its members, and which of them count.
    package func outcome(of set: StatementSet) -> (state: GroupState, counted: StatementSet) {
        let (standings, counted) = judged(set)
        var state = GroupState()
        for person in standings.persons { state.members[persons[person]] = standings[person]?.role }
        return (state, counted)
    }

    private func judged(_ set: StatementSet) -> (standings: Standings, counted: StatementSet) {
        var (standings, counted) = (Standings(), StatementSet())
        for number in order(of: set) where Self.apply(nodes[number], number, to: &standings) { counted.insert(number) }
        return (standings, counted)
    }

    private func order(of set: StatementSet) -> [Int] {
        let all = set.members
        var (order, done) = ([Int](), StatementSet())
        func take(_ numbers: [Int]) {
            for number in numbers.sorted(by: isEarlier) {
                order.append(number)
                done.insert(number)
            }
        }
        for strike in all.filter(isStrike).sorted(by: isSenior) where !done.contains(strike) {
            take(nodes[strike].past.subtracting(done).members)
            take([strike])
        }
        take(set.subtracting(done).members)
        return order
    }

    /// Whether this is a strike that its author could make.
    package func isStrike(_ number: Int) -> Bool {
        nodes[number].standing != nil && nodes[number].isStrike
    }

    /// Depth, then hash: a total order in which what a statement knew is before it.
    private func isEarlier(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (nodes[left], nodes[right])
        return left.depth != right.depth ? left.depth < right.depth : left.id.lexicographicallyPrecedes(right.id)
    }

    /// Whether the strike `left` goes before the strike `right`.
    package func isSenior(_ left: Int, _ right: Int) -> Bool {
        guard let first = nodes[left].standing, let second = nodes[right].standing else { return false }
        return first.grant != second.grant ? isEarlier(first.grant, second.grant) : isEarlier(left, right)
    }

    /// Applies a change if its author has the right to it, by the same grant as when it was made.
    private static func apply(_ node: Node, _ number: Int, to standings: inout Standings) -> Bool {
        guard let standing = node.standing else { return false }
        if node.change == .founding {
            guard number == 0, standings.owners == 0 else { return false }
            standings[node.author] = standing
            return true
        }
        guard let own = standings[node.author], own.entry == standing.entry else { return false }
        let isLastOwner = own.role == .owner && standings.owners == 1
        if node.change == .leaving {
            guard !isLastOwner else { return false }
            standings[node.author] = nil
            return true
        }
        guard own.role == .owner, own.grant == standing.grant else { return false }
        // What gives a person more at the same moment as a strike against it is void, as what that person does itself.
        guard node.isStrike || standings.isKnown(to: node.past, node.subject) else { return false }
        switch (node.change, standings[node.subject]) {
        case (.addition(_, let role), nil):
            standings[node.subject] = .init(role: role, grant: number, entry: number)
        case (.role(_, let role), let member?):
            guard member.role != role, node.subject != node.author || !isLastOwner else { return false }
            standings[node.subject] = .init(role: role, grant: number, entry: member.entry)
        case (.removal, .some) where node.subject != node.author: standings[node.subject] = nil
        default: return false
        }
        if node.isStrike { standings.strike(node.subject, by: number) }
        return true
    }
}
