// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncLog
import SyncMerge
import Testing

/// Walks through every order of moves up to a depth, over the state machine that counts entries (`LogState`), with real
/// keys and signatures. Two states are the same where no move can tell them apart. Compared are roles in the order of
/// their numbers, epoch, era, snapshot, the members that acknowledged it, and applicants.
///
/// Held in every state and over every step:
/// 1. an entry by a number that has ended has no effect, with any content;
/// 2. numbers become members by an addition of a member or of the recovery code, or in a genesis, and by nothing else;
///   a ticket adds no member;
/// 3. a signing key that was ever used is admitted never again;
/// 4. the epoch goes up by one with each entry of that kind and by nothing else; a removed member ends with it;
/// 5. keys of an epoch are sealed to the members that stay and the recovery code, and to nothing else;
/// 6. there is a member, and at most one recovery code;
/// 7. what is settled is a snapshot that all members have acknowledged;
/// 8. the state that a snapshot would hold is read again as the same bytes;
/// 9. a new era has the same members with the same keys and numbers, a higher epoch, and neither tickets nor a recovery
///   code.
private struct Explorer {
    struct Node {
        var state: LogState
        var ring: KeyRing
        /// Members and recovery codes, by number: which of the devices.
        var devices: [UInt32: Int] = [:]
        var tickets: Set<UInt32> = []
        var ended: Set<UInt32> = []
        var fresh = 1

        var key: String {
            let roles = (1..<state.next).map { number in
                if state.members.contains(number) {
                    return state.snapshot > 0 && state.acknowledged(by: number) == state.snapshot ? "A" : "M"
                }
                return state.recovery == number
                    ? "R"
                    : tickets.contains(number) && !ended.contains(number)
                        ? "T\(state.sequence(of: number) ?? 0)" : "E"
            }
            return
                "\(roles.joined()) \(state.epoch) \(state.era) \(state.snapshot > 0) \(state.settled == state.snapshot) "
                + "\(state.applicants.count)"
        }
    }

    enum Move {
        case entry(Entry, by: UInt32, (inout Node) -> Void)
        case epoch(Entry, EpochKeys, by: UInt32, removing: [UInt32])
        case restart([UInt8])
    }

    let pool: [DeviceKeys]
    let ticket = P256.Signing.PrivateKey()
    private(set) var states = 0
    private(set) var steps = 0
    private(set) var counted = 0

    init() throws { pool = try (0..<9).map { _ in try DeviceKeys() } }

    mutating func run(depth: Int) throws {
        let (bytes, keys) = try LogWriter.genesis(by: pool[0])
        let state = try LogState(genesis: bytes)
        var ring = KeyRing(state)
        ring.keep(keys)
        var frontier = [Node(state: state, ring: ring, devices: [1: 0])]
        var seen: Set<String> = [frontier[0].key]
        for _ in 0..<depth {
            var next: [Node] = []
            for node in frontier {
                states += 1
                for move in try moves(node) {
                    steps += 1
                    let after = try step(node, move)
                    if seen.insert(after.key).inserted { next.append(after) }
                }
            }
            frontier = next
        }
        states += frontier.count
    }

    private func writer(_ node: Node, _ number: UInt32) -> LogWriter {
        LogWriter(after: node.state, as: number, pool[node.devices[number] ?? 0], keys: node.ring)
    }

    private func moves(_ node: Node) throws -> [Move] {
        var moves: [Move] = []
        let state = node.state
        for member in state.members { moves += try self.moves(node, of: member) }
        if let code = state.recovery {
            moves.append(try addition(node, by: code, of: node.fresh))
            moves.append(.entry(try writer(node, code).leaving(), by: code) { _ in })
        }
        for number in node.tickets {
            let own = LogWriter(after: state, ticket: number, signing: ticket)
            if node.fresh < pool.count {
                moves.append(.entry(try own.application(of: pool[node.fresh]), by: number) { $0.fresh += 1 })
            }
            moves.append(.entry(try own.leaving(), by: number) { _ in })
        }
        for number in node.ended where !node.tickets.contains(number) {
            moves.append(.entry(try writer(node, number).leaving(), by: number) { _ in })
            moves.append(try addition(node, by: number, of: node.fresh))
        }
        return moves
    }

    private func moves(_ node: Node, of member: UInt32) throws -> [Move] {
        let (state, own) = (node.state, writer(node, member))
        var moves: [Move] = [
            .entry(try own.entry(.version, [1]), by: member) { _ in },
            .entry(try own.acknowledgement(), by: member) { _ in },
            .entry(
                try own.snapshot(of: MergedItems(), time: 1, chunks: [[[UInt8](repeating: 0, count: 32)], [], [], []]),
                by: member
            ) { _ in },
            .entry(try own.leaving(), by: member) { node in node.ended.insert(member) },
        ]
        // A key that was used, and one that wasn't.
        for device in [0, node.fresh] where state.next < 6 { moves.append(try addition(node, by: member, of: device)) }
        if let waiting = state.applicants.first, state.next < 6 {
            let device = pool.firstIndex { $0.record == waiting.record } ?? 0
            moves.append(try addition(node, by: member, of: device))
        }
        if state.epoch < 4 {
            for removed in [[]] + state.members.filter({ $0 != member }).map({ [$0] }) {
                let (entry, keys) = try own.epoch(removing: removed)
                moves.append(.epoch(entry, keys, by: member, removing: removed))
            }
        }
        if node.fresh < pool.count {
            let device = node.fresh
            moves.append(
                .entry(try own.rekey(to: pool[device]), by: member) { node in
                    node.devices[member] = device
                    node.fresh += 1
                })
            if state.next < 6, state.recovery == nil {
                let (record, number) = (pool[device].record, state.next)
                moves.append(
                    .entry(try own.entry(.recovery, Array(own.addition(of: record).body)), by: member) { node in
                        node.devices[number] = device
                        node.fresh += 1
                    })
            }
        }
        if state.next < 6 {
            let number = state.next
            moves.append(
                .entry(try own.ticket(key: ticket.publicKey, machines: 1), by: member) { $0.tickets.insert(number) })
        }
        for number in node.tickets.union(state.recovery.map { [$0] } ?? []) {
            moves.append(.entry(try own.end(ticket: number), by: member) { node in node.ended.insert(number) })
        }
        if state.era == 0 {
            moves.append(.restart(try LogWriter.genesis(continuing: state, by: pool[node.devices[member] ?? 0])))
        }
        return moves
    }

    private func addition(_ node: Node, by author: UInt32, of device: Int) throws -> Move {
        let number = node.state.next
        let device = min(device, pool.count - 1)
        return .entry(try writer(node, author).addition(of: pool[device].record), by: author) { node in
            node.devices[number] = device
            if device == node.fresh { node.fresh += 1 }
        }
    }

    private mutating func step(_ before: Node, _ move: Move) throws -> Node {
        var after = before
        switch move {
        case .restart(let bytes):
            let state = try LogState(genesis: bytes)
            #expect(state.members == before.state.members && state.recovery == nil)
            #expect(state.members.allSatisfy { state.record(of: $0) == before.state.record(of: $0) })
            #expect(state.epoch > before.state.epoch && state.next == before.state.next)
            counted += 1
            after.state = state
            // The new log doesn't know the others.
            (after.ended, after.tickets) = ([], [])
            after.ring = KeyRing(state)
            // The founder's own keys: opened as it would.
            if let founder = state.members.first(where: { state.sequence(of: $0) != before.state.sequence(of: $0) }) {
                after.ring = try LogReplica(genesis: bytes, account: nil, device: pool[before.devices[founder] ?? 0])
                    .keys
            }
        case .entry(let entry, let author, let effect):
            if try take(entry, by: author, &after) { effect(&after) }
        case .epoch(let entry, let keys, let author, let removed):
            if try take(entry, by: author, &after) {
                after.ring.keep(keys)
                after.ended.formUnion(removed)
                #expect(after.state.members == before.state.members.filter { !removed.contains($0) })
                sealed(entry, after.state)
            }
        }
        #expect(!after.state.members.isEmpty)
        #expect(after.state.settled <= after.state.snapshot)
        if after.state.settled > before.state.settled {
            #expect(after.state.members.allSatisfy { after.state.acknowledged(by: $0) == after.state.settled })
        }
        #expect(try LogState(reading: after.state.bytes).bytes == after.state.bytes)
        return after
    }

    /// The keys of an epoch go to its holders alone, each class once.
    private func sealed(_ entry: Entry, _ state: LogState) {
        guard case .epoch(let body) = try? Body(.epoch, entry.body) else { return }
        #expect(body.staying == state.holders)
        #expect(state.holders == (state.members + (state.recovery.map { [$0] } ?? [])).sorted())
    }

    private mutating func take(_ entry: Entry, by author: UInt32, _ node: inout Node) throws -> Bool {
        let before = node.state
        let verdict = node.state.take(entry.bytes)
        let kind = EntryKind(rawValue: entry.kind)
        guard case .counted = verdict else {
            // A void entry moves place and hash, and nothing else.
            #expect(
                node.state.members == before.members && node.state.epoch == before.epoch
                    && node.state.next == before.next)
            #expect(node.state.applicants.count == before.applicants.count && node.state.settled == before.settled)
            return false
        }
        counted += 1
        #expect(!node.ended.contains(author))
        let joined = Set(node.state.members).subtracting(before.members)
        if !joined.isEmpty {
            #expect(kind == .addition && joined == [before.next])
            #expect(before.members.contains(author) || before.recovery == author)
            let record = node.state.record(of: before.next)
            #expect(before.members.allSatisfy { before.record(of: $0) != record })
        }
        if node.tickets.contains(author) { #expect(kind == .application && entry.sequence <= 1) }
        if before.recovery == author { #expect(kind == .addition) }
        #expect(node.state.epoch == before.epoch + (kind == .epoch ? 1 : 0))
        return true
    }
}

@Suite struct ExplorerTests {
    // Rule: a number that has ended writes nothing that counts, after any history | LogState.judge takes the key of a
    //   removed member | invariant 1 of the explorer
    @Test func `no order of additions, removals, epochs, keys, tickets, codes, snapshots and eras breaks a rule`()
        throws
    {
        var explorer = try Explorer()
        let depth = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == "1" ? 5 : 3
        try explorer.run(depth: depth)
        print(
            "depth \(depth): \(explorer.states) states, \(explorer.steps) steps, of which \(explorer.counted) counted")
        #expect(explorer.states > 50)
    }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

    /// All that an attacker between the two can do with three messages. Each is passed on, or replaced by an own one,
    /// an altered one, or one of another hand-shake. Checked: where both sides show the same words, the approver adds
    /// the applicant's keys, and the applicant has the approver's account, head and state.
    @Test func `equal words mean the right keys, for each attack of an engine on a hand-shake`() throws {
        let (bytes, _) = try LogWriter.genesis(by: DeviceKeys())
        let (elsewhere, _) = try LogWriter.genesis(by: DeviceKeys())
        let (state, other) = (try LogState(genesis: bytes), try LogState(genesis: elsewhere))
        let (device, thief) = (try DeviceKeys().record, try DeviceKeys().record)
        var (tried, agreed, refused) = (0, 0, 0)
        for first in 0..<4 {
            for second in 0..<5 {
                for third in 0..<5 {
                    tried += 1
                    let id = Self.random(16)
                    let applicant = try Applicant(device, id: id, nonce: Self.random(32))
                    let between = try Applicant(thief, id: id, nonce: Self.random(32))
                    let before = try Applicant(device, id: id, nonce: Self.random(32))
                    let flipped = { (bytes: [UInt8], at: Int) in
                        var bytes = bytes
                        bytes[at] ^= 1
                        return bytes
                    }
                    let toApprover = [applicant.first, between.first, before.first, flipped(applicant.first, 40)][first]
                    do throws(SyncLogError) {
                        let approver = try Approver(toApprover, state: state, as: 1, nonce: Self.random(32))
                        let fake = try Approver(applicant.first, state: other, as: 1, nonce: Self.random(32))
                        let again = try Approver(applicant.first, state: state, as: 1, nonce: Self.random(32))
                        let toApplicant = [
                            approver.second, fake.second, again.second, flipped(approver.second, 60),
                            flipped(approver.second, 130),
                        ][second]
                        let answered = try applicant.answer(toApplicant)
                        let own = try between.answer(toApplicant).third
                        let old = try before.answer(toApplicant).third
                        let back = [
                            answered.third, own, old, flipped(answered.third, 30), flipped(answered.third, 200),
                        ][third]
                        let (words, record, _) = try approver.finish(back)
                        guard words == answered.words else { continue }
                        agreed += 1
                        #expect(record == device)
                        #expect(answered.account == state.account && answered.hash == state.hash)
                        #expect(answered.stateDigest == Array(SHA256.hash(data: state.bytes)))
                    } catch {
                        refused += 1
                    }
                }
            }
        }
        print(
            "\(tried) ways to interfere: \(refused) refused, \(agreed) with equal words, the others with words that differ"
        )
        #expect(agreed == 1)
    }
}
