// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SyncLog
import SyncMerge

/// Entries that a member signs with its real key, and that no honest program writes.
struct HostileEntries {
    /// The register that its edits are of.
    var key = Array("k".utf8)
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// One of many kinds, by its number; the place is the next one but where the kind is about that.
    mutating func entry(_ number: Int, _ replica: LogReplica) throws -> Entry {
        let writer = try replica.writer()
        let (kind, distance) = (
            UInt8.random(in: 15...255, using: &random), UInt64.random(in: 1...90, using: &random)
        )
        switch number % Self.kinds {
        case 0: return try claiming(replica, (1...2).map { .init(author: $0, sequence: 1 << 62) })
        case 1: return try claiming(replica, (0..<1024).map { .init(author: $0 + 1000, sequence: 1) })
        case 2: return try claiming(replica, (0..<1024).map { .init(author: $0, sequence: .max) }, count: 60)
        case 3: return try claiming(replica, [.init(author: replica.member ?? 0, sequence: .max)])
        case 4: return try claiming(replica, [], time: .max)
        case 5: return try writer.entry(.version, [2])
        case 6: return try signed(writer.leaving(), replica) { $0.kind = kind }
        case 7: return try writer.entry(.genesis, replica.bytes(at: 1) ?? [])
        case 8: return try signed(writer.leaving(), replica) { $0.previous[0] ^= 1 }
        case 9: return try signed(writer.leaving(), replica) { $0.sequence += 1 << 40 }
        case 10: return try signed(writer.leaving(), replica) { $0.last[3] ^= 1 }
        case 11: return try signed(writer.leaving(), replica) { $0.epoch += 7 }
        case 12: return try part(replica, [UInt8](repeating: 0xFF, count: 256))
        case 13: return try signed(claiming(replica, []), replica) { $0.body[60] ^= 1 }
        case 14, 15, 16: return try unsealable(number % Self.kinds, replica)
        case 17: return try writer.snapshot(of: MergedItems(), time: .max, chunks: [[Self.zero], [], [], []])
        case 18:
            let snapshot = try writer.snapshot(of: replica.items, time: 1, chunks: [[Self.zero], [], [], []])
            return try signed(snapshot, replica) { $0.body[20] ^= 1 }
        case 19: return try writer.entry(.acknowledgement, [0, 0, 0, 0, 0, 0, 0, 9])
        case 20: return try writer.end(ticket: 99)
        case 21: return try writer.epoch(removing: [replica.member ?? 0]).entry
        case 22: return try signed(writer.leaving(), replica) { $0.place += distance }
        // Keys for the others that aren't the epoch's.
        case 23:
            return try signed(writer.epoch().entry, replica) { entry in
                for own in 0..<3 { entry.body[104 + own * 1179 + 7 + 1120 + 5] ^= 1 }
            }
        case 24:
            let key = P256.Signing.PrivateKey()
            return try writer.ticket(key: key.publicKey, machines: .max)
        default:
            let kind = EntryKind.allCases.randomElement(using: &random) ?? .edits
            let count = Int.random(in: 0...4096, using: &random)
            return try writer.entry(kind, (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    static let kinds = 27
    private static let zero = [UInt8](repeating: 0, count: 32)

    private func signed(_ entry: Entry, _ replica: LogReplica, _ change: (inout Entry) -> Void) throws -> Entry {
        var entry = entry
        change(&entry)
        try entry.sign(with: replica.device.signing)
        return entry
    }

    /// A record with a key to which nothing can be sealed: as an addition, as one's own new keys, or as a recovery
    /// code.
    private func unsealable(_ number: Int, _ replica: LogReplica) throws -> Entry {
        let (writer, fresh) = (try replica.writer(), try DeviceKeys())
        let zeros = [UInt8](repeating: 0, count: 1216)
        switch number {
        case 14:
            var body = try writer.addition(of: fresh.record).body
            body.replaceSubrange(68..<68 + 1216, with: zeros)
            return try writer.entry(.addition, body)
        case 15:
            var record = fresh.record.bytes
            record.replaceSubrange(64..<64 + 1216, with: zeros)
            let spoiled = try DeviceKeys(signing: fresh.signing, opening: [:], record: DeviceRecord(record))
            return try writer.rekey(to: spoiled)
        default:
            var body = try writer.recovery(RecoveryCode()).body
            body.replaceSubrange(68..<68 + 1216, with: zeros)
            return try writer.entry(.recovery, body)
        }
    }

    private func claiming(
        _ replica: LogReplica, _ marks: [Context.Mark], time: UInt64 = 1, count: Int = 1
    ) throws -> Entry {
        var content: [UInt8] = []
        let context = Context(marks)
        for _ in 0..<count {
            Operation(
                place: 0, author: 0, sequence: 0, protectionClass: .none, index: 0, time: time, context: context,
                change: .put(value: Array("claimed".utf8), from: nil)
            ).append(to: &content, key: key)
        }
        var plain: [UInt8] = []
        plain.append(content, lengthOf: 4)
        var size = 256
        while size < plain.count { size = size * 3 / 2 >= plain.count ? size * 3 / 2 : size * 2 }
        return try part(replica, plain + [UInt8](repeating: 0, count: size - plain.count))
    }

    private func part(_ replica: LogReplica, _ plain: [UInt8]) throws -> Entry {
        guard let key = replica.keys[replica.state.epoch, .none], let member = replica.member else {
            throw SyncLogError(.locked, "no key")
        }
        let part = try SealedPart.seal(
            plain, .none, under: key, account: replica.state.account, author: member,
            sequence: (replica.state.sequence(of: member) ?? 0) + 1, epoch: replica.state.epoch)
        return try replica.writer().entry(.edits, SealedPart.bytes([part]))
    }
}

/// The same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
