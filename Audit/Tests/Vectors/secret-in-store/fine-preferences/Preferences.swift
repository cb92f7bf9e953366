import Foundation

protocol KeyValueStore { func set(_ value: Any?, forKey key: String) }
final class KeychainStore: KeyValueStore {
    func set(_ value: Any?, forKey key: String) { keychain.save(value, key) }
}

final class Session {
    let store: KeyValueStore
    init(store: KeyValueStore) { self.store = store }

    func keep(accessToken: String) {
        store.set(accessToken, forKey: "session")
        Defaults[.hasPassword] = !accessToken.isEmpty
        Defaults[.lastUser] = "nobody"
    }
}
