// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

/// The engine below `Keychain` and the SecItem functions: one per home and process, for any thread.
///
/// Values are coerced already (`AttributeTable.coerce`). Every call is one transaction. In a child after fork every
/// call throws `.notAvailable`.
package final class ItemStore: Sendable {
    let keybag: Keybag
    let prompter: any Prompter
    package let identity: ApplicationIdentity
    let database: SealedDatabase
    let observers: ChangeObservers
    let accesses: AccessLog
    /// Seconds since 2001-01-01 00:00 UTC. Tests replace the clock.
    let now: @Sendable () -> Double

    /// The store of a home; the same object for the same home.
    package static func of(_ home: Home) throws(KeychainError) -> ItemStore {
        try KeychainError.mapping { try home.store(ItemStore.self) { try opened(home) } }
    }

    private static func opened(_ home: Home) throws -> ItemStore {
        let store = try ItemStore(home)
        home.keybag.register(store)
        store.rewrapWhenOpened()
        return store
    }

    /// Opens a separate store. `acceptingRestoredCopy`: the keybag may be older than the database from now on.
    package init(
        _ home: Home, acceptingRestoredCopy: Bool = false, now: @escaping @Sendable () -> Double = WallClock.now
    ) throws {
        keybag = home.keybag
        prompter = home.prompter
        identity = home.identity
        self.now = now
        database = try SealedDatabase(KeychainSchema.database, of: home, acceptingRestoredCopy: acceptingRestoredCopy)
        observers = ChangeObservers(home.keybag)
        accesses = try AccessLog.of(home)
    }

    /// The same store as another program sees it: what that program may access is judged by `identity`.
    package func seen(by identity: ApplicationIdentity) -> ItemStore { ItemStore(self, identity) }

    private init(_ other: ItemStore, _ identity: ApplicationIdentity) {
        (keybag, prompter, database) = (other.keybag, other.prompter, other.database)
        (observers, accesses, now) = (other.observers, other.accesses, other.now)
        self.identity = identity
    }

    /// The copy of the files as they were before their state was accepted; nil if none was made.
    package var copyBeforeAcceptance: String? { database.copyBeforeAcceptance }

    /// The matching items; `withSecret` opens each secret too.
    ///
    /// Throws `.itemNotFound` if there is none; `.locked` if there may be one that can't be read now; `.damaged` if the
    /// items that match, or may match, are damaged and no healthy one matches; `.keyDestroyed` likewise.
    ///
    /// A secret with access control, and with `guardsAttributes` any such item, prompts the user according to `prompt`,
    /// under no lock.
    /// That throws `.userCancelled`, `.authenticationFailed` (wrong passcode or password; the context was invalidated),
    /// or `.locked` (no prompt is allowed or possible, the next attempt must wait after too many wrong ones, or it was
    /// locked meanwhile).
    package func items(
        matching query: ItemQuery, withSecret: Bool, _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> [ItemRecord] {
        if query.itemClass == .identity { return try identities(matching: query, withSecret: withSecret, prompt) }
        return try KeychainError.mapping {
            let search = try Search(query, self)
            let rowKeys = rowKeys(prompt)
            let found = try rowKeys.asking {
                let keys = try database.metadataKeys()
                try refuseBeforeFirstUnlock(search, keys)
                var found = Findings(limit: query.limit)
                try database.readOnce { access in
                    try find(search, keys: keys, access: access, withSecret: withSecret, found: &found) {
                        row, sealed, found in
                        if let prompt = query.tpmPrompt, row.attributes.isInTPM {
                            var item = ItemRecord(row, nil)
                            item.tpmKey = try closedKey(row, isUsed: withSecret, prompt)
                            return found.items.append(item)
                        }
                        if query.guardsAttributes, !withSecret { try row.requirePerson(rowKeys) }
                        found.items.append(ItemRecord(row, withSecret ? try row.openSecret(sealed, rowKeys) : nil))
                    }
                }
                if found.items.isEmpty { throw try nothingFound(search, keys: keys, found: found) }
                return found
            }
            observers.tell(found.damaged.map { .damaged($0) })
            rewrapGuarded(rowKeys)
            if withSecret { try note(found.items, source: query.source) }
            return withSecret ? found.items.map(fromHere) : found.items
        }
    }

    /// A key in a TPM is used at the address that this home's environment names.
    func fromHere(_ item: ItemRecord) -> ItemRecord {
        guard item.attributes.isInTPM else { return item }
        var item = item
        item.tpms = keybag.tpmEnvironment
        return item
    }

    /// The row keys of one call.
    func rowKeys(_ prompt: PersonPrompt) -> RowKeys {
        RowKeys(keybag, prompter: prompter, prompt: prompt, program: identity.applicationIdentifier)
    }

    /// One durable transaction, counted as this store's own.
    func write<R>(_ body: (WriteAccess) throws -> R) throws -> R {
        try database.write(committed: { observers.countOwnWrite() }, body)
    }

    /// The results of a search so far.
    struct Findings: Sendable {
        var items: [ItemRecord] = []
        let limit: Int

        init(limit: Int?) { self.limit = limit ?? .max }

        var damaged: [PersistentReference] = []
        var failure: KeychainError?

        /// Skips a row that is damaged or whose key was destroyed. Every other error ends the search.
        mutating func skip(_ row: StoredRow, _ error: any Error) throws {
            let known = KeychainError(error)
            // An error of SQLite is thrown as it is: the database maps it.
            guard known.costsOneRow else { throw error }
            if let itemClass = row.itemClass { damaged.append(PersistentReference(itemClass, uuid: row.uuid)) }
            failure = failure ?? known
        }
    }

    /// Passes every matching row to `body`, until there are enough items. `inside`: whether it runs inside
    /// another search.
    func find(
        _ search: Search, keys: borrowing MetadataKeys, access: ReadAccess, withSecret: Bool, inside: Bool = false,
        found: inout Findings, _ body: (OpenRow, [UInt8]?, inout Findings) throws -> Void
    ) throws {
        guard found.items.count < found.limit else { return }
        try search.candidates(keys, access: access, withSecrets: withSecret, inside: inside) { batch in
            for candidate in batch where found.items.count < found.limit {
                do {
                    guard let row = try search.open(candidate.row, keys) else { continue }
                    try body(row, candidate.sealedSecret, &found)
                } catch let need as PersonNeeded {
                    guard search.query.skipsGuarded else { throw need }
                } catch {
                    try found.skip(candidate.row, error)
                }
            }
            return found.items.count < found.limit
        }
    }

    func nothingFound(
        _ search: Search, keys: borrowing MetadataKeys, found: Findings
    ) throws -> KeychainError {
        observers.tell(found.damaged.map { .damaged($0) })
        if let failure = found.failure { return failure }
        if !keys.isComplete, try database.readOnce({ try search.mayMatchSealedRow($0) }) {
            return lockedBeforeFirstUnlock
        }
        return KeychainError(.itemNotFound, "there is no such item")
    }
}

extension KeychainError {
    /// Whether the error concerns only one row (damaged, key destroyed), so that the others are readable.
    package var costsOneRow: Bool { code == .damaged || code == .keyDestroyed }
}

extension ItemStore {
    var lockedBeforeFirstUnlock: KeychainError { KeychainError(keybag.lockedBeforeFirstUnlock) }
}
