// SPDX-License-Identifier: Apache-2.0

/// The SQL of a search, in the order of row ids. The texts are put together once: a statement is known by its text.
enum SearchStatement: Equatable, Sendable {
    case uuid
    case id
    case kind
    /// One tag: before the first unlock.
    case oneDomain(ItemIndex.Column)
    /// A tag for each domain. SQLite merges the two, each in the order of its index; for one condition with both it
    /// would sort, whole rows through a tree of their own.
    case bothDomains(ItemIndex.Column)

    private static let columns = ItemIndex.Column.allCases
    private static let all: [Self] =
        [.uuid, .id, .kind] + columns.map { .oneDomain($0) } + columns.map { .bothDomains($0) }
    private static let plain = all.map { $0.text(false, false) }
    private static let withSecrets = all.map { $0.text(true, false) }
    private static let inside = all.map { $0.text(false, true) }
    private static let insideWithSecrets = all.map { $0.text(true, true) }

    /// `inside`: of a search in the middle of another one. A prepared statement has one cursor, so it needs a text of its
    /// own. By place and not by key: a dictionary's first key costs more than all of these texts.
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

    /// The rows behind an id, which each condition takes besides its own value. Not by reference.
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
