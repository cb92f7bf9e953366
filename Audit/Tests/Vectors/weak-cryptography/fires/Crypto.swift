import CommonCrypto
import CryptoKit
import CryptoSwift

final class LoginController: UIViewController {
    let passwordView = InputView()

    func signIn(password: String) {
        let hash = Insecure.MD5.hash(data: Data(password.utf8))  // finds
        send(hash.description)
    }

    func signInByView() {
        send(Digest.md5(self.passwordView.content))  // finds
    }

    func keep(_ entry: String) {
        let password = entry.sha256()  // finds
        send(password)
    }
}

enum Cards {
    static func hashed(pin: String) -> String {
        return pin.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!.sha1()  // finds
    }
}

final class Sealer {
    private let iv: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    private let start: Array<UInt8> = "SixteenBytesLong".bytes

    func seal(_ note: String) throws -> [UInt8] {
        try AES(key: key(), blockMode: CBC(iv: iv), padding: .pkcs7).encrypt(note.bytes)  // finds
    }

    func sealText(_ note: String) throws -> [UInt8] {
        try AES(key: key(), blockMode: CBC(iv: start), padding: .pkcs7).encrypt(note.bytes)  // finds
    }

    func sealBlocks(_ note: String) throws -> [UInt8] {
        try AES(key: key(), blockMode: ECB(), padding: .pkcs7).encrypt(note.bytes)  // finds
    }

    func derive(_ passcode: [UInt8]) throws -> [UInt8] {
        try PKCS5.PBKDF2(password: passcode, salt: Array("salt of the app".utf8), iterations: 100_000).calculate()  // finds
    }

    func makeKey() -> [UInt8] {
        (0..<16).map { _ in UInt8(rand() % 256) }  // finds
    }
}
