// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import KeychainEngine
import SyncMerge

extension KeychainSync {
    /// Whether items were changed here since the last round, or wait for a class that is unlocked by now. Asks neither
    /// the log nor the engine. Waits for a change that is being written.
    /// - Throws: `.itemNotFound` if the home is in no account.
    public static func hasChanges(_ home: Home) throws -> Bool {
        let isUnlocked = home.keybag.lockState == .unlocked
        let (hasItems, chosen) = try ItemStore.of(home).syncRead(afterWriters: true) {
            (access: SyncAccess) throws -> (Bool, PreferenceDomains?) in
            guard let bytes = try access.record(RecordName.state) else { throw noAccount }
            let state = try state(bytes)
            let chosen = try domains(access)
            if isUnlocked, Set(state.applied).count > 1 { return (true, chosen) }
            // A class that was locked has its own, lower revision.
            let last = isUnlocked ? state.collected.min() : state.collected.max()
            return (try !access.changes(after: last ?? 0).isEmpty, chosen)
        }
        return hasItems || chosen.map { hasChanges($0, home) } ?? false
    }

    /// The name of the watched file that an unlock by passcode writes.
    public static let attemptsFile = "attempts"

    /// The files of a home that change with travelling data, and with an unlock, for a program that watches them
    /// without opening the home.
    /// - Throws: `.locked` before the first unlock.
    public static func watchedFiles(of home: Home) throws -> [String] {
        let chosen = try ItemStore.of(home).syncRead { try domains($0) }
        let preferences = chosen?.isEmpty == false ? ["preferences.db", "preferences.db-wal"] : []
        return (["keychain.db", "keychain.db-wal", attemptsFile] + preferences).map { home.path(of: $0) }
    }

    /// The URL of the log's engine, as the user gave it.
    public var engineURL: String { state.engine }
}
