// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A wrapper whose name says nothing of where it writes.
final class SecureValue<Value: Codable> {
    let key: String
    var value: Value {
        didSet {
            if let data = try? JSONEncoder().encode(value) { UserDefaults.standard.set(data, forKey: key) }
        }
    }

    init(key: String, initial: Value) {
        self.key = key
        value = initial
    }
}

final class Settings {
    var sharedSecret = SecureValue<String>(key: "sharedSecret", initial: "")  // finds
    var isSecretShown = SecureValue<Bool>(key: "isSecretShown", initial: false)
}
