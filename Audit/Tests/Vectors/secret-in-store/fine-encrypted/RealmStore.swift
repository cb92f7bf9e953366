// SPDX-License-Identifier: Apache-2.0

import RealmSwift

final class Login: Object {
    @Persisted var password: String = ""
}

func open(key: Data) throws -> Realm {
    try Realm(configuration: Realm.Configuration(encryptionKey: key))
}

func keep(_ password: String, in realm: Realm) throws {
    let login = Login()
    login.password = password
    try realm.write { realm.add(login) }
}
