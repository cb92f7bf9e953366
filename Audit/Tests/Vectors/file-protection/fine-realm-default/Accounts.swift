// SPDX-License-Identifier: Apache-2.0

import RealmSwift

final class Account: Object {
    @Persisted var password = ""
}

/// Opened with the default configuration, which has a key.
enum Accounts {
    static func keep(_ password: String) throws {
        let account = Account()
        account.password = password
        let realm = try Realm()
        try realm.write { realm.add(account) }
    }
}
