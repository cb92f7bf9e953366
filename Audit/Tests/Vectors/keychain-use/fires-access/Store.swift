import Security

func keep(_ secret: Data) throws {
    let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)  // finds
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrAccessControl as String: access as Any,
        kSecValueData as String: secret,
    ]
    try check(SecItemAdd(query as CFDictionary, nil), orDuplicate: errSecDuplicateItem)
}

func keepOpen(_ secret: Data) throws {
    guard let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil) else { return }  // finds
    let query: [String: Any] = [
        kSecAttrAccessControl as String: access,
        kSecAttrSynchronizable as String: true,  // finds
        kSecValueData as String: secret,
    ]
    try check(SecItemAdd(query as CFDictionary, nil), orDuplicate: errSecDuplicateItem)
}
