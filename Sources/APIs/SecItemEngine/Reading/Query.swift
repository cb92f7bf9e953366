// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainEngine
import LocalAuthentication
import LocalAuthenticationEngine
import Readers
import SecItem
import SecretMemory
import SecurityTypes

/// A parsed dictionary, for add, copy, update and delete.
struct Query {
    /// The number of items to find.
    enum Limit: Equatable {
        case all
        case atMost(Int)
    }

    var itemClass: ItemClass
    var attributes: Attributes = [:]
    /// nil: not given. `kSecAttrSynchronizableAny` is `.any`.
    var synchronizable: ItemQuery.Synchronizable?
    var accessControl: SecAccessControl?
    var persistentReference: PersistentReference?
    var secret: NSData?
    /// Whether text is accepted as a secret.
    var takesText = false
    var requested: ResultRequest = []
    var limit: Limit?
    /// The number of match keys, including the limit.
    var matchCount = 0
    var hostOrSubdomain: String?
    /// Conditions that only certificates and identities meet.
    var certificateMatch = CertificateMatch()
    /// The object that represents the item.
    var object: ItemObject?
    var includesTombstones = false
    /// Whether the user may be prompted.
    var mayAsk = true
    /// Whether items that require a prompt are left out.
    var skipsGuarded = false
    /// The reason shown in the prompt.
    var reason: String?
    var context: LAContext?

    /// How the user is prompted.
    var prompt: PersonPrompt {
        var prompt = PersonPrompt(context?.authentication, reason: reason)
        // An app's subclass may forbid interaction itself.
        prompt.isAllowed = mayAsk && context?.interactionNotAllowed != true
        return prompt
    }

    /// How the user is prompted when a TPM key is used: each time again, unless the caller's context keeps
    /// the authentication.
    var laterPrompt: @Sendable () -> PersonPrompt {
        let (authentication, reason) = (context?.authentication, reason)
        let isAllowed = prompt.isAllowed
        return {
            var prompt = PersonPrompt(authentication, reason: reason)
            prompt.isAllowed = isAllowed
            return prompt
        }
    }

    /// Whether it has attributes, for the rule that a persistent reference excludes them.
    var namesAttributes: Bool {
        if case .exactly = synchronizable { return true }
        return !attributes.isEmpty || includesTombstones
    }
}

extension Entries {
    /// The class of the items: that of the class key if it is a string, otherwise of a persistent reference, otherwise
    /// of an object.
    ///
    /// Errors: errSecParam if none is given; errSecNoSuchClass for an unknown one, or for a persistent reference of
    /// another class.
    func itemClass() throws(KeychainError) -> ItemClass {
        var named: String?
        if case .text(let text) = values[Key.itemClass] { named = text }
        var referenced: String?
        if case .data(let data) = values[Key.persistentReference] {
            referenced = PersistentReference(bytes: data.byteArray)?.itemClass?.rawValue
        }
        var object: String?
        if case .other(let value) = values[Key.reference] { object = ItemObject(value)?.itemClass.rawValue }
        guard let name = named ?? referenced ?? object else {
            throw KeychainError(.parameter, "the dictionary does not say the class of the item (kSecClass)")
        }
        guard let itemClass = ItemClass(rawValue: name), referenced == nil || referenced == name else {
            throw KeychainError(.noSuchClass, "there is no such item class, or the persistent reference is of another")
        }
        return itemClass
    }
}

extension Query {
    /// The new item that a dictionary describes.
    ///
    /// Attributes that the caller doesn't give come from the bytes of a certificate or key. A certificate's bytes must
    /// be valid; a key may be any bytes, as symmetric keys are.
    func newItem() throws(KeychainError) -> ItemRecord {
        guard itemClass != .identity else {
            throw KeychainError(.unimplemented, "an identity is added by kSecValueRef, or as certificate and key")
        }
        var item = ItemRecord(itemClass)
        item.attributes = attributes.merging(try inferred()) { given, _ in given }
        if synchronizable?.isTrue == true { item.attributes[.synchronizable] = .number(1) }
        if let key = object?.tpmKey, itemClass == .key {
            item.secret = try key.item()
        } else if let secret {
            item.secret = try Secret(of: secret)
        }
        return item
    }

    /// The query for one part of an identity.
    func part(_ object: ItemObject) -> Query {
        var part = self
        part.itemClass = object.itemClass
        part.object = object
        part.secret = object.tpmKey == nil ? object.data : nil
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
        case .genericPassword, .internetPassword, .identity, .syncRecord: return [:]
        }
    }
}
#endif
