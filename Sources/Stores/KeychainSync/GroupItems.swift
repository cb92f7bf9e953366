// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import KeychainEngine
import Readers

/// Puts items of a home into a shared group.
public enum GroupItems {
    /// Moves a password into a group, or copies it. Others get it with the next round. Its title is the service or
    /// server, alone or with `/` and the account.
    /// - Throws: `.itemNotFound` if no item has the title; `.parameter` if several have it, or it may not travel;
    ///   `.duplicateItem` if the group has such an item; `.locked`.
    public static func put(_ title: String, in group: String, _ home: Home, copying: Bool) throws {
        guard try KeychainSync.settings(of: home, group: group) != nil else { throw KeychainSync.none(group) }
        let store = try ItemStore.of(home)
        let item = try find(title, store)
        guard let keyClass = Accessibility(item.attributes)?.keyClass, !keyClass.isThisDeviceOnly,
            item.attributes[.accessControl] == nil
        else {
            throw KeychainError(
                .parameter, "\(title.printable) is bound to this device, or asks for a person, so it can't be shared")
        }
        var query = ItemQuery(item.itemClass)
        query.persistentReference = item.persistentReference
        let shared: Attributes = [.accessGroup: .text(LogStore.shared + group), .synchronizable: .number(1)]
        guard copying else {
            var changes = ItemChanges()
            changes.attributes = shared
            try store.update(query, with: changes)
            return
        }
        guard let whole = try store.items(matching: query, withSecret: true).first else {
            throw KeychainError(.itemNotFound, "\(title.printable) is gone")
        }
        var copy = ItemRecord(whole.itemClass)
        copy.attributes = whole.attributes.merging(shared) { $1 }
        copy.secret = whole.secret
        _ = try store.add(copy)
    }

    /// The one password outside of shared groups that has the title; without one that which was set aside.
    private static func find(_ title: String, _ store: ItemStore) throws -> ItemRecord {
        var found: [ItemRecord] = []
        for (itemClass, name) in [(ItemClass.genericPassword, AttributeName.service), (.internetPassword, .server)] {
            var query = ItemQuery(itemClass)
            query.synchronizable = .any
            query.limit = nil
            do throws(KeychainError) {
                found += try store.items(matching: query, withSecret: false).filter { item in
                    let parts = [name, .account].map { item.attributes[$0].flatMap(text) ?? "" }
                    guard parts[0] == title || parts.joined(separator: "/") == title else { return false }
                    return !isShared(item) || group(item).contains(SyncAccess.asideMark)
                }
            } catch {
                guard error.code == .itemNotFound else { throw error }
            }
        }
        // What left a group is this home's own, but not what is meant if another item is called so.
        let own = found.filter { !isShared($0) }
        if !own.isEmpty { found = own }
        guard let item = found.first else {
            throw KeychainError(
                .itemNotFound, "no password is called \(title.printable); name it SERVICE or SERVICE/ACCOUNT")
        }
        guard found.count == 1 else {
            throw KeychainError(
                .parameter, "\(found.count) passwords are called \(title.printable); name one by SERVICE/ACCOUNT")
        }
        return item
    }

    private static func group(_ item: ItemRecord) -> String { item.attributes[.accessGroup].flatMap(text) ?? "" }

    private static func isShared(_ item: ItemRecord) -> Bool { group(item).utf8.starts(with: LogStore.shared.utf8) }

    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .text(let text): text
        case .data(let bytes): String(validUTF8: bytes)
        case .number, .date: nil
        }
    }
}
