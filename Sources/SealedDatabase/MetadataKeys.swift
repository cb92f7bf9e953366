// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Sealing
import SecretMemory

/// The metadata keys, fetched for one operation and wiped with it. Before the first unlock one of the two is missing.
package struct MetadataKeys: ~Copyable, Sendable {
    private let applicationID: UInt32
    private let none: SecretBytes
    private let afterFirstUnlock: SecretBytes?

    init(_ keybag: Keybag, applicationID: UInt32) throws {
        let none = try keybag.ownedMetadataKey(.none)
        let afterFirstUnlock = try Self.keyAfterFirstUnlock(keybag)
        self.applicationID = applicationID
        self.none = none
        self.afterFirstUnlock = afterFirstUnlock
    }

    private static func keyAfterFirstUnlock(_ keybag: Keybag) throws -> SecretBytes? {
        do {
            return try keybag.ownedMetadataKey(.afterFirstUnlock)
        } catch let error where error.code == .locked {
            return nil
        }
    }

    /// Whether rows of every domain can be looked for.
    package var isComplete: Bool { afterFirstUnlock != nil }

    /// The domains whose rows can be read now.
    package var domains: [MetadataDomain] { isComplete ? [.afterFirstUnlock, .none] : [.none] }

    /// Throws `DataProtectionError.locked` if the key is not there.
    func withKey<R: ~Copyable>(_ domain: MetadataDomain, _ body: (borrowing SecretBytes) throws -> R) throws -> R {
        guard domain == .afterFirstUnlock else { return try body(none) }
        switch afterFirstUnlock {
        case .some(let key): return try body(key)
        case .none:
            throw DataProtectionError(.locked, "not unlocked since the start; unlock first, for example: zamok unlock")
        }
    }

    func withAttributeKey<R: ~Copyable>(
        of binding: RowBinding, _ body: (borrowing SecretBytes) throws -> R
    ) throws -> R {
        try withKey(binding.domain) { key in
            try body(try KeyDerivation.expand(from: key, label: .rowAttributes, context: context(binding.uuid)))
        }
    }

    /// The tag that stands for `canonical` in one domain, kind and index (Keychain.md, "Blind index"), 16 bytes.
    package func tag(_ index: BlindIndex, of canonical: [UInt8], in domain: MetadataDomain) throws -> [UInt8] {
        try withKey(domain) { key in
            let indexKey = try KeyDerivation.expand(
                from: key, label: index.label, context: context([index.kind, index.number])
            )
            return Array(try KeyDerivation.authenticationCode(for: canonical, under: indexKey).prefix(16))
        }
    }

    private func context(_ more: [UInt8]) -> [UInt8] { bigEndianBytes(applicationID) + more }
}

/// Names one index of one kind of row.
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
