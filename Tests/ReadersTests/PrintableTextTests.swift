// SPDX-License-Identifier: Apache-2.0

import Files
import Readers
import TerminalPrivacy
import Testing

@testable import ZamokCommand

/// What people see of text from outside, at each border to a terminal.
@Suite struct PrintableTextTests {
    /// Where scripts, marks, fillers and what is unassigned lie close together.
    private static let scalars = [
        0...0x2FFF, 0x3160...0x316F, 0xE000...0xE00F, 0xFE00...0xFFFF, 0x1BCA0...0x1BCAF, 0x1D170...0x1D17F,
        0xE0000...0xE01FF,
    ].flatMap { (values: ClosedRange<UInt32>) in values.compactMap { Unicode.Scalar($0) } }

    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("l\nm\r\tn", "l\\nm\\r\\tn"),
        ("\u{0}\u{7F}", "\\u{0}\\u{7f}"), ("\u{85}\u{9B}31m", "\\u{85}\\u{9b}31m"),
        ("abc\u{202E}fed", "abc\\u{202e}fed"), ("\u{2066}\u{2069}\u{200F}", "\\u{2066}\\u{2069}\\u{200f}"),
        ("\u{FEFF}\u{2028}\u{2029}", "\\u{feff}\\u{2028}\\u{2029}"), ("замок 🔐 é", "замок 🔐 é"),
        ("back\\slash", "back\\slash"), ("so\u{AD}ft", "so\\u{ad}ft"), ("\u{200B}\u{2060}", "\\u{200b}\\u{2060}"),
        ("\u{3164}\u{115F}", "\\u{3164}\\u{115f}"), ("\u{E000}\u{FFFF}", "\\u{e000}\\u{ffff}"),
        ("नि\u{200D}न ❤\u{FE0F}", "नि\u{200D}न ❤\u{FE0F}"),
    ]) func `what a terminal would obey or hide is escaped`(_ text: String, _ shown: String) {
        #expect(text.printable == shown)
    }

    @Test func `every control character is escaped`() {
        for scalar in Self.scalars where scalar.properties.generalCategory == .control { #expect(!scalar.isPrintable) }
    }

    /// The same code points are kept from a terminal, whether they stand in a path, in JSON or on a screen.
    @Test func `all borders agree on every code point`() {
        var disagreeing: [String] = []
        for scalar in Self.scalars where scalar != "\"" && scalar != "\\" && scalar != "\n" && scalar != "\r" {
            let text = "a" + String(scalar)
            let isKept = scalar.isPrintable
            let line = JSON.text(text).line
            var canvas = Canvas(columns: 8, rows: 1)
            canvas.text(text, at: 0, 0)
            let isDrawn = !canvas.lines[0].unicodeScalars.contains("\u{FFFD}") || scalar == "\u{FFFD}"
            let answers = [
                text.printable == text, FileLocation(text).description == text, line == "\"\(text)\"", isDrawn,
            ]
            if answers != [isKept, isKept, isKept, isKept] { disagreeing.append(String(scalar.value, radix: 16)) }
        }
        #expect(disagreeing == [])
    }

    @Test func `a path that is no text is shown by its bytes`() {
        #expect(FileLocation(bytes: [0x61, 0xFF, 0x0A]).description == "a\\xff\\x0a")
        #expect(FileLocation(bytes: Array("ключ\u{1B}".utf8)).description == "ключ\\u{1b}")
    }
}
