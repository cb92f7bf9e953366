// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("0. What macOS takes out of a dictionary first", .keychain)
struct FlavourTests {
    @Test(arguments: [
        "m_Limit", "m_LimitOne", "m_LimitAll", "m_CaseInsensitive", "m_SubjectContains", "m_ItemList", "m_SearchList",
        "m_Issuers", "m_Policy", "m_EmailAddressIfPresent", "m_TrustedOnly", "m_ValidOnDate",
    ])
    func `match keys of the list are dropped from add, update and delete`(key: String) {
        let match: Item = [key.cf: 7]
        #expect(add(generic + match) == errSecSuccess)
        #expect(update(generic + match, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(generic + match) == errSecSuccess)
    }

    @Test(
        arguments: names(
            kSecMatchSubjectStartsWith, kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString,
            kSecMatchDiacriticInsensitive,
            kSecMatchWidthInsensitive, kSecMatchHostOrSubdomainOfHost))
    func `other match keys stay, and are refused outside a search`(key: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(delete(generic + [key.cf: "x"]) == errSecParam)
        #expect(update(internet + [key.cf: "x"], [:]) == errSecParam)
        #expect(status(generic) == errSecSuccess)
    }

    @Test(arguments: names(kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef))
    func `return keys are dropped from update and delete`(key: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic + [key.cf: true], [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(generic + [key.cf: "no Boolean"]) == errSecSuccess)
    }

    @Test func `a secret of any type is dropped from queries`() {
        #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess)
        #expect(data(generic + [kSecValueData: bytes("another")]) == bytes("secret"))
        #expect(data(generic + [kSecValueData: "text"]) == bytes("secret"))
        #expect(update(generic + [kSecValueData: 5], [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(generic + [kSecValueData: ["list"]]) == errSecSuccess)
    }

    @Test(arguments: ["mdat", "nleg", "u_Keychain", "m_SearchList", "acls"])
    func `what belongs to file keychains is dropped from every call`(key: String) {
        let other: Item = [key.cf: "anything"]
        #expect(add(generic + other) == errSecSuccess)
        #expect(status(generic + other) == errSecSuccess)
        #expect(update(generic + other, [:]) == errSecSuccess)
        #expect(delete(generic + other) == errSecSuccess)
    }

    @Test func `the synchronizable key is dropped beside a persistent reference`() {
        #expect(add(generic) == errSecSuccess)
        let query: Item = [kSecValuePersistentRef: reference(generic), kSecAttrSynchronizable: true]
        #expect(find(query + [kSecReturnAttributes: true])[kSecAttrAccount] as? String == "account")
        #expect(update(query, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(query) == errSecSuccess)
    }

    @Test func `a failure leaves nil in the caller's variable`() {
        #expect(find(generic + [kSecReturnData: true]).object == nil)
        #expect(addReturning(generic + [kSecReturnData: "no Boolean"]).object == nil)
    }
}
