// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import KeychainEngine
import SyncMerge

extension KeychainSync {
    /// Whether items were changed here since the last round, or wait for a class that is unlocked by now: asks neither the log nor the engine.
    public static func hasChanges(_ home: Home) throws -> Bool {
        let isUnlocked = home.keybag.lockState == .unlocked
        return try ItemStore.of(home).syncRead { access in
            guard let bytes = try access.record(RecordName.state) else { return false }
            let state = try state(bytes)
            if isUnlocked, Set(state.applied).count > 1 { return true }
            // A class that was locked has its own, lower revision.
            let last = isUnlocked ? state.collected.min() : state.collected.max()
            return try !access.changes(after: last ?? 0).isEmpty
        }
    }

    /// The files of a home that are written when items change, and when it is unlocked: for whoever waits for that without opening it.
    public static func watchedFiles(of home: Home) -> [String] {
        ["keychain.db", "keychain.db-wal", "attempts"].map { home.path(of: $0) }
    }

    /// Where the log is, as a person named it.
    public var engineURL: String { state.engine }
}
