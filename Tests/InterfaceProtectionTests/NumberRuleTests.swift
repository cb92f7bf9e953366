// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("Rules for numbers of people and cards")
struct NumberRuleTests {
    static let goodPhones = [
        "+442079460123", "+44 20 7946 0123", "+44 (20) 7946-0123", "+44.20.7946.0123", "+1 202-555-0143",
        "+12025550143",
        "+1 (202) 555-0143", "+7 495 123-45-67", "+7 (495) 123-45-67", "+74951234567", "+49 30 901820",
        "+33 1 09 75 83 51",
        "+81 3-1234-5678", "+86 10 1234 5678", "+91 98765 43210", "+61 2 5550 1234", "+55 11 91234-5678",
        "+27 21 123 4567",
        "+90 212 555 0123", "+380 44 123 4567", "+375 17 123-45-67", "+972 2-123-4567", "+358 9 1234567",
        "+353 1 123 4567",
        "+683 4000", "+290 12345", "+1234567", "+123456789012345", "+39 06 1234 5678", "+48 22 123 45 67",
        "+420 2 1234 5678", "+ 44 20 7946 0123",
    ]
    static let badPhones = [
        "", " ", "+", "442079460123", "02079460123", "00442079460123", "+0442079460123", "+123456", "+1234567890123456",
        "+44 20 7946 012a", "+44 20 7946 0123 ext 4", "+44 20 7946 0123;ext=4", "tel:+442079460123", "++442079460123",
        "+44+2079460123", "+44 20 7946 0123 ", "+44--2079460123", "+44 20 7946 0123-", "+44 ((20)) 7946 0123",
        "+44 (20 7946 0123", "+44 20) 7946 0123", "+44 )20( 7946 0123", "+44/20/7946/0123", "+44_20_7946_0123",
        "+44 20 7946 0123\n", "+٤٤٢٠٧٩٤٦٠١٢٣", "+４４２０７９４６", "+44\u{200B}2079460123", "+44 20 79460123 (", "call me",
        "+-442079460123", "+44 20  .. 79460123", "+1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2",
    ]

    @Test("take telephone numbers as people write them", arguments: goodPhones)
    func goodPhone(text: String) throws {
        #expect(try Rule.phone.parse(text).e164 == "+" + text.filter(\.isNumber))
    }

    @Test("refuse what is no international number", arguments: badPhones)
    func badPhone(text: String) {
        #expect(Rule.phone.problem(in: text)?.code == (text.isEmpty ? .required : .phone))
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
        ("5018000000000009", .maestro), ("676770000005", .maestro),
    ]
    static let badCards = [
        "", " ", "4111111111111112", "4111111111111", "411111111111111", "41111111111111111111", "4111 1111 1111 111",
        "4111  1111 1111 1111", " 4111111111111111", "4111111111111111 ", "4111111111111111-", "-4111111111111111",
        "4111_1111_1111_1111", "4111.1111.1111.1111", "4111/1111/1111/1111", "411111111111111a", "a411111111111111",
        "0000000000000000", "000000000000", "5555555555554445", "555555555555444", "37828224631000", "3782822463100055",
        "378282246310006", "6011111111111116", "22000000000000041", "1234567890123456", "12345678901", "4", "41111",
        "４１１１１１１１１１１１１１１１", "٤١١١١١١١١١١١١١١١", "4111\n1111\n1111\n1111", "4111--111111111111", "visa",
        "4111 1111 1111 1111 x",
    ]

    @Test("take card numbers of every network", arguments: goodCards)
    func goodCard(text: String, network: PaymentCard.Network) throws {
        let card = try Rule.paymentCard.parse(text)
        let digits = text.filter(\.isNumber)
        #expect(card.network == network)
        #expect(try card.number.text == digits)
        #expect(card.lastFour == String(digits.suffix(4)))
        #expect(!"\(card)".contains(digits.prefix(6)))
    }

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
            ("1234567", 6, false), ("12345a", 6, false), ("", 6, false), (" 123456", 6, false), ("1234", 4, true),
            ("１２３４５６", 6, false),
            ("1", 0, false),
        ])
    func oneTimeCode(text: String, digits: Int, isRight: Bool) throws {
        let rule = Rule<Secret>.oneTimeCode(digits: digits)
        #expect((rule.problem(in: text) == nil) == isRight)
        if isRight { #expect(try rule.parse(text).text == text.filter(\.isNumber)) }
    }

    @Test("are shown by 30 right and 30 wrong values at least, each once")
    func tables() {
        let tables = [
            Self.goodPhones, Self.badPhones, Self.goodCards.map(\.0), Self.badCards, AddressRuleTests.goodEmails,
            AddressRuleTests.badEmails, AddressRuleTests.goodAddresses, AddressRuleTests.badAddresses,
        ]
        for table in tables { #expect(Set(table.map { Array($0.utf8) }).count >= 30) }
    }
}
