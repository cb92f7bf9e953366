// SPDX-License-Identifier: Apache-2.0

/// A frame that is being drawn: a grid of cells, from 0, 0 at the upper left. What doesn't fit is cut off; nothing traps.
/// Control characters in what is drawn are shown as �: no text from outside can command the terminal.
public struct Canvas: Sendable {
    private struct Cell: Sendable {
        var character: Character
        /// 0: the right half of a wide one.
        var width = 1
        var style = Style.plain
    }

    /// How many columns there are.
    public let columns: Int
    /// How many rows there are.
    public let rows: Int
    /// Where the cursor is to be; nil: hidden.
    public var cursor: (column: Int, row: Int)?

    /// Characters that were drawn and whose width is the table's only: terminals disagree on it.
    private(set) var unmeasured: [Character] = []
    private var cells: [Cell]

    /// An empty canvas.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: Cell(character: " "), count: self.columns * self.rows)
    }

    /// Writes `text` from `column` on, at most `width` cells of it; answers how many it took.
    @discardableResult
    public mutating func text(
        _ text: String, at column: Int, _ row: Int, _ style: Style = .plain, width: Int = .max
    ) -> Int {
        guard (0..<rows).contains(row) else { return 0 }
        let end = min(columns, column.addingReportingOverflow(max(0, width)).overflow ? .max : column + max(0, width))
        var next = column
        for character in text {
            let safe = CellWidth.safe(character)
            let size = CellWidth.of(safe)
            guard size > 0 else { continue }
            if !CellWidth.isCertain(safe) { noteUnmeasured(safe) }
            guard next + size <= end else { break }
            if next >= 0 { set(Cell(character: safe, width: size, style: style), at: next, row) }
            next += size
        }
        return next - column
    }

    /// Writes `text` in the middle of the row.
    public mutating func centered(_ text: String, row: Int, _ style: Style = .plain) {
        let size = Self.width(of: text)
        self.text(text, at: max(0, (columns - size) / 2), row, style)
    }

    /// Writes `text`, broken as by `wrap`, in lines of at most `width` cells; answers how many lines it took.
    @discardableResult
    public mutating func paragraph(
        _ text: String, at column: Int, _ row: Int, width: Int, _ style: Style = .plain
    ) -> Int {
        let lines = Self.wrap(text, width: width)
        for (index, line) in lines.enumerated() { self.text(line, at: column, row + index, style, width: width) }
        return lines.count
    }

    /// Fills a rectangle.
    public mutating func fill(
        _ column: Int, _ row: Int, width: Int, height: Int, _ character: Character = " ", _ style: Style = .plain
    ) {
        for line in row..<max(row, row + min(height, rows)) {
            text(String(repeating: character, count: max(0, min(width, columns))), at: column, line, style)
        }
    }

    /// A frame with `title` in its upper edge; inside it is empty.
    public mutating func box(
        _ column: Int, _ row: Int, width: Int, height: Int, title: String = "", _ style: Style = .dim
    ) {
        guard width >= 2, height >= 2 else { return }
        fill(column, row, width: width, height: height)
        let edge = String(repeating: "─", count: min(width - 2, max(columns, 0) + max(0, -column)))
        text("╭" + edge + "╮", at: column, row, style)
        for line in max(0, row + 1)..<max(0, row + 1, min(rows, row + height - 1)) {
            text("│", at: column, line, style)
            text("│", at: column + width - 1, line, style)
        }
        text("╰" + edge + "╯", at: column, row + height - 1, style)
        if !title.isEmpty { text(" \(title) ", at: column + 2, row, .bold, width: width - 4) }
    }

    /// The lines of `text`, each of at most `width` cells: broken where it has line ends, else at spaces, and inside of words that
    /// are longer than a line.
    public static func wrap(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapLine($0, width: max(1, width)) }
    }

    private static func wrapLine(_ text: Substring, width: Int) -> [String] {
        var lines = [""]
        var taken = 0
        func add(_ character: Character) {
            let size = CellWidth.of(CellWidth.safe(character))
            if taken > 0, taken + size > width {
                lines.append("")
                taken = 0
            }
            lines[lines.count - 1].append(character)
            taken += size
        }
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if taken > 0, taken + 1 + Self.width(of: String(word)) > width {
                lines.append("")
                taken = 0
            } else if index > 0 {
                add(" ")
            }
            for character in word { add(character) }
        }
        return lines
    }

    /// How many cells `text` takes.
    public static func width(of text: String) -> Int { text.reduce(0) { $0 + CellWidth.of(CellWidth.safe($1)) } }

    private mutating func set(_ cell: Cell, at column: Int, _ row: Int) {
        cells[row * columns + column] = cell
        for next in 1..<max(1, cell.width) {
            cells[row * columns + column + next] = Cell(character: " ", width: 0, style: cell.style)
        }
    }

    private mutating func noteUnmeasured(_ character: Character) {
        guard unmeasured.count < MeasuredWidths.limit, character.utf8.count <= MeasuredWidths.longest,
            MeasuredWidths.of(character) == nil, !unmeasured.contains(character)
        else { return }
        unmeasured.append(character)
    }

    /// The lines as text, for tests and for what a picture of the screen would show.
    public var lines: [String] {
        (0..<rows).map { row in
            String(cells[row * columns..<(row + 1) * columns].filter { $0.width > 0 }.map(\.character))
        }
    }

    /// The bytes that draw all of it, in one piece: a terminal that knows synchronized output shows no half of it.
    var frame: [UInt8] {
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        var style: Style?
        for row in 0..<rows {
            text += "\u{1B}[\(row + 1);1H"
            var isPlaced = true
            for (column, cell) in cells[row * columns..<(row + 1) * columns].enumerated() where cell.width > 0 {
                // Terminals differ in how wide they take such a character (Devanagari, emoji): the next one has its place all the same.
                if !isPlaced { text += "\u{1B}[\(row + 1);\(column + 1)H" }
                isPlaced = CellWidth.isCertain(cell.character)
                if cell.style != style {
                    text += cell.style.sequence
                    style = cell.style
                }
                text.append(cell.character)
            }
        }
        text += "\u{1B}[0m"
        if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        return Array((text + "\u{1B}[?2026l").utf8)
    }
}
