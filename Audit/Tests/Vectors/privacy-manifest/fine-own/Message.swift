import Foundation

struct Message {
    let creationDate: Date
    let modificationDate: Date
    let parts: [Part: String]

    enum Part { case text, stat }

    func stat(_ path: String) -> Int { path.count }

    func describe() -> String { "\(creationDate) \(modificationDate) \(stat(parts[.text] ?? ""))" }
}
