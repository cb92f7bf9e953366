import Foundation

final class Token: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let secret: Data

    init?(coder: NSCoder) {
        secret = coder.decodeObject(forKey: "secret") as? Data ?? Data()
    }

    func encode(with coder: NSCoder) { coder.encode(secret, forKey: "secret") }
}

func read(_ data: Data) throws -> Token? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: Token.self, from: data)
}

func write(_ token: Token) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: false)
}
