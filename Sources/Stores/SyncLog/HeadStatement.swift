// SPDX-License-Identifier: Apache-2.0

import Sealing
import SyncMerge

/// A member's statement of its log's head; stored outside the log, one per member.
public struct HeadStatement: Hashable, Sendable {
    /// The account.
    public let account: Digest32
    /// The member that states it.
    public let member: UInt32
    /// The head.
    public let place: UInt64
    /// The hash at that place.
    public let hash: Digest32
    /// Milliseconds since 1970.
    public let time: UInt64
    /// The stored bytes.
    public let bytes: [UInt8]

    /// States the head of `state`.
    public init(_ state: LogState, as member: UInt32, _ device: DeviceKeys, time: UInt64) throws {
        var bytes = Array("zsyh".utf8) + [1, 0, 0, 0] + state.account
        bytes.append(UInt64(member), bytes: 4)
        bytes.append(state.place, bytes: 8)
        bytes += state.hash
        bytes.append(time, bytes: 8)
        self.bytes = bytes + (try device.sign(.syncHead, bytes))
        account = state.account
        self.member = member
        place = state.place
        hash = state.hash
        self.time = time
    }

    /// Reads a statement of `member` of `state`; refused unless its current key signed it.
    public init(_ bytes: [UInt8], by member: UInt32, in state: LogState) throws(SyncLogError) {
        var reader = ByteReader(bytes)
        guard try reader.take(8) == Array("zsyh".utf8) + [1, 0, 0, 0] else { throw .malformed("not a head statement") }
        account = try reader.take(32)
        self.member = try reader.word()
        place = try reader.long()
        hash = try reader.take(32)
        time = try reader.long()
        let signature = try reader.take(64)
        try reader.end()
        self.bytes = bytes
        guard account == state.account, self.member == member, let record = state.record(of: member) else {
            throw SyncLogError(.notAMember, "a head statement of another device")
        }
        guard record.verifying.verifies(signature, .syncHead, Array(bytes.dropLast(64))) else {
            throw .malformed("a head statement that \(member) didn't sign")
        }
    }
}
