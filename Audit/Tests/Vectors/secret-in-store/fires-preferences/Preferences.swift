import Foundation

extension UserDefaults {
    private enum Key: String { case apiKey, lastSeen }

    var apiKey: String? {
        get { string(forKey: Key.apiKey.rawValue) }
        set { set(newValue, forKey: Key.apiKey.rawValue) }  // finds
    }
    var lastSeen: Date? {
        get { object(forKey: Key.lastSeen.rawValue) as? Date }
        set { set(newValue, forKey: Key.lastSeen.rawValue) }
    }
}

protocol KeyValueStore { func set(_ value: Any?, forKey key: String) }
extension UserDefaults: KeyValueStore {}

final class Session {
    let store: KeyValueStore
    init(store: KeyValueStore) { self.store = store }

    func keep(accessToken: String) {
        store.set(accessToken, forKey: "session")  // finds
        Defaults[.password] = accessToken  // finds
    }
}
