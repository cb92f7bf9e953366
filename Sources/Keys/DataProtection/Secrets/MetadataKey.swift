// SPDX-License-Identifier: Apache-2.0

import Files
package import Sealing
package import SecretMemory

/// The metadata key of a domain, for one operation. It retains the group that the key belongs to, so release it when
/// the operation ends.
///
/// Keys derived from it are cached in that group, and so live as long as the key. A lock that invalidates the group
/// ends them in every process, and their bytes are wiped with the group.
package struct MetadataKey: Sendable {
    private let group: KeyGroup
    private let id: ClassKeyID
    private let key: Secret

    init?(_ group: KeyGroup, _ id: ClassKeyID) throws {
        guard let key = try group.metadataKey(id, label: nil, context: []) else { return nil }
        self.group = group
        self.id = id
        self.key = key
    }

    /// Lends the key to `body`. Errors: `.forked`.
    package func withKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try key.withSecretBytes(body)
    }

    /// A derived key for one purpose that many calls share: HKDF-Expand with label and context. Errors: `.forked`.
    package func derived(_ label: KeyLabel, _ context: [UInt8]) throws -> Secret {
        guard let key = try group.metadataKey(id, label: label, context: context) else { throw KeybagFault.malformed }
        return key
    }
}

/// What a cached key was derived from, and for which purpose.
struct DerivedKey: Equatable, Sendable {
    let id: ClassKeyID
    /// Nil: the key itself.
    let label: KeyLabel?
    let context: [UInt8]
}

extension KeyGroup {
    /// More than all stores of a home need.
    private static let mostDerived = 64

    /// A metadata key of this group, or what HKDF-Expand derives from it; nil if it isn't in the group.
    fileprivate func metadataKey(_ id: ClassKeyID, label: KeyLabel?, context: [UInt8]) throws -> Secret? {
        let name = DerivedKey(id: id, label: label, context: context)
        if let known = derived.withLock({ $0.first { $0.name == name }?.key }) { return known }
        guard let key = try key(.metadataKey, id) else { return nil }
        let made: Secret
        if let label {
            made = Secret(try KeyDerivation.expand(from: key, label: label, context: context))
        } else {
            made = Secret(key)
        }
        derived.withLock { if $0.count < Self.mostDerived { $0.append((name, made)) } }
        return made
    }
}

/// Identifies one class key of one keybag. Random, 8 bytes; an id that the keybag doesn't know means "key destroyed".
package struct ClassKeyID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// A key wrapped under a class key.
package struct WrappedKey: Equatable, Sendable {
    package let keyClass: KeyClass
    package let classKeyID: ClassKeyID
    /// AES key wrap (40 bytes for a key of 32).
    package let bytes: [UInt8]

    package init(keyClass: KeyClass, classKeyID: ClassKeyID, bytes: [UInt8]) {
        self.keyClass = keyClass
        self.classKeyID = classKeyID
        self.bytes = bytes
    }
}

/// While this exists, no retired key is removed: a process has wrapped under a class key what no other process
/// can see yet.
package final class KeyUse: Sendable {
    static let fileName = "keybag.use"
    private let file: OpenFile

    fileprivate init(_ file: OpenFile) { self.file = file }
}

extension Keybag {
    /// The lock for wrapping a key into a file, held from before the key is wrapped until the file is renamed into
    /// place. Stores that wrap inside a database transaction need none. Nil in a home that can't be written to, where
    /// no key is removed. Errors: `.forked`, `.io`.
    package func keyUse() throws(DataProtectionError) -> KeyUse? {
        try mapping {
            do {
                return KeyUse(try place.folder.shareLock(KeyUse.fileName))
            } catch let error as FileError where error.isReadOnly || error.isForbidden {
                return nil
            }
        }
    }

    /// Throws unless this home, as it is on disk now, still has that class key. An erase waits for no process, so what
    /// this process remembers may be outdated. Call it before something is replaced, and before that is reported as
    /// done. What it reads is not verified, and the device secret isn't needed. Errors: `.erased`, `.keyDestroyed`, and
    /// those of reading.
    package func checkExists(_ id: ClassKeyID) throws(DataProtectionError) {
        try mapping {
            try checkProcess()
            var last: [UInt8]?
            while true {
                guard let bytes = try place.folder.read(KeybagFile.fileName, limit: KeybagFile.sizeLimit) else {
                    throw try place.whyMissing()
                }
                let file = try KeybagFile(parsing: bytes, allowingInsecureKDF: place.allowsInsecureKDF)
                try checkIdentity(file)
                if try place.epoch.exists(), try !place.epoch.isEmpty(file.epochSlot) {
                    guard file.slots.contains(where: { $0.id == id }) else {
                        throw DataProtectionError(
                            .keyDestroyed, "the class key that this was protected with was destroyed")
                    }
                    return
                }
                // Once more: a new passcode may have started a new epoch in between.
                if bytes == last { throw KeybagLocation.eraseInterrupted(place.folder.path) }
                last = bytes
            }
        }
    }

    /// Whether every use of keys that had begun is over.
    func areKeyUsesOver() throws -> Bool { try place.folder.tryLock(KeyUse.fileName) { true } ?? false }
}
