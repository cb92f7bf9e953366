// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import SecretMemory
import TestSupport

/// A query or an item, as code for Apple's systems writes it.
typealias Item = [CFString: Any]

/// The item of most tests; without a secret.
var generic: Item {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: "account"]
}

func bytes(_ text: String) -> Data { Data(text.utf8) }

func + (left: Item, right: Item) -> Item { left.merging(right) { $1 } }

/// The four functions, over one home.
struct Functions {
    let home: Home

    func add(_ item: Item) -> OSStatus { Home.withCurrent(home) { SecItemAdd(item as CFDictionary, nil) } }

    func status(_ query: Item) -> OSStatus {
        Home.withCurrent(home) { SecItemCopyMatching(query as CFDictionary, nil) }
    }

    func find(_ query: Item) -> (status: OSStatus, object: CFTypeRef?) {
        Home.withCurrent(home) {
            var object: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &object)
            return (status, object)
        }
    }

    func update(_ query: Item, _ changes: Item) -> OSStatus {
        Home.withCurrent(home) { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
    }

    func delete(_ query: Item) -> OSStatus { Home.withCurrent(home) { SecItemDelete(query as CFDictionary) } }

    func data(_ query: Item) -> Data? { find(query + [kSecReturnData: true]).object as? Data }

    func list(_ query: Item) -> [Any]? {
        find(query + [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]).object as? [Any]
    }
}

func accessControl(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, flags, nil)
}
