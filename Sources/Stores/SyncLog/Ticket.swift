// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ticket with which a number of machines may apply. It makes none of them a member.
public struct Ticket: Hashable, Sendable {
    /// Its number as an author.
    public let number: UInt32
    /// The key that signs applications, x and y.
    public let key: [UInt8]
    /// The number of machines.
    public let machines: UInt16
    /// A place that the log of its holder must have.
    public let place: UInt64
    /// The hash at that place.
    public let hash: Digest32

    init(number: UInt32, key: [UInt8], machines: UInt16, place: UInt64, hash: Digest32) {
        self.number = number
        self.key = key
        self.machines = machines
        self.place = place
        self.hash = hash
    }

    init(from reader: inout ByteReader) throws(SyncLogError) {
        try self.init(number: try reader.word(), from: &reader)
    }

    /// Reads what follows the number.
    init(number: UInt32, from reader: inout ByteReader) throws(SyncLogError) {
        self.number = number
        key = try reader.take(64)
        machines = UInt16(try reader.short())
        place = try reader.long()
        hash = try reader.take(32)
        guard machines > 0 else { throw .outside }
    }

    var verifying: P256.Signing.PublicKey? { try? P256.Signing.PublicKey(rawRepresentation: key) }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt64(number), bytes: 4)
        bytes += key
        bytes.append(UInt64(machines), bytes: 2)
        bytes.append(place, bytes: 8)
        return bytes + hash
    }

    static func application(account: Digest32, ticket: UInt32, record: DeviceRecord) -> [UInt8] {
        var bytes = account
        bytes.append(UInt64(ticket), bytes: 4)
        return bytes + record.bytes
    }

    static func rekey(account: Digest32, author: UInt32, sequence: UInt64, record: DeviceRecord) -> [UInt8] {
        var bytes = account
        bytes.append(UInt64(author), bytes: 4)
        bytes.append(sequence, bytes: 8)
        return bytes + record.bytes
    }
}
