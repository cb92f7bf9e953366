// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import Synchronization
import UserPreferences

/// The stores of a home, opened so that they rewrap what is under retired keys, and say which keys they need.
enum HomeStores {
    private static let kept = Mutex<[ProtectedFileStore]>([])

    /// Has retired keys removed that an interrupted rotation, or one while locked, left.
    static func settle(_ home: Home) {
        if home.keybag.hasKeysToSettle { open(home) }
    }

    /// Those that the home has; none is made. One that can't be opened counts as needing every key.
    static func open(_ home: Home) {
        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(home.folder)/\(name)") }
        if has("keychain.db") { _ = try? KeychainDoctor(home: home).purge() }
        if has("preferences.db") { _ = try? Preferences(home: home) }
        if has("device.db") { _ = try? Preferences(home: home, domain: .device) }
        _ = try? AccessLog.of(home)
        // Nothing is made by it, and it knows whether its list was lost.
        kept.withLock { $0.append(ProtectedFileStore(home: home)) }
        // All of them can be asked now.
        home.keybag.settleRetiredKeys { true }
    }
}
