// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SealedDatabases
import Sealing
import SecretMemory
import Statuses

/// An item that may be stored: complete, and checked. Only such an item is sealed.
struct PreparedItem: Sendable {
    let itemClass: ItemClass
    let kind: UInt8
    let attributes: Attributes
    let accessibility: Accessibility
    let secret: Secret?
    let layers: RowLayers

    /// A new item, with its defaults. `keepingDates`: an import keeps `cdat` and `mdat`; otherwise both are set to now.
    init(
        _ item: ItemRecord, _ identity: ApplicationIdentity, now: Double, keepingDates: Bool = false
    ) throws(KeychainError) {
        try item.itemClass.checkIsItem()
        guard item.itemClass.kind != nil else {
            throw KeychainError(.unimplemented, "an identity is added as its certificate and its key")
        }
        guard item.attributes.count <= ItemLimits.attributes else {
            throw KeychainError(.parameter, "an item may have \(ItemLimits.attributes) attributes")
        }
        let secret = try item.secret?.withinLimit()
        let attributes = try Self.complete(item, identity, now: now, keepingDates)
        try self.init(
            whole: attributes.withPublicHalf(of: secret, item.itemClass), item.itemClass, secret: secret)
    }

    /// An item whose attributes are complete: one from another home, a record of sync, a stored one that changes.
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
        _ item: ItemRecord, _ identity: ApplicationIdentity, now: Double, _ keepsDates: Bool
    ) throws(KeychainError) -> Attributes {
        let table = AttributeTable.of(item.itemClass)
        try table.check(item.attributes)
        var attributes = item.attributes.filter { table[$0.key]?.traits.contains(.ignored) == false }
        attributes[.accessGroup] = .text(try identity.groupForWriting(item.attributes.accessGroup))
        // Any value but 0 and 1, "any" among them, means a local item.
        attributes[.synchronizable] = .number(attributes[.synchronizable] == .number(1) ? 1 : 0)
        attributes[.tombstone] = .number(0)
        for date in [AttributeName.creationDate, .modificationDate] where !keepsDates || attributes[date] == nil {
            attributes[date] = .date(now)
        }
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
    package func add(
        _ item: ItemRecord, keepingDates: Bool = false, _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> ItemRecord {
        try KeychainError.mapping {
            let prepared = try PreparedItem(item, identity, now: now(), keepingDates: keepingDates)
            let password = try newPasswords([prepared], prompt)[0]
            let keys = try database.metadataKeys()
            let new = try sealed(prepared, password, keys: keys)
            let reference = try write { access in
                try ClearedScope.run {
                    let reference = try insert(new, keys: keys, access: access)
                    try access.settle()
                    return reference
                }
            }
            observers.tell([.added(reference)])
            return ItemRecord(prepared, reference)
        }
    }

    /// An item that is about to be added, sealed before the transaction begins.
    struct Addition {
        let item: PreparedItem
        let password: PasswordLayer?
        /// The item's identity tags in every open domain.
        let identities: [[UInt8]]
        let sealed: SealedItem
        /// The keybag's generation when the item was sealed. If it has changed, the class key may be retired.
        let generation: UInt64
    }

    /// The new passwords of the items that need one. Prompts once, before any key is in use.
    func newPasswords(_ items: [PreparedItem], _ prompt: PersonPrompt) throws -> [PasswordLayer?] {
        let rowKeys = rowKeys(prompt)
        return try items.map { item in
            rowKeys.begin(item.attributes)
            return try rowKeys.newPasswordLayer(item.layers)
        }
    }

    func sealed(
        _ item: PreparedItem, _ password: PasswordLayer?, keys: borrowing MetadataKeys, uuid: [UInt8]? = nil
    ) throws -> Addition {
        try ClearedScope.run {
            let generation = keybag.generation
            let identities = try keys.identityTags(of: item.attributes, item.itemClass)
            let sealed = try SealedItem(
                item, identities, keys: keys, keybag: keybag, password: password, uuid: uuid)
            return Addition(
                item: item, password: password, identities: identities, sealed: sealed, generation: generation)
        }
    }

    /// Inserts inside a transaction. An item under a class key that was retired in the meantime is sealed again.
    func insert(
        _ new: Addition, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws -> PersistentReference {
        let item = new.item
        try refuseReadOnly(item.attributes.accessGroup, access)
        try refuseTwin(new.identities, itemClass: item.itemClass, except: nil, keys: keys, access: access)
        let sealed =
            new.generation == access.keybagGeneration
            ? new.sealed : try self.sealed(item, new.password, keys: keys).sealed
        try ClearedScope.run { try access.insert(sealed, keys) }
        return PersistentReference(item.itemClass, uuid: sealed.binding.uuid)
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
