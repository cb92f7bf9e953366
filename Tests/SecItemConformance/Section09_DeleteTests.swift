// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("9. Delete", .keychain)
struct DeleteTests {
    private func addThree() {
        for name in ["a", "b", "c"] { #expect(add(generic + [kSecAttrAccount: name]) == errSecSuccess) }
    }

    @Test func `all matches are deleted, and nothing else`() {
        addThree()
        #expect(add(internet) == errSecSuccess)
        #expect(delete(generic + [kSecAttrAccount: "b"]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassGenericPassword]) == 2)
        #expect(delete([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
        #expect(count([kSecClass: kSecClassGenericPassword]) == 0)
        #expect(status(internet) == errSecSuccess)
    }

    @Test func `nothing to delete is its own answer`() {
        #expect(delete(generic) == errSecItemNotFound)
        #expect(add(generic) == errSecSuccess)
        #expect(delete(generic) == errSecSuccess)
        #expect(delete(generic) == errSecItemNotFound)
    }

    @Test(arguments: names(kSecMatchLimitOne, kSecMatchLimitAll))
    func `a limit does not restrict it`(limit: String) {
        addThree()
        #expect(delete([kSecClass: kSecClassGenericPassword, kSecMatchLimit: limit]) == errSecSuccess)
        #expect(status([kSecClass: kSecClassGenericPassword]) == errSecItemNotFound)
    }

    @Test func `return flags are tolerated`() {
        #expect(add(generic) == errSecSuccess)
        #expect(delete(generic + [kSecReturnData: true, kSecReturnAttributes: true]) == errSecSuccess)
    }

    @Test func `an unknown attribute deletes nothing`() {
        #expect(add(generic) == errSecSuccess)
        #expect(delete(generic + [kSecAttrServer: "server"]) == errSecNoSuchAttr)
        #expect(delete(generic + ["labels" as CFString: "x"]) == errSecParam)
        #expect(status(generic) == errSecSuccess)
    }

    @Test func `a deleted item is gone and its name is free`() {
        #expect(add(generic + [kSecValueData: bytes("old")]) == errSecSuccess)
        #expect(delete(generic) == errSecSuccess)
        #expect(find(generic + [kSecReturnData: true]).status == errSecItemNotFound)
        #expect(add(generic + [kSecValueData: bytes("new")]) == errSecSuccess)
        #expect(data(generic) == bytes("new"))
    }

    @Test func `other classes may be emptied while there is nothing in them`() {
        for itemClass in [kSecClassCertificate, kSecClassKey, kSecClassIdentity] {
            #expect(delete([kSecClass: itemClass]) == errSecItemNotFound)
            #expect(status([kSecClass: itemClass]) == errSecItemNotFound)
        }
    }
}
