import Security
import UIKit

enum Keychain {
    @discardableResult
    static func save(_ data: Data, for key: String) -> OSStatus {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key, kSecValueData: data] as CFDictionary
        SecItemDelete(query)
        return SecItemAdd(query, nil)
    }
}

class LoginController: UIViewController {
    func keep(_ token: Data) {
        Keychain.save(token, for: "token")  // finds
    }

    func keepLater(_ token: Data) {
        DispatchQueue.global().async { Keychain.save(token, for: "token") }  // finds
    }
}
