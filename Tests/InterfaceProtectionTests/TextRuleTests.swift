// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for text, numbers and dates")
struct TextRuleTests {
    @Test(
        "count code points, not bytes",
        arguments: [
            ("", Reason.Code.required), ("ab", .tooShort), ("abc", nil), ("абв", nil), ("日本語", nil), ("🔑🔑🔑", nil),
            ("abcde", nil), ("абвгде", .tooLong),
        ] as [(String, Reason.Code?)])
    func length(text: String, code: Reason.Code?) {
        let reason = Rule<String>.text(length: 3...5).problem(in: text)
        #expect(reason?.code == code)
        if code == .tooShort { #expect(reason?.minimum == "3") }
        if code == .tooLong { #expect(reason?.maximum == "5") }
    }

    @Test(
        "let pass only the characters they allow",
        arguments: [
            (AllowedCharacters.digits, "0123456789", true), (.digits, "12a", false), (.digits, "１２", false),
            (.lowercase + .digits, "abc123", true), (.lowercase + .digits, "Abc", false),
            (.these("-_.") + .uppercase, "A-B_C.", true),
            (.unicode, "naïve текст", true), (.unicode, "a\u{7}b", false), (.unicode, "a\nb", false),
            (.lines, "a\nb\tc", true),
            (.lines, "a\u{1B}[0m", false), (.asciiPrintable, "a b~", true), (.asciiPrintable, "é", false),
        ])
    func characters(allowed: AllowedCharacters, text: String, isRight: Bool) {
        #expect((Rule<String>.text(allowed: allowed).problem(in: text)?.code == nil) == isRight)
    }

    @Test(
        "read whole numbers in their range",
        arguments: [
            ("0", 0), ("42", 42), ("-7", -7), ("+7", 7), ("007", 7), ("100", 100), ("101", nil), ("-8", nil), ("", nil),
            ("-", nil),
            ("1e3", nil), ("1.0", nil), (" 1\u{3000}", 1), ("1 2", nil), ("٣", 3),
            ("99999999999999999999999999", nil),
        ] as [(String, Int?)])
    func integers(text: String, value: Int?) {
        #expect((try? Rule<Int>.integer(in: -7...100).parse(text)) == value)
    }

    @Test("read the smallest and the greatest integer")
    func extremes() throws {
        #expect(try Rule<Int>.integer().parse("\(Int.min)") == Int.min)
        #expect(try Rule<Int>.integer().parse("\(Int.max)") == Int.max)
        #expect(Rule<Int>.integer().problem(in: "9223372036854775808")?.code == .range)
    }

    @Test(
        "read decimal numbers with the separator of the place",
        arguments: [
            ("12.5", Character("."), 12.5), ("12,5", ",", 12.5), ("12,5", ".", nil), ("-0.5", ".", -0.5), ("5", ".", 5),
            ("5.", ".", nil),
            (".5", ".", nil), ("1.2.3", ".", nil), ("1e3", ".", nil), ("nan", ".", nil), ("inf", ".", nil),
            ("0x10", ".", nil), ("101", ".", nil),
        ] as [(String, Character, Double?)])
    func decimals(text: String, separator: Character, value: Double?) {
        #expect((try? Rule<Double>.number(in: -1...100, separator: separator).parse(text)) == value)
    }

    @Test(
        "read dates of the calendar",
        arguments: [
            ("2024-02-29", DateOrder.iso, "2024-02-29"), ("2023-02-29", .iso, nil), ("2000-02-29", .iso, "2000-02-29"),
            ("1900-02-29", .iso, nil), ("2026-04-31", .iso, nil), ("2026-12-31", .iso, "2026-12-31"),
            ("2026-13-01", .iso, nil),
            ("2026-00-10", .iso, nil), ("2026-1-5", .iso, "2026-01-05"), ("26-01-05", .iso, nil),
            ("2026/01/05", .iso, nil),
            ("05.01.2026", .dayMonthYear("."), "2026-01-05"), ("31.04.2026", .dayMonthYear("."), nil),
            ("02/28/2026", .monthDayYear("/"), "2026-02-28"), ("28/02/2026", .monthDayYear("/"), nil), ("", .iso, nil),
            ("2026-01-05x", .iso, nil), ("0000-01-01", .iso, nil), ("٢٠٢٦-٠١-٠٥", .iso, "2026-01-05"),
        ] as [(String, DateOrder, String?)])
    func dates(text: String, order: DateOrder, value: String?) {
        #expect((try? Rule.date(order).parse(text).description) == value)
    }

    @Test("keep dates in their range")
    func dateRange() throws {
        let from = try #require(CalendarDate(year: 2026, month: 1, day: 31))
        let rule = Rule.date(from: from, to: CalendarDate(year: 2026, month: 2, day: 28))
        #expect(rule.problem(in: "2026-01-30") == Reason(.range, minimum: "2026-01-31", maximum: "2026-02-28"))
        #expect(rule.problem(in: "2026-01-31") == nil)
        #expect(rule.problem(in: "2026-02-28") == nil)
        #expect(rule.problem(in: "2026-03-01")?.code == .range)
    }

    @Test("show in their reasons how a date is typed")
    func dateReasons() throws {
        #expect(Rule.date(.dayMonthYear(".")).problem(in: "x")?.details == ["31.12.2026"])
        #expect(Rule.date(.monthDayYear("/")).problem(in: "x")?.details == ["12/31/2026"])
        let rule = Rule.date(.dayMonthYear("."), from: CalendarDate(year: 2026, month: 1, day: 31))
        #expect(rule.problem(in: "30.01.2026")?.minimum == "31.01.2026")
    }

    @Test("can be made optional, narrowed and the app's own")
    func combinations() throws {
        let optional = Rule.email().optional
        #expect(try optional.parse("") == nil)
        #expect(try optional.parse(" \u{A0}\n") == nil)
        #expect(try Rule<Secret>.password.optional.parse(" ") != nil)
        #expect(Rule<Int>.custom(trims: false) { text throws(Reason) in text.count }.trimmed.problem(in: " ") == nil)
        #expect(optional.problem(in: "x")?.code == .email)
        let even = Rule<Int>.integer().requiring(Reason(.init("app.odd"))) { $0.isMultiple(of: 2) }
        #expect(even.problem(in: "3")?.code == .init("app.odd"))
        let word = Rule<Int>.custom { text throws(Reason) in
            guard text == "one" else { throw Reason(.number) }
            return 1
        }
        #expect(try word.parse("one") == 1)
    }

    @Test("refuse what is not text at all, and more than there can be")
    func limits() {
        let broken: [UInt8] = [0x61, 0xFF]
        #expect(throws: Reason(.notText)) { try Rule<String>.text().parse(utf8: broken.span) }
        let overlong: [UInt8] = [0xC0, 0xAF]
        #expect(throws: Reason(.notText)) { try Rule<String>.text().parse(utf8: overlong.span) }
        let surrogate: [UInt8] = [0xED, 0xA0, 0x80]
        #expect(throws: Reason(.notText)) { try Rule<String>.text().parse(utf8: surrogate.span) }
        let long = String(repeating: "x", count: InputLimit.bytes + 1)
        #expect(Rule<String>.text().problem(in: long)?.code == .tooLong)
    }

    @Test("take time in proportion to the length", arguments: ["a", "@", ".", "+1", "1", "a.", "https://a", "-", "é"])
    func linear(unit: String) {
        // Eight times the input, at most 24 times the work: a rule that is quadratic needs 64 times. The thread's own time
        // counts, and the least of several attempts, since others use the machine too.
        let rules: [@Sendable (String) -> Reason?] = [
            { Rule.email().problem(in: $0) }, { Rule.phone.problem(in: $0) }, { Rule.webAddress().problem(in: $0) },
            { Rule.paymentCard.problem(in: $0) }, { Rule<String>.text().problem(in: $0) },
            { Rule.date().problem(in: $0) },
            { text in CommonPasswords.isExpected(Array(text.utf8).span) ? Reason(.commonPassword) : nil },
        ]
        for (number, rule) in rules.enumerated() {
            func leastTime(_ bytes: Int) -> Duration {
                let text = String(repeating: unit, count: bytes / unit.utf8.count)
                return (0..<7).map { _ in ThreadTime.measure { _ = rule(text) } }.min() ?? .zero
            }
            let (short, long) = (leastTime(8_000), leastTime(64_000))
            #expect(long < short * 24 + .milliseconds(2), "rule \(number): \(short), \(long)")
        }
    }
}

@Suite("Rules against what is written to mislead them")
struct MisleadingTextTests {
    @Test("look at a row of tags in time that grows with its length")
    func tags() {
        let text = "\u{1F3F4}" + String(repeating: "\u{E0067}", count: 16_000)
        let time = ContinuousClock().measure { _ = Rule.text(length: 1...16_000, hidden: .removed).problem(in: text) }
        // By their square it was half a minute.
        #expect(time < .seconds(5))
    }

    @Test(
        "say the policy's number where more was typed than is looked at, and write bounds as the policy writes numbers")
    func bounds() {
        let long = Rule.text(length: 1...1000).problem(in: String(repeating: "я", count: 40_000))
        #expect(long?.code == .tooLong && long?.maximum == "1000")
        #expect(
            Rule<Secret>.newPassword().optional.problem(in: String(repeating: "я", count: 40_000))?.maximum == "128")
        let number = Rule.number(in: 0.5...1.5, separator: ",").problem(in: "2")
        #expect(number?.minimum == "0,5" && number?.maximum == "1,5")
    }

    @Test(
        "take only digits for a UUID's",
        arguments: ["0x3e4567-e89b-12d3-a456-426614174000", "+23e4567-e89b-12d3-a456-426614174000"])
    func uuid(text: String) {
        #expect(Rule.uuid.problem(in: text)?.code == .uuid)
    }

    @Test(
        "take one sign between month and year",
        arguments: ["-2/29", "02///29", "/0229", "0229/", "02/-29", "02 / 29 /"])
    func expiry(text: String) throws {
        let today = try #require(CalendarDate(year: 2026, month: 11, day: 22))
        #expect(Rule.cardExpiry(today: today).problem(in: text)?.code == .expiry)
    }

    @Test("take spaces and hyphens of all kinds between the digits of cards and codes, one at a time")
    func spaces() {
        for text in ["4111\u{A0}1111\u{A0}1111\u{A0}1111", "4111\u{2011}1111\u{2011}1111\u{2011}1111"] {
            #expect(Rule.paymentCard.problem(in: text) == nil)
        }
        for text in ["123\u{A0}456", "123\u{2013}456"] { #expect(Rule.oneTimeCode().problem(in: text) == nil) }
        for text in ["123--456", "123\u{A0} 456", "-123456", "123456\u{2011}", "123\n456"] {
            #expect(Rule.oneTimeCode().problem(in: text) != nil)
        }
    }

    @Test(
        "refuse user names that look like another's in Latin letters",
        arguments: ["асе", "хух", "сосо", "ԁоѕе", "ace-сосо"])
    func lookalikes(text: String) {
        #expect(Rule<String>.userName().problem(in: text)?.code == .userName)
        #expect(Rule<String>.userName().problem(in: "анна") == nil)
    }
}
