// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Readers
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// Changes all matching items in one transaction. Returns how many. The query's limit is ignored.
    ///
    /// Needs the same access as reading the secrets. While their class is locked, items can't be renamed or moved, and
    /// items that require the user prompt.
    /// `mdat` strictly increases.
    ///
    /// Codes: `.itemNotFound`, `.duplicateItem` (nothing is changed then), `.locked`, `.missingEntitlement`,
    /// `.parameter`, `.notAvailable`, `.dataTooLarge`, `.damaged`, `.keyDestroyed`, `.diskFull`.
    ///
    /// If there are healthy items, `passedOver` receives the number of damaged ones that match, or may match. Those
    /// are unchanged.
    @discardableResult
    package func update(
        _ query: ItemQuery, with changes: ItemChanges, _ prompt: PersonPrompt = PersonPrompt(),
        passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        try KeychainError.mapping {
            let search = try Search(query.withoutLimit, self)
            let changes = try changes.checked(AttributeTable.of(query.itemClass), identity)
            let rowKeys = rowKeys(prompt)
            let change = Change(
                changes, rowKeys, newPassword: try rowKeys.newPasswordLayer(try changes.attributes.layers()))
            let (references, damaged) = try rowKeys.asking {
                let keys = try database.metadataKeys()
                return try write { access in
                    let (rows, damaged) = try matches(
                        search, keys: keys, access: access, withSecrets: changes.needsOldSecret)
                    for row in rows { try identity.checkGrants(row.row.attributes.accessGroup) }
                    for row in rows { try ClearedScope.run { try apply(change, to: row, keys: keys, access: access) } }
                    return (rows.map(\.row.reference), damaged)
                }
            }
            observers.tell(references.map { .updated($0) } + damaged.map { .damaged($0) })
            passedOver(damaged.count)
            return references.count
        }
    }

    /// Deletes all matching items, durably and from every file. Returns how many. The query's limit is ignored.
    /// Codes: `.itemNotFound`, `.locked` (before the first unlock), `.missingEntitlement`, `.damaged`, `.diskFull`.
    /// `passedOver`: as for `update`.
    @discardableResult
    package func delete(
        _ query: ItemQuery, passedOver: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> Int {
        if query.itemClass == .identity { return try deleteIdentities(matching: query) }
        return try KeychainError.mapping {
            let search = try Search(query.withoutLimit, self)
            let keys = try database.metadataKeys()
            let (references, damaged) = try write { access in
                let (rows, damaged) = try matches(search, keys: keys, access: access, withSecrets: false)
                for row in rows { try ClearedScope.run { try remove(row.row, keys: keys, access: access) } }
                return (rows.map(\.row.reference), damaged)
            }
            observers.tell(references.map { .deleted($0) } + damaged.map { .damaged($0) })
            passedOver(damaged.count)
            return references.count
        }
    }

    fileprivate struct Match {
        let row: OpenRow
        let sealedSecret: [UInt8]?
    }

    /// All matching rows, before any of them is changed, and the damaged ones. Throws if no healthy row matches.
    private func matches(
        _ search: Search, keys: borrowing MetadataKeys, access: WriteAccess, withSecrets: Bool
    ) throws -> (found: [Match], damaged: [PersistentReference]) {
        if !keys.isComplete, try search.mayMatchSealedRow(access.reading) {
            throw lockedBeforeFirstUnlock
        }
        var found: [Match] = []
        var skipped = Findings(limit: nil)
        try search.candidates(keys, access: access.reading, withSecrets: withSecrets) { batch in
            for candidate in batch {
                do {
                    guard let open = try search.open(candidate.row, keys) else { continue }
                    found.append(Match(row: open, sealedSecret: candidate.sealedSecret))
                } catch {
                    try skipped.skip(candidate.row, error)
                }
            }
            return true
        }
        if found.isEmpty { throw skipped.failure ?? KeychainError(.itemNotFound, "there is no such item") }
        return (found, skipped.damaged)
    }

    // MARK: Update

    /// The change to every match.
    private struct Change {
        let changes: ItemChanges
        let rowKeys: RowKeys
        /// The new password, for items that get another access control.
        let newPassword: PasswordLayer?

        init(_ changes: ItemChanges, _ rowKeys: RowKeys, newPassword: PasswordLayer?) {
            self.changes = changes
            self.rowKeys = rowKeys
            self.newPassword = newPassword
        }

        /// Any change to an item needs the same access as reading its secret: the class key and, if required, the
        /// user's answer.
        /// The exception is a secret whose key was destroyed, which can be replaced.
        func requireReadable(_ row: OpenRow) throws {
            guard let wrapping = row.stored.wrapping else { return }
            rowKeys.begin(row.attributes)
            do {
                _ = try rowKeys.open(wrapping, row.binding)
            } catch let error as DataProtectionError where error.code == .keyDestroyed && changes.secret != nil {
                return
            }
        }

        /// The secret to seal: a new one, or the old one for another class or access control. Nil if the sealed secret
        /// is unchanged.
        func newSecret(_ match: Match, _ isSealedAnew: Bool) throws -> Secret? {
            guard isSealedAnew else { return nil }
            if let made = changes.newSecret {
                guard let old = try match.row.openSecret(match.sealedSecret, rowKeys) else {
                    throw KeychainError(.itemNotFound, "the item has no secret")
                }
                return try made(old).withinLimit()
            }
            return try changes.secret ?? match.row.openSecret(match.sealedSecret, rowKeys)
        }

        private func keepsPast(_ row: OpenRow) -> Bool {
            guard let group = changes.keepsPastOfGroup, changes.secret != nil else { return false }
            return row.attributes.accessGroup == group
        }

        /// The former secrets after the change. The replaced secret is added if that is requested, or if the item
        /// already has former ones.
        /// If its key was destroyed, there is nothing to keep.
        func past(of match: Match, before secret: Secret, at now: Double, _ access: ReadAccess) throws -> PastSecrets {
            guard match.row.hasSecret, match.row.hasPast || keepsPast(match.row) else {
                return PastSecrets()
            }
            do {
                var past = try match.row.openPast(rowKeys, access)
                if changes.secret != nil {
                    let sealed = try match.sealedSecret ?? access.sealedSecret(ofRow: match.row.stored.id)
                    if let old = try match.row.openSecret(sealed, rowKeys) { past.add(old, replacedAt: now) }
                }
                try past.drop(secret, at: now)
                return past
            } catch let error as DataProtectionError where error.code == .keyDestroyed && changes.secret != nil {
                return PastSecrets()
            }
        }

        /// The new password, or that of the row.
        func passwordLayer(_ row: OpenRow, _ layers: RowLayers) throws -> PasswordLayer? {
            guard layers.contains(.applicationPassword), newPassword == nil, let wrapping = row.stored.wrapping else {
                return newPassword
            }
            return try rowKeys.passwordLayer(
                PasswordLayer.Parameters(salt: wrapping.passwordSalt, cost: wrapping.passwordCost)
            )
        }
    }

    private func apply(
        _ change: Change, to match: Match, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws {
        let row = match.row
        try change.requireReadable(row)
        let attributes = row.attributes.changed(by: change.changes.attributes, now: now())
        for group in Set([row.attributes.accessGroup, attributes.accessGroup]) { try refuseReadOnly(group, access) }
        try row.attributes.checkTPMKey(changedTo: attributes, by: change.changes)
        let item = try PreparedItem(whole: attributes, row.itemClass, secret: nil)
        let table = AttributeTable.of(row.itemClass)
        if table.identityBytes(of: attributes) != table.identityBytes(of: row.attributes) {
            let identities = try keys.identityTags(of: attributes, row.itemClass)
            try refuseTwin(identities, itemClass: row.itemClass, except: row.stored.id, keys: keys, access: access)
        }
        let binding = try RowBinding(item, uuid: row.stored.uuid)
        let isSealedAnew =
            change.changes.secret != nil || change.changes.newSecret != nil || binding.keyClass != row.binding.keyClass
            || attributes[.accessControl] != row.attributes[.accessControl]
        let tags =
            row.keepsIndexes(attributes, binding)
            ? nil : try RowTags(row.itemClass, attributes: attributes, keys: keys, in: binding.domain)
        guard let secret = try change.newSecret(match, isSealedAnew) else {
            try keybag.requirePasscode(for: item.accessibility)
            let sealed = SealedItem(row, attributes: attributes, binding: binding, tags: tags)
            return try access.replaceAttributes(row.stored, by: sealed, keys)
        }
        let password = try change.passwordLayer(row, item.layers)
        let past = try change.past(of: match, before: secret, at: now(), access.reading)
        let sealed = try SealedSecret(
            secret, binding: binding, attributes: attributes, keybag: keybag, password: password, past: past)
        try access.replace(
            row.stored,
            by: SealedItem(row, attributes: attributes, binding: binding, secret: .replaced(sealed), tags: tags), keys)
        let isStricter = binding.keyClass.isStricter(than: row.binding.keyClass)
        if isStricter || attributes[.accessControl] != row.attributes[.accessControl] { access.purgeAfterCommit() }
    }

    /// Gives a stored item the secret and the attributes of another item with the same identity. Its previous secret is
    /// kept as a former one.
    func replaceContent(
        of row: OpenRow, with item: ItemRecord, keys: borrowing MetadataKeys, access: WriteAccess
    ) throws {
        var changes = try item.changes.checked(AttributeTable.of(item.itemClass), identity)
        changes.keepsPastOfGroup = row.attributes.accessGroup
        try keybag.withoutAsking { rowKeys in
            let sealed = try access.reading.sealedSecret(ofRow: row.stored.id)
            try apply(
                Change(changes, rowKeys, newPassword: nil), to: Match(row: row, sealedSecret: sealed), keys: keys,
                access: access)
        }
    }

    // MARK: Delete

    func remove(_ row: OpenRow, keys: borrowing MetadataKeys, access: WriteAccess) throws {
        try refuseReadOnly(row.attributes.accessGroup, access)
        guard row.isSynchronizable, !row.isTombstone else { return try access.delete(row.stored) }
        let attributes = row.tombstoneAttributes(now: now())
        let tags = try RowTags(row.itemClass, attributes: attributes, keys: keys, in: row.binding.domain)
        let tombstone = SealedItem(row, attributes: attributes, secret: .removed, tags: tags)
        try access.replace(row.stored, by: tombstone, keys)
        access.purgeAfterCommit()
    }
}

extension OpenRow {
    /// Whether all index entries are unchanged, because none of their attributes changes.
    fileprivate func keepsIndexes(_ attributes: Attributes, _ binding: RowBinding) -> Bool {
        let table = AttributeTable.of(itemClass)
        return binding.domain == self.binding.domain
            && table.identityBytes(of: attributes) == table.identityBytes(of: self.attributes)
            && ItemIndex.of(itemClass).allSatisfy {
                table.indexBytes(of: attributes, $0) == table.indexBytes(of: self.attributes, $0)
            }
    }

    /// The attributes that other devices need to delete their item.
    fileprivate func tombstoneAttributes(now: Double) -> Attributes {
        let kept = Set(AttributeTable.of(itemClass).primary.map(\.name) + [.creationDate, .accessible])
        var attributes = attributes.filter { kept.contains($0.key) }
        attributes[.modificationDate] = .date(now)
        attributes[.tombstone] = .number(1)
        return attributes
    }
}

extension ItemQuery {
    var withoutLimit: ItemQuery {
        var query = self
        query.limit = nil
        return query
    }
}

extension ItemChanges {
    /// Another class or access control without a new secret seals the old one again. Or the new secret is computed from
    /// the old one.
    fileprivate var needsOldSecret: Bool {
        newSecret != nil || secret == nil && (attributes[.accessible] != nil || attributes[.accessControl] != nil)
    }

    fileprivate func checked(
        _ table: AttributeTable, _ identity: ApplicationIdentity
    ) throws(KeychainError) -> ItemChanges {
        try table.check(attributes)
        guard attributes.count <= ItemLimits.attributes else {
            throw KeychainError(.parameter, "a change may have \(ItemLimits.attributes) attributes")
        }
        if let group = attributes.accessGroup { _ = try identity.groupForWriting(group) }
        _ = try secret?.withinLimit()
        return self
    }
}

extension Attributes {
    /// An item's attributes after the update. `cdat` can be set; `mdat`, `musr` and `tomb` can't.
    fileprivate func changed(by changes: Attributes, now: Double) -> Attributes {
        var result = self
        for (name, value) in changes where ![.modificationDate, .user, .tombstone, .digest].contains(name) {
            result[name] = name == .synchronizable ? .number(value == .number(1) ? 1 : 0) : value
        }
        // The clock may stop or go back; the order of changes must not.
        if case .date(let previous) = self[.modificationDate] {
            let last = CalendarTime.seconds.upperBound.nextDown
            result[.modificationDate] = .date(Swift.min(Swift.max(now, previous + 0.001), last))
        } else {
            result[.modificationDate] = .date(now)
        }
        return result.withoutEmptyAccessControl()
    }
}

extension KeyClass {
    /// Whether the other class is usable at times or on devices where this one isn't.
    func isStricter(than other: KeyClass) -> Bool {
        protection.strictness > other.protection.strictness || (isThisDeviceOnly && !other.isThisDeviceOnly)
    }
}

extension ProtectionClass {
    fileprivate var strictness: Int {
        switch self {
        case .none: 0
        case .completeUntilFirstUserAuthentication: 1
        case .completeUnlessOpen: 2
        case .complete: 3
        case .whenPasscodeSet: 4
        }
    }
}
