import Security
import UIKit

enum Keychain {
    static func save(_ data: Data, for key: String) -> OSStatus {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key, kSecValueData: data] as CFDictionary
        SecItemDelete(query)
        return SecItemAdd(query, nil)
    }

    static func add(_ data: Data, for key: String) throws {
        guard save(data, for: key) == errSecSuccess else { throw CocoaError(.coderInvalidValue) }
    }
}

class LoginController: UIViewController {
    func keep(_ token: Data) -> Bool { Keychain.save(token, for: "token") == errSecSuccess }

    func keepLater(_ token: Data) throws {
        let status = Keychain.save(token, for: "token")
        if status != errSecSuccess { print("not kept: \(status)") }
        try Keychain.add(token, for: "token")
    }
}
