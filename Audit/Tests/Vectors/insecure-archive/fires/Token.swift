import Foundation

final class Token: NSObject, NSCoding {
    let secret: Data

    init?(coder: NSCoder) {
        secret = coder.decodeObject(forKey: "secret") as? Data ?? Data()  // finds
    }

    func encode(with coder: NSCoder) { coder.encode(secret, forKey: "secret") }
}

func read(_ data: Data) throws -> Token? {
    try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? Token  // finds
}

func write(_ token: Token) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: false)
}

func open(_ unarchiver: NSKeyedUnarchiver) {
    unarchiver.requiresSecureCoding = false  // finds
}
