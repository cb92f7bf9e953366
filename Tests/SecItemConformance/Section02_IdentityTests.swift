// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("2. What makes an item the same", .keychain)
struct IdentityTests {
    @Test(arguments: [("labl", "label"), ("gena", "generic"), ("icmt", "comment"), ("desc", "kind"), ("pdmn", "ck")])
    func `an attribute outside the identity does not make another item`(key: String, value: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [key.cf: value]) == errSecDuplicateItem)
    }

    @Test func `numbers and secrets do not make another item`() {
        #expect(add(generic) == errSecSuccess)
        for key in [kSecAttrCreator, kSecAttrType, kSecAttrIsInvisible, kSecAttrIsNegative] {
            #expect(add(generic + [key: 7]) == errSecDuplicateItem)
        }
        #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecDuplicateItem)
    }

    @Test func `account and service make another generic password`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrAccount: "another"]) == errSecSuccess)
        #expect(add(generic + [kSecAttrService: "another"]) == errSecSuccess)
    }

    @Test func `eight attributes make another internet password`() {
        #expect(add(internet) == errSecSuccess)
        let others: [Item] = [
            [kSecAttrAccount: "another"], [kSecAttrServer: "example.com"], [kSecAttrSecurityDomain: "domain"],
            [kSecAttrProtocol: kSecAttrProtocolHTTPS], [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTMLForm],
            [kSecAttrPort: 443], [kSecAttrPath: "/path"],
        ]
        for other in others {
            #expect(add(internet + other) == errSecSuccess)
            #expect(add(internet + other) == errSecDuplicateItem)
        }
        #expect(count([kSecClass: kSecClassInternetPassword]) == 8)
    }

    @Test func `access group and synchronizability make another item`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(add(generic + [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(add(generic + [kSecAttrSynchronizable: true]) == errSecDuplicateItem)
        #expect(add(generic + [kSecAttrAccessGroup: Groups.own]) == errSecDuplicateItem)
        #expect(add(generic + [kSecAttrSynchronizable: false]) == errSecDuplicateItem)
    }

    @Test func `two items without an account collide, and empty equals unset`() {
        let bare: Item = [kSecClass: kSecClassGenericPassword, kSecAttrService: "service"]
        #expect(add(bare) == errSecSuccess)
        #expect(add(bare) == errSecDuplicateItem)
        #expect(add(bare + [kSecAttrAccount: ""]) == errSecDuplicateItem)
        #expect(add(bare + [kSecAttrAccount: Data()]) == errSecDuplicateItem)
        #expect(status(bare + [kSecAttrAccount: ""]) == errSecSuccess)
    }

    @Test func `port and protocol 0 equal unset`() {
        #expect(add(internet) == errSecSuccess)
        #expect(add(internet + [kSecAttrPort: 0, kSecAttrProtocol: 0]) == errSecDuplicateItem)
        #expect(status(internet + [kSecAttrPort: 0, kSecAttrPath: ""]) == errSecSuccess)
    }

    @Test func `text and its bytes are the same value`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrAccount: bytes("account")]) == errSecDuplicateItem)
        #expect(
            status(generic + [kSecAttrAccount: bytes("account"), kSecAttrService: bytes("service")]) == errSecSuccess)
    }

    @Test(arguments: [
        "Account", "account ", " account", "account\n", "acc\u{F6}unt", "acco\u{308}unt", "account\u{0}",
        "\u{430}ccount",
    ])
    func `case, spaces and the form of Unicode tell values apart`(account: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrAccount: account]) == errSecSuccess)
        #expect(status(generic + [kSecAttrAccount: account]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassGenericPassword]) == 2)
    }

    @Test func `composed and decomposed text are two accounts`() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        #expect(composed == decomposed, "Swift's own comparison takes them for one")
        #expect(add(generic + [kSecAttrAccount: composed]) == errSecSuccess)
        #expect(status(generic + [kSecAttrAccount: decomposed]) == errSecItemNotFound)
        #expect(add(generic + [kSecAttrAccount: decomposed]) == errSecSuccess)
    }

    @Test func `an item of one class is none of another`() {
        #expect(add(generic) == errSecSuccess)
        #expect(status([kSecClass: kSecClassInternetPassword, kSecAttrAccount: "account"]) == errSecItemNotFound)
        #expect(add([kSecClass: kSecClassInternetPassword, kSecAttrAccount: "account"]) == errSecSuccess)
    }
}
