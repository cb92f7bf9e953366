// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import TestSupport
import Testing

@Suite struct LockedKeychainTests {
    let temporary = TemporaryHome()

    /// One item of each accessibility, and a passcode.
    private func filled() throws -> Functions {
        let functions = Functions(home: try temporary.open())
        try functions.home.keybag.setPasscode(secret("1234"))
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
            #expect(functions.add(item(code)) == errSecSuccess)
        }
        return functions
    }

    private func item(_ code: String) -> Item {
        generic + [kSecAttrAccount: code, kSecAttrAccessible: code, kSecValueData: bytes(code)]
    }

    private func query(_ code: String) -> Item { generic + [kSecAttrAccount: code] }

    @Test(arguments: ["ak", "aku", "akpu"])
    func `while locked, the secret is refused, the attributes are there`(code: String) throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        #expect(functions.find(query(code) + [kSecReturnData: true]).status == errSecInteractionNotAllowed)
        #expect(functions.find(query(code) + [kSecReturnAttributes: true]).status == errSecSuccess)
        #expect(functions.status(query(code)) == errSecSuccess)
        #expect(functions.update(query(code), [kSecValueData: bytes("new")]) == errSecInteractionNotAllowed)
    }

    @Test(arguments: ["ck", "cku", "dk", "dku"])
    func `while locked, other classes work on`(code: String) throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        #expect(functions.data(query(code)) == bytes(code))
        #expect(functions.update(query(code), [kSecValueData: bytes("new")]) == errSecSuccess)
        #expect(functions.data(query(code)) == bytes("new"))
    }

    @Test func `a search for all secrets while locked is refused, not answered with less`() throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        let every: Item = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
        ]
        #expect(functions.find(every).status == errSecInteractionNotAllowed)
        #expect(functions.list([kSecClass: kSecClassGenericPassword])?.count == 7)
    }

    @Test func `a failed call leaves nil where there was something`() throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        Home.withCurrent(functions.home) {
            var object: CFTypeRef? = NSString(string: "before")
            let query = (query("ak") + [kSecReturnData: true]) as CFDictionary
            #expect(unsafe SecItemCopyMatching(query, &object) == errSecInteractionNotAllowed)
            #expect(object == nil)
        }
    }

    @Test func `the passcode brings everything back`() throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        try functions.home.keybag.unlock(passcode: secret("1234"))
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
            #expect(functions.data(query(code)) == bytes(code))
        }
    }

    @Test func `before the first unlock what is sealed is locked, never absent`() throws {
        let functions = try filled()
        try functions.home.keybag.lockCompletely()
        for code in ["ak", "ck", "aku", "cku", "akpu"] {
            #expect(functions.status(query(code)) == errSecInteractionNotAllowed)
            #expect(functions.delete(query(code)) == errSecInteractionNotAllowed)
        }
        #expect(functions.status(query("unknown")) == errSecInteractionNotAllowed)
        #expect(functions.add(item("ak")) == errSecInteractionNotAllowed)
        #expect(functions.data(query("dk")) == bytes("dk"))
        #expect(functions.status([kSecClass: kSecClassInternetPassword]) == errSecItemNotFound)
    }

    @Test func `a wrong passcode opens nothing`() throws {
        let functions = try filled()
        try functions.home.keybag.lock()
        #expect(throws: DataProtectionError.self) { try functions.home.keybag.unlock(passcode: secret("4321")) }
        #expect(functions.find(query("ak") + [kSecReturnData: true]).status == errSecInteractionNotAllowed)
    }

    @Test func `two homes of one process are two keychains`() throws {
        let other = TemporaryHome()
        let functions = Functions(home: try temporary.open())
        let others = Functions(home: try other.open())
        #expect(functions.add(generic + [kSecValueData: bytes("one")]) == errSecSuccess)
        #expect(others.status(generic) == errSecItemNotFound)
        #expect(others.add(generic + [kSecValueData: bytes("two")]) == errSecSuccess)
        #expect(functions.data(generic) == bytes("one"))
        #expect(others.data(generic) == bytes("two"))
    }
}
