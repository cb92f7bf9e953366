// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import SecretMemory

/// A wrapped row key with the secret under it, for a transaction to write. Made before the transaction begins,
/// if possible.
struct SealedSecret: Sendable {
    let wrapping: RowKeyWrapping
    let sealed: [UInt8]
    /// The former secrets, under the same key.
    let sealedPast: [UInt8]?
    /// The keybag's generation when the key was wrapped. If it has changed, the class key may be retired.
    let generation: UInt64

    /// Generates a row key. Errors: locked, no passcode.
    init(
        _ secret: Secret, binding: RowBinding, attributes: Attributes, keybag: Keybag, password: PasswordLayer?,
        past: PastSecrets = PastSecrets()
    ) throws {
        generation = keybag.generation
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
    let tags: [ItemIndex.Column: [UInt8]]

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

    var filed: [UInt8] { RowFiling.tags([identity] + ItemIndex.Column.allCases.map { tags[$0] }) }
}

/// All columns of a row that follow from its attributes and its place.
struct SealedColumns: Sendable {
    let binding: RowBinding
    let tags: RowTags
    let filing: RowFiling
    let attributes: [UInt8]

    /// `number`: the number of the row. `revision`: the number of the write.
    init(
        _ itemClass: ItemClass, attributes: Attributes, binding: RowBinding, wrapping: RowKeyWrapping?,
        keys: borrowing MetadataKeys, tags known: RowTags? = nil, number: Int64, revision: Int64, hasPast: Bool = false
    ) throws {
        self.binding = binding
        tags = try known ?? RowTags(itemClass, attributes: attributes, keys: keys, in: binding.domain)
        filing = RowFiling(number: number, revision: revision, tags: tags.filed)
        self.attributes = try Self.attributes(
            attributes, binding: binding, wrapping: wrapping, filing: filing, keys: keys, hasPast: hasPast)
    }

    /// Only the sealed attributes.
    static func attributes(
        _ attributes: Attributes, binding: RowBinding, wrapping: RowKeyWrapping?, filing: RowFiling,
        keys: borrowing MetadataKeys, hasPast: Bool
    ) throws -> [UInt8] {
        let encoded = EncodedAttributes(attributes, hasSecret: wrapping != nil, hasPast: hasPast).bytes
        guard encoded.count <= EncodedAttributes.limit else {
            throw KeychainError(.dataTooLarge, "the attributes of an item may have 1 MiB together")
        }
        return try SealedRow.sealAttributes(filing.bytes + encoded, binding: binding, wrapping: wrapping, keys: keys)
    }

    /// The place by which the row is counted.
    var place: RowVersion {
        RowVersion(number: filing.number, uuid: binding.uuid, kind: binding.kind, revision: filing.revision)
    }

    var identity: [UInt8] { tags.identity }

    func tag(_ column: ItemIndex.Column) -> SQLValue { .optional(tags.tags[column]) }
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
