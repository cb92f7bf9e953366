import Foundation

struct LogFile {
    let url: URL

    var isLarge: Bool { UserDefaults.standard.bool(forKey: "large") }

    func date() throws -> Date? {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return attributes[.modificationDate] as? Date  // finds
    }

    func isOlder(than other: URL) throws -> Bool {
        try other.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate != nil
    }

    func age() -> TimeInterval { ProcessInfo.processInfo.systemUptime }  // finds
}
