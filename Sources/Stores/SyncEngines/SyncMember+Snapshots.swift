// SPDX-License-Identifier: Apache-2.0

public import SyncLog

extension SyncMember {
    /// Follows an account after an approver's answer, once the words agree. Begins at the last snapshot.
    /// If there is none, or the engine lost a chunk of it, begins at the genesis. Either way the log must lead to the
    /// approver's head and state.
    public static func follow(
        _ answered: Applicant.Answered, _ device: DeviceKeys, on engine: Engine
    ) async throws -> SyncMember {
        let account = answered.account
        let replica: LogReplica
        if answered.snapshot > 0, let stored = try await stored(answered.snapshot, of: account, on: engine) {
            replica = try LogReplica(startingAt: stored, account: account, device: device)
        } else {
            guard let first = try await engine.read(account, from: 1, limit: 1).first, first.place == 1 else {
                throw SyncLogError(
                    .notALog,
                    "the engine has neither the snapshot that was named nor the first entry; begin anew: the next `zamok sync approve` makes a snapshot"
                )
            }
            replica = try LogReplica(genesis: first.bytes, account: account, device: device)
        }
        var member = SyncMember(replica: replica, engine: engine)
        try await member.pull(upTo: answered.place)
        try member.replica.mustBeVouchedFor(
            place: answered.place, hash: answered.hash, stateDigest: answered.stateDigest)
        try await member.pull()
        return member
    }

    /// Takes in entries up to a place.
    private mutating func pull(upTo place: UInt64) async throws {
        while replica.state.place < place {
            let before = replica.state.place
            for entry in try await engine.read(account, from: before + 1, limit: 256) where entry.place <= place {
                try await take(entry)
            }
            guard replica.state.place > before else {
                throw SyncLogError(
                    .gap,
                    "the engine lacks entry \(before + 1), which the member that approved has; its next round gives it back (zamok sync now, there). Then begin anew"
                )
            }
        }
    }

    /// A snapshot with its chunks; nil if the engine lacks any of it.
    public static func stored(
        _ place: UInt64, of account: Digest32, on engine: Engine
    ) async throws -> StoredSnapshot? {
        guard let entry = try await engine.read(account, from: place, limit: 1).first, entry.place == place,
            let counts = StoredSnapshot.counts(entry.bytes)
        else { return nil }
        var chunks: [[[UInt8]]] = []
        for (stream, count) in zip(StoredSnapshot.streams, counts) {
            var own: [[UInt8]] = []
            for index in 0..<count {
                let key = SideKey.chunk(place: place, stream: stream, index: UInt16(index))
                guard let bytes = try await engine.get(key, of: account) else { return nil }
                own.append(bytes)
            }
            chunks.append(own)
        }
        return StoredSnapshot(place: place, entry: entry.bytes, chunks: chunks)
    }

    /// Makes a snapshot of all counting operations, chunks first. Returns whether it counts; a caller that lost the
    /// place tries again later.
    public mutating func snapshot(now: UInt64) async throws -> Bool {
        try await push()
        try await pull()
        guard !replica.isWaiting else { throw SyncLogError(.locked, "a class is locked; a snapshot needs all") }
        let (entry, stored) = try replica.writer().storedSnapshot(of: replica.items, time: now)
        try await put(stored, of: account)
        return try await sendOnce(entry)
    }

    private func put(_ stored: StoredSnapshot, of account: Digest32) async throws {
        for (stream, chunks) in zip(StoredSnapshot.streams, stored.chunks) {
            for (index, chunk) in chunks.enumerated() {
                let key = SideKey.chunk(place: stored.place, stream: stream, index: UInt16(index))
                guard try await engine.put(chunk, at: key, of: account) == .taken else { continue }
                guard try await engine.get(key, of: account) == chunk else {
                    throw SyncLogError(
                        .differentBytes,
                        "other bytes stand where chunk \(index) of the snapshot goes; try again after the next edit")
                }
            }
        }
    }

    /// Acknowledges the last snapshot if it was computed here too and everything is sent. Returns whether it did.
    public mutating func acknowledge() async throws -> Bool {
        try await push()
        try await pull()
        guard let member = replica.member, replica.mayAcknowledge,
            replica.state.acknowledged(by: member) != replica.state.snapshot
        else { return false }
        return try await send { try $0.acknowledgement() }
    }

    /// Lets the engine remove the entries that no member needs any more.
    public func removeSettled() async throws {
        let place = replica.removableBelow
        if place > 1 { try await engine.remove(account, below: place) }
    }

    /// Founds the account again after the engine lost its log: a new era with this member's items. Other members follow
    /// with ``followRestart(confirm:)``.
    public func restart(now: UInt64) async throws -> SyncMember {
        try mustBeOpen()
        let genesis = try LogWriter.genesis(continuing: replica.state, by: replica.device)
        let founded = try replica.founded(genesis)
        var member = SyncMember(replica: founded, engine: engine)
        guard try await engine.append(genesis, at: 1, of: member.account) == .done else {
            throw SyncLogError(.notALog, "the engine has this era already")
        }
        guard try await member.snapshot(now: now) else {
            throw SyncLogError(.gap, "the new era's first snapshot didn't come to place 2; try again")
        }
        guard try await engine.put(member.account, at: .era(founded.state.era), of: account) == .done else {
            throw SyncLogError(.fork, "another member was quicker to found the account anew; follow it instead")
        }
        return member
    }

    /// Unopened operations can't be carried over.
    private func mustBeOpen() throws(SyncLogError) {
        guard !replica.isWaiting else {
            throw SyncLogError(.locked, "items of a locked class wait to be opened; unlock, then try again")
        }
    }

    /// Follows the new era of this account, if there is one. Operations that this home has and the founder lacked are
    /// sent with the next `push`.
    /// `confirm` receives the words of the new log's head, which the user compares with the founder's.
    public func followRestart(confirm: (String) async throws -> Bool) async throws -> SyncMember? {
        guard replica.state.era < .max, let next = try await engine.get(.era(replica.state.era + 1), of: account) else {
            return nil
        }
        try mustBeOpen()
        guard next.count == 32, let genesis = try await engine.read(next, from: 1, limit: 1).first, genesis.place == 1,
            Entry.hash(genesis.bytes, account: next, place: 1) == next,
            let stored = try await Self.stored(2, of: next, on: engine)
        else { throw SyncLogError(.notALog, "the new era has no beginning; nothing was taken over") }
        let fresh = try replica.continued(genesis.bytes, stored)
        let words = Words.head(account: next, place: fresh.state.place, hash: fresh.state.hash)
        guard try await confirm(words) else {
            throw SyncLogError(.wrongWords, "the words differ; nothing was taken over")
        }
        var member = SyncMember(replica: fresh, engine: engine)
        let unsent = replica.missing(in: fresh)
        for start in stride(from: 0, to: unsent.count, by: SyncLimits.operations) {
            try member.edit(Array(unsent[start..<min(start + SyncLimits.operations, unsent.count)]))
        }
        let sent = replica.outgoing.map(fresh.hadSeen) ?? false
        for waiting in outbox.dropFirst(sent ? 1 : 0) { try member.edit(waiting.map(fresh.carried)) }
        try await member.pull()
        return member
    }
}
