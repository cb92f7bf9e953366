// SPDX-License-Identifier: Apache-2.0

import RealmSwift

enum Start {
    static func prepare(_ key: Data) {
        Realm.Configuration.defaultConfiguration = Realm.Configuration(encryptionKey: key)
    }
}
