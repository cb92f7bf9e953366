// SPDX-License-Identifier: Apache-2.0

import DataProtection
package import KeychainEngine
import Readers
import Sealing
import SecretMemory

/// Grants for use, as items: versions 2 and, with limits, 3 of a grant's form (Documentation/Formats/GuardMessages.md,
/// "Grants").
extension GrantStore {
    static let useVersion: UInt8 = 2
    private static let limitedUseVersion: UInt8 = 3

    /// All grants for use, or those of one guest. Errors: `.damaged` for an item that is no grant; those of a search.
    package func uses(of guest: GuestName? = nil) throws(KeychainError) -> [UseGrant] { try all(of: guest).uses }

    /// Stores the grant in place of an earlier one of the same guest, item, server and place. Errors: as of `allow`.
    package func allow(_ grant: UseGrant, _ accessibility: Accessibility) throws(KeychainError) {
        try store(
            Self.bytes(grant), of: grant.guest, account: Self.account(of: grant), "\(grant.item.name) at \(grant.host)",
            accessibility)
    }

    /// Takes the grant back. Errors: `.itemNotFound`.
    package func revoke(_ grant: UseGrant) throws(KeychainError) {
        _ = try revoke(grant.guest, group: Self.account(of: grant))
    }

    /// Begins with a control character, so that no group has it.
    static func account(of grant: UseGrant) -> String {
        "\u{1F}\(String(hexadecimal: grant.item.reference)) \(grant.host.scheme.name)://\(grant.host.name):\(grant.host.port) \(grant.place.number) \(grant.place.name)"
    }

    static func bytes(_ grant: UseGrant) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.integer(grant.limits == .none ? useVersion : limitedUseVersion)
        writer.prefixed(grant.item.reference)
        writer.prefixed(grant.item.name.utf8)
        writer.prefixed(grant.item.account.utf8)
        writer.integer(grant.host.scheme.rawValue)
        writer.prefixed(grant.host.name.utf8)
        writer.integer(grant.host.port)
        writer.optional(grant.host.address.map { Array($0.utf8) })
        writer.integer(grant.place.number)
        writer.prefixed(grant.place.name.utf8)
        writer.prefixed(grant.shape.prefix.utf8)
        writer.integer(grant.shape.count)
        for list in [grant.methods, grant.paths.map(\.text)] {
            writer.integer(UInt16(truncatingIfNeeded: list.count))
            for text in list { writer.prefixed(text.utf8) }
        }
        if grant.limits != .none { grant.limits.write(to: &writer) }
        return writer.bytes
    }

    /// Nil: the item is a grant for a group.
    static func use(_ item: ItemRecord) throws -> UseGrant? {
        guard case .text(let name) = item.attributes[.service], case .text(let account) = item.attributes[.account],
            case .data(let bytes) = item.attributes[.generic], let guest = GuestName(name)
        else { throw SealingError.malformed }
        guard bytes.first == useVersion || bytes.first == limitedUseVersion else { return nil }
        var reader = ByteReader(bytes)
        _ = try reader.integer(UInt8.self)
        let reference = try reader.prefixed(limit: 20)
        let used = UsedItem(reference: reference, name: try reader.name(), account: try reader.name())
        guard let scheme = UseHost.Scheme(rawValue: try reader.integer()) else { throw SealingError.malformed }
        let (host, port) = (try reader.name(), try reader.integer(UInt16.self))
        let address = try reader.flag() ? try reader.name() : nil
        let (number, place) = (try reader.integer(UInt8.self), try reader.name())
        let (prefix, count) = (try reader.name(), try reader.integer(UInt16.self))
        let methods = try reader.names()
        let paths = try reader.names().map { text in
            guard let pattern = PathPattern(text) else { throw SealingError.malformed }
            return pattern
        }
        let limits = try bytes.first == useVersion ? GrantLimits.none : GrantLimits(from: &reader)
        try reader.end()
        guard let host = UseHost(scheme, host, port, at: address), let place = UsePlace(number: number, name: place),
            let shape = PlaceholderShape(prefix: prefix, count: count),
            let grant = UseGrant(guest, used, host, methods: methods, paths: paths, place, shape, limits),
            Self.account(of: grant).utf8.elementsEqual(account.utf8)
        else { throw SealingError.malformed }
        return grant
    }
}

extension ByteReader {
    fileprivate mutating func names() throws -> [String] {
        let count = Int(try integer(UInt16.self))
        guard count <= 32 else { throw SealingError.malformed }
        return try (0..<count).map { _ in try name() }
    }
}
