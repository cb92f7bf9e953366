// SPDX-License-Identifier: Apache-2.0

import TerminalPrivacy
import Zamok

final class SettingsTab: Screen {
    private let settings: Settings
    private var selected = 0

    init(_ session: Session) { settings = session.settings }

    let title = "Settings"
    let hints = "↑ ↓ choose   ⏎ change"

    /// What there is to set. A change is stored at once, sealed, and durable when the call returns.
    var rows: [(label: String, value: String, change: () throws -> Void)] {
        [
            ("Colour", "\(settings.colour)", { try self.settings.change(.colour, among: Array(1...6)) }),
            ("Lock after", "\(settings[.minutes]) min", { try self.settings.change(.minutes, among: [1, 5, 15, 60]) }),
            ("Last 4", settings[.digits] ? "yes" : "no", { try self.settings.change(.digits, among: [true, false]) }),
        ]
    }

    func handle(_ key: Key) throws -> Request {
        switch key {
        case .up, .down: selected = max(0, min(rows.count - 1, selected + (key == .up ? -1 : 1)))
        case .enter: try rows[selected].change()
        default: return .ignored
        }
        return .nothing
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        for (index, row) in rows.enumerated() {
            let (line, style) = (
                area.row + index * (area.height < 6 ? 1 : 2), index == selected ? settings.chosen : .plain
            )
            canvas.fill(area.column, line, width: min(40, area.width), height: 1, " ", style)
            canvas.text(row.label, at: area.column + 1, line, style)
            canvas.text(row.value, at: area.column + 25, line, style)
        }
    }
}
