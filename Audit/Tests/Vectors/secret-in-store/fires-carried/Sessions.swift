import Foundation

final class UserSession: NSObject, NSCoding {
    let token: String
    init(token: String) { self.token = token }
    required init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) { coder.encode(token, forKey: "token") }
}

struct CipherSettings: Codable {
    var mode: String
    var key: String
}

final class Sessions {
    private let sessions = NSMutableOrderedSet()
    private var backup: [UserSession] = []

    func add(_ session: UserSession) {
        sessions.insert(session, at: 0)
        UserDefaults.standard.set(NSKeyedArchiver.archivedData(withRootObject: sessions), forKey: "all")  // finds
    }

    func received(_ data: Data) {
        guard let session = NSKeyedUnarchiver.unarchiveObject(with: data) as? UserSession else { return }
        UserDefaults.standard.set(data, forKey: "last")  // finds
        backup.append(session)
    }

    func save() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: backup, requiringSecureCoding: true)
        UserDefaults.standard.set(data, forKey: "backup")  // finds
    }

    func keep(_ settings: CipherSettings) throws {
        UserDefaults.standard.set(try JSONEncoder().encode(settings), forKey: "settings")  // finds
    }
}
