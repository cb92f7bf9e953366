// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory

/// An item, without its secret.
struct SecretItem: Sendable {
    /// `collection/name`, the end of the item's path.
    var account: String
    var attributes: [String: String] = [:]
    var label = ""
    var contentType = "text/plain"
    /// Seconds since 1970.
    var created: UInt64 = 0
    var modified: UInt64 = 0

    var path: String { SecretObject.item(account).path }
}

struct SecretCollection: Sendable {
    var name: String
    var label: String
    var aliases: [String] = []
    var created: UInt64 = 0
    var modified: UInt64 = 0
    /// Whether the keychain has a record of it. The login collection needs none.
    var isRecorded = false

    var path: String { SecretObject.collection(name).path }
}

/// The programs' items in the keychain: generic passwords of one access group (Documentation/Formats/SecretService.md).
final class SecretItems {
    static let login = "login"
    private static let loginLabel = "Login"

    let home: Home
    let group: String
    private var index: SecretIndex?
    private(set) var collections: [String: SecretCollection] = [:]
    /// The keychain's change count that `index` corresponds to.
    private var seen: UInt64 = 0
    /// The items that other processes added or deleted since the last `takeForeign`.
    private var foreign: (created: [String], deleted: [String]) = ([], [])

    init(_ home: Home, group: String) {
        self.home = home
        self.group = group
    }

    private var store: ItemStore { get throws { try ItemStore.of(home) } }

    var lockState: LockState { home.keybag.lockState }
    var isLocked: Bool { lockState != .unlocked }
    /// Whether names and attributes are readable.
    var isKnown: Bool { lockState != .beforeFirstUnlock }

    // MARK: What there is

    /// Rebuilds the index if another process has written since. Errors: `.locked` before the first unlock.
    func refresh() throws {
        guard isKnown else {
            index = nil
            throw BusFailure.locked
        }
        let now = home.keybag.changeCount(.keychain)
        if index != nil, now == seen { return }
        var (fresh, found) = (SecretIndex(), [Self.login: Self.loginCollection])
        var query = ItemQuery(.genericPassword)
        query.attributes[.accessGroup] = .text(group)
        query.limit = nil
        try store.each(matching: query) { row in
            switch Listed(row) {
            case .item(let account, let tags): fresh.set(account, tags)
            case .collection(let collection): found[collection.name] = collection
            case .other: break
            }
        }
        if let index { note(index.differences(fresh)) }
        (index, collections, seen) = (fresh, found, now)
    }

    private static var foreignLimit: Int { 1024 }

    /// Records changes of other processes. Too many at once are dropped: clients that watch items read the list again.
    private func note(_ found: (created: [String], deleted: [String])) {
        guard found.created.count + found.deleted.count < Self.foreignLimit else { return }
        foreign.created = (foreign.created + found.created).suffix(Self.foreignLimit)
        foreign.deleted = (foreign.deleted + found.deleted).suffix(Self.foreignLimit)
    }

    /// Returns the recorded changes of other processes, and clears them.
    func takeForeign() -> (created: [String], deleted: [String]) {
        defer { foreign = ([], []) }
        return foreign
    }

    /// Whether other processes may have written since the last refresh.
    var isOutdated: Bool { index != nil && isKnown && home.keybag.changeCount(.keychain) != seen }

    static var loginCollection: SecretCollection {
        SecretCollection(name: login, label: loginLabel, aliases: ["default", login])
    }

    /// The kind of a row, with the parts that the index needs.
    private enum Listed: Sendable {
        case item(String, [SecretIndex.Tag])
        case collection(SecretCollection)
        /// A row that no bus client could have added.
        case other

        init(_ found: ItemRecord) {
            if let collection = SecretCollection(found) {
                self = .collection(collection)
            } else if let item = SecretItem(found) {
                self = .item(item.account, SecretIndex.tags(item.attributes))
            } else {
                self = .other
            }
        }
    }

    /// All collections. Only the login collection if they can't be read.
    func knownCollections() -> [SecretCollection] {
        guard (try? refresh()) != nil else { return [Self.loginCollection] }
        return collections.values.sorted { $0.name < $1.name }
    }

    func accounts(_ attributes: [String: String], in collection: String?) throws -> [String] {
        try refresh()
        let all = index?.accounts(SecretIndex.tags(attributes)) ?? []
        return collection.map { name in all.filter { $0.hasPrefix("\(name)/") } } ?? all
    }

    func accounts(in collection: String) throws -> [String] {
        try refresh()
        return index?.accounts(in: collection) ?? []
    }

    /// Whether the item exists. Errors: `.locked` before the first unlock.
    func contains(_ account: String) throws -> Bool {
        try refresh()
        return index?.contains(account) ?? false
    }

    private func query(_ account: String) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes[.accessGroup] = .text(group)
        query.attributes[.account] = .text(account)
        query.synchronizable = .any
        return query
    }

    private func found(_ account: String, withSecret: Bool) throws -> ItemRecord {
        guard let found = try store.items(matching: query(account), withSecret: withSecret).first else {
            throw BusFailure.noObject
        }
        return found
    }

    /// The item, without its secret. Errors: `.noObject`, `.locked` before the first unlock.
    func item(_ account: String) throws -> SecretItem {
        guard isKnown else { throw BusFailure.locked }
        guard let item = SecretItem(try found(account, withSecret: false)) else { throw BusFailure.noObject }
        return item
    }

    /// The item with its secret. Errors: `.locked`, `.noObject`.
    func secret(_ account: String) throws -> (item: SecretItem, secret: Secret) {
        guard !isLocked else { throw BusFailure.locked }
        let found = try found(account, withSecret: true)
        guard let item = SecretItem(found) else { throw BusFailure.noObject }
        return (item, try found.secret ?? Secret(copying: []))
    }

    /// The item with exactly these attributes. Nil: there is none.
    func account(exactly attributes: [String: String], in collection: String) throws -> String? {
        try accounts(exactly: attributes, in: collection).first
    }

    /// The items with exactly these attributes. Errors: a `BusFailure` if a limit is exceeded.
    func accounts(exactly attributes: [String: String], in collection: String) throws -> [String] {
        var query = ItemQuery(.genericPassword)
        query.attributes[.accessGroup] = .text(group)
        query.attributes[.service] = .text(try LookupAttributes.text(attributes))
        query.limit = nil
        query.synchronizable = .any
        do {
            let rows = try store.items(matching: query, withSecret: false)
            return rows.compactMap { SecretItem($0)?.account }.filter { $0.hasPrefix("\(collection)/") }
        } catch let error as KeychainError {
            guard error.code == .itemNotFound else { throw error }
            return []
        }
    }

    // MARK: Changes

    /// A new random account.
    static func newAccount(_ collection: String) throws -> String {
        let name = try randomBytes(count: 8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        return "\(collection)/\(name)"
    }

    /// Runs a search and the write that depends on it, under a file lock. Errors: `.locked`.
    /// No other provider of this home, and no move of items, runs in between. Otherwise both could find
    /// nothing and add.
    /// Must not be nested.
    func alone<R>(_ body: () throws -> R) throws -> R {
        guard !isLocked else { throw BusFailure.locked }
        return try home.withFileLock("keychain.db-secrets", body)
    }

    /// Runs one write of this process. The index stays valid unless another process writes meanwhile.
    private func write(_ body: (ItemStore) throws -> Void) throws {
        guard !isLocked else { throw BusFailure.locked }
        try refresh()
        let before = home.keybag.changeCount(.keychain)
        try body(try store)
        if before == seen, home.keybag.changeCount(.keychain) == before + 1 { seen = before + 1 }
    }

    func add(_ item: SecretItem, _ secret: Secret) throws {
        var new = ItemRecord(.genericPassword)
        new.attributes = try columns(item)
        new.secret = secret
        try write { store in
            _ = try store.add(new)
            index?.set(item.account, SecretIndex.tags(item.attributes))
        }
    }

    private func columns(_ item: SecretItem) throws -> Attributes {
        var columns: Attributes = [:]
        columns[.accessGroup] = .text(group)
        columns[.account] = .text(item.account)
        columns[.service] = .text(try LookupAttributes.text(item.attributes))
        columns[.label] = .text(item.label)
        columns[.generic] = .text(item.contentType)
        if let schema = item.attributes["xdg:schema"] { columns[.description] = .text(schema) }
        return columns
    }

    /// Replaces all properties of the stored item by those of `item`, and its secret if one is given.
    func replace(_ item: SecretItem, _ secret: Secret?) throws {
        var changes = ItemChanges()
        changes.attributes = try columns(item)
        changes.attributes[.accessGroup] = nil
        changes.attributes[.account] = nil
        changes.secret = secret
        try write { store in
            try store.update(query(item.account), with: changes)
            index?.set(item.account, SecretIndex.tags(item.attributes))
        }
    }

    func delete(_ account: String) throws {
        try write { store in
            try store.delete(query(account))
            index?.remove(account)
        }
    }

    // MARK: Collections

    /// Adds or updates the record of a collection.
    func record(_ collection: SecretCollection) throws {
        var columns: Attributes = [:]
        columns[.label] = .text(collection.label)
        columns[.comment] = .text(collection.aliases.joined(separator: " "))
        if collection.isRecorded {
            var changes = ItemChanges()
            changes.attributes = columns
            try write { try $0.update(query(collection.name), with: changes) }
        } else {
            columns[.accessGroup] = .text(group)
            columns[.account] = .text(collection.name)
            columns[.service] = .text(LookupAttributes.collection)
            var new = ItemRecord(.genericPassword)
            new.attributes = columns
            try write { _ = try $0.add(new) }
        }
        collections[collection.name] = collection
        collections[collection.name]?.isRecorded = true
    }

    /// Deletes a collection and all its items.
    func delete(_ collection: SecretCollection) throws {
        for account in try accounts(in: collection.name) { try delete(account) }
        if collection.isRecorded { try write { try $0.delete(query(collection.name)) } }
        collections[collection.name] = nil
    }
}

extension SecretItem {
    /// Nil: no bus client could have added the row.
    init?(_ found: ItemRecord) {
        guard case .text(let account) = found.attributes[.account], case .text(let text) = found.attributes[.service],
            let attributes = LookupAttributes.attributes(text)
        else { return nil }
        let words = account.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy({ SecretObject.isWord(String($0)) }) else { return nil }
        self.init(account: account, attributes: attributes)
        label = found.attributes.plainText(.label)
        let type = found.attributes.plainText(.generic)
        // Items added by the command have no type. Clients accept a password only if it is declared to be text.
        contentType = type.isEmpty ? "text/plain" : type
        (created, modified) = found.attributes.times
    }
}

extension SecretCollection {
    /// Nil: the row is no record of a collection.
    fileprivate init?(_ found: ItemRecord) {
        guard case .text(let name) = found.attributes[.account], SecretObject.isWord(name),
            found.attributes[.service] == .text(LookupAttributes.collection)
        else { return nil }
        self.init(name: name, label: found.attributes.plainText(.label), isRecorded: true)
        aliases = found.attributes.plainText(.comment).split(separator: " ").map(String.init)
        (created, modified) = found.attributes.times
    }
}

extension Attributes {
    fileprivate func plainText(_ name: AttributeName) -> String {
        guard case .text(let text) = self[name] else { return "" }
        return text
    }

    fileprivate var times: (UInt64, UInt64) {
        func seconds(_ name: AttributeName) -> UInt64 {
            guard case .date(let date) = self[name] else { return 0 }
            return UInt64(Swift.max(0, Swift.min(4e12, date + Date.timeIntervalBetween1970AndReferenceDate)))
        }
        return (seconds(.creationDate), seconds(.modificationDate))
    }
}
