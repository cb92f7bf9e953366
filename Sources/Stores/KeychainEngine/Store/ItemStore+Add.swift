// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

/// A new item with its defaults, checked, before it is sealed.
struct PreparedItem: Sendable {
    let itemClass: ItemClass
    let kind: UInt8
    let attributes: Attributes
    let accessibility: Accessibility
    let secret: Secret?
    let layers: RowLayers

    init(_ item: NewItem, _ identity: ApplicationIdentity, now: Double) throws(KeychainError) {
        try item.itemClass.checkIsItem()
        guard let kind = item.itemClass.kind else {
            throw KeychainError(.unimplemented, "an identity is added as its certificate and its key")
        }
        guard item.attributes.count <= ItemLimits.attributes else {
            throw KeychainError(.parameter, "an item may have \(ItemLimits.attributes) attributes")
        }
        self.kind = kind
        itemClass = item.itemClass
        secret = try item.secret?.withinLimit()
        attributes = try Self.complete(item, identity, now: now).withPublicHalf(of: item.secret, item.itemClass)
        accessibility = try attributes.checkedAccessibility()
        layers = try attributes.layers()
    }

    /// An item from another home, or a record of sync, whose attributes are complete.
    init(whole attributes: Attributes, _ itemClass: ItemClass, secret: Secret?) throws(KeychainError) {
        guard let kind = itemClass.kind else { throw KeychainError(.parameter, "an identity is no item") }
        self.kind = kind
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = try secret?.withinLimit()
        accessibility = try attributes.checkedAccessibility()
        layers = try attributes.layers()
    }

    private static func complete(
        _ item: NewItem, _ identity: ApplicationIdentity, now: Double
    ) throws(KeychainError) -> Attributes {
        let table = AttributeTable.of(item.itemClass)
        try table.check(item.attributes)
        var attributes = item.attributes.filter { table[$0.key]?.traits.contains(.ignored) == false }
        attributes[.accessGroup] = .text(try identity.groupForWriting(item.attributes.accessGroup))
        // Any value but 0 and 1, "any" among them, means a local item.
        attributes[.synchronizable] = .number(attributes[.synchronizable] == .number(1) ? 1 : 0)
        attributes[.tombstone] = .number(0)
        if !item.keepsDates || attributes[.creationDate] == nil { attributes[.creationDate] = .date(now) }
        if !item.keepsDates || attributes[.modificationDate] == nil { attributes[.modificationDate] = .date(now) }
        if attributes[.accessible] == nil {
            attributes[.accessible] = .text(item.itemClass.defaultAccessibility.rawValue)
        }
        for (name, value) in table.defaults where attributes[name] == nil { attributes[name] = value }
        return attributes.withoutEmptyAccessControl()
    }
}

extension ItemClass {
    var defaultAccessibility: Accessibility { self == .certificate ? .always : .whenUnlocked }
}

extension Secret {
    func withinLimit() throws(KeychainError) -> Secret {
        guard count <= ItemLimits.secret else {
            throw KeychainError(.dataTooLarge, "a secret may have 16 MiB, this one has \(count) bytes")
        }
        return self
    }
}

extension Attributes {
    /// Whether it is synchronizable by its flag, but bound to this device by its class key. That key never leaves the
    /// device, so the item is not synchronized.
    package var isKeptFromSync: Bool { isSynchronizable && Accessibility(self)?.keyClass.isThisDeviceOnly == true }

    /// Checks the rules between several attributes.
    func checkedAccessibility() throws(KeychainError) -> Accessibility {
        guard self[.accessControl] == nil || !isSynchronizable else {
            throw KeychainError(.parameter, "an item with access control can't be synchronizable")
        }
        guard !isInTPM || !isSynchronizable else {
            throw KeychainError(.parameter, "a key in a TPM stays there, and can't be synchronizable")
        }
        guard let accessibility = Accessibility(self) else {
            throw KeychainError(.parameter, "the accessibility is not one of the seven")
        }
        return accessibility
    }
}

extension ItemStore {
    /// Adds one item, durably.
    ///
    /// Codes: `.duplicateItem`, `.missingEntitlement`, `.locked`, `.parameter`, `.notAvailable` (no passcode for
    /// whenPasscodeSet), `.dataTooLarge`, `.damaged` (the item of this identity is damaged), `.diskFull`.
    package func add(_ item: NewItem, _ prompt: PersonPrompt = PersonPrompt()) throws(KeychainError) -> FoundItem {
        try KeychainError.mapping {
            let prepared = try PreparedItem(item, identity, now: now())
            let asking = rowKeys(prompt)
            asking.begin(prepared.attributes)
            let password = try asking.newPasswordLayer(prepared.layers)
            let keys = try database.metadataKeys()
            let sealed = try ClearedScope.run {
                try SealedNewItem(prepared, keys: keys, keybag: keybag, password: password)
            }
            let written = try write { access in
                try ClearedScope.run {
                    let written = try insert(sealed, keys: keys, access: access)
                    try access.settle()
                    return written
                }
            }
            observers.tell([.added(written.reference)])
            return FoundItem(
                itemClass: prepared.itemClass, attributes: prepared.attributes, persistentReference: written.reference,
                secret: nil, hasSecret: prepared.secret != nil
            )
        }
    }

    /// Inserts inside a transaction. An item under a class key that was retired in the meantime is sealed again.
    func insert(
        _ sealed: SealedNewItem, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws -> SealedNewItem {
        try refuseTwin(sealed.identities, itemClass: sealed.item.itemClass, except: nil, keys: keys, access: access)
        let current =
            sealed.generation == access.keybagGeneration
            ? sealed : try SealedNewItem(sealed.item, keys: keys, keybag: keybag, password: sealed.password)
        try ClearedScope.run { try current.insert(keys, access) }
        return current
    }

    /// Refuses a second item of the same identity, regardless of its protection class. A tombstone is deleted instead.
    func refuseTwin(
        _ identities: [[UInt8]], itemClass: ItemClass, except row: Int64?, keys: borrowing MetadataKeys,
        access: WriteAccess
    ) throws {
        if !keys.isComplete, try access.reading.hasSealedRow(ofKind: Int64(itemClass.kind ?? 0)) {
            throw lockedBeforeFirstUnlock
        }
        for tag in identities {
            guard let twin = try access.reading.row(identity: tag), twin.id != row else { continue }
            // Throws if the twin is damaged. Its content is unknown, so it isn't replaced.
            guard try OpenRow(twin, keys).isTombstone else {
                throw KeychainError(.duplicateItem, Self.isThere(itemClass))
            }
            try access.delete(twin)
        }
    }

    private static func isThere(_ itemClass: ItemClass) -> String {
        switch itemClass {
        case .certificate: "this certificate is in the keychain already"
        case .key: "this key is in the keychain already, under the same tag"
        default: "an item with the same primary attributes exists already; update it"
        }
    }
}

extension Keybag {
    /// Errors: `.noPasscode`.
    func requirePasscode(for accessibility: Accessibility) throws {
        guard accessibility == .whenPasscodeSetThisDeviceOnly, try !hasPasscode else { return }
        throw DataProtectionError(.noPasscode, "this accessibility exists only while a passcode is set; set one first")
    }
}

/// A new item, ready to be inserted.
struct SealedNewItem: Sendable {
    let item: PreparedItem
    let password: PasswordLayer?
    let secret: SealedSecret?
    private let binding: RowBinding
    private let tags: RowTags
    /// The item's identity tags in every open domain.
    let identities: [[UInt8]]
    let generation: UInt64

    /// Errors: locked, no passcode, too large.
    init(
        _ item: PreparedItem, keys: borrowing MetadataKeys, keybag: Keybag, password: PasswordLayer?,
        uuid: [UInt8]? = nil
    ) throws {
        self.item = item
        self.password = password
        generation = keybag.generation
        var binding = RowBinding(
            applicationID: KeychainSchema.database.applicationID, version: KeychainSchema.rowVersion, kind: item.kind,
            keyClass: item.accessibility.keyClass, uuid: try uuid ?? randomBytes(count: 16)
        )
        binding.layers = item.layers.rawValue
        // Without a secret no key is wrapped, so a missing class would go unnoticed.
        if item.secret == nil { try keybag.requirePasscode(for: item.accessibility) }
        secret = try item.secret.map {
            try SealedSecret($0, binding: binding, attributes: item.attributes, keybag: keybag, password: password)
        }
        self.binding = binding
        let identities = try keys.identityTags(of: item.attributes, item.itemClass)
        self.identities = identities
        tags = try RowTags(
            item.itemClass, attributes: item.attributes, keys: keys, in: binding.domain,
            identity: keys.domains.firstIndex(of: binding.domain).map { identities[$0] })
    }

    var uuid: [UInt8] { binding.uuid }

    var reference: PersistentReference { PersistentReference(item.itemClass, uuid: binding.uuid) }

    /// The number of the write that makes a row also becomes the row's number, and so is never used twice.
    func insert(_ keys: borrowing MetadataKeys, _ access: WriteAccess) throws {
        let number = try access.nextRevision()
        let columns = try SealedColumns(
            item.itemClass, attributes: item.attributes, binding: binding, wrapping: secret?.wrapping, keys: keys,
            tags: tags, number: number,
            revision: number)
        try access.insert(columns, secret)
    }
}
