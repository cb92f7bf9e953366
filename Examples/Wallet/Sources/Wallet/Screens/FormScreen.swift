// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

/// A form: what is wrong is shown at its field, what failed below.
final class FormScreen: Screen {
    let title: String
    let hints = "Tab next field   ⏎ done   Ctrl-R show what is hidden   Esc back"
    private let advice: String
    private let busy: String
    private let submit: @MainActor () async throws -> Request
    private var form: TerminalForm

    /// `submit` gets values out of the form and does something with them; it is called while `busy` is shown.
    init(
        _ title: String, _ entries: [FormEntry], advice: String = "", busy: String,
        submit: @escaping @MainActor () async throws -> Request
    ) {
        (self.title, self.advice, self.busy, self.submit) = (title, advice, busy, submit)
        form = TerminalForm(entries)
    }

    func handle(_ key: Key) -> Request {
        switch form.handle(key) {
        case .cancel: .back
        case .submit: .work(busy, finish)
        case .handled: .nothing
        case .ignored: .ignored
        }
    }

    /// The same line by line; nil where `isInTime` refuses the last line.
    func fillByLines(isInTime: () throws -> Bool = { true }) async throws -> Request? {
        if !advice.isEmpty { try LineMode.say(advice) }
        try LineMode.fill(form.entries)
        guard try isInTime() else { return nil }
        try LineMode.say(busy)
        return try await submit()
    }

    private func finish() async -> Request {
        do { return try await submit() } catch let problems as FormProblems {
            form.show(problems)
        } catch {
            form.show("\(error)")
        }
        return .nothing
    }

    func paste(_ secret: Secret) { form.paste(secret) }

    func note(_ event: ClearingEvent) {
        for entry in form.entries { entry.secret?.handle(event) }
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        let width = min(70, area.width)
        form.draw(&canvas, at: area.column, area.row, width: width, height: area.height)
        let taken = form.height(width: width) + 1
        // Only where it fits below the fields.
        guard taken + Canvas.wrap(advice, width: width).count <= area.height else { return }
        canvas.paragraph(advice, at: area.column, area.row + taken, width: width, .dim)
    }
}
