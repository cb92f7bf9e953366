// SPDX-License-Identifier: Apache-2.0

import SyncMerge

extension LogReplica {
    /// Judges an entry for the next place as readers do, before it is written, so that no entry is written that
    /// readers refuse.
    /// - Throws: `wouldNotCount` if it would be void, or has a part that readers leave out.
    package func mustCount(_ entry: Entry) throws(SyncLogError) {
        var after = state
        switch after.take(entry.bytes) {
        case .void(let reason):
            throw SyncLogError(
                .wouldNotCount, "an entry was not written, since no reader would count it: \(reason.text)")
        case .counted(let counted):
            guard case .edits(let parts) = counted.body else { return }
            for part in parts {
                guard let key = keys[entry.epoch, part.protectionClass] else { continue }
                do throws(SyncLogError) {
                    _ = try part.operations(
                        of: entry, place: state.operationPlace(entry.place), under: key, counted: CountedBefore(state))
                } catch {
                    throw SyncLogError(
                        .wouldNotCount, "edits were not written, since no reader would take them: \(error.message)")
                }
            }
        }
    }

    /// Checks that no current member wrote into another log than this one, apart from those in `removed`.
    /// - Throws: `fork`.
    package func mustNotBeForked(without removed: Set<UInt32>) throws(SyncLogError) {
        guard let fork = forks.first(where: { state.record(of: $0.author) != nil && !removed.contains($0.author) })
        else { return }
        throw SyncLogError(
            .fork,
            "entry \(fork.place) is by device \(fork.author), which was shown another log or says so; your items are kept, and sync has stopped. Compare `zamok sync head`. If that machine is not to be trusted: zamok sync remove \(fork.author)"
        )
    }

    /// Whether the bytes beyond a gap are an entry of this log. They have its form, and their author may write, or got
    /// its number in the missing entries. Then the place before it isn't free. Garbage from an engine doesn't count.
    ///
    /// While members are being removed, their entries don't count either, nor those without another member's valid
    /// signature. So no member can block its own removal by writing there.
    package func isLater(_ bytes: [UInt8], at place: UInt64, without removed: Set<UInt32>) -> Bool {
        guard place > state.place + 1, let entry = try? Entry(bytes, version: state.version),
            entry.account == state.account, entry.place == place
        else { return false }
        if removed.isEmpty, entry.author >= state.next || state.isOpen(entry.author) { return true }
        guard !removed.contains(entry.author), let record = state.record(of: entry.author) else { return false }
        return entry.isSigned(by: record.verifying)
    }

    /// The first place that this copy restores to an engine that lacks it; entries below it are not needed.
    package var firstToRestore: UInt64 { max(kept, settledBefore) }

    /// The bytes to restore where the engine lacks an entry. Of an entry that was too large, only that is known, and
    /// the restored bytes say no more: `Entry.hash` of such bytes depends only on account and place.
    package func bytesToRestore(at place: UInt64) -> [UInt8]? {
        if let bytes = bytes(at: place) { return bytes }
        let large = [UInt8](repeating: 0, count: SyncLimits.entry + 1)
        return hash(at: place) == Entry.hash(large, account: state.account, place: place) ? large : nil
    }
}
