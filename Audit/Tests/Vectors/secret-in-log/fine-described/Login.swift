import FirebaseAnalytics
import Foundation

struct Account: CustomStringConvertible {
    var name: String
    var password: String
    var description: String { name }
}

final class Login {
    func send(_ name: String, password: String, account: Account) {
        Analytics.logEvent("login", parameters: ["name": name, "long": password.count])
        print("account \(account)")
        var request = URLRequest(url: URL(string: "https://example.com/session")!)
        request.httpBody = password.data(using: .utf8)
        print("sends \(request)")
        Log.info("uses \(private: password)")
        let status = SecItemAdd([kSecClass: kSecClassGenericPassword, kSecValueData: password] as CFDictionary, nil)
        print("kept: \(status)")
    }
}
