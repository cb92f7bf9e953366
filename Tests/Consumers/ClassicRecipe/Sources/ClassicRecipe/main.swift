// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// The recipe that every introduction to the keychain gives: add, find, update, delete.

let account = "Full Name"
let service = "https://example.org"

func check(_ status: OSStatus, _ expected: OSStatus, _ step: String) {
    guard status == expected else {
        let message = SecCopyErrorMessageString(status, nil) as String? ?? ""
        print("\(step): \(status) \(message)")
        exit(1)
    }
    print("\(step): \(status)")
}

let item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: service,
    kSecAttrAccount as String: account,
    kSecValueData as String: Data("first secret".utf8),
]
SecItemDelete([kSecClass as String: kSecClassGenericPassword] as CFDictionary)
check(SecItemAdd(item as CFDictionary, nil), errSecSuccess, "add")
check(SecItemAdd(item as CFDictionary, nil), errSecDuplicateItem, "add again")

let query: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword,
    kSecAttrService as String: service,
    kSecMatchLimit as String: kSecMatchLimitOne,
    kSecReturnAttributes as String: true,
    kSecReturnData as String: true,
]
var found: CFTypeRef?
check(SecItemCopyMatching(query as CFDictionary, &found), errSecSuccess, "find")
guard
    let existing = found as? [String: Any],
    let data = existing[kSecValueData as String] as? Data,
    String(data: data, encoding: .utf8) == "first secret",
    existing[kSecAttrAccount as String] as? String == account
else {
    print("find: something else came back")
    exit(1)
}

let which: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service]
let changes: [String: Any] = [kSecValueData as String: Data("second secret".utf8)]
check(SecItemUpdate(which as CFDictionary, changes as CFDictionary), errSecSuccess, "update")
check(SecItemDelete(which as CFDictionary), errSecSuccess, "delete")
check(SecItemCopyMatching(query as CFDictionary, &found), errSecItemNotFound, "find after delete")

let store = TokenStore(service: "tokens")
store.wipe()
check(store.set("first"), errSecSuccess, "set")
check(store.set("second"), errSecSuccess, "set again")
let sealed = OlderKeys.sealed(Data("message".utf8))
guard store.isThere(), OlderKeys.signed([UInt8](repeating: 7, count: 32)), sealed == Data("message".utf8) else {
    print("one of the functions beside those for items fails")
    exit(1)
}
store.wipe()

let failed = helpersThatFail()
guard failed.isEmpty else {
    print("helpers that fail: \(failed.joined(separator: ", "))")
    exit(1)
}
