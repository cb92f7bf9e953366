// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Sealing

/// What a guest asks of its guard (Documentation/Formats/GuardMessages.md).
package enum BrokerRequest: Sendable {
    /// The name of the guest, and the access groups of its grants.
    case name
    /// The guest begins: its first program is about to start.
    case begin
    case find(ItemQuery, withSecret: Bool)
    case add(ItemRecord, keepingDates: Bool)
    case addTogether([ItemRecord])
    case addIdentity(certificate: ItemRecord, key: ItemRecord)
    case update(ItemQuery, ItemChanges)
    case delete(ItemQuery)

    /// The version of the messages.
    static let version: UInt8 = 1
    /// Bytes of a request after its length: two secrets and their attributes.
    package static let limit = 36 << 20
    /// Items of one request.
    static let mostItems = 16

    package var bytes: [UInt8] {
        get throws {
            var writer = ByteWriter(capacity: 256)
            writer.append([Self.version, number])
            switch self {
            case .name, .begin: break
            case .find(let query, let withSecret):
                writer.append([withSecret ? 1 : 0])
                try writer.query(query)
            case .add(let item, let keepingDates):
                writer.append([keepingDates ? 1 : 0])
                try writer.record(item)
            case .addTogether(let items):
                writer.integer(UInt16(truncatingIfNeeded: items.count))
                for item in items { try writer.record(item) }
            case .addIdentity(let certificate, let key):
                try writer.record(certificate)
                try writer.record(key)
            case .update(let query, let changes):
                try writer.query(query)
                try writer.changes(changes)
            case .delete(let query): try writer.query(query)
            }
            return writer.bytes
        }
    }

    /// Errors: `SealingError.malformed` for anything that `bytes` doesn't write; `.notAvailable` for another version.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.integer(UInt8.self) == Self.version else {
            throw KeychainError(.notAvailable, "the guard and the program are of different versions of Zamok")
        }
        switch try reader.integer(UInt8.self) {
        case 1: self = .name
        case 2: self = .begin
        case 3:
            let withSecret = try reader.flag()
            self = .find(try reader.query(), withSecret: withSecret)
        case 4:
            let keepingDates = try reader.flag()
            self = .add(try reader.record(), keepingDates: keepingDates)
        case 5:
            let count = Int(try reader.integer(UInt16.self))
            guard count <= Self.mostItems else { throw SealingError.malformed }
            self = .addTogether(try (0..<count).map { _ in try reader.record() })
        case 6:
            let certificate = try reader.record()
            self = .addIdentity(certificate: certificate, key: try reader.record())
        case 7:
            let query = try reader.query()
            self = .update(query, try reader.changes())
        case 8: self = .delete(try reader.query())
        default: throw SealingError.malformed
        }
        try reader.end()
    }

    private var number: UInt8 {
        switch self {
        case .name: 1
        case .begin: 2
        case .find: 3
        case .add: 4
        case .addTogether: 5
        case .addIdentity: 6
        case .update: 7
        case .delete: 8
        }
    }
}
