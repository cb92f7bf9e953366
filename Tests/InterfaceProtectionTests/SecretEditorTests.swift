// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        var keepsSubmittedText: Duration?
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

    // Rule: what was submitted stays in a view for passwords until that has left | emptied with the field; at a lock; at the end of the binding
    // Rule: a kept text is never edited on | typed text added to it
    @Test(
        "keeps an accepted password for saving until it has left its window, and takes a key for the first of a new one"
    )
    func saved() async throws {
        view.keepsSubmittedText = .milliseconds(20)
        let editor = editor()
        view.type("generated", into: editor)
        try await editor.field.submit { _ in }
        #expect(editor.field.isEmpty && view.editedText == "generated")
        // It is under a cover then, and masked.
        contents.handle(.locked)
        editor.edited()
        #expect(view.editedText == "generated" && view.revealed == nil)
        editor.viewMoved(isInWindow: false)
        #expect(view.editedText == "generated")
        while !view.editedText.isEmpty { await Task.yield() }
        view.type("next", into: editor)
        try await editor.field.submit { _ in }
        view.type("!", into: editor)
        #expect(try view.editedText == "!" && editor.field.text == "!")
        try await editor.field.submit { _ in }
        contents.handle(.userChanged)
        #expect(view.editedText == "")
    }

    @Test(
        "keeps a password that is left while it is submitted, for saving; not a refused one, nor one that is given up")
    func leftDuringSubmission() async throws {
        view.keepsSubmittedText = .milliseconds(20)
        for isRefused in [false, true] {
            let editor = editor()
            view.type("secret", into: editor)
            try? await editor.field.submit { _ in
                editor.field.handle(.left)
                editor.viewMoved(isInWindow: false)
                #expect(view.editedText == "secret")
                if isRefused { throw Refused() }
            }
            #expect(view.editedText == (isRefused ? "" : "secret") && editor.field.isEmpty)
            editor.end(isLeaving: true)
            #expect(view.editedText == (isRefused ? "" : "secret"))
            while !view.editedText.isEmpty { await Task.yield() }
        }
        let editor = editor()
        view.type("secret", into: editor)
        editor.end(isLeaving: true)
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
        editor.field.reveal(for: .milliseconds(200))
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

    // Rule: whoever comes upon a field that has fallen due has its views told | nobody told | 5 issues
    @Test("is emptied when its field has fallen due, whoever comes upon that first")
    func due() throws {
        let reads: [(String, (SecretField) -> Void)] = [
            ("isEmpty", { _ = $0.isEmpty }), ("copy", { _ = try? $0.copy() }),
            ("withBytes", { field in _ = try? field.withBytes { $0.byteCount } }),
            ("hasSameContent", { _ = try? $0.hasSameContent(as: SecretField(in: ConfidentialContents())) }),
            ("submitNow", { field in try? field.submitNow { _ in } }),
        ]
        for (name, read) in reads {
            let clock = TestClock()
            let field = SecretField(
                policy: .init(hidden: .clearAfter(.seconds(60))), in: contents, now: { clock.now })
            let editor = SecretEditor(field: field, view: view)
            view.type("hunter2", into: editor)
            field.handle(.hidden, at: clock.now)
            clock.advance(by: .seconds(61))
            read(field)
            #expect(view.editedText.isEmpty, "\(name)")
            editor.end()
        }
    }

    @Test("takes a key back that comes after its field was lent on another thread, and before it has heard so")
    func unheardLoan() async throws {
        let editor = editor()
        view.type("pass", into: editor)
        let field = editor.field
        let (lent, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let submission = Thread {
            try? field.submitNow { _ in
                lent.signal()
                goOn.wait()
                throw Refused()
            }
            lent.signal()
        }
        submission.start()
        lent.wait()
        view.type("X", into: editor)
        #expect(view.editedText == "pass" && view.refusals == [.isLent])
        goOn.signal()
        lent.wait()
        #expect(try field.text == "pass")
    }
}
