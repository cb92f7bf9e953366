// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem
import SecretMemory

/// Reads the dictionary of changes. Every key here is an attribute, except the secret; all others, even those that mean
/// something in a query, answer errSecNoSuchAttr.
enum ChangesReader {
    static func read(_ entries: Entries, of itemClass: ItemClass) throws(KeychainError) -> ItemChanges {
        let table = AttributeTable.of(itemClass)
        if entries.hasNumericKey { throw KeychainError(.parameter, "a key of the changes is not a string") }
        var changes = ItemChanges()
        for (key, value) in entries.values where !ignored.contains(key) && key != Key.accessControl {
            try read(key, value: value, table: table, into: &changes)
        }
        if let control = try accessControl(entries) {
            let isSynchronizable = entries[Key.synchronizable]?.isTrue == true
            try control.move(into: &changes.attributes, synchronizable: isSynchronizable)
        }
        return changes
    }

    private static let ignored = [Key.dataProtectionFlag, Key.user]

    private static func read(
        _ key: String, value: ReadValue, table: AttributeTable, into changes: inout ItemChanges
    ) throws(KeychainError) {
        switch (key, value) {
        case (Key.valueData, .data(let data)): changes.secret = try Secret(of: data)
        case (Key.valueData, _): throw KeychainError(.parameter, "kSecValueData takes data")
        case (Key.reference, _): throw KeychainError(.parameter, "an item can't become another one")
        case (Key.sharingGroup, _): throw KeychainError(.parameter, "the sharing group of an item can't be changed")
        case (Key.synchronizable, .text(Key.synchronizableAny)): break
        default:
            let name = AttributeName(key)
            changes.attributes[name] = try table.coerce(value.given, for: name)
        }
    }

    private static func accessControl(_ entries: Entries) throws(KeychainError) -> SecAccessControl? {
        guard let value = entries[Key.accessControl] else { return nil }
        guard case .other(let object) = value, let control = object as? SecAccessControl else {
            throw KeychainError(.parameter, "kSecAttrAccessControl takes a SecAccessControl")
        }
        return control
    }
}
#endif
