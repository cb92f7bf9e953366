// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import TerminalPrivacy

@Suite("Keys")
struct KeyParserTests {
    private func describe(_ input: TerminalInput) throws -> String {
        switch input {
        case .key(let key): "\(key)"
        case .focus(let hasFocus): "focus \(hasFocus)"
        case .paste(let secret): "paste \(try String(exposing: secret) ?? "?")"
        case .clipboard(let secret): "clipboard \(try String(exposing: secret) ?? "?")"
        case .pasteRefused(let reason): "refused \(reason)"
        case .cursor(let row, let column): "cursor \(row) \(column)"
        }
    }

    private func parse(_ bytes: [UInt8], pieces: Int) throws -> [String] {
        var parser = KeyParser()
        var inputs: [TerminalInput] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = Array(bytes[start..<min(bytes.count, start + pieces)])
            inputs += try parser.parse(piece.span)
        }
        return try (inputs + parser.decide(at: .now + .seconds(60))).map(describe)
    }

    @Test(
        "tell a change of focus and Control-C though something has begun that has no end",
        arguments: [
            "\u{1B}", "\u{1B}[", "\u{1B}[20", "\u{1B}O", "\u{1B}]", "\u{1B}]52;c;QUJD", "\u{1B}[200~",
            "\u{1B}[200~pass", "\u{1B}P1$r", "\u{1B}Xabc", "\u{1B}^abc\r", "\u{1B}_Gi=1;OK", "\u{1B}_Gi=1;OK\u{1B}",
        ], [1, 3, 100])
    func focusAndInterrupt(begun: String, size: Int) throws {
        let keys = try parse(Array("\(begun)\u{1B}[O\u{3}\u{1B}[I".utf8), pieces: size)
        #expect(
            keys.filter { $0 != "escape" && !$0.hasPrefix("refused") } == [
                "focus false", "control(\"c\")", "focus true",
            ], "\(keys)")
    }

    // Rule: the late rest of an arrow is that arrow | read as keys | ["escape", "character(\"[\")", "character(\"D\")"]
    @Test("take the rest of a sequence that comes late for what it is, and no letter of it for a key")
    func lateRest() throws {
        for (rest, keys) in [
            ("[D", ["left"]), ("[3~", ["delete"]), ("[", ["character(\"[\")"]), ("D", ["character(\"D\")"]),
        ] {
            var parser = KeyParser()
            let now = ContinuousClock.now
            var inputs = try parser.parse(Array("\u{1B}".utf8).span, at: now)
            inputs += parser.decide(at: now + .milliseconds(31))
            inputs += try parser.parse(Array(rest.utf8).span, at: now + .milliseconds(200))
            inputs += parser.decide(at: now + .seconds(2))
            #expect(try inputs.map(describe) == ["escape"] + keys, "\(rest)")
        }
        // Somebody who waits longer has typed it.
        var parser = KeyParser()
        let now = ContinuousClock.now
        var inputs = try parser.parse(Array("\u{1B}".utf8).span, at: now) + parser.decide(at: now + .milliseconds(31))
        inputs += try parser.parse(Array("[D".utf8).span, at: now + .seconds(1))
        #expect(try inputs.map(describe) == ["escape", "character(\"[\")", "character(\"D\")"])
    }

    @Test(
        "wait for an end no longer than it takes, and hand over what were keys",
        arguments: [
            ("\u{1B}", ["escape"]), ("\u{1B}[", ["escape", "character(\"[\")"]), ("\u{1B}[20", []),
            ("\u{1B}O", ["escape", "character(\"O\")"]), ("\u{1B}]", ["escape", "character(\"]\")"]),
            ("\u{1B}]52;c;QUJD", []),
            ("\u{1B}[200~a\u{3}b", ["control(\"c\")", "refused interrupted"]),
            ("\u{1B}P", ["escape", "character(\"P\")"]), ("\u{1B}_G", []),
            ("\u{1B}X\u{1B}", ["escape", "character(\"X\")"]),
        ] as [(String, [String])])
    func patience(of begun: (text: String, keys: [String])) throws {
        var parser = KeyParser()
        let now = ContinuousClock.now
        var inputs = try parser.parse(Array(begun.text.utf8).span, at: now)
        let due = try #require(parser.due)
        #expect(due > now && due <= now + .seconds(3))
        inputs += parser.decide(at: due - .milliseconds(1))
        #expect(parser.due == due)
        inputs += parser.decide(at: due)
        #expect(try inputs.map(describe) == begun.keys && parser.due == nil)
        #expect(try parser.parse(Array("x".utf8).span).map(describe) == ["character(\"x\")"])
    }

    // Rule: a string without an end takes keys for a second | each key prolonged that
    @Test(
        "are lost to a string without an end for a second at most", arguments: ["\u{1B}Px", "\u{1B}]0;x", "\u{1B}_x"])
    func endless(string: String) throws {
        var parser = KeyParser()
        let now = ContinuousClock.now
        var inputs = try parser.parse(Array(string.utf8).span, at: now)
        for step in 1...12 {
            let time = now + .milliseconds(100 * step)
            inputs += parser.decide(at: time)
            inputs += try parser.parse(Array("k".utf8).span, at: time)
        }
        #expect(try inputs.map(describe) == Array(repeating: "character(\"k\")", count: 3))
    }

    // Rule: Control-C is read in the middle of everything | a mouse's report or a string took it
    @Test(
        "have Control-C among them in the middle of everything",
        arguments: [
            "\u{1B}", "\u{1B}O", "\u{1B}[", "\u{1B}[12;", "\u{1B}[M", "\u{1B}]", "\u{1B}]52;c;QUJD", "\u{1B}]0;\u{1B}",
            "\u{1B}P", "\u{1B}Pa", "\u{1B}X\u{1B}", "\u{1B}_a", "\u{1B}^a",
            "\u{9B}",
            "\u{9D}1", "\u{1B}[200~a", "\u{1B}[200~\u{1B}[201",
        ])
    func interrupt(begun: String) throws {
        for size in [1, 100] {
            #expect(try parse(Array((begun + "\u{3}").utf8), pieces: size).contains("control(\"c\")"))
        }
    }

    /// Parses pieces that arrive so many milliseconds after the start, and looks at the time before each.
    private func parse(late pieces: [(milliseconds: Int, text: [UInt8])]) throws -> [String] {
        var parser = KeyParser()
        let start = ContinuousClock.now
        var inputs: [TerminalInput] = []
        for (milliseconds, text) in pieces {
            let now = start + .milliseconds(milliseconds)
            inputs += parser.decide(at: now)
            inputs += try parser.parse(text.span, at: now)
        }
        return try inputs.map(describe)
    }

    // Rule: a report that no key sends means nothing | each unknown letter was a key | ["other"], the cover went
    @Test(
        "take no report for a key",
        arguments: [
            "?0u", "?1;0;256S", "2;1;1;120;120;1;0x", "97;1:3u", "1;1:3A", "3;1:3~", "1$u", "1;2;3;4;0&w", "?15;0W",
            "5n",
        ])
    func reports(report: String) throws {
        for size in [1, 100] { #expect(try parse(Array("\u{1B}[\(report)".utf8), pieces: size) == []) }
    }

    @Test(
        "take the keys of several terminals for keys",
        arguments: [
            ("[1;5P", "other"), ("[97u", "other"), ("[27;5;9~", "other"), ("[1;2A", "up"), ("[1;1:2A", "up"),
            ("[a", "other"),
            ("[[D", "other"), ("[E", "other"),
        ])
    func keysOfTerminals(sequence: String, key: String) throws {
        for size in [1, 100] { #expect(try parse(Array("\u{1B}\(sequence)".utf8), pieces: size) == [key]) }
    }

    // Rule: what comes late of a paste is no key | the paste was given up whole | its letters were keys
    @Test("drop what comes late of a paste, and take keys again after its end")
    func stalledPaste() throws {
        let paste = (0, Array("\u{1B}[200~hello ".utf8))
        let rest = Array("Dy and more".utf8)
        let end = Array("\u{1B}[201~".utf8)
        let refused = "refused interrupted"
        for late in [3_600, 20_000] {
            #expect(
                try parse(late: [paste, (late, rest), (late + 10, end + Array("x".utf8))]) == [
                    refused, "character(\"x\")",
                ])
        }
        #expect(try parse(late: [paste, (3_600, rest + [3])]) == [refused, "control(\"c\")"])
        // An end that doesn't come is not waited for.
        #expect(try parse(late: [paste, (4_000, rest), (40_000, [0x78])]) == [refused, "character(\"x\")"])
    }

    // Rule: a value of two bytes before ESC was two of X10 | not looked at | letters of the next report were keys
    @Test("take no report of the mouse for keys, whichever of the two old forms it has")
    func oldMouse() throws {
        for values: [UInt8] in [
            [0x61, 0xC2, 0x80], [0x71, 0xDF, 0xBF], [0x61, 0xC3, 0xA9, 0x21], [0x20, 0x21, 0xC3, 0xA9],
        ] {
            let report = [0x1B, 0x5B, 0x4D] + values
            #expect(try parse(report + report + report, pieces: 100) == [], "\(values)")
            #expect(try parse(report + report, pieces: 1) == [], "\(values)")
        }
    }

    @Test("take an arrow of the application mode that comes late for an arrow, and a typed O for a letter")
    func lateArrow() throws {
        #expect(try parse(late: [(0, [0x1B]), (80, Array("OD".utf8))]) == ["escape", "left"])
        #expect(try parse(late: [(0, [0x1B]), (80, Array("O".utf8))]) == ["escape", "character(\"O\")"])
    }

    @Test("spoil no other paste by one with Control-C or a report of focus in it, of which nothing is taken")
    func spoilt() throws {
        for stranger in ["\u{3}", "\u{1B}[O"] {
            let keys = try parse(
                Array("\u{1B}[200~one\(stranger)two\r\u{1B}[201~\u{1B}[200~three\u{1B}[201~".utf8), pieces: 4)
            #expect(keys.count == 3 && Array(keys.suffix(2)) == ["refused interrupted", "paste three"], "\(keys)")
        }
    }

    @Test("lose nothing behind bytes that are no text")
    func noText() throws {
        for (bytes, keys) in [
            ([0xE9, 0x0D], ["enter"]), ([0xF0, 0x03], ["control(\"c\")"]), ([0xC3, 0x1B, 0x5B, 0x4F], ["focus false"]),
            ([0xE2, 0x82, 0x61], ["character(\"a\")"]), ([0xC3, 0xC3, 0xA9], ["character(\"\\u{00E9}\")"]),
        ] as [([UInt8], [String])] {
            #expect(try parse(bytes, pieces: 1) == keys, "\(bytes)")
        }
    }

    // Rule: the three bytes of a mouse's oldest report are no keys | CSI M without parameters ends there
    // Rule: a column of the mouse may be a control character | such a byte ended the report | the byte after it was a
    //   key
    // Rule: what follows a C1 control character that begins a sequence is no key | only the character is dropped
    // Rule: nothing in a string from the terminal is a key | DCS, SOS, PM and APC read as Escape and keys
    @Test(
        "are told apart, in whatever pieces they come",
        arguments: [
            ("a", ["character(\"a\")"]), ("я🔑", ["character(\"\\u{044F}\")", "character(\"\\u{0001F511}\")"]),
            ("\r", ["enter"]), ("\t", ["tab"]), ("\u{7F}", ["backspace"]),
            ("\u{1}\u{1A}", ["control(\"a\")", "control(\"z\")"]),
            ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[1;5D", ["up", "down", "right", "left"]),
            ("\u{1B}[3~\u{1B}[5~\u{1B}[Z", ["delete", "pageUp", "backTab"]), ("\u{1B}", ["escape"]),
            // The keypad's Enter, and what a mouse reports.
            ("\u{1B}OM", ["enter"]), ("\u{1B}[<0;10;5M\u{1B}[<0;10;5m", []),
            ("\u{1B}x", ["escape", "character(\"x\")"]), ("\u{1B}[I\u{1B}[O", ["focus true", "focus false"]),
            ("\u{1B}[200~pass\rwörd\u{1B}[201~x", ["paste pass\rwörd", "character(\"x\")"]),
            ("\u{1B}[200~\u{1B}[20\u{1B}[201~", ["paste \u{1B}[20"]), ("\u{1B}[200~\u{1B}[201~", ["paste "]),
            ("\u{1B}]52;c;QUJD\u{7}", ["clipboard QUJD"]), ("\u{1B}]52;c;QUJD\u{1B}\\", ["clipboard QUJD"]),
            ("\u{1B}[12;40R\u{1B}[R\u{1B}[1;2;3R\u{1B}[9;99999999999999999999R", ["cursor 12 40"]),
            ("\u{1B}Xcopy\r\u{1B}\\q", ["character(\"q\")"]), ("\u{1B}P1$r0m\u{1B}\\q", ["character(\"q\")"]),
            ("\u{1B}^a\u{7}b\u{1B}\\q", ["character(\"q\")"]), ("\u{1B}_Gi=1;OK\u{1B}\\q", ["character(\"q\")"]),
            ("\u{1B}Pa\u{18}q", ["character(\"q\")"]), ("\u{1B}P\u{1B}[A", ["escape", "character(\"P\")", "up"]),
            ("\u{1B}Pab\u{1B}[A", ["up"]), ("\u{9B}A\u{80}q", ["up", "other", "character(\"q\")"]),
            ("\u{9B}2Jq", ["character(\"q\")"]), ("\u{9D}11;rm -rf\u{1B}\\q", ["character(\"q\")"]),
            ("\u{90}rm\r\u{1B}\\q", ["character(\"q\")"]), ("\u{1B}[M !!q", ["character(\"q\")"]),
            // A column that is a control character: a terminal's 227th, its 251st, and any beyond 223 in xterm.
            ("\u{1B}[M \u{3}qx", ["character(\"x\")"]), ("\u{1B}[M \u{1B}qx", ["character(\"x\")"]),
            ("\u{1B}[M#\u{0}\rx", ["character(\"x\")"]), ("\u{1B}[M q\rx", ["character(\"x\")"]),
            ("\u{1B}[t\r\u{3}x", ["character(\"x\")"]), ("\u{1B}[T!\r!q\u{0}!x", ["character(\"x\")"]),
            ("\u{1B}[M\u{1B}[O", ["focus false"]),
            // Columns beyond 95 in UTF-8, and what a mouse that highlights reports.
            ("\u{1B}[M \u{E9}\u{E9}q", ["character(\"q\")"]), ("\u{1B}[M\u{E9}!\u{E9}q", ["character(\"q\")"]),
            ("\u{1B}[t\u{E9}!q", ["character(\"q\")"]), ("\u{1B}[T!!!!\u{E9}!q", ["character(\"q\")"]),
            ("\u{1B}[M \u{E9}\u{3}x", ["character(\"x\")"]), ("\u{1B}[8;24;80tq", ["character(\"q\")"]),
            ("\u{1B}]11;rgb:0/0/0\u{7}q", ["character(\"q\")"]), ("\u{1B}[?1004;1$yq", ["character(\"q\")"]),
        ] as [(String, [String])], [1, 2, 3, 5, 100])
    func pieces(of input: (text: String, keys: [String]), size: Int) throws {
        #expect(try parse(Array(input.text.utf8), pieces: size) == input.keys)
    }

    @Test("take a single byte that begins a sequence for its beginning")
    func singleBytes() throws {
        #expect(try parse([0x9B, 0x41, 0x71], pieces: 1) == ["up", "character(\"q\")"])
        #expect(try parse([0x90, 0x72, 0x6D, 0x1B, 0x5C, 0x71], pieces: 1) == ["character(\"q\")"])
        var parser = KeyParser()
        #expect(try parser.parse([0x9B].span).isEmpty)
        #expect(parser.decide(at: .now + .seconds(1)).isEmpty)
    }

    @Test("keep nothing without a bound, and drop what is too long")
    func bounds() throws {
        let long = [UInt8](repeating: 0x61, count: KeyParser.limit + 1)
        #expect(
            try parse(Array("\u{1B}[200~".utf8) + long + Array("\u{1B}[201~x".utf8), pieces: 256) == [
                "refused tooLong", "character(\"x\")",
            ])
        #expect(
            try parse(Array("\u{1B}]52;c;".utf8) + long + Array("\u{7}x".utf8), pieces: 256) == ["character(\"x\")"])
        let parameters = [UInt8](repeating: 0x31, count: 100_000)
        #expect(
            try parse(Array("\u{1B}[".utf8) + parameters + Array("Ax".utf8), pieces: 256) == ["up", "character(\"x\")"])
    }

    @Test("survive any bytes at all", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var parser = KeyParser()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ -> UInt8 in
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator)
                    : Array("\u{1B}[]O;~2001\u{7}\\".utf8).randomElement(using: &generator) ?? 0
            }
            _ = try parser.parse(bytes.span)
        }
        _ = try parser.parse(Array("\u{7}\u{1B}[201~\u{1B}\\\u{7}".utf8).span)
        #expect(
            try parser.parse(Array("\u{7}\u{1B}[201~zz".utf8).span).contains { try describe($0) == "character(\"z\")" })
    }
}
