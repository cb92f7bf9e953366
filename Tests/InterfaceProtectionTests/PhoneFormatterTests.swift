// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("Telephone numbers while they are typed")
struct PhoneFormatterTests {
    /// A region, what is typed, and what is shown after each key from the third on.
    static let typed: [(String?, String, [String])] = [
        (
            "US", "2127363100",
            [
                "212", "212-7", "212-73", "212-736", "212-7363", "(212) 736-31", "(212) 736-310", "(212) 736-3100",
            ]
        ),
        (
            "GB", "02079460958",
            [
                "020", "020 7", "020 79", "020 794", "020 7946", "020 7946 0", "020 7946 09", "020 7946 095",
                "020 7946 0958",
            ]
        ),
        (
            nil, "+442079460958",
            [
                "+44 ", "+44 2", "+44 20", "+44 20 7", "+44 20 79", "+44 20 794", "+44 20 7946", "+44 20 7946 0",
                "+44 20 7946 09", "+44 20 7946 095", "+44 20 7946 0958",
            ]
        ),
    ]

    @Test("are grouped after each key", arguments: typed)
    func eachKey(region: String?, typed: String, shown: [String]) {
        let formatter = PhoneFormatter(region: region)
        var text = ""
        for (index, key) in typed.enumerated() {
            // As a field does: the key comes behind what is shown.
            text = formatter.text(for: text + String(key))
            if index >= 2 { #expect(text == shown[index - 2]) }
        }
    }

    // Rule: a number is grouped as its country writes it | by the first format (begins)
    @Test(
        "are grouped as each country writes them",
        arguments: [
            ("DE", "030901820", "030 901820"), ("DE", "+4930901820", "+49 30 901820"),
            ("FR", "0142685300", "01 42 68 53 00"),
            ("RU", "88123151250", "8 812 315-12-50"), ("JP", "0332249999", "03-3224-9999"),
            ("IT", "066982", "06 6982"), ("ES", "912345678", "912 34 56 78"), ("SE", "086008000", "08-600 80 00"),
            ("BR", "11912345678", "11 91234-5678"), ("IN", "09876543210", "098765 43210"),
            ("CN", "01012345678", "010 1234 5678"), ("US", "12127363100", "1 (212) 736-3100"),
            ("US", "011442079460958", "011 44 20 7946 0958"), ("GB", "00493090", "00 49 30 90"),
            ("GB", "+1 (212) 736-3100", "+1 212-736-3100"), ("GB", "０２０７９４６０９５８", "020 7946 0958"),
            ("XX", "0207946", "0207946"), ("GB", "+9991234567", "+9991234567"),
        ])
    func countries(region: String, typed: String, shown: String) {
        #expect(PhoneFormatter(region: region).text(for: typed) == shown)
    }

    @Test(
        "are left as they are where they are none",
        arguments: ["", "0", "02", "call me", "020 7946 0958 ext. 2", "020+7946", "++44", "0207946\n0958", "#31#"])
    func others(typed: String) { #expect(PhoneFormatter(region: "GB").text(for: typed) == typed) }

    // Rule: no digit is lost | the first group left out (Format.text)
    @Test("keep every digit, take their own answer, and are taken by the rule")
    func digits() throws {
        var generator = SplitMix(state: 7)
        let regions = ["US", "GB", "DE", "FR", "RU", "JP", "BR", "AR", "MX", "BY", "KZ", "NG", "ID", "HU", "IE", "IL"]
        for round in 0..<2_000 {
            let region = regions[round % regions.count]
            let count = Int.random(in: 1...18, using: &generator)
            let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let typed = (round % 3 == 0 ? "+" : "") + digits
            let shown = PhoneFormatter(region: region).text(for: typed)
            #expect(shown.filter { $0.isNumber || $0 == "+" } == typed)
            #expect(PhoneFormatter(region: region).text(for: shown) == shown)
            let rule = Rule.phone(in: region)
            #expect((try? rule.parse(shown))?.e164 == (try? rule.parse(typed))?.e164)
        }
    }
}
