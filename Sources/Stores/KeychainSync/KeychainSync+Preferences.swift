// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge
import UserPreferences

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The shared preferences store, as a round opened it.
struct SharedPreferences {
    let domains: PreferenceDomains
    let preferences: Preferences
    let time: UInt64

    func found(_ there: SyncedPreferences) -> FoundPreferences {
        FoundPreferences(domains: domains, there: there, time: time)
    }

    func isWanted(_ name: String) -> Bool { domains.has(key: PreferenceDomains.key(Array(name.utf8))) }
}

extension KeychainSync {
    /// The domains of preferences that travel from and to this home, in byte order; the empty one has all.
    public var preferenceDomains: [String] {
        (domains ?? PreferenceDomains()).chosen.keys.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lets the preferences of a domain travel: the one with exactly that name, and those whose names continue with a
    /// dot. The empty domain has all. The next `now` sends the values of this home. The account's values take
    /// precedence; different values here are kept among the edits that lost.
    /// - Throws: `.parameter` for text that can't be the beginning of a name, `.duplicateItem` if the domain is already
    ///   chosen, `.locked` before the first unlock.
    public mutating func addPreferences(_ domain: String) throws { try addPreferences([domain]) }

    /// Lets the preferences of several domains travel, or none of them if one can't be chosen.
    /// - Throws: as for a single one.
    public mutating func addPreferences(_ added: [String]) throws {
        var chosen = domains ?? PreferenceDomains()
        for domain in added {
            let bytes = Array(domain.utf8)
            guard bytes.count < SyncLimits.registerKey, bytes.last != UInt8(ascii: ".") else {
                throw KeychainError(
                    .parameter,
                    "a domain is the beginning of names, of at most 4,095 bytes and without a dot at its end: \(domain)"
                )
            }
            guard chosen.chosen.count < PreferenceDomains.most else {
                throw KeychainError(.parameter, "at most \(PreferenceDomains.most) domains can be chosen")
            }
            guard chosen.add(bytes) else {
                throw KeychainError(.duplicateItem, "these preferences travel already: \(Self.named(domain))")
            }
        }
        try choose(chosen)
    }

    /// Stops a domain's preferences from travelling. What has travelled stays on all machines.
    /// - Throws: `.itemNotFound` if the domain was not chosen, `.locked` before the first unlock.
    public mutating func removePreferences(_ domain: String) throws { try removePreferences([domain]) }

    /// Stops the preferences of several domains from travelling, or none of them if one was not chosen.
    /// - Throws: as for a single one.
    public mutating func removePreferences(_ removed: [String]) throws {
        var chosen = domains ?? PreferenceDomains()
        for domain in removed {
            guard chosen.remove(Array(domain.utf8)) else {
                throw KeychainError(
                    .itemNotFound,
                    "this domain was not chosen: \(Self.named(domain)); `zamok sync preferences list` shows those that were"
                )
            }
        }
        try choose(chosen)
    }

    private static func named(_ domain: String) -> String { domain.isEmpty ? "all" : domain }

    private mutating func choose(_ chosen: PreferenceDomains) throws {
        try store.syncWrite { try keep(chosen, $0) }
        domains = chosen
        let settled = chosen
        applied = applied.filter { !PreferenceDomains.isKey($0) || settled.isSettled(key: $0) }
    }

    static func domains(_ access: SyncAccess) throws -> PreferenceDomains? {
        guard let bytes = try access.record(RecordName.preferences) else { return nil }
        guard let domains = try? PreferenceDomains(bytes) else {
            throw KeychainError(
                .damaged,
                "what sync keeps of preferences in keychain.db is damaged; they are not. Leave with `zamok sync leave --here`, then join again"
            )
        }
        return domains
    }

    func keep(_ domains: PreferenceDomains, _ access: SyncAccess) throws {
        try access.keep(domains.bytes, as: RecordName.preferences, .afterFirstUnlockThisDeviceOnly)
    }

    /// The place up to which operations of a register are applied here.
    func appliedPlace(of operation: Operation, on key: [UInt8]) -> UInt64 {
        guard PreferenceDomains.isKey(key) else { return state.applied[operation.protectionClass.index] }
        guard let domains, domains.isSettled(key: key) else { return 0 }
        return domains.place
    }

    /// Whether a register travels from and to this home.
    func isShared(_ key: [UInt8]) -> Bool { !PreferenceDomains.isKey(key) || domains?.isSettled(key: key) == true }

    /// Everything is applied; preferences only if they took part.
    mutating func setApplied(_ merged: MergedItems, withPreferences: Bool) {
        guard merged.registers.keys.contains(where: { PreferenceDomains.isKey($0) }) else {
            applied = merged
            return
        }
        var next = merged.filter { isShared($0) && (withPreferences || !PreferenceDomains.isKey($0)) }
        if !withPreferences { next.join(applied.filter { PreferenceDomains.isKey($0) }) }
        applied = next
    }

    /// Nil if none are chosen, or they can't be opened, which the report states; items still sync.
    func openPreferences(_ report: inout SyncReport) -> SharedPreferences? {
        guard let domains, !domains.isEmpty else { return nil }
        let time = lastWrite
        do { return SharedPreferences(domains: domains, preferences: try Preferences(home: home), time: time) } catch {
            report.preferences = "preferences took no part: \(error.message)"
            return nil
        }
    }

    /// A preference has no time of its own; it was edited no later than its file was last written.
    private var lastWrite: UInt64 {
        let times = ["preferences.db", "preferences.db-wal"].compactMap { name -> Double? in
            let facts = try? FileManager.default.attributesOfItem(atPath: home.path(of: name))
            // Opening the store creates an empty one.
            guard let facts, (facts[.size] as? Int ?? 0) > 0 else { return nil }
            return (facts[.modificationDate] as? Date)?.timeIntervalSince1970
        }
        return min(Self.clock, UInt64(max(0, (times.max() ?? 0) * 1000)))
    }

    func findPreferences(_ report: inout SyncReport) -> FoundPreferences? {
        guard let shared = openPreferences(&report) else { return nil }
        do {
            let found = try shared.preferences.synced(after: shared.domains.mark, shared.isWanted)
            if found.damaged > 0 {
                report.preferences = "\(found.damaged) preferences are damaged here and stay out; run: zamok doctor"
            }
            return shared.found(found)
        } catch {
            report.preferences = "preferences took no part: \(error.message)"
            return nil
        }
    }

    /// Runs the preferences' transaction around that of the items. The stored state counts them as applied first. A
    /// crash between the two leaves old rows, which the next round recognises by their numbers, and writes again.
    mutating func applyPreferences(_ shared: SharedPreferences, _ report: inout SyncReport) throws -> Bool {
        var isDone = false
        var changed = SyncReport()
        let before = applied
        let answer: (mark: PreferencesMark, refused: Int)
        do {
            answer = try shared.preferences.sync(after: shared.domains.mark, shared.isWanted) { there in
                changed = SyncReport()
                isDone = try applyItems(&changed, shared.found(there))
                guard isDone else { return [] }
                let plan = PreferencesPlan(from: before, to: member.replica.items, there, shared.domains)
                changed.add(plan)
                return plan.values
            }
        } catch let error as PreferencesError {
            report.preferences = "preferences took no part: \(error.message)"
            return try applyItems(&report, nil)
        }
        report.add(changed, refused: answer.refused)
        guard isDone else { return false }
        try settle(shared.domains, answer.mark)
        return true
    }

    /// Marks what this round itself wrote as unchanged.
    private mutating func settle(_ given: PreferenceDomains, _ mark: PreferencesMark) throws {
        var settled = given
        settled.settle(at: member.replica.state.operationPlace(state.place), mark)
        if mark != given.mark { try store.syncWrite { try keep(settled, $0) } }
        domains = settled
    }

    /// Whether travelling preferences were changed here since the last round.
    static func hasChanges(_ domains: PreferenceDomains, _ home: Home) -> Bool {
        guard !domains.isEmpty else { return false }
        if domains.chosen.values.contains(false) { return true }
        // If they can't be opened, a round reports it.
        return (try? Preferences(home: home).mark(afterWriters: true)) != domains.mark
    }
}

extension SyncReport {
    fileprivate mutating func add(_ plan: PreferencesPlan) {
        received += plan.values.count
        refused += plan.refused
        conflicts += plan.conflicts
    }

    /// `refused`: the number of those to be written that were refused.
    fileprivate mutating func add(_ more: SyncReport, refused left: Int) {
        received += more.received - left
        refused += more.refused + left
        conflicts += more.conflicts
        waiting += more.waiting
    }
}

/// The changes that make the preferences match the registers.
private struct PreferencesPlan {
    private(set) var values: [(name: String, value: [UInt8]?)] = []
    private(set) var refused = 0
    private(set) var conflicts = 0

    init(from old: MergedItems, to new: MergedItems, _ there: SyncedPreferences, _ domains: PreferenceDomains) {
        for (key, register) in new.registers where domains.has(key: key) {
            let before = old[key]
            if register != before {
                let known = before.losers
                conflicts += register.losers.count { !known.contains($0) }
            }
            let row = there.rows[Array(key.dropFirst())]
            // A value that can't travel stays unchanged.
            if let own = row?.value, own.count >= SyncLimits.value {
                refused += register == before ? 0 : 1
                continue
            }
            guard let name = TravellingPreference.name(key) else { continue }
            switch register.value {
            case .value(let bytes):
                guard let value = TravellingPreference.value(bytes),
                    Preferences.value(ofSynced: value, for: name) != nil
                else {
                    refused += register == before ? 0 : 1
                    continue
                }
                if row?.value != value { values.append((name, value)) }
            case .absent: if row?.value != nil { values.append((name, nil)) }
            case .outOfReach: continue
            }
        }
    }
}
