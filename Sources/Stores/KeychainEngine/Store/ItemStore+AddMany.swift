// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Readers
import SealedDatabases
import SecretMemory
import Statuses

/// How an addition of many items treats an item whose identity belongs to a stored item with other content.
package enum TwinRule: Sendable {
    /// The stored item is unchanged, and the new one is left out.
    case keep
    /// The stored item gets the secret and the attributes of the new one. Its secret is kept as a former one.
    case replace
    /// A password is added under the account `ACCOUNT (2)`, or with the next free number. Items of other classes are
    /// left out.
    case keepBoth
}

/// The outcome for one of many items.
package enum AddedItem: Equatable, Sendable {
    case added
    /// The stored item has the same secret, and all attributes of the new one.
    case isThere
    case replaced
    /// Added under this account. The stored item differs in these attributes, and if `secretDiffers` in its secret.
    case keptBeside(account: String, differing: [AttributeName], secretDiffers: Bool)
    /// `differing`: the attributes that differ from the stored item. `secretDiffers`: whether the secret differs too.
    case different(differing: [AttributeName], secretDiffers: Bool)
    /// The stored item can't be compared, or the item can't be added.
    case leftOut(KeychainTransfer.Reason, why: String)
}

extension ItemStore {
    /// Adds items in one transaction: all that can be added, or none. Items that are already stored, are damaged or
    /// break a rule are left out and counted.
    /// No item counts as stored without comparing it with the stored one.
    ///
    /// `next` is called for one item after the other until it returns nil. Dates that an item has are kept. If the
    /// transaction begins again, `restart` is called, then `next` from the start.
    /// With `isTrial` nothing is kept, and the result is the same. `told` receives the outcome of each item.
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that concern all items.
    package func addMany(
        restart: () throws -> Void = {}, isTrial: Bool = false, twins: TwinRule = .keep, next: () throws -> ItemRecord?,
        told: (ItemRecord, AddedItem) -> Void = { _, _ in }, progress: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try KeychainError.mapping {
            do {
                return try addMany(isTrial, twins, restart: restart, next: next, told: told, progress: progress)
            } catch let trial as Trial {
                return trial.transfer
            }
        }
    }

    /// Rolls a trial back.
    private struct Trial: Error {
        let transfer: KeychainTransfer
    }

    private func addMany(
        _ isTrial: Bool, _ twins: TwinRule, restart: () throws -> Void, next: () throws -> ItemRecord?,
        told: (ItemRecord, AddedItem) -> Void, progress: (Int) -> Void
    ) throws -> KeychainTransfer {
        let keys = try database.metadataKeys()
        let transfer = try write { access in
            try restart()
            var transfer = KeychainTransfer()
            var addition = ManyAdded(rule: twins)
            var seen = 0
            while let item = try next() {
                seen += 1
                let outcome = try ClearedScope.run {
                    do { return try addOne(item, keys: keys, access: access, &addition) } catch {
                        // An error that concerns all items is thrown as it is: what the database's mean is known where
                        // the transaction ends.
                        let known = KeychainError(error)
                        guard let reason = KeychainTransfer.Reason(known.code) else { throw error }
                        return .leftOut(reason, why: known.message)
                    }
                }
                transfer.count(outcome)
                told(item, outcome)
                progress(seen)
            }
            // Each process that opens the store while no other has it open would read a long log again.
            guard !isTrial else { throw Trial(transfer: transfer) }
            if transfer.count + transfer.replaced > Self.mostInLog { access.purgeAfterCommit() }
            return transfer
        }
        if transfer.count + transfer.replaced > 0 { observers.tell([.elsewhere]) }
        return transfer
    }

    private static var mostInLog: Int { 500 }

    /// How many accounts are tried for an item that is kept beside another.
    private static var mostBeside: Int { 1000 }

    /// The state of one addition of many items.
    private struct ManyAdded {
        let rule: TwinRule
        /// Items that it added, replaced or found. A second item of the same identity doesn't replace the first.
        var own: Set<PersistentReference> = []
    }

    private func addOne(
        _ item: ItemRecord, keys: borrowing MetadataKeys, access: WriteAccess, _ addition: inout ManyAdded
    ) throws -> AddedItem {
        let first = try insertOrCompare(item, keys: keys, access: access, &addition)
        guard case .different(let differing, let secretDiffers) = first, addition.rule == .keepBoth, item.isPassword
        else { return first }
        // An item that was kept beside before is already stored, too.
        let account = item.attributes[.account]?.asText ?? ""
        for number in 2...Self.mostBeside {
            var other = item
            let name = account.isEmpty ? "(\(number))" : "\(account) (\(number))"
            other.attributes[.account] = .text(name)
            switch try insertOrCompare(other, keys: keys, access: access, &addition) {
            case .added: return .keptBeside(account: name, differing: differing, secretDiffers: secretDiffers)
            case .different: continue
            case let outcome: return outcome
            }
        }
        return first
    }

    private func insertOrCompare(
        _ item: ItemRecord, keys: borrowing MetadataKeys, access: WriteAccess, _ addition: inout ManyAdded
    ) throws -> AddedItem {
        let prepared = try PreparedItem(item, identity, now: now(), keepingDates: true)
        guard !prepared.layers.contains(.applicationPassword) else {
            throw KeychainError(.parameter, "items with passwords of their own are added one by one")
        }
        let new = try sealed(prepared, nil, keys: keys)
        do {
            let written = try insert(new, keys: keys, access: access)
            if addition.rule == .replace { addition.own.insert(written) }
            return .added
        } catch let error as KeychainError where error.code == .duplicateItem {
            let stored = try new.identities.lazy
                .compactMap { try access.reading.row(identity: $0) }.first
            guard let stored else { throw error }
            let twin = try OpenRow(stored, keys)
            let outcome = try compare(item, with: twin, access)
            guard addition.rule == .replace, addition.own.insert(twin.reference).inserted, case .different = outcome
            else { return outcome }
            try replaceContent(of: twin, with: item, keys: keys, access: access)
            return .replaced
        }
    }

    /// Compares the secret, and the attributes of the new item. An item that requires the user is not opened.
    private func compare(_ item: ItemRecord, with twin: OpenRow, _ access: WriteAccess) throws -> AddedItem {
        guard twin.binding.layers == 0, twin.attributes[.accessControl] == nil else {
            return .leftOut(.accessControlled, why: "the stored one asks for the person, and can't be compared")
        }
        let sealed = try access.reading.sealedSecret(ofRow: twin.stored.id)
        let secret: Secret?
        do { secret = try keybag.withoutAsking { try twin.openSecret(sealed, $0) } } catch {
            guard KeychainError(error).code == .locked else { throw error }
            return .leftOut(.locked, why: "the stored one is locked, and can't be compared")
        }
        // For certificates and keys, equal identities imply equal content.
        let differs: Bool
        switch (item.secret, secret) {
        case (nil, _): differs = false
        case (.some, nil): differs = true
        case (let new?, let old?): differs = try !new.isEqual(to: old)
        }
        let table = AttributeTable.of(item.itemClass)
        let differing = item.attributes.filter { name, value in
            guard let attribute = table[name], attribute.isCompared, !value.isEmptyText else { return false }
            return twin.attributes[name].map { !attribute.equal($0, value) } ?? true
        }
        guard differs || !differing.isEmpty else { return .isThere }
        return .different(differing: differing.map(\.key), secretDiffers: differs)
    }
}

extension KeychainTransfer {
    fileprivate mutating func count(_ outcome: AddedItem) {
        switch outcome {
        case .added, .keptBeside: count += 1
        case .replaced: replaced += 1
        case .isThere: leaveOut(.duplicate)
        case .different: leaveOut(.different)
        case .leftOut(let reason, _): leaveOut(reason)
        }
    }
}

extension Attribute {
    /// Whether a new value adds information to an item's identity. Times do not.
    fileprivate var isCompared: Bool {
        traits.isDisjoint(with: [.primary, .automatic, .ignored])
            && ![.creationDate, .modificationDate, .tombstone, .user, .synchronizable, .digest].contains(name)
    }
}

extension AttributeValue {
    fileprivate var isEmptyText: Bool { self == .text("") || self == .data([]) }

    fileprivate var asText: String? {
        switch self {
        case .text(let text): text
        case .data(let bytes): String(validUTF8: bytes)
        default: nil
        }
    }
}

extension ItemRecord {
    fileprivate var isPassword: Bool { itemClass == .genericPassword || itemClass == .internetPassword }

    /// The changes for a stored item of the same identity.
    var changes: ItemChanges {
        let table = AttributeTable.of(itemClass)
        var changes = ItemChanges()
        changes.attributes = attributes.filter { table[$0.key]?.isCompared == true }
        changes.secret = secret
        return changes
    }
}
