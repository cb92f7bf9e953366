import CoreData
import CryptoKit

struct Accounts {
    let key: SymmetricKey

    func keep(_ account: Account, password: String) throws {
        let box = try AES.GCM.seal(Data(password.utf8), using: key)
        account.password = box.combined
    }
}
