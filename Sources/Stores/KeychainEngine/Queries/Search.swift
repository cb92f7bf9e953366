// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import SecretMemory

/// A checked query, with the plan that finds its candidates.
struct Search: Sendable {
    let query: ItemQuery
    private let kind: Int64
    private let table: AttributeTable
    private let groups: GroupFilter
    private let plan: Plan

    /// How candidates are found. Each is opened and compared afterwards.
    private enum Plan: Sendable {
        case reference(PersistentReference.Target)
        /// Through an index, with the bytes that its tags are computed from.
        case index(ItemIndex, [UInt8])
        case everyRow
    }

    /// Errors: `.missingEntitlement`, `.parameter`, `.unimplemented` (identities: `IdentitySearch`).
    init(_ query: ItemQuery, _ store: ItemStore) throws(KeychainError) {
        try query.itemClass.checkIsItem()
        guard let kind = query.itemClass.kind else {
            throw KeychainError(.unimplemented, "an identity is not stored as such; change its certificate or its key")
        }
        guard query.attributes.count <= ItemLimits.attributes else {
            throw KeychainError(.parameter, "a query may have \(ItemLimits.attributes) attributes")
        }
        groups = try GroupFilter(store.identity, asked: query.attributes.accessGroup)
        self.query = query
        self.kind = Int64(kind)
        table = AttributeTable.of(query.itemClass)
        plan = try Self.plan(query, table)
    }

    private static func plan(_ query: ItemQuery, _ table: AttributeTable) throws(KeychainError) -> Plan {
        if let reference = query.persistentReference {
            guard let target = reference.target, reference.itemClass == query.itemClass else {
                throw KeychainError(.parameter, "the persistent reference is not one of this item class")
            }
            return .reference(target)
        }
        for index in ItemIndex.of(query.itemClass) {
            if let bytes = table.indexBytes(of: query.attributes, index) { return .index(index, bytes) }
        }
        return .everyRow
    }

    /// Whether an index leads to the rows.
    var usesIndex: Bool { if case .everyRow = plan { false } else { true } }

    var isByReference: Bool { if case .reference = plan { true } else { false } }

    /// Passes the candidates to `body` in batches, in the order of row ids, until it returns false. One statement, so
    /// one snapshot.
    /// Temporary key data is cleared once per batch; in a lookup of one row, once for all of it.
    func candidates(
        _ keys: borrowing MetadataKeys, access: ReadAccess, withSecrets: Bool, inside: Bool = false,
        _ body: ([Candidate]) throws -> Bool
    ) throws {
        guard usesIndex, query.limit == 1 else {
            return try batches(keys, access: access, withSecrets: withSecrets, inside: inside, body)
        }
        try ClearedScope.run { try batches(keys, access: access, withSecrets: withSecrets, inside: inside, body) }
    }

    private func batches(
        _ keys: borrowing MetadataKeys, access: ReadAccess, withSecrets: Bool, inside: Bool,
        _ body: ([Candidate]) throws -> Bool
    ) throws {
        let (conditions, arguments) = try ClearedScope.run { try self.conditions(keys) }
        let text = SearchStatement.text(conditions, withSecrets: withSecrets, inside: inside)
        var batch: [Candidate] = []
        var size = 0
        var goesOn = true
        try access.rows(text, arguments: arguments) { row in
            let candidate = Candidate(
                row: try StoredRow(row), sealedSecret: withSecrets ? try StoredRow.sealedSecret(row) : nil
            )
            batch.append(candidate)
            size += candidate.sealedSecret?.count ?? 0
            guard batch.count == Self.mostInBatch || size > Self.mostBytesInBatch else { return true }
            defer { (batch, size) = ([], 0) }
            goesOn = try ClearedScope.run { try body(batch) }
            return goesOn
        }
        if goesOn, !batch.isEmpty { _ = try ClearedScope.run { try body(batch) } }
    }

    /// The next candidates after a row id, in the order of row ids, each page in its own snapshot. Nil if there are no
    /// more. Not for searches by reference.
    func page(after id: Int64, _ store: ItemStore, withSecrets: Bool) throws -> [Candidate]? {
        guard !isByReference else { return nil }
        let (statement, tags) = try ClearedScope.run { try conditions(try store.database.metadataKeys()) }
        var page: [Candidate] = []
        var size = 0
        try store.database.readOnce { access in
            try access.rows(statement.page(withSecrets: withSecrets), arguments: tags.flatMap { [$0, .integer(id)] }) {
                row in
                let candidate = Candidate(
                    row: try StoredRow(row), sealedSecret: withSecrets ? try StoredRow.sealedSecret(row) : nil)
                page.append(candidate)
                size += candidate.sealedSecret?.count ?? 0
                return page.count < Self.mostInPage && size <= Self.mostBytesInBatch
            }
        }
        return page.isEmpty ? nil : page
    }

    private static let mostInPage = 1024

    /// A row that may match.
    struct Candidate: Sendable {
        let row: StoredRow
        let sealedSecret: [UInt8]?
    }

    private static let mostInBatch = 64
    private static let mostBytesInBatch = 1 << 20

    private func conditions(_ keys: borrowing MetadataKeys) throws -> (SearchStatement, [SQLValue]) {
        switch plan {
        case .reference(.uuid(let uuid)): return (.uuid, [.blob(uuid), .integer(kind)])
        case .reference(.row(let id)): return (.id, [.integer(id), .integer(kind)])
        case .everyRow: return (.kind, [.integer(kind)])
        case .index(let index, let bytes):
            let blind = BlindIndex(kind: UInt8(kind), number: index.column.number)
            var tags: [SQLValue] = []
            for domain in keys.domains { tags.append(.blob(try keys.tag(blind, of: bytes, in: domain))) }
            return (keys.isComplete ? .bothDomains(index.column) : .oneDomain(index.column), tags)
        }
    }

    /// The opened row if it meets every condition, nil otherwise. Before the first unlock, rows of the other domain are
    /// skipped, except in an exact search by reference.
    func open(_ stored: StoredRow, _ keys: borrowing MetadataKeys) throws -> OpenRow? {
        // An index of SQLite is not authenticated: a damaged one leads to another row.
        if case .reference(let target) = plan, !stored.isTarget(target) { throw KeychainError.damagedIndex() }
        if !keys.isComplete, !isByReference, stored.binding?.domain == .afterFirstUnlock { return nil }
        let row = try OpenRow(stored, keys)
        return accepts(row) ? row : nil
    }

    private func accepts(_ row: OpenRow) -> Bool {
        guard groups.accepts(row.attributes.accessGroup ?? ""), query.includesTombstones || !row.isTombstone else {
            return false
        }
        if !isByReference, case .exactly(let wanted) = query.synchronizable, wanted != row.isSynchronizable {
            return false
        }
        return table.matches(row.attributes, query.attributes) && isOnWantedHost(row.attributes)
    }

    private func isOnWantedHost(_ attributes: Attributes) -> Bool {
        guard let wanted = query.hostOrSubdomain else { return true }
        guard case .text(let server) = attributes[.server] else { return false }
        return server.utf8.elementsEqual(wanted.utf8)
            || server.utf8.reversed().starts(with: ".\(wanted)".utf8.reversed())
    }

    /// Whether the search may match a row that can't be read before the first unlock.
    func mayMatchSealedRow(_ access: ReadAccess) throws -> Bool {
        // All rows of the requested accessibility are in one domain.
        guard !isByReference, Accessibility(query.attributes)?.keyClass.protection != ProtectionClass.none else {
            return false
        }
        return try access.hasSealedRow(ofKind: kind)
    }

    /// Whether the result must be complete, because all matching items are requested.
    var needsEveryRow: Bool { !isByReference && query.limit != 1 && !query.takesReadable }
}

extension ReadAccess {
    /// Whether a row of this kind is in the domain that opens with the first unlock.
    func hasSealedRow(ofKind kind: Int64) throws -> Bool {
        let always = [KeyClass(.none), KeyClass(.none, thisDeviceOnly: true)].map { SQLValue.integer(Int64($0.code)) }
        return try integer(
            "SELECT 1 FROM item WHERE kind = ? AND class NOT IN (?, ?) LIMIT 1", [.integer(kind)] + always)
            != nil
    }
}

extension ItemStore {
    /// A search for all items, a change or a deletion must not return a partial result. So it fails while some rows
    /// are unreadable.
    func refuseBeforeFirstUnlock(_ search: Search, _ keys: borrowing MetadataKeys) throws {
        guard !keys.isComplete, search.needsEveryRow else { return }
        if try database.readOnce({ try search.mayMatchSealedRow($0) }) { throw lockedBeforeFirstUnlock }
    }

    /// Like `refuseBeforeFirstUnlock(_:_:)`, but inside a transaction.
    func refuseBeforeFirstUnlock(
        _ search: Search, keys: borrowing MetadataKeys, access: ReadAccess
    ) throws {
        guard !keys.isComplete, search.needsEveryRow else { return }
        if try search.mayMatchSealedRow(access) { throw lockedBeforeFirstUnlock }
    }
}

/// The SQL of a search, in the order of row ids. The texts are made once, because a prepared statement is found by
/// its text.
enum SearchStatement: Equatable, Sendable {
    case uuid
    case id
    case kind
    /// One tag, before the first unlock.
    case oneDomain(ItemIndex.Column)
    /// One tag for each domain. SQLite merges the two, each in the order of its index.
    /// With both in one condition it would sort whole rows in a temporary B-tree.
    case bothDomains(ItemIndex.Column)

    private static let columns = ItemIndex.Column.allCases
    private static let all: [Self] =
        [.uuid, .id, .kind] + columns.map { .oneDomain($0) } + columns.map { .bothDomains($0) }
    private static let plain = all.map { $0.text(false, false) }
    private static let withSecrets = all.map { $0.text(true, false) }
    private static let inside = all.map { $0.text(false, true) }
    private static let insideWithSecrets = all.map { $0.text(true, true) }

    /// `inside`: for a search inside another one. A prepared statement has one cursor, so the inner search needs its
    /// own text.
    /// The texts are found by position: a dictionary's first key costs more than all of them.
    static func text(_ statement: Self, withSecrets: Bool, inside: Bool) -> String {
        let texts =
            switch (withSecrets, inside) {
            case (false, false): plain
            case (true, false): Self.withSecrets
            case (false, true): Self.inside
            case (true, true): insideWithSecrets
            }
        return all.firstIndex(of: statement).map { texts[$0] } ?? statement.text(withSecrets, inside)
    }

    private func text(_ withSecrets: Bool, _ inside: Bool) -> String {
        let columns = withSecrets ? StoredRow.columnsWithSecret : StoredRow.columns
        let rows = "SELECT \(columns) FROM \(inside ? "item AS inner_item" : "item") WHERE"
        return switch self {
        case .uuid: "\(rows) uuid = ? AND kind = ? ORDER BY id"
        case .id: "\(rows) id = ? AND kind = ? ORDER BY id"
        case .kind: "\(rows) kind = ? ORDER BY id"
        case .oneDomain(let column): "\(rows) \(column.rawValue) = ? ORDER BY id"
        case .bothDomains(let column):
            "\(rows) \(column.rawValue) = ? UNION ALL \(rows) \(column.rawValue) = ? ORDER BY id"
        }
    }

    /// The rows after an id, which each condition takes besides its own value. Not for searches by reference.
    func page(withSecrets: Bool) -> String {
        let rows = "SELECT \(withSecrets ? StoredRow.columnsWithSecret : StoredRow.columns) FROM item WHERE"
        return switch self {
        case .uuid, .id, .kind: "\(rows) kind = ? AND id > ? ORDER BY id"
        case .oneDomain(let column): "\(rows) \(column.rawValue) = ? AND id > ? ORDER BY id"
        case .bothDomains(let column):
            "\(rows) \(column.rawValue) = ? AND id > ? UNION ALL \(rows) \(column.rawValue) = ? AND id > ? ORDER BY id"
        }
    }
}
