import Security

struct Store {
    func add(_ item: [String: Any]) -> OSStatus {
        SecItemAdd(item as CFDictionary, nil)
    }

    func replace(_ item: [String: Any]) throws {
        SecItemDelete(item as CFDictionary)
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure(status) }
    }

    func keep(_ item: [String: Any], _ change: [String: Any]) -> Bool {
        var status = SecItemAdd(item as CFDictionary, nil)
        if status == errSecDuplicateItem { status = SecItemUpdate(item as CFDictionary, change as CFDictionary) }
        return status == errSecSuccess
    }
}
