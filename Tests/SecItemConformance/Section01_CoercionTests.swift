// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("1. What values become", .keychain)
struct CoercionTests {
    @Test func `a blob keeps the type it came in`() {
        let given: [(CFString, Any)] = [
            (kSecAttrLabel, "text"), (kSecAttrComment, bytes("data")), (kSecAttrDescription, 443),
        ]
        #expect(add(given.reduce(generic) { $0 + [$1.0: $1.1] }) == errSecSuccess)
        let stored = attributes(generic)
        #expect(stored["labl"] as? String == "text")
        #expect(stored["icmt"] as? Data == bytes("data"))
        #expect(stored["desc"] as? Int == 443)
    }

    @Test(arguments: names(kSecAttrAccount, kSecAttrService, kSecAttrGeneric, kSecAttrLabel, kSecAttrComment))
    func `a blob is no Boolean, date, list or null`(key: String) {
        for value: Any in [true, Date(), [1], ["a": 1], NSNull()] {
            #expect(add(generic + [key.cf: value]) == errSecParam)
            #expect(status(generic + [key.cf: value]) == errSecParam)
        }
    }

    @Test func `a number may be written in text, exactly`() {
        #expect(add(internet + [kSecAttrPort: "443"]) == errSecSuccess)
        #expect(attributes(internet)["port"] as? Int == 443)
        #expect(status(internet + [kSecAttrPort: 443]) == errSecSuccess)
    }

    @Test(arguments: ["0443", "+443", " 443", "443 ", "443.0", "2147483648", "https", ""])
    func `other text stays text`(text: String) {
        #expect(add(internet + [kSecAttrPort: text]) == errSecSuccess)
        #expect(attributes(internet)["port"] as? String == text)
        #expect(status(internet + [kSecAttrPort: text]) == errSecSuccess)
        #expect(status(internet + [kSecAttrPort: 443]) == errSecItemNotFound)
    }

    @Test(arguments: [("-2147483648", -2_147_483_648), ("2147483647", 2_147_483_647), ("-1", -1), ("0", 0)])
    func `numbers in text reach as far as 32 bits`(text: String, number: Int) {
        #expect(add(internet + [kSecAttrPort: text]) == errSecSuccess)
        #expect(attributes(internet)["port"] as? Int == number)
    }

    @Test func `a Boolean is the number 0 or 1 where a number is wanted`() {
        #expect(add(generic + [kSecAttrIsInvisible: true, kSecAttrIsNegative: false]) == errSecSuccess)
        #expect(attributes(generic)["invi"] as? Int == 1)
        #expect(attributes(generic)["nega"] as? Int == 0)
        #expect(status(generic + [kSecAttrIsInvisible: 1, kSecAttrIsNegative: "0"]) == errSecSuccess)
    }

    @Test(arguments: names(kSecAttrCreator, kSecAttrType, kSecAttrIsInvisible))
    func `a number is no data, date, list or null`(key: String) {
        for value: Any in [bytes("1"), Date(), [1], NSNull()] {
            #expect(add(generic + [key.cf: value]) == errSecParam)
        }
    }

    @Test func `text may come as UTF-8 where text is wanted`() {
        #expect(add(generic + [kSecAttrAccessGroup: bytes(Groups.shared)]) == errSecSuccess)
        #expect(attributes(generic)["agrp"] as? String == Groups.shared)
        #expect(add(generic + [kSecAttrAccessible: bytes("ck")]) == errSecSuccess)
        #expect(attributes(generic + [kSecAttrAccessGroup: Groups.own])["pdmn"] as? String == "ck")
        #expect(status(generic + [kSecAttrAccessGroup: Data([0xFF, 0xFE])]) == errSecParam)
        #expect(status(generic + [kSecAttrAccessGroup: 5]) == errSecParam)
    }

    @Test(arguments: ["cdat"])
    func `a date is a date and nothing else`(key: String) {
        for value: Any in ["2026-01-01", 5, 5.5, bytes("date"), NSNull()] {
            #expect(status(generic + [key.cf: value]) == errSecParam)
            #expect(add(generic + [key.cf: value]) == errSecParam)
        }
    }

    @Test(arguments: [1, 15, 17])
    func `the hidden user is named by 0 or 16 bytes`(length: Int) {
        #expect(status(generic + ["musr" as CFString: Data(count: length)]) == errSecParam)
        #expect(status(generic + ["musr" as CFString: "user"]) == errSecParam)
        #expect(status(generic + ["musr" as CFString: Data()]) == errSecItemNotFound)
        #expect(status(generic + ["musr" as CFString: Data(count: 16)]) == errSecItemNotFound)
    }

    @Test(arguments: names(kSecAttrSubject, kSecAttrSerialNumber, kSecAttrPublicKeyHash, kSecAttrSubjectKeyID))
    func `data may come as text or as a number, and comes back as data`(key: String) {
        let certificate: Item = [kSecClass: kSecClassCertificate]
        for (number, value): (Int, (given: Any, kept: Data)) in [
            ("text", bytes("text")), (bytes("data"), bytes("data")), (0x0102, Data([2, 1, 0, 0])),
            (-1, Data([0xFF, 0xFF, 0xFF, 0xFF])),
        ].enumerated() {
            let issuer: Item = [kSecAttrIssuer: bytes("\(number)")]
            #expect(add(certificate + issuer + [key.cf: value.given]) == errSecSuccess)
            #expect(attributes(certificate + issuer)[key] as? Data == value.kept)
            #expect(status(certificate + issuer + [key.cf: value.given]) == errSecSuccess)
        }
        for value: Any in [true, Date(), NSNull(), [Data()]] {
            #expect(add(certificate + [key.cf: value]) == errSecParam)
            #expect(status(certificate + [key.cf: value]) == errSecParam)
        }
    }
}
