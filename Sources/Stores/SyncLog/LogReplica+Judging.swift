// SPDX-License-Identifier: Apache-2.0

import SyncMerge

extension LogReplica {
    /// Looks at an entry for the next place with the readers' own eyes, before it is written: nobody writes what readers refuse.
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

    /// A member wrote into another log than this one, and is a member still: those in `removed` aside.
    /// - Throws: `fork`.
    package func mustNotBeForked(without removed: Set<UInt32>) throws(SyncLogError) {
        guard let fork = forks.first(where: { state.record(of: $0.author) != nil && !removed.contains($0.author) })
        else { return }
        throw SyncLogError(
            .fork,
            "entry \(fork.place) is by device \(fork.author), which was shown another log or says so; your items are kept, and sync has stopped. Compare `zamok sync head`. If that machine is not to be trusted: zamok sync remove \(fork.author)"
        )
    }

    /// Whether what stands beyond a hole is an entry of this log by its form, by an author that may write or whose number was
    /// given in what is missing: the place before it then isn't free. An engine's garbage is none.
    ///
    /// Where members are to be removed, theirs are none either, nor what another member's key doesn't sign: nobody keeps his own
    /// removal from being written by what he puts there.
    package func isLater(_ bytes: [UInt8], at place: UInt64, without removed: Set<UInt32>) -> Bool {
        guard place > state.place + 1, let entry = try? Entry(bytes, version: state.version),
            entry.account == state.account, entry.place == place
        else { return false }
        if removed.isEmpty, entry.author >= state.next || state.isOpen(entry.author) { return true }
        guard !removed.contains(entry.author), let record = state.record(of: entry.author) else { return false }
        return entry.isSigned(by: record.verifying)
    }

    /// The first place that this copy gives back to an engine that lacks it: below it nobody needs anything.
    package var firstNeeded: UInt64 { max(kept, removable) }

    /// What goes where the engine lacks an entry. Of one that was too large only that is known, and that is all it says.
    package func given(at place: UInt64) -> [UInt8]? {
        if let bytes = bytes(at: place) { return bytes }
        let large = [UInt8](repeating: 0, count: SyncLimits.entry + 1)
        return hash(at: place) == Entry.hash(large, account: state.account, place: place) ? large : nil
    }
}
