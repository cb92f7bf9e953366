import FirebaseAnalytics

struct Account: CustomStringConvertible {
    var name: String
    var password: String
    var description: String { "\(name) \(password)" }
}

final class Login {
    func send(_ name: String, password: String, account: Account) {
        Analytics.logEvent("login", parameters: ["name": name, "word": password])  // finds
        Crashlytics.crashlytics().setCustomValue(password, forKey: "last")  // finds
        print("account \(account)")  // finds
    }
}
