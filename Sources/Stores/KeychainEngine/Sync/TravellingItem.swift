// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// An item in transit between homes (Documentation/Formats/SyncItem.md). Its secret leaves guarded memory.
package struct TravellingItem: Sendable {
    private static let version: UInt8 = 1

    package let itemClass: ItemClass
    /// The UUID of its first row; a rename keeps it.
    package var uuid: [UInt8]
    package let attributes: Attributes
    let secret: [UInt8]?

    init(_ itemClass: ItemClass, uuid: [UInt8], attributes: Attributes, secret: [UInt8]?) {
        self.itemClass = itemClass
        self.uuid = uuid
        self.attributes = attributes.travelling
        self.secret = secret
    }

    /// Whether a register belongs to an item; there are others.
    package static func isKey(_ key: [UInt8]) -> Bool { key.first.map { 1...4 ~= $0 } ?? false }

    /// The item's key, the same in every home: its class and its primary attributes.
    package var key: [UInt8] { AttributeTable.key(itemClass, attributes) }

    /// Whether the item under a key is of an access group; with `orBelow` also of one that begins with it.
    package static func isKey(_ key: [UInt8], of group: String, orBelow: Bool = false) -> Bool {
        guard let itemClass = key.first.flatMap({ ItemClass(kind: Int64($0)) }) else { return false }
        var reader = ByteReader(Array(key.dropFirst()))
        for attribute in AttributeTable.of(itemClass).primary {
            guard let bytes = try? reader.prefixed(limit: key.count) else { return false }
            guard attribute.name == .accessGroup else { continue }
            let wanted = attribute.canonicalBytes(of: .text(group))
            return orBelow ? bytes.starts(with: wanted) : bytes == wanted
        }
        return false
    }

    /// The class under which it is sealed, also in transit.
    package var protection: ProtectionClass { Accessibility(attributes)?.keyClass.protection ?? .complete }

    /// Everything but the UUID.
    package var content: [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(EncodedAttributes(attributes, hasSecret: secret != nil).bytes)
        writer.append(secret ?? [])
        return writer.bytes
    }

    package var bytes: [UInt8] { [Self.version] + uuid + content }

    /// Reads what another home stored under a key. Errors: `.damaged` for anything that no home may store there.
    package init(_ bytes: [UInt8], key: [UInt8]) throws(KeychainError) {
        do {
            var reader = ByteReader(bytes)
            guard try reader.integer(UInt8.self) == Self.version else { throw SealingError.malformed }
            uuid = try reader.read(16)
            let encoded = try EncodedAttributes(try reader.prefixed(limit: EncodedAttributes.limit))
            let secret = try reader.read(reader.remaining)
            guard let itemClass = key.first.flatMap({ ItemClass(kind: Int64($0)) }), itemClass != .syncRecord,
                !encoded.hasPast, encoded.hasSecret || secret.isEmpty
            else { throw SealingError.malformed }
            self.itemClass = itemClass
            attributes = encoded.attributes
            self.secret = encoded.hasSecret ? secret : nil
        } catch {
            throw KeychainError(.damaged, "an item that another home sent is not of the form it should have")
        }
        try check(key)
    }

    private func check(_ key: [UInt8]) throws(KeychainError) {
        let table = AttributeTable.of(itemClass)
        try table.check(attributes)
        guard self.key == key, attributes == attributes.travelling, attributes.count <= ItemLimits.attributes,
            attributes[.synchronizable] == .number(1), attributes[.accessControl] == nil,
            let keyClass = Accessibility(attributes)?.keyClass, !keyClass.isThisDeviceOnly,
            attributes.allSatisfy({ table[$0.key]?.traits.contains(.ignored) == false })
        else {
            throw KeychainError(.damaged, "an item that another home sent may not travel, or is not what it says")
        }
    }

    /// The secret; empty if there is none.
    package var secretBytes: [UInt8] { secret ?? [] }

    /// Service or server and account, or the label, for display.
    package var title: String {
        let names: [AttributeName] =
            switch itemClass {
            case .genericPassword: [.service, .account]
            case .internetPassword: [.server, .account]
            case .certificate, .key, .identity, .syncRecord: [.label]
            }
        return names.compactMap { name in
            switch attributes[name] {
            case .text(let text): text
            case .data(let bytes): String(decoding: bytes, as: UTF8.self)
            default: nil
            }
        }.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// The item in its stored form.
    func prepared() throws -> PreparedItem {
        var attributes = attributes
        attributes[.tombstone] = .number(0)
        attributes[.user] = .data([])
        return try PreparedItem(whole: attributes, itemClass, secret: try secret.map { try Secret(copying: $0) })
    }
}

extension AttributeTable {
    /// The key of a register: kind ‖ canonical bytes of the primary attributes.
    static func key(_ itemClass: ItemClass, _ attributes: Attributes) -> [UInt8] {
        [itemClass.kind ?? 0] + AttributeTable.of(itemClass).identityBytes(of: attributes)
    }
}

extension Attributes {
    /// The attributes that are synced, without those that each home has for itself.
    fileprivate var travelling: Attributes { filter { ![.user, .tombstone].contains($0.key) } }
}

extension OpenRow {
    /// Whether the item is synced: synchronizable, and bound neither to this device nor to a user.
    var travels: Bool { isSynchronizable && !binding.keyClass.isThisDeviceOnly && binding.layers == 0 }
}
