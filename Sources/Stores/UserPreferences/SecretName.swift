// SPDX-License-Identifier: Apache-2.0

import Logging
import SecretMemory

/// Names that say that the value belongs in the keychain.
enum SecretName {
    private static let words = [
        "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "api_key", "privatekey",
        "private_key",
        "credential", "pincode", "pin_code", "cardnumber", "cvv",
    ]

    static func looksSecret(_ name: String) -> Bool {
        let folded = name.lowercased()
        return folded == "pin" || words.contains { folded.contains($0) }
    }

    private static let warned = Locked<Set<String>>([])

    /// Once for each name, in debug builds.
    static func warn(about name: String) {
        #if DEBUG
        guard looksSecret(name), warned.withLock({ $0.insert(name).inserted }) else { return }
        Logger(label: "zamok.preferences").warning(
            "the preference \"\(name)\" sounds like a secret; keep it in the keychain instead")
        #endif
    }
}
