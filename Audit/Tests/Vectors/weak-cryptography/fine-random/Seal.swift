import CryptoSwift

final class Sealer {
    func seal(_ note: String) throws -> [UInt8] {
        let iv = AES.randomIV(AES.blockSize)
        return iv + (try AES(key: key(), blockMode: CBC(iv: iv), padding: .pkcs7).encrypt(note.bytes))
    }

    func sealOther(_ note: Data, key: Data) -> Int32 {
        var iv = [UInt8](repeating: 0, count: 16)
        _ = SecRandomCopyBytes(kSecRandomDefault, iv.count, &iv)
        return CCCrypt(CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding), key, 32, iv, note, note.count, nil, 0, nil)
    }

    /// What an older version wrote.
    func decryptOld(_ box: [UInt8]) throws -> [UInt8] {
        try AES(key: key(), blockMode: ECB(), padding: .pkcs7).decrypt(box)
    }

    func makeKey() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: 0...255) } }
    func shake() -> Int32 { rand() % 10 }
    func keyframe() -> Double { drand48() }
}
