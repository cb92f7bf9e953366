// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import SecretMemory
import UserPreferences

/// Opens the stores of a home, so that they rewrap keys under retired class keys, and report which of these they need.
enum HomeStores {
    private static let kept = Locked<[ProtectedFileStore]>([])

    /// Removes retired keys that an interrupted rotation, or a rotation while locked, left.
    static func settle(_ home: Home) {
        if home.keybag.hasKeysToSettle { open(home) }
    }

    /// Opens the existing stores, and creates none. A store that can't be opened counts as needing every key.
    static func open(_ home: Home) {
        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(home.folder)/\(name)") }
        if has("keychain.db") { _ = try? KeychainDoctor(home: home).purge() }
        if has("preferences.db") { _ = try? Preferences(home: home) }
        if has("device.db") { _ = try? Preferences(home: home, domain: .device) }
        _ = try? AccessLog.of(home)
        // Creates nothing, and knows whether its list was lost.
        kept.withLock { $0.append(ProtectedFileStore(home: home)) }
        home.keybag.settleIfAllStoresAreOpen()
    }
}
