// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("11. What iOS reads more strictly", .keychainOfIOS)
struct IOSTests {
    private func addOne() { #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess) }

    @Test(arguments: ["m_Limit", "m_CaseInsensitive", "m_Anything"])
    func `match keys are refused in add, update and delete`(key: String) {
        addOne()
        let match: Item = [key.cf: 1]
        #expect(add(generic + [kSecAttrAccount: "b"] + match) == errSecParam)
        #expect(update(generic + match, [kSecAttrLabel: "label"]) == errSecParam)
        #expect(delete(generic + match) == errSecParam)
        #expect(data(generic) == bytes("secret"))
        #expect(status(generic + [kSecAttrAccount: "b"]) == errSecItemNotFound)
    }

    @Test func `even all items is a limit that delete refuses`() {
        addOne()
        #expect(delete(generic + [kSecMatchLimit: kSecMatchLimitAll]) == errSecParam)
        #expect(delete(generic) == errSecSuccess)
    }

    @Test(arguments: names(kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef))
    func `an update returns nothing and may not ask`(key: String) {
        addOne()
        #expect(update(generic + [key.cf: true], [kSecAttrLabel: "label"]) == errSecParam)
        #expect(update(generic + [key.cf: false], [kSecAttrLabel: "label"]) == errSecSuccess)
    }

    @Test func `delete ignores return keys that are Booleans`() {
        addOne()
        #expect(delete(generic + [kSecReturnData: "no Boolean"]) == errSecParam)
        #expect(delete(generic + [kSecReturnData: true]) == errSecSuccess)
    }

    @Test func `a secret in a search is data, and is ignored`() {
        addOne()
        #expect(data(generic + [kSecValueData: bytes("another")]) == bytes("secret"))
        #expect(status(generic + [kSecValueData: "text"]) == errSecParam)
        #expect(delete(generic + [kSecValueData: 5]) == errSecParam)
    }

    @Test func `the modification date is a condition`() throws {
        addOne()
        let modified = try #require(attributes(generic)["mdat"] as? Date)
        #expect(status(generic + [kSecAttrModificationDate: modified]) == errSecSuccess)
        #expect(status(generic + [kSecAttrModificationDate: Date.distantPast]) == errSecItemNotFound)
    }

    @Test func `synchronizability beside a reference is refused, but for both kinds`() {
        addOne()
        let query: Item = [kSecValuePersistentRef: reference(generic)]
        #expect(status(query + [kSecAttrSynchronizable: false]) == errSecParam)
        #expect(status(query + [kSecAttrSynchronizable: true]) == errSecParam)
        #expect(status(query + [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecSuccess)
    }

    @Test func `file keychains do not exist`() {
        addOne()
        #expect(status(generic + [kSecUseKeychain: "keychain"]) == errSecParam)
        #expect(status(generic + [kSecAttrAccess: "access"]) == errSecNoSuchAttr)
        #expect(status(generic + [kSecMatchSearchList: ["keychain"]]) == errSecSuccess)
    }

    @Test func `a failure leaves the caller's variable alone`() {
        #expect(find(generic + [kSecReturnData: true]).object === untouched)
        addOne()
        #expect(addReturning(generic + [kSecReturnData: true]).object === untouched)
        #expect(addReturning(generic + [kSecReturnData: true]).status == errSecDuplicateItem)
    }

    @Test func `an update may make an item synchronizable`() {
        addOne()
        #expect(update(generic, [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(status(generic) == errSecItemNotFound)
        #expect(data(generic + [kSecAttrSynchronizable: true]) == bytes("secret"))
    }
}
