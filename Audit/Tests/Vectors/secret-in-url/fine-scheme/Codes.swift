final class Codes {
    func uri(secret: String) -> String { "otpauth://totp/Example?secret=\(secret)" }
    func link(token: String) -> URL? { URL(string: "exampleapp://open?token=\(token)") }
    func message(password: String) -> String { "Your password/PIN is \(password)" }
    func path(accessToken: String) -> String { documentsFolder + "/" + "tokens.json" }
}
