// SPDX-License-Identifier: Apache-2.0

import SyncLog

extension SyncMember {
    /// Takes in one entry. An entry that no author vouches for is read a second time: only what the engine shows twice
    /// counts as stored.
    mutating func take(_ entry: StoredEntry) async throws {
        do throws(SyncLogError) {
            try replica.take(entry.bytes, at: entry.place, isConfirmed: false)
        } catch {
            guard error.code == .unconfirmed else { throw error }
            let again = try await engine.read(account, from: entry.place, limit: 1).first
            guard let again, again.place == entry.place else { return }
            do throws(SyncLogError) {
                try replica.take(again.bytes, at: again.place, isConfirmed: again.bytes == entry.bytes)
            } catch {
                if error.code == .unconfirmed { throw otherwise(entry.place) }
                throw error
            }
        }
    }

    /// Reads the entry again, so that a garbled reply is not taken for the engine's content.
    func mustHaveSame(_ place: UInt64, seen: [UInt8]? = nil) async throws {
        let now = try await engine.read(account, from: place, limit: 1).first
        guard let now, now.place == place,
            Entry.hash(now.bytes, account: account, place: place) != replica.hash(at: place)
        else { return }
        if now.bytes == seen { throw SyncLogError.otherBytes(at: place) }
        guard seen == nil else { throw otherwise(place) }
        try await mustHaveSame(place, seen: now.bytes)
    }

    private func otherwise(_ place: UInt64) -> SyncEngineError {
        SyncEngineError(
            .unreachable,
            "the engine shows entry \(place) otherwise each time; nothing of it was taken over, so sync again")
    }

    /// Appends entries that this device has and the engine lacks, anywhere in the log. Entries are counted first, and
    /// read only if the count differs.
    mutating func giveBack() async throws {
        let (first, head) = (replica.firstToRestore, replica.state.place)
        guard first <= head, try await engine.count(account, from: first, through: head) != Int(head - first) + 1 else {
            return
        }
        try await mend()
    }

    /// The error for missing entries that this device doesn't have.
    func gap(before later: UInt64) -> SyncLogError {
        let missing = replica.state.place + 1
        let places = missing + 1 == later ? "entry \(missing)" : "entries \(missing) to \(later - 1)"
        return SyncLogError(
            .gap,
            "the engine lacks \(places), and has later ones; nothing was written, and what is changed here is kept. A round of a machine that has what is missing gives it back: zamok sync now, there. Where no machine is left that has it: zamok sync restart"
        )
    }

    /// The members that published a later head than this device's. They have the entries missing here.
    package func membersAhead() async throws -> [UInt32] {
        var ahead: [UInt32] = []
        for member in replica.state.members where member != replica.member {
            guard let bytes = try await engine.get(.head(member), of: account),
                let statement = try? HeadStatement(bytes, by: member, in: replica.state),
                statement.place > replica.state.place
            else { continue }
            ahead.append(member)
        }
        return ahead
    }
}
