// SPDX-License-Identifier: Apache-2.0

import Readers
import Sealing

/// A durable handle of an item: it stays the same when the item is renamed or changed, and is never given to another
/// one.
///
/// 20 bytes: item class in four letters and a random UUID. The older form of 12 bytes with a row id is accepted.
public struct PersistentReference: Hashable, Sendable {
    /// The bytes, 20 or 12.
    public let bytes: [UInt8]

    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// A reference from its bytes; nil if they are not one.
    public init?(bytes: [UInt8]) {
        self.init(unchecked: bytes)
        if target == nil { return nil }
    }

    init(_ itemClass: ItemClass, uuid: [UInt8]) { bytes = Array(itemClass.rawValue.utf8) + uuid }

    /// The bytes in hexadecimal digits, as a person hands it to the command.
    package var digits: String { String(hexadecimal: bytes) }

    /// The class of the item.
    public var itemClass: ItemClass? { String(validating: bytes.prefix(4), as: UTF8.self).flatMap(ItemClass.init) }

    /// 12 bytes: attributes beside it are not allowed in update and delete.
    package var isOlderForm: Bool { bytes.count == 12 }

    enum Target: Equatable {
        case uuid([UInt8])
        case row(Int64)
    }

    var target: Target? {
        guard itemClass != nil else { return nil }
        let rest = Array(bytes.dropFirst(4))
        switch bytes.count {
        case 20: return .uuid(rest)
        case 12: return .row(rest.reduce(0) { ($0 << 8) | Int64($1) })
        default: return nil
        }
    }
}
