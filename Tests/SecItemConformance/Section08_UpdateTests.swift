// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("8. Update", .keychain)
struct UpdateTests {
    private let every: Item = [kSecClass: kSecClassGenericPassword]

    private func addThree() {
        for name in ["a", "b", "c"] {
            #expect(add(generic + [kSecAttrAccount: name, kSecValueData: bytes(name)]) == errSecSuccess)
        }
    }

    @Test(arguments: [
        "class", "r_Data", "r_Attributes", "m_Limit", "m_Anything", "u_OpPrompt", "u_AuthUI", "v_PersistentRef",
        "v_Other",
        "", "c", "srvr", "kSecAttrLabel",
    ])
    func `in the changes every other key is no attribute`(key: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, [key.cf: "genp"]) == errSecNoSuchAttr)
    }

    @Test(arguments: ["nleg", "musr"])
    func `two keys in the changes are ignored`(key: String) {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, [key.cf: "anything"]) == errSecSuccess)
    }

    @Test func `a new secret is data and nothing else`() {
        #expect(add(generic + [kSecValueData: bytes("old")]) == errSecSuccess)
        for value: Any in [5, NSNull(), Date()] {
            #expect(update(generic, [kSecValueData: value]) == errSecParam)
        }
        #expect(data(generic) == bytes("old"))
    }

    @Test func `null can't clear an attribute`() {
        #expect(add(generic + [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(update(generic, [kSecAttrLabel: NSNull()]) == errSecParam)
        #expect(attributes(generic)["labl"] as? String == "label")
    }

    @Test func `changes are checked even when nothing would match`() {
        #expect(update(generic, [kSecValueData: 5]) == errSecParam)
        #expect(update(generic, [kSecAttrServer: "server"]) == errSecNoSuchAttr)
        #expect(update(generic, [kSecAttrAccessible: "zz"]) == errSecParam)
        #expect(update(generic, [kSecAttrLabel: "label"]) == errSecItemNotFound)
    }

    @Test func `the query is checked before the changes`() {
        #expect(update(generic + [kSecAttrServer: "x"], [kSecValueData: 5]) == errSecNoSuchAttr)
        let foreign = generic + [kSecAttrAccessGroup: Groups.foreign]
        #expect(update(foreign, [kSecValueData: 5]) == errSecMissingEntitlement)
    }

    @Test func `empty changes succeed and touch the modification date alone`() throws {
        #expect(add(generic + [kSecAttrLabel: "label", kSecValueData: bytes("x")]) == errSecSuccess)
        let before = attributes(generic)
        #expect(update(generic, [:]) == errSecSuccess)
        let after = attributes(generic)
        #expect(try #require(after["mdat"] as? Date) > (try #require(before["mdat"] as? Date)))
        #expect(after["labl"] as? String == "label")
        #expect(Set(after.keys) == Set(before.keys))
        #expect(data(generic) == bytes("x"))
    }

    @Test func `all matches are changed`() {
        addThree()
        #expect(update(every, [kSecAttrLabel: "label", kSecValueData: bytes("same")]) == errSecSuccess)
        #expect(count(every + [kSecAttrLabel: "label"]) == 3)
        for name in ["a", "b", "c"] { #expect(data(generic + [kSecAttrAccount: name]) == bytes("same")) }
    }

    @Test func `a secret may be given to an item without one, and be emptied`() {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, [kSecValueData: bytes("x")]) == errSecSuccess)
        #expect(data(generic) == bytes("x"))
        #expect(update(generic, [kSecValueData: Data()]) == errSecSuccess)
        #expect(data(generic) == Data())
    }

    @Test func `the identity may change: renamed, moved, made synchronizable`() {
        #expect(add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        #expect(update(generic, [kSecAttrAccount: "renamed"]) == errSecSuccess)
        let renamed = generic + [kSecAttrAccount: "renamed"]
        #expect(update(renamed, [kSecAttrAccessGroup: Groups.shared]) == errSecSuccess)
        #expect(data(renamed + [kSecAttrAccessGroup: Groups.shared]) == bytes("x"))
        #expect(update(renamed, [kSecAttrSynchronizable: true]) == errSecSuccess)
        #expect(status(renamed) == errSecItemNotFound)
        #expect(data(renamed + [kSecAttrSynchronizable: true]) == bytes("x"))
        #expect(add(generic) == errSecSuccess)
    }

    @Test func `a collision changes nothing at all`() {
        addThree()
        #expect(update(every, [kSecAttrAccount: "same", kSecAttrLabel: "label"]) == errSecDuplicateItem)
        #expect(update(generic + [kSecAttrAccount: "a"], [kSecAttrAccount: "b"]) == errSecDuplicateItem)
        #expect(count(every + [kSecAttrLabel: "label"]) == 0)
        for name in ["a", "b", "c"] { #expect(data(generic + [kSecAttrAccount: name]) == bytes(name)) }
    }

    @Test func `a new group must be the program's`() {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, [kSecAttrAccessGroup: Groups.foreign]) == errSecMissingEntitlement)
        #expect(attributes(generic)["agrp"] as? String == Groups.own)
    }

    @Test func `the accessibility may change`() {
        #expect(add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        #expect(update(generic, [kSecAttrAccessible: kSecAttrAccessibleAlways]) == errSecSuccess)
        #expect(attributes(generic)["pdmn"] as? String == "dk")
        #expect(data(generic) == bytes("x"))
    }

    @Test func `an access control in the changes gives its protection`() throws {
        #expect(add(generic + [kSecValueData: bytes("x")]) == errSecSuccess)
        let control = try #require(accessControl(kSecAttrAccessibleAfterFirstUnlock, []).control)
        #expect(update(generic, [kSecAttrAccessControl: control]) == errSecSuccess)
        #expect(attributes(generic)["pdmn"] as? String == "ck")
        #expect(update(generic, [kSecAttrAccessControl: control, kSecAttrAccessible: "ak"]) == errSecParam)
        #expect(update(generic, [kSecAttrAccessControl: control, kSecAttrSynchronizable: true]) == errSecParam)
        #expect(update(generic, [kSecAttrAccessControl: "ck"]) == errSecParam)
        #expect(data(generic) == bytes("x"))
    }

    @Test func `the sharing group can't be changed`() {
        #expect(add(generic) == errSecSuccess)
        #expect(update(generic, ["ggrp" as CFString: "group"]) == errSecParam)
    }

    @Test func `a key of the changes is text`() {
        let changes: NSDictionary = [NSNumber(value: 5): "value"]
        #expect(SecItemUpdate(generic as CFDictionary, changes) == errSecParam)
    }
}
