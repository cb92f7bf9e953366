// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases

extension PreferencesStore: KeyRewrapper {
    var name: String { domain == .device ? "settings of the app" : "preferences" }
    var place: String { domain.fileName }

    /// The store key alone stands under a class key.
    func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        if try database.isRewrapped() { return false }
        return try database.write { access in
            if let old = try wrappedKey(access.reading), keybag.isRetired(old.classKeyID) {
                let new = try keybag.wrap(try keybag.unwrap(old), for: domain.keyClass)
                _ = try access.execute(
                    "UPDATE store SET class_key = ?, wrapped = ? WHERE id = 0",
                    [.bits(new.classKeyID.value), .blob(new.bytes)])
                access.purgeAfterCommit()
            }
            access.noteNoRetiredKey()
            return false
        }
    }

    func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        try database.write { access in
            guard let wrapped = try wrappedKey(access.reading), keybag.isRetired(wrapped.classKeyID) else { return [] }
            return [wrapped.classKeyID]
        }
    }

    /// What a change of the passcode left under a retired key. Whatever keeps it from going through now, the next one goes on.
    func rewrapWhenOpened() {
        keybag.settleRetiredKeys { try database.isRewrapped() }
    }
}
