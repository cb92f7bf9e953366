import Foundation

final class Client {
    let apiKey: String
    init(apiKey: String) { self.apiKey = apiKey }
}

final class Topic {
    let client: Client
    weak var other: Topic?
    init(client: Client) { self.client = client }
}

struct DisplaySettings: Codable {
    var mode: String
    var key: String
}

final class Store {
    private let names = NSMutableArray()

    func insert(_ topic: Topic) { UserDefaults.standard.set(topic, forKey: "topic") }

    func keep(_ settings: DisplaySettings, _ name: String) throws {
        names.add(name)
        UserDefaults.standard.set(names, forKey: "names")
        UserDefaults.standard.set(try JSONEncoder().encode(settings), forKey: "settings")
    }
}
