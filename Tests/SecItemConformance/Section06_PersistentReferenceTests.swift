// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("6. Persistent references", .keychain)
struct PersistentReferenceTests {
    private func byReference(_ item: Item) -> Item { [kSecValuePersistentRef: reference(item)] }

    @Test func `a reference is the class and 16 random bytes`() {
        #expect(add(generic) == errSecSuccess)
        #expect(add(internet) == errSecSuccess)
        #expect(reference(generic).count == 20)
        #expect(reference(generic).prefix(4) == bytes("genp"))
        #expect(reference(internet).prefix(4) == bytes("inet"))
    }

    @Test func `a reference finds its item, changes it and deletes it`() {
        #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess)
        let query = byReference(generic)
        #expect(data(query) == bytes("secret"))
        #expect(update(query, [kSecValueData: bytes("new")]) == errSecSuccess)
        #expect(data(generic) == bytes("new"))
        #expect(delete(query) == errSecSuccess)
        #expect(status(generic) == errSecItemNotFound)
    }

    @Test func `it stays the same when the item is changed or renamed`() {
        #expect(add(generic) == errSecSuccess)
        let before = reference(generic)
        #expect(update(generic, [kSecAttrAccount: "renamed", kSecValueData: bytes("x")]) == errSecSuccess)
        #expect(reference(generic + [kSecAttrAccount: "renamed"]) == before)
        #expect(attributes([kSecValuePersistentRef: before])["acct"] as? String == "renamed")
    }

    @Test func `it is never given to another item`() {
        #expect(add(generic) == errSecSuccess)
        let before = reference(generic)
        #expect(delete(generic) == errSecSuccess)
        #expect(add(generic) == errSecSuccess)
        #expect(reference(generic) != before)
        #expect(status([kSecValuePersistentRef: before]) == errSecItemNotFound)
    }

    @Test func `a search takes no attributes beside it, not even matching ones`() {
        #expect(add(generic) == errSecSuccess)
        let query = byReference(generic)
        for part: Item in [
            [kSecAttrAccount: "account"], [kSecAttrAccessGroup: Groups.own], [kSecAttrLabel: "label"],
            [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
        ] { #expect(status(query + part) == errSecParam) }
    }

    @Test func `class, limit, return keys and both kinds of synchronizability may stand beside it`() {
        #expect(add(generic) == errSecSuccess)
        let query = byReference(generic)
        for part: Item in [
            [kSecClass: kSecClassGenericPassword], [kSecReturnAttributes: true], [kSecMatchLimit: kSecMatchLimitOne],
            [kSecAttrSynchronizable: kSecAttrSynchronizableAny], [kSecUseDataProtectionKeychain: true],
        ] { #expect(status(query + part) == errSecSuccess) }
        let list = find(query + [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]).list
        #expect(list?.count == 1)
    }

    @Test func `update and delete take attributes beside it as further conditions`() {
        #expect(add(generic) == errSecSuccess)
        let query = byReference(generic)
        #expect(update(query + [kSecAttrAccount: "another"], [kSecAttrLabel: "label"]) == errSecItemNotFound)
        #expect(update(query + [kSecAttrAccount: "account"], [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(query + [kSecAttrLabel: "another"]) == errSecItemNotFound)
        #expect(delete(query + [kSecAttrLabel: "label"]) == errSecSuccess)
    }

    @Test func `a synchronizable item is found without saying so`() {
        let item = generic + [kSecAttrSynchronizable: true, kSecValueData: bytes("secret")]
        #expect(add(item) == errSecSuccess)
        let query = byReference(generic + [kSecAttrSynchronizable: true])
        #expect(data(query) == bytes("secret"))
        #expect(update(query, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(query) == errSecSuccess)
    }

    @Test(arguments: [0, 1, 4, 11, 13, 16, 19, 21, 64])
    func `a reference of another length is malformed`(length: Int) {
        let malformed = Data((bytes("genp") + Data(count: 64)).prefix(length))
        #expect(status([kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: malformed]) == errSecParam)
        #expect(delete([kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: malformed]) == errSecParam)
    }

    @Test func `a reference of no class, or that is no data, is malformed`() {
        for value: Any in [Data(count: 20), bytes("abcd") + Data(count: 16), "genp", 5, NSNull()] {
            #expect(status(generic + [kSecValuePersistentRef: value]) == errSecParam)
        }
    }

    @Test func `a well-formed reference that no item has finds nothing`() {
        let unknown = bytes("genp") + Data(repeating: 7, count: 16)
        #expect(status([kSecValuePersistentRef: unknown]) == errSecItemNotFound)
        #expect(update([kSecValuePersistentRef: unknown], [kSecAttrLabel: "label"]) == errSecItemNotFound)
        #expect(delete([kSecValuePersistentRef: unknown]) == errSecItemNotFound)
        let row = bytes("genp") + Data(repeating: 0x70, count: 8)
        #expect(status([kSecValuePersistentRef: row]) == errSecItemNotFound)
    }

    @Test func `the older form with a row number takes no attributes in update and delete, nor an add`() {
        let row = bytes("genp") + Data(repeating: 0x70, count: 8)
        let query = generic + [kSecValuePersistentRef: row]
        #expect(update(query, [kSecAttrLabel: "label"]) == errSecParam)
        #expect(delete(query) == errSecParam)
        #expect(add(query) == errSecParam)
        #expect(status(query) == errSecItemNotFound)
    }

    @Test func `an add with a reference gets a fresh one`() {
        #expect(add(generic) == errSecSuccess)
        let first = reference(generic)
        #expect(add(generic + [kSecAttrAccount: "b", kSecValuePersistentRef: first]) == errSecSuccess)
        #expect(reference(generic + [kSecAttrAccount: "b"]) != first)
        #expect(reference(generic) == first)
    }
}
