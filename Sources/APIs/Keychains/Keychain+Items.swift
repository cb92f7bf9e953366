// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine

extension Keychain {
    /// Adds an item. Returns it as it is stored, without its secret.
    ///
    /// The user is prompted only for the new password of an item with `applicationPassword`, if
    /// `authentication` has none.
    ///
    /// Errors: `.duplicateItem`, `.locked`, `.missingEntitlement` (access group), `.notAvailable` (no passcode for
    /// `whenPasscodeSetThisDeviceOnly` or for access control), `.authenticationFailed` (access control that can't be
    /// met here), `.parameter`, `.dataTooLarge` (secret over 16 MiB), `.damaged` (the stored item of this identity),
    /// `.diskFull`, `.readOnly`, `.inputOutput`.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> Item {
        let new = completed(item)
        let prompt = PersonPrompt(authentication)
        if Item.itemClass == .identity {
            let stored = try add(identity: new, certificate: item.content.certificate, prompt)
            return Item(content: ItemContent(found: stored))
        }
        return Item(content: ItemContent(found: try access.add(new, prompt)))
    }

    /// The first matching item with its secret. If its access control requires the user, calls the home's prompter on
    /// this thread.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - authentication: Earlier answers, and how to prompt; nil: the user is prompted for this call only.
    ///
    /// Errors: `.itemNotFound`, `.locked`, `.damaged`, `.keyDestroyed`, `.missingEntitlement`. Before the first unlock
    /// `.locked` also means that such an item may exist. If access control requires the user: `.userCancelled`,
    /// `.authenticationFailed` (wrong, too often wrong, or the context was invalidated), `.locked` (no prompt is
    /// allowed or possible, or the home was locked during the prompt).
    public func item<Item: KeychainItem>(
        matching query: KeychainQuery<Item>, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> Item {
        let found = try access.items(
            matching: completed(query.limited(to: 1)), withSecret: true, PersonPrompt(authentication)
        )
        guard let first = found.first else { throw KeychainError(.itemNotFound, "there is no such item") }
        return Item(content: ItemContent(found: first))
    }

    /// All matching items; an empty array if there are none. Damaged ones are left out, and reported by ``changes()``.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - includingSecrets: Opens each secret. Without it only attributes are read, which also works while locked
    ///     (after the first unlock), and never prompts.
    ///   - authentication: As in ``item(matching:authentication:)``.
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` if nothing else was found; with secrets
    /// those of ``item(matching:authentication:)`` if an item's access control requires the user.
    public func items<Item: KeychainItem>(
        matching query: KeychainQuery<Item> = KeychainQuery<Item>(), includingSecrets: Bool = false,
        authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> [Item] {
        do {
            return try access.items(
                matching: completed(query), withSecret: includingSecrets, PersonPrompt(authentication)
            )
            .map { Item(content: ItemContent(found: $0)) }
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Stores the changes made to an item that was found or added before. Everything else stays unchanged.
    ///
    /// It finds the item by its persistent reference. An update has the requirements of reading the secret: an item
    /// whose access control requires the user prompts for every change.
    ///
    /// Errors: those of ``add(_:authentication:)`` and ``item(matching:authentication:)``, `.itemNotFound` (deleted
    /// meanwhile), `.parameter` (never stored).
    public func update<Item: KeychainItem>(
        _ item: Item, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) {
        guard let reference = item.persistentReference else {
            throw KeychainError(.parameter, "the item has not been stored yet; add it first")
        }
        let query = completed(KeychainQuery<Item>(reference)).byReferenceAlone
        try access.update(query, with: item.content.changes, PersonPrompt(authentication))
    }

    /// Changes all matching items in one transaction: sets in each the properties that `change` sets.
    /// Returns the number of items.
    ///
    /// Errors: those of ``update(_:authentication:)``; nothing is changed then.
    @discardableResult
    public func update<Item: KeychainItem>(
        matching query: KeychainQuery<Item>, authentication: AuthenticationContext? = nil,
        _ change: (inout Item) -> Void
    ) throws(KeychainError) -> Int {
        var blank = Item(content: ItemContent())
        change(&blank)
        var changes = ItemChanges()
        changes.attributes = blank.content.attributes
        changes.secret = blank.content.secret
        return try access.update(completed(query), with: changes, PersonPrompt(authentication))
    }

    /// Deletes all matching items. Returns their number. Neither the file nor its log contains them afterwards.
    ///
    /// Errors: `.itemNotFound`, `.locked` (before the first unlock), `.missingEntitlement`, `.damaged`, `.diskFull`.
    @discardableResult
    public func delete<Item: KeychainItem>(matching query: KeychainQuery<Item>) throws(KeychainError) -> Int {
        try access.delete(completed(query))
    }

    /// Deletes an item that was found or added before. Errors: as ``delete(matching:)``, `.parameter` (never stored).
    public func delete<Item: KeychainItem>(_ item: Item) throws(KeychainError) {
        guard let reference = item.persistentReference else {
            throw KeychainError(.parameter, "the item has not been stored yet")
        }
        try access.delete(completed(KeychainQuery<Item>(reference)).byReferenceAlone)
    }
}

extension ItemQuery {
    /// The query without its other conditions, since a reference is exact.
    fileprivate var byReferenceAlone: ItemQuery {
        var query = self
        query.attributes = [:]
        return query
    }
}
