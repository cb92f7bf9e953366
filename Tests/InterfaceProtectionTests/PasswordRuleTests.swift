// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for passwords")
struct PasswordRuleTests {
    @Test(
        "take long passwords of every script, spaces included, and cut nothing off",
        arguments: [
            "kettle orchard nineteen violet", "мой дядя самых честных правил", "いろはにほへとちりぬるをわかよ", "🔑🐎🔋📎🌊🧊🎻🦋🍉🪁🧭🛶🎈🧵🪴",
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

    // Rule: passwords that others use are refused | blocklist not asked | 15 of 16
    // Rule: a common word backwards, with digits or signs at its ends, is guessed | only without them
    // Rule: phrases that everybody knows are guessed, however long | not looked for
    // Rule: straight lines on a keyboard with a few signs after them are guessed | only walks without
    // Rule: 16 keyboard walks | no layout (KeyboardWalk)
    @Test(
        "refuse what others use and what is easily guessed",
        arguments: [
            "password", "PASSWORD", "Password1234567", "123456789012345", "passwordpassword", "qwertyuiop",
            "aaaaaaaaaaaaaaaa", "abcdefghijklmnop",
            "zyxwvutsrqponmlk", "iloveyou!!!!!!!!!", "12345678", "98765432109876543", "1q2w3e4r5t",
            "dragondragondragon", "abababababababab1", "!!!!letmein!!!!", "michelle", "123123123", "123456789123456",
            "1q2w3e4r5t6y7u8i", "P@$$w0rd12345678", "парольпарольпароль", "йцукенгшщзхъ", "привет2024", "Наташа1990",
            "gfhjkmgfhjkm",
            "Summer2024!", "Winter2025!!", "zaq1xsw2cde3", "drowssap", "!QAZ2wsx#EDC", "password1password2",
            "iloveyouforever", "19850412",
            "12041985", "1111222233334444", "qwertyasdfgh1", "michelle1987", "sunshine&flowers",
            "p4$$w0rd!!", "P@ssw0rd1!", "contraseña", "Contraseña1", "i love you", "jet'aime", "тебялюблю",
            "frumusica1990", "tequieromucho",
            "0987654321098765", "a1b2c3d4e5f6g7h8", "mypasswordispassword", "12345671", "010203010203",
            "musculation", "chouchoune", "Zaubererin7", "przyjaciel1", "borboletinha", "сновидение",
            "qweASD12", "$%^rtyVBN", "7ujmBGT5!", "qwer1996", "ghjk890uyt", "^&*VBN2345", "drowssap2024",
            "4202drowssap", "nogard1990", "yeknom!1", "To be or not to be 123!",
            "MayTheForceBeWithYou1",
            "correct horse battery staple", "correcthorsebatterystaple", "winter-is-coming", "Ich liebe dich 2",
            "liberté égalité fraternité",
            "koira123", "rr123456rr", "lol123lol", "159753qq", "ERTzxc99", "You only live once!",
            "7894561230", "qwe123123", "жыщюжыщюжыщю", "azertyuiop12", "hejhej123", "abc123456",
        ])
    func common(text: String) {
        #expect(Rule<Secret>.newPassword(.withSecondFactor).problem(in: text)?.code == .commonPassword)
    }

    @Test(
        "refuse the user's and the service's name, in any case",
        arguments: [
            ("my-ACME-password-2026", Reason.Code.contextWord), ("ivan.petrov+long-tail", .contextWord),
            ("ann is much too short", nil), ("Анна-чайник-лампа-77", .contextWord),
            ("MÜLLER-kettle-lamp-9", .contextWord),
            ("nothing of the kind here", nil),
        ] as [(String, Reason.Code?)])
    func context(text: String, code: Reason.Code?) {
        let policy = PasswordPolicy(contextWords: ["Acme", "ivan.petrov", "ann", "анна", "Müller"])
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

    // Rule: a word that some language could have is guessed beside a year, usual digits and signs | only listed words |
    //   31 of 62
    // Rule: a piece of fewer than eight characters is too short, however often it is repeated | four characters | 2 of
    //   62; also "refuse what others use and what is easily guessed"
    @Test("guess words that no list has, with what people write beside them")
    func plausibleWords() {
        for text in Self.weak.split(whereSeparator: \.isWhitespace) {
            let isExpected = CommonPasswords.isExpected(Array(text.utf8).span)
            #expect(isExpected, "\(text)")
        }
    }

    /// Words, names, towns and clubs of thirty countries.
    private static let weak = """
        Kolobrzeg1997! piesek_85 wisla1906 galatasaray1905 Ruzomberok12! Krumlov.1988 slniecko777 hajduszoboszlo1! Busteni@2010 \
        mihaita-92 Koprivshtitsa2022 Sozopol#1! srecko2004 safranbolu1993 kedicik007 Nafplio2015! psixi1990 uchilka_94 Kotyk@2001 \
        matusya1979 Farjestad12! kissekatt1234 flaeskesteg2011 Svolvaer.77 karjalanpiirakka12! giethoorn_66 fuessen1984 Alghero1970! \
        nerja2006 lensois@123 obidos1959 Buzios2013! solzinho_01 tepoztlan1981 tilcara1999 lembang2008 parangtritis007 trasua1996 \
        Siargao2018! bituin_03 behenchod1992 Rishikesh#1 taameya1987 metula1971 masouleh2003 pattaya_88 wanjiku1994 2017turkestan \
        123kohana 1988myrhorod plyosplyos zuzkazuzka mekotmekotmekot nidanida1 milu1milu xk7qvxk7qv w9zt4pw9zt4p Mae.2022 Kati.1995 xkqv2008!
        """

    @Test("takes any bytes", arguments: [UInt64(1), 2, 3])
    func anyBytes(seed: UInt64) {
        var generator = SplitMix(state: seed)
        for _ in 0..<5_000 {
            let bytes = Self.random(Array(0...255), Int.random(in: 0...40, using: &generator), &generator)
            _ = CommonPasswords.isExpected(bytes.span)
            // Letters beside what is no UTF-8.
            _ = CommonPasswords.isExpected(([0xFC] + bytes.map { $0 & 0x7F | 0x60 } + [0xC3]).span)
        }
    }

    private static func random(_ alphabet: [UInt8], _ length: Int, _ generator: inout SplitMix) -> [UInt8] {
        (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
    }

    // Rule: 16 what reads as no word is asked for twice | asked once (CommonPasswords) | also "take hardly any phrase of four words for an expected
    //   one"
    @Test(
        "take hardly any random string for an expected one",
        arguments: [
            Array(UInt8(33)...126), Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8),
            Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8),
        ], [8...8, 8...20])
    func falsePositives(alphabet: [UInt8], lengths: ClosedRange<Int>) {
        var generator = SplitMix(state: 20_260)
        let tries = 20_000
        let found = (0..<tries).count { _ in
            CommonPasswords.isExpected(
                Self.random(alphabet, Int.random(in: lengths, using: &generator), &generator).span)
        }
        // Six in 100,000 are one or two of these; the rest is chance.
        #expect(found <= 5)
    }

    // Rule: beside digits that aren't usual a word must be long | any digits (UsualDigits)
    @Test(
        "take no short word beside random digits for an expected one",
        arguments: [
            "dare6875", "seat3497", "5579casa", "casa5579", "m4ck4021", "pople206", "naren186", "8325mani",
        ])
    func shortWords(text: String) {
        let isExpected = CommonPasswords.isExpected(Array(text.utf8).span)
        #expect(!isExpected)
    }

    // Rule: three common words aren't taken for two | the filter takes some pairs of words for one (isThreeWords)
    @Test("take no phrase of three words for an expected one", arguments: ["", " ", "-", "."])
    func threeWords(separator: String) {
        let words = Self.words.split(separator: " ").map(String.init)
        var generator = SplitMix(state: 3)
        for _ in 0..<1_000 {
            let phrase = Array(words.shuffled(using: &generator).prefix(3)).joined(separator: separator)
            let isExpected = CommonPasswords.isExpected(Array(phrase.utf8).span)
            #expect(!isExpected, "\(phrase)")
        }
        for phrase in ["donkeyferryclover", "hammer drawer desert", "flame-helmet-raven", "seed.ascent.rise"] {
            let isExpected = CommonPasswords.isExpected(Array(phrase.utf8).span)
            #expect(!isExpected, "\(phrase)")
        }
    }

    @Test("take hardly any phrase of four words for an expected one", arguments: ["", " ", "-", "."])
    func phrases(separator: String) {
        let words = Self.words.split(separator: " ").map(String.init)
        var generator = SplitMix(state: 4)
        let tries = 20_000
        let found = (0..<tries).count { _ in
            let phrase = (0..<4).map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: separator)
            return CommonPasswords.isExpected(Array(phrase.utf8).span)
        }
        // Five in 10,000 are 10 of these.
        #expect(found <= 10)
    }

    private static let words = """
        amber anchor apron arrow autumn badge bakery barrel basket beacon bishop blanket border bottle branch breeze bridge bucket butter \
        cabin camel candle canyon carpet castle cedar cellar chalk cherry chimney circle clover coast copper cotton cradle crater curtain \
        dagger daisy desert dinner donkey dragon drawer eagle ember engine fabric falcon feather fence ferry fiddle finger flame forest \
        fossil garden garlic ginger glacier goblet gravel guitar hammer harbor hazel helmet hollow honey island jacket jungle kettle \
        ladder lagoon lantern lemon lizard magnet maple marble meadow mirror monkey mountain needle nickel olive orchard oyster paddle \
        panther parrot pebble pencil pepper pigeon pillow planet pocket prairie puzzle rabbit raven ribbon river rocket saddle salmon
        """
}

@Suite("Rules for passwords against lists")
struct PasswordListTests {
    /// A folder of lists, one password a line: they are no part of this repository.
    static let folder = ProcessInfo.processInfo.environment["ZAMOK_PASSWORD_LISTS"]

    @Test(
        "accept few of the most used passwords of any list",
        .enabled(if: folder != nil, "ZAMOK_PASSWORD_LISTS does not name a folder of lists"))
    func lists() throws {
        let folder = URL(fileURLWithPath: Self.folder ?? "")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            let first = text.split(separator: "\n").filter { $0.unicodeScalars.count >= 8 }.prefix(3_000)
            let accepted = first.count { !CommonPasswords.isExpected(Array($0.utf8).span) }
            print("\(file.lastPathComponent): \(accepted) of \(first.count) accepted")
        }
    }
}
