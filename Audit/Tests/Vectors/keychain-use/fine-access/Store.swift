import Security

func keep(_ secret: Data) throws {
    var error: Unmanaged<CFError>?
    guard let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error) else {
        throw error!.takeRetainedValue()
    }
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrAccessControl as String: access,
        kSecAttrSynchronizable as String: false,
        kSecValueData as String: secret,
    ]
    try check(SecItemAdd(query as CFDictionary, nil), orDuplicate: errSecDuplicateItem)
}

func find() -> OSStatus {
    SecItemCopyMatching([kSecAttrSynchronizable as String: kSecAttrSynchronizableAny, kSecAttrAccount as String: "a"] as CFDictionary, nil)
}
