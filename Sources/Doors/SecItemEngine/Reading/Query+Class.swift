// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import KeychainEngine
import SecItem

extension Entries {
    /// The class of the items meant: said by the class key if that is a string, else by a persistent reference, else by
    /// an object.
    ///
    /// Errors: errSecParam when neither says it; errSecNoSuchClass for an unknown one, or when the two disagree.
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
#endif
