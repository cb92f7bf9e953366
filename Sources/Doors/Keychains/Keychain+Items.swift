// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine

extension Keychain {
    /// Adds an item; returns it as it is stored, without its secret. Asks nobody, except for a new password of an item with
    /// `applicationPassword` if `authentication` has none.
    ///
    /// Errors: `.duplicateItem`, `.locked`, `.missingEntitlement` (access group), `.notAvailable` (no passcode for
    /// `whenPasscodeSetThisDeviceOnly` or for access control), `.authenticationFailed` (access control that nobody could meet here),
    /// `.parameter`, `.dataTooLarge` (secret over 16 MiB), `.damaged` (the stored item of this identity), `.diskFull`, `.readOnly`,
    /// `.inputOutput`.
    @discardableResult
    public func add<Item: KeychainItem>(
        _ item: Item, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> Item {
        let new = completed(item)
        let prompt = PersonPrompt(authentication)
        if Item.itemClass == .identity {
            return Item(content: try add(identity: new, certificate: item.content.certificate, prompt))
        }
        return Item(content: ItemContent(try store.add(new, prompt)))
    }

    /// The first matching item with its secret. If the item asks for a person, the home's prompter is called on this thread.
    ///
    /// - Parameters:
    ///   - query: What to find.
    ///   - authentication: Earlier answers, and how to ask; nil: the person is asked for this call alone.
    ///
    /// Errors: `.itemNotFound`, `.locked`, `.damaged`, `.keyDestroyed`, `.missingEntitlement`. Before the first unlock
    /// `.locked` also means that there may be such an item. If the item asks for a person: `.userCancelled`, `.authenticationFailed` (wrong, too
    /// often wrong, or the context was invalidated), `.locked` (nobody may or can be asked; or locked while somebody typed).
    public func item<Item: KeychainItem>(
        matching query: KeychainQuery<Item>, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> Item {
        let found = try store.items(
            matching: completed(query.limited(to: 1)), withSecret: true, PersonPrompt(authentication)
        )
        guard let first = found.first else { throw KeychainError(.itemNotFound, "there is no such item") }
        return Item(content: ItemContent(first))
    }

    /// All matching items, an empty array if there is none. Damaged ones are left out, and reported by ``changes()``.
    ///
    /// - Parameters:
    ///   - query: What to find.
    ///   - includingSecrets: Opens each secret; without it attributes alone are read, which works while locked too (after the first
    ///     unlock), and asks nobody.
    ///   - authentication: As in ``item(matching:authentication:)``.
    ///
    /// Errors: `.locked`, `.missingEntitlement`; `.damaged` and `.keyDestroyed` when there is nothing else; with secrets those of
    /// ``item(matching:authentication:)`` if one of them asks for a person.
    public func items<Item: KeychainItem>(
        matching query: KeychainQuery<Item> = KeychainQuery<Item>(), includingSecrets: Bool = false,
        authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> [Item] {
        do {
            return try store.items(
                matching: completed(query), withSecret: includingSecrets, PersonPrompt(authentication)
            )
            .map { Item(content: ItemContent($0)) }
        } catch let error where error.code == .itemNotFound {
            return []
        }
    }

    /// Stores the changes made to an item that was found or added before; everything else stays. Finds it by its
    /// persistent reference. Needs what reading the secret needs: an item that asks for a person asks for every change.
    ///
    /// Errors: those of ``add(_:authentication:)`` and ``item(matching:authentication:)``, `.itemNotFound` (deleted meanwhile),
    /// `.parameter` (never stored).
    public func update<Item: KeychainItem>(
        _ item: Item, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) {
        guard let reference = item.persistentReference else {
            throw KeychainError(.parameter, "the item has not been stored yet; add it first")
        }
        let query = completed(KeychainQuery<Item>(reference)).byReferenceAlone
        try store.update(query, with: item.content.changes, PersonPrompt(authentication))
    }

    /// Changes all matching items in one transaction: what `change` sets is set in each. Returns how many there were.
    ///
    /// Errors: those of ``update(_:authentication:)``; then nothing is changed.
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
        return try store.update(completed(query), with: changes, PersonPrompt(authentication))
    }

    /// Deletes all matching items; returns how many there were. Neither the file nor its log holds them afterwards.
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
    /// A reference is exact, so every other condition is left out.
    fileprivate var byReferenceAlone: ItemQuery {
        var query = self
        query.attributes = [:]
        return query
    }
}
