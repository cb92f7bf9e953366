// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Sealing
import SecretMemory

/// The metadata keys, fetched for one operation and released with it. Before the first unlock one of the two
/// is missing.
package struct MetadataKeys: ~Copyable, Sendable {
    private let keybag: Keybag
    private let applicationID: UInt32
    private let none: MetadataKey
    private let afterFirstUnlock: MetadataKey?

    init(_ keybag: Keybag, applicationID: UInt32) throws {
        let none = try keybag.metadataKey(of: .none)
        let afterFirstUnlock = try Self.keyAfterFirstUnlock(keybag)
        self.keybag = keybag
        self.applicationID = applicationID
        self.none = none
        self.afterFirstUnlock = afterFirstUnlock
    }

    private static func keyAfterFirstUnlock(_ keybag: Keybag) throws -> MetadataKey? {
        do {
            return try keybag.metadataKey(of: .afterFirstUnlock)
        } catch let error where error.code == .locked {
            return nil
        }
    }

    /// Whether rows of every domain can be searched.
    package var isComplete: Bool { afterFirstUnlock != nil }

    /// The domains whose rows can be read now.
    package var domains: [MetadataDomain] { isComplete ? [.afterFirstUnlock, .none] : [.none] }

    /// Throws `DataProtectionError.locked` if the key is not available.
    private func key(_ domain: MetadataDomain) throws -> MetadataKey {
        guard domain == .afterFirstUnlock else { return none }
        guard let afterFirstUnlock else {
            throw keybag.lockedBeforeFirstUnlock
        }
        return afterFirstUnlock
    }

    func withAttributeKey<R: ~Copyable>(
        of binding: RowBinding, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R {
        try key(binding.domain).withKey { key in
            try body(try KeyDerivation.expand(from: key, label: .rowAttributes, context: context(binding.uuid)))
        }
    }

    /// The tag of `canonical` in one domain, kind and index (Keychain.md, "Blind index"), 16 bytes.
    package func tag(_ index: BlindIndex, of canonical: [UInt8], in domain: MetadataDomain) throws -> [UInt8] {
        let indexKey = try key(domain).derived(index.label, context([index.kind, index.number]))
        return try indexKey.withSecretBytes { indexKey in
            try KeyDerivation.authenticationCode(for: canonical, under: indexKey, count: 16)
        }
    }

    private func context(_ more: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: 4 + more.count)
        writer.integer(applicationID)
        writer.append(more)
        return writer.bytes
    }
}

/// Identifies one index of one kind of row.
package struct BlindIndex: Hashable, Sendable {
    let kind: UInt8
    let number: UInt8
    let label: KeyLabel

    /// An index by one attribute or several.
    package init(kind: UInt8, number: UInt8) {
        self.kind = kind
        self.number = number
        label = .blindIndex
    }

    /// The index by everything that makes a row unique in its kind.
    package init(identityOf kind: UInt8) {
        self.kind = kind
        number = 0
        label = .identityTag
    }
}

func bigEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(number)
    return writer.bytes
}
