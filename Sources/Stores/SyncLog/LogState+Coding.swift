// SPDX-License-Identifier: Apache-2.0

import SyncMerge

extension LogState {
    /// The state of the log (SyncLog.md), which every reader of the same entries computes byte for byte.
    public var bytes: [UInt8] {
        var bytes = [version] + account
        bytes.append(UInt64(era), bytes: 2)
        bytes.append(place, bytes: 8)
        bytes += hash
        bytes.append(UInt64(epoch), bytes: 4)
        bytes += checks.bytes
        bytes.append(UInt64(next), bytes: 4)
        for number in [snapshot, snapshotTime, settled] { bytes.append(number, bytes: 8) }
        bytes.append(UInt64(authors.count), bytes: 4)
        for (number, author) in authors.sorted(by: { $0.key < $1.key }) {
            bytes.append(UInt64(number), bytes: 4)
            bytes.append(author.role.status)
            bytes.append(author.sequence, bytes: 8)
            bytes += author.last
            switch author.role {
            case .member(let record, let acknowledged):
                bytes.append(acknowledged, bytes: 8)
                bytes += record.bytes
            case .ticket(let ticket, _): bytes += ticket.bytes.dropFirst(4)
            case .recovery(let record): bytes += record.bytes
            case .removed, .left, .ended: break
            }
        }
        bytes.append(UInt64(used.count), bytes: 4)
        bytes += used.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
        bytes.append(UInt64(applicants.count), bytes: 2)
        for applicant in applicants {
            bytes.append(applicant.place, bytes: 8)
            bytes.append(UInt64(applicant.ticket), bytes: 4)
            bytes += applicant.record.bytes
        }
        return bytes + (group?.bytes ?? [])
    }
}

extension LogState.Author.Role {
    fileprivate var status: UInt8 {
        switch self {
        case .member: 1
        case .removed: 2
        case .left: 3
        case .ticket: 4
        case .ended: 5
        case .recovery: 6
        }
    }
}
