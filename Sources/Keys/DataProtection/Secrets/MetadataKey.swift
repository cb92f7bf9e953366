// SPDX-License-Identifier: Apache-2.0

package import Sealing
package import SecretMemory

/// The metadata key of a domain, for one operation: it holds the group that the key belongs to, so it is let go when the
/// operation ends.
///
/// What is derived from it is kept in that group, and so has the key's own life: a lock that makes the group void ends it
/// in every process, and the bytes are wiped with the group.
package struct MetadataKey: Sendable {
    private let group: KeyGroup
    private let id: ClassKeyID
    private let key: Secret

    init?(_ group: KeyGroup, _ id: ClassKeyID) throws {
        guard let key = try group.metadataKey(id, nil, []) else { return nil }
        self.group = group
        self.id = id
        self.key = key
    }

    /// Lends the key to `body`. Errors: `.forked`.
    package func withKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try key.withSecretBytes(body)
    }

    /// The key for one purpose that many calls share: HKDF-Expand with label and context. Errors: `.forked`.
    package func derived(_ label: KeyLabel, _ context: [UInt8]) throws -> Secret {
        guard let key = try group.metadataKey(id, label, context) else { throw KeybagFault.malformed }
        return key
    }
}

/// What a key that a group keeps was derived from, and what for.
struct DerivedKey: Hashable, Sendable {
    let id: ClassKeyID
    /// Nil: the key itself.
    let label: KeyLabel?
    let context: [UInt8]

    /// Without the label: hashing its text would cost more than comparing the few keys that have one id and context.
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(context)
    }
}

extension KeyGroup {
    /// More than all stores of a home need.
    private static let mostDerived = 64

    /// A metadata key of this group, or what HKDF-Expand makes of it; nil if it isn't in the group.
    fileprivate func metadataKey(_ id: ClassKeyID, _ label: KeyLabel?, _ context: [UInt8]) throws -> Secret? {
        let name = DerivedKey(id: id, label: label, context: context)
        if let known = derived.withLock({ $0[name] }) { return known }
        guard let key = try key(.metadataKey, id) else { return nil }
        let made: Secret
        if let label {
            made = Secret(try KeyDerivation.expand(from: key, label: label, context: context))
        } else {
            made = Secret(key)
        }
        derived.withLock { if $0.count < Self.mostDerived { $0[name] = made } }
        return made
    }
}
