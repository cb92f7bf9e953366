import Security

struct MigrationFromAlways {
    func oldQuery() -> [String: Any] {
        [kSecAttrAccessible as String: kSecAttrAccessibleAlways]
    }

    func control() throws -> SecAccessControl {
        var error: Unmanaged<CFError>?
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error)
        else {
            throw Failure()
        }
        return control
    }
}
