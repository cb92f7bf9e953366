// SPDX-License-Identifier: Apache-2.0

package import DataProtection
public import KeychainEngine
public import SecretMemory

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An item of a keychain: ``GenericPassword``, ``InternetPassword``, ``CertificateItem``,
/// ``KeyItem`` or ``IdentityItem``.
///
/// It is a value. Changes to it are stored only by ``Keychain/update(_:authentication:)``.
public protocol KeychainItem: Sendable {
    /// The item class that the type represents.
    static var itemClass: ItemClass { get }

    /// The content that the properties read and write.
    var content: ItemContent { get set }

    /// An item with this content.
    init(content: ItemContent)
}

/// The content of an item: attributes, secret, reference. Read and written through the item's properties.
public struct ItemContent: Sendable {
    package var attributes: Attributes
    package var secret: Secret?
    package var reference: PersistentReference?
    /// The bytes of an identity's certificate.
    package var certificate: Secret?
    /// The environment by which a key's TPM is found.
    package var tpms = TPMEnvironment.process
    /// The content as it was found. Differences from it are changes.
    private var found: (attributes: Attributes, secret: Secret?) = ([:], nil)

    /// Empty content.
    public init() { attributes = [:] }

    /// The content of a stored item.
    package init(found item: ItemRecord) {
        self.init(item)
        found = (attributes, secret)
    }

    package init(_ item: ItemRecord) {
        attributes = item.attributes
        secret = item.secret
        reference = item.persistentReference
        certificate = item.certificate
        tpms = item.tpms
    }

    /// The changes since the item was found.
    var changes: ItemChanges {
        var changes = ItemChanges()
        changes.attributes = attributes.filter { found.attributes[$0.key] != $0.value }
        if secret !== found.secret { changes.secret = secret }
        return changes
    }

    package func text(_ name: AttributeName) -> String? {
        switch attributes[name] {
        case .text(let text): text
        // Written through SecItem as data. Bytes that aren't text show as replacement characters, and
        // are stored unchanged.
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): String(number)
        case .date, .none: nil
        }
    }

    package func number(_ name: AttributeName) -> Int64? {
        guard case .number(let number) = attributes[name] else { return nil }
        return number
    }

    package func bytes(_ name: AttributeName) -> [UInt8]? {
        switch attributes[name] {
        case .data(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .number, .date, .none: nil
        }
    }

    package func date(_ name: AttributeName) -> Date? {
        guard case .date(let seconds) = attributes[name] else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    package mutating func set(_ name: AttributeName, _ text: String?) {
        attributes[name] = text.map { .text($0) }
    }

    package mutating func set(_ name: AttributeName, _ number: Int64?) {
        attributes[name] = number.map { .number($0) }
    }
}

extension KeychainItem {
    /// The secret bytes: for a certificate its DER, for an identity those of its key. Nil if the item has none, or if
    /// secrets were not requested.
    public var secret: Secret? {
        get { content.secret }
        set { content.secret = newValue }
    }

    /// When the secret is readable. By default a new item is readable while unlocked, and a certificate always.
    public var accessibility: Accessibility {
        get {
            content.text(.accessible).flatMap(Accessibility.init)
                ?? (Self.itemClass == .certificate ? .always : .whenUnlocked)
        }
        set { content.set(.accessible, newValue.rawValue) }
    }

    /// The authentication that each reading of the secret requires, in addition to ``accessibility``. Empty: none.
    ///
    /// `AccessConstraints.userPresence` requires the passcode. Without it no process can read the secret, not even one
    /// that has the keys of an unlocked home. It can't be combined with ``isSynchronizable``.
    public var accessControl: AccessConstraints {
        get { content.attributes.constraints }
        set { content.attributes.constraints = newValue }
    }

    /// The access group; nil for a new item: the program's first one.
    public var accessGroup: String? {
        get { content.text(.accessGroup) }
        set { content.set(.accessGroup, newValue) }
    }

    /// Whether the item may be synchronised between devices. Part of the identity: a local item that is otherwise equal
    /// may exist as well. An item with an accessibility that is bound to this device still stays on this device.
    public var isSynchronizable: Bool {
        get { content.number(.synchronizable) == 1 }
        set { content.set(.synchronizable, newValue ? 1 : 0) }
    }

    /// A name for display.
    public var label: String? {
        get { content.text(.label) }
        set { content.set(.label, newValue) }
    }

    /// The time at which the item was added.
    public var creationDate: Date? { content.date(.creationDate) }

    /// The time of the last change. It increases with each change.
    public var modificationDate: Date? { content.date(.modificationDate) }

    /// The durable handle of a stored item; nil for one that is not stored yet.
    public var persistentReference: PersistentReference? { content.reference }
}

/// The common properties of generic and internet passwords.
public protocol PasswordItem: KeychainItem {}

extension PasswordItem {
    /// The account. Part of the identity.
    public var account: String {
        get { content.text(.account) ?? "" }
        set { content.set(.account, newValue) }
    }

    /// A comment, which the user may change.
    public var comment: String? {
        get { content.text(.comment) }
        set { content.set(.comment, newValue) }
    }

    /// The kind of the item, for display ("application password").
    public var itemDescription: String? {
        get { content.text(.description) }
        set { content.set(.description, newValue) }
    }

    /// The program that created the item: a code of four letters as a number.
    public var creator: UInt32? {
        get { content.number(.creator).flatMap { UInt32(exactly: $0) } }
        set { content.set(.creator, newValue.map { Int64($0) }) }
    }

    /// The kind of the item: a code of four letters as a number.
    public var type: UInt32? {
        get { content.number(.type).flatMap { UInt32(exactly: $0) } }
        set { content.set(.type, newValue.map { Int64($0) }) }
    }

    /// Whether lists should leave the item out.
    public var isInvisible: Bool {
        get { content.number(.isInvisible) == 1 }
        set { content.set(.isInvisible, newValue ? 1 : 0) }
    }

    /// Whether the item says that no password is to be stored.
    public var isNegative: Bool {
        get { content.number(.isNegative) == 1 }
        set { content.set(.isNegative, newValue ? 1 : 0) }
    }
}
