// SPDX-License-Identifier: Apache-2.0

/// The SQL of a search, in the order of row ids. The texts are put together once: a statement is known by its text.
enum SearchStatement: Hashable, Sendable {
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
    private static let plain = Dictionary(uniqueKeysWithValues: all.map { ($0, $0.text(StoredRow.columns)) })
    private static let withSecrets = Dictionary(
        uniqueKeysWithValues: all.map { ($0, $0.text(StoredRow.columnsWithSecret)) })

    /// `inside`: of a search in the middle of another one. A prepared statement has one cursor, so it needs a text of its
    /// own.
    static func text(_ statement: Self, withSecrets: Bool, inside: Bool) -> String {
        if !inside, let known = withSecrets ? Self.withSecrets[statement] : plain[statement] { return known }
        return statement.text(
            withSecrets ? StoredRow.columnsWithSecret : StoredRow.columns, inside ? "item AS inner_item" : "item"
        )
    }

    private func text(_ columns: String, _ table: String = "item") -> String {
        let rows = "SELECT \(columns) FROM \(table) WHERE"
        return switch self {
        case .uuid: "\(rows) uuid = ? AND kind = ? ORDER BY id"
        case .id: "\(rows) id = ? AND kind = ? ORDER BY id"
        case .kind: "\(rows) kind = ? ORDER BY id"
        case .oneDomain(let column): "\(rows) \(column.rawValue) = ? ORDER BY id"
        case .bothDomains(let column):
            "\(rows) \(column.rawValue) = ? UNION ALL \(rows) \(column.rawValue) = ? ORDER BY id"
        }
    }
}
