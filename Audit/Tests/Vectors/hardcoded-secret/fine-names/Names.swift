import Foundation

enum Key {
    static let password = "EncryptionPassword"
    static let token = "com.example.token"
}

struct Settings {
    let passwordKey = "user_password"
    var password = ""
    let passwordPlaceholder = "Enter your password"
    let pinnedPublicKeyHash = "xmvvalwaPni4IBbhPzFPPMX6JbHlKqua257FmJsWWto="
    let tokenPattern = "token=([a-z0-9]+)"
    let accessToken = "access_token"
}
