// SPDX-License-Identifier: Apache-2.0

/// The appearance of a cell. Colours are the terminal's own sixteen, which the user has chosen. With the environment
/// variable `NO_COLOR` set to anything but the empty string, no colour is used (no-color.org); the rest is.
public struct Style: Sendable, Hashable {
    /// One of the terminal's colours.
    public enum Color: Int, Sendable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    /// The colour of the text; nil: the default one.
    public var color: Color?
    /// Brighter or heavier.
    public var isBold: Bool
    /// Paler.
    public var isDim: Bool
    /// Text and background are exchanged.
    public var isInverse: Bool

    /// A style.
    public init(_ color: Color? = nil, bold: Bool = false, dim: Bool = false, inverse: Bool = false) {
        self.color = color
        isBold = bold
        isDim = dim
        isInverse = inverse
    }

    /// The default style.
    public static let plain = Style()
    /// For less important text.
    public static let dim = Style(dim: true)
    /// For important text.
    public static let bold = Style(bold: true)
    /// For the selection.
    public static let selected = Style(inverse: true)
    /// For errors.
    public static let error = Style(.red)

    private static let hasColors = (ProcessEnvironment.current["NO_COLOR"] ?? "").isEmpty

    /// The sequence that switches to this style from any other.
    var sequence: String { sequence(hasColors: Self.hasColors) }

    func sequence(hasColors: Bool) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isInverse { codes.append("7") }
        if hasColors, let color { codes.append(String(30 + color.rawValue)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}

/// The frame being drawn: a grid of cells, from 0, 0 at the upper left. What doesn't fit is cut off; nothing traps.
/// Control characters are drawn as �, so no text from outside can command the terminal.
public struct Canvas: Sendable {
    private struct Cell: Sendable {
        var character: Character
        /// 0: the right half of a wide character.
        var width = 1
        var style = Style.plain
    }

    /// The number of columns.
    public let columns: Int
    /// The number of rows.
    public let rows: Int
    /// The cursor's position; nil: hidden.
    public var cursor: (column: Int, row: Int)?

    /// Drawn characters whose width is only known from the table: terminals disagree on it.
    private(set) var unmeasured: [Character] = []
    private var cells: [Cell]

    /// The maximum columns and rows; no terminal has more.
    static let limit = 1000

    /// An empty canvas, of at most 1,000 columns and rows.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(0, columns), Self.limit)
        self.rows = min(max(0, rows), Self.limit)
        cells = Array(repeating: Cell(character: " "), count: self.columns * self.rows)
    }

    /// Writes at most `width` cells of `text` from `column` on; returns the number of cells used.
    @discardableResult
    public mutating func text(
        _ text: String, at column: Int, _ row: Int, _ style: Style = .plain, width: Int = .max
    ) -> Int {
        guard (0..<rows).contains(row), column < columns else { return 0 }
        let end = min(columns, Self.sum(column, max(0, width)))
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

    /// Writes `text` centred in the row.
    public mutating func centered(_ text: String, row: Int, _ style: Style = .plain) {
        let size = Self.width(of: text)
        self.text(text, at: max(0, (columns - size) / 2), row, style)
    }

    /// Writes `text`, wrapped as by `wrap`, in lines of at most `width` cells; returns the number of lines.
    @discardableResult
    public mutating func paragraph(
        _ text: String, at column: Int, _ row: Int, width: Int, _ style: Style = .plain
    ) -> Int {
        let lines = Self.wrap(text, width: width)
        for (index, line) in lines.enumerated() {
            self.text(line, at: column, Self.sum(row, index), style, width: width)
        }
        return lines.count
    }

    /// Fills a rectangle.
    public mutating func fill(
        _ column: Int, _ row: Int, width: Int, height: Int, _ character: Character = " ", _ style: Style = .plain
    ) {
        let (left, right) = (max(0, column), min(columns, Self.sum(column, max(0, width))))
        let (top, bottom) = (max(0, row), min(rows, Self.sum(row, max(0, height))))
        guard left < right, top < bottom else { return }
        let line = String(repeating: character, count: right - left)
        for row in top..<bottom { text(line, at: left, row, style, width: right - left) }
    }

    /// Draws an empty frame with `title` in its upper edge.
    public mutating func box(
        _ column: Int, _ row: Int, width: Int, height: Int, title: String = "", _ style: Style = .dim
    ) {
        guard width >= 2, height >= 2 else { return }
        fill(column, row, width: width, height: height)
        let (right, bottom) = (Self.sum(column, width - 1), Self.sum(row, height - 1))
        for (line, left, end) in [(row, "╭", "╮"), (bottom, "╰", "╯")] {
            fill(Self.sum(column, 1), line, width: width - 2, height: 1, "─", style)
            text(left, at: column, line, style)
            text(end, at: right, line, style)
        }
        for line in max(0, Self.sum(row, 1))..<max(0, Self.sum(row, 1), min(rows, bottom)) {
            text("│", at: column, line, style)
            text("│", at: right, line, style)
        }
        if !title.isEmpty { text(" \(title) ", at: Self.sum(column, 2), row, .bold, width: width - 4) }
    }

    /// The sum, or the largest number on overflow: beyond every edge.
    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, isOverflow) = one.addingReportingOverflow(other)
        return isOverflow ? .max : sum
    }

    /// The lines of `text`, each of at most `width` cells. They break at line ends, otherwise at spaces, and inside
    /// words longer than a line.
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

    /// The end of `text` that fits in `width` cells. The text before it isn't examined.
    static func end(of text: String, width: Int) -> Substring {
        var (start, taken) = (text.endIndex, 0)
        while start > text.startIndex {
            let next = text.index(before: start)
            taken += CellWidth.of(CellWidth.safe(text[next]))
            guard taken <= width else { break }
            start = next
        }
        return text[start...]
    }

    /// The number of cells that `text` takes.
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

    /// The lines as text, for tests and to show what a picture of the screen would contain.
    public var lines: [String] {
        (0..<rows).map { row in
            String(cells[row * columns..<(row + 1) * columns].filter { $0.width > 0 }.map(\.character))
        }
    }

    /// The bytes that draw the whole frame in one piece: a terminal with synchronized output never shows half of it.
    var frame: [UInt8] {
        var text = "\u{1B}[?2026h\u{1B}[?25l"
        var style: Style?
        for row in 0..<rows {
            text += "\u{1B}[\(row + 1);1H"
            var isPlaced = true
            for (column, cell) in cells[row * columns..<(row + 1) * columns].enumerated() where cell.width > 0 {
                // Terminals differ in the width of such a character (Devanagari, emoji). The next one still gets its
                // right position.
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
        if let cursor, (0..<columns).contains(cursor.column), (0..<rows).contains(cursor.row) {
            text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        }
        return Array((text + "\u{1B}[?2026l").utf8)
    }
}
