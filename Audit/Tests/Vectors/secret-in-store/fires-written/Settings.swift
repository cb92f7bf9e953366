// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Nothing but what it is given says that it is a secret.
final class Settings {
    static let shared = Settings()

    var held = "" {
        didSet { UserDefaults.standard.set(held, forKey: "held") }  // finds
    }
}
