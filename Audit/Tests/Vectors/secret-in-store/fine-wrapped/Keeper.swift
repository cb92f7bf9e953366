import Foundation

enum Keeper {
    enum Keys: String { case refreshToken, theme }

    static func save<T>(_ value: T, for key: Keys) { UserDefaults.standard.set(value, forKey: key.rawValue) }

    static var hasPassword: Bool {
        get { UserDefaults.standard.bool(forKey: #function) }
        set { UserDefaults.standard.set(newValue, forKey: #function) }
    }
}

func keep(_ text: String) {
    Keeper.save(text, for: .theme)
    Keeper.save(true, for: .refreshToken)
}
