// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LogWriter {
    /// The first entry of a new era, after the engine lost the log. Members, their numbers and sequences continue;
    /// tickets and the recovery code end.
    public static func genesis(continuing old: LogState, by device: DeviceKeys) throws -> [UInt8] {
        guard let author = old.member(device.record), let sequence = old.sequence(of: author), old.era < .max,
            old.epoch < .max
        else { throw SyncLogError(.endedHere, "this device is no member of the account, and can't found it anew") }
        let keys = EpochKeys(epoch: old.epoch + 1)
        var body: [UInt8] = []
        body.append(UInt64(old.era) + 1, bytes: 2)
        body += old.account
        body.append(old.place, bytes: 8)
        body += old.hash
        body.append(UInt64(old.next), bytes: 4)
        body += try keys.checks().bytes
        body.append(UInt64(old.members.count), bytes: 2)
        for member in old.members {
            guard let record = old.record(of: member) else { continue }
            body.append(UInt64(member), bytes: 4)
            body.append(old.sequence(of: member) ?? 0, bytes: 8)
            body += record.bytes
            body += try envelopes(of: keys, to: member, record, account: Zero.digest).flatMap(\.bytes)
        }
        var entry = Entry(
            kind: .genesis, account: Zero.digest, place: 1, previous: Zero.digest, epoch: keys.epoch, author: author,
            sequence: sequence + 1, last: Zero.digest, body: body)
        try entry.sign(with: device.signing)
        guard entry.bytes.count <= SyncLimits.entry else {
            throw SyncLogError(.tooLarge, "too many members for one entry; remove some first")
        }
        return entry.bytes
    }
}

extension LogReplica {
    /// Begins a new era of this account with this copy's items, on the founding member.
    public func founded(_ genesis: [UInt8]) throws(SyncLogError) -> LogReplica {
        var fresh = try continued(genesis)
        fresh.items = items
        return fresh
    }

    /// Follows a new era from its first entry and the snapshot at place 2. The users have compared the words of
    /// its head.
    /// - Throws: `fork` if it continues another log than this one's; `endedHere` if this device is not in it.
    public func continued(_ genesis: [UInt8], _ stored: StoredSnapshot) throws(SyncLogError) -> LogReplica {
        var fresh = try continued(genesis)
        let snapshot = try Self.verified(stored)
        guard stored.place == 2, let entry = try? Entry(stored.entry) else {
            throw SyncLogError(.unknownSnapshot, "a new era begins with a snapshot at place 2")
        }
        fresh.pendingSnapshot = Self.pending(
            snapshot, stored, place: fresh.state.operationPlace(2), epoch: entry.epoch)
        fresh.openPendingSnapshot()
        try fresh.take(stored.entry, at: 2)
        guard fresh.state.snapshot == 2 else {
            throw SyncLogError(.unknownSnapshot, "the snapshot of the new era doesn't count; nothing was taken over")
        }
        return fresh
    }

    private func continued(_ bytes: [UInt8]) throws(SyncLogError) -> LogReplica {
        let entry = try Entry(bytes)
        let genesis = try Genesis(entry)
        // The founder may lack this log's last entries, which can't be restored: epochs and numbers in them end with
        // them. A member removed in them is no member here, and is refused.
        guard genesis.account == state.account, genesis.era == state.era &+ 1, state.record(of: entry.author) != nil,
            hash(at: genesis.place) == nil || hash(at: genesis.place) == genesis.hash
        else {
            throw SyncLogError(.fork, "the new era continues another log than this device's; nothing was taken over")
        }
        // A number that is known here must have the same keys in the new era.
        for founder in genesis.founders where founder.number < state.next {
            guard state.record(of: founder.number) == founder.record else {
                throw SyncLogError(
                    .fork, "the new era lists device \(founder.number) with other keys, or one that was removed")
            }
        }
        guard genesis.founders.contains(where: { $0.record == device.record }) else {
            throw SyncLogError(.endedHere, "the new era doesn't list this device; `zamok sync join` adds it anew")
        }
        return try LogReplica(genesis: bytes, account: nil, device: device)
    }

    /// The operations of this copy that the founder of the new era lacked. They are to be sent again, with their
    /// context as far as the new era knows it.
    public func missing(in fresh: LogReplica) -> [NewOperation] {
        let listed = fresh.founding
        var found: [NewOperation] = []
        for key in items.keys {
            for operation in items[key].frontier where operation.sequence > listed[operation.author] ?? 0 {
                found.append(
                    fresh.carried(
                        NewOperation(
                            key: key, protectionClass: operation.protectionClass, time: operation.time,
                            context: operation.context, change: operation.change)))
            }
        }
        return found
    }

    /// An operation of the previous era, with its context limited to what this era knows. Beyond that, other edits have
    /// those sequences now.
    public func carried(_ operation: NewOperation) -> NewOperation {
        let listed = founding
        let marks = operation.context.marks.compactMap { mark -> Context.Mark? in
            let known = min(mark.sequence, listed[mark.author] ?? 0)
            return known == 0 ? nil : Context.Mark(author: mark.author, sequence: known)
        }
        return NewOperation(
            key: operation.key, protectionClass: operation.protectionClass, time: operation.time,
            context: Context(marks), change: operation.change)
    }

    /// Whether the founder of this era had seen an entry of the previous era.
    public func hadSeen(_ entry: Entry) -> Bool { founding[entry.author] ?? 0 >= entry.sequence }

    /// The sequences of the members at the start of this era.
    private var founding: [UInt32: UInt64] {
        guard let bytes = raw[1], let entry = try? Entry(bytes), let genesis = try? Genesis(entry) else {
            return [:]
        }
        return Dictionary(uniqueKeysWithValues: genesis.founders.map { ($0.number, $0.sequence) })
    }
}
