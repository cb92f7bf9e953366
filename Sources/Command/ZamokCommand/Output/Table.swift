// SPDX-License-Identifier: Apache-2.0

/// Rows of a table.
struct Table {
    var head: [String] = []
    var rows: [[String]]

    /// The rows as lines: aligned for a terminal, otherwise separated by tabs.
    func lines(aligned: Bool) -> [String] {
        let all = head.isEmpty ? rows : [head] + rows
        guard aligned else { return all.map { $0.joined(separator: "\t") } }
        let count = all.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in all.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return all.map { row in
            var line = ""
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            for (column, cell) in row.prefix(last + 1).enumerated() {
                line += cell
                if column < last { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line
        }
    }

    /// The rows as aligned lines. If they are wider than `width`, each row has its first cell on a line, and the others
    /// below it.
    func lines(width: Int?) -> [String] {
        let lines = lines(aligned: true)
        guard let width, lines.contains(where: { $0.count > width }) else { return lines }
        return rows.flatMap { row in
            let rest = row.dropFirst().filter { $0 != "-" }.joined(separator: ", ")
            return [(row.first ?? "").wrapped(to: width, indent: 4), ("    " + rest).wrapped(to: width, indent: 4)]
        }
    }
}
