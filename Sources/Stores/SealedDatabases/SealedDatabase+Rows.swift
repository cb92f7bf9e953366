// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory

/// What the sums over all rows show.
package enum RowsFinding: Equatable, Sendable {
    /// This row is missing, and no holder of the keys removed it.
    case missing(RowVersion)
    /// This row is an older state of itself that was put back.
    case older(RowVersion)
    /// This row had been removed, and was put back.
    case resurrected(RowVersion)
    /// Several rows are not what they should be: how many there are and how many there should be.
    case several(present: UInt64, expected: UInt64)
}

extension SealedDatabase {
    /// The keyed codes of rows, under one key that is fetched once.
    func codes(_ places: [RowVersion]) throws -> [[UInt8]] {
        let key = try keybag.metadataKey(of: .none).derived(.rowSum, bigEndianBytes(kind.applicationID))
        return try key.withSecretBytes {
            try KeyDerivation.authenticationCodes(for: places.map(\.bytes), under: $0)
        }
    }

    private func code(_ place: RowVersion) throws -> [UInt8] { try codes([place])[0] }

    /// Counts all rows in one snapshot and compares them with the sealed state. Works in every lock state.
    package func examineRows() throws -> RowsFinding? {
        guard let query = kind.rows else { return nil }
        return try read { access in
            let expected = try readState(access).rows
            let present = try totals(query, access)
            guard present != expected else { return nil }
            return try explanation(present, expected: expected, query: query, access: access)
                ?? .several(present: present.count, expected: expected.count)
        }
    }

    /// `seen`: called with each row.
    func totals(_ query: String, _ access: ReadAccess, seen: (RowVersion) -> Void = { _ in }) throws -> RowTotals {
        var changes = RowChanges()
        try access.rows(query) { row in
            let place = try RowVersion(row)
            seen(place)
            try changes.note(place, isThere: true, codes)
            return true
        }
        try changes.settle(codes)
        return changes.totals
    }

    /// The row that explains all of the difference, if one does.
    private func explanation(
        _ present: RowTotals, expected: RowTotals, query: String, access: ReadAccess
    ) throws -> RowsFinding? {
        if expected.count == present.count &+ 1 {
            let missing = RowVersion(
                number: Int64(bitPattern: expected.numbers &- present.numbers),
                uuid: (expected.uuids - present.uuids).bytes,
                kind: UInt8(truncatingIfNeeded: expected.kinds &- present.kinds),
                revision: Int64(bitPattern: expected.revisions &- present.revisions))
            var totals = present
            totals.add(missing, code: try code(missing))
            return totals == expected ? .missing(missing) : nil
        }
        let steps = expected.revisions &- present.revisions
        var found: RowsFinding?
        try access.rows(query) { row in
            let place = try RowVersion(row)
            var totals = present
            totals.subtract(place, code: try code(place))
            if present.count == expected.count &+ 1 {
                if totals == expected { found = .resurrected(place) }
            } else if present.count == expected.count {
                let newer = RowVersion(
                    number: place.number, uuid: place.uuid, kind: place.kind,
                    revision: place.revision &+ Int64(bitPattern: steps))
                totals.add(newer, code: try code(newer))
                if totals == expected { found = .older(place) }
            }
            return found == nil
        }
        return found
    }
}

extension RowVersion {
    /// The columns of `DatabaseKind.rows`.
    init(_ row: SQLRow) throws {
        self.init(
            number: row.integer(0), uuid: try row.bytes(1) ?? [], kind: UInt8(truncatingIfNeeded: row.integer(2)),
            revision: row.integer(3))
    }
}
