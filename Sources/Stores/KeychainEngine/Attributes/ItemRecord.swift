// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import SecretMemory

/// An item of any class: what a caller adds, and what a search returns. It is a value.
package struct ItemRecord: Sendable {
    package let itemClass: ItemClass
    /// In Apple's names, coerced already (`AttributeTable`). Those of a stored item include the defaults.
    package var attributes: Attributes = [:]
    /// Nil if there is none, which is legal, or if it was not requested. Of an identity: its private key.
    package var secret: Secret?
    /// The certificate of an identity, or of a certificate that was found without its secret.
    package var certificate: Secret?
    /// The durable handle; nil for an item that is not stored.
    package var persistentReference: PersistentReference?
    /// Whether a stored item has a secret, even if it was not requested.
    package private(set) var hasSecret = false
    /// A key in a TPM, if the query leaves such keys closed.
    package var tpmKey: TPMKey?
    /// Of the home that contains the item; the TPM of a key is found by it.
    package var tpms = TPMEnvironment.process

    /// An item without attributes.
    package init(_ itemClass: ItemClass) { self.itemClass = itemClass }

    /// A stored item.
    package init(
        _ itemClass: ItemClass, _ attributes: Attributes, _ reference: PersistentReference, secret: Secret? = nil,
        hasSecret: Bool
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        persistentReference = reference
        self.secret = secret
        self.hasSecret = hasSecret
    }

    init(_ item: PreparedItem, _ reference: PersistentReference) {
        self.init(item.itemClass, item.attributes, reference, hasSecret: item.secret != nil)
    }

    init(_ row: OpenRow, _ secret: Secret?) {
        self.init(row.itemClass, row.attributes, row.reference, secret: secret, hasSecret: row.hasSecret)
    }
}
