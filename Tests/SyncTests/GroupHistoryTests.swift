// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SharedGroups
import SyncLog
import TestSupport
import Testing

/// Members of a shared group: what counts, in any order of arrival, and what is refused.
@Suite struct GroupHistoryTests {
    /// Persons with a machine each, and what each of them knows.
    struct Scene {
        let keys: [P256.Signing.PrivateKey]
        let persons: [Digest32]
        let founding: [UInt8]
        private(set) var made: [[UInt8]] = []

        init(_ count: Int = 4) throws {
            keys = (0..<count).map { _ in P256.Signing.PrivateKey() }
            persons = (0..<count).map { [UInt8](repeating: UInt8($0 + 1), count: 32) }
            founding = try GroupStatement(
                .founding, in: nil, by: persons[0], keys[0], nonce: [UInt8](repeating: 1, count: 16), after: []
            ).bytes
        }

        func history(_ statements: [[UInt8]] = []) throws -> GroupHistory {
            let known = Dictionary(
                uniqueKeysWithValues: zip(persons, keys.map { Array($0.publicKey.rawRepresentation) }))
            var history = try GroupHistory(founding: founding) { key, person in known[person] == key }
            for statement in statements { _ = try history.take(statement) }
            return history
        }

        /// A statement by a person that knows what `history` has.
        func statement(
            _ change: GroupChange, by person: Int, _ history: GroupHistory, after parents: [Digest32]? = nil,
            key: Int? = nil, group: Digest32? = nil
        ) throws -> [UInt8] {
            let nonce = (0..<16).map { _ in UInt8.random(in: 0...255) }
            return try GroupStatement(
                change, in: group ?? history.group, by: persons[person], keys[key ?? person], nonce: nonce,
                after: parents ?? history.heads
            ).bytes
        }

        /// All persons are owners, and know it.
        func owners(_ count: Int) throws -> [[UInt8]] {
            var history = try history()
            return try (1..<count).map { person in
                let bytes = try statement(.addition(persons[person], .owner), by: 0, history)
                _ = try history.take(bytes)
                return bytes
            }
        }
    }

    private func roles(_ scene: Scene, _ history: GroupHistory) -> [GroupRole?] {
        scene.persons.map { history.state.members[$0] }
    }

    private func id(_ bytes: [UInt8]) throws -> Digest32 { try GroupStatement(bytes).id }

    @Test func `a log without forks counts as it is written`() throws {
        let scene = try Scene()
        var history = try scene.history()
        let persons = scene.persons
        for (person, change) in [
            (0, GroupChange.addition(persons[1], .reader)), (0, .addition(persons[2], .owner)),
            (2, .role(persons[1], .writer)), (2, .removal(persons[0])), (1, .leaving),
            (2, .addition(persons[3], .owner)),
            (3, .role(persons[2], .reader)),
        ] { #expect(try history.take(scene.statement(change, by: person, history)) == .taken) }
        #expect(roles(scene, history) == [nil, nil, .reader, .owner])
        // A removed person, a reader and a stranger to the role; the last owner.
        for (person, change) in [
            (0, GroupChange.addition(persons[1], .reader)), (2, .addition(persons[1], .reader)),
            (2, .role(persons[2], .owner)), (1, .leaving), (3, .leaving), (3, .role(persons[3], .reader)),
            (3, .addition(persons[2], .owner)), (3, .role(persons[2], .reader)), (3, .removal(persons[1])),
        ] {
            let statement = try scene.statement(change, by: person, history)
            #expect(throws: GroupError.notAllowed, "\(change)") { try history.take(statement) }
        }
        #expect(roles(scene, history) == [nil, nil, .reader, .owner])
    }

    // Rule: of two owners that remove each other at the same moment the first to become one stays | isSenior compares
    //   hashes alone | in some runs the other one stays
    @Test func `of two owners that remove each other the senior stays`() throws {
        let scene = try Scene()
        let owners = try scene.owners(3)
        for (first, second, third) in [(0, 1, 2), (1, 2, 0), (0, 2, 1)] {
            let before = try scene.history(owners)
            let statements = [
                try scene.statement(.removal(scene.persons[second]), by: first, before),
                try scene.statement(.removal(scene.persons[first]), by: second, before),
                // What the removed one did at the same moment.
                try scene.statement(.addition(scene.persons[3], .owner), by: second, before),
            ]
            for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
                let history = try scene.history(owners + order.map { statements[$0] })
                #expect(history.state.members[scene.persons[first]] == .owner)
                #expect(history.state.members[scene.persons[third]] == .owner)
                #expect(history.state.members.count == 2)
                #expect(try statements.map { history.verdict(try id($0)) } == [.counts, .beaten, .beaten])
            }
        }
    }

    @Test func `owners that leave at the same moment leave one behind`() throws {
        let scene = try Scene()
        let owners = try scene.owners(2)
        let before = try scene.history(owners)
        let leaving = try [0, 1].map { try scene.statement(.leaving, by: $0, before) }
        let (one, two) = (try scene.history(owners + leaving), try scene.history(owners + leaving.reversed()))
        #expect(one.state.owners.count == 1 && one.state == two.state)
    }

    // Rule: what a removed owner did at the same moment stays void after it was added again | apply without its looks
    //   at entry and grant | the backdated addition counts
    @Test func `a removed owner that comes back brings nothing along`() throws {
        let scene = try Scene()
        var history = try scene.history(scene.owners(2))
        let heads = history.heads
        _ = try history.take(scene.statement(.removal(scene.persons[1]), by: 0, history))
        _ = try history.take(scene.statement(.addition(scene.persons[1], .owner), by: 0, history))
        // Enough of them to be deeper than the addition.
        var parents = heads
        for (subject, change) in [
            (3, GroupChange.addition(scene.persons[3], .reader)), (3, .role(scene.persons[3], .writer)),
            (3, .role(scene.persons[3], .owner)), (2, .addition(scene.persons[2], .owner)),
        ] {
            let backdated = try scene.statement(change, by: 1, history, after: parents)
            #expect(try history.take(backdated) == .taken)
            #expect(try history.verdict(id(backdated)) == .beaten, "\(subject)")
            parents = [try id(backdated)]
        }
        #expect(roles(scene, history) == [.owner, .owner, nil, nil])
        // With what it knows now it may.
        _ = try history.take(scene.statement(.addition(scene.persons[2], .reader), by: 1, history))
        #expect(roles(scene, history) == [.owner, .owner, .reader, nil])
    }

    @Test func `a role raised in the past is refused`() throws {
        let scene = try Scene()
        var history = try scene.history()
        let heads = history.heads
        _ = try history.take(scene.statement(.addition(scene.persons[1], .reader), by: 0, history))
        let raised = try scene.statement(.role(scene.persons[1], .owner), by: 1, history)
        let before = try scene.statement(.addition(scene.persons[2], .owner), by: 1, history, after: heads)
        let stranger = try scene.statement(.removal(scene.persons[0]), by: 2, history, after: heads)
        for statement in [raised, before, stranger] {
            #expect(throws: GroupError.notAllowed) { try history.take(statement) }
            // What is built on it is refused, in either order.
            let next = try scene.statement(.leaving, by: 1, history, after: [id(statement)])
            #expect(throws: GroupError.notAllowed) { try history.take(next) }
            var other = try scene.history()
            #expect(try other.take(next) == .waits)
        }
        #expect(roles(scene, history) == [.owner, .reader, nil, nil])
    }

    // Rule: any order of arrival comes to one state | StatementGraph.order gives the statements as they came |
    //   one refuses what the others took
    @Test func `any order of arrival comes to one state`() throws {
        let scene = try Scene(5)
        let owners = try scene.owners(3)
        var views = try (0..<5).map { _ in try scene.history(owners) }
        var made = owners
        for step in 0..<40 {
            let person = Int.random(in: 0..<5)
            let subject = scene.persons[Int.random(in: 0..<5)]
            let role = GroupRole.allCases[Int.random(in: 0..<3)]
            let changes: [GroupChange] = [.addition(subject, role), .role(subject, role), .removal(subject), .leaving]
            let statement = try scene.statement(changes[[0, 0, 1, 1, 2, 2, 3][step % 7]], by: person, views[person])
            if (try? views[person].take(statement)) == .taken { made.append(statement) }
            let (from, to) = (Int.random(in: 0..<5), Int.random(in: 0..<5))
            if step % 3 == 0 {
                for statement in made where (try? views[from].verdict(id(statement))) != nil {
                    _ = try? views[to].take(statement)
                }
            }
        }
        let whole = try scene.history(made)
        #expect(!whole.state.owners.isEmpty)
        for _ in 0..<20 {
            // Twice each, so that some are known already.
            var history = try scene.history()
            for statement in (made + made).shuffled() { _ = try history.take(statement) }
            #expect(roles(scene, history) == roles(scene, whole) && history.waitingCount == 0)
            for statement in made { #expect(try history.verdict(id(statement)) == whole.verdict(id(statement))) }
            var atOnce = try scene.history()
            #expect(atOnce.take(all: made.reversed()).allSatisfy { (try? $0.get()) != nil })
            #expect(atOnce.state == whole.state)
            #expect(history.heads == whole.heads)
        }
    }

    @Test func `forged, foreign and broken statements are refused`() throws {
        let scene = try Scene()
        var history = try scene.history(scene.owners(2))
        let state = history.state
        let right = try scene.statement(.removal(scene.persons[1]), by: 0, history)
        for at in right.indices {
            var broken = right
            broken[at] ^= 1 << UInt8(at & 7)
            #expect(throws: GroupError.self, "byte \(at)") { try history.take(broken) }
        }
        for count in 0..<right.count {
            #expect(throws: GroupError.malformed) { try history.take(Array(right.prefix(count))) }
        }
        #expect(throws: GroupError.malformed) { try history.take(right + [0]) }
        // Another person's machine, another group, a second founding.
        let others: [(GroupError, [UInt8])] = [
            (.unknownMachine, try scene.statement(.removal(scene.persons[0]), by: 1, history, key: 2)),
            (.unknownMachine, try scene.statement(.removal(scene.persons[1]), by: 0, history, key: 3)),
            (.anotherGroup, try scene.statement(.removal(scene.persons[1]), by: 0, history, group: history.heads[0])),
            (.anotherGroup, try Scene().founding),
            (.malformed, try scene.statement(.removal(scene.persons[0]), by: 0, history)),
            (.malformed, try scene.statement(.addition(scene.persons[0], .owner), by: 0, history)),
            (.malformed, try scene.statement(.leaving, by: 0, history, after: [])),
            (.malformed, try scene.statement(.leaving, by: 1, history, after: history.heads + history.heads)),
        ]
        for (error, statement) in others { #expect(throws: error) { try history.take(statement) } }
        #expect(history.state == state)
        // The same statement with another signature is the same.
        let parsed = try GroupStatement(right)
        let again = try GroupStatement(
            parsed.change, in: parsed.group, by: parsed.author, scene.keys[0], nonce: parsed.nonce,
            after: parsed.parents)
        #expect(again.id == parsed.id && again.signature != parsed.signature)
        #expect(try history.take(right) == .taken)
        #expect(try history.take(again.bytes) == .known)
        #expect(try history.take(scene.founding) == .known)
    }

    @Test func `what waits for nothing takes bounded room`() throws {
        let scene = try Scene(2)
        var history = try scene.history()
        var failures: Set<String> = []
        for number in 0..<GroupHistory.mostWaiting + 2 {
            let parent = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 & 15)) ^ UInt8($0) }
            let statement = try scene.statement(.leaving, by: 0, history, after: [parent])
            do { #expect(try history.take(statement) == .waits) } catch { failures.insert("\(error)") }
        }
        #expect(failures == ["full"] && history.waitingCount == GroupHistory.mostWaiting)
        #expect(try history.take(scene.statement(.addition(scene.persons[1], .reader), by: 0, history)) == .taken)
    }

    @Test func `hostile statements neither trap nor count`() throws {
        let scene = try Scene()
        let owners = try scene.owners(3)
        let history = try scene.history(owners)
        let corpus = owners + [scene.founding, try scene.statement(.leaving, by: 1, history)]
        let run = FuzzRun.tried("group statements", corpus: corpus, bounded: 500) { input in
            var copy = history
            let arrival = try copy.take(Array(input))
            if arrival != .known { #expect(corpus.contains(Array(input))) }
            return true
        }
        #expect(run.refused > run.inputs / 2)
    }
}
