// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncLog
import SyncMerge
import TestSupport
import Testing

@Suite struct LogTests {
    private static func founded() throws -> (LogReplica, DeviceKeys) {
        let device = try DeviceKeys()
        let (bytes, _) = try LogWriter.genesis(by: device)
        return (try LogReplica(genesis: bytes, account: nil, device: device), device)
    }

    private static func put(
        _ key: String, _ value: String, _ context: Context = Context(), _ protectionClass: TravellingClass = .none
    ) -> NewOperation {
        NewOperation(
            key: Array(key.utf8), protectionClass: protectionClass, time: 1, context: context,
            change: .put(value: Array(value.utf8), from: nil))
    }

    @Test func `an entry of any size that is possible comes back as it was`() throws {
        var (replica, _) = try Self.founded()
        for size in [0, 1, 200, 201, 215, 216, 217, 300, 500, 5000, SyncLimits.value] {
            let value = String(repeating: "v", count: size)
            let entry = try replica.writer().edits([Self.put("key \(size)", value)])
            #expect(entry.bytes.count <= SyncLimits.entry)
            replica.outgoing = entry
            try replica.take(entry.bytes, at: replica.state.place + 1)
            #expect(replica.items[Array("key \(size)".utf8)].value == .value(Array(value.utf8)))
        }
        #expect(replica.notices.isEmpty)
        #expect(throws: SyncLogError(.tooLarge, "")) {
            _ = try replica.writer().edits([Self.put("k", String(repeating: "v", count: SyncLimits.value + 1))])
        }
        #expect(throws: SyncLogError(.tooLarge, "")) {
            _ = try replica.writer().edits((0..<65).map { Self.put("\($0)", "v") })
        }
    }

    @Test func `a small edit takes at most 700 bytes`() throws {
        let (replica, _) = try Self.founded()
        let item = Self.put(String(repeating: "k", count: 80), String(repeating: "v", count: 120))
        #expect(try replica.writer().edits([item]).bytes.count <= 640)
    }

    // Rule: a newcomer has the keys of the epochs it was given, and a removed device has none of a later one |
    //   LogWriter.epoch with envelopes for the removed ones too | no removal counts, and the new value is read
    @Test func `a removed device reads nothing new`() throws {
        var (first, _) = try Self.founded()
        let genesis = try #require(first.bytes(at: 1))
        let other = try DeviceKeys()
        try first.take(first.writer().addition(of: other.record).bytes, at: 2)
        try first.take(first.writer().edits([Self.put("k", "old")]).bytes, at: 3)
        try first.take(first.writer().epoch(removing: [2]).entry.bytes, at: 4)
        try first.take(first.writer().edits([Self.put("k", "new", first.context(of: [107]))]).bytes, at: 5)
        var second = try LogReplica(genesis: genesis, account: first.state.account, device: other)
        for place in 2...5 { try second.take(#require(first.bytes(at: UInt64(place))), at: UInt64(place)) }
        #expect(second.items[[107]].value == .value(Array("old".utf8)))
        #expect(second.keys[2, .none] == nil)
        #expect(first.items[[107]].value == .value(Array("new".utf8)))
        #expect(throws: SyncLogError(.endedHere, "")) { _ = try second.writer() }
    }

    @Test func `a locked class is opened later, and comes to the same`() throws {
        var (first, device) = try Self.founded()
        var locked = try LogReplica(genesis: #require(first.bytes(at: 1)), account: nil, device: device)
        locked.lock(.complete)
        for number in 0..<20 {
            let key = "\(number % 5)"
            let protectionClass: TravellingClass = number.isMultiple(of: 3) ? .complete : .none
            let entry = try first.writer().edits([
                Self.put(key, "\(number)", first.context(of: Array(key.utf8)), protectionClass)
            ])
            try first.take(entry.bytes, at: entry.place)
            try locked.take(entry.bytes, at: entry.place)
        }
        #expect(locked.isWaiting == true)
        #expect(throws: SyncLogError(.locked, "")) {
            _ = try locked.writer().edits([Self.put("k", "v", Context(), .complete)])
        }
        locked.unlock(device)
        #expect(locked.isWaiting == false)
        #expect(locked.mergedView == first.mergedView)
        var late = device
        late.opening[.complete] = nil
        var other = try LogReplica(genesis: #require(first.bytes(at: 1)), account: nil, device: late)
        for place in 2...21 { try other.take(#require(first.bytes(at: UInt64(place))), at: UInt64(place)) }
        #expect(other.isWaiting)
        #expect(other.mergedView != first.mergedView)
        other.unlock(device)
        #expect(!other.isWaiting)
        #expect(other.mergedView == first.mergedView)
    }

    // Rule: a key is used only if its check is the log's | KeyRing.admit without the comparison | the key of another
    //   epoch is taken
    @Test func `a key that was sealed to one member alone is not used`() throws {
        var (first, device) = try Self.founded()
        let genesis = try #require(first.bytes(at: 1))
        let other = try DeviceKeys()
        // An addition whose envelopes hold another key than the epoch's.
        var wrong = first
        wrong.keys.keep(EpochKeys(epoch: 1))
        let entry = try LogWriter(after: first.state, as: 1, device, keys: wrong.keys).addition(of: other.record)
        try first.take(entry.bytes, at: 2)
        var second = try LogReplica(genesis: genesis, account: first.state.account, device: other)
        try second.take(entry.bytes, at: 2)
        #expect(second.notices == [.wrongKey(place: 2)])
        #expect(second.keys[1, .none] == nil)
    }

    @Test func `an entry of another version or of a kind that is unknown is void, and the log goes on`() throws {
        var (replica, _) = try Self.founded()
        var newer = try replica.writer().edits([Self.put("k", "v")])
        newer.version = 2
        try replica.take(newer.bytes, at: 2)
        #expect(replica.notices == [.void(place: 2, .malformed)])
        try replica.take(replica.writer().entry(.version, [2]).bytes, at: 3)
        #expect(replica.notices.last == .void(place: 3, .notAllowed))
        try replica.take(replica.writer().edits([Self.put("k", "v")]).bytes, at: 4)
        #expect(replica.items[Array("k".utf8)].value == .value(Array("v".utf8)))
        var state = replica.state.bytes
        state[0] = 2
        #expect(throws: SyncLogError(.newerVersion, "")) { try LogState(reading: state) }
    }

    @Test func `words of a hand-shake agree, and differ where an attacker is between`() throws {
        let (replica, _) = try Self.founded()
        let device = try DeviceKeys()
        let thief = try DeviceKeys()
        let zeros = [UInt8](repeating: 0, count: 32)
        let applicant = try Applicant(
            device.record, id: Array(zeros.prefix(16)), nonce: [UInt8](repeating: 3, count: 32))
        let approver = try Approver(applicant.first, state: replica.state, as: 1, nonce: zeros)
        let answered = try applicant.answer(approver.second)
        #expect(try approver.finish(answered.third).words == answered.words)
        #expect(answered.words.split(separator: "-").map(\.count) == [3, 3, 3])
        // Other keys than those that were promised.
        let swapped = Array(answered.third.prefix(56)) + thief.record.bytes
        #expect(throws: SyncLogError(.wrongWords, "")) { _ = try approver.finish(swapped) }
        // A thief that plays both sides.
        let between = try Applicant(thief.record, id: Array(zeros.prefix(16)), nonce: zeros)
        let fooled = try Approver(between.first, state: replica.state, as: 1, nonce: zeros)
        let theirs = try fooled.finish(between.answer(fooled.second).third).words
        #expect(theirs != answered.words)
    }

    @Test func `bytes from outside never trap`() throws {
        var (replica, device) = try Self.founded()
        let other = try DeviceKeys()
        let seeds = [
            try #require(replica.bytes(at: 1)), try replica.writer().edits([Self.put("k", "v")]).bytes,
            try replica.writer().addition(of: other.record).bytes, try replica.writer().epoch().entry.bytes,
            try replica.writer().ticket(key: P256.Signing.PrivateKey().publicKey, machines: 2).bytes,
            try replica.writer().rekey(to: other).bytes, try replica.writer().recovery(RecoveryCode()).bytes,
            try replica.writer().unattendedTicket(for: other.record, machines: 2).bytes, replica.state.bytes,
        ]
        let (snapshot, stored) = try replica.writer().storedSnapshot(of: replica.items, time: 1)
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        print("seed \(seed)")
        var random = Mutations(seed)
        for _ in 0..<3000 {
            var bytes = seeds[random.below(seeds.count)]
            random.mutate(&bytes)
            _ = try? LogState(genesis: bytes)
            // A state that was read takes what comes, however strange it is.
            if var strange = try? LogState(reading: bytes) { _ = strange.take(snapshot.bytes) }
            _ = StoredSnapshot.counts(bytes)
            _ = try? LogReplica(
                startingAt: StoredSnapshot(place: 2, entry: bytes, chunks: stored.chunks),
                account: replica.state.account,
                device: device)
            var state = replica.state
            _ = state.take(bytes)
            // The same under a right signature: the reader of bodies is reached.
            guard var entry = try? Entry(bytes) else { continue }
            entry.place = 2
            entry.previous = replica.state.hash
            entry.account = replica.state.account
            (entry.author, entry.sequence, entry.epoch) = (1, 2, 1)
            entry.last = replica.state.lastHash(of: 1) ?? []
            try entry.sign(with: device.signing)
            var copy = replica
            _ = try? copy.take(entry.bytes, at: 2)
            _ = try? HeadStatement(bytes, by: 1, in: replica.state)
            _ = try? Approver(bytes, state: replica.state, as: 1, nonce: [UInt8](repeating: 0, count: 32))
        }
        device.opening = [:]
        replica.unlock(device)
    }
}

private struct Mutations {
    private var generator: SplitMix
    init(_ seed: UInt64) { generator = SplitMix(state: seed) }

    struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            return mixed ^ mixed >> 29
        }
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }

    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...below(3) {
            // Headers and lengths are at the front.
            let at = below(4) == 0 ? below(bytes.count) : below(min(bytes.count, 260))
            switch below(5) {
            case 0: bytes = Array(bytes.prefix(at))
            case 1: bytes.insert(UInt8(below(256)), at: at)
            case 2: bytes.replaceSubrange(at..<min(bytes.count, at + 4), with: [255, 255, 255, 255])
            default: if at < bytes.count { bytes[at] = UInt8(below(256)) }
            }
            if bytes.isEmpty { bytes = [0] }
        }
    }
}
