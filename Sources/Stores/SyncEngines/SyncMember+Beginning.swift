// SPDX-License-Identifier: Apache-2.0

public import SyncLog

extension SyncMember {
    /// Where a new member begins: at the last snapshot that was computed here, if the engine has all of it. Nil means
    /// the first entry.
    /// If the engine has neither, this makes a snapshot.
    /// - Throws: `locked` if a snapshot is needed and a class is locked.
    public mutating func beginning(now: UInt64) async throws -> Beginning? {
        if let known = try await wholeSnapshot() { return known }
        if replica.verifiedSnapshot == 0, try await hasFirst() { return nil }
        do {
            for _ in 0..<8 where try await snapshot(now: now) {
                if let made = try await wholeSnapshot() { return made }
            }
        } catch let error as SyncLogError where error.code == .locked {
            guard try await hasFirst() else { throw error }
            return nil
        }
        throw SyncEngineError(
            .unreachable, "the engine doesn't show the snapshot that newcomers begin at; try again later")
    }

    private func hasFirst() async throws -> Bool {
        try await engine.read(replica.state.account, from: 1, limit: 1).first?.place == 1
    }

    private func wholeSnapshot() async throws -> Beginning? {
        let place = replica.verifiedSnapshot
        guard place > 0, let hash = replica.hash(at: place),
            let stored = try await Self.stored(place, of: replica.state.account, on: engine), stored.isWhole
        else { return nil }
        return Beginning(place: place, hash: hash)
    }

    /// Follows an account from its first entry or, if the engine no longer has that, from a snapshot that a
    /// member named.
    /// The stored snapshot is returned too. `beginning` is called only if the snapshot is needed.
    /// - Throws: `noSuchAccount` if the engine has no entry of the account, `notALog` if it has neither beginning,
    ///   `fork` if its snapshot differs from the named one.
    public static func follow(
        _ account: Digest32, _ device: DeviceKeys, on engine: Engine, from beginning: () async throws -> Beginning?
    ) async throws -> (member: SyncMember, stored: StoredSnapshot?) {
        guard let first = try await engine.read(account, from: 1, limit: 1).first else { throw noSuchAccount(account) }
        var stored: StoredSnapshot?
        var replica: LogReplica
        if first.place == 1 {
            var member = SyncMember(
                replica: try LogReplica(genesis: first.bytes, account: account, device: device), engine: engine)
            do {
                try await member.pull()
                return (member, nil)
            } catch let error as SyncLogError where error.code == .gap {
                // The missing entries may precede the named snapshot. A device with nothing but the log doesn't need
                // them then.
                guard let named = try? await beginning(), named.place > member.replica.state.place + 1,
                    let found = try await Self.stored(named.place, of: account, on: engine)
                else { throw error }
                replica = try LogReplica(startingAt: found, as: named, account: account, device: device)
                stored = found
            }
            replica.keepsSettled = true
        } else {
            guard let named = try await beginning(),
                let found = try await Self.stored(named.place, of: account, on: engine)
            else {
                throw SyncLogError(
                    .notALog,
                    "the engine has neither the first entries of this account nor the snapshot to begin at, so that only a member can let this machine in: by words (`zamok sync join`), or by a new ticket"
                )
            }
            replica = try LogReplica(startingAt: found, as: named, account: account, device: device)
            // The log's beginning can't be opened yet. So nothing after it may be dropped, regardless of how long the
            // log is by now.
            replica.keepsSettled = true
            stored = found
        }
        var member = SyncMember(replica: replica, engine: engine)
        try await member.pull()
        return (member, stored)
    }
}
