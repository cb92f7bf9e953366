// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

final class NotesTab: Screen {
    private let opened: Session
    private var notes: [Note] = []
    private var selected = 0
    /// The chosen note is being written. It is saved when the user is done, looks elsewhere, leaves or is locked out.
    private var isWriting = false
    /// The user is asked whether the chosen note goes for good.
    private var isRemoving = false

    init(_ session: Session) throws {
        opened = session
        notes = try session.notes.notes()
    }

    let title = "Notes"
    var hints: String {
        if isRemoving { return "Remove \(notes[selected].title) for good?   y yes   any other key no" }
        return isWriting ? "Esc save and close" : "↑ ↓ choose   ⏎ write   a add   D remove"
    }

    func handle(_ key: Key) throws -> Request {
        if isWriting { return try write(key) }
        if isRemoving { return try remove(isSure: key == .character("y")) }
        switch key {
        case .up, .down: selected = max(0, min(notes.count - 1, selected + (key == .up ? -1 : 1)))
        case .enter: isWriting = !notes.isEmpty
        case .character("a"):
            notes.append(Note())
            (selected, isWriting) = (notes.count - 1, true)
        case .character("D"): isRemoving = !notes.isEmpty
        default: return .ignored
        }
        return .nothing
    }

    private func remove(isSure: Bool) throws -> Request {
        isRemoving = false
        guard isSure else { return .nothing }
        try opened.notes.remove(notes[selected])
        notes.remove(at: selected)
        selected = max(0, min(notes.count - 1, selected))
        return .nothing
    }

    private func write(_ key: Key) throws -> Request {
        switch key {
        case .character(let scalar): notes[selected].text.unicodeScalars.append(scalar)
        case .enter: notes[selected].text += "\n"
        case .backspace: notes[selected].text = String(notes[selected].text.dropLast())
        case .escape:
            try opened.notes.save(notes[selected])
            isWriting = false
        default: return .ignored
        }
        return .nothing
    }

    func paste(_ secret: Secret) {
        guard isWriting, let text = try? String(exposing: secret) else { return }
        notes[selected].text += text.replacing("\r", with: "\n")
    }

    func note(_ event: ClearingEvent) {
        if isWriting, event == .hidden || event == .left { try? opened.notes.save(notes[selected]) }
        // A string can't be wiped. Only the last reference to it is dropped here.
        if event == .left { (notes, isWriting) = ([], false) }
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        var list = area
        list.width = min(30, area.width / 3)
        if notes.isEmpty {
            canvas.paragraph("No notes yet. Press a to write one.", at: area.column, area.row, width: area.width)
        }
        guard !notes.isEmpty else { return }
        Frame.list(notes.map(\.title), selected: selected, on: &canvas, in: list, opened.settings.chosen)
        let page = area.dropping(columns: list.width + 3)
        canvas.fill(page.column - 2, page.row, width: 1, height: page.height, "│", .dim)
        let lines = Canvas.wrap(notes[selected].text, width: page.width - 1)
        // The beginning is what is read, the end what is being written.
        let first = isWriting ? max(0, lines.count - page.height) : 0
        for (row, line) in lines.dropFirst(first).prefix(page.height).enumerated() {
            canvas.text(line, at: page.column, page.row + row)
        }
        if isWriting, let last = lines.last {
            canvas.cursor = (page.column + Canvas.width(of: last), page.row + lines.count - 1 - first)
        }
    }
}
