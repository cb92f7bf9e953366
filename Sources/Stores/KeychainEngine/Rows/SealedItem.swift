// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import SecretMemory

/// A row as it is written. Its number, its revision and the attributes, which are sealed with both, are known only in
/// the transaction (Documentation/Formats/Keychain.md, "Sealed rows").
struct SealedItem: Sendable {
    private let attributes: Attributes
    let binding: RowBinding
    /// The wrapped row key; nil for an item without a secret.
    let wrapping: RowKeyWrapping?
    /// Nil if there is none, or if the row keeps the one that it has.
    let secret: SealedSecret?
    /// Whether there are former secrets beside the secret.
    private let hasPast: Bool
    /// The index entries; nil if the row keeps those that it has.
    let tags: RowTags?
    private let filed: [UInt8]

    /// A new row. `identities`: the item's tags in every open domain. Errors: locked, no passcode.
    init(
        _ item: PreparedItem, _ identities: [[UInt8]], keys: borrowing MetadataKeys, keybag: Keybag,
        password: PasswordLayer?, uuid: [UInt8]?
    ) throws {
        let binding = try RowBinding(item, uuid: uuid)
        // Without a secret no key is wrapped, so a missing class would go unnoticed.
        if item.secret == nil { try keybag.requirePasscode(for: item.accessibility) }
        secret = try item.secret.map {
            try SealedSecret($0, binding: binding, attributes: item.attributes, keybag: keybag, password: password)
        }
        let tags = try RowTags(
            item.itemClass, attributes: item.attributes, keys: keys, in: binding.domain,
            identity: keys.domains.firstIndex(of: binding.domain).map { identities[$0] })
        (attributes, self.binding, self.tags, filed) = (item.attributes, binding, tags, tags.filed)
        (wrapping, hasPast) = (secret?.wrapping, false)
    }

    /// What becomes of the secret of a row that changes.
    enum SecretChange {
        case kept
        /// Without the former ones.
        case keptAlone
        case replaced(SealedSecret)
        case removed
    }

    /// A row that changes. What is nil stays as it is.
    init(
        _ row: OpenRow, attributes: Attributes? = nil, binding: RowBinding? = nil, wrapping: RowKeyWrapping? = nil,
        secret: SecretChange = .kept, tags: RowTags? = nil
    ) {
        self.attributes = attributes ?? row.attributes
        self.binding = binding ?? row.binding
        let kept = wrapping ?? row.stored.wrapping
        switch secret {
        case .kept: (self.wrapping, self.secret, hasPast) = (kept, nil, row.hasPast)
        case .keptAlone: (self.wrapping, self.secret, hasPast) = (kept, nil, false)
        case .replaced(let new): (self.wrapping, self.secret, hasPast) = (new.wrapping, new, new.sealedPast != nil)
        case .removed: (self.wrapping, self.secret, hasPast) = (nil, nil, false)
        }
        (self.tags, filed) = (tags, tags?.filed ?? row.filing.tags)
    }

    /// The attributes, sealed with the number and the revision of the row, and the place by which the row is counted.
    /// Errors: `.dataTooLarge`.
    func filed(
        _ number: Int64, _ revision: Int64, _ keys: borrowing MetadataKeys
    ) throws -> (attributes: [UInt8], place: RowVersion) {
        let encoded = EncodedAttributes(attributes, hasSecret: wrapping != nil, hasPast: hasPast).bytes
        guard encoded.count <= EncodedAttributes.limit else {
            throw KeychainError(.dataTooLarge, "the attributes of an item may have 1 MiB together")
        }
        let filing = RowFiling(number: number, revision: revision, tags: filed)
        let sealed = try SealedRow.sealAttributes(
            filing.bytes + encoded, binding: binding, wrapping: wrapping, keys: keys)
        return (sealed, RowVersion(number: number, uuid: binding.uuid, kind: binding.kind, revision: revision))
    }
}

extension RowBinding {
    /// The place of an item; a new one without a UUID.
    init(_ item: PreparedItem, uuid: [UInt8]? = nil) throws {
        self.init(
            applicationID: KeychainSchema.database.applicationID, version: KeychainSchema.rowVersion, kind: item.kind,
            keyClass: item.accessibility.keyClass, uuid: try uuid ?? randomBytes(count: 16))
        layers = item.layers.rawValue
    }
}

/// A wrapped row key with the secret under it. Made before the transaction begins, if possible.
struct SealedSecret: Sendable {
    let wrapping: RowKeyWrapping
    let sealed: [UInt8]
    /// The former secrets, under the same key.
    let sealedPast: [UInt8]?

    /// Generates a row key. Errors: locked, no passcode.
    init(
        _ secret: Secret, binding: RowBinding, attributes: Attributes, keybag: Keybag, password: PasswordLayer?,
        past: PastSecrets = PastSecrets()
    ) throws {
        let rowKey = try SecretBytes.random(count: 32)
        wrapping = try keybag.wrap(rowKey, for: binding, password)
        sealed = try secret.withSecretBytes { secret in
            try SealedRow.sealSecret(secret, binding, bound: SecretBinding.bytes(of: attributes), under: rowKey)
        }
        sealedPast = try past.sealed(binding, attributes: attributes, under: rowKey)
    }
}

/// The index entries of a row, which follow from its attributes.
struct RowTags: Equatable, Sendable {
    let identity: [UInt8]
    private let tags: [ItemIndex.Column: [UInt8]]

    init(
        _ itemClass: ItemClass, attributes: Attributes, keys: borrowing MetadataKeys, in domain: MetadataDomain,
        identity known: [UInt8]? = nil
    ) throws {
        identity = try known ?? keys.identityTag(of: attributes, itemClass, in: domain)
        var tags: [ItemIndex.Column: [UInt8]] = [:]
        for index in ItemIndex.of(itemClass) {
            tags[index.column] = try keys.tag(of: attributes, itemClass, index, in: domain)
        }
        self.tags = tags
    }

    /// The entries as they are sealed with the attributes.
    var filed: [UInt8] { RowFiling.tags([identity] + ItemIndex.Column.allCases.map { tags[$0] }) }

    subscript(column: ItemIndex.Column) -> [UInt8]? { tags[column] }
}

extension MetadataKeys {
    /// The tag of everything that makes an item unique in its class.
    func identityTag(
        of attributes: Attributes, _ itemClass: ItemClass, in domain: MetadataDomain
    ) throws -> [UInt8] {
        try tag(
            BlindIndex(identityOf: itemClass.kind ?? 0),
            of: AttributeTable.of(itemClass).identityBytes(of: attributes), in: domain
        )
    }

    /// The tags of one identity in every open domain. An item of that identity may be under any of them.
    func identityTags(of attributes: Attributes, _ itemClass: ItemClass) throws -> [[UInt8]] {
        var tags: [[UInt8]] = []
        let bytes = AttributeTable.of(itemClass).identityBytes(of: attributes)
        for domain in domains {
            tags.append(try tag(BlindIndex(identityOf: itemClass.kind ?? 0), of: bytes, in: domain))
        }
        return tags
    }

    /// The tag of one index; nil if one of its attributes is not set.
    func tag(
        of attributes: Attributes, _ itemClass: ItemClass, _ index: ItemIndex, in domain: MetadataDomain
    ) throws -> [UInt8]? {
        guard let bytes = AttributeTable.of(itemClass).indexBytes(of: attributes, index) else { return nil }
        return try tag(BlindIndex(kind: itemClass.kind ?? 0, number: index.column.number), of: bytes, in: domain)
    }
}
