// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for numbers of people and cards")
struct NumberRuleTests {
    /// As people write them, and what is dialled from abroad.
    static let goodPhones = [
        ("+442079460123", "+442079460123"), ("+44 20 7946 0123", "+442079460123"),
        ("+44 (20) 7946-0123", "+442079460123"),
        ("+44.20.7946.0123", "+442079460123"), ("+44 (0)20 7946 0958", "+442079460958"),
        ("+44 020 7946 0958", "+442079460958"),
        ("+44\u{A0}20\u{202F}7946\u{2009}0958", "+442079460958"),
        ("+44\u{2011}20\u{2011}7946\u{2011}0958", "+442079460958"),
        ("＋４４ ２０ ７９４６ ０９５８", "+442079460958"), ("+٤٤٢٠٧٩٤٦٠١٢٣", "+442079460123"),
        ("  +44 20 7946 0958\u{3000}", "+442079460958"),
        ("\u{202A}+44 20 7946 0958\u{202C}", "+442079460958"), ("+44 20 7946 0123\n", "+442079460123"),
        ("+ 44 20 7946 0123", "+442079460123"), ("+44（0）20 7946 0958", "+442079460958"),
        ("+1 202-555-0143", "+12025550143"),
        ("+1 (202) 555-0143", "+12025550143"), ("+1 (1) 202 555 0143", "+12025550143"),
        ("+7 (495) 123-45-67", "+74951234567"),
        ("+7 (8) 495 123-45-67", "+74951234567"), ("+7 8 495 123-45-67", "+74951234567"),
        ("+49 30 901820", "+4930901820"),
        ("+49 (0)30 901820", "+4930901820"), ("+33 1 09 75 83 51", "+33109758351"),
        ("+33 (0)1 09 75 83 51", "+33109758351"),
        ("+39 06 1234 5678", "+390612345678"), ("+39 (0)6 1234 5678", "+390612345678"),
        ("+36 (06) 1 234 5678", "+3612345678"),
        ("+81 3-1234-5678", "+81312345678"), ("+86 10 1234 5678", "+861012345678"),
        ("+91 98765 43210", "+919876543210"),
        ("+55 11 91234-5678", "+5511912345678"), ("+380 44 123 4567", "+380441234567"),
        ("+375 (8) 017 123-45-67", "+375171234567"),
        ("+353 1 123 4567", "+35311234567"), ("+683 4000", "+6834000"), ("+48 22 123 45 67", "+48221234567"),
        ("+800 1234 5678", "+80012345678"), ("tel:+44-20-7946-0123", "+442079460123"),
        ("TEL:+1-202-555-0143", "+12025550143"),
    ]
    static let badPhones = [
        "", "+", "442079460123", "02079460123", "00442079460123", "+0442079460123", "+123456", "+1234567890123456",
        "+1234567", "+123456789012345", "+44 20 7946 01", "+44 20 7946 01234", "+44 (0)20 7946 095", "+44 00 7946 0958",
        "+1 123 555 0143", "+999 1234567", "+7 095 123-45-67", "+39 6 12",
        "+44 20 7946 012a", "+44 20 7946 0123 ext", "+44 20 7946 0123;ext=", "tel:442079460123",
        "tel:tel:+442079460123", "++442079460123",
        "+44+2079460123", "+44--2079460123", "+44 20 7946 0123-", "+44 ((20)) 7946 0123",
        "+44 (20 7946 0123", "+44 20) 7946 0123", "+44 )20( 7946 0123", "+44/20/7946/0123", "+44_20_7946_0123",
        "+44 20\n7946 0123", "+４４２０７９４６", "+44\u{200B}2079460123", "+44 20 79460123 (", "call me",
        "+-442079460123", "+44 20  .. 79460123", "+1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2",
    ]

    // Rule: 15 a trunk prefix is left out | no trunks of any plan (PhoneNumber)
    @Test(
        "take telephone numbers as people write them, without what is dialled inside a country only",
        arguments: goodPhones)
    func goodPhone(text: String, e164: String) throws {
        let number = try Rule.phone.parse(text)
        #expect(number.e164 == e164)
        #expect(e164.hasPrefix("+\(number.countryCode)"))
        #expect(try Rule.phone.parse(number.e164) == number)
    }

    @Test("refuse what is no international number, or one that no plan has", arguments: badPhones)
    func badPhone(text: String) {
        #expect(Rule.phone.problem(in: text)?.code == (text.isEmpty ? .required : .phone))
    }

    // Rule: digits without a plus are of the region that is named | of none
    @Test(
        "take a number as it is dialled in a region",
        arguments: [
            ("GB", "020 7946 0958", "+442079460958"), ("GB", "(020) 7946-0958", "+442079460958"),
            ("GB", "00 49 30 901820", "+4930901820"), ("GB", "+49 30 901820", "+4930901820"),
            ("US", "(212) 736-3100", "+12127363100"), ("us", "1 212 736 3100", "+12127363100"),
            ("US", "011 44 20 7946 0958", "+442079460958"), ("RU", "8 (812) 315-12-50", "+78123151250"),
            ("US", "00 49 30 901820", nil), ("DE", "tel:030-901820", "+4930901820"),
            ("DE", "030 901820", "+4930901820"), ("IT", "06 6982", "+39066982"), ("JP", "０３－３２２４－９９９９", "+81332249999"),
            ("FR", "01 42 68 53 00", "+33142685300"), ("US", "123", nil), ("GB", "7946", nil),
            ("XX", "020 7946 0958", nil),
            ("", "020 7946 0958", nil), ("GB", "020 7946 0958 9", nil),
        ] as [(String, String, String?)])
    func regionalPhone(region: String, text: String, e164: String?) {
        #expect((try? Rule.phone(in: region).parse(text))?.e164 == e164)
    }

    // Rule: an extension is kept apart from the number | refused
    @Test(
        "take an extension behind the number",
        arguments: [
            ("ext. 12", "12"), ("ext12", "12"), ("x 345", "345"), ("#7", "7"), (";ext=99", "99"),
            (", extension 4", "4"), ("доб. 101", "101"),
            ("EXT: 5", "5"), ("ext １２", "12"), ("x", nil), ("ext 1234567890", nil), ("ext 1 2", nil),
            ("or call me 12", nil), ("#12#", nil),
        ] as [(String, String?)])
    func phoneExtension(text: String, digits: String?) {
        let number = try? Rule.phone.parse("+44 20 7946 0958 " + text)
        #expect(number?.extensionDigits == digits)
        #expect(number?.description == digits.map { "+442079460958;ext=" + $0 })
    }

    // Rule: digits of every script are digits in every field | only ASCII where they were read byte by byte
    @Test("read full-width and other digits alike, in every field")
    func digitsOfAllScripts() throws {
        #expect(try Rule.integer(in: 0...100).parse("４２") == 42)
        #expect(try Rule.integer(in: -100...100).parse("-４２") == -42)
        #expect(try Rule.number(in: 0...100, separator: ",").parse("１２,５") == 12.5)
        #expect(try Rule.date().parse("２０２６-０２-２８").description == "2026-02-28")
        #expect(try Rule.date(.dayMonthYear(".")).parse("٢٨.٠٢.٢٠٢٦").description == "2026-02-28")
        #expect(try Rule.paymentCard.parse("４１１１ １１１１ １１１１ １１１１").lastFour == "1111")
        #expect(try String(exposing: Rule.securityCode(of: .visa).parse("１２３")) == "123")
        #expect(try String(exposing: Rule.oneTimeCode().parse("１２３ ４５６")) == "123456")
        #expect(try Rule.iban.parse("DE８９３７０４００４４０５３２０１３０００").text == "DE89370400440532013000")
        #expect(try Rule.postalCode(of: "DE").parse("１０１１７") == "10117")
        #expect(try Rule.inn().parse("７７０７０８３８９３") == "7707083893")
        #expect(try Rule.phone.parse("+４４２０７９４６０９５８").e164 == "+442079460958")
        #expect(Rule.paymentCard.problem(in: "４１１１ １１１１ １１１１ １１１２")?.code == .card)
    }

    @Test("take few random numbers, for few are given out")
    func randomPhones() {
        var generator = SplitMix(state: 4411)
        let taken = (0..<5_000).count { _ in
            let length = Int.random(in: 1...16, using: &generator)
            let digits = (0..<length).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            return Rule.phone.problem(in: "+" + digits) == nil
        }
        // 2.7 in 100 are valid numbers by the table itself; a rule of length and country code alone takes 40.
        #expect(taken < 250)
    }

    // Numbers that networks publish for tests, and made ones with a right last digit.
    static let goodCards: [(String, PaymentCard.Network)] = [
        ("4111111111111111", .visa), ("4111 1111 1111 1111", .visa), ("4111-1111-1111-1111", .visa),
        ("4012888888881881", .visa),
        ("4222222222222", .visa), ("4242424242424242", .visa), ("4000056655665556", .visa), ("4917610000000000", .visa),
        ("5555555555554444", .mastercard), ("5105105105105100", .mastercard), ("5200828282828210", .mastercard),
        ("2223003122003222", .mastercard), ("2221000000000009", .mastercard), ("2720990000000007", .mastercard),
        ("378282246310005", .americanExpress), ("371449635398431", .americanExpress),
        ("3782 822463 10005", .americanExpress),
        ("340000000000009", .americanExpress), ("6011111111111117", .discover), ("6011000990139424", .discover),
        ("6445644564456445", .discover), ("30569309025904", .dinersClub), ("38520000023237", .dinersClub),
        ("36227206271667", .dinersClub), ("3530111333300000", .jcb), ("3566002020360505", .jcb),
        ("6200000000000005", .unionPay),
        ("6205500000000000004", .unionPay), ("2200000000000004", .mir), ("2204000000000000", .mir),
        ("6759649826438453", .maestro),
        ("5018000000000009", .maestro), ("676770000005", .maestro), (" 4111111111111111\u{A0}", .visa),
        ("8100000000000002", .unionPay), ("8171000000000006", .unionPay), ("8172000000000005", .ruPay),
        ("6362970000457013", .elo), ("5066991111111118", .elo), ("6062826786276634", .hipercard),
        ("5085000000000007", .ruPay), ("6521500000000006", .ruPay), ("6531490000000008", .ruPay),
        ("6079840000000002", .ruPay), ("6080010000000009", .ruPay), ("8201990000000002", .ruPay),
        ("4011780000000006", .elo), ("5099990000000003", .elo), ("6500510000000000", .elo), ("6550580000000002", .elo),
        ("6376120000000009", .hipercard), ("6531500000000004", .discover), ("5090000000000000", .elo),
        ("5084990000000000", .maestro), ("6550590000000001", .discover),
        ("４１１１１１１１１１１１１１１１", .visa), ("٤١١١١١١١١١١١١١١١", .visa),
    ]
    static let badCards = [
        "", "4111111111111112", "4111111111111", "411111111111111", "41111111111111111111", "4111 1111 1111 111",
        "4111  1111 1111 1111", "4111111111111111-", "-4111111111111111",
        "4111_1111_1111_1111", "4111.1111.1111.1111", "4111/1111/1111/1111", "411111111111111a", "a411111111111111",
        "0000000000000000", "000000000000", "5555555555554445", "555555555555444", "37828224631000", "3782822463100055",
        "378282246310006", "6011111111111116", "22000000000000041", "1234567890123456", "12345678901", "4", "41111",
        "４１１１１１１１１１１１１１１２", "4111\n1111\n1111\n1111", "4111--111111111111", "visa",
        "4111 1111 1111 1111 x",
    ]

    // Rule: the networks of Brazil and India are known by their issuers | not looked for
    @Test("take card numbers of every network", arguments: goodCards)
    func goodCard(text: String, network: PaymentCard.Network) throws {
        let card = try Rule.paymentCard.parse(text)
        let digits = text.compactMap(\.wholeNumberValue).map { String($0) }.joined()
        #expect(card.network == network)
        #expect(try card.number.text == digits)
        #expect(card.lastFour == String(digits.suffix(4)))
        #expect(!"\(card)".contains(digits.prefix(6)))
    }

    // Rule: Luhn's sum | not worked out | nine cases; also "find every single wrong digit of a card number …" (144)
    @Test("refuse card numbers with a wrong digit, length or form", arguments: badCards)
    func badCard(text: String) {
        #expect(Rule.paymentCard.problem(in: text)?.code == (text.isEmpty ? .required : .card))
    }

    @Test("find every single wrong digit of a card number, and nearly every exchange of two")
    func luhn() {
        let digits = Array("5555555555554444".utf8)
        for place in digits.indices {
            for digit in UInt8(48)...57 where digit != digits[place] {
                var wrong = digits
                wrong[place] = digit
                #expect(Rule.paymentCard.problem(in: String(decoding: wrong, as: UTF8.self)) != nil)
            }
        }
    }

    @Test(
        "take one-time codes of their length only",
        arguments: [
            ("123456", 6, true), ("123 456", 6, true), ("123-456", 6, true), ("000000", 6, true), ("12345", 6, false),
            ("1234567", 6, false), ("12345a", 6, false), ("", 6, false), (" 123456\u{A0}", 6, true), ("1234", 4, true),
            ("１２３４５６", 6, true),
            ("1", 0, false),
        ])
    func oneTimeCode(text: String, digits: Int, isRight: Bool) throws {
        let rule = Rule<Secret>.oneTimeCode(digits: digits)
        #expect((rule.problem(in: text) == nil) == isRight)
        guard isRight else { return }
        let value = text.compactMap(\.wholeNumberValue).map { String($0) }.joined()
        #expect(try rule.parse(text).text == value)
    }

    @Test("are shown by 30 right and 30 wrong values at least, each once")
    func tables() {
        let tables = [
            Self.goodPhones.map(\.0), Self.badPhones, Self.goodCards.map(\.0), Self.badCards,
            AddressRuleTests.goodEmails,
            AddressRuleTests.badEmails, AddressRuleTests.goodAddresses, AddressRuleTests.badAddresses,
        ]
        for table in tables { #expect(Set(table.map { Array($0.utf8) }).count >= 30) }
    }
}
