// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection
public import SecretMemory

/// A form on a terminal: labels, fields, and their errors. Secret fields show bullets, and their content for five
/// seconds after Control-R.
public struct TerminalForm: Sendable {
    /// The result of a key.
    public enum Outcome: Sendable, Equatable {
        /// The form handled it.
        case handled
        /// The user wants to submit.
        case submit
        /// The user wants to leave.
        case cancel
        /// The form doesn't use it.
        case ignored
    }

    /// The fields.
    public let entries: [FormEntry]
    /// The field that has the cursor.
    public private(set) var focus = 0
    private let messages: Messages
    private var problems: [FormProblem] = []
    private var note = ""

    /// A form for the fields of a `Form`: `TerminalForm(form.entries)`.
    public init(_ entries: [FormEntry], messages: Messages = .english) {
        self.entries = entries
        self.messages = messages
    }

    /// The rows that `draw` takes at `width` cells if its height is unlimited.
    public func height(width: Int) -> Int { rows(width: width, isLoose: true).count + noteLines(width).count }

    /// Shows the problems, with the cursor in the first wrong field.
    public mutating func show(_ problems: FormProblems) {
        self.problems = problems.all
        note = ""
        if let first = problems.first, let index = entries.firstIndex(where: { $0.name == first.field }) {
            focus = index
        }
    }

    /// Shows a message below the fields.
    public mutating func show(_ message: String) { note = message }

    /// Handles a key: text, Tab and arrows, Control-U (empties), Control-R (reveals), Return (next field, or submit in
    /// the last), Escape (cancels).
    public mutating func handle(_ key: Key) -> Outcome {
        guard entries.indices.contains(focus) else { return .ignored }
        switch key {
        case .tab, .down: move(by: 1)
        case .backTab, .up: move(by: -1)
        case .escape: return .cancel
        case .enter:
            if focus == entries.count - 1 { return .submit }
            move(by: 1)
        case .character(let scalar): type(scalar)
        case .backspace: deleteLast()
        case .control("u"): clear()
        case .control("r"): entries[focus].secret?.reveal()
        default: return .ignored
        }
        return .handled
    }

    /// Inserts a paste, without line ends, into the field with the cursor. A paste that is not text, or longer than the
    /// field takes, changes nothing, and a message below the fields says so.
    public mutating func paste(_ secret: Secret) {
        guard entries.indices.contains(focus) else { return }
        edited()
        do {
            if let field = entries[focus].secret {
                try secret.withSecretBytes { bytes in try field.append(withoutLineEnds: bytes) }
            } else if let input = entries[focus].text {
                guard let text = try String(exposing: secret) else {
                    note = Self.notText
                    return
                }
                input.text += text.filter { !$0.isNewline }
            }
        } catch let error as SecretFieldError where error.code == .notText {
            note = Self.notText
        } catch let error as SecretFieldError where error.code == .tooLong {
            note = Self.tooLong
        } catch {
            note = "\(error)"
        }
    }

    /// Draws the form, `width` cells wide and at most `height` rows high, if a message below the fields leaves that
    /// room. In little room the fields move closer together, and the field with the cursor is always visible. Messages
    /// are broken into lines.
    public func draw(_ canvas: inout Canvas, at column: Int, _ row: Int, width: Int, height: Int = .max) {
        let note = noteLines(width)
        let room = max(1, height - note.count)
        var rows = rows(width: width, isLoose: true)
        if rows.count > room { rows = self.rows(width: width, isLoose: false) }
        rows = Array(rows.dropFirst(first(of: rows, room: room)).prefix(room))
        for (line, content) in rows.enumerated() {
            switch content {
            case .field(let index):
                let (entry, isFocused) = (entries[index], index == focus)
                canvas.text(entry.label, at: column, row + line, isFocused ? .bold : .dim)
                drawField(
                    entry, isFocused: isFocused, on: &canvas, at: column + labelWidth, row: row + line,
                    width: width - labelWidth)
            case .problem(let text, _):
                canvas.text(text, at: column + labelWidth, row + line, .error, width: width - labelWidth)
            case .empty: break
            }
        }
        for (line, text) in note.enumerated() {
            canvas.text(text, at: column, row + rows.count + line, .error, width: width)
        }
    }

    private static let notText = "What was pasted is not text; the field is as it was."
    private static let tooLong = "What was pasted is more than the field takes; the field is as it was."

    private enum Row {
        case field(Int)
        /// One line of the problem, and the field that it is about.
        case problem(String, Int)
        case empty
    }

    private var labelWidth: Int { (entries.map { Canvas.width(of: $0.label) }.max() ?? 0) + 2 }

    private func noteLines(_ width: Int) -> [String] { note.isEmpty ? [] : Canvas.wrap(note, width: width) }

    private func rows(width: Int, isLoose: Bool) -> [Row] {
        entries.enumerated().flatMap { index, entry in
            let problem = problems.first { $0.field == entry.name }.map { messages.text(for: $0.reason) }
            var lines = Canvas.wrap(problem ?? "", width: width - labelWidth).map { Row.problem($0, index) }
            if problem == nil { lines = isLoose ? [.empty] : [] }
            return [.field(index)] + lines + (isLoose ? [.empty] : [])
        }
    }

    /// The first row to draw, so that the field with the cursor and its problem are visible.
    private func first(of rows: [Row], room: Int) -> Int {
        func isFocused(_ row: Row) -> Bool {
            switch row {
            case .field(let index), .problem(_, let index): index == focus
            case .empty: false
            }
        }
        guard let begin = rows.firstIndex(where: isFocused), let end = rows.lastIndex(where: isFocused) else {
            return 0
        }
        return min(begin, max(0, end + 1 - room))
    }

    private func drawField(
        _ entry: FormEntry, isFocused: Bool, on canvas: inout Canvas, at column: Int, row: Int, width: Int
    ) {
        let room = max(1, width - 1)
        let content = entry.secret.map { $0.exposingRevealedText() ?? $0.maskedText } ?? entry.text?.text ?? ""
        // The end of a long text is where the user types.
        let shown = Canvas.end(of: content, width: room)
        canvas.text(String(repeating: "_", count: room), at: column, row, .dim)
        let end = canvas.text(String(shown), at: column, row, .plain, width: room)
        if isFocused { canvas.cursor = (column + end, row) }
    }

    private mutating func move(by step: Int) { focus = (focus + step + entries.count) % entries.count }

    private mutating func edited() {
        problems.removeAll { $0.field == entries[focus].name }
        note = ""
    }

    private mutating func type(_ scalar: Unicode.Scalar) {
        edited()
        if let field = entries[focus].secret {
            do { try field.append(String(scalar)) } catch { note = error.description }
        } else if let input = entries[focus].text, input.text.unicodeScalars.count < 1000 {
            input.text.unicodeScalars.append(scalar)
        }
    }

    private mutating func deleteLast() {
        edited()
        if let field = entries[focus].secret {
            do { try field.deleteLast() } catch { note = error.description }
        } else if let input = entries[focus].text {
            input.text = String(input.text.dropLast())
        }
    }

    private mutating func clear() {
        edited()
        entries[focus].secret?.clear()
        entries[focus].text?.text = ""
    }
}
