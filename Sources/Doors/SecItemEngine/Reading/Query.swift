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

/// A dictionary that was read, for add, copy, update and delete.
struct Query {
    /// How many items are wanted.
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
    /// Whether a text counts as a secret.
    var takesText = false
    var requested: ResultRequest = []
    var limit: Limit?
    /// How many match keys there are, the limit included.
    var matchCount = 0
    var hostOrSubdomain: String?
    /// Conditions that only certificates and identities meet.
    var certificateMatch = CertificateMatch()
    /// The object that the item was given as.
    var object: ItemObject?
    var includesTombstones = false
    /// Whether a person may be asked.
    var mayAsk = true
    /// Whether items that would ask are left out.
    var skipsGuarded = false
    /// Why a person is asked.
    var reason: String?
    var context: LAContext?

    /// How a person is asked.
    var prompt: PersonPrompt {
        var prompt = PersonPrompt(context?.authentication, reason: reason)
        // A subclass of the app's may forbid it itself.
        prompt.isAllowed = mayAsk && context?.interactionNotAllowed != true
        return prompt
    }

    /// How a person is asked when a key in a chip is used: anew each time, unless the caller's context keeps the answer.
    var laterPrompt: @Sendable () -> PersonPrompt {
        let (authentication, reason) = (context?.authentication, reason)
        let isAllowed = prompt.isAllowed
        return {
            var prompt = PersonPrompt(authentication, reason: reason)
            prompt.isAllowed = isAllowed
            return prompt
        }
    }

    /// Whether it has attributes in the sense of the rule that a persistent reference stands alone.
    var namesAttributes: Bool {
        if case .exactly = synchronizable { return true }
        return !attributes.isEmpty || includesTombstones
    }
}

extension Entries {
    /// The class of the items: given by the class key if that is a string, otherwise by a persistent reference, otherwise by
    /// an object.
    ///
    /// Errors: errSecParam when none gives it; errSecNoSuchClass for an unknown one, or when two disagree.
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
    /// The item that a dictionary describes.
    ///
    /// Attributes that the caller doesn't give are taken from the bytes of a certificate or key. A certificate has
    /// to be one; a key may be any bytes, as symmetric keys are.
    func newItem() throws(KeychainError) -> NewItem {
        guard itemClass != .identity else {
            throw KeychainError(.unimplemented, "an identity is added by kSecValueRef, or as certificate and key")
        }
        var item = NewItem(itemClass)
        item.attributes = attributes.merging(try inferred()) { given, _ in given }
        if synchronizable?.isTrue == true { item.attributes[.synchronizable] = .number(1) }
        if let key = object?.chipKey, itemClass == .key {
            item.secret = try key.item()
        } else if let secret {
            item.secret = try Secret(of: secret)
        }
        return item
    }

    /// The query of one part of an identity.
    func part(_ object: ItemObject) -> Query {
        var part = self
        part.itemClass = object.itemClass
        part.object = object
        part.secret = object.chipKey == nil ? object.data : nil
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
