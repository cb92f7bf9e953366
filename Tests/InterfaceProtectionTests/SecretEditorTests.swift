// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@MainActor
@Suite("A text view that edits a secret")
struct SecretEditorTests {
    struct Refused: Error {}

    /// A view with a string of its own, as UITextField is.
    final class View: SecretTextView {
        var editedText = ""
        var revealed: String?
        var refusals: [SecretFieldError.Code] = []
        func reveal(_ text: String?) { revealed = text }
        func refused(_ error: SecretFieldError) { refusals.append(error.code) }

        func type(_ text: String, into editor: SecretEditor) {
            editedText += text
            editor.edited()
        }
    }

    let contents = ConfidentialContents()
    let view = View()

    private func editor(limit: Int = 64, policy: ClearingPolicy = .standard) -> SecretEditor {
        SecretEditor(field: SecretField(maximumBytes: limit, policy: policy, in: contents), view: view)
    }

    @Test("shows after every key exactly what is submitted, though the field takes no more")
    func tooLong() throws {
        let editor = editor(limit: 8)
        for key in "пароль" { view.type(String(key), into: editor) }
        #expect(view.editedText == "паро")
        #expect(view.refusals == [.tooLong, .tooLong])
        #expect(try editor.field.text == view.editedText)
        view.editedText = "abc"
        editor.edited()
        #expect(try editor.field.text == "abc")
    }

    @Test("keeps its text while it is lent, takes no key, and has it after a failed submission")
    func failedSubmission() async throws {
        let editor = editor()
        view.type("secret", into: editor)
        await #expect(throws: Refused.self) {
            try await editor.field.submit { _ in
                #expect(view.editedText == "secret")
                view.type("x", into: editor)
                #expect(view.editedText == "secret")
                throw Refused()
            }
        }
        #expect(view.editedText == "secret")
        #expect(view.refusals == [.isLent])
        #expect(try editor.field.text == "secret")
    }

    @Test("is empty after an accepted submission")
    func accepted() async throws {
        let editor = editor()
        view.type("secret", into: editor)
        let count = try await editor.field.submit { $0.count }
        #expect(count == 6)
        #expect(view.editedText == "")
    }

    @Test("is emptied before the call returns that locks, also while it is lent", arguments: [false, true])
    func locked(isLent: Bool) async throws {
        let editor = editor()
        view.type("secret", into: editor)
        if isLent {
            await #expect(throws: Refused.self) {
                try await editor.field.submit { _ in
                    contents.handle(.locked)
                    #expect(view.editedText == "")
                    throw Refused()
                }
            }
        }
        contents.handle(.locked)
        #expect(view.editedText == "")
        #expect(editor.field.isEmpty)
    }

    @Test("masks before the call returns that masks, and by itself when the time is over")
    func masks() async throws {
        let editor = editor()
        view.type("secret", into: editor)
        editor.field.reveal()
        #expect(view.revealed == "secret")
        contents.maskAll()
        #expect(view.revealed == nil)
        editor.field.reveal(for: .milliseconds(20))
        #expect(view.revealed == "secret")
        while view.revealed != nil { await Task.yield() }
        #expect(!editor.field.isRevealed)
        #expect(view.editedText == "secret")
    }

    @Test("follows a field that another thread clears")
    func otherThread() async {
        let editor = editor()
        view.type("secret", into: editor)
        await Task.detached { [field = editor.field] in field.clear() }.value
        while view.editedText != "" { await Task.yield() }
        #expect(editor.field.isEmpty)
    }

    @Test("ends: the view is empty, the field keeps its content, and neither hears of the other")
    func ends() throws {
        let editor = editor()
        view.type("secret", into: editor)
        editor.end()
        #expect(view.editedText == "")
        #expect(try editor.field.text == "secret")
        view.type("x", into: editor)
        #expect(try editor.field.text == "secret")
        // Another view may edit it from now on, and shows it at once.
        let next = View()
        let second = SecretEditor(field: editor.field, view: next)
        #expect(next.editedText == "secret")
        next.type("!", into: second)
        #expect(view.editedText == "x")
    }
}
