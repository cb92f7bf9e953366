// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for money, documents and names")
struct FinanceRuleTests {
    @Test(
        "read sums exactly, as the place writes them",
        arguments: [
            ("0.1", AmountStyle.point, "0.1"), ("1,234.50", .point, "1234.5"), ("1234.50", .point, "1234.5"),
            ("-5", .point, "-5"),
            ("1 234,50", .comma, "1234.5"), ("1\u{A0}234\u{202F}567,50", .comma, "1234567.5"),
            ("1.234,50", .commaWithPoints, "1234.5"),
            ("１２３", .point, "123"), (" 7 ", .point, "7"), ("9999999999999.99", .point, "9999999999999.99"),
            ("-0", .point, "0"),
            ("12,34.50", .point, nil), ("1,23", .point, nil), ("1.", .point, nil), (".5", .point, nil),
            ("1e3", .point, nil),
            ("", .point, nil), ("1 234", .point, nil), ("1.234", .comma, nil), ("nan", .point, nil),
            ("--1", .point, nil),
            ("1.234", .point, nil), ("12345678901234567890", .point, nil), ("$5", .point, nil), (",123", .point, nil),
        ] as [(String, AmountStyle, String?)])
    func amount(text: String, style: AmountStyle, value: String?) {
        let range = -10_000_000_000_000...Decimal(10_000_000_000_000)
        let parsed = try? Rule.amount(in: range, style: style).parse(text)
        #expect(parsed?.description == value)
    }

    @Test("add up sums to the cent, and say what is wrong with others")
    func amountReasons() throws {
        let rule = Rule.amount(in: 0...100)
        #expect(try rule.parse("0.1") + rule.parse("0.2") == Decimal(string: "0.3"))
        #expect(rule.problem(in: "0.123") == Reason(.fraction, maximum: "2"))
        #expect(rule.problem(in: "100.01") == Reason(.range, minimum: "0", maximum: "100"))
        #expect(Rule.amount(in: 0...1, fractionDigits: 0).problem(in: "0.5")?.code == .fraction)
    }

    // Rule: the check digits of an IBAN are 02 to 98 | any with the right remainder
    @Test(
        "take IBANs of their countries with right check digits",
        arguments: [
            ("DE89 3704 0044 0532 0130 00", true), ("GB82WEST12345698765432", true),
            ("gb82 west 1234 5698 7654 32", true),
            ("FR1420041010050500013M02606", true), ("NO9386011117947", true), ("MT84MALT011000012345MTLCAST001S", true),
            ("RU0304452522540817810538091310419", true), ("DE89370400440532013001", false),
            ("DE8937040044053201300", false),
            ("GB82123412345698765432", false), ("XX82WEST12345698765432", false), ("", false), ("DE", false),
            ("US00123456789", false),
            ("DE00370400440532013050", false), ("DE01370400440532013032", false), ("DE99370400440532013014", false),
            ("DE89\u{A0}3704\u{A0}0044\u{A0}0532\u{A0}0130\u{A0}00 ", true), ("DE89370400440532013O00", false),
        ])
    func iban(text: String, isRight: Bool) throws {
        #expect((Rule.iban.problem(in: text) == nil) == isRight)
        guard isRight else { return }
        let iban = try Rule.iban.parse(text)
        #expect(iban.text == text.uppercased().filter { $0.isASCII && !$0.isWhitespace })
        #expect(iban.grouped.filter { $0 != " " } == iban.text)
        #expect(!"\(iban)".contains(iban.text.dropFirst(2).prefix(6)))
    }

    // Rule: a country's own check digits of an IBAN are right | only those of ISO 13616
    @Test("take IBANs with the check digits of the country")
    func nationalDigits() {
        let right = [
            "BE68539007547034", "ES9121000418450200051332", "FR1420041010050500013M02606",
            "IT60X0542811101000000123456", "PT50000201231234567890154", "SI56263300012039086",
            "RS35260005601001611379", "MK07250120000058984", "ME25505000012345678951",
            "BA391290079401028494", "HR1210010051863000160", "CZ6508000000192000145399",
            "SK3112000000198742637541", "HU42117730161111101800000000", "EE382200221020145685",
            "PL61109010140000071219812874", "NO9386011117947", "FI2112345600000785",
            "TN5910006035183598478831", "MR1300020001010000123456753", "MC5811222000010123456789030",
            "SM86U0322509800000000270100", "TL380080012345678910157", "XK051212012345678906",
            "AL47212110090000000235698741", "NO3400004090403", "NO0315030012343",
        ]
        for text in right { #expect(Rule.iban.problem(in: text) == nil, "\(text)") }
        // One digit is another one; those of ISO 13616 are right for it.
        let wrong = [
            "BE35539007547434", "ES6421000418450800051332", "FR2070041010050500013M02606",
            "IT14X0542810101000000123456", "PT12000201231237567890154", "SI48263300012039036",
            "RS25260005601001811379", "MK36290120000058984", "ME87505000002345678951",
            "BA771290076401028494", "HR3910010051263000160", "CZ3508000000192020145399",
            "SK0912000000198742637549", "HU94117730161111102800000000", "EE172200021020145685",
            "PL65109310140000071219812874", "NO8486211117947", "FI6412385600000785",
            "TN7610006025183598478831", "MR5600020001010040123456753", "MC7451222000010123456789030",
            "SM93U0322509800002000270100", "TL370080412345678910157", "XK341252012345678906",
            "AL36912110090000000235698741", "NO7315030012344",
        ]
        for text in wrong { #expect(Rule.iban.problem(in: text)?.code == .iban, "\(text)") }
    }

    // Rule: 19 IBAN | remainder of 96 | also "take IBANs of their countries with right check digits"
    @Test("find every single wrong digit of an IBAN")
    func ibanDigits() {
        let right = Array("DE89370400440532013000".utf8)
        for place in 2..<right.count {
            for digit in UInt8(48)...57 where digit != right[place] {
                var wrong = right
                wrong[place] = digit
                #expect(Rule.iban.problem(in: String(decoding: wrong, as: UTF8.self)) != nil)
            }
        }
    }

    @Test(
        "read a card's month and year",
        arguments: [
            ("02/29", "02/29"), ("2/29", "02/29"), ("02/2029", "02/29"), ("0229", "02/29"), ("022029", "02/29"),
            ("02 / 29", "02/29"),
            ("02-29", "02/29"), ("11/26", "11/26"), ("12/46", "12/46"), ("10/26", nil), ("13/29", nil), ("00/29", nil),
            ("01/47", nil),
            ("2029", nil), ("02/9", nil), ("02/029", nil), ("", nil), ("1/2/29", nil), ("aa/29", nil),
            (" 02/29 ", "02/29"),
        ] as [(String, String?)])
    func expiry(text: String, value: String?) throws {
        let today = try #require(CalendarDate(year: 2026, month: 11, day: 30))
        #expect((try? Rule.cardExpiry(today: today).parse(text).description) == value)
        if text == "10/26" { #expect(Rule.cardExpiry(today: today).problem(in: text)?.code == .expired) }
    }

    @Test(
        "take the security code that the card's network has",
        arguments: [
            ("123", PaymentCard.Network.visa, true), ("1234", .visa, false), ("1234", .americanExpress, true),
            ("123", .americanExpress, false),
            ("12", .mir, false), ("12a", .mir, false), ("1 23", .mir, false), (" 123 ", .mir, true),
            ("1234", .unknown, true), ("", .visa, false),
        ])
    func securityCode(text: String, network: PaymentCard.Network, isRight: Bool) {
        #expect((Rule.securityCode(of: network).problem(in: text) == nil) == isRight)
    }

    @Test(
        "take postal codes of the country, and write them as it does",
        arguments: [
            ("US", "20500", "20500"), ("US", "20500-0003", "20500-0003"), ("US", "205000003", "20500-0003"),
            ("US", "2050", nil), ("GB", "sw1a1aa", "SW1A 1AA"),
            ("GB", "SW1A 1AA", "SW1A 1AA"), ("GB", "M1 1AE", "M1 1AE"), ("GB", "A1AA 1AAA", nil),
            ("CA", "k1a0b1", "K1A 0B1"),
            ("CA", "K1A 0B", nil), ("DE", "10117", "10117"), ("DE", "1011", nil), ("RU", "101000", "101000"),
            ("RU", "10100", nil),
            ("NL", "1012ab", "1012 AB"), ("JP", "1000001", "100-0001"), ("JP", "〒100-0001", nil),
            ("PL", "00950", "00-950"),
            ("BR", "01310-100", "01310-100"), ("SE", "11455", "114 55"), ("PT", "1000 001", "1000-001"),
            ("IE", "d02 x285", "D02 X285"),
            ("GB", "gir0aa", "GIR 0AA"), ("GB", "BFPO61", "BFPO 61"), ("CA", "K1A 0D1", nil), ("IN", "012345", nil),
            ("NL", "0603 JV", nil), ("BD", "1234", "1234"), ("BD", "12345", nil), ("LV", "LV1073", "LV-1073"),
            ("MC", "98012", "98012"),
            ("MC", "12345", nil), ("GI", "GX11 1AA", "GX11 1AA"), ("GI", "GX11 1AB", nil),
            ("FK", "fiqq1zz", "FIQQ 1ZZ"),
            ("VN", "700000", "700000"), ("VN", "70010", "70010"), ("MT", "NXR01", "NXR 01"),
            ("KY", "KY1-1100", "KY1-1100"),
            ("GG", "SW1A 1AA", nil), ("GG", "gy11aa", "GY1 1AA"), ("JE", "GY1 1AA", nil), ("JE", "JE2 3NN", "JE2 3NN"),
            ("IM", "SW1A 1AA", nil), ("IM", "im991aa", "IM99 1AA"), ("KZ", "a26f7e3", "A26F7E3"),
            ("SA", "12345-6789", "12345-6789"), ("PA", "0801", "0801"), ("MD", "md2001", "MD-2001"),
            ("MD", "2001", "MD-2001"), ("LV", "1010", "LV-1010"), ("LT", "01100", "LT-01100"), ("AZ", "1000", "AZ1000"),
            ("LT", "lv-01100", nil),
            ("AE", "12345", nil), ("ZZ", "AB-12", "AB-12"), ("us", " 20500 ", "20500"), ("US", "", nil),
        ] as [(String, String, String?)])
    func postalCode(country: String, text: String, value: String?) {
        #expect((try? Rule<String>.postalCode(of: country).parse(text)) == value)
    }

    @Test(
        "take people's names of all scripts",
        arguments: [
            ("Anna", "Anna"), ("  Jean-Luc   O’Neill ", "Jean-Luc O’Neill"), ("Мария-Антуанетта", "Мария-Антуанетта"),
            ("Nguyễn Văn A", "Nguyễn Văn A"),
            ("Martin Luther King, Jr.", "Martin Luther King, Jr."), ("山田 太郎", "山田 太郎"), ("محمد علی", "محمد علی"),
            ("D'Arcy", "D'Arcy"), ("O", "O"),
            ("Bjo\u{308}rk", "Björk"), ("ශ්‍රී", "ශ්‍රී"), ("ジョン・スミス", "ジョン・スミス"), ("l·l", "l·l"), ("", nil), ("-", nil),
            ("R2D2", nil), ("a@b.c", nil),
            ("<b>", nil), ("an\u{202E}na", nil), ("\u{301}a", nil), ("anna\u{2028}", "anna"), ("🙂", nil), ("a_b", nil),
        ] as [(String, String?)])
    func personName(text: String, value: String?) {
        #expect(
            (try? Rule<String>.personName().parse(text)).map { Array($0.unicodeScalars) }
                == value.map { Array($0.unicodeScalars) })
    }

    @Test(
        "give user names in one form, so that none looks like another",
        arguments: [
            ("Anna", "anna"), ("anna.b-c_9", "anna.b-c_9"), ("Анна", "анна"), ("аnna", nil), ("ａｎｎａ", nil),
            ("anna..b", nil), (".anna", nil),
            ("anna-", nil), ("an", nil), ("anna b", nil), ("an\u{200B}na", nil), ("Ⅷabc", nil),
            ("BJO\u{308}RK", "björk"), ("a@b", nil), ("", nil),
        ] as [(String, String?)])
    func userName(text: String, value: String?) {
        #expect(
            (try? Rule<String>.userName().parse(text)).map { Array($0.unicodeScalars) }
                == value.map { Array($0.unicodeScalars) })
    }

    @Test(
        "read UUIDs",
        arguments: [
            ("2b4d6f80-1A3C-4E5F-8091-A2B3C4D5E6F7", true), ("2b4d6f801a3c4e5f8091a2b3c4d5e6f7", false), ("", false),
            ("2b4d6f80-1a3c-4e5f-8091-a2b3c4d5e6g7", false),
        ])
    func uuid(text: String, isRight: Bool) {
        #expect((try? Rule.uuid.parse(text)) == (isRight ? UUID(uuidString: text) : nil))
    }

    static let identifiers: [(String, Rule<String>, String, Bool)] = [
        ("ИНН", .inn(), "7707083893", true), ("ИНН", .inn(), "500100732259", true),
        ("ИНН", .inn(), "7707083894", false), ("ИНН", .inn(), "500100732258", false),
        ("ИНН", .inn(), "0000000000", false), ("ИНН", .inn(.person), "7707083893", false),
        ("ИНН", .inn(.organization), "500100732259", false),
        ("СНИЛС", .snils, "112-233-445 95", true), ("СНИЛС", .snils, "11223344595", true),
        ("СНИЛС", .snils, "112-233-445 96", false),
        ("СНИЛС", .snils, "087-654-303 00", true), ("СНИЛС", .snils, "00000000000", false),
        ("ОГРН", .ogrn, "1027700132195", true), ("ОГРН", .ogrn, "1027700132196", false),
        ("ОГРН", .ogrn, "304500116000157", true), ("БИК", .bik, "044525225", true), ("БИК", .bik, "944525225", false),
        ("БИК", .bik, "04452522", false),
        ("КПП", .kpp, "773601001", true), ("КПП", .kpp, "7736AB001", true), ("КПП", .kpp, "77360100", false),
        ("КПП", .kpp, "A73601001", false),
        ("расчётный счёт", .russianAccount(bik: "044525225"), "40702810438000060473", true),
        ("расчётный счёт", .russianAccount(bik: "044525225"), "40702810438000060474", false),
    ]

    // Rule: 19 СНИЛС | check digits not compared
    @Test("check the digits of Russian numbers", arguments: identifiers)
    func identifier(name: String, rule: Rule<String>, text: String, isRight: Bool) {
        let reason = rule.problem(in: " \(text)\u{A0}")
        #expect(reason == (isRight ? nil : Reason(.identifier, details: [name])))
    }
}
