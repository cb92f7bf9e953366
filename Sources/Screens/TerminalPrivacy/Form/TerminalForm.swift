// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection
public import SecretMemory

/// A form on a terminal: labels, fields, what is wrong with them. Secret fields show bullets, and their content for five
/// seconds on Control-R.
public struct TerminalForm: Sendable {
    /// What a key came to.
    public enum Outcome: Sendable, Equatable {
        /// The form has handled it.
        case handled
        /// The user wants to submit.
        case submit
        /// The user wants to leave.
        case cancel
        /// The form has no use for it.
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

    /// How many rows `draw` takes.
    public var height: Int { entries.count * 3 + 1 }

    /// Shows what is wrong, with the cursor in the first wrong field.
    public mutating func show(_ problems: FormProblems) {
        self.problems = problems.all
        note = ""
        if let first = problems.first, let index = entries.firstIndex(where: { $0.name == first.field }) {
            focus = index
        }
    }

    /// Shows a message below the fields.
    public mutating func show(_ message: String) { note = message }

    /// Handles a key: text, tabulator and arrows, Control-U (empties), Control-R (reveals), return (next field, or submit in the
    /// last), escape (cancels).
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

    /// Takes a paste into the field with the cursor, without line ends.
    public mutating func paste(_ secret: Secret) {
        guard entries.indices.contains(focus) else { return }
        edited()
        do {
            if let field = entries[focus].secret {
                try secret.withSecretBytes { bytes in try field.append(withoutLineEnds: bytes) }
            } else if let input = entries[focus].text {
                input.text += try String(exposing: secret).map { String($0.filter { !$0.isNewline }) } ?? ""
            }
        } catch {
            note = "That is more than the field takes."
        }
    }

    /// Draws the form, `width` cells wide.
    public func draw(_ canvas: inout Canvas, at column: Int, _ row: Int, width: Int) {
        let labelWidth = (entries.map { Canvas.width(of: $0.label) }.max() ?? 0) + 2
        for (index, entry) in entries.enumerated() {
            let line = row + index * 3
            let isFocused = index == focus
            canvas.text(entry.label, at: column, line, isFocused ? .bold : .dim)
            drawField(
                entry, isFocused: isFocused, on: &canvas, at: column + labelWidth, row: line, width: width - labelWidth)
            if let problem = problems.first(where: { $0.field == entry.name }) {
                let text = messages.text(for: problem.reason)
                canvas.text(text, at: column + labelWidth, line + 1, .error, width: width - labelWidth)
            }
        }
        canvas.text(note, at: column, row + entries.count * 3, .error, width: width)
    }

    private func drawField(
        _ entry: FormEntry, isFocused: Bool, on canvas: inout Canvas, at column: Int, row: Int, width: Int
    ) {
        let room = max(1, width - 1)
        let content = entry.secret.map { $0.exposingRevealedText() ?? $0.maskedText } ?? entry.text?.text ?? ""
        // The end of a long text is what is being typed.
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
