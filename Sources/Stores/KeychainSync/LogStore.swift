// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SyncMerge

/// Items that are of no log any more: they are this home's alone, until they are put into a group.
public struct SetAside: Sendable, Hashable {
    /// The access group that they have now.
    public let accessGroup: String
    /// How many they are.
    public let count: Int
}

extension SyncAccess {
    /// Moves the items of a group out of its log's reach, so that a later group of that name never has them.
    func setAside(group: String, only keys: Set<[UInt8]>? = nil) throws -> SetAside? {
        try setAside(SyncAccess.sharedAccessGroups + group, only: keys).map {
            SetAside(accessGroup: $0.accessGroup, count: $0.count)
        }
    }
}

/// A home's items and records of sync, as one log has them: the account's, or that of a shared group. An item is in one
/// log only, by its access group.
struct LogStore: Sendable {
    /// What the access groups of shared groups begin with.
    static let shared = SyncAccess.sharedAccessGroups

    let items: ItemStore
    /// The name of the shared group; nil for the account.
    let group: String?
    private let prefix: String

    init(_ home: Home, _ group: String?) throws {
        items = try ItemStore.of(home)
        self.group = group
        prefix = group.map { "\(SyncAccess.groups)\($0)/" } ?? ""
    }

    func syncWrite<R>(changesItems: Bool = false, _ body: (SyncAccess) throws -> R) throws(KeychainError) -> R {
        try items.syncWrite(changesItems: changesItems, under: prefix, body)
    }

    func syncRead<R>(afterWriters: Bool = false, _ body: (SyncAccess) throws -> R) throws(KeychainError) -> R {
        try items.syncRead(afterWriters: afterWriters, under: prefix, body)
    }

    /// Whether items of an access group are in this log.
    func has(_ accessGroup: String?) -> Bool {
        guard let group else { return accessGroup?.utf8.starts(with: Self.shared.utf8) != true }
        return accessGroup?.utf8.elementsEqual((Self.shared + group).utf8) == true
    }

    /// Whether a register is of an item in this log.
    func has(key: [UInt8]) -> Bool {
        guard TravellingItem.isKey(key) else { return false }
        guard let group else { return !TravellingItem.isKey(key, of: Self.shared, orBelow: true) }
        return TravellingItem.isKey(key, of: Self.shared + group)
    }
}
