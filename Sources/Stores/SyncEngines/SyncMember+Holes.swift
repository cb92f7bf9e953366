// SPDX-License-Identifier: Apache-2.0

import SyncLog

extension SyncMember {
    /// Takes in one entry. What no author vouches for is asked for again before: only what the engine shows twice is what it has.
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

    /// Asked again, so that an answer that was garbled on its way is not taken for what the engine has.
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

    /// Appends what the engine lacks of what this device has, wherever in the log that is. Entries are counted, and read only where the number is another.
    mutating func giveBack() async throws {
        let (first, head) = (replica.firstNeeded, replica.state.place)
        guard first <= head, try await engine.count(account, from: first, through: head) != Int(head - first) + 1 else {
            return
        }
        try await mend()
    }

    /// Entries are missing that this device doesn't have.
    func gap(before later: UInt64) -> SyncLogError {
        let missing = replica.state.place + 1
        let places = missing + 1 == later ? "entry \(missing)" : "entries \(missing) to \(later - 1)"
        return SyncLogError(
            .gap,
            "the engine lacks \(places), and has later ones; nothing was written, and what is changed here is kept. A round of a machine that has what is missing gives it back: zamok sync now, there. Where no machine is left that has it: zamok sync restart"
        )
    }

    /// Members that state a later head than this device's: they have what is missing here.
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
