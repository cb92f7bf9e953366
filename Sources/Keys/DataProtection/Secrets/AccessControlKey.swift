// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A key that opens only after the user gave the passcode: sealed to the public half of the
/// keybag's access-control pair.
package struct AccessControlSeal: Equatable, Sendable {
    /// How many bytes longer the seal is than the key.
    package static let overhead = 32 + KeyWrap.overhead

    /// The id of the pair. Items keep it, so that a destroyed key and a damaged item are different errors.
    package let identifier: ClassKeyID
    /// The ephemeral public key and the wrapped key.
    package let bytes: [UInt8]

    package init(identifier: ClassKeyID, bytes: [UInt8]) {
        self.identifier = identifier
        self.bytes = bytes
    }
}

/// The private halves of the access-control pairs. They are wrapped under the passcode only, are in no holder, and are
/// available only after a prompt.
package struct AccessControlKey: Sendable {
    /// The pair to which keys are sealed now.
    package let identifier: ClassKeyID
    private let pairs: [ClassKeyID: Pair]

    fileprivate struct Pair: Sendable {
        let publicKey: [UInt8]
        let privateKey: Secret
    }

    fileprivate init(_ identifier: ClassKeyID, _ pairs: [ClassKeyID: Pair]) {
        self.identifier = identifier
        self.pairs = pairs
    }

    /// The key that was sealed. `context`: the one given when it was sealed. Errors: `.keyDestroyed` (sealed to a pair
    /// that the keybag doesn't contain any more), `.damaged`.
    package func open(_ sealed: AccessControlSeal, context: [UInt8]) throws(DataProtectionError) -> SecretBytes {
        guard let pair = pairs[sealed.identifier] else { throw .accessControlKeyDestroyed }
        do {
            let seal = AccessControlSeal.wrap(sealed.identifier, pair.publicKey, context: context)
            return try pair.privateKey.withSecretBytes {
                try seal.unwrap(Array(sealed.bytes.dropFirst(32)), from: Array(sealed.bytes.prefix(32)), with: $0)
            }
        } catch {
            throw DataProtectionError(.damaged, "a protected key is damaged", cause: error)
        }
    }
}

extension DataProtectionError {
    static var accessControlKeyDestroyed: Self {
        DataProtectionError(
            .keyDestroyed, "the access-control key that this was protected with was destroyed with its passcode")
    }
}

extension AccessControlSeal {
    /// Documentation/Formats/Keybag.md, "Access control".
    fileprivate static func wrap(
        _ identifier: ClassKeyID, _ publicKey: [UInt8], context: [UInt8]
    ) -> PublicKeyWrap {
        var prefix = ByteWriter()
        prefix.integer(identifier.value)
        return PublicKeyWrap(.accessControl, to: publicKey, prefix: prefix.bytes, suffix: context)
    }
}

extension Keybag {
    /// Seals a key so that it opens only if the user gives the passcode. Doesn't prompt; works in every lock state.
    ///
    /// `context` is bound to the seal. Errors: `.noPasscode`, `.damaged` and the like, `.forked`.
    package func sealForAccessControl(
        _ key: borrowing SecretBytes, context: [UInt8]
    ) throws(DataProtectionError) -> AccessControlSeal {
        try mapping {
            // The public key is from a keybag whose HMAC verified: a view contains no other.
            let file = try view().file
            guard let slot = file.current(.accessControlKey, nil), let publicKey = slot.publicKey else {
                throw noPasscode("access control asks for the passcode, and none is set")
            }
            let (ephemeralKey, wrapped) = try AccessControlSeal.wrap(slot.id, publicKey, context: context).wrap(key)
            return AccessControlSeal(identifier: slot.id, bytes: ephemeralKey + wrapped)
        }
    }

    /// The access-control key, owned by the caller. Keep it only for the time that was announced to the user. One KDF,
    /// through the attempt limiter. Works in every lock state and doesn't change it.
    ///
    /// Errors: `.wrongPasscode`, `.tooManyAttempts`, `.noPasscode`, `.erased`, `.damaged` and the
    /// like, `.forked`, `.io`.
    package func accessControlKey(passcode: borrowing SecretBytes) throws(DataProtectionError) -> AccessControlKey {
        try mapping {
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

    /// The identifier of the pair to which items are sealed now, for tests; nil without a passcode. Errors: `.damaged`
    /// and the like, `.forked`.
    package var accessControlKeyIdentifier: ClassKeyID? {
        get throws(DataProtectionError) { try mapping { try view().file.current(.accessControlKey, nil)?.id } }
    }

    /// Throws if no passcode opens the pair any more. Errors: `.keyDestroyed`, `.damaged` and the like, `.forked`.
    package func requireAccessControlKey(_ identifier: ClassKeyID) throws(DataProtectionError) {
        try mapping {
            guard try view().file.slot(.accessControlKey, identifier) != nil else {
                throw DataProtectionError.accessControlKeyDestroyed
            }
        }
    }

    /// Whether a pair is kept only for what was sealed to it before a new one was generated. False for an unknown one.
    package func isRetiredAccessControlKey(_ identifier: ClassKeyID) -> Bool {
        (try? view())?.file.slot(.accessControlKey, identifier)?.isRetired ?? false
    }
}

extension KeybagLocation.Opened {
    fileprivate borrowing func accessControlKey(_ root: borrowing SecretBytes) throws -> AccessControlKey {
        let file = file
        guard let current = file.current(.accessControlKey, nil) else { throw KeybagFault.malformed }
        var pairs: [ClassKeyID: AccessControlKey.Pair] = [:]
        for slot in file.slots where slot.kind == .accessControlKey {
            let privateKey = Secret(try slot.unwrap(under: root, file.names))
            pairs[slot.id] = AccessControlKey.Pair(publicKey: slot.publicKey ?? [], privateKey: privateKey)
        }
        return AccessControlKey(current.id, pairs)
    }
}
