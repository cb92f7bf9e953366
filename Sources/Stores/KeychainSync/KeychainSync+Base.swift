// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge

/// How often optional work is done.
package struct Pace: Sendable {
    /// The entries or bytes after which a snapshot is made.
    var snapshot: (entries: UInt64, bytes: Int)
    /// If a member doesn't acknowledge the last snapshot, a newer one is made after this many times that number
    /// of entries.
    var patience: UInt64
    /// The entries after which a home's stored copy is updated.
    var base: UInt64
    /// The milliseconds after which the head is stated again. An engine keeps each statement until it is compacted, and
    /// all members make a round for each edit.
    var heads: UInt64

    package init(
        snapshot: (UInt64, Int) = (1000, 16 << 20), patience: UInt64 = 8, base: UInt64 = 256, heads: UInt64 = 600_000
    ) {
        self.snapshot = snapshot
        self.patience = patience
        self.base = base
        self.heads = heads
    }
}

/// What a home shows of a register's former values.
enum FormerValues {
    static let most = 10
    static var oldest: UInt64 { KeychainSync.clock - min(KeychainSync.clock, 90 * 86_400_000) }
}

extension KeychainSync {
    private static let part = 1 << 20

    /// The stored copy in place of entries; locked classes are left out.
    static func base(_ state: SyncState, _ access: SyncAccess) throws -> KeptReplica? {
        guard state.base > 0 else { return nil }
        var classes: [TravellingClass: [UInt8]] = [:]
        for own in TravellingClass.allCases {
            do { classes[own] = try stream(own.index + 1, state, access) } catch let error as KeychainError {
                guard error.code == .locked else { throw error }
            }
        }
        return KeptReplica(log: try stream(0, state, access), classes: classes)
    }

    private static func stream(_ stream: Int, _ state: SyncState, _ access: SyncAccess) throws -> [UInt8] {
        try (0..<state.baseParts[stream]).flatMap { try access.record(RecordName.base(stream, $0)) ?? [] }
    }

    /// Keeps the snapshot at which this home begins, while it has not received its keys yet. Its entry is the first
    /// kept entry.
    static func keep(_ stored: StoredSnapshot, _ access: SyncAccess) throws {
        for (stream, chunks) in stored.chunks.enumerated() {
            for (index, chunk) in chunks.enumerated() {
                try access.keep(chunk, as: RecordName.chunk(stream, index), .afterFirstUnlockThisDeviceOnly)
            }
        }
    }

    /// The stored chunks, as many as an entry counts; nil if it is no snapshot, or one is missing.
    static func chunks(of entry: [UInt8], _ access: SyncAccess) throws -> [[[UInt8]]]? {
        guard let counts = StoredSnapshot.counts(entry) else { return nil }
        var chunks: [[[UInt8]]] = []
        for (stream, count) in counts.enumerated() {
            let own = try (0..<count).compactMap { try access.record(RecordName.chunk(stream, $0)) }
            guard own.count == count else { return nil }
            chunks.append(own)
        }
        return chunks
    }

    private static func forgetChunks(_ access: SyncAccess) throws {
        for stream in StoredSnapshot.streams.indices {
            var index = 0
            while try access.record(RecordName.chunk(stream, index)) != nil {
                try access.forget(RecordName.chunk(stream, index))
                index += 1
            }
        }
    }

    /// Keeps the result of all entries up to now, and forgets those that neither this home nor an engine will need.
    /// All of these are stored (`keep`). Changes nothing while something waits.
    func keepBase(_ given: SyncState, _ access: SyncAccess) throws -> SyncState {
        var state = given
        guard let kept = member.replica.kept(former: FormerValues.most, since: FormerValues.oldest) else {
            return state
        }
        try keep(kept.log, stream: 0, .afterFirstUnlockThisDeviceOnly, &state, access)
        for own in TravellingClass.allCases {
            try keep(kept.classes[own] ?? [], stream: own.index + 1, own.ownAccessibility, &state, access)
        }
        if state.base == 0, state.first > 1 { try Self.forgetChunks(access) }
        state.base = state.place
        while state.batches.count > 1 {
            let batch = state.batches.lowerBound
            let next = state.first + (try KeptEntries(bytes: try access.record(RecordName.entries(batch)) ?? []).count)
            guard next <= member.replica.firstKept else { break }
            try access.forget(RecordName.entries(batch))
            state.batches.removeFirst()
            state.first = next
        }
        try access.keep(state.bytes, as: RecordName.state, .afterFirstUnlockThisDeviceOnly)
        return state
    }

    private func keep(
        _ bytes: [UInt8], stream: Int, _ accessibility: Accessibility, _ state: inout SyncState, _ access: SyncAccess
    ) throws {
        let former = state.baseParts[stream]
        var count: UInt32 = 0
        for start in stride(from: 0, to: bytes.count, by: Self.part) {
            try access.keep(
                Array(bytes[start..<min(start + Self.part, bytes.count)]), as: RecordName.base(stream, count),
                accessibility)
            count += 1
        }
        for old in min(count, former)..<former { try access.forget(RecordName.base(stream, old)) }
        state.baseParts[stream] = count
    }

    /// Keeps the log short, here and at the engine: occasional snapshots, acknowledgements, and removal of unneeded
    /// entries. Returns whether an entry was written, so that what came with it must still be applied.
    mutating func tidy(_ report: inout SyncReport) async throws -> Bool {
        try keepBaseIfDue()
        let replica = member.replica
        guard !replica.isWaiting, let own = replica.member, replica.outgoing == nil else { return false }
        // What is acknowledged must be applied, and earlier edits sent. This follows right after both, unless
        // something waits.
        guard report.waiting == 0 else { return false }
        if replica.mayAcknowledge, replica.state.acknowledged(by: own) != replica.state.snapshot {
            _ = try await member.send { try $0.acknowledgement() }
            return true
        }
        if replica.removableBelow > max(1, state.removed) {
            try await member.removeSettled()
            state.removed = replica.removableBelow
            let state = state
            try store.syncWrite { try $0.keep(state.bytes, as: RecordName.state, .afterFirstUnlockThisDeviceOnly) }
        }
        guard isSnapshotDue else { return false }
        do {
            _ = try await member.snapshot(now: Self.clock)
            return true
        } catch let error as SyncLogError {
            // A party that can write to the engine can store something else there first. The snapshot is tried again at
            // another place.
            guard error.code == .differentBytes || error.code == .tooLarge else { throw error }
            report.notices.append(.noSnapshot(place: member.replica.state.place + 1))
            return false
        }
    }

    private mutating func keepBaseIfDue() throws {
        let hasBegun = state.base == 0 && state.first > 1
        guard hasBegun || state.place >= state.base + pace.base || member.replica.hasSettled,
            !member.replica.isWaiting, state.place == member.replica.state.place
        else { return }
        // Only this value forgets them. The home has stored every entry, and starts from those until `keepBase` is
        // durable. So the engine may remove them (`removableBelow`) even if `keepBase` fails or is interrupted.
        member.replica.forgetSettled()
        do { state = try store.syncWrite { try keepBase(state, $0) } } catch {
            // A class was locked meanwhile.
            guard error.code == .locked else { throw error }
        }
    }

    private var isSnapshotDue: Bool {
        let replica = member.replica
        let log = replica.state
        let since = log.place - log.snapshot
        guard log.snapshot == 0 || log.settled == log.snapshot || since >= pace.patience * pace.snapshot.entries else {
            return false
        }
        if since >= pace.snapshot.entries { return true }
        let bytes = (0..<since).reduce(0) { $0 + (replica.bytes(at: log.place - $1)?.count ?? 0) }
        return bytes >= pace.snapshot.bytes
    }
}
