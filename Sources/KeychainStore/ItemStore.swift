// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import SecretMemory

/// A durable handle of an item: class code and random UUID, 20 bytes; the older form with a row id has 12.
public struct PersistentReference: Hashable, Sendable {
    /// The bytes, 20 or 12.
    public let bytes: [UInt8]
    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Which items are meant. All conditions must hold.
package struct ItemQuery: Sendable {
    package enum Synchronizable: Sendable { case any, exactly(Bool) }
    package var itemClass: ItemClass
    /// Equality of each; `agrp` among them narrows the groups. Values are coerced already (AttributeTable).
    package var attributes: Attributes = [:]
    package var synchronizable: Synchronizable = .exactly(false)
    package var persistentReference: PersistentReference?
    /// nil: no limit. 0 finds nothing.
    package var limit: Int? = 1
    /// Internet passwords: server equal, or ending with "." and this.
    package var hostOrSubdomain: String?
    package var includesTombstones = false

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// An item to add. Defaults (dates, group, accessibility, empty primary keys) are filled in by the store.
package struct NewItem: Sendable {
    package var itemClass: ItemClass
    package var attributes: Attributes = [:]
    /// nil: an item without secret, which is legal.
    package var secret: Secret?

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// What update changes.
package struct ItemChanges: Sendable {
    package var attributes: Attributes = [:]
    package var secret: Secret?
    package init() {}
}

/// What was found or added.
package struct FoundItem: Sendable {
    package let itemClass: ItemClass
    /// As stored, defaults included, in Apple's names.
    package let attributes: Attributes
    package let persistentReference: PersistentReference
    /// nil when the item has none, or when it was not asked for.
    package let secret: Secret?
}

/// The engine below `Keychain` and the SecItem functions: one per home and process.
package final class ItemStore: Sendable {
    /// The store of a home; the same object for the same home.
    package static func of(_ home: Home) throws(KeychainError) -> ItemStore { throw .notBuilt }

    /// Adds one item. Codes: duplicateItem, missingEntitlement, locked, parameter, notAvailable, diskFull, decode.
    package func add(_ item: NewItem) throws(KeychainError) -> FoundItem { throw .notBuilt }

    /// The matching items; `withSecret` opens each secret too. Throws itemNotFound when there is none.
    package func items(matching query: ItemQuery, withSecret: Bool) throws(KeychainError) -> [FoundItem] {
        throw .notBuilt
    }

    /// Changes all matching items in one transaction; how many. Throws itemNotFound when there is none.
    @discardableResult
    package func update(_ query: ItemQuery, with changes: ItemChanges) throws(KeychainError) -> Int { throw .notBuilt }

    /// Deletes all matching items; how many. Throws itemNotFound when there is none.
    @discardableResult
    package func delete(_ query: ItemQuery) throws(KeychainError) -> Int { throw .notBuilt }
}
