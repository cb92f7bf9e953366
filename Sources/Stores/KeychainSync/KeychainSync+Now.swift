// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import SyncEngines
public import SyncLog
import SyncMerge
import UserPreferences

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of one round of sync.
public struct SyncReport: Sendable, Equatable {
    /// Edits of this home that were sent.
    public var sent = 0
    /// Items that changed here because other machines changed them.
    public var received = 0
    /// Items that wait until their class is unlocked, here or in the log.
    public var waiting = 0
    /// Edits that lost against others that didn't know them; they are kept.
    public var conflicts = 0
    /// Items of other homes that are not taken over, since they break a rule.
    public var refused = 0
    /// Items that are too large to travel.
    public var tooLarge = 0
    /// Edits of a group's items that were put back, since this home may only read them.
    public var putBack = 0
    /// The items as they were edited, where something was put back.
    public var setAside: SetAside?
    /// Why preferences took no part in this round, or not all of them; nil if they did, or none are chosen.
    public var preferences: String?
    /// Notices for the user that don't stop sync.
    public var notices: [LogReplica.Notice] = []

    /// The report of a round that did nothing.
    public init() {}
}

extension KeychainSync {
    /// Milliseconds since 1970.
    static var clock: UInt64 { UInt64(max(0, Date.now.timeIntervalSince1970 * 1000)) }

    /// Takes in others' entries, sends the changes made here, and updates the items from the log.
    ///
    /// Changes made here meanwhile are sent before the items are updated.
    @discardableResult
    public mutating func now() async throws -> SyncReport {
        var report = SyncReport()
        try await member.pull()
        forgetDeadOutgoing()
        member.replica.examineClocks(now: Self.clock, after: state.applied.min() ?? 0)
        try await rekeyIfCopied()
        if standing != .member {
            // So that `status` reports it too.
            try keepLog()
            try mustBeIn()
        }
        try await admitApplicants()
        try await settleGroup()
        var passes = 0
        repeat {
            repeat { try await send(&report, &passes) } while !(try apply(&report))
        } while try await tidy(&report)
        if try await finishRotation() { repeat { try await send(&report, &passes) } while !(try apply(&report)) }
        report.notices += member.replica.notices
        member.replica.notices = []
        // Only for comparison: without it everything else is still done.
        try? await member.state(now: Self.clock, every: pace.heads)
        return report
    }

    /// A kept entry whose place another entry has was never taken, since it is bound to its place. Its content must
    /// still be sent.
    mutating func forgetDeadOutgoing() {
        guard let outgoing = member.replica.outgoing, outgoing.place != member.replica.state.place + 1 else { return }
        session.fail(min(outgoing.sequence, (member.replica.state.sequence(of: outgoing.author) ?? 0) + 1))
        member.replica.outgoing = nil
    }

    private mutating func send(_ report: inout SyncReport, _ passes: inout Int) async throws {
        while true {
            absorb()
            let preferences = findPreferences(&report)
            let collected = try store.syncRead { try collect($0, preferences) }
            (report.waiting, report.tooLarge) = (collected.waiting, collected.tooLarge)
            applied = collected.applied
            guard !collected.entries.isEmpty, mayEdit else { return }
            passes += 1
            guard passes <= Self.mostPasses else {
                throw SyncLogError(
                    .wouldNotCount,
                    "what was sent is still to be sent after \(Self.mostPasses) times; sync has stopped, and your items are kept"
                )
            }
            for operations in collected.entries {
                try member.edit(operations)
                report.sent += operations.count { $0.key.first != DeviceName.kind }
            }
            try await member.push()
        }
    }

    /// The most passes of a round that sends, and finds the same edits still unsent.
    private static let mostPasses = 64

    /// Counts this home's own operations as applied: they came from its items, present or former.
    private mutating func absorb() {
        guard let own = member.replica.member else { return }
        let written = state.written
        for (key, register) in member.replica.items.registers where isShared(key) {
            for operation in register.operations
            where operation.author == own && (operation.sequence <= written || session.contains(operation.sequence)) {
                applied.insert(operation, on: key)
            }
        }
    }

    /// Updates the items from the log, and stores how far that went, in one transaction. False: something was changed
    /// here that must be sent first.
    private mutating func apply(_ report: inout SyncReport) throws -> Bool {
        guard try !isHeldUp(report) else { return true }
        let opened = openPreferences(&report)
        guard let opened else { return try applyItems(&report, nil) }
        return try applyPreferences(opened, &report)
    }

    /// Whether others changed an item that the user also changed here, in a class that is locked since. That change
    /// can't be sent, and must not be replaced before it is. Then nothing is applied until that class is unlocked,
    /// which `waiting` counts.
    private func isHeldUp(_ report: SyncReport) throws -> Bool {
        guard report.waiting > 0 else { return false }
        let plan = ApplyPlan(from: applied, to: member.replica.items, store)
        guard !plan.isEmpty else { return false }
        return try store.syncRead { (access: SyncAccess) throws -> Bool in
            try plan.keys.contains { key in
                guard let there = try access.item(key), let own = TravellingClass(there.protection), !isOpen(own)
                else { return false }
                // An item that never travels is not replaced anyway.
                return !there.stays && there.revision > state.collected[own.index]
            }
        }
    }

    /// Classes that are unlocked now, and were locked when the items were last updated from the log, so that their
    /// content was not considered.
    private var reopened: Set<TravellingClass> {
        let last = state.applied.max() ?? 0
        return Set(TravellingClass.allCases.filter { isOpen($0) && state.applied[$0.index] < last })
    }

    /// Updates the items and the applied places. Preferences, if any, are in a transaction of their own around
    /// this one.
    mutating func applyItems(_ report: inout SyncReport, _ preferences: FoundPreferences?) throws -> Bool {
        let merged = member.replica.items
        var plan = ApplyPlan(from: applied, to: merged, store, reopened)
        let after = try store.syncWrite(changesItems: !plan.isEmpty || !mayEdit) {
            (access: SyncAccess) throws -> SyncState? in
            let left = try collect(access, preferences).entries
            if mayEdit {
                guard left.isEmpty else { return nil }
            } else {
                plan.putBack(left, to: merged, store.group)
            }
            var state = state
            try plan.run(access, &state)
            for protectionClass in TravellingClass.allCases where isOpen(protectionClass) {
                state.applied[protectionClass.index] = member.replica.state.operationPlace(member.replica.state.place)
                state.collected[protectionClass.index] = try access.revision()
            }
            state.heard = Self.clock
            state.written = member.replica.written
            state = try keep(state, access)
            if store.group != nil { try access.note(SyncAccess.onlyReads, !mayEdit) }
            if member.replica.outgoing == nil { try access.forget(RecordName.outgoing) }
            if let preferences {
                var domains = preferences.domains
                domains.settle(at: member.replica.state.operationPlace(state.place), preferences.there.mark)
                try keep(domains, access)
            }
            return state
        }
        guard let after else { return false }
        state = after
        session.restart()
        report.received += plan.changed
        report.refused += plan.refused
        report.conflicts += plan.conflicts
        report.putBack += plan.putBack
        report.setAside = plan.setAside ?? report.setAside
        if member.replica.isWaiting { report.waiting += 1 }
        setApplied(merged, withPreferences: preferences != nil)
        return true
    }

    /// Whether content of a class can be opened and sealed now.
    func isOpen(_ protectionClass: TravellingClass) -> Bool {
        member.replica.keys[member.replica.state.epoch, protectionClass] != nil
    }
}

/// The changes that make the items match the registers.
struct ApplyPlan {
    private var puts: [(key: [UInt8], value: [UInt8], from: [UInt8]?)] = []
    private var removals: [[UInt8]] = []
    /// Unchanged registers whose items may differ: while a class was locked, their values could not be compared.
    private var doubtful: [(key: [UInt8], register: Register)] = []
    private(set) var changed = 0
    private(set) var refused = 0
    private(set) var conflicts = 0
    private(set) var putBack = 0
    /// The keys of items as they were edited here, of which the group's values are put back.
    private var edited: Set<[UInt8]> = []
    private var group: String?
    private(set) var setAside: SetAside?

    var isEmpty: Bool { puts.isEmpty && removals.isEmpty && doubtful.isEmpty }

    /// The keys of the items that it may change.
    var keys: [[UInt8]] { puts.map(\.key) + puts.compactMap(\.from) + removals }

    private init() {}

    /// `reopened`: classes that were locked when `old` was last applied.
    init(from old: MergedItems, to new: MergedItems, _ store: LogStore, _ reopened: Set<TravellingClass> = []) {
        for (key, register) in new.registers where store.has(key: key) {
            let before = old[key]
            if !reopened.isEmpty, register.value == before.value {
                let classes = Set((before.operations + register.operations).map(\.protectionClass))
                if classes.count > 1, !classes.isDisjoint(with: reopened) { doubtful.append((key, register)) }
            }
            guard register != before else { continue }
            let known = before.losers
            conflicts += register.losers.count { !known.contains($0) }
            guard register.value != before.value else { continue }
            switch register.frontier.first?.change {
            case .put(let value, let from):
                let isMoved = from.map { store.has(key: $0) && new[$0].value == .absent } ?? false
                puts.append((key, value, isMoved ? from : nil))
            case .delete, nil: removals.append(key)
            case .moved: break
            }
        }
        // A dropped register is absent.
        for (key, register) in old.registers
        where new.registers[key] == nil && store.has(key: key) && register.value != .absent {
            removals.append(key)
        }
        // A renamed row is renamed before its old name is removed.
        puts.sort { ($0.from == nil ? 1 : 0, $0.key.count) < ($1.from == nil ? 1 : 0, $1.key.count) }
    }

    /// Plans to undo edits that this home may not send. Items as they were edited, and new ones, are set aside.
    mutating func putBack(_ edits: [[NewOperation]], to new: MergedItems, _ group: String?) {
        self.group = group
        for operation in edits.joined() {
            if case .put = operation.change { edited.insert(operation.key) }
        }
        let keys = Set(edits.joined().map(\.key))
        putBack = keys.count
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where !puts.contains(where: { $0.key == key })
        {
            if case .value(let value) = new[key].value { puts.append((key, value, nil)) }
        }
    }

    mutating func run(_ access: SyncAccess, _ state: inout SyncState) throws {
        (changed, refused) = (0, 0)
        if let group, !edited.isEmpty { setAside = try access.setAside(group: group, only: edited) }
        let settled = try settled(access)
        for (key, value, from) in puts + settled.puts {
            do {
                let item = try TravellingItem(value, key: key)
                // An item that is bound to this device, or too large to travel, stays unchanged.
                if try access.item(key)?.stays == true {
                    refused += 1
                    continue
                }
                let row = try access.put(item, insteadOf: from)
                state.aliases[row] = row == item.uuid ? nil : item.uuid
                changed += 1
            } catch let error as KeychainError {
                guard
                    error.costsOneRow || error.code == .parameter || error.code == .noSuchAttribute
                        || error.code == .missingEntitlement
                else { throw error }
                refused += 1
            }
        }
        for key in removals + settled.removals {
            let there = try access.item(key)
            if let there, there.isTooLarge {
                refused += 1
                continue
            }
            if case .item = there?.content { changed += 1 }
            try access.remove(key)
        }
    }

    /// The changes that make the doubtful items match their registers.
    private func settled(_ access: SyncAccess) throws -> ApplyPlan {
        var plan = ApplyPlan()
        for (key, register) in doubtful {
            switch (register.value, try access.item(key)?.content) {
            case (.value, .item(let item)) where Collector.isSame(register.value, item.bytes): break
            case (.value(let value), .item), (.value(let value), .deleted), (.value(let value), nil):
                plan.puts.append((key, value, nil))
            case (.absent, .item): plan.removals.append(key)
            default: break
            }
        }
        return plan
    }
}
