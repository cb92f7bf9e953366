import Foundation

enum Groups { static let own = "group.org.example.application" }

func keep(_ name: String) {
    UserDefaults(suiteName: Groups.own)?.set(name, forKey: "name")  // finds
}
