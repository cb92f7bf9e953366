import Foundation

struct LogFile {
    let attributes: [FileAttributeKey: Any]

    var date: Date? { attributes[.modificationDate] as? Date }
    var age: TimeInterval { ProcessInfo.processInfo.systemUptime }

    func remember() { UserDefaults(suiteName: "group.com.example.app")?.set(true, forKey: "read") }
}
