// SPDX-License-Identifier: Apache-2.0

/// A store that keeps keys wrapped under class keys. It registers with the keybag, which knows no store by name.
package protocol KeyRewrapper: AnyObject, Sendable {
    /// The name for messages: "keychain", "preferences".
    var name: String { get }

    /// The file in the home's folder that shows that such a store exists: "keychain.db", "stores/files".
    var fileInHome: String { get }

    /// Rewraps under current keys what is wrapped under retired ones (`Keybag.isRetired`), as far as the lock
    /// state allows. Resumable: the next call continues after an interruption. Returns whether anything is left
    /// under a retired key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool

    /// The retired keys under which something is or may be wrapped, including what other processes are writing now. Too
    /// many do no harm. Throws if they can't be determined (locked, damaged, missing); then the store counts as needing
    /// all of them.
    func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID>

    /// Whether the store rewraps only on request: neither when the passcode changes nor before keys are removed without
    /// a request. Such a store has much to read and write, and retains its keys with `Keybag.rememberFile`.
    var rewrapsOnRequestOnly: Bool { get }
}

extension KeyRewrapper {
    package var rewrapsOnRequestOnly: Bool { false }
}

/// A weak reference to a store.
struct WeakRewrapper: Sendable {
    weak var value: (any KeyRewrapper)?
}
