// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine

/// Examines and repairs the stored items of a home. Nothing is repaired unless asked for, and never without a copy.
public struct KeychainDoctor: Sendable {
    private let home: Home

    /// For the items of `home`.
    public init(home: Home) { self.home = home }

    /// Opens every item and checks that everything agrees; changes nothing. What is locked is counted, not
    /// examined.
    /// Errors: `.notAvailable` (also: the keybag is older than the items, see ``acceptRestoredCopy()``), `.damaged`,
    /// `.invalidKeychain` (newer format), `.inputOutput`.
    public func examine() throws(KeychainError) -> [KeychainFinding] { try store.examine() }

    /// How many items go for good when the passcode is removed: those of class whenPasscodeSet, and those whose secret asks for it each time. In any lock
    /// state. Errors: `.notAvailable`, `.inputOutput`.
    public func countBoundToPasscode() throws(KeychainError) -> Int { try store.countBoundToPasscode() }

    /// Removes damaged items, after the whole keychain was copied to a file beside it. Unlock first: while locked a
    /// damaged secret can't be recognised.
    /// - Parameter includingDestroyedKeys: Also items whose key does not exist any more.
    ///
    /// Errors: `.locked` (before the first unlock), `.diskFull`, `.inputOutput`.
    public func removeDamaged(includingDestroyedKeys: Bool = false) throws(KeychainError) -> KeychainRepair {
        try store.removeDamaged(in: home, includingDestroyedKeys: includingDestroyedKeys)
    }

    /// Files every item under its own index entries again, after the whole keychain was copied to a file beside it.
    /// Errors: `.locked` (before the first unlock), `.duplicateItem` (two items of one identity), `.diskFull`,
    /// `.inputOutput`.
    public func rebuildIndex() throws(KeychainError) -> KeychainRepair { try store.rebuildIndex(in: home) }

    /// Removes from the log deleted items that readers kept there; false: they still do. Errors: `.diskFull`,
    /// `.inputOutput`.
    public func purge() throws(KeychainError) -> Bool { try store.purge() }

    /// Accepts that a copy was put back and the keybag is older than the items. Items under keys that this keybag does not
    /// know are lost (`.keyDestroyed`); the others are readable again. Errors: those of opening a keychain, except this
    /// one.
    public func acceptRestoredCopy() throws(KeychainError) {
        do { _ = try ItemStore(home, acceptingRestoredCopy: true) } catch { throw KeychainError(error) }
    }

    private var store: ItemStore { get throws(KeychainError) { try ItemStore.of(home) } }
}
