// SPDX-License-Identifier: Apache-2.0

import SwiftKeychainWrapper

extension KeychainWrapper {
    static let app = KeychainWrapper(serviceName: "app")
}

final class Store {
    func keep(_ password: String) {
        KeychainWrapper.app.set(password, forKey: "password")  // finds
    }
}
