// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalPrivacy

@Suite("A canvas")
struct CanvasTests {
    @Test("cuts off what doesn't fit, in every direction")
    func edges() {
        var canvas = Canvas(columns: 5, rows: 2)
        canvas.text("abcdefgh", at: 3, 0)
        canvas.text("xyz", at: -1, 1)
        canvas.text("never", at: 0, 2)
        canvas.text("never", at: 0, -1)
        canvas.text("cut", at: Int.max - 1, 0, width: .max)
        #expect(canvas.lines == ["   ab", "yz   "])
    }

    @Test("gives wide characters two cells, and half of one to nobody")
    func wide() {
        var canvas = Canvas(columns: 6, rows: 1)
        #expect(canvas.text("日本é🔑x", at: 0, 0) == 5)
        #expect(canvas.lines == ["日本é "])
        #expect(Canvas.width(of: "日本é🔑") == 7)
    }

    @Test(
        "shows commands to the terminal as marks",
        arguments: ["\u{1B}[2J", "a\u{7}b", "\u{9B}31m", "a\nb", "\u{202E}abc", "\u{2028}x"])
    func controls(text: String) {
        var canvas = Canvas(columns: 10, rows: 1)
        canvas.text(text, at: 0, 0)
        let frame = String(decoding: canvas.frame, as: UTF8.self)
        #expect(
            canvas.lines[0].contains("\u{FFFD}")
                || !canvas.lines[0].unicodeScalars.contains {
                    text.unicodeScalars.contains($0) && $0.properties.generalCategory == .format
                })
        #expect(!frame.contains(text))
    }

    @Test(
        "breaks text at line ends, at spaces, and inside of words that are too long",
        arguments: [
            ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
            ("one  two", 4, ["one ", "two"]), ("a\n\nb", 5, ["a", "", "b"]),
            ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]),
            ("日本語", 5, ["日本", "語"]),
            ("  in", 9, ["  in"]), ("x", 0, ["x"]), ("one ", 3, ["one", ""]),
        ] as [(String, Int, [String])])
    func wrap(text: String, width: Int, lines: [String]) {
        #expect(Canvas.wrap(text, width: width) == lines)
    }

    @Test("draws at any size without a trap", arguments: [(0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (3, 200), (300, 2)])
    func sizes(columns: Int, rows: Int) {
        var canvas = Canvas(columns: columns, rows: rows)
        for size in [-1, 0, 1, 2, 3, 1000] {
            canvas.box(size - 2, size - 2, width: size, height: size, title: "A title")
            canvas.fill(size, size, width: size, height: size, "x")
            canvas.paragraph("many words in a row", at: size, size, width: size)
            canvas.centered("middle", row: size)
        }
        #expect(canvas.lines.count == rows)
        #expect(!canvas.frame.isEmpty)
    }

    @Test("draws at the ends of the numbers without a trap")
    func extremes() {
        var canvas = Canvas(columns: 10, rows: 5)
        let ends = [Int.min, Int.min + 1, -1, 0, 4, Int.max - 1, Int.max]
        for column in ends {
            for row in ends {
                canvas.text("abc", at: column, row)
                canvas.paragraph("a\nb", at: column, row, width: 5)
                canvas.cursor = (column, row)
                _ = canvas.frame
                for size in ends {
                    canvas.text("abc", at: column, row, width: size)
                    canvas.fill(column, row, width: size, height: size, "x")
                    canvas.box(column, row, width: size, height: size, title: "t")
                }
            }
        }
        let largest = Canvas(columns: .max, rows: .max)
        #expect(largest.columns == 1000 && largest.rows == 1000)
    }

    @Test("fills what is seen of a rectangle that begins far outside")
    func fillFromOutside() {
        var canvas = Canvas(columns: 4, rows: 2)
        canvas.fill(-100, -100, width: 103, height: 101, "x")
        #expect(canvas.lines == ["xxx ", "    "])
    }

    @Test(
        "shows the end of a long text",
        arguments: [("abc", 5, "abc"), ("abcdef", 3, "def"), ("a日本", 3, "本"), ("", 3, "")])
    func end(text: String, width: Int, end: String) {
        #expect(Canvas.end(of: text, width: width) == end)
    }
}
