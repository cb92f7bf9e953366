// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
package import SecretMemory

/// The former secrets of an item, the newest first (Documentation/Formats/Keychain.md, "Former secrets").
package struct PastSecrets: Sendable {
    /// One former secret.
    package struct Entry: Sendable {
        package let secret: Secret
        /// Seconds since 2001-01-01 00:00 UTC.
        package let replaced: Double
    }

    /// How many are kept.
    package static let most = 10
    /// How long each is kept, in seconds.
    package static let longest: Double = 90 * 86_400
    /// Bytes of all of them together. The oldest are dropped first.
    package static let limit = 1 << 20
    /// Bytes of the largest single one.
    package static let largest = limit - head
    private static let version: UInt8 = 1
    private static let head = 12

    package private(set) var entries: [Entry] = []

    package init() {}

    /// Adds the secret that is replaced now.
    mutating func add(_ secret: Secret, replacedAt now: Double) {
        entries.insert(Entry(secret: secret, replaced: now), at: 0)
    }

    /// Drops secrets that equal the present one, are too old, or exceed a limit.
    mutating func drop(_ present: Secret, at now: Double) throws {
        var size = 0
        var kept: [Entry] = []
        for entry in entries where kept.count < Self.most && entry.isKept(at: now) {
            guard try !entry.secret.isEqual(to: present) else { continue }
            // A secret that is too large by itself doesn't displace others.
            guard entry.secret.count <= Self.largest else { continue }
            size += Self.head + entry.secret.count
            guard size <= Self.limit else { break }
            kept.append(entry)
        }
        entries = kept
    }

    /// Nil if there are no former secrets.
    func sealed(
        _ binding: RowBinding, attributes: Attributes, under rowKey: borrowing SecretBytes
    ) throws -> [UInt8]? {
        guard !entries.isEmpty else { return nil }
        return try SealedRow.sealSecret(
            try encoded(), binding, bound: SecretBinding.bytes(of: attributes), under: rowKey, as: .past)
    }

    /// version (1) ‖ count (1) ‖ each: time (8) ‖ length (4) ‖ bytes.
    package func encoded() throws -> SecretBytes {
        let entries = entries
        let count = entries.reduce(2) { $0 + Self.head + $1.secret.count }
        return try SecretBytes(count: count) { target in
            target.storeBytes(of: Self.version, toByteOffset: 0, as: UInt8.self)
            target.storeBytes(of: UInt8(truncatingIfNeeded: entries.count), toByteOffset: 1, as: UInt8.self)
            var offset = 2
            for entry in entries {
                let bits = entry.replaced.bitPattern
                for byte in 0..<8 {
                    let value = UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(byte)))
                    target.storeBytes(of: value, toByteOffset: offset + byte, as: UInt8.self)
                }
                for byte in 0..<4 {
                    let value = UInt8(truncatingIfNeeded: entry.secret.count >> (24 - 8 * byte))
                    target.storeBytes(of: value, toByteOffset: offset + 8 + byte, as: UInt8.self)
                }
                offset += Self.head
                try entry.secret.withSecretBytes { _ = try $0.copy(into: &target, at: offset) }
                offset += entry.secret.count
            }
        }
    }

    /// Throws `SealingError.malformed` for anything that `encoded` does not write.
    package init(_ bytes: borrowing SecretBytes) throws {
        let end = bytes.count
        guard let start = try bytes.exposingBytes(0..<min(2, end)), start.count == 2, start[0] == Self.version,
            (1...Self.most).contains(Int(start[1]))
        else { throw SealingError.malformed }
        var offset = 2
        for _ in 0..<start[1] {
            guard offset + Self.head <= end, let head = try bytes.exposingBytes(offset..<offset + Self.head) else {
                throw SealingError.malformed
            }
            let replaced = Double(bitPattern: head[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            let count = head[8...].reduce(0) { $0 << 8 | Int($1) }
            offset += Self.head
            guard replaced.isFinite, count <= end - offset, let secret = try bytes.part(offset..<offset + count) else {
                throw SealingError.malformed
            }
            entries.append(Entry(secret: Secret(secret), replaced: replaced))
            offset += count
        }
        guard offset == end, end <= Self.limit + 2 else { throw SealingError.malformed }
    }
}

extension PastSecrets.Entry {
    func isKept(at now: Double) -> Bool { now - replaced < PastSecrets.longest }
}

extension OpenRow {
    /// Opens the former secrets. Throws like `openSecret`.
    func openPast(_ rowKeys: RowKeys, _ access: ReadAccess) throws -> PastSecrets {
        guard hasPast else { return PastSecrets() }
        return try openPast(try access.sealedPast(ofRow: stored.id), rowKeys)
    }

    func openPast(_ sealed: [UInt8]?, _ rowKeys: RowKeys) throws -> PastSecrets {
        guard let sealed, let wrapping = stored.wrapping else { throw KeychainError.damagedItem() }
        if binding.layers != 0 { rowKeys.begin(attributes) }
        let rowKey = try rowKeys.open(wrapping, binding)
        do {
            return try PastSecrets(
                try SealedRow.openSecret(
                    sealed, binding, bound: SecretBinding.bytes(of: attributes), under: rowKey, as: .past))
        } catch let error as SealingError {
            throw KeychainError.damagedItem(error)
        }
    }
}

extension ReadAccess {
    /// A value that is longer than any of ours reads as nil.
    func sealedPast(ofRow id: Int64) throws -> [UInt8]? {
        try blob(StoredRow.pastColumn, id)
    }

    func sealedSecret(ofRow id: Int64) throws -> [UInt8]? {
        try blob("iif(length(secret) <= \(ItemLimits.sealedSecret), secret, NULL)", id)
    }

    private func blob(_ column: String, _ id: Int64) throws -> [UInt8]? {
        var found: [UInt8]?
        try rows("SELECT \(column) FROM item WHERE id = ?", arguments: [.integer(id)]) { row in
            found = try row.bytes(0)
            return false
        }
        return found
    }
}
