// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// Which items are meant. All conditions must hold.
package struct ItemQuery: Sendable {
    package enum Synchronizable: Sendable, Equatable {
        case any
        case exactly(Bool)
    }

    package var itemClass: ItemClass
    /// Equality of each; `agrp` among them narrows the groups. Values are coerced already (AttributeTable).
    package var attributes: Attributes = [:]
    /// Without meaning beside a persistent reference, which finds its item whatever the flag.
    package var synchronizable: Synchronizable = .exactly(false)
    package var persistentReference: PersistentReference?
    /// nil: no limit. 0 finds nothing. Update and delete have none.
    package var limit: Int? = 1
    /// Internet passwords: server equal, or ending with "." and this.
    package var hostOrSubdomain: String?
    package var includesTombstones = false
    /// Leaves out items whose secret is wanted and asks for a person who has not answered yet.
    package var skipsGuarded = false
    /// Items that ask for a person ask for their attributes, and for being found at all, too; not only for their secret.
    package var guardsAttributes = false

    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }
}

/// An item to add. Defaults (dates, group, accessibility, empty primary keys) are filled in by the store.
package struct NewItem: Sendable {
    package var itemClass: ItemClass
    package var attributes: Attributes = [:]
    /// nil: an item without secret, which is legal.
    package var secret: Secret?
    /// Import keeps `cdat` and `mdat`; otherwise both are now.
    package var keepsDates = false

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
    /// Whether the item has a secret, asked for or not.
    package let hasSecret: Bool
    /// Of an identity: the certificate, when secrets were asked for; `secret` is then the private key.
    package var certificate: Secret?
}
