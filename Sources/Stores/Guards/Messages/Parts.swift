// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Sealing
import SecretMemory

/// The parts of messages (Documentation/Formats/GuardMessages.md, "Parts").
extension ByteWriter {
    mutating func optional(_ bytes: [UInt8]?) {
        append([bytes == nil ? 0 : 1])
        if let bytes { prefixed(bytes) }
    }

    /// No copy of the secret remains but that in the message, also where the message grows.
    mutating func secret(_ secret: Secret?) throws {
        guard let secret else { return append([0]) }
        var bytes = try [UInt8](exposing: secret)
        defer { bytes.wipe() }
        makeRoom(bytes.count + 5)
        append([1])
        prefixed(bytes)
    }

    mutating func attributes(_ attributes: Attributes, hasSecret: Bool = false) {
        let bytes = EncodedAttributes(attributes, hasSecret: hasSecret).bytes
        // And for what else a record has. The bytes before may have a secret.
        makeRoom(bytes.count + 64)
        prefixed(bytes)
    }

    mutating func record(_ item: ItemRecord) throws {
        makeRoom(64)
        append(item.itemClass.rawValue.utf8)
        attributes(item.attributes, hasSecret: item.hasSecret)
        optional(item.persistentReference?.bytes)
        try secret(item.secret)
        try secret(item.certificate)
    }

    mutating func query(_ query: ItemQuery) throws {
        append(query.itemClass.rawValue.utf8)
        attributes(query.attributes)
        switch query.synchronizable {
        case .any: append([0])
        case .exactly(false): append([1])
        case .exactly(true): append([2])
        }
        var flags: UInt8 = 0
        if query.includesTombstones { flags |= 1 }
        if query.takesReadable { flags |= 2 }
        if query.skipsGuarded { flags |= 4 }
        if query.guardsAttributes { flags |= 8 }
        if query.limit == nil { flags |= 16 }
        if query.promptsNoPerson { flags |= 32 }
        append([flags])
        integer(UInt64(clamping: query.limit ?? 0))
        optional(query.persistentReference?.bytes)
        optional(query.hostOrSubdomain.map { Array($0.utf8) })
    }

    mutating func changes(_ changes: ItemChanges) throws {
        guard changes.newSecret == nil else {
            throw KeychainError(.unimplemented, "a secret can't be computed from the old one inside a guard")
        }
        attributes(changes.attributes)
        try secret(changes.secret)
        optional(changes.keepsPastOfGroup.map { Array($0.utf8) })
    }
}

extension ByteReader {
    /// Bytes of a name.
    private static let nameLimit = 4096

    mutating func flag() throws -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw SealingError.malformed
        }
    }

    mutating func optional(limit: Int) throws -> [UInt8]? { try flag() ? try prefixed(limit: limit) : nil }

    mutating func name() throws -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= Self.nameLimit else { throw SealingError.malformed }
        return try text(count)
    }

    /// The bytes of the message remain in ordinary memory until they are overwritten.
    private mutating func secret() throws -> Secret? {
        guard try flag() else { return nil }
        let count = Int(try integer(UInt32.self))
        guard count <= ItemLimits.secret else { throw SealingError.malformed }
        return try Secret(copying: try slice(count))
    }

    private mutating func itemClass() throws -> ItemClass {
        guard let itemClass = ItemClass(rawValue: try text(4)), itemClass != .syncRecord else {
            throw SealingError.malformed
        }
        return itemClass
    }

    private mutating func attributes() throws -> EncodedAttributes {
        let encoded = try EncodedAttributes(try prefixed(limit: EncodedAttributes.limit))
        guard encoded.attributes.count <= ItemLimits.attributes, !encoded.hasPast else { throw SealingError.malformed }
        return encoded
    }

    private mutating func reference() throws -> PersistentReference? {
        guard let bytes = try optional(limit: 20) else { return nil }
        guard let reference = PersistentReference(bytes: bytes) else { throw SealingError.malformed }
        return reference
    }

    mutating func record() throws -> ItemRecord {
        let itemClass = try itemClass()
        let encoded = try attributes()
        let reference = try reference()
        let secret = try secret()
        var item = ItemRecord(itemClass)
        if let reference {
            item = ItemRecord(itemClass, encoded.attributes, reference, secret: secret, hasSecret: encoded.hasSecret)
        } else {
            (item.attributes, item.secret) = (encoded.attributes, secret)
        }
        item.certificate = try self.secret()
        return item
    }

    mutating func query() throws -> ItemQuery {
        var query = ItemQuery(try itemClass())
        query.attributes = try attributes().attributes
        switch try integer(UInt8.self) {
        case 0: query.synchronizable = .any
        case 1: query.synchronizable = .exactly(false)
        case 2: query.synchronizable = .exactly(true)
        default: throw SealingError.malformed
        }
        let flags = try integer(UInt8.self)
        guard flags < 64 else { throw SealingError.malformed }
        query.includesTombstones = flags & 1 != 0
        query.takesReadable = flags & 2 != 0
        query.skipsGuarded = flags & 4 != 0
        query.guardsAttributes = flags & 8 != 0
        query.promptsNoPerson = flags & 32 != 0
        let limit = try integer(UInt64.self)
        query.limit = flags & 16 != 0 ? nil : Int(clamping: limit)
        query.persistentReference = try reference()
        if let host = try optional(limit: Self.nameLimit) {
            var reader = ByteReader(host)
            query.hostOrSubdomain = try reader.text(host.count)
        }
        return query
    }

    mutating func changes() throws -> ItemChanges {
        var changes = ItemChanges()
        changes.attributes = try attributes().attributes
        changes.secret = try secret()
        if let group = try optional(limit: Self.nameLimit) {
            var reader = ByteReader(group)
            changes.keepsPastOfGroup = try reader.text(group.count)
        }
        return changes
    }
}
