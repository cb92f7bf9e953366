import Foundation

enum Keeper {
    enum Keys: String { case refreshToken, theme }

    static func save<T>(_ value: T, for key: Keys) {
        UserDefaults.standard.set(value, forKey: key.rawValue)  // finds
    }

    static var password: String? {
        get { UserDefaults.standard.string(forKey: #function) }
        set { UserDefaults.standard.set(newValue, forKey: #function) }  // finds
    }
}

func keep(_ text: String) { Keeper.save(text, for: .refreshToken) }
