// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine

/// Examines and repairs the stored items of a home. Repairs only on request, and never without a copy.
public struct KeychainDoctor: Sendable {
    private let home: Home

    /// For the items of `home`.
    public init(home: Home) { self.home = home }

    /// Opens every item and checks that everything is consistent. Changes nothing. Locked items are
    /// counted, not examined.
    ///
    /// Errors: `.notAvailable` (also: the keybag is older than the items, see ``acceptRestoredCopy()``), `.damaged`,
    /// `.invalidKeychain` (newer format), `.inputOutput`.
    public func examine() throws(KeychainError) -> [KeychainFinding] { try store.examine() }

    /// The number of items that are lost when the passcode is removed. These are the items of class
    /// `whenPasscodeSet`, and those whose secret requires the passcode each time. Works in any lock state.
    /// Errors: `.notAvailable`, `.inputOutput`.
    public func countBoundToPasscode() throws(KeychainError) -> Int { try store.countBoundToPasscode() }

    /// Removes damaged items, after copying the whole keychain to a file next to it. Unlock first: while locked, a
    /// damaged secret can't be recognised.
    ///
    /// - Parameter includingDestroyedKeys: Also removes items whose key no longer exists.
    ///
    /// Errors: `.locked` (before the first unlock), `.diskFull`, `.inputOutput`.
    public func removeDamaged(includingDestroyedKeys: Bool = false) throws(KeychainError) -> KeychainRepair {
        try store.removeDamaged(in: home, includingDestroyedKeys: includingDestroyedKeys)
    }

    /// Rebuilds the index entries of every item, after copying the whole keychain to a file next to it.
    ///
    /// Errors: `.locked` (before the first unlock), `.duplicateItem` (two items of one
    /// identity), `.diskFull`, `.inputOutput`.
    public func rebuildIndex() throws(KeychainError) -> KeychainRepair { try store.rebuildIndex(in: home) }

    /// Removes deleted items from the log that readers kept there. Returns false if readers still keep them.
    ///
    /// Errors: `.diskFull`, `.inputOutput`.
    public func purge() throws(KeychainError) -> Bool { try store.purge() }

    /// Accepts that a copy was restored and the keybag is older than the items. Items under keys that this keybag
    /// doesn't know are lost (`.keyDestroyed`). The others are readable again.
    ///
    /// Files that don't open are copied before.
    ///
    /// Errors: those of opening a keychain, except this one.
    /// - Returns: The path of the copy; nil if none was made. Its log is beside it.
    @discardableResult
    public func acceptRestoredCopy() throws(KeychainError) -> String? {
        do { return try ItemStore(home, acceptingRestoredCopy: true).copyBeforeAcceptance } catch {
            throw KeychainError(error)
        }
    }

    private var store: ItemStore { get throws(KeychainError) { try ItemStore.of(home) } }
}
