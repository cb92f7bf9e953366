import Foundation

struct AuthToken { var identifier: Data; var secretKey: String }

extension UserDefaults {
    func saveIdentifiers(_ identifiers: [Data]) { set(identifiers, forKey: "order") }
}

final class Store {
    var authTokens: [AuthToken] = []
    func save() { UserDefaults.standard.saveIdentifiers(authTokens.map { $0.identifier }) }
}
