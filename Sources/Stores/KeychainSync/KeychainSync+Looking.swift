// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Readers
import SecretMemory
import SyncEngines
public import SyncLog
import SyncMerge

extension KeychainSync {
    /// The home's state in its account, without asking the engine.
    public func status() throws -> SyncStatus {
        var report = SyncReport()
        let preferences = findPreferences(&report)
        let (collected, large) = try store.syncRead { (access: SyncAccess) throws -> (Collected, [String]) in
            // Stored content is sealed and padded, so its size is never smaller.
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

    /// Other members' statements of their heads. Asks the engine.
    public func heads() async throws -> [UInt32: HeadComparison] {
        try await member.compareHeads(now: Self.clock)
    }

    /// Whether a class is locked: ``conflicts`` and ``history`` then leave out its content.
    public var leavesOutLocked: Bool {
        TravellingClass.allCases.contains { member.replica.device.opening[$0] == nil }
    }

    /// Edits that lost against others that didn't know them, newest first. Those of a locked class are left out.
    public var conflicts: [FormerItem] {
        formerItems { register, _ in
            var lost = register.losers
            // A conflict without a later edit must still be looked at; a later edit settles it.
            if lost.isEmpty { return [] }
            lost.sort { $0.time > $1.time }
            return lost
        }
    }

    /// Former values of the items, newest first: at most 10 for each, and none older than 90 days. Those of a locked
    /// class are left out.
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

/// A value in the form that the user sees.
private struct Said {
    let kind, title: String
    let secret: [UInt8]

    /// Nil if a home doesn't take over such a value.
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
    /// A text from another machine or the user, for a terminal: characters that are not printable are escaped.
    public static func printable(_ text: String) -> String { text.printable }
}

/// The state of a home in its account.
public struct SyncStatus: Sendable {
    /// The account's id.
    public let account: Digest32
    /// The engine's URL.
    public let engine: String
    /// This device's name.
    public let name: String
    /// Its number.
    public let device: UInt32?
    /// Its standing in the account.
    public let standing: SyncStanding
    /// Whether it may write.
    public var isMember: Bool { standing == .member }
    /// The last entry known here.
    public let place: UInt64
    /// The epoch there.
    public let epoch: UInt32
    /// The log's era.
    public let era: UInt16
    /// Changes that are not sent yet.
    public let unsent: Int
    /// Changes that wait for an unlock.
    public let waiting: Int
    /// The number of edits that lost.
    public let conflicts: Int
    /// When the engine last responded, in ms since 1970.
    public let heard: UInt64
    /// Words of the head.
    public let words: String
    /// The titles of items that stay here, since they are too large to travel.
    public let tooLarge: [String]
    /// Why preferences take no part, or not all of them; nil if they do, or none are chosen.
    public let preferences: String?
}

/// A former value of an item, or the value of an edit that lost.
public struct FormerItem: Sendable {
    /// Apple's name for its class; `preference` for a preference.
    public let itemClass: String
    /// Service or server, and account; the name of a preference.
    public let title: String
    /// When it was edited, in ms since 1970.
    public let time: UInt64
    /// The number of the device that edited it.
    public let device: UInt32
    /// That device's name.
    public let deviceName: String
    /// Whether it lost against an edit that didn't know it.
    public let hasLost: Bool
    /// Whether the item is deleted now.
    public let isGone: Bool
    /// Its secret; for a preference its value, in the form that the user reads.
    public let secret: [UInt8]
}
