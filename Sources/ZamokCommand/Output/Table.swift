// SPDX-License-Identifier: Apache-2.0

/// Rows for people: aligned at a terminal, else divided by tabs.
struct Table {
    var rows: [[String]]

    func lines(aligned: Bool) -> [String] {
        guard aligned else { return rows.map { $0.joined(separator: "\t") } }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line
        }
    }
}
