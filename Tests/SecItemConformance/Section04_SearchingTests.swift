// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("4. Searching", .keychain)
struct SearchingTests {
    private let genericPasswords: Item = [kSecClass: kSecClassGenericPassword]

    private func addThree() {
        for name in ["a", "b", "c"] {
            #expect(
                add(generic + [kSecAttrAccount: name, kSecAttrLabel: "same", kSecAttrComment: name]) == errSecSuccess)
        }
    }

    @Test func `all conditions must hold`() {
        addThree()
        #expect(count(genericPasswords + [kSecAttrLabel: "same"]) == 3)
        #expect(count(genericPasswords + [kSecAttrLabel: "same", kSecAttrComment: "b"]) == 1)
        #expect(status(genericPasswords + [kSecAttrLabel: "other", kSecAttrComment: "b"]) == errSecItemNotFound)
        #expect(status(genericPasswords + [kSecAttrComment: "B"]) == errSecItemNotFound)
        #expect(status(genericPasswords + [kSecAttrAccount: "a", kSecAttrComment: "b"]) == errSecItemNotFound)
    }

    @Test func `an unset attribute is not empty`() {
        #expect(add(generic) == errSecSuccess)
        #expect(status(generic + [kSecAttrLabel: ""]) == errSecItemNotFound)
        #expect(status(generic + [kSecAttrIsInvisible: 0]) == errSecItemNotFound)
        #expect(add(generic + [kSecAttrAccount: "b", kSecAttrLabel: ""]) == errSecSuccess)
        #expect(count(genericPasswords + [kSecAttrLabel: ""]) == 1)
    }

    @Test func `an access control in a query is accepted and compares with nothing`() throws {
        #expect(add(generic) == errSecSuccess)
        for protection in [kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock] {
            let control = try #require(accessControl(protection, []).control)
            #expect(status(generic + [kSecAttrAccessControl: control]) == errSecSuccess)
        }
    }

    @Test func `the accessibility in a query is a condition`() {
        #expect(add(generic) == errSecSuccess)
        #expect(status(generic + [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecSuccess)
        #expect(status(generic + [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecItemNotFound)
        #expect(status(generic + [kSecAttrAccessible: "zz"]) == errSecParam)
    }

    @Test func `without a word on synchronizability only local items are meant`() {
        let synchronizable = generic + [kSecAttrSynchronizable: true]
        #expect(add(synchronizable + [kSecAttrLabel: "first"]) == errSecSuccess)
        #expect(status(generic) == errSecItemNotFound)
        #expect(update(generic, [kSecAttrLabel: "second"]) == errSecItemNotFound)
        #expect(delete(generic) == errSecItemNotFound)
        #expect(attributes(synchronizable)["labl"] as? String == "first")
        #expect(delete(synchronizable) == errSecSuccess)
    }

    @Test func `both kinds of synchronizability can be asked for at once`() {
        let both = generic + [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
        #expect(add(generic) == errSecSuccess)
        #expect(add(generic + [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(count(generic) == 1)
        #expect(count(generic + [kSecAttrSynchronizable: true]) == 1)
        #expect(count(generic + [kSecAttrSynchronizable: false]) == 1)
        #expect(count(both) == 2)
        #expect(update(both, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(count(both + [kSecAttrLabel: "label"]) == 2)
        #expect(delete(both) == errSecSuccess)
        #expect(status(both) == errSecItemNotFound)
    }

    @Test(arguments: [1, "1", true] as [any Sendable])
    func `synchronizability may be a number or its text`(value: any Sendable) {
        #expect(add(generic + [kSecAttrSynchronizable: value]) == errSecSuccess)
        #expect(count(generic + [kSecAttrSynchronizable: true]) == 1)
        #expect(count(generic + [kSecAttrSynchronizable: 0]) == 0)
    }

    @Test func `without a group all groups of the program are searched`() {
        #expect(add(generic + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(add(generic) == errSecSuccess)
        #expect(count(generic) == 2)
        #expect(count(generic + [kSecAttrAccessGroup: Groups.shared]) == 1)
        #expect(count(generic + [kSecAttrAccessGroup: Groups.own]) == 1)
    }

    @Test func `a group of others is refused before anything is looked up`() {
        let foreign = generic + [kSecAttrAccessGroup: Groups.foreign]
        #expect(status(foreign) == errSecMissingEntitlement)
        #expect(add(foreign) == errSecMissingEntitlement)
        #expect(update(foreign, [kSecAttrLabel: "label"]) == errSecMissingEntitlement)
        #expect(delete(foreign) == errSecMissingEntitlement)
    }

    @Test func `tombstones are not seen`() {
        #expect(add(generic + [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(delete(generic + [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(status(generic + [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecItemNotFound)
        #expect(add(generic + [kSecAttrSynchronizable: true]) == errSecSuccess)
    }

    @Test func `nothing found is its own answer, never an empty list`() {
        let answer = find(all(kSecClassGenericPassword) + [kSecReturnAttributes: true])
        #expect(answer.status == errSecItemNotFound)
        #expect(answer.object == nil)
    }
}

@Suite("4. Limits", .keychain)
struct LimitTests {
    private func addThree() {
        for name in ["a", "b", "c"] { #expect(add(generic + [kSecAttrAccount: name]) == errSecSuccess) }
    }

    private func found(_ limit: Any?) -> Answer {
        var query: Item = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
        query[kSecMatchLimit] = limit
        return find(query)
    }

    @Test func `one item is found by default, and not in an array`() {
        addThree()
        #expect(found(nil).attributes?["svce"] as? String == "service")
        #expect(found(kSecMatchLimitOne).attributes != nil)
        #expect(found(1).attributes != nil)
    }

    @Test func `any other limit gives a list, for one match too`() {
        addThree()
        #expect(found(2).list?.count == 2)
        #expect(found(3).list?.count == 3)
        #expect(found(4).list?.count == 3)
        #expect(found(kSecMatchLimitAll).list?.count == 3)
        #expect(found(-1).list?.count == 3)
        let one: Item = [kSecMatchLimit: 2, kSecReturnData: true, kSecAttrAccount: "a"]
        #expect(update(generic + [kSecAttrAccount: "a"], [kSecValueData: bytes("secret")]) == errSecSuccess)
        #expect(find(generic + one).object as? [Data] == [bytes("secret")])
    }

    @Test func `a limit of 0 finds nothing`() {
        addThree()
        #expect(found(0).status == errSecItemNotFound)
    }

    @Test func `a limit is a number or one of two words`() {
        addThree()
        for value: Any in [true, false, "1", "all", "m_LimitNone", 1.5, bytes("1"), NSNull(), [1], -2, Double.nan] {
            #expect(found(value).status == errSecParam)
        }
    }
}

@Suite("4. Match keys", .keychain)
struct MatchTests {
    @Test(
        arguments: names(
            kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive,
            kSecMatchSubjectContains,
            kSecMatchSubjectStartsWith, kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString, kSecMatchItemList,
            kSecMatchSearchList))
    func `these have no effect at all`(key: String) {
        #expect(add(generic) == errSecSuccess)
        for value: Any in [true, "ACCOUNT", [Data]()] {
            #expect(status(generic + [key.cf: value]) == errSecSuccess)
            #expect(status(generic + [kSecAttrAccount: "ACCOUNT", key.cf: value]) == errSecItemNotFound)
        }
    }

    @Test func `issuers are a condition that passwords can't meet`() {
        let name = Data([0x30, 0x0B, 0x31, 0x09, 0x30, 0x07, 0x06, 0x03, 0x55, 0x04, 0x06, 0x13, 0x00])
        #expect(status(generic + [kSecMatchIssuers: [name]]) == errSecUnimplemented)
        #expect(status(generic + [kSecMatchIssuers: [Data]()]) == errSecItemNotFound)
        #expect(status(generic + [kSecMatchIssuers: "issuer"]) == errSecItemNotFound)
    }

    @Test(
        arguments: names(
            kSecMatchPolicy, kSecMatchValidOnDate, kSecMatchTrustedOnly, kSecMatchEmailAddressIfPresent,
            kSecMatchHostOrSubdomainOfHost))
    func `values of a wrong kind are a wrong parameter`(key: String) {
        for value: Any in [5, bytes("value"), ["list"]] { #expect(status(internet + [key.cf: value]) == errSecParam) }
    }

    @Test func `a day, trust and a mail address say nothing about passwords`() {
        #expect(add(generic) == errSecSuccess)
        for part: Item in [
            [kSecMatchValidOnDate: Date()], [kSecMatchValidOnDate: NSNull()], [kSecMatchTrustedOnly: true],
            [kSecMatchEmailAddressIfPresent: "a@example.org"],
        ] { #expect(status(generic + part) == errSecSuccess) }
    }

    @Test func `a host finds itself and what lies below it`() {
        for server in ["example.org", "mail.example.org", "a.mail.example.org", "badexample.org", "example.org.evil"] {
            #expect(add(internet + [kSecAttrServer: server]) == errSecSuccess)
        }
        let query =
            all(kSecClassInternetPassword) + [
                kSecMatchHostOrSubdomainOfHost: "example.org", kSecReturnAttributes: true,
            ]
        let servers = find(query).list?.compactMap { ($0 as? [String: Any])?["srvr"] as? String } ?? []
        #expect(Set(servers) == ["example.org", "mail.example.org", "a.mail.example.org"])
        #expect(status(generic + [kSecMatchHostOrSubdomainOfHost: "example.org"]) == errSecUnimplemented)
    }
}
