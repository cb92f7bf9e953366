// SPDX-License-Identifier: Apache-2.0

import KeychainEngine

extension ItemRecord {
    /// The record of a typed item; the fields of `record` win over its own.
    package init<Item: KeychainItem>(_ item: Item, with record: ItemRecord? = nil) {
        self.init(Item.itemClass)
        attributes = item.content.attributes.merging(record?.attributes ?? [:]) { $1 }
        secret = item.content.secret
        certificate = item.content.certificate
        reference = item.content.reference
    }

    init(_ content: ItemContent, of itemClass: ItemClass) {
        self.init(itemClass)
        attributes = content.attributes
        reference = content.reference
    }
}
