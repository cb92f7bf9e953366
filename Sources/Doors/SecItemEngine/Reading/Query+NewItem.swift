// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem
import SecretMemory
import SecurityTypes

extension Query {
    /// The item that a dictionary describes.
    ///
    /// What the bytes of a certificate or key say of themselves is added where the caller says nothing. A certificate has
    /// to be one; a key may be any bytes, as symmetric keys are.
    func newItem() throws(KeychainError) -> NewItem {
        guard itemClass != .identity else {
            throw KeychainError(.unimplemented, "an identity is added by kSecValueRef, or as certificate and key")
        }
        var item = NewItem(itemClass)
        item.attributes = attributes.merging(try inferred()) { given, _ in given }
        if synchronizable?.isTrue == true { item.attributes[.synchronizable] = .number(1) }
        if let secret { item.secret = try Secret(of: secret) }
        return item
    }

    /// The query of one part of an identity.
    func part(_ object: ItemObject) -> Query {
        var part = self
        part.itemClass = object.itemClass
        part.object = object
        part.secret = object.data
        let table = AttributeTable.of(object.itemClass)
        part.attributes = object.itemAttributes.merging(attributes.filter { table[$0.key] != nil }) { $1 }
        return part
    }

    private func inferred() throws(KeychainError) -> Attributes {
        guard let secret, object == nil else { return [:] }
        switch itemClass {
        case .certificate:
            guard let fields = CertificateFields(der: secret.byteArray) else { throw .noCertificate }
            return fields.itemAttributes
        case .key:
            return (try? KeyMaterial(attributes, Data(referencing: secret)))?.itemAttributes ?? [:]
        case .genericPassword, .internetPassword, .identity: return [:]
        }
    }
}
#endif
