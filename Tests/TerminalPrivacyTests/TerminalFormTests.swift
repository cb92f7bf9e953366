// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@testable import TerminalPrivacy

@Suite("A form on a terminal")
struct TerminalFormTests {
    @Test("draws what was pasted in the time that its screen takes, not its length")
    func longPaste() throws {
        let input = TextInput()
        var form = TerminalForm(Form(FormField("n", text: input, rule: .text())).entries)
        form.paste(try Secret(copying: Array(repeating: UInt8(ascii: "a"), count: 60_000) + Array("the end".utf8)))
        var canvas = Canvas(columns: 80, rows: 6)
        let start = ContinuousClock.now
        form.draw(&canvas, at: 0, 0, width: 60)
        // Looked at from its beginning it took minutes.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(canvas.lines[0].hasSuffix("the end" + String(repeating: " ", count: 21)), "\(canvas.lines[0])")
    }

    @Test(
        "takes a paste without the line ends in it, secret or not",
        arguments: ["hunter2\n", "hunter2\r\n", "\nhun\u{2028}ter2\u{85}", "hunter2"])
    func lineEnds(pasted: String) throws {
        let (input, field) = (TextInput(), SecretField(in: ConfidentialContents()))
        var form = TerminalForm(
            Form(FormField("n", text: input, rule: .text()), FormField("p", secret: field, rule: .password)).entries)
        form.paste(try Secret(copying: Array(pasted.utf8)))
        _ = form.handle(.tab)
        form.paste(try Secret(copying: Array(pasted.utf8)))
        #expect(field.exposingText() == "hunter2" && input.text == "hunter2")
    }

    // Rule: a message is never cut off | drawn in one line | the word Please is missing
    @Test(
        "breaks what is wrong into lines, and shows the field with the cursor, however little room there is",
        arguments: [(70, 20), (34, 6), (34, 4), (20, 8)])
    func little(width: Int, height: Int) throws {
        let entries = (0..<4).map { FormField("f\($0)", label: "Field \($0)", text: TextInput(), rule: .text()) }
        var form = TerminalForm(
            Form(entries[0], entries[1], entries[2], entries[3]).entries)
        for index in 0..<4 {
            var canvas = Canvas(columns: 72, rows: 24)
            form.draw(&canvas, at: 0, 0, width: width, height: height)
            let used = canvas.lines.lastIndex { $0.contains { $0 != " " } } ?? -1
            #expect(used < height && canvas.lines.contains { $0.contains("Field \(index)") }, "\(canvas.lines)")
            #expect(canvas.cursor.map { canvas.lines[$0.row].contains("Field \(index)") } == true)
            _ = form.handle(.tab)
        }
        form.show("This is easily guessed. Please take another one.")
        var canvas = Canvas(columns: 72, rows: 24)
        form.draw(&canvas, at: 0, 0, width: width, height: height)
        let text = canvas.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(text.contains("easily guessed. Please take another one."), "\(canvas.lines)")
    }

    private func shown(_ form: TerminalForm) -> String {
        var canvas = Canvas(columns: 90, rows: 8)
        form.draw(&canvas, at: 0, 0, width: 90)
        return canvas.lines.joined(separator: " ")
    }

    // Rule: a paste that is no text is told | dropped in silence
    @Test("takes no paste that is no text, secret or not, and says so", arguments: [true, false])
    func noText(isSecret: Bool) throws {
        let (input, field) = (TextInput(), SecretField(in: ConfidentialContents()))
        var form = TerminalForm(
            isSecret
                ? Form(FormField("p", secret: field, rule: .password)).entries
                : Form(FormField("n", text: input, rule: .text())).entries)
        form.paste(try Secret(copying: [0x61, 0xFF]))
        #expect(field.isEmpty && input.text.isEmpty)
        #expect(shown(form).contains("What was pasted is not text"))
    }

    @Test("takes no paste that is too long for the field, and says so")
    func tooLong() throws {
        let field = SecretField(in: ConfidentialContents())
        var form = TerminalForm(Form(FormField("p", secret: field, rule: .password)).entries)
        form.paste(try Secret(copying: Array(repeating: UInt8(ascii: "a"), count: 60_000)))
        #expect(field.isEmpty)
        #expect(shown(form).contains("more than the field takes"))
    }

    // Rule: NO_COLOR takes the colours, and nothing else | colours all the same
    @Test("has no colours where the user wants none, and is as bold or pale as before")
    func noColor() {
        let style = Style(.red, bold: true, inverse: true)
        #expect(style.sequence(hasColors: true) == "\u{1B}[0;1;7;31m")
        #expect(style.sequence(hasColors: false) == "\u{1B}[0;1;7m")
    }
}
