import CryptoKit

enum Names {
    static func file(for url: URL) -> String { url.absoluteString.md5() }
    static func tag(of data: Data) -> String { SHA256.hash(data: data).description }
    static func avatar(of email: String) -> String { "https://gravatar.example/" + email.lowercased().md5() }
    static func challenge(of verifier: String) -> String { Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString() }
    static func passwordCount(_ list: [String]) -> String { String(list.count).sha1() }
}

/// Asks a service whether a password has leaked, by the beginning of its hash.
final class PwnedPasswords {
    func isLeaked(_ password: String) -> Bool {
        let prefix = Insecure.SHA1.hash(data: Data(password.utf8)).description.prefix(5)
        return ask(String(prefix))
    }
}

enum Signing {
    static func sign(_ body: Data, key: SymmetricKey) -> Data { Data(HMAC<SHA256>.authenticationCode(for: body, using: key)) }
}
