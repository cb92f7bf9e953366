// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// The key for items that ask for the person: under the passcode only, in no holder, got by a prompt each time.
package struct AccessControlKey: ~Copyable, Sendable {
    /// Names the key; items keep it, so that a destroyed key is told from a damaged item.
    package let identifier: ClassKeyID
    private let key: SecretBytes
    /// Keys of before rotations, by identifier.
    private let retired: [ClassKeyID: Secret]

    fileprivate init(_ identifier: ClassKeyID, _ key: consuming SecretBytes, _ retired: [ClassKeyID: Secret]) {
        self.identifier = identifier
        self.key = key
        self.retired = retired
    }

    /// Wraps what the class key wrapped already, or any other key of 32 bytes.
    package borrowing func wrap(_ other: borrowing SecretBytes) throws -> [UInt8] {
        try KeyWrap.wrap(other, under: key)
    }

    /// Errors: `.keyDestroyed` (wrapped under a key that the keybag doesn't hold any more), `.damaged`.
    package borrowing func unwrap(_ wrapped: [UInt8], under identifier: ClassKeyID) throws -> SecretBytes {
        do {
            if identifier == self.identifier { return try KeyWrap.unwrap(wrapped, under: key) }
            guard let former = retired[identifier] else {
                throw DataProtectionError(
                    .keyDestroyed, "the access-control key that this was protected with was destroyed")
            }
            return try former.withSecretBytes { try KeyWrap.unwrap(wrapped, under: $0) }
        } catch is SealingError {
            throw DataProtectionError(.damaged, "a protected key is damaged")
        }
    }
}

extension Keybag {
    /// Lends the access-control key to `body`, which may keep a copy of what it unwraps. One KDF, through the attempt limiter; works in every lock
    /// state and changes none.
    ///
    /// Errors: `.wrongPasscode`, `.tooManyAttempts`, `.noPasscode`, `.erased`, `.damaged` and the like, `.forked`, `.io`; what `body` throws.
    package func withAccessControlKey<R: ~Copyable>(
        passcode: borrowing SecretBytes, _ body: (borrowing AccessControlKey) throws -> R
    ) throws -> R {
        let key = try accessControlKey(passcode: passcode)
        return try body(key)
    }

    /// The access-control key, owned by the caller: to be kept for as long as a person was promised, and no longer.
    package func accessControlKey(passcode: borrowing SecretBytes) throws(DataProtectionError) -> AccessControlKey {
        try door {
            let passcode = try Passcode(passcode)
            _ = try view()
            return try place.locked {
                let opened = try place.read()
                try checkIdentity(opened.file)
                let root = try rootByPasscode(passcode, opened)
                return try opened.accessControlKey(root)
            }
        }
    }

    /// The identifier under which items are wrapped now; nil without a passcode. Errors: `.damaged` and the like, `.forked`.
    package var accessControlKeyIdentifier: ClassKeyID? {
        get throws(DataProtectionError) { try door { try view().file.current(.accessControlKey, nil)?.id } }
    }
}

extension KeybagPlace.Opened {
    fileprivate borrowing func accessControlKey(_ root: borrowing SecretBytes) throws -> AccessControlKey {
        guard let current = file.current(.accessControlKey, nil) else { throw KeybagFault.malformed }
        var retired: [ClassKeyID: Secret] = [:]
        for slot in file.slots where slot.kind == .accessControlKey && slot.isRetired {
            retired[slot.id] = Secret(try slot.unwrap(under: root, file.keybagIdentifier))
        }
        return AccessControlKey(current.id, try current.unwrap(under: root, file.keybagIdentifier), retired)
    }
}
