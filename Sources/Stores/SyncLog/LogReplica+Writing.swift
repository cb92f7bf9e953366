// SPDX-License-Identifier: Apache-2.0

public import SyncMerge

extension LogReplica {
    /// A writer for the entry after the head.
    /// - Throws: `endedHere` if this device was removed, left, or lost its key to a copy of itself.
    public func writer() throws(SyncLogError) -> LogWriter {
        guard let member, let record = state.record(of: member) else {
            throw SyncLogError(
                .endedHere,
                "this machine is no member of the account any more: it was removed, or left. Your items are kept; `zamok sync leave --here`, then join again"
            )
        }
        guard record == device.record else {
            throw SyncLogError(
                .endedHere,
                "another copy of this machine goes on in its place. Your items are kept; `zamok sync leave --here`, then join again"
            )
        }
        return LogWriter(after: state, as: member, device, keys: keys)
    }

    /// The entry to send. It is the one that was sent before, as long as its place is free. Otherwise its body is
    /// written again for the next place, sealed anew if an epoch began.
    public mutating func resend(_ operations: [NewOperation]) throws -> Entry? {
        guard let sent = outgoing else { return nil }
        if sent.place == state.place + 1 { return sent }
        let writer = try writer()
        let isStillGood = sent.epoch == state.epoch && sent.sequence == (state.sequence(of: sent.author) ?? 0) + 1
        guard let kind = EntryKind(rawValue: sent.kind), isStillGood || kind == .edits else {
            outgoing = nil
            return nil
        }
        let entry = isStillGood ? try writer.entry(kind, sent.body) : try writer.edits(operations)
        outgoing = entry
        return entry
    }

    /// Replaces this device's keys because a copy of it is active; the copy's key ends with this entry.
    public mutating func rekey(to fresh: DeviceKeys) throws -> Entry {
        let entry = try writer().rekey(to: fresh)
        outgoing = entry
        return entry
    }

    /// Continues with the keys that a counted `rekey` made this device's.
    public mutating func use(_ fresh: DeviceKeys) { unlock(fresh) }

    /// Whether the last snapshot may be acknowledged: this copy computed the same, and nothing is left to send. Its
    /// time is only its author's claim, and never prevents that.
    public var mayAcknowledge: Bool { state.snapshot > 0 && verifiedSnapshot == state.snapshot && outgoing == nil }

    /// Compares a member's statement with this copy.
    /// - Throws: `fork` if it has another log.
    public func compare(_ statement: HeadStatement, now: UInt64) throws(SyncLogError) -> HeadComparison {
        guard statement.place <= state.place else { return .behind(by: statement.place - state.place) }
        guard let own = hash(at: statement.place) else { return .older }
        guard own == statement.hash else {
            throw SyncLogError(
                .fork,
                "device \(statement.member) has another log than this one; your items are kept, and sync has stopped")
        }
        return statement.time &+ SyncLimits.silence < now ? .silent(since: statement.time) : .same
    }

    /// The merged view of the opened items: two readers of the same operations get the same bytes.
    public var mergedView: [UInt8] { items.mergedView }

    /// The context for an edit of a register by this device, which has applied what it has opened.
    public func context(of key: [UInt8]) -> Context { items[key].context }
}

/// The result of comparing a head statement with this device's log.
public enum HeadComparison: Hashable, Sendable {
    /// The same log, as far as the statement goes.
    case same
    /// The statement is about an entry that this device no longer keeps: no comparison is possible.
    case older
    /// The member has more entries than the engine showed to this device.
    case behind(by: UInt64)
    /// The same log, without a statement of the member for 7 days.
    case silent(since: UInt64)
}
