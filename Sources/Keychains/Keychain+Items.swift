// SPDX-License-Identifier: Apache-2.0

public import KeychainStore

extension Keychain {
    /// Adds an item; answers it as it is stored, without its secret.
    ///
    /// Errors: `.duplicateItem`, `.locked`, `.missingEntitlement` (access group), `.notAvailable` (no passcode for
    /// `whenPasscodeSetThisDeviceOnly`), `.parameter`, `.dataTooLarge` (secret over 16 MiB), `.damaged` (the item of
    /// this identity is), `.diskFull`, `.readOnly`, `.inputOutput`.
    @discardableResult
    public func add<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Item {
        Item(content: ItemContent(try store.add(completed(item))))
    }

    /// The first matching item with its secret.
    ///
    /// Errors: `.itemNotFound`, `.locked`, `.damaged`, `.keyDestroyed`, `.missingEntitlement`. Before the first unlock
    /// `.locked` also means: there may be one.
    public func item<Item: KeychainItem>(matching query: KeychainQuery<Item>) throws(KeychainError) -> Item {
        let found = try store.items(matching: completed(query.limited(to: 1)), withSecret: true)
        guard let first = found.first else { throw KeychainError(.itemNotFound, "there is no such item") }
        return Item(content: ItemContent(first))
    }

    /// All matching items, an empty array if there is none. Damaged ones are left out and told by ``changes``.
    ///
    /// - Parameter includingSecrets: Opens each secret; without it attributes alone are read, which works while locked
    /// too (after the first unlock).
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` when there is nothing else.
    public func items<Item: KeychainItem>(
        matching query: KeychainQuery<Item> = KeychainQuery<Item>(), includingSecrets: Bool = false
    ) throws(KeychainError) -> [Item] {
        do {
            return try store.items(matching: completed(query), withSecret: includingSecrets)
                .map { Item(content: ItemContent($0)) }
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Stores what was changed in an item that was found or added before; everything else stays. Finds it by its
    /// persistent reference.
    ///
    /// Errors: those of ``add(_:)``, `.itemNotFound` (deleted meanwhile), `.parameter` (never stored).
    public func update<Item: KeychainItem>(_ item: Item) throws(KeychainError) {
        guard let reference = item.persistentReference else {
            throw KeychainError(.parameter, "the item has not been stored yet; add it first")
        }
        let query = completed(KeychainQuery<Item>(reference)).byReferenceAlone
        guard let stored = try store.items(matching: query, withSecret: false).first else {
            throw KeychainError(.itemNotFound, "there is no such item")
        }
        var changes = ItemChanges()
        changes.attributes = item.content.attributes.filter { stored.attributes[$0.key] != $0.value }
        changes.secret = item.content.secret
        try store.update(query, with: changes)
    }

    /// Changes all matching items in one transaction: what `change` sets is set in each. How many there were.
    ///
    /// Errors: those of ``add(_:)`` and `.itemNotFound`; then nothing is changed.
    @discardableResult
    public func update<Item: KeychainItem>(
        matching query: KeychainQuery<Item>, _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Int {
        var blank = Item(content: ItemContent())
        change(&blank)
        var changes = ItemChanges()
        changes.attributes = blank.content.attributes
        changes.secret = blank.content.secret
        return try store.update(completed(query), with: changes)
    }

    /// Deletes all matching items; how many there were. Neither the file nor its log holds them afterwards.
    /// Errors: `.itemNotFound`, `.locked` (before the first unlock), `.missingEntitlement`, `.damaged`, `.diskFull`.
    @discardableResult
    public func delete<Item: KeychainItem>(matching query: KeychainQuery<Item>) throws(KeychainError) -> Int {
        try store.delete(completed(query))
    }

    /// Deletes an item that was found or added before. Errors: as ``delete(matching:)``, `.parameter` (never stored).
    public func delete<Item: KeychainItem>(_ item: Item) throws(KeychainError) {
        guard let reference = item.persistentReference else {
            throw KeychainError(.parameter, "the item has not been stored yet")
        }
        try store.delete(completed(KeychainQuery<Item>(reference)).byReferenceAlone)
    }
}

extension ItemQuery {
    /// A reference is exact: whatever else would narrow it is left out.
    fileprivate var byReferenceAlone: ItemQuery {
        var query = self
        query.attributes = [:]
        return query
    }
}
