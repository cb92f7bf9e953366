// SPDX-License-Identifier: Apache-2.0

import Readers
import SealedDatabases
import Sealing

/// The class of an item. The raw value is Apple's code for it.
public enum ItemClass: String, Hashable, Sendable, CaseIterable {
    /// A password of a service (`kSecClassGenericPassword`).
    case genericPassword = "genp"
    /// A password of a server (`kSecClassInternetPassword`).
    case internetPassword = "inet"
    /// A certificate (`kSecClassCertificate`).
    case certificate = "cert"
    /// A key (`kSecClassKey`).
    case key = "keys"
    /// A certificate with its private key (`kSecClassIdentity`). It is not stored itself, but found where both are.
    case identity = "idnt"
    /// A record of sync, beside the items. No query, listing or export includes it.
    case syncRecord = "sync"

    /// The classes that a query can name.
    public static let allCases: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key, .identity]

    /// The column `kind`; nil for identities, which have no rows.
    package var kind: UInt8? {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        case .identity: nil
        case .syncRecord: 5
        }
    }

    /// Refuses `syncRecord`, which is no item to callers.
    func checkIsItem() throws(KeychainError) {
        guard self == .syncRecord else { return }
        throw KeychainError(.noSuchClass, "there is no such item class")
    }

    init?(kind: Int64) {
        switch kind {
        case 1: self = .genericPassword
        case 2: self = .internetPassword
        case 3: self = .certificate
        case 4: self = .key
        case 5: self = .syncRecord
        default: return nil
        }
    }
}

/// Documentation/Formats/Keychain.md, "Limits".
package enum ItemLimits {
    /// Bytes of a secret: 16 MiB.
    package static let secret = 16 << 20
    /// Attributes in a query, an item or a change.
    package static let attributes = 128
    /// Bytes of a stored secret. Padding and seal add less than 1 KiB.
    static let sealedSecret = secret + 1024
    /// Bytes of all stored attributes.
    static let sealedAttributes = EncodedAttributes.limit + 1024
}

/// A durable handle of an item. It is unchanged when the item is renamed or changed, and never identifies another item.
///
/// 20 bytes: the item class in four letters and a random UUID. The older form, 12 bytes with a row id, is accepted.
public struct PersistentReference: Hashable, Sendable {
    /// The bytes, 20 or 12.
    public let bytes: [UInt8]

    package init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// A reference from its bytes; nil if they are malformed.
    public init?(bytes: [UInt8]) {
        self.init(unchecked: bytes)
        if target == nil { return nil }
    }

    init(_ itemClass: ItemClass, uuid: [UInt8]) { bytes = Array(itemClass.rawValue.utf8) + uuid }

    /// The bytes in hexadecimal digits, as the user passes them to the command.
    package var digits: String { String(hexadecimal: bytes) }

    /// The class of the item.
    public var itemClass: ItemClass? { String(validUTF8: bytes.prefix(4)).flatMap(ItemClass.init) }

    /// Whether it has 12 bytes. Update and delete allow no attributes beside such a reference.
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
