import Security

final class Store {
    func save(_ item: [String: Any], _ change: [String: Any]) throws {
        if exists(item) {
            guard SecItemUpdate(item as CFDictionary, change as CFDictionary) == errSecSuccess else { throw Failure() }
        } else {
            guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else { throw Failure() }
        }
    }

    private func exists(_ item: [String: Any]) -> Bool {
        SecItemCopyMatching(item as CFDictionary, nil) == errSecSuccess
    }
}
