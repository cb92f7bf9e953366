// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LogState {
    /// Reads the state of a log (SyncLog.md) in the form of a snapshot. Its digest shows whether it is the right one.
    public init(reading bytes: [UInt8]) throws(SyncLogError) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else {
            throw SyncLogError(.newerVersion, "the log is of a newer version; install a newer zamok to go on")
        }
        account = try reader.take(32)
        era = UInt16(try reader.short())
        place = try reader.long()
        hash = try reader.take(32)
        epoch = try reader.word()
        checks = EpochChecks(bytes: try reader.take(96))
        next = try reader.word()
        snapshot = try reader.long()
        snapshotTime = try reader.long()
        settled = try reader.long()
        guard 1..<SyncLimits.places ~= place, snapshot <= place, settled <= snapshot else { throw .outside }
        var number: UInt32 = 0
        for _ in 0..<(try reader.word()) {
            let own = try reader.word()
            guard own > number, own < next else { throw .malformed("numbers out of order") }
            number = own
            authors[own] = try Author(own, from: &reader)
        }
        var last: Digest32 = []
        for _ in 0..<(try reader.word()) {
            let key = try reader.take(32)
            guard last.lexicographicallyPrecedes(key) else { throw .malformed("keys out of order") }
            last = key
            used.insert(key)
        }
        for _ in 0..<(try reader.count(0...256)) {
            let (place, ticket) = (try reader.long(), try reader.word())
            applicants.append(
                Applicant(place: place, ticket: ticket, record: try DeviceRecord(reader.take(DeviceRecord.size))))
        }
        if reader.remaining > 0 { group = try GroupPersons(from: &reader) }
        try reader.end()
    }
}

extension LogState.Author {
    fileprivate init(_ number: UInt32, from reader: inout ByteReader) throws(SyncLogError) {
        let status = try reader.byte()
        sequence = try reader.long()
        last = try reader.take(32)
        guard sequence < SyncLimits.places else { throw .outside }
        switch status {
        case 1:
            let acknowledged = try reader.long()
            role = .member(try DeviceRecord(reader.take(DeviceRecord.size)), acknowledged: acknowledged)
        case 2: role = .removed
        case 3: role = .left
        case 4:
            let ticket = try Ticket(number: number, from: &reader)
            guard let key = ticket.verifying else { throw .malformed("a ticket's key") }
            role = .ticket(ticket, key)
        case 5: role = .ended
        case 6: role = .recovery(try DeviceRecord(reader.take(DeviceRecord.size)))
        default: throw .outside
        }
    }
}
