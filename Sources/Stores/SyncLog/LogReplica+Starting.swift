// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncMerge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of a snapshot that are not opened yet.
struct PendingItems: Sendable {
    let snapshot: Snapshot
    /// The snapshot's place, as operations count it.
    let place: UInt64
    let epoch: UInt32
    var chunks: [TravellingClass: [[UInt8]]]
    var isRight = true
}

extension LogReplica {
    /// Begins at a snapshot whose entry a member vouched for by its hash, which names all the rest.
    /// - Throws: `fork` if it is another entry, otherwise as ``init(startingAt:account:device:written:)``.
    public init(
        startingAt stored: StoredSnapshot, as named: Beginning, account: Digest32, device: DeviceKeys
    ) throws(SyncLogError) {
        guard stored.place == named.place,
            Entry.hash(stored.entry, account: account, place: stored.place) == named.hash
        else {
            throw SyncLogError(
                .fork, "the engine shows another log than the one that was vouched for; nothing was taken over")
        }
        try self.init(startingAt: stored, account: account, device: device)
    }

    /// Begins at a snapshot instead of the genesis. Only the chain shows that this is the account's log. Follow it to
    /// the head that a member vouched for, and compare hash and state there (`mustBeVouchedFor`).
    /// - Throws: `unknownSnapshot` if a chunk is not what the entry states, or the entry is no snapshot of this state.
    public init(
        startingAt stored: StoredSnapshot, account: Digest32, device: DeviceKeys, written: UInt64 = 0
    ) throws(SyncLogError) {
        let snapshot = try Self.verified(stored)
        let before = try LogState(reading: stored.chunks[0].flatMap { $0 })
        guard before.account == account, before.place + 1 == stored.place else {
            throw SyncLogError(.unknownSnapshot, "the snapshot is of another log or place; nothing was taken over")
        }
        var after = before
        guard case .counted(let counted) = after.take(stored.entry), case .snapshot = counted.body else {
            throw SyncLogError(.unknownSnapshot, "the snapshot doesn't follow from its own state")
        }
        self.init(after: after, before: before, device: device)
        self.written = written
        raw[stored.place] = stored.entry
        kept = stored.place
        pendingSnapshot = Self.pending(
            snapshot, stored, place: after.operationPlace(stored.place), epoch: counted.entry.epoch)
        settle()
    }

    /// The snapshot in an entry, if the chunks are those that it names.
    static func verified(_ stored: StoredSnapshot) throws(SyncLogError) -> Snapshot {
        let entry = try Entry(stored.entry)
        guard let kind = EntryKind(rawValue: entry.kind), case .snapshot(let snapshot) = try Body(kind, entry.body),
            entry.place == stored.place
        else { throw SyncLogError(.unknownSnapshot, "entry \(stored.place) is no snapshot") }
        let digests = stored.chunks.map { $0.map { Array(SHA256.hash(data: $0)) } }
        guard digests == snapshot.chunks else {
            throw SyncLogError(
                .unknownSnapshot,
                "a chunk of the snapshot at \(stored.place) is cut, missing or another's; nothing was taken over")
        }
        return snapshot
    }

    static func pending(
        _ snapshot: Snapshot, _ stored: StoredSnapshot, place: UInt64, epoch: UInt32
    ) -> PendingItems {
        PendingItems(
            snapshot: snapshot, place: place, epoch: epoch,
            chunks: Dictionary(uniqueKeysWithValues: zip(TravellingClass.allCases, stored.chunks.dropFirst())))
    }

    /// Opens the snapshot's items as far as keys are available.
    mutating func openPendingSnapshot() {
        guard var open = pendingSnapshot else { return }
        for own in TravellingClass.allCases {
            guard let chunks = open.chunks[own], let key = keys[open.epoch, own] else { continue }
            open.chunks[own] = nil
            let place = LogState.entryPlace(of: open.place)
            do throws(SyncLogError) {
                let state = try SnapshotChunks.open(chunks, own, under: key, account: state.account, place: place)
                guard Snapshot.code(of: state, under: key) == open.snapshot.codes[own] else {
                    throw SyncLogError(.unknownSnapshot, "another code")
                }
                for (key, operation) in try SnapshotChunks.operations(state, own, before: open.place) {
                    items.insert(operation, on: key)
                }
            } catch {
                open.isRight = false
            }
        }
        pendingSnapshot = open
        guard open.chunks.isEmpty else { return }
        pendingSnapshot = nil
        let place = LogState.entryPlace(of: open.place)
        if open.isRight { verifiedSnapshot = place } else { notices.append(.wrongSnapshot(place: place)) }
    }

    /// Checks that this copy has the head that a member vouched for, with the same computed state. Call it when
    /// `state.place` is that place.
    /// - Throws: `fork` if it is another one: the engine's log is not the member's.
    public func mustBeVouchedFor(place: UInt64, hash: Digest32, stateDigest: Digest32) throws(SyncLogError) {
        guard state.place == place, state.hash == hash, Array(SHA256.hash(data: state.bytes)) == stateDigest else {
            throw SyncLogError(
                .fork, "the engine shows another log than the member's that approved; nothing was taken over")
        }
    }

    /// Entries from here on are kept. All members have acknowledged twice what is below it.
    public var firstKept: UInt64 { kept }

    /// An engine may remove everything below this. A ticket that lets machines begin further back prevents that. So
    /// does a recovery code: a device that has only the account's id begins at its first entry.
    public var removableBelow: UInt64 { state.lowestTicket < kept || state.recovery != nil ? 0 : kept }

    /// Whether there are entries that no member needs any more.
    package var hasSettled: Bool { settledBefore > kept }

    /// Forgets the entries below the second-to-last settled snapshot.
    package mutating func forgetSettled() {
        guard hasSettled else { return }
        for old in kept..<settledBefore { raw[old] = nil }
        kept = settledBefore
    }
}
