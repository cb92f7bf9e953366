// SPDX-License-Identifier: Apache-2.0

public import SyncMerge

/// One device's copy of a log: what it verified, what it could open, and the raw entries, which it restores to an
/// engine that lost them. It is a value without files and network; the caller keeps it durable.
public struct LogReplica: Sendable, CustomStringConvertible, CustomReflectable {
    /// A notice for the user that doesn't stop sync.
    public enum Notice: Hashable, Sendable {
        /// An entry that doesn't count.
        case void(place: UInt64, VoidReason)
        /// A part that breaks the format, although a member sealed it.
        case badPart(place: UInt64, TravellingClass)
        /// The log has entries of this device that it doesn't know: a copy of it is active, or it was restored from
        /// a backup.
        case ownChainAhead(place: UInt64)
        /// A clock is too far ahead.
        case clockAhead(author: UInt32, time: UInt64)
        /// A snapshot differs from what follows from the log.
        case wrongSnapshot(place: UInt64)
        /// Keys that were sealed to this device differ from the other members' keys.
        case wrongKey(place: UInt64)
        /// No snapshot could be made: the engine has something else in its place, or it is too large.
        case noSnapshot(place: UInt64)
        /// A member has new keys.
        case rekeyed(UInt32)
    }

    enum Milestone: Sendable {
        case snapshot(Snapshot, place: UInt64, epoch: UInt32)
        case drop(through: UInt64, before: UInt64)

        var place: UInt64 {
            switch self {
            case .snapshot(_, let place, _): place
            case .drop(_, let end): end
            }
        }
    }

    struct Waiting: Sendable {
        let entry: Entry
        let part: SealedPart
        let before: CountedBefore
    }

    /// The place, and no key or item.
    public var description: String { "LogReplica(place \(state.place), member \(member.map { "\($0)" } ?? "none"))" }

    /// Empty: printing the copy's content would print keys and items.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The state that follows from the log's bytes.
    public private(set) var state: LogState
    /// The keys that this device received.
    public package(set) var keys: KeyRing
    /// The items that could be opened.
    public internal(set) var items = MergedItems()
    /// Values that were dropped from `items`: no member needs them, but a home's history shows them.
    public internal(set) var former = MergedItems()
    /// This device's keys; `lock` removes those of a class.
    public private(set) var device: DeviceKeys
    /// This device's number, once the log has it.
    public internal(set) var member: UInt32?
    /// The notices, in their order; the caller takes them.
    public var notices: [Notice] = []
    /// An entry that was sent, or is about to be; kept until the entry at its place is known.
    public var outgoing: Entry? {
        didSet { written = max(written, outgoing?.sequence ?? 0) }
    }
    /// The highest sequence that this device wrote. Another device wrote anything above it under its number.
    public internal(set) var written: UInt64
    /// The last snapshot that this copy computed with the same result.
    public internal(set) var verifiedSnapshot: UInt64 = 0

    var raw: [UInt64: [UInt8]] = [:]
    var hashes: [UInt64: Digest32] = [:]
    /// Entries below this are not kept in `raw`; `hashes` has all since this copy began. It lags behind
    /// `settledBefore` while `keepsSettled`: 1 <= kept, and neither is above `state.place`.
    var kept: UInt64 = 1
    /// The second-to-last settled snapshot; no member needs the entries below it.
    var settledBefore: UInt64 = 0
    /// Whether unneeded entries are kept until `forgetSettled`: the caller must store each entry (`bytes(at:)`) first.
    package var keepsSettled = false
    /// Items of the snapshot at which this copy began.
    var pendingSnapshot: PendingItems?
    /// The number under which keys are sealed to this device; it may be a ticket's or the recovery code's.
    public internal(set) var holder: UInt32?
    /// Classes that were locked when the stored copy was read, so that their part is missing.
    var absent: Set<TravellingClass> = []
    var waiting: [Waiting] = []
    var milestones: [Milestone] = []
    /// Entries by which members continue another log than this one.
    private(set) var forks: [(place: UInt64, author: UInt32)] = []
    private var toldClocks: Set<UInt32> = []

    /// Begins with the first entry of `account`, which the device knows from its genesis or a handshake. `written` is
    /// the highest sequence that this device ever wrote.
    public init(
        genesis bytes: [UInt8], account: Digest32?, device: DeviceKeys, written: UInt64 = 0
    ) throws(SyncLogError) {
        let state = try LogState(genesis: bytes)
        guard account == nil || account == state.account else {
            throw SyncLogError(.notALog, "the engine has another log under this account's name; nothing was taken over")
        }
        self.state = state
        self.device = device
        self.written = written
        keys = KeyRing(state)
        raw[1] = bytes
        hashes[1] = state.hash
        member = state.member(device.record)
        holder = member
        if let member {
            self.written = max(written, state.sequence(of: member) ?? 0)
            keys.learn(try Genesis(Entry(bytes)), epoch: state.epoch, as: member)
            if let wrong = keys.open(with: device).wrong { throw wrong }
        }
    }

    /// Begins after an entry, with the state before it; its items come later.
    init(after state: LogState, before: LogState, device: DeviceKeys) {
        self.state = state
        self.device = device
        written = 0
        keys = KeyRing(before)
        hashes[before.place] = before.hash
        hashes[state.place] = state.hash
        member = state.member(device.record)
        holder = state.holder(device.record)
    }

    /// Takes in the engine's bytes at `place`. Returns whether they were new; bytes beyond a gap are not taken.
    ///
    /// `isConfirmed`: whether the engine has returned these bytes twice. Without that, bytes that no author signed are
    /// not taken. No caller reads places below the one at which this copy began.
    /// - Throws: `differentBytes`: nothing was taken, and sync must stop; `unconfirmed`: ask the engine again.
    @discardableResult
    public mutating func take(
        _ bytes: [UInt8], at place: UInt64, isConfirmed: Bool = true
    ) throws(SyncLogError) -> Bool {
        if place <= state.place {
            guard hashes[place] == Entry.hash(bytes, account: state.account, place: place) else {
                throw isConfirmed ? SyncLogError.otherBytes(at: place) : .unconfirmed(place)
            }
            return false
        }
        guard place == state.place + 1 else { return false }
        var after = state
        let verdict = after.take(bytes)
        if !isConfirmed, verdict.isVouchedForByNobody { throw .unconfirmed(place) }
        let (settled, before) = (state.settled, CountedBefore(state))
        if verdict.isProofOfFork, let author = (try? Entry(bytes, version: state.version))?.author,
            state.record(of: author) != nil
        {
            forks.append((place, author))
        }
        state = after
        raw[place] = bytes.count <= SyncLimits.entry ? bytes : nil
        hashes[place] = state.hash
        switch verdict {
        case .void(let reason):
            notices.append(.void(place: place, reason))
            if let outgoing, outgoing.place == place, (try? Entry(bytes))?.signed == outgoing.signed {
                self.outgoing = nil
            }
        case .counted(let counted): follow(counted, before)
        }
        if state.settled != settled {
            settledBefore = settled
            milestones.append(
                .drop(through: state.operationPlace(state.settled), before: state.operationPlace(place)))
        }
        settle()
        if !keepsSettled { forgetSettled() }
        return true
    }

    private mutating func follow(_ counted: LogState.Counted, _ before: CountedBefore) {
        let entry = counted.entry
        if entry.author == member {
            if outgoing?.signed == entry.signed {
                outgoing = nil
            } else if entry.sequence > written || outgoing?.sequence == entry.sequence {
                notices.append(.ownChainAhead(place: entry.place))
            }
        }
        if member == nil { member = state.member(device.record) }
        if holder == nil || member != nil { holder = member ?? state.holder(device.record) }
        keys.learn(counted, as: holder)
        openKeys()
        switch counted.body {
        case .edits(let parts):
            for part in parts {
                let each = Waiting(entry: entry, part: part, before: before)
                if !takeIn(each) { waiting.append(each) }
            }
        case .snapshot(let snapshot):
            milestones.append(.snapshot(snapshot, place: state.operationPlace(entry.place), epoch: entry.epoch))
        case .rekey: notices.append(.rekeyed(entry.author))
        default: break
        }
    }

    /// Opens what waits, as far as its class is unlocked, then does what is due.
    private mutating func openWaiting() {
        let waited = waiting
        waiting = []
        for each in waited where !takeIn(each) { waiting.append(each) }
        openPendingSnapshot()
        settle()
    }

    /// Whether the part's key is available. If so its operations are taken in; a part that breaks the format
    /// is reported.
    private mutating func takeIn(_ each: Waiting) -> Bool {
        guard let key = keys[each.entry.epoch, each.part.protectionClass] else { return false }
        do throws(SyncLogError) {
            let place = state.operationPlace(each.entry.place)
            let found = try each.part.operations(of: each.entry, place: place, under: key, counted: each.before)
            for (key, operation) in found {
                items.insert(operation, on: key)
            }
        } catch {
            notices.append(.badPart(place: each.entry.place, each.part.protectionClass))
        }
        return true
    }

    /// Opens keys that were sealed to this device, and what waited for them.
    private mutating func openKeys() {
        let (isAny, wrong) = keys.open(with: device)
        if wrong != nil { notices.append(.wrongKey(place: state.place)) }
        if isAny { openWaiting() }
    }

    /// Does what is due at places up to which everything is open.
    mutating func settle() {
        // What is absent is before all milestones.
        guard absent.isEmpty else { return }
        // A milestone needs all operations before its place. So the place of the first waiting edit is included. That
        // of the snapshot at which this copy began is not: its milestone needs that snapshot's own items.
        let opened =
            pendingSnapshot.map { $0.place - 1 } ?? waiting.first.map { state.operationPlace($0.entry.place) } ?? .max
        while let next = milestones.first, next.place <= opened {
            reach(next)
            milestones.removeFirst()
        }
    }

    private mutating func reach(_ milestone: Milestone) {
        switch milestone {
        case .drop(let place, let end):
            for (key, operation) in items.drop(through: place, before: end) where operation.isPut {
                former.insert(operation, on: key)
            }
        case .snapshot(let snapshot, let place, let epoch):
            let own = LogState.entryPlace(of: place)
            let isRight = TravellingClass.allCases.allSatisfy { protectionClass in
                guard let key = keys[epoch, protectionClass] else { return false }
                return Snapshot.code(of: items, before: place, protectionClass, under: key)
                    == snapshot.codes[protectionClass]
            }
            if isRight { verifiedSnapshot = own } else { notices.append(.wrongSnapshot(place: own)) }
        }
    }

    /// Whether bytes that differ from this copy's at a place are an entry by which a member continued from the entry
    /// before, which this copy also has.
    package func isOthersContinuation(_ bytes: [UInt8], at place: UInt64) -> Bool {
        guard let entry = try? Entry(bytes, version: state.version), entry.account == state.account,
            entry.place == place, entry.previous == hashes[place - 1],
            let record = state.record(of: entry.author)
        else { return false }
        return entry.isSigned(by: record.verifying)
    }

    /// The hash of the entry at a place.
    public func hash(at place: UInt64) -> Digest32? { hashes[place] }

    /// The bytes of an entry, as long as they are kept.
    public func bytes(at place: UInt64) -> [UInt8]? { raw[place] }

    /// Whether entries wait for a class to be unlocked.
    public var isWaiting: Bool { !waiting.isEmpty || pendingSnapshot != nil || !absent.isEmpty }

    /// Removes the keys of a class. What was opened stays in `items`; the caller keeps it under the class's own key.
    public mutating func lock(_ protectionClass: TravellingClass) {
        device.opening[protectionClass] = nil
        keys.lock(protectionClass)
    }

    /// Restores the keys, and opens what has arrived meanwhile.
    public mutating func unlock(_ opened: DeviceKeys) {
        device = opened
        openKeys()
    }

    /// Reports once each author whose clock is too far ahead of `now`, from operations after a place. An edit's time
    /// continues from the time of what it changes. So an author that edited a value dated far ahead is not reported.
    public mutating func examineClocks(now: UInt64, after place: UInt64 = 0) {
        for (key, register) in items.registers {
            for operation in register.operations
            where operation.place > place && operation.time > now &+ SyncLimits.ahead
                && !follows(operation, register.operations + former[key].operations)
                && toldClocks.insert(operation.author).inserted
            {
                notices.append(.clockAhead(author: operation.author, time: operation.time))
            }
        }
    }

    /// Whether an edit's time follows from that of an operation that its author knew, with a small step for each
    /// edit since.
    private func follows(_ operation: Operation, _ others: [Operation]) -> Bool {
        others.contains { other in
            other.time <= operation.time && operation.time - other.time <= SyncLimits.ahead
                && operation.context.covers(other.author, other.sequence)
        }
    }
}
