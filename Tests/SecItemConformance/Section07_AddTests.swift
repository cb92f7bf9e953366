// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("7. Add", .keychain)
struct AddTests {
    @Test func `what is added is found, changed and deleted`() {
        #expect(add(generic + [kSecValueData: bytes("first")]) == errSecSuccess)
        #expect(data(generic) == bytes("first"))
        #expect(update(generic, [kSecValueData: bytes("second")]) == errSecSuccess)
        #expect(data(generic) == bytes("second"))
        #expect(delete(generic) == errSecSuccess)
        #expect(status(generic) == errSecItemNotFound)
    }

    @Test func `a second item of the same identity is a duplicate, and changes nothing`() {
        #expect(add(generic + [kSecValueData: bytes("first")]) == errSecSuccess)
        let second = addReturning(generic + [kSecValueData: bytes("second"), kSecReturnData: true])
        #expect(second.status == errSecDuplicateItem)
        #expect(second.object == nil)
        #expect(data(generic) == bytes("first"))
    }

    @Test func `a secret is data and nothing else`() {
        for value: Any in [5, true, NSNull(), Date(), [bytes("a")]] {
            #expect(add(generic + [kSecValueData: value]) == errSecParam)
        }
        #expect(status(generic) == errSecItemNotFound)
    }

    @Test(arguments: ["", "a", "AK", "ak ", "f", "kSecAttrAccessibleWhenUnlocked"])
    func `an accessibility is one of seven`(code: String) {
        #expect(add(generic + [kSecAttrAccessible: code]) == errSecParam)
    }

    @Test func `an access control and an accessibility exclude each other, the same one too`() throws {
        let control = try #require(accessControl(kSecAttrAccessibleWhenUnlocked, []).control)
        let item = generic + [kSecAttrAccessControl: control]
        #expect(add(item + [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecParam)
        #expect(add(item + [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == errSecParam)
        #expect(add(item) == errSecSuccess)
    }

    // Rule: an item with access control is not synchronizable | taken | also "an access control in the changes gives
    //   its protection"
    @Test func `an item with an access control is not synchronizable, without constraints either`() throws {
        let control = try #require(accessControl(kSecAttrAccessibleWhenUnlocked, []).control)
        let item = generic + [kSecAttrAccessControl: control]
        #expect(add(item + [kSecAttrSynchronizable: true]) == errSecParam)
        #expect(add(item + [kSecAttrSynchronizable: false]) == errSecSuccess)
    }

    @Test func `both kinds of synchronizability in an add is a local item`() {
        #expect(add(generic + [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecSuccess)
        #expect(attributes(generic)["sync"] as? Int == 0)
    }

    @Test func `an item goes to the group that is named`() {
        #expect(add(generic + [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(attributes(generic)["agrp"] as? String == Groups.shared)
    }

    @Test func `every attribute of a generic password comes back`() {
        let item =
            generic + [
                kSecAttrLabel: "label", kSecAttrGeneric: bytes("generic"), kSecAttrDescription: "kind",
                kSecAttrComment: "comment", kSecAttrCreator: 1_718_842_951, kSecAttrType: 7, kSecAttrIsInvisible: true,
                kSecAttrIsNegative: false,
            ]
        #expect(add(item) == errSecSuccess)
        let stored = attributes(generic)
        #expect(stored["labl"] as? String == "label")
        #expect(stored["gena"] as? Data == bytes("generic"))
        #expect(stored["desc"] as? String == "kind")
        #expect(stored["icmt"] as? String == "comment")
        #expect(stored["crtr"] as? Int == 1_718_842_951)
        #expect(stored["type"] as? Int == 7)
        #expect(stored["invi"] as? Bool == true)
        #expect(stored["nega"] as? Bool == false)
    }

    @Test func `every attribute of an internet password comes back`() {
        let item =
            internet + [
                kSecAttrPort: 8443, kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPath: "/path",
                kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPDigest, kSecAttrSecurityDomain: "realm",
            ]
        #expect(add(item) == errSecSuccess)
        let stored = attributes(internet)
        #expect(stored["srvr"] as? String == "example.org")
        #expect(stored["port"] as? Int == 8443)
        #expect(stored["ptcl"] as? String == kSecAttrProtocolHTTPS as String)
        #expect(stored["path"] as? String == "/path")
        #expect(stored["atyp"] as? String == kSecAttrAuthenticationTypeHTTPDigest as String)
        #expect(stored["sdmn"] as? String == "realm")
    }

    @Test func `text of any script comes back, byte for byte`() {
        let texts = ["Zoë ☕️", "замок", "密码", "a\u{301}\u{0}b", String(repeating: "long ", count: 400)]
        for text in texts {
            #expect(add(generic + [kSecAttrAccount: text, kSecAttrLabel: text]) == errSecSuccess)
            let stored = attributes(generic + [kSecAttrAccount: text])
            #expect((stored["acct"] as? String).map { Array($0.utf8) } == Array(text.utf8))
            #expect((stored["labl"] as? String).map { Array($0.utf8) } == Array(text.utf8))
        }
    }
}
