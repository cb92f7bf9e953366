// SPDX-License-Identifier: Apache-2.0

public import SyncLog
import SyncMerge

/// A device that follows a log on an engine and writes to it. Its order of steps preserves everything that
/// was acknowledged.
/// The owner makes the member durable whenever `save` is called.
public struct SyncMember<Engine: SyncEngine>: Sendable {
    /// Its copy of the log.
    public var replica: LogReplica
    /// Where the log is.
    public let engine: Engine
    /// Unsent edits; each list becomes one entry.
    public private(set) var outbox: [[NewOperation]] = []
    /// When the log was last read to its end. Nothing is appended without checking for entries beyond.
    var looked: ContinuousClock.Instant?
    private let save: @Sendable (LogReplica, [[NewOperation]]) throws -> Void

    /// A member with its copy of the log. `save` receives the state to make durable, before anything is sent.
    public init(
        replica: LogReplica, engine: Engine,
        save: @escaping @Sendable (LogReplica, [[NewOperation]]) throws -> Void = { _, _ in }
    ) {
        self.replica = replica
        self.engine = engine
        self.save = save
    }

    /// Founds an account on an engine.
    public static func create(_ device: DeviceKeys, on engine: Engine) async throws -> SyncMember {
        let (bytes, _) = try LogWriter.genesis(by: device)
        let replica = try LogReplica(genesis: bytes, account: nil, device: device)
        guard try await engine.append(bytes, at: 1, of: replica.state.account) == .done else {
            throw SyncLogError(.notALog, "the engine has this account already")
        }
        return SyncMember(replica: replica, engine: engine)
    }

    /// Follows an account from its genesis. The id was compared by words, or came with a ticket.
    public static func follow(_ account: Digest32, _ device: DeviceKeys, on engine: Engine) async throws -> SyncMember {
        try await follow(account, device, on: engine) { nil }.member
    }

    /// - Throws: `noSuchAccount` if the engine has no entry of an account.
    public static func mustExist(_ account: Digest32, on engine: Engine) async throws {
        guard try await !engine.read(account, from: 1, limit: 1).isEmpty else { throw noSuchAccount(account) }
    }

    static func noSuchAccount(_ account: Digest32) -> SyncLogError {
        SyncLogError(
            .noSuchAccount,
            "the engine has no account \(EngineName.account(account)); compare it with what `zamok sync status` of a member shows"
        )
    }

    var account: Digest32 { replica.state.account }

    /// Takes in the engine's entries up to its head, and returns entries that the engine lost, anywhere in the log.
    ///
    /// `removed`: members that are about to be removed; their entries don't block the removal.
    /// - Throws: `gap` if entries are missing that this device doesn't have. Entries before the gap are taken in.
    public mutating func pull(without removed: Set<UInt32> = []) async throws {
        let sent = replica.outgoing
        do { try await takeIn(without: removed) } catch {
            if let sent, replica.outgoing == nil { try settled(sent) }
            throw error
        }
        if let sent, replica.outgoing == nil { try settled(sent) }
    }

    private mutating func takeIn(without removed: Set<UInt32>) async throws {
        looked = nil
        var isFirst = true
        var beyond: StoredEntry?
        while true {
            let from = replica.state.place + (isFirst ? 0 : 1)
            let found = try await engine.read(account, from: from, limit: 256)
            if isFirst, found.first?.place != from {
                try mustNotBeLeftBehind(found.first)
                // The founder of an account begins with an empty engine.
                if from > 1 { try await engine.mustBeInPlace(account) }
                try await mend()
            }
            let before = replica.state.place
            for entry in found { try await take(entry) }
            // Entries beyond a hole are not part of the log yet.
            beyond = found.first { replica.isLater($0.bytes, at: $0.place, without: removed) }
            if replica.state.place == before, !isFirst || found.count <= 1 { break }
            isFirst = false
        }
        try await giveBack()
        try replica.mustNotBeForked(without: removed)
        if let beyond { throw gap(before: beyond.place) }
        looked = .now
    }

    /// Settled entries are removed up to a snapshot, which is then the first entry on the engine.
    private func mustNotBeLeftBehind(_ first: StoredEntry?) throws {
        guard let first, first.place > replica.state.place + 1, StoredSnapshot.counts(first.bytes) != nil else {
            return
        }
        throw SyncLogError(
            .leftBehind,
            "this home knows entries up to \(replica.state.place), and what came before entry \(first.place) was settled by all members and removed: it was put back from an old backup. Your items are kept; `zamok sync leave --here`, then join again"
        )
    }

    /// Appends again the entries that the engine lacks.
    /// - Throws: `rolledBack` if this device doesn't keep them, `differentBytes` if other bytes are in their place.
    public func mend() async throws {
        var place = replica.firstToRestore
        let head = replica.state.place
        while place <= head {
            let found = try await engine.read(account, from: place, limit: 256)
            let there = Dictionary(found.map { ($0.place, $0.bytes) }) { first, _ in first }
            // Fewer entries than requested doesn't mean that there are no more.
            let end = min(head, found.last?.place ?? head)
            while place <= end {
                try await mend(place, there[place])
                place += 1
            }
        }
    }

    /// The first place where members continued without entries that this device has, after a common entry. Nil if the
    /// engine shows no such place.
    package func othersContinuation() async throws -> UInt64? {
        var place = replica.firstKept
        while place <= replica.state.place {
            let found = try await engine.read(account, from: place, limit: 256)
            for stored in found where stored.place >= place && stored.place <= replica.state.place {
                let hash = Entry.hash(stored.bytes, account: account, place: stored.place)
                guard hash != replica.hash(at: stored.place) else { continue }
                return replica.isOthersContinuation(stored.bytes, at: stored.place) ? stored.place : nil
            }
            guard let last = found.last?.place, last >= place else { return nil }
            place = last + 1
        }
        return nil
    }

    private func mend(_ place: UInt64, _ there: [UInt8]?) async throws {
        if let there {
            if Entry.hash(there, account: account, place: place) == replica.hash(at: place) { return }
            return try await mustHaveSame(place, seen: there)
        }
        guard let bytes = replica.bytesToRestore(at: place) else {
            throw SyncLogError(
                .rolledBack,
                "the engine has lost entry \(place), which is not kept here; another device may have it, else `zamok sync restart`"
            )
        }
        if try await engine.append(bytes, at: place, of: account) == .taken {
            try await mustHaveSame(place)
        }
    }

    /// Adds edits to the outbox, as one entry.
    public mutating func edit(_ operations: [NewOperation]) throws {
        outbox.append(operations)
        try save(replica, outbox)
    }

    /// Merges unsent edits into as few entries as possible, for a home that was offline.
    /// An entry that was sent once is unchanged, and two edits of one register remain in two entries.
    public mutating func gather() throws {
        var gathered: [[NewOperation]] = []
        var waiting = outbox[...]
        if replica.outgoing != nil, let sent = waiting.popFirst() { gathered.append(sent) }
        let fixed = gathered.count
        var keys: Set<[UInt8]> = []
        var bytes = 0
        for operations in waiting {
            let own = Set(operations.map(\.key))
            let size = operations.reduce(0) { $0 + $1.size }
            if gathered.count > fixed, keys.isDisjoint(with: own), bytes + size <= 262_144,
                gathered[gathered.count - 1].count + operations.count <= SyncLimits.operations
            {
                gathered[gathered.count - 1] += operations
            } else {
                gathered.append(operations)
                (keys, bytes) = ([], 0)
            }
            keys.formUnion(own)
            bytes += size
        }
        guard gathered.count < outbox.count else { return }
        outbox = gathered
        try save(replica, outbox)
    }

    /// Sends the outbox, and takes in the log up to the last sent entry.
    public mutating func push() async throws {
        guard !outbox.isEmpty || replica.outgoing != nil else { return }
        try await look()
        try await settleOutgoing()
        while let next = outbox.first {
            if replica.outgoing == nil { replica.outgoing = try replica.writer().edits(next) }
            try await settleOutgoing()
        }
    }

    /// Sends one entry that isn't of edits: an addition, an epoch, a ticket.
    /// Returns whether it counts. A caller that lost the place must check whether the entry is still wanted.
    public mutating func send(_ make: (LogWriter) throws -> Entry) async throws -> Bool {
        try await push()
        try await look()
        let entry = try make(replica.writer())
        return try await sendOnce(entry)
    }

    /// Removes members by an epoch without them. Neither their entries nor this device's outbox block it. Returns
    /// whether the epoch counts.
    public mutating func remove(_ numbers: [UInt32]) async throws -> Bool {
        try await pull(without: Set(numbers))
        let entry = try replica.writer().epoch(removing: numbers).entry
        return try await sendOnce(entry, without: Set(numbers))
    }

    /// Ends a ticket or the recovery code before members are removed. Returns whether the entry counts.
    public mutating func end(ticket: UInt32, without removed: Set<UInt32>) async throws -> Bool {
        try await pull(without: removed)
        return try await sendOnce(try replica.writer().end(ticket: ticket), without: removed)
    }

    mutating func sendOnce(_ entry: Entry, without removed: Set<UInt32> = []) async throws -> Bool {
        try replica.mustCount(entry)
        replica.outgoing = entry
        try save(replica, outbox)
        _ = try await engine.append(entry.bytes, at: entry.place, of: account)
        try await takeIn(without: removed)
        try mustHave(entry)
        defer { replica.outgoing = nil }
        return replica.outgoing == nil && replica.state.sequence(of: entry.author) ?? 0 >= entry.sequence
    }

    /// After a reply to `append`, the engine must show an entry at that place.
    private func mustHave(_ sent: Entry) throws {
        guard replica.state.place >= sent.place else {
            throw SyncLogError(
                .gap,
                "the engine answered for entry \(sent.place) and doesn't show it; your edit is kept and sent again")
        }
    }

    /// Appends, and takes in what the engine shows at that place. What it shows counts, not its reply.
    private mutating func appendAndTake(_ sent: Entry) async throws {
        guard sent.place == replica.state.place + 1 else {
            _ = try await engine.append(sent.bytes, at: sent.place, of: account)
            return try await takeIn(without: [])
        }
        let shown = try await engine.appendAndRead(sent.bytes, at: sent.place, of: account).shown
        if shown.first?.place != sent.place - 1 { try await mend() }
        for entry in shown { try await take(entry) }
        try replica.mustNotBeForked(without: [])
    }

    /// Sends until the outgoing entry is known to be in the log.
    private mutating func settleOutgoing() async throws {
        while let sent = try replica.resend(outbox.first ?? []) {
            if sent.place == replica.state.place + 1 { try replica.mustCount(sent) }
            try save(replica, outbox)
            try await appendAndTake(sent)
            try mustHave(sent)
            if replica.outgoing == nil { return try settled(sent) }
            _ = try replica.writer()
            try mustNotBeCopied()
        }
    }

    /// Called when the sent entry is known to be in the log. Edits leave the outbox if the entry counts.
    private mutating func settled(_ sent: Entry) throws {
        let counts = replica.state.sequence(of: sent.author) ?? 0 >= sent.sequence
        if counts, sent.kind == EntryKind.edits.rawValue, !outbox.isEmpty { outbox.removeFirst() }
        try save(replica, outbox)
    }

    private var copies: Int { replica.notices.count { if case .ownChainAhead = $0 { true } else { false } } }

    private func mustNotBeCopied(since before: Int = 0) throws(SyncLogError) {
        if copies > before {
            throw SyncLogError(.clone, "another copy of this device writes to the account; rekey to go on")
        }
    }

    /// Before an append: takes in the log to its end, unless that was done within the last second.
    private mutating func look() async throws {
        defer { looked = nil }
        if let looked, looked.duration(to: .now) < .seconds(1) { return }
        let before = copies
        try await pull()
        _ = try replica.writer()
        try mustNotBeCopied(since: before)
    }

    /// Replaces this device's keys after a copy of it was seen, and begins an epoch that the copy can't read.
    public mutating func rekey() async throws {
        try await rekey(to: DeviceKeys())
        _ = try await send { try $0.epoch().entry }
    }

    /// Replaces this device's keys by stored ones. The copy can read until the next epoch.
    public mutating func rekey(to fresh: DeviceKeys) async throws {
        replica.outgoing = nil
        try await pull()
        guard try await sendOnce(replica.writer().rekey(to: fresh)) else {
            throw SyncLogError(.clone, "another copy of this device was quicker; `zamok sync join` adds this one anew")
        }
        replica.use(fresh)
        replica.notices.removeAll { if case .ownChainAhead = $0 { true } else { false } }
    }

    /// Publishes the head, unless the engine has a statement of this member that is younger than
    /// `interval` milliseconds.
    public func state(now: UInt64, every interval: UInt64 = 0) async throws {
        guard let member = replica.member else { return }
        if interval > 0, let bytes = try? await engine.get(.head(member), of: account),
            let last = try? HeadStatement(bytes, by: member, in: replica.state), last.time <= now,
            now - last.time < interval
        {
            return
        }
        let statement = try HeadStatement(replica.state, as: member, replica.device, time: now)
        _ = try await engine.put(statement.bytes, at: .head(member), of: account)
    }

    /// Compares the heads that the other members published. A statement that isn't authentic is ignored.
    public func compareHeads(now: UInt64) async throws -> [UInt32: HeadComparison] {
        var answers: [UInt32: HeadComparison] = [:]
        for member in replica.state.members where member != replica.member {
            guard let bytes = try await engine.get(.head(member), of: account),
                let statement = try? HeadStatement(bytes, by: member, in: replica.state)
            else { continue }
            answers[member] = try replica.compare(statement, now: now)
        }
        return answers
    }
}

extension NewOperation {
    fileprivate var size: Int {
        switch change {
        case .put(let value, let from): key.count + value.count + (from?.count ?? 0)
        case .delete, .moved: key.count
        }
    }
}
