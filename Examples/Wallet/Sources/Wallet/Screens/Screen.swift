// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

/// What fills the terminal, or a tab of it.
@MainActor
protocol Screen: AnyObject {
    var title: String { get }
    /// What the keys do, in the lowest line.
    var hints: String { get }
    /// The user whose data it shows; nil: none.
    var session: Session? { get }
    func handle(_ key: Key) throws -> Request
    func paste(_ secret: Secret)
    /// Told of what happens to it: hidden behind another tab, shown again, left for good.
    func note(_ event: ClearingEvent)
    func draw(_ canvas: inout Canvas, in area: Area)
}

extension Screen {
    var session: Session? { nil }
    func paste(_ secret: Secret) {}
    func note(_ event: ClearingEvent) {}
}

/// What a screen wants to happen.
enum Request {
    case nothing
    /// It has no use for the key.
    case ignored
    case show(any Screen)
    case back
    case open(AppUser)
    case lock
    case quit
    /// Something that takes a while; its title is shown meanwhile.
    case work(String, @MainActor () async throws -> Request)
}

/// A part of the terminal.
struct Area {
    var column, row, width, height: Int

    func dropping(columns: Int = 0, rows: Int = 0) -> Area {
        Area(column: column + columns, row: row + rows, width: max(0, width - columns), height: max(0, height - rows))
    }
}

/// What all screens have in common.
@MainActor
enum Frame {
    static func draw(_ screen: any Screen, message: String, on canvas: inout Canvas) {
        let (columns, rows) = (canvas.columns, canvas.rows)
        canvas.box(0, 0, width: columns, height: rows, title: "Wallet")
        if let user = screen.session?.user {
            let name = " \(user.name) "
            canvas.text(name, at: columns - Canvas.width(of: name) - 2, 0, .bold)
        }
        let width = max(0, columns - 6)
        let foot = message.isEmpty ? hints(screen.hints, width: width) : Canvas.wrap(message, width: width)
        let area = Area(column: 3, row: 1, width: width, height: max(0, rows - 3 - foot.count))
        canvas.text(screen.title, at: area.column, area.row, .bold, width: area.width)
        screen.draw(&canvas, in: area.dropping(rows: rows < 16 ? 1 : 2))
        line(rows - 2 - foot.count, on: &canvas)
        for (row, text) in foot.enumerated() {
            canvas.text(text, at: area.column, rows - 1 - foot.count + row, message.isEmpty ? .dim : .error)
        }
    }

    /// In as many lines as they need; a key stays with its word.
    private static func hints(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for hint in text.split(separator: "   ") {
            if let last = lines.last, Canvas.width(of: last + "   " + hint) <= width {
                lines[lines.count - 1] = last + "   " + hint
            } else {
                lines.append(String(hint))
            }
        }
        return lines
    }

    static func line(_ row: Int, on canvas: inout Canvas) {
        canvas.text("├" + String(repeating: "─", count: max(0, canvas.columns - 2)) + "┤", at: 0, row, .dim)
    }

    /// A list with one line chosen, scrolled so that this one is seen.
    static func list(_ lines: [String], selected: Int, on canvas: inout Canvas, in area: Area, _ style: Style) {
        let first = max(0, min(selected - area.height / 2, lines.count - area.height))
        for (row, line) in lines.enumerated().dropFirst(first).prefix(area.height) {
            let style = row == selected ? style : .plain
            canvas.fill(area.column, area.row + row - first, width: area.width, height: 1, " ", style)
            canvas.text(line, at: area.column + 1, area.row + row - first, style, width: area.width - 2)
        }
    }
}
