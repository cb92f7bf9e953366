// SPDX-License-Identifier: Apache-2.0

import Foundation
import GuardProxy
import Testing

@Suite("The search of answers") struct SearchTests {
    private static let secret = "sk-a/b+c\"d&e<f>'g h~1234567890%zz"
    private static let placeholder = "PLACEHOLDER"

    private static func percent(_ text: String, all: Bool, lower: Bool = false) -> String {
        text.utf8.map { byte in
            let isPlain = Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
            let digits = String(byte, radix: 16, uppercase: !lower)
            return !all && isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// The secret in every form, and what of it must not be in what is passed on.
    static let forms: [(String, String)] = {
        let bytes = Array(secret.utf8)
        var forms = [("as it is", secret)]
        for offset in 0..<3 {
            let encoded = Data([UInt8](repeating: 0x78, count: offset) + bytes + [0x79, 0x7A]).base64EncodedString()
            forms.append(("Base64, \(offset) bytes before", encoded))
            let url = encoded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            forms.append(("Base64 of URLs, \(offset) bytes before", url))
            forms.append(
                ("Base64 in lines, \(offset) bytes before", encoded.prefix(20) + "\r\n" + encoded.dropFirst(20)))
            forms.append(("Base64 in JSON, \(offset) bytes before", encoded.replacing("/", with: "\\/")))
            forms.append(
                (
                    "Base64 in a URL, \(offset) bytes before",
                    encoded.replacing("+", with: "%2B").replacing("/", with: "%2f")
                ))
        }
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        forms += [
            ("Basic, in Base64", Data(Data("me:\(secret)".utf8).base64EncodedString().utf8).base64EncodedString()),
            (
                "Basic, in hexadecimal",
                Array(Data("me:\(secret)".utf8).base64EncodedString().utf8).map { String($0, radix: 16) }.joined()
            ),
            ("hexadecimal", hexadecimal), ("hexadecimal in capitals", hexadecimal.uppercased()),
            ("hexadecimal with colons", bytes.map { String($0, radix: 16) }.joined(separator: ":")),
            ("URL", percent(secret, all: false)), ("URL in small letters", percent(secret, all: false, lower: true)),
            ("URL, every sign", percent(secret, all: true)),
            ("form", percent(secret, all: false).replacing("%20", with: "+")),
            ("JSON", secret.replacing("\"", with: "\\\"").replacing("/", with: "\\/")),
            (
                "JSON for HTML",
                secret.replacing("\"", with: "\\\"").replacing("<", with: "\\u003c").replacing(">", with: "\\u003E")
                    .replacing("&", with: "\\u0026")
            ),
            ("JSON, every sign", bytes.map { "\\u00" + String($0, radix: 16) }.joined()),
            (
                "HTML",
                secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                    .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
            ),
            ("HTML in numbers", bytes.map { "&#\($0);" }.joined()),
            ("HTML in hexadecimal numbers", bytes.map { "&#x0\(String($0, radix: 16));" }.joined()),
            ("C, every sign", bytes.map { "\\x" + String($0, radix: 16) }.joined()),
            ("capitals", secret.uppercased()), ("small letters", secret.lowercased()),
            ("CSV", secret.replacing("\"", with: "\"\"")), ("SQL", secret.replacing("'", with: "''")),
            ("SQL in CSV", secret.replacing("'", with: "''").replacing("\"", with: "\"\"")),
            ("UTF-16, little-endian", secret.map { "\($0)\u{0}" }.joined()),
            ("UTF-16, big-endian", secret.map { "\u{0}\($0)" }.joined()),
            ("UTF-32", secret.map { "\($0)\u{0}\u{0}\u{0}" }.joined()),
            ("UTF-16 in Base64", Data(bytes.flatMap { [$0, 0] }).base64EncodedString()),
            ("quoted-printable", bytes.map { "=" + String($0, radix: 16, uppercase: true) }.joined()),
            ("quoted-printable in lines", secret.prefix(12) + "=0A" + secret.dropFirst(12)),
            ("lines", secret.prefix(12) + "\r\n    " + secret.dropFirst(12)),
            ("URL, twice", percent(percent(secret, all: false), all: false)),
            ("URL, three times", percent(percent(percent(secret, all: false), all: false), all: false)),
            ("URL, every sign, twice", percent(percent(secret, all: true), all: true)),
            ("JSON in JSON", json(json(secret))), ("JSON in JSON in JSON", json(json(json(secret)))),
            (
                "HTML in HTML",
                secret.replacing("&", with: "&amp;amp;").replacing("<", with: "&amp;lt;").replacing(
                    ">", with: "&amp;gt;"
                ).replacing("\"", with: "&amp;quot;")
            ),
            ("braces", bytes.map { "\\u{" + String($0, radix: 16) + "}" }.joined()),
            ("old scripts", bytes.map { "%u00" + String($0, radix: 16) }.joined()),
            ("Base32", "ONVS2YJPMIVWGITEEZSTYZR6E5TSA2D6GEZDGNBVGY3TQOJQEV5HU"),
        ]
        let digits = bytes.map { String($0, radix: 16) }
        for (name, separator) in [
            ("dashes", "-"), ("underscores", "_"), ("dots", "."), ("commas", ", 0x"), ("0x", " 0x"), ("NUL", "\u{0}"),
        ] { forms.append(("hexadecimal with \(name)", "0x" + digits.joined(separator: separator))) }
        forms += [
            ("UTF-16 in hexadecimal", bytes.map { String($0, radix: 16) + "00" }.joined()),
            ("UTF-16 in hexadecimal, big-endian", bytes.map { "00" + String($0, radix: 16) }.joined(separator: " ")),
            ("quoted-printable, each sign in a line", secret.map { "\($0)=\r\n" }.joined()),
            ("HTML in long numbers", bytes.map { "&#0000000\($0);" }.joined()),
            ("HTML without semicolons", bytes.map { "&#\($0)" }.joined()),
            (
                "HTML by other names",
                secret.replacing("&", with: "&AMP").replacing("+", with: "&plus;").replacing("/", with: "&sol;")
                    .replacing("%", with: "&percnt;").replacing("\"", with: "&quot")
            ),
            ("long braces", bytes.map { "\\u{00000000000" + String($0, radix: 16) + "}" }.joined()),
            ("lines, far in", secret.prefix(12) + "\r\n" + String(repeating: " ", count: 100) + secret.dropFirst(12)),
        ]
        return forms
    }()

    private static func json(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static let umlauts = "pässwört-€-😀"

    private static let umlautForms: [(String, [UInt8])] = {
        let texts: [(String, String)] = [
            ("as it is", umlauts), ("JSON", #"p\u00e4ssw\u00f6rt-\u20ac-\ud83d\ude00"#),
            ("JSON in JSON", #"p\\u00e4ssw\\u00f6rt-\\u20AC-\\uD83D\\uDE00"#),
            ("HTML", "p&#228;ssw&#xf6;rt-&#8364;-&#128512;"), ("URL", "p%C3%A4ssw%C3%B6rt-%E2%82%AC-%F0%9F%98%80"),
            ("twice in UTF-8", String(decoding: umlauts.utf8.map { UInt16($0) }, as: UTF16.self)),
        ]
        let units = Array(umlauts.utf16)
        let little: [UInt8] = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big: [UInt8] = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return texts.map { ($0, Array($1.utf8)) } + [("UTF-16", little), ("UTF-16, big-endian", big)]
    }()

    // Rule: a secret that is no ASCII is found as servers write it | escapes were bytes alone | 3 forms came through
    @Test(arguments: umlautForms)
    func `a secret that is no ASCII is found as servers write it`(_ form: (String, [UInt8])) {
        for cut in 0...form.1.count {
            var search = AnswerSearch([Array(Self.umlauts.utf8)], [Array("X".utf8)])
            let output = search.feed(form.1[..<cut]) + search.feed(form.1[cut...]) + search.finish()
            #expect(search.count == 1 && output.count <= 3, "\(form.0), cut at \(cut): \(output)")
        }
        var search = AnswerSearch([Array("pässwört".utf8)], [[]])
        _ = search.feed([0x70, 0xE4] + Array("ssw".utf8) + [0xF6] + Array("rt.".utf8))
        #expect(search.count == 1)
    }

    private static func search(_ pieces: [[UInt8]]) -> (text: String, count: Int) {
        var search = AnswerSearch([Array(secret.utf8)], [Array(placeholder.utf8)])
        var output: [UInt8] = []
        for piece in pieces { output += search.feed(piece) }
        output += search.finish()
        return (String(decoding: output, as: UTF8.self), search.count)
    }

    // Rule: an answer has no form of the secret, wherever its pieces end | nothing was held back | every form came
    //   through in pieces
    @Test(arguments: forms) func `every form is replaced, wherever the pieces end`(_ form: (String, String)) {
        let text = Array("<a>\(form.1)</a>".utf8)
        for cut in 0...text.count {
            let result = Self.search([Array(text[..<cut]), Array(text[cut...])])
            #expect(
                result.count == 1 && result.text.contains(Self.placeholder), "\(form.0), cut at \(cut): \(result.text)")
        }
        let single = Self.search(text.map { [$0] })
        #expect(single.count == 1, "\(form.0), byte by byte: \(single.text)")
        // What is left beside the replacement is too little to be the secret.
        let rest = single.text.replacing(Self.placeholder, with: "")
        #expect(rest.utf8.count <= "<a></a>".utf8.count + 20, "\(form.0): \(single.text)")
    }

    // Rule: a form is found at each place of a long text, where the filter looks at many bytes at once |
    //   the filter knew no breaks | UTF-16 and UTF-32 passed at each of 70 places
    @Test(arguments: forms) func `every form is replaced at each place of a long text`(_ form: (String, String)) {
        let filler = Array("the quick brown fox jumps over the lazy dog; ".utf8)
        for offset in 0..<70 {
            let before = (0..<offset).map { filler[$0 % filler.count] }
            let text = before + Array("<\(form.1)>".utf8) + filler + filler
            let result = Self.search([text])
            #expect(result.count == 1 && result.text.contains(Self.placeholder), "\(form.0), at \(offset)")
        }
    }

    @Test func `other bytes pass as they are, and at once`() {
        var search = AnswerSearch([Array(Self.secret.utf8)], [Array(Self.placeholder.utf8)])
        let text = Array("data: {\"text\": \"sk-a/b+c is only a part\"}\n\n".utf8)
        #expect(search.feed(text) == text)
        #expect(search.finish().isEmpty && search.count == 0)
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(search.feed(noise) + search.finish() == noise)
    }

    @Test func `the beginning of a secret waits for the rest`() {
        var search = AnswerSearch([Array(Self.secret.utf8)], [Array(Self.placeholder.utf8)])
        #expect(search.feed("ab sk-a/b".utf8) == Array("ab ".utf8))
        #expect(search.feed("X".utf8) == Array("sk-a/bX".utf8))
    }

    @Test func `several secrets have their own replacements, and short ones none`() {
        var search = AnswerSearch(
            [Array("first-secret".utf8), Array("second-secret".utf8), Array("short".utf8)],
            [Array("1".utf8), Array("2".utf8), Array("3".utf8)])
        #expect(search.replaced("second-secret first-secret short") == "2 1 short")
        #expect(search.count == 2)
    }

    private static func found(_ secrets: [String], _ text: String) -> [String] {
        // Wherever the pieces end, and in either order of the secrets.
        var all: Set<String> = []
        let bytes = Array(text.utf8)
        for order in [Array(secrets.indices), Array(secrets.indices.reversed())] {
            for cut in 0...bytes.count {
                var search = AnswerSearch(
                    order.map { Array(secrets[$0].utf8) }, order.map { Array("<\($0)>".utf8) })
                let output = search.feed(bytes[..<cut]) + search.feed(bytes[cut...]) + search.finish()
                all.insert(String(decoding: output, as: UTF8.self))
            }
        }
        return all.sorted()
    }

    // Rule: a secret that begins with another one, has it in itself or overlaps it, is taken out whole, in any order |
    //   the first pattern that matched was taken | 13 times the end of the longer secret came through
    @Test func `secrets that have bytes in common are taken out whole`() {
        let (short, long) = ("prefix12", "prefix12SECRETTAILabcdef")
        #expect(Self.found([short, long], "a \(long) b") == ["a <1> b"])
        #expect(Self.found([short, long], "a \(short) b") == ["a <0> b"])
        #expect(Self.found([short, long], "a \(long.dropLast()) b") == ["a <0>SECRETTAILabcde b"])
        #expect(Self.found(["TAILabcd", long], "a \(long) b") == ["a <1> b"])
        #expect(Self.found(["xxxxyyyy12345678", "12345678zzzzvvvv"], "a xxxxyyyy12345678zzzzvvvv b") == ["a <0><1> b"])
        #expect(Self.found(["abcabcabc"], "abcabcabcabc.") == ["<0><0>."])
        #expect(Self.found(["the same", "the same"], "the same").allSatisfy { ["<0>", "<1>"].contains($0) })
        for text in [long, "user:" + long, "x:" + long] {
            for form in [
                base64(text), base64(base64(text)), Array(text.utf8).map { String($0, radix: 16) }.joined(),
                Self.percent(text, all: true),
            ] {
                // What depends on what is beside it may be left.
                for output in Self.found([short, long], form) {
                    #expect(output.contains("<1>") && !output.contains("<0>"), "\(form): \(output)")
                }
            }
        }
    }

    /// What took longest, each in a long run.
    private static let costly = [
        #"\n"#, #"\\\n"#, #"\u005cn"#, "%255cn", "&#38;#92;n", "%25", "&#", #"\u4e2d\u6587"#, "&quot;", "%E4", #"\""#,
        #"C:\\Users\\"#, "%0A", "%20", "a+", "n+", "=0A", "=\r\n", "&nbsp;", #"\\n"#, #"\"#, "%2525", #"\u005cu005c"#,
        "&amp;", "&amp;amp;", "&#000", #"\u{0"#, "%u", "a    ", "7-", "67-", "0x6", "a = b & c",
    ]

    // Rule: what an answer holds doesn't make its search slow: no byte costs more than 30 steps | signs were not kept
    //   when they had been read | 5 kinds, up to 85 steps a byte
    @Test(arguments: costly) func `no run of escapes is costly`(_ kind: String) {
        let secrets = (0..<5).map { Array("ghp_\($0)MARKERsecretx7Q2mZ9AbCdEfGhIjKlM\($0)".utf8) }
        var search = AnswerSearch(secrets, secrets.map { _ in [] })
        let text = Array(String(repeating: kind, count: 4096 / kind.utf8.count).utf8)
        #expect(search.feed(text) + search.finish() == text)
        #expect(search.steps <= 30 * text.count, "\(kind): \(search.steps / text.count) steps a byte")
    }

    @Test func `what was held is overwritten`() {
        var search = AnswerSearch([Array(Self.secret.utf8)], [[]])
        _ = search.feed("sk-a/b".utf8)
        search.wipe()
        #expect(search.finish().isEmpty)
        #expect(search.feed(Self.secret.utf8) == Array(Self.secret.utf8))
    }
}
