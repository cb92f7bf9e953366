// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge

extension KeychainSync {
    /// Founds the account anew, after the engine lost or changed what no home can give back: with what this home has. The others follow; until they do they
    /// go on by themselves. The words of the new log's head, which they are asked to compare.
    /// `isAlone`: a person says that the machines that state to have more are lost.
    /// - Throws: `gap` if a machine states a head beyond what is missing, so that it can give that back; `notALog` if the engine has all there is, or somebody founded the account anew already; `differentBytes` if the others went on
    ///   without this home's last entries, as they do where an engine was put back from a backup; `locked` if anything waits for an unlock.
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

    /// Follows the account that a member founded anew, if there is one: what this home has and the founder hadn't is sent again by the next `now`.
    /// `confirm` is shown the words of the new log's head, and answers whether they are the founder's. False: there is no new era.
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

    /// Everything that is kept becomes the new log's. All rows are compared with it: what it lacks is an edit.
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
