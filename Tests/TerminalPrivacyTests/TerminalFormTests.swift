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
        #expect(ContinuousClock.now - start < .seconds(5))
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

    @Test("takes no paste that is no text, and says so")
    func noText() throws {
        let field = SecretField(in: ConfidentialContents())
        var form = TerminalForm(Form(FormField("p", secret: field, rule: .password)).entries)
        form.paste(try Secret(copying: [0x61, 0xFF]))
        #expect(field.isEmpty)
    }
}
