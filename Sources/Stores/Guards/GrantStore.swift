// SPDX-License-Identifier: Apache-2.0

import DataProtection
package import KeychainEngine
import Readers
import Sealing
import SecretMemory
import Statuses

/// The grants of a home. Each is an item of the access group `zamok.guard`, bound to this device: its service is the
/// guest, its account the group (Documentation/Formats/GuardMessages.md, "Grants").
package struct GrantStore: Sendable {
    private let items: any ItemAccess

    /// `items`: those of a home.
    package init(_ items: any ItemAccess) {
        let own = ApplicationIdentity(applicationIdentifier: Grant.ownGroup, accessGroups: [Grant.ownGroup])
        self.items = (items as? ItemStore)?.seen(by: own) ?? items
    }

    /// All grants, or those of one guest, in the order in which they were first given. Errors: `.damaged` for an item
    /// that is no grant; those of a search.
    package func grants(of guest: GuestName? = nil) throws(KeychainError) -> [Grant] { try all(of: guest).grants }

    /// The grants of both forms.
    package func all(of guest: GuestName?) throws(KeychainError) -> (grants: [Grant], uses: [UseGrant]) {
        var query = Self.query(guest, group: nil)
        query.limit = nil
        do {
            let found = try items.items(matching: query, withSecret: false)
            return try KeychainError.mapping {
                let uses = try found.map { (item: $0, use: try Self.use($0)) }
                return (try uses.filter { $0.use == nil }.map { try Self.grant($0.item) }, uses.compactMap(\.use))
            }
        } catch let error where error.code == .itemNotFound {
            return ([], [])
        }
    }

    /// Stores the grant in place of an earlier one of the same guest and group.
    ///
    /// - Parameter accessibility: `.whenPasscodeSetThisDeviceOnly` where there is a passcode. Errors: `.locked` and
    ///   others of adding an item.
    package func allow(_ grant: Grant, _ accessibility: Accessibility) throws(KeychainError) {
        try store(Self.bytes(grant), of: grant.guest, account: grant.group, grant.guest.text, accessibility)
    }

    func store(
        _ bytes: [UInt8], of guest: GuestName, account: String, _ label: String, _ accessibility: Accessibility
    ) throws(KeychainError) {
        var item = ItemRecord(.genericPassword)
        item.attributes = Self.query(guest, group: account).attributes
        item.attributes[.generic] = .data(bytes)
        item.attributes[.label] = .text("zamok guard: \(label)")
        item.attributes[.accessible] = .text(accessibility.rawValue)
        item.secret = try KeychainError.mapping { try Secret(copying: bytes) }
        do {
            _ = try items.add(item, PersonPrompt())
        } catch let error where error.code == .duplicateItem {
            var changes = ItemChanges()
            changes.attributes[.generic] = item.attributes[.generic]
            changes.secret = item.secret
            try items.update(Self.query(guest, group: account), with: changes)
        }
    }

    /// Takes grants back: that of one group, or all of the guest. Returns how many. Errors: `.itemNotFound`.
    package func revoke(_ guest: GuestName, group: String?) throws(KeychainError) -> Int {
        try items.delete(Self.query(guest, group: group))
    }

    private static func query(_ guest: GuestName?, group: String?) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes[.accessGroup] = .text(Grant.ownGroup)
        if let guest { query.attributes[.service] = .text(guest.text) }
        if let group { query.attributes[.account] = .text(group) }
        return query
    }

    private static let groupVersion: UInt8 = 1
    private static let limitedGroupVersion: UInt8 = 4

    private static func bytes(_ grant: Grant) -> [UInt8] {
        var writer = ByteWriter(capacity: 32)
        writer.integer(grant.limits == .none ? groupVersion : limitedGroupVersion)
        writer.integer(grant.actions.rawValue)
        if grant.limits != .none { grant.limits.write(to: &writer) }
        return writer.bytes
    }

    static func grant(_ item: ItemRecord) throws -> Grant {
        guard case .text(let name) = item.attributes[.service], case .text(let group) = item.attributes[.account],
            case .data(let bytes) = item.attributes[.generic], let guest = GuestName(name)
        else { throw SealingError.malformed }
        var reader = ByteReader(bytes)
        let version = try reader.integer(UInt8.self)
        guard [groupVersion, limitedGroupVersion].contains(version) else {
            throw KeychainError(.damaged, "a grant was written by a newer version of Zamok; nothing was granted")
        }
        let actions = GrantActions(rawValue: try reader.integer())
        let limits = try version == groupVersion ? GrantLimits.none : GrantLimits(from: &reader)
        try reader.end()
        guard let grant = Grant(guest: guest, group: group, actions: actions, limits) else {
            throw SealingError.malformed
        }
        return grant
    }
}
