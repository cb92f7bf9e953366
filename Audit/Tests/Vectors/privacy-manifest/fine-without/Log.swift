import Foundation

struct LogFile {
    var isLarge: Bool { UserDefaults.standard.bool(forKey: "large") }
    var age: TimeInterval { ProcessInfo.processInfo.systemUptime }
}
