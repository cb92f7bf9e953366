// SPDX-License-Identifier: Apache-2.0

/// Rows in columns as wide as their longest cell, two spaces between them. Where that is wider than the terminal, the
/// first cell of each row with the others below it.
struct Table {
    private let head: [String]
    private var rows: [[String]] = []

    init(_ head: [String]) { self.head = head }

    mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    func text(width: Int? = Terminal.width) -> String {
        let table = columns
        guard let width, table.split(separator: "\n").contains(where: { $0.count > width }) else { return table }
        return rows.map { row in
            ((row.first ?? "") + "\n    " + row.dropFirst().filter { $0 != "-" }.joined(separator: ", "))
                .split(separator: "\n").map { String($0).wrapped(to: width, indent: 4) }.joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    private var columns: String {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            return cells.joined(separator: "  ").trimmingSuffix { $0 == " " }
        }
        .joined(separator: "\n")
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
        return String(self[..<end])
    }
}
