import Foundation

enum Groups { static let own = "group.org.example.app" }

func keep(_ name: String) {
    UserDefaults(suiteName: Groups.own)?.set(name, forKey: "name")
}
