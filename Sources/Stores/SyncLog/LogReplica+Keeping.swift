// SPDX-License-Identifier: Apache-2.0

import Crypto
package import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored copy, from which a home resumes instead of replaying all entries: the result of all entries up to a place.
/// All of them were open there.
package struct KeptReplica: Sendable {
    /// The part that needs no key.
    package var log: [UInt8]
    /// By class: the keys of its epochs, items, and dropped values. Locked classes are left out.
    package var classes: [TravellingClass: [UInt8]]

    /// A stored copy.
    package init(log: [UInt8], classes: [TravellingClass: [UInt8]]) {
        self.log = log
        self.classes = classes
    }
}

extension LogReplica {
    /// The result of all entries up to here; nil while something waits to be opened. It includes only those dropped
    /// values that a history shows.
    package func kept(former count: Int, since time: UInt64) -> KeptReplica? {
        guard !isWaiting, milestones.isEmpty, TravellingClass.allCases.allSatisfy({ keys[state.epoch, $0] != nil })
        else { return nil }
        var log: [UInt8] = []
        for number in [kept, settledBefore, verifiedSnapshot, written] { log.append(number, bytes: 8) }
        for number in [member ?? 0, holder ?? 0, keys.first] { log.append(UInt64(number), bytes: 4) }
        log += state.bytes
        let shown = former.former(count, since: time)
        var classes: [TravellingClass: [UInt8]] = [:]
        for own in TravellingClass.allCases {
            let known = keys.known(own)
            var bytes: [UInt8] = []
            bytes.append(UInt64(known.count), bytes: 4)
            for (epoch, key) in known {
                bytes.append(UInt64(epoch), bytes: 4)
                bytes += key.exposingBytes
            }
            bytes.append(items.state(of: own, before: .max), lengthOf: 8)
            classes[own] = bytes + shown.state(of: own, before: .max)
        }
        return KeptReplica(log: log, classes: classes)
    }

    /// Resumes from a stored copy. `device` is the one that the log had there, or a later one.
    package init(keeping given: KeptReplica, device: DeviceKeys) throws(SyncLogError) {
        var reader = ByteReader(given.log)
        let (kept, settledBefore) = (try reader.long(), try reader.long())
        let (verified, written) = (try reader.long(), try reader.long())
        let (member, holder, first) = (try reader.word(), try reader.word(), try reader.word())
        let state = try LogState(reading: reader.take(reader.remaining))
        guard 1...state.place ~= kept, verified <= state.place else { throw .outside }
        self.init(after: state, before: state, device: device)
        keepsSettled = true
        (self.kept, self.settledBefore) = (kept, settledBefore)
        verifiedSnapshot = verified
        self.written = written
        self.member = member == 0 ? nil : member
        self.holder = holder == 0 ? nil : holder
        keys = KeyRing(state, first: first)
        for own in TravellingClass.allCases {
            guard let bytes = given.classes[own] else {
                absent.insert(own)
                continue
            }
            try open(bytes, own)
        }
    }

    private mutating func open(_ bytes: [UInt8], _ own: TravellingClass) throws(SyncLogError) {
        var reader = ByteReader(bytes)
        for _ in 0..<(try reader.word()) {
            let epoch = try reader.word()
            keys.keep(SymmetricKey(data: try reader.take(32)), epoch: epoch, own)
        }
        let present = try reader.take(lengthOf: 8, 0...Int.max)
        for (key, operation) in try SnapshotChunks.operations(present, own, before: .max) {
            items.insert(operation, on: key)
        }
        for (key, operation) in try SnapshotChunks.operations(reader.take(reader.remaining), own, before: .max) {
            former.insert(operation, on: key)
        }
    }

    /// Takes over another copy's values of the same account that this one lacks, as dropped values for a history.
    package mutating func remember(_ other: LogReplica) {
        former.join(other.former)
        for (key, register) in other.items.registers {
            let known = Set(items[key].operations)
            for operation in register.operations where operation.isPut && !known.contains(operation) {
                former.insert(operation, on: key)
            }
        }
    }

    /// Provides the bytes of an entry up to the place of the stored copy, for an engine that lost them.
    package mutating func restore(_ bytes: [UInt8], at place: UInt64) {
        guard place >= kept, place <= state.place else { return }
        raw[place] = bytes.count <= SyncLimits.entry ? bytes : nil
        hashes[place] = Entry.hash(bytes, account: state.account, place: place)
    }
}
