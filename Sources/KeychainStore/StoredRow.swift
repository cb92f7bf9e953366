// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabase
import Sealing
import SecretMemory

/// A row of the table `item` as it lies there, before anything of it is opened.
struct StoredRow: Sendable {
    static let columns = """
        id, uuid, version, kind, class, layers, class_key, wrapped, access_key, password_salt, password_cost, \
        attributes
        """
    static let columnsWithSecret = columns + ", secret"
    private static let secretColumn = 12

    let id: Int64
    let uuid: [UInt8]
    let itemClass: ItemClass?
    /// Nil: the clear columns don't fit one another.
    let binding: RowBinding?
    let wrapping: RowKeyWrapping?
    let sealedAttributes: [UInt8]

    init(_ row: SQLRow) throws {
        id = row.integer(0)
        uuid = try row.bytes(1) ?? []
        itemClass = ItemClass(kind: row.integer(3))
        wrapping = try Self.wrapping(row)
        sealedAttributes = try row.bytes(11) ?? []
        binding = Self.binding(row, uuid)
    }

    /// The sealed secret, if the statement asked for it.
    static func sealedSecret(_ row: SQLRow) throws -> [UInt8]? { try row.bytes(secretColumn) }

    private static func binding(_ row: SQLRow, _ uuid: [UInt8]) -> RowBinding? {
        guard row.integer(2) == Int64(KeychainSchema.rowVersion), uuid.count == 16,
            let kind = UInt8(exactly: row.integer(3)), (1...4).contains(kind),
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

/// What wraps a row key besides its class key (Keychain.md, "Sealed rows").
struct RowLayers: OptionSet, Sendable {
    let rawValue: UInt8
    static let accessControl = Self(rawValue: 1)
    static let applicationPassword = Self(rawValue: 2)
    static let all: Self = [.accessControl, .applicationPassword]
}

/// A row with its attributes open.
struct OpenRow: Sendable {
    let stored: StoredRow
    let itemClass: ItemClass
    let binding: RowBinding
    let attributes: Attributes
    let hasSecret: Bool

    /// Throws `KeychainError`: damaged, or locked before the first unlock.
    init(_ stored: StoredRow, _ keys: borrowing MetadataKeys) throws {
        guard let binding = stored.binding, let itemClass = stored.itemClass else { throw KeychainError.damagedItem() }
        self.stored = stored
        self.binding = binding
        self.itemClass = itemClass
        do {
            let bytes = try SealedRow.openAttributes(stored.sealedAttributes, binding, stored.wrapping, keys)
            let encoded = try EncodedAttributes(bytes)
            attributes = encoded.attributes
            hasSecret = encoded.hasSecret
        } catch let error as SealingError {
            throw KeychainError.damagedItem(error)
        }
        guard accessibility?.keyClass == binding.keyClass, hasSecret == (stored.wrapping != nil),
            (try? attributes.layers())?.rawValue == binding.layers
        else {
            throw KeychainError.damagedItem()
        }
    }

    var accessibility: Accessibility? { Accessibility(attributes) }
    var reference: PersistentReference { PersistentReference(itemClass, uuid: stored.uuid) }
    var isTombstone: Bool { attributes["tomb"] == .number(1) }
    var isSynchronizable: Bool { attributes.isSynchronizable }

    /// Whether a person is asked before the secret opens.
    var isGuarded: Bool { hasSecret && binding.layers != 0 }

    /// Opens the secret. Throws `PersonNeeded`, damaged, locked, key destroyed, `.authenticationFailed`.
    func openSecret(_ sealed: [UInt8]?, _ rowKeys: RowKeys) throws -> Secret? {
        guard hasSecret else { return nil }
        guard let sealed, let wrapping = stored.wrapping else { throw KeychainError.damagedItem() }
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

/// What the secret's associated data ends with (Keychain.md, "Attributes").
enum SecretBinding {
    static func bytes(of attributes: Attributes) -> [UInt8] {
        var writer = ByteWriter()
        let accessibility = Array((Accessibility(attributes)?.rawValue ?? "").utf8)
        writer.integer(UInt8(truncatingIfNeeded: accessibility.count))
        writer.append(accessibility)
        if case .data(let accessControl) = attributes["accc"] {
            writer.prefixed(accessControl)
        } else {
            writer.prefixed([])
        }
        return writer.bytes
    }
}

extension Accessibility {
    package init?(_ attributes: Attributes) {
        guard case .text(let code) = attributes["pdmn"] else { return nil }
        self.init(rawValue: code)
    }
}

extension Attributes {
    var isSynchronizable: Bool { self["sync"].map { $0 != .number(0) } ?? false }

    var accessGroup: String? {
        guard case .text(let group) = self["agrp"] else { return nil }
        return group
    }
}

extension KeychainError {
    static func damagedItem(_ cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) -> KeychainError {
        KeychainError(
            .damaged,
            "an item is damaged, the others are not; to see which one run: zamok doctor",
            cause: cause, file: file, line: line
        )
    }
}
