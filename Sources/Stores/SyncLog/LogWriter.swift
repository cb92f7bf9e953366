// SPDX-License-Identifier: Apache-2.0

public import Crypto
import Sealing
public import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes the entry that follows a state. It counts if it is stored at the next place.
public struct LogWriter: Sendable {
    let state: LogState
    let author: UInt32
    let signing: P256.Signing.PrivateKey
    let keys: KeyRing?

    /// For a member with its keys.
    public init(after state: LogState, as member: UInt32, _ device: DeviceKeys, keys: KeyRing) {
        self.state = state
        author = member
        signing = device.signing
        self.keys = keys
    }

    /// For the holder of a ticket, which may only apply.
    public init(after state: LogState, ticket: UInt32, signing: P256.Signing.PrivateKey) {
        self.state = state
        author = ticket
        self.signing = signing
        keys = nil
    }

    /// The first entry of a new account, and its keys.
    public static func genesis(by device: DeviceKeys) throws -> (bytes: [UInt8], keys: EpochKeys) {
        try genesis(by: device, .genesis, [])
    }

    static func genesis(
        by device: DeviceKeys, _ kind: EntryKind, _ start: [UInt8]
    ) throws -> (bytes: [UInt8], keys: EpochKeys) {
        let keys = EpochKeys(epoch: 1)
        var body: [UInt8] = start + [0, 0] + Zero.digest + [UInt8](repeating: 0, count: 8) + Zero.digest
        body.append(2, bytes: 4)
        body += try keys.checks().bytes
        body += [0, 1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + device.record.bytes
        body += try Self.envelopes(of: keys, to: 1, device.record, account: Zero.digest).flatMap(\.bytes)
        var entry = Entry(
            kind: kind, account: Zero.digest, place: 1, previous: Zero.digest, epoch: 1, author: 1, sequence: 1,
            last: Zero.digest, body: body)
        try entry.sign(with: device.signing)
        return (entry.bytes, keys)
    }

    /// Signs a body for the next place.
    package func entry(_ kind: EntryKind, _ body: [UInt8]) throws -> Entry {
        guard let sequence = state.sequence(of: author), let last = state.lastHash(of: author) else {
            throw SyncLogError(.notAMember, "number \(author) was not given in this log")
        }
        var entry = Entry(
            kind: kind, account: state.account, place: state.place + 1, previous: state.hash, epoch: state.epoch,
            author: author, sequence: sequence + 1, last: last, body: body)
        entry.version = state.version
        try entry.sign(with: signing)
        guard entry.body.count + SyncLimits.header + SyncLimits.signature <= SyncLimits.entry else {
            throw SyncLogError(.tooLarge, "an entry has at most 1 MiB; send fewer items at once")
        }
        return entry
    }

    /// An entry of up to 64 edits of each class.
    public func edits(_ operations: [NewOperation]) throws -> Entry {
        var parts: [SealedPart] = []
        let counted = CountedBefore(state)
        for protectionClass in TravellingClass.allCases {
            let own = operations.filter { $0.protectionClass == protectionClass }.map { $0.cut(to: counted) }
            if own.isEmpty { continue }
            guard let key = keys?[state.epoch, protectionClass] else {
                throw SyncLogError(.locked, "the class of an item is locked; unlock, then sync again")
            }
            parts.append(
                try .seal(
                    PartContent.bytes(own), protectionClass, under: key, account: state.account, author: author,
                    sequence: (state.sequence(of: author) ?? 0) + 1, epoch: state.epoch))
        }
        return try entry(.edits, SealedPart.bytes(parts))
    }

    /// Adds a device whose words the user compared, or which applied with a ticket.
    public func addition(of record: DeviceRecord, keysFrom first: UInt32 = 1) throws -> Entry {
        try entry(
            .addition,
            Addition.bytes(number: state.next, record: record, envelopes: try envelopes(for: record, keysFrom: first)))
    }

    /// The envelopes of a new number: the keys of the epochs from `first` on.
    func envelopes(for record: DeviceRecord, keysFrom first: UInt32) throws -> [Envelope] {
        var envelopes: [Envelope] = []
        for protectionClass in TravellingClass.allCases {
            let given = keys?.forNewcomer(from: first, protectionClass) ?? []
            guard given.last?.epoch == state.epoch else {
                throw SyncLogError(
                    .locked, "a class of this home is locked, whose keys have to be sealed; unlock it, then try again")
            }
            envelopes.append(
                try Envelope(
                    sealing: given, to: state.next, protectionClass, of: record, account: state.account,
                    epoch: state.epoch))
        }
        return envelopes
    }

    /// Begins an epoch without the members in `removed`, with new keys. A member to whose keys nothing can be sealed is
    /// also removed, since it could not read the epoch.
    public func epoch(removing numbers: [UInt32] = []) throws -> (entry: Entry, keys: EpochKeys) {
        let made = EpochKeys(epoch: state.epoch + 1)
        var removed = Set(numbers)
        var envelopes: [Envelope] = []
        for member in state.holders where !removed.contains(member) {
            guard let record = state.authors[member]?.holding else { continue }
            if member != author, state.record(of: member) != nil, !record.canBeSealedTo {
                removed.insert(member)
            } else {
                envelopes += try Self.envelopes(of: made, to: member, record, account: state.account)
            }
        }
        let body = EpochBody.bytes(
            removed: removed.sorted(), epoch: made.epoch, checks: try made.checks(),
            staying: state.holders.count { !removed.contains($0) }, envelopes: envelopes)
        return (try entry(.epoch, body), made)
    }

    /// Replaces this member's keys.
    public func rekey(to device: DeviceKeys) throws -> Entry {
        let message = Ticket.rekey(
            account: state.account, author: author, sequence: (state.sequence(of: author) ?? 0) + 1,
            record: device.record)
        return try entry(.rekey, device.record.bytes + device.sign(.syncRekey, message))
    }

    /// A ticket for `machines` machines, which begin at a snapshot, or with nil at the genesis. The engine keeps the
    /// entries that this needs.
    public func ticket(
        key: P256.Signing.PublicKey, machines: UInt16, from beginning: Beginning? = nil
    ) throws -> Entry {
        try entry(
            .ticket,
            Ticket(
                number: state.next, key: Array(key.rawRepresentation), machines: machines,
                place: beginning?.place ?? state.place, hash: beginning?.hash ?? state.hash
            ).bytes)
    }

    /// Ends a ticket.
    public func end(ticket: UInt32) throws -> Entry {
        var body: [UInt8] = []
        body.append(UInt64(ticket), bytes: 4)
        return try entry(.ticketEnd, body)
    }

    /// A machine's application with the ticket.
    public func application(of device: DeviceKeys) throws -> Entry {
        let message = Ticket.application(account: state.account, ticket: author, record: device.record)
        return try entry(.application, device.record.bytes + device.sign(.syncApplication, message))
    }

    /// A snapshot of the state and of `items`, in which everything before it is opened. `chunks` are the digests of the
    /// stored chunks.
    public func snapshot(of items: MergedItems, time: UInt64, chunks: [[Digest32]]) throws -> Entry {
        var codes: [TravellingClass: [UInt8]] = [:]
        for protectionClass in TravellingClass.allCases {
            guard let key = keys?[state.epoch, protectionClass] else {
                throw SyncLogError(.locked, "a class is locked; a snapshot needs all")
            }
            codes[protectionClass] = Snapshot.code(
                of: items, before: state.operationPlace(state.place + 1), protectionClass, under: key)
        }
        return try entry(
            .snapshot,
            Snapshot(
                time: time, logDigest: Array(SHA256.hash(data: state.bytes)), codes: codes,
                chunks: chunks
            ).bytes)
    }

    /// States that everything up to the last snapshot is opened and applied, and that no earlier edit of this device is
    /// left to send.
    public func acknowledgement() throws -> Entry {
        var body: [UInt8] = []
        body.append(state.snapshot, bytes: 8)
        return try entry(.acknowledgement, body)
    }

    /// Leaves the account.
    public func leaving() throws -> Entry { try entry(.leaving, []) }

    static func envelopes(
        of keys: EpochKeys, to member: UInt32, _ record: DeviceRecord, account: Digest32
    ) throws -> [Envelope] {
        try TravellingClass.allCases.compactMap { protectionClass in
            guard let key = keys.keys[protectionClass] else { return nil }
            return try Envelope(
                sealing: [(keys.epoch, key)], to: member, protectionClass, of: record, account: account,
                epoch: keys.epoch)
        }
    }
}
