// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem

/// The engine of SecItem: the keychain of the current home, or of the guard.
struct ItemEngine: Engine {
    func add(_ attributes: CFDictionary, _ result: ResultPointer) -> OSStatus {
        unsafe Answer.status("SecItemAdd", result) { items throws(KeychainError) in
            try ItemFunctions(items).add(attributes)
        }
    }

    func copyMatching(_ query: CFDictionary, _ result: ResultPointer) -> OSStatus {
        unsafe Answer.status("SecItemCopyMatching", result) { items throws(KeychainError) in
            try ItemFunctions(items).copyMatching(query)
        }
    }

    func update(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
        unsafe Answer.status("SecItemUpdate", nil) { items throws(KeychainError) in
            try ItemFunctions(items).update(query, attributesToUpdate)
            return nil
        }
    }

    func delete(_ query: CFDictionary) -> OSStatus {
        unsafe Answer.status("SecItemDelete", nil) { items throws(KeychainError) in
            try ItemFunctions(items).delete(query)
            return nil
        }
    }

    func accessControl(
        _ protection: CFTypeRef, flags: SecAccessControlCreateFlags, error: ErrorPointer
    ) -> SecAccessControl? {
        let conflict = AccessConstraints(rawValue: UInt64(flags.rawValue)).conflict
        if conflict == nil, case .text(let code) = ReadValue(protection), Accessibility(rawValue: code) != nil {
            return SecAccessControl(protection: code, flags: flags)
        }
        unsafe error.fail(errSecParam, conflict ?? "the protection is none of the kSecAttrAccessible values")
        return nil
    }

    func message(of status: OSStatus) -> String {
        let code = KeychainError.Code(rawValue: status)
        return code.name == nil ? "OSStatus \(status)" : code.meaning
    }
}
#endif
