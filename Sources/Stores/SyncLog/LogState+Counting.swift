// SPDX-License-Identifier: Apache-2.0

import Crypto
import Sealing
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LogState {
    /// An entry that counts.
    public struct Counted: Sendable {
        /// Its header.
        public let entry: Entry
        /// Its body.
        public let body: Body
    }

    /// The verdict on an entry.
    public enum Verdict: Sendable {
        case counted(Counted)
        case void(VoidReason)

        /// Whether these bytes say nothing of any author. An engine, or the connection to it, may have made them from
        /// an entry that counts.
        var isVouchedForByNobody: Bool {
            guard case .void(let reason) = self else { return false }
            switch reason {
            case .tooLarge, .malformed, .anotherAccount, .anotherPlace, .unknownAuthor, .endedAuthor, .badSignature:
                return true
            case .anotherLog, .outOfSequence, .anotherEpoch, .notAllowed: return false
            }
        }

        /// Whether it is an entry that a member signed and that continues another log.
        public var isProofOfFork: Bool {
            if case .void(.anotherLog) = self { true } else { false }
        }
    }

    /// Takes in the bytes at `place + 1`, regardless of their content. None stops a log: an entry that readers refuse
    /// is void for all of them.
    public mutating func take(_ bytes: [UInt8]) -> Verdict {
        let n = place + 1
        let hash = Entry.hash(bytes, account: account, place: n)
        let verdict = judge(bytes, at: n)
        place = n
        self.hash = hash
        guard case .counted(let counted) = verdict else { return verdict }
        authors[counted.entry.author]?.sequence = counted.entry.sequence
        authors[counted.entry.author]?.last = hash
        apply(counted)
        if isSettled { settled = snapshot }
        return verdict
    }

    private func judge(_ bytes: [UInt8], at n: UInt64) -> Verdict {
        do throws(VoidReason) {
            guard bytes.count <= SyncLimits.entry else { throw .tooLarge }
            guard let entry = try? Entry(bytes, version: version) else { throw .malformed }
            guard entry.account == account else { throw .anotherAccount }
            guard entry.place == n else { throw .anotherPlace }
            guard let author = authors[entry.author] else { throw .unknownAuthor }
            guard let key = author.role.key else { throw .endedAuthor }
            guard entry.isSigned(by: key) else { throw .badSignature }
            guard entry.previous == hash else { throw .anotherLog }
            guard entry.sequence == author.sequence + 1, entry.sequence < SyncLimits.places, entry.last == author.last
            else { throw .outOfSequence }
            guard entry.epoch == epoch else { throw .anotherEpoch }
            guard let kind = EntryKind(rawValue: entry.kind), let body = try? Body(kind, entry.body),
                allows(body, by: entry.author, sequence: entry.sequence)
            else { throw .notAllowed }
            return .counted(Counted(entry: entry, body: body))
        } catch {
            return .void(error)
        }
    }

    private func allows(_ body: Body, by author: UInt32, sequence: UInt64) -> Bool {
        guard let role = authors[author]?.role, group?.allows(body, by: author) ?? true else { return false }
        if case .ticket(let ticket, _) = role {
            guard case .application(let record, let proof) = body else { return false }
            return sequence <= UInt64(ticket.machines) && applicants.count < 256 && isNew(record)
                && record.canBeSealedTo
                && record.verifying.verifies(
                    proof, .syncApplication, Ticket.application(account: account, ticket: author, record: record))
        }
        if case .recovery = role {
            guard case .addition(let addition) = body else { return false }
            return allows(addition)
        }
        switch body {
        case .edits: return true
        case .application: return false
        case .addition(let addition): return allows(addition)
        case .epoch(let body): return allows(body, by: author)
        case .rekey(let record, let proof):
            let message = Ticket.rekey(account: account, author: author, sequence: sequence, record: record)
            return isNew(record) && record.canBeSealedTo && record.verifying.verifies(proof, .syncRekey, message)
        case .ticket(let ticket): return allows(ticket)
        case .unattended(let unattended): return allows(unattended.ticket)
        case .recovery(let holder):
            return holder.number == next && next < .max && isNew(holder.record) && holder.record.canBeSealedTo
        case .ticketEnd(let number): return authors[number]?.isTicket == true || authors[number]?.isRecovery == true
        case .snapshot(let snapshot):
            return snapshot.logDigest == Array(SHA256.hash(data: bytes))
        case .acknowledgement(let place):
            guard case .member(_, let acknowledged) = role else { return false }
            return snapshot > 0 && place == snapshot && acknowledged != snapshot
        case .leaving: return members.count > 1
        case .person(let addition): return group != nil && allows(addition.machine)
        case .role: return group != nil
        }
    }

    private func allows(_ addition: Addition) -> Bool {
        guard addition.number == next, next < .max, members.count < SyncLimits.members else { return false }
        return isNew(addition.record) && addition.record.canBeSealedTo
            || applicants.contains { $0.record == addition.record }
    }

    private func allows(_ ticket: Ticket) -> Bool {
        guard ticket.verifying != nil, ticket.number == next, next < .max, ticket.place <= place else { return false }
        return !used.contains(Array(SHA256.hash(data: ticket.key))) && authors.values.count(where: \.isTicket) < 256
    }

    private func allows(_ body: EpochBody, by author: UInt32) -> Bool {
        epoch < .max && body.epoch == epoch + 1 && !body.removed.contains(author)
            && body.removed.allSatisfy { authors[$0]?.record != nil }
            && body.staying == holders.filter { !body.removed.contains($0) }
    }

    /// Whether a machine with these keys may be added: they were never in this log, and can be sealed to.
    package func mayAdd(_ record: DeviceRecord) -> Bool {
        isNew(record) && record.canBeSealedTo && next < .max && members.count < SyncLimits.members
    }

    private func isNew(_ record: DeviceRecord) -> Bool { !used.contains(record.verifyingDigest) }

    private mutating func give(_ ticket: Ticket) {
        guard let key = ticket.verifying else { return }
        authors[next] = Author(role: .ticket(ticket, key), sequence: 0)
        next += 1
        used.insert(Array(SHA256.hash(data: ticket.key)))
    }

    private mutating func admit(_ addition: Addition) {
        authors[next] = Author(role: .member(addition.record, acknowledged: 0), sequence: 0)
        next += 1
        used.insert(addition.record.verifyingDigest)
        applicants.removeAll { $0.record == addition.record }
    }

    private mutating func apply(_ counted: Counted) {
        let author = counted.entry.author
        switch counted.body {
        case .edits: break
        case .addition(let addition):
            if let person = group?.machines[author]?.person { group?.add(next, of: person) }
            admit(addition)
        case .person(let addition):
            group?.roles[addition.person] = addition.role
            group?.add(next, of: addition.person)
            admit(addition.machine)
        case .role(let person, let role): group?.roles[person] = role
        case .epoch(let body):
            for number in body.removed {
                authors[number]?.role = .removed
                group?.end(number, at: place)
            }
            group?.epoch = place
            epoch = body.epoch
            checks = body.checks
        case .rekey(let record, _):
            guard case .member(_, let acknowledged) = authors[author]?.role else { return }
            authors[author]?.role = .member(record, acknowledged: acknowledged)
            used.insert(record.verifyingDigest)
        case .ticket(let ticket): give(ticket)
        case .unattended(let unattended): give(unattended.ticket)
        case .ticketEnd(let number): authors[number]?.role = .ended
        case .recovery(let holder):
            if let former = recovery { authors[former]?.role = .ended }
            authors[next] = Author(role: .recovery(holder.record), sequence: 0)
            next += 1
            used.insert(holder.record.verifyingDigest)
        case .application(let record, _):
            applicants.append(Applicant(place: place, ticket: author, record: record))
            used.insert(record.verifyingDigest)
        case .snapshot(let body):
            snapshot = place
            snapshotTime = body.time
        case .acknowledgement(let snapshot):
            guard case .member(let record, _) = authors[author]?.role else { return }
            authors[author]?.role = .member(record, acknowledged: snapshot)
        case .leaving:
            authors[author]?.role = .left
            group?.end(author, at: place)
        }
    }
}

extension LogState.Author {
    fileprivate var isTicket: Bool {
        if case .ticket = role { true } else { false }
    }
}

extension LogState.Author.Role {
    /// Nil for an author that has ended.
    fileprivate var key: P256.Signing.PublicKey? {
        switch self {
        case .member(let record, _): record.verifying
        case .ticket(_, let key): key
        case .recovery(let record): record.verifying
        case .removed, .left, .ended: nil
        }
    }
}
