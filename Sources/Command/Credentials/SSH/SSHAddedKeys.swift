// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Sealing
import SecretMemory

/// The additions of `ssh-add`: constraints of the keychain's keys, and keys that only the agent has.
/// Of the latter it keeps, in memory only, ciphertext that needs an unlocked home.
struct SSHAddedKeys {
    /// The maximum number of entries of both kinds together.
    static let limit = 64

    struct Entry {
        var comment: String
        /// The agent's own private key. Nil: the key is in the keychain.
        var sealed: Sealed?
        var confirms: Bool
        var destinations: [SSHDestination]
        var deadline: ContinuousClock.Instant?
    }

    /// A private key, sealed under a key that is wrapped for class complete.
    /// It can't be used while the home is locked, and can be used again after an unlock.
    struct Sealed: Sendable {
        fileprivate let wrapped: WrappedKey
        fileprivate let bytes: [UInt8]
    }

    /// The entries by their public keys in SSH's encoding, in the order in which they were added.
    private(set) var entries: [(key: [UInt8], entry: Entry)] = []

    subscript(key: [UInt8]) -> Entry? { entries.first { $0.key == key }?.entry }

    /// Adds or replaces the entry of a key. Returns false if there is no room.
    mutating func put(_ key: [UInt8], _ entry: Entry) -> Bool {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].entry = entry
            return true
        }
        guard entries.count < Self.limit else { return false }
        entries.append((key, entry))
        return true
    }

    mutating func remove(_ key: [UInt8]) { entries.removeAll { $0.key == key } }
    mutating func removeAll() { entries = [] }

    /// Removes the expired entries. Returns their public keys.
    mutating func removeExpired(_ now: ContinuousClock.Instant) -> [[UInt8]] {
        let expired = entries.filter { $0.entry.deadline.map { $0 <= now } ?? false }.map(\.key)
        entries.removeAll { expired.contains($0.key) }
        return expired
    }

    // MARK: Sealing

    private static let keyClass = KeyClass(.complete)

    /// Seals a private key. `fields`: the key as `ssh-add` sends it, including the type's name. Errors: `.locked`.
    static func seal(_ fields: ArraySlice<UInt8>, of key: [UInt8], _ keybag: Keybag) throws -> Sealed {
        let own = try SecretBytes.random(count: 32)
        let bytes = try Seal.seal(try SecretBytes(copying: fields), under: own, authenticating: key)
        return Sealed(wrapped: try keybag.wrap(own, for: keyClass), bytes: bytes)
    }

    /// Opens a sealed key.
    /// Errors: `.locked`, `.keyDestroyed` (the passcode was changed since, so the key must be added again).
    static func open(_ sealed: Sealed, of key: [UInt8], _ keybag: Keybag) throws -> KeyMaterial? {
        let own = try keybag.unwrap(sealed.wrapped)
        return try Seal.open(sealed.bytes, under: own, authenticating: key) { (span: RawSpan) in
            var bytes = span.exposedBytes
            defer { bytes.resetBytes() }
            return try material(bytes)
        }
    }

    /// Parses the key in a separate function, so that no reader holds the bytes when they are overwritten.
    private static func material(_ bytes: [UInt8]) throws -> KeyMaterial? {
        var reader = SSHReader(bytes)
        return try OpenSSHKey.privateKey(try reader.text(), &reader)
    }
}

extension [UInt8] {
    /// Overwrites bytes that were secret with zeros.
    mutating func resetBytes() { for index in indices { self[index] = 0 } }
}
