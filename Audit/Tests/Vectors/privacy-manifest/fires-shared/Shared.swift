import Foundation

enum Shared {
    static let suite = "group.com.example.app"

    static func remember(_ name: String) {
        UserDefaults(suiteName: suite)?.set(name, forKey: "name")  // finds
    }
}
