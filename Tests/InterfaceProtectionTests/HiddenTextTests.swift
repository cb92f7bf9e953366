// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import Testing

@Suite("Characters that nobody sees")
struct HiddenTextTests {
    static let hidden = [
        ("a\u{200B}b", "U+200B"), ("a\u{202E}b", "U+202E"), ("a\u{2066}b", "U+2066"), ("a\u{FEFF}b", "U+FEFF"),
        ("a\u{AD}b", "U+00AD"),
        ("a\u{2028}b", "U+2028"), ("a\u{2029}b", "U+2029"), ("a\u{E0061}b", "U+E0061"), ("a\u{E0001}b", "U+E0001"),
        ("a\u{2060}b", "U+2060"),
        ("a\u{61C}b", "U+061C"), ("a\u{200E}b", "U+200E"), ("a\u{180E}b", "U+180E"), ("a\u{3164}b", "U+3164"),
        ("a\u{115F}b", "U+115F"),
        ("a\u{FFA0}b", "U+FFA0"), ("a\u{2800}b", "U+2800"), ("a\u{34F}b", "U+034F"), ("a\u{200D}b", "U+200D"),
        ("a\u{200C}b", "U+200C"),
        ("a\u{FE0F}b", "U+FE0F"), ("a\u{FFF9}b", "U+FFF9"), ("a\u{1D173}b", "U+1D173"), ("a\u{E0100}b", "U+E0100"),
        ("a\u{FFFE}b", "U+FFFE"),
        ("🏴\u{E0068}\u{E0069}\u{E007F}x", "U+E0068"),
    ]
    static let seen = [
        "naïve", "❤️ and 👩‍👩‍👧‍👦, 👍🏽, 1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag", "نامه‌ای", "ශ්‍රී ලංකා", "क्‍ष", "葛\u{E0100}城", "日本語", "עברית", "a\u{A0}b", "Ω≈ç√",
        "👩🏽‍🚀", "🏳️‍🌈 here", "e\u{301}",
    ]

    // Rule: 18 hidden characters | only those that are both ignorable and format (HiddenCharacters) | also "are left out where a rule says so",
    //   "become line ends where those are allowed"
    @Test("are refused by their names", arguments: hidden)
    func refusing(text: String, name: String) {
        let reason = Rule<String>.text().problem(in: text)
        #expect(reason?.code == .hidden)
        #expect(reason?.details == [name])
        #expect(Rule<String>.text(hidden: .kept).problem(in: text) == nil)
    }

    @Test("are left out where a rule says so", arguments: hidden)
    func removing(text: String, name: String) throws {
        let cleaned = try Rule<String>.text(hidden: .removed).parse(text)
        #expect(Rule<String>.text().problem(in: cleaned) == nil)
        #expect(["ab", "a b", "🏴x"].contains(cleaned))
    }

    @Test("become line ends where those are allowed")
    func lines() throws {
        #expect(try Rule<String>.text(allowed: .lines, hidden: .removed).parse("a\u{2028}b\u{200B}\nc") == "a\nb\nc")
        #expect(Rule<String>.text(hidden: .removed).problem(in: "\u{3164}\u{E0041}")?.code == .required)
    }

    @Test("are none of those that belong to a script or an emoji", arguments: seen)
    func belonging(text: String) throws {
        #expect(try Rule<String>.text().parse(text) == text)
    }

    @Test("and spaces of all kinds don't count at the ends")
    func trimming() throws {
        let text = "\u{FEFF}\u{200E} \u{A0}\t\u{3000}a b\u{2003}\u{202F}\u{200B}\u{85}\r\n"
        #expect(try Rule<String>.text().parse(text) == "a b")
        #expect(Rule<String>.text(trims: false).problem(in: text)?.code == .hidden)
        #expect(try Rule<Secret>.password.parse(text).text == text)
    }

    @Test("say of every rule whether it trims")
    func everyRule() throws {
        #expect(Rule<Secret>.password.trims == false)
        #expect(Rule<Secret>.newPassword().trims == false)
        #expect(Rule<Secret>.secret(length: 1...9).trims == false)
        let trimming: [Bool] = [
            Rule.email().trims, Rule.phone.trims, Rule.webAddress().trims, Rule.paymentCard.trims,
            Rule.oneTimeCode().trims,
            Rule.date().trims, Rule<Int>.integer().trims, Rule.number(in: 0...1).trims, Rule.amount(in: 0...1).trims,
            Rule.iban.trims, Rule.uuid.trims, Rule<String>.personName().trims, Rule<String>.userName().trims,
            Rule<String>.inn().trims,
            Rule<String>.kpp.trims, Rule<String>.postalCode(of: "DE").trims, Rule<String>.text().trims,
            Rule.securityCode().trims,
        ]
        #expect(trimming.allSatisfy { $0 })
    }
}
