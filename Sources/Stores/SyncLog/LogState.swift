// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which authors may write which entries: a function of the log's bytes alone, which needs no key.
public struct LogState: Sendable {
    /// An assigned number.
    struct Author: Sendable {
        enum Role: Sendable {
            case member(DeviceRecord, acknowledged: UInt64)
            case removed
            case left
            case ticket(Ticket, P256.Signing.PublicKey)
            case ended
            case recovery(DeviceRecord)
        }

        var role: Role
        var sequence: UInt64
        var last: Digest32 = Zero.digest
    }

    /// A device that applied with a ticket, and that no member has added yet.
    public struct Applicant: Sendable {
        /// The place of its application.
        public let place: UInt64
        /// The number of its ticket.
        public let ticket: UInt32
        /// Its public keys.
        public let record: DeviceRecord
    }

    /// The log's version.
    public let version: UInt8 = 1
    /// The account: the hash of the genesis.
    public let account: Digest32
    /// The log's era.
    public let era: UInt16
    /// The last place that was taken in.
    public internal(set) var place: UInt64 = 1
    /// The hash at that place.
    public internal(set) var hash: Digest32
    /// The current epoch.
    public internal(set) var epoch: UInt32
    /// Its checks.
    public internal(set) var checks: EpochChecks
    /// The number of the next member, ticket or recovery code.
    public internal(set) var next: UInt32
    /// The place of the last snapshot; 0 for none.
    public internal(set) var snapshot: UInt64 = 0
    /// Its time.
    public internal(set) var snapshotTime: UInt64 = 0
    /// The place of the last snapshot that all members acknowledged; it decides what is dropped.
    public internal(set) var settled: UInt64 = 0
    var authors: [UInt32: Author] = [:]
    var used: Set<Digest32> = []
    /// The devices that wait for a member to add them.
    public internal(set) var applicants: [Applicant] = []
    /// The persons, in a group's log; nil in an account's.
    public internal(set) var group: GroupPersons?

    /// Begins a log with its first entry.
    public init(genesis bytes: [UInt8]) throws(SyncLogError) {
        let hash = Entry.hash(bytes, account: Zero.digest, place: 1)
        let entry = try Entry(bytes)
        guard [EntryKind.genesis, .groupGenesis].contains(where: { $0.rawValue == entry.kind }),
            entry.account == Zero.digest, entry.place == 1,
            entry.previous == Zero.digest, entry.last == Zero.digest, entry.epoch > 0
        else { throw SyncLogError(.notALog, "the first entry is not a genesis") }
        let body = try Genesis(entry)
        guard let founder = body.founders.first(where: { $0.number == entry.author }),
            entry.sequence == founder.sequence + 1, body.era > 0 || entry.epoch == 1,
            entry.isSigned(by: founder.record.verifying)
        else { throw SyncLogError(.notALog, "the genesis doesn't sign itself") }
        account = hash
        self.hash = hash
        era = body.era
        epoch = entry.epoch
        checks = body.checks
        next = body.next
        for member in body.founders {
            authors[member.number] = Author(
                role: .member(member.record, acknowledged: 0), sequence: member.sequence)
            used.insert(member.record.verifyingDigest)
        }
        authors[entry.author]?.sequence = entry.sequence
        authors[entry.author]?.last = hash
        group = body.person.map { GroupPersons(founder: $0, entry.author) }
    }

    /// The numbers of the members, ascending.
    public var members: [UInt32] {
        authors.filter { $0.value.record != nil }.keys.sorted()
    }

    /// The numbers to which the keys of an epoch are sealed: the members', and that of the recovery code if there
    /// is one.
    public var holders: [UInt32] { authors.filter { $0.value.holding != nil }.keys.sorted() }

    /// The number of the recovery code, if there is one.
    public var recovery: UInt32? { authors.first { $0.value.isRecovery }?.key }

    /// Whether an author may still write.
    func isOpen(_ author: UInt32) -> Bool {
        switch authors[author]?.role {
        case .member, .ticket, .recovery: true
        case .removed, .left, .ended, nil: false
        }
    }

    /// The public keys of a member.
    public func record(of member: UInt32) -> DeviceRecord? { authors[member]?.record }

    /// The number of an author's entries that counted.
    public func sequence(of author: UInt32) -> UInt64? { authors[author]?.sequence }

    /// The hash of an author's last entry that counted.
    public func lastHash(of author: UInt32) -> Digest32? { authors[author]?.last }

    /// The number of the member with these keys.
    public func member(_ record: DeviceRecord) -> UInt32? { members.first { authors[$0]?.record == record } }

    /// The number under which keys may be sealed to this record: a member's, the recovery code's, or a ticket's.
    func holder(_ record: DeviceRecord) -> UInt32? {
        authors.first { _, author in
            if case .ticket(let ticket, _) = author.role { return ticket.key == Array(record.bytes.prefix(64)) }
            return author.holding == record
        }?.key
    }

    /// The lowest place at which a machine with a ticket may begin; `.max` if there is none.
    var lowestTicket: UInt64 {
        authors.values.reduce(.max) { lowest, author in
            guard case .ticket(let ticket, _) = author.role, author.sequence < UInt64(ticket.machines) else {
                return lowest
            }
            return min(lowest, ticket.place)
        }
    }

    /// The snapshot that a member acknowledged last; 0 for none.
    public func acknowledged(by member: UInt32) -> UInt64 {
        if case .member(_, let acknowledged) = authors[member]?.role { acknowledged } else { 0 }
    }

    /// The place of an operation in the entry at `place`.
    public func operationPlace(_ place: UInt64) -> UInt64 { UInt64(era) << 48 | place }

    /// The place of the entry that has an operation with this place.
    static func entryPlace(of operationPlace: UInt64) -> UInt64 { operationPlace & (SyncLimits.places - 1) }

    /// Whether all members have acknowledged the last snapshot.
    var isSettled: Bool {
        snapshot > 0
            && authors.values.allSatisfy {
                if case .member(_, let acknowledged) = $0.role { acknowledged == snapshot } else { true }
            }
    }
}

extension LogState.Author {
    var record: DeviceRecord? {
        if case .member(let record, _) = role { record } else { nil }
    }

    var isRecovery: Bool {
        if case .recovery = role { true } else { false }
    }

    /// The keys to which each epoch is sealed.
    var holding: DeviceRecord? {
        switch role {
        case .member(let record, _), .recovery(let record): record
        default: nil
        }
    }
}
