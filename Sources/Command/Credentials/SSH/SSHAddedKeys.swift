// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Sealing
import SecretMemory

/// What `ssh-add` has told an agent: constraints of keys of the keychain, and keys of its own. Of those it keeps what only an unlocked home opens, in memory alone.
struct SSHAddedKeys {
    /// As many of either kind.
    static let limit = 64

    struct Entry {
        var comment: String
        /// nil: the key is in the keychain.
        var sealed: Sealed?
        var confirms: Bool
        var destinations: [SSHDestination]
        var deadline: ContinuousClock.Instant?
    }

    /// A private key under a key that is wrapped for class complete: a lock ends its use, and an unlock brings it back.
    struct Sealed: Sendable {
        fileprivate let wrapped: WrappedKey
        fileprivate let bytes: [UInt8]
    }

    /// By their public halves as SSH writes them, in the order in which they came.
    private(set) var entries: [(key: [UInt8], entry: Entry)] = []

    subscript(key: [UInt8]) -> Entry? { entries.first { $0.key == key }?.entry }

    /// In the place of what was said of that key before. False: there is no room.
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

    /// Takes out those whose time is over; their public halves.
    mutating func removeExpired(_ now: ContinuousClock.Instant) -> [[UInt8]] {
        let expired = entries.filter { $0.entry.deadline.map { $0 <= now } ?? false }.map(\.key)
        entries.removeAll { expired.contains($0.key) }
        return expired
    }

    // MARK: Sealing

    private static let keyClass = KeyClass(.complete)

    /// `fields`: the key as `ssh-add` sends it, name included. Errors: `.locked`.
    static func seal(_ fields: ArraySlice<UInt8>, of key: [UInt8], _ keybag: Keybag) throws -> Sealed {
        let own = try SecretBytes.random(count: 32)
        let bytes = try Seal.seal(try SecretBytes(copying: fields), under: own, authenticating: key)
        return Sealed(wrapped: try keybag.wrap(own, for: keyClass), bytes: bytes)
    }

    /// Errors: `.locked`, `.keyDestroyed` (the passcode was changed since: add it again).
    static func open(_ sealed: Sealed, of key: [UInt8], _ keybag: Keybag) throws -> KeyMaterial? {
        let own = try keybag.unwrap(sealed.wrapped)
        return try Seal.open(sealed.bytes, under: own, authenticating: key) { (span: RawSpan) in
            var bytes = span.exposedBytes
            defer { bytes.resetBytes() }
            return try material(bytes)
        }
    }

    /// By itself, so that no reader holds the bytes when they are overwritten.
    private static func material(_ bytes: [UInt8]) throws -> KeyMaterial? {
        var reader = SSHReader(bytes)
        return try OpenSSHKey.privateKey(try reader.text(), &reader)
    }
}

extension [UInt8] {
    /// Overwrites what was secret.
    mutating func resetBytes() { for index in indices { self[index] = 0 } }
}
