// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for passwords")
struct PasswordRuleTests {
    @Test(
        "take long passwords of every script, spaces included, and cut nothing off",
        arguments: [
            "correct horse battery staple", "мой дядя самых честных правил", "いろはにほへとちりぬるをわかよ", "🔑🐎🔋📎🌊🧊🎻🦋🍉🪁🧭🛶🎈🧵🪴",
            "naïve café résumé øl",
            "                x", "tr0ub4dor&3 and more", "كلمة مرور طويلة جدا هنا",
            "a\u{301}b\u{302}c\u{303}d\u{304}e\u{305}f\u{306}g\u{307}h", "mqzvkxwbtrpjhng",
        ])
    func good(text: String) throws {
        #expect(try Rule<Secret>.newPassword().parse(text).text == text)
    }

    @Test(
        "count code points at the borders",
        arguments: [
            (14, Reason.Code.tooShort), (15, nil), (16, nil), (64, nil), (127, nil), (128, nil), (129, .tooLong),
        ] as [(Int, Reason.Code?)])
    func length(count: Int, code: Reason.Code?) {
        var generator = SplitMix(state: UInt64(count))
        let letters = (0..<count).map { _ in String("бвгджзклмнпрст".randomElement(using: &generator) ?? "б") }.joined()
        let reason = Rule<Secret>.newPassword().problem(in: letters)
        #expect(reason?.code == code)
    }

    @Test("ask for eight only where there is a second factor, never for less, and never allow less than 64")
    func policies() {
        let rule = Rule<Secret>.newPassword(.withSecondFactor)
        #expect(rule.problem(in: "mqzvkxw")?.minimum == "8")
        #expect(rule.problem(in: "mqzvkxwb") == nil)
        let odd = PasswordPolicy(minimumLength: 4, maximumLength: 10)
        #expect(odd.minimumLength == 8)
        #expect(odd.maximumLength == 64)
        #expect(PasswordPolicy(minimumLength: 200, maximumLength: 100).maximumLength == 200)
    }

    @Test(
        "demand no mixture of characters",
        arguments: ["mqzvkxwbtrpjhngd", "МКЗВЖСШБТРПЙХНГД", "1748203958106744", "!?§$%&/()=+#*~<>|"])
    func noComposition(text: String) {
        #expect(Rule<Secret>.newPassword().problem(in: text) == nil)
    }

    @Test(
        "refuse what others use and what is easily guessed",
        arguments: [
            "password", "PASSWORD", "Password1234567", "123456789012345", "passwordpassword", "qwertyuiop",
            "aaaaaaaaaaaaaaaa", "abcdefghijklmnop",
            "zyxwvutsrqponmlk", "iloveyou!!!!!!!!!", "12345678", "98765432109876543", "1q2w3e4r5t",
            "dragondragondragon", "abababababababab1", "!!!!letmein!!!!",
        ])
    func common(text: String) {
        #expect(
            Rule<Secret>.newPassword(.withSecondFactor).problem(in: text)?.code
                == (text == "abababababababab1" ? nil : .commonPassword))
    }

    @Test(
        "refuse the user's and the service's name, in any case",
        arguments: [
            ("my-ACME-password-2026", Reason.Code.contextWord), ("ivan.petrov+long-tail", .contextWord),
            ("ann is much too short", nil),
            ("nothing of the kind here", nil),
        ] as [(String, Reason.Code?)])
    func context(text: String, code: Reason.Code?) {
        let policy = PasswordPolicy(contextWords: ["Acme", "ivan.petrov", "ann"])
        let reason = Rule<Secret>.newPassword(policy).problem(in: text)
        #expect(reason?.code == code)
        #expect(reason?.message == nil)
    }

    @Test("ask of a login only that something is there")
    func login() throws {
        #expect(Rule<Secret>.password.problem(in: "")?.code == .required)
        #expect(try Rule<Secret>.password.parse(" 1 ").text == " 1 ")
    }

    @Test("compare a repetition by its bytes")
    func repetition() throws {
        let field = SecretField(in: ConfidentialContents())
        try field.append("mqzvkxwbtrpjhngd")
        let rule = Rule<Secret>.same(as: field)
        #expect(rule.problem(in: "mqzvkxwbtrpjhngd") == nil)
        #expect(rule.problem(in: "mqzvkxwbtrpjhngD")?.code == .different)
        #expect(rule.problem(in: "")?.code == .different)
        let second = SecretField(in: ConfidentialContents())
        try second.append("mqzvkxwbtrpjhngd")
        #expect(try rule.parse(second).count == 16)
    }

    @Test(
        "give Apple's text for password generators",
        arguments: [
            (Rule<Secret>.newPassword().passwordRules, "minlength: 15; maxlength: 128; allowed: unicode;"),
            (
                Rule<Secret>.newPassword(.withSecondFactor).passwordRules,
                "minlength: 8; maxlength: 128; allowed: unicode;"
            ),
            (
                Rule<Secret>.secret(length: 4...6, allowed: .digits).passwordRules,
                "minlength: 4; maxlength: 6; allowed: digit;"
            ),
            (
                Rule<Secret>.secret(length: 8...20, allowed: .uppercase + .lowercase + .digits + .these("]-_."))
                    .passwordRules,
                "minlength: 8; maxlength: 20; allowed: upper, lower, digit, [-._]];"
            ),
            (
                Rule<Secret>.secret(length: 8...20, allowed: .asciiPrintable).passwordRules,
                "minlength: 8; maxlength: 20; allowed: ascii-printable;"
            ),
        ])
    func generators(rules: PasswordRulesText?, text: String) throws {
        #expect(rules?.description == text)
        var demanding = try #require(rules)
        demanding.required = [.digits, .these("-!")]
        demanding.maximumConsecutive = 2
        #expect(demanding.description.contains("required: digit; required: [-!]; allowed: "))
        #expect(demanding.description.hasSuffix("; max-consecutive: 2;"))
    }
}

@Suite("The filter of common passwords")
struct CommonPasswordTests {
    private func contains(_ text: String) -> Bool { CommonPasswords.contains(Array(text.utf8).span) }

    @Test(
        "knows those that everybody knows, in any case",
        arguments: [
            "123456", "password", "12345678", "qwerty", "123456789", "dragon", "letmein", "monkey", "Football",
            "IloveYou", "TRUSTNO1",
        ])
    func known(text: String) {
        #expect(contains(text))
    }

    @Test("takes fewer than two in 10,000 others for known ones")
    func falsePositives() {
        var generator = SplitMix(state: 20_260)
        var found = 0
        let tries = 200_000
        for _ in 0..<tries {
            let length = Int.random(in: 8...20, using: &generator)
            let text = (0..<length).map { _ in UInt8.random(in: 33...126, using: &generator) }
            if CommonPasswords.contains(text.span) { found += 1 }
        }
        // One in 10,000 is what the format states: 20 of these, with a spread of 4.5.
        #expect(found < tries / 5_000)
        #expect(found > 2, "a filter with no false positives at all is not the one described")
    }
}
