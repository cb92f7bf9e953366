// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge

extension KeychainSync {
    /// Founds the account anew with this home's data, after the engine lost or changed what no home can restore. The
    /// other machines follow; until then they continue on their own. Returns the words of the new log's head, which
    /// their users are asked to compare.
    ///
    /// - Parameter isAlone: Whether the user says that the machines that state to have more are lost.
    /// - Throws: `gap` if a machine states a head beyond what is missing, so that it can restore that; `notALog` if the
    ///   engine has the whole log, or the account was already founded anew; `differentBytes` if the other machines
    ///   continued without this home's last entries, as they do after an engine was restored from a backup; `locked` if
    ///   anything waits for an unlock.
    public mutating func restart(isAlone: Bool = false) async throws -> String {
        do {
            try await member.pull()
        } catch let error as SyncLogError {
            let isLost = [.rolledBack, .differentBytes, .gap, .fork, .leftBehind].contains(error.code)
            guard isLost else { throw error }
            if let place = try await member.othersContinuation() {
                throw SyncLogError(
                    .differentBytes,
                    "other machines went on at entry \(place) without this one's, and could not follow what it founds; here: zamok sync leave --here, then join again, which sends what was changed here"
                )
            }
            let ahead = error.code == .gap && !isAlone ? try await member.membersAhead() : []
            if let first = ahead.first {
                let name = devices.first { $0.number == first }.map(\.name) ?? ""
                throw SyncLogError(
                    .gap,
                    "device \(first) (\(Self.printable(name))) has what the engine lacks, and gives it back in its next round: zamok sync now, there. If that machine is lost, and with it what it wrote there: zamok sync restart --lost"
                )
            }
            try await replace(with: member.restart(now: Self.clock).replica)
            return headWords
        }
        throw SyncLogError(.notALog, "the engine has the whole log, so there is nothing to found anew")
    }

    /// Follows the account that a member founded anew, if there is one. The next `now` sends again what this home has
    /// and the founder lacked. `confirm` gets the words of the new log's head, and returns whether they are the
    /// founder's. False: there is no new era.
    public mutating func followRestart(confirm: (String) throws -> Bool) async throws -> Bool {
        guard let fresh = try await member.followRestart(confirm: { try confirm($0) })?.replica else { return false }
        guard fresh.verifiedSnapshot > 0, !fresh.isWaiting else {
            throw SyncLogError(
                .unknownSnapshot,
                "the items of the new era don't open or aren't what they should be; nothing was taken over")
        }
        try await replace(with: fresh)
        return true
    }

    /// Makes all stored state that of the new log. All rows are compared with it: what it lacks is an edit.
    private mutating func replace(with fresh: LogReplica) async throws {
        var fresh = fresh
        fresh.remember(member.replica)
        fresh.notices = []
        var next = KeychainSync(home, store, lock, state, fresh, member.engine, domains)
        next.pace = pace
        next.state.account = fresh.state.account
        next.state.written = fresh.written
        (next.state.place, next.state.first, next.state.removed) = (0, 1, 0)
        next.state.collected = [0, 0, 0]
        let given = next
        next.state = try store.syncWrite { access in
            var state = given.state
            for batch in state.batches { try access.forget(RecordName.entries(batch)) }
            state.batches = 0..<0
            for record in [RecordName.outgoing, RecordName.next] { try access.forget(record) }
            state = try given.keepBase(try given.keep(state, access), access)
            guard state.base > 0 else {
                throw SyncLogError(.locked, "a class is locked; unlock, then try again")
            }
            return state
        }
        self = next
    }
}
