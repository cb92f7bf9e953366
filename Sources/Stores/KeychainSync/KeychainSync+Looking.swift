// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Readers
import SecretMemory
import SyncEngines
public import SyncLog
import SyncMerge

extension KeychainSync {
    /// How this home stands to its account, without asking the engine.
    public func status() throws -> SyncStatus {
        var report = SyncReport()
        let preferences = findPreferences(&report)
        let (collected, large) = try store.syncRead { (access: SyncAccess) throws -> (Collected, [String]) in
            // What is stored is sealed and padded, so that it is never less.
            let large = try access.items(storedIn: SyncLimits.value - SyncLimits.registerKey)
            return (try collect(access, preferences), large.filter(\.isTooLarge).map(\.title))
        }
        let log = member.replica.state
        return SyncStatus(
            account: state.account, engine: state.engine, name: state.name, device: member.replica.member,
            standing: standing, place: log.place, epoch: log.epoch, era: log.era,
            unsent: collected.entries.reduce(0) { $0 + $1.count { $0.key.first != DeviceName.kind } },
            waiting: collected.waiting + (member.replica.isWaiting ? 1 : 0), conflicts: conflicts.count,
            heard: state.heard, words: headWords, tooLarge: large, preferences: report.preferences)
    }

    /// Six words for the head, to be compared by telephone.
    public var headWords: String {
        let log = member.replica.state
        return Words.head(account: log.account, place: log.place, hash: log.hash)
    }

    /// What other members state of their heads. Asks the engine.
    public func heads() async throws -> [UInt32: HeadComparison] {
        try await member.compareHeads(now: Self.clock)
    }

    /// Whether a class is locked: what lies under it is left out of ``conflicts`` and ``history``.
    public var leavesOutLocked: Bool {
        TravellingClass.allCases.contains { member.replica.device.opening[$0] == nil }
    }

    /// Edits that lost against others that didn't know them, the newest first. Those of a locked class are left out.
    public var conflicts: [FormerItem] {
        formerItems { register, _ in
            var lost = register.losers
            // What nobody has edited since is still to be looked at; a later edit has settled it.
            if lost.isEmpty { return [] }
            lost.sort { $0.time > $1.time }
            return lost
        }
    }

    /// What the items were before, the newest first: of each at most 10, and none that is older than 90 days. What was of a locked class is left out.
    public var history: [FormerItem] {
        let oldest = FormerValues.oldest
        let dropped = member.replica.former
        return formerItems(also: dropped) { register, key in
            let present = register.frontier.first
            return Array(
                (dropped[key].operations + register.operations.filter { $0 != present }).filter { $0.time >= oldest }
                    .sorted { $0.time > $1.time }.prefix(FormerValues.most))
        }
    }

    private func formerItems(
        also dropped: MergedItems = MergedItems(), _ choose: (Register, [UInt8]) -> [Operation]
    ) -> [FormerItem] {
        let names = Dictionary(devices.map { ($0.number, $0.name) }) { first, _ in first }
        var found: [FormerItem] = []
        let keys = Set(member.replica.items.keys + dropped.keys).sorted { $0.lexicographicallyPrecedes($1) }
        for key in keys where key.first != DeviceName.kind && isShared(key) {
            let register = member.replica.items[key]
            let (lost, isGone) = (Set(register.losers), register.value == .absent)
            for operation in choose(register, key) {
                guard case .put(let value, _) = operation.change, let said = Said(value, key: key) else { continue }
                found.append(
                    FormerItem(
                        itemClass: said.kind, title: said.title, time: operation.time,
                        device: operation.author, deviceName: names[operation.author] ?? "",
                        hasLost: lost.contains(operation), isGone: isGone,
                        secret: said.secret))
            }
        }
        return found.sorted { $0.time > $1.time }
    }
}

/// What a value is for a person.
private struct Said {
    let kind, title: String
    let secret: [UInt8]

    /// Nil: it is none that a home takes over.
    init?(_ value: [UInt8], key: [UInt8]) {
        if PreferenceDomains.isKey(key) {
            guard let name = TravellingPreference.name(key) else { return nil }
            (kind, title, secret) = ("preference", name, TravellingPreference.shown(value, name: name))
        } else {
            guard let item = try? TravellingItem(value, key: key) else { return nil }
            (kind, title, secret) = (item.itemClass.rawValue, item.title, item.secretBytes)
        }
    }
}

extension KeychainSync {
    /// What another machine or a person named, for a terminal: everything that isn't printable is escaped.
    public static func printable(_ text: String) -> String { text.printable }
}

/// How a home stands to its account.
public struct SyncStatus: Sendable {
    /// The account's id.
    public let account: Digest32
    /// The engine's URL.
    public let engine: String
    /// This device's name.
    public let name: String
    /// Its number.
    public let device: UInt32?
    /// Whether it is a member, or what it is.
    public let standing: SyncStanding
    /// Whether it may write.
    public var isMember: Bool { standing == .member }
    /// The last entry that is known here.
    public let place: UInt64
    /// The epoch there.
    public let epoch: UInt32
    /// The log's era.
    public let era: UInt16
    /// Changes that were not sent yet.
    public let unsent: Int
    /// Changes that wait for an unlock.
    public let waiting: Int
    /// Edits that lost.
    public let conflicts: Int
    /// When the engine was last heard of, ms since 1970.
    public let heard: UInt64
    /// Words of the head.
    public let words: String
    /// What items are called that stay here, since they are too large to travel.
    public let tooLarge: [String]
    /// Why preferences take no part, or not all of them; nil: they do, or none were chosen.
    public let preferences: String?
}

/// An item as it was before, or as an edit that lost would have had it.
public struct FormerItem: Sendable {
    /// Apple's word for its class; `preference` for one of those.
    public let itemClass: String
    /// Service or server, and account; the name of a preference.
    public let title: String
    /// When it was edited, ms since 1970.
    public let time: UInt64
    /// By which device.
    public let device: UInt32
    /// What that calls itself.
    public let deviceName: String
    /// Whether it lost against an edit that didn't know it.
    public let hasLost: Bool
    /// Whether the item is deleted now.
    public let isGone: Bool
    /// Its secret; the value of a preference, as a person reads it.
    public let secret: [UInt8]
}
