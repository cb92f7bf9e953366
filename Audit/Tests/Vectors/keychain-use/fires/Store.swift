import Security

struct Store {
    func keep(_ query: [String: Any]) -> Bool {
        SecItemUpdate(query as CFDictionary, query as CFDictionary)  // finds
        return true
    }

    func add(_ item: [String: Any]) -> Bool {
        SecItemAdd(item as CFDictionary, nil) == errSecSuccess  // finds
    }

    func wipe(_ query: [String: Any]) {
        SecItemDelete(query as CFDictionary)  // finds
    }

    func query(_ account: String) -> [String: Any] {
        var query: [String: Any] = [kSecAttrAccount as String: account]
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAlways  // finds
        query[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(  // finds
            nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        return query
    }
}
