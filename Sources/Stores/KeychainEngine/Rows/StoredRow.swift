// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// A row of the table `item` as it is stored, before any of it is opened. A class, because it is passed on many times.
final class StoredRow: Sendable {
    /// A value that is longer than any of ours is never loaded and reads as NULL, which damages only its row.
    static let columns = """
        id, uuid, version, kind, class, layers, class_key, iif(length(wrapped) <= 256, wrapped, NULL), access_key, \
        password_salt, password_cost, \
        iif(length(attributes) <= \(ItemLimits.sealedAttributes), attributes, NULL), \
        revision, identity, pair, first, second, label
        """
    static let columnsWithSecret = columns + ", iif(length(secret) <= \(ItemLimits.sealedSecret), secret, NULL)"
    /// With the former secrets, which no search needs.
    static let allColumns = columnsWithSecret + ", \(pastColumn)"
    static let pastColumn = "iif(length(past) <= \(PastSecrets.limit + 1024), past, NULL)"
    private static let secretColumn = 18

    let id: Int64
    let uuid: [UInt8]
    let itemClass: ItemClass?
    /// Nil if the plaintext columns are inconsistent.
    let binding: RowBinding?
    let wrapping: RowKeyWrapping?
    let sealedAttributes: [UInt8]
    /// The row's place, and the index entries that find it.
    let filing: RowFiling
    private let kind: UInt8

    init(_ row: SQLRow) throws {
        id = row.integer(0)
        uuid = try row.bytes(1) ?? []
        itemClass = ItemClass(kind: row.integer(3))
        wrapping = try Self.wrapping(row)
        sealedAttributes = try row.bytes(11) ?? []
        kind = UInt8(truncatingIfNeeded: row.integer(3))
        filing = RowFiling(
            number: id, revision: row.integer(12), tags: try RowFiling.tags(row, columns: 13..<18))
        binding = Self.binding(row, uuid)
    }

    /// The place by which the row is counted.
    var place: RowVersion { RowVersion(number: id, uuid: uuid, kind: kind, revision: filing.revision) }

    /// Whether it is the row that a reference names.
    func isTarget(_ target: PersistentReference.Target) -> Bool {
        switch target {
        case .uuid(let uuid): self.uuid == uuid
        case .row(let id): self.id == id
        }
    }

    /// Whether the column `identity` holds the tag.
    func hasIdentity(_ tag: [UInt8]) -> Bool {
        filing.tags.first.map { $0 & 1 == 1 } == true && filing.tags.dropFirst().prefix(tag.count).elementsEqual(tag)
    }

    /// The sealed secret, if the statement selected it.
    static func sealedSecret(_ row: SQLRow) throws -> [UInt8]? { try row.bytes(secretColumn) }

    /// The sealed former secrets of a row of `allColumns`.
    static func sealedPast(_ row: SQLRow) throws -> [UInt8]? { try row.bytes(secretColumn + 1) }

    private static func binding(_ row: SQLRow, _ uuid: [UInt8]) -> RowBinding? {
        guard row.integer(2) == Int64(KeychainSchema.rowVersion), uuid.count == 16,
            let kind = UInt8(exactly: row.integer(3)), (1...5).contains(kind),
            let keyClass = UInt8(exactly: row.integer(4)).flatMap(KeyClass.init(code:)),
            let layers = UInt8(exactly: row.integer(5)), layers <= RowLayers.all.rawValue
        else { return nil }
        var binding = RowBinding(
            applicationID: KeychainSchema.database.applicationID, version: KeychainSchema.rowVersion, kind: kind,
            keyClass: keyClass, uuid: uuid
        )
        binding.layers = layers
        return binding
    }

    private static func wrapping(_ row: SQLRow) throws -> RowKeyWrapping? {
        guard let id = row.optionalInteger(6), let wrapped = try row.bytes(7) else { return nil }
        var wrapping = RowKeyWrapping(classKeyID: ClassKeyID(UInt64(bitPattern: id)), wrapped: wrapped)
        wrapping.accessKeyID = row.optionalInteger(8).map { ClassKeyID(UInt64(bitPattern: $0)) }
        wrapping.passwordSalt = try row.bytes(9) ?? []
        wrapping.passwordCost = try row.bytes(10) ?? []
        return wrapping
    }
}

/// The layers around a row key besides its class key (Keychain.md, "Sealed rows").
struct RowLayers: OptionSet, Sendable {
    let rawValue: UInt8
    static let accessControl = Self(rawValue: 1)
    static let applicationPassword = Self(rawValue: 2)
    static let all: Self = [.accessControl, .applicationPassword]
}

/// A row with opened attributes.
struct OpenRow: Sendable {
    let stored: StoredRow
    let itemClass: ItemClass
    let binding: RowBinding
    let attributes: Attributes
    let hasSecret: Bool
    /// Whether there are former secrets beside the secret.
    let hasPast: Bool
    /// The row's place when it was written.
    let filing: RowFiling

    /// Throws `KeychainError`: damaged, or locked before the first unlock. Throws `MisfiledRow`
    /// unless `takingMisfiled`.
    init(_ stored: StoredRow, _ keys: borrowing MetadataKeys, takingMisfiled: Bool = false) throws {
        guard let binding = stored.binding, let itemClass = stored.itemClass else { throw KeychainError.damagedItem() }
        self.stored = stored
        self.binding = binding
        self.itemClass = itemClass
        do {
            let bytes = try SealedRow.openAttributes(
                stored.sealedAttributes, binding: binding, wrapping: stored.wrapping, keys: keys)
            var reader = ByteReader(bytes)
            filing = try RowFiling(&reader)
            let encoded = try EncodedAttributes(&reader)
            attributes = encoded.attributes
            hasSecret = encoded.hasSecret
            hasPast = encoded.hasPast
        } catch let error as SealingError {
            throw KeychainError.damagedItem(error)
        }
        guard accessibility?.keyClass == binding.keyClass, hasSecret == (stored.wrapping != nil),
            (try? attributes.layers())?.rawValue == binding.layers
        else {
            throw KeychainError.damagedItem()
        }
        guard takingMisfiled || filing == stored.filing else { throw MisfiledRow() }
    }

    var accessibility: Accessibility? { Accessibility(attributes) }
    var reference: PersistentReference { PersistentReference(itemClass, uuid: stored.uuid) }
    var isTombstone: Bool { attributes[.tombstone] == .number(1) }
    var isSynchronizable: Bool { attributes.isSynchronizable }

    /// Whether the user is prompted before the secret opens.
    var isGuarded: Bool { hasSecret && binding.layers != 0 }

    /// Opens the row key and discards it, so that a caller without access to the key doesn't learn of the item either.
    /// Throws like `openSecret`.
    func requirePerson(_ rowKeys: RowKeys) throws {
        guard isGuarded, let wrapping = stored.wrapping else { return }
        rowKeys.begin(attributes)
        _ = try rowKeys.open(wrapping, binding)
    }

    /// Opens the secret. Throws `PersonNeeded`, damaged, locked, key destroyed, `.authenticationFailed`.
    func openSecret(_ sealed: [UInt8]?, _ rowKeys: RowKeys) throws -> Secret? {
        guard hasSecret else { return nil }
        guard let sealed, let wrapping = stored.wrapping else { throw KeychainError.damagedItem() }
        if binding.layers != 0 { rowKeys.begin(attributes) }
        let rowKey = try rowKeys.open(wrapping, binding)
        do {
            return Secret(
                try SealedRow.openSecret(sealed, binding, bound: SecretBinding.bytes(of: attributes), under: rowKey)
            )
        } catch let error as SealingError {
            throw KeychainError.damagedItem(error)
        }
    }
}

/// A row's place and its index entries, sealed with its attributes (Keychain.md, "Attributes").
/// Reading the row detects whether it was moved, or was given other index entries.
struct RowFiling: Equatable, Sendable {
    var number: Int64
    var revision: Int64
    /// A bit mask of the present tags, the lowest bit for the first one; then the tags.
    var tags: [UInt8]

    private static let mostTags = 5

    init(number: Int64, revision: Int64, tags: [UInt8]) {
        self.number = number
        self.revision = revision
        self.tags = tags
    }

    /// The tags of a row, read from its columns.
    static func tags(_ row: SQLRow, columns: Range<Int>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + 16 * mostTags)
        bytes.append(0)
        for column in columns where try row.append(column, to: &bytes) {
            bytes[0] |= 1 << UInt8(column - columns.lowerBound)
        }
        return bytes
    }

    static func tags(_ tags: [[UInt8]?]) -> [UInt8] {
        var writer = ByteWriter(capacity: 1 + 16 * mostTags)
        writer.integer(tags.indices.reduce(UInt8(0)) { tags[$1] == nil ? $0 : $0 | 1 << UInt8($1) })
        for tag in tags { if let tag { writer.append(tag) } }
        return writer.bytes
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17 + 16 * Self.mostTags)
        writer.integer(number)
        writer.integer(revision)
        writer.append(tags)
        return writer.bytes
    }

    init(_ reader: inout ByteReader) throws {
        number = try reader.integer()
        revision = try reader.integer()
        let mask: UInt8 = try reader.integer()
        guard mask < 1 << Self.mostTags else { throw SealingError.malformed }
        tags = [mask] + (try reader.read(16 * mask.nonzeroBitCount))
    }
}

/// A row that opens, but is not at its sealed place, or has index entries other than its own.
struct MisfiledRow: Error {}

/// The last part of the secret's associated data (Keychain.md, "Attributes").
enum SecretBinding {
    static func bytes(of attributes: Attributes) -> [UInt8] {
        var writer = ByteWriter()
        let accessibility = Array((Accessibility(attributes)?.rawValue ?? "").utf8)
        writer.integer(UInt8(truncatingIfNeeded: accessibility.count))
        writer.append(accessibility)
        if case .data(let accessControl) = attributes[.accessControl] {
            writer.prefixed(accessControl)
        } else {
            writer.prefixed([])
        }
        return writer.bytes
    }
}

extension Accessibility {
    package init?(_ attributes: Attributes) {
        guard case .text(let code) = attributes[.accessible] else { return nil }
        self.init(rawValue: code)
    }
}

extension Attributes {
    var isSynchronizable: Bool { self[.synchronizable].map { $0 != .number(0) } ?? false }

    var accessGroup: String? {
        guard case .text(let group) = self[.accessGroup] else { return nil }
        return group
    }
}

extension KeychainError {
    /// Of an index that leads to another row than the one asked for.
    static func damagedIndex(file: String = #fileID, line: Int = #line) -> KeychainError {
        KeychainError(
            .damaged,
            "the index of the keychain is damaged and led to another item, which was not used; a copy is kept by: zamok doctor --rebuild-index",
            file: file, line: line)
    }

    static func damagedItem(_ cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) -> KeychainError {
        KeychainError(
            .damaged,
            "an item is damaged, the others are not; to see which one run: zamok doctor",
            cause: cause, file: file, line: line
        )
    }
}
