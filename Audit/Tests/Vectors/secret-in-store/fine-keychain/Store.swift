// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The same wrapper as the one that fires, over the keychain.
final class SecureValue {
    let key: String
    var value: String {
        didSet {
            SecItemAdd([kSecAttrAccount: key, kSecValueData: Data(value.utf8)] as [CFString: Any] as CFDictionary, nil)
        }
    }

    init(key: String) {
        self.key = key
        value = ""
    }
}

final class Settings {
    var sharedSecret = SecureValue(key: "sharedSecret")
}
