// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("1. How a dictionary is read", .keychain)
struct ReadingTests {
    @Test(arguments: ["srvr", "port", "ptcl", "volm", "addr", "afps", "crlt", "crle", "xxxx", "äöüß", "    "])
    func `a key of four characters that the class does not know is no attribute`(key: String) {
        let other: Item = [key.cf: "value"]
        #expect(add(generic + other) == errSecNoSuchAttr)
        #expect(status(generic + other) == errSecNoSuchAttr)
        #expect(update(generic + other, [:]) == errSecNoSuchAttr)
        #expect(delete(generic + other) == errSecNoSuchAttr)
    }

    @Test(arguments: ["svce", "gena"])
    func `an attribute of generic passwords is none of internet passwords`(key: String) {
        #expect(add(internet + [key.cf: "value"]) == errSecNoSuchAttr)
        #expect(add(generic + [key.cf: "value"]) == errSecSuccess)
    }

    @Test func `the flag of the data-protection keychain is ignored`() {
        for value: Any in [true, false, "x", 5] {
            #expect(status(generic + [kSecUseDataProtectionKeychain: value]) == errSecItemNotFound)
        }
    }

    @Test(arguments: ["m_", "m_Anything", "m_SubjectContains", "matches"])
    func `a search takes any key that begins with m`(key: String) {
        #expect(status(generic + [key.cf: "value"]) == errSecItemNotFound)
    }

    @Test(arguments: ["f_callback", "ff", "function"])
    func `keys that begin with f are ignored`(key: String) {
        #expect(status(generic + [key.cf: "value"]) == errSecItemNotFound)
    }

    @Test(arguments: [
        "", "a", "c", "labels", "classes", "r_Unknown", "u_Unknown", "v_Unknown", "LABEL", "zz", "kSecAttrLabel",
    ])
    func `any other key is a wrong parameter`(key: String) {
        #expect(status(generic + [key.cf: true]) == errSecParam)
        #expect(add(generic + [key.cf: true]) == errSecParam)
    }

    @Test(arguments: names(kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef))
    func `a return flag is a Boolean and nothing else`(key: String) {
        for value: Any in [1, 0, "true", Data([1]), Date(), NSNull(), [true]] {
            #expect(status(generic + [key.cf: value]) == errSecParam)
        }
        #expect(status(generic + [key.cf: true]) == errSecItemNotFound)
        #expect(status(generic + [key.cf: NSNumber(value: false)]) == errSecItemNotFound)
    }

    @Test func `a key that is neither text nor number is a wrong parameter`() {
        let query: NSDictionary = [Data([1]): "value", "class": "genp"]
        #expect(SecItemCopyMatching(query, nil) == errSecParam)
    }

    @Test func `a key that is a number is an attribute that nothing has`() {
        let query: NSDictionary = [NSNumber(value: 5): "value", "class": "genp"]
        #expect(SecItemCopyMatching(query, nil) == errSecNoSuchAttr)
    }

    @Test(
        arguments: names(
            kSecAttrAccount, kSecAttrLabel, kSecAttrSynchronizable, kSecAttrAccessible, kSecAttrAccessGroup))
    func `null is no value of an attribute`(key: String) {
        #expect(status(generic + [key.cf: NSNull()]) == errSecParam)
        #expect(add(generic + [key.cf: NSNull()]) == errSecParam)
    }

    @Test func `a dictionary of more than about 128 entries is refused`() {
        var many = generic
        for number in 0..<90 { many["match_\(number)".cf] = number }
        #expect(status(many) == errSecItemNotFound)
        for number in 90..<140 { many["match_\(number)".cf] = number }
        #expect(status(many) == errSecParam)
        for number in 140..<5000 { many["match_\(number)".cf] = number }
        #expect(status(many) == errSecParam)
    }

    @Test func `an access control is an object of its own type`() {
        for value: Any in ["ak", bytes("ak"), 5, [kSecAttrAccessibleWhenUnlocked]] {
            #expect(add(generic + [kSecAttrAccessControl: value]) == errSecParam)
            #expect(status(generic + [kSecAttrAccessControl: value]) == errSecParam)
        }
    }

    @Test func `what is said about prompts is taken out`() {
        let said: [Item] = [
            [kSecUseOperationPrompt: "why"], [kSecUseNoAuthenticationUI: true], [kSecUseNoAuthenticationUI: false],
            [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow],
            [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail],
        ]
        #expect(add(generic) == errSecSuccess)
        for part in said {
            #expect(status(generic + part) == errSecSuccess)
            #expect(update(generic + part, [:]) == errSecSuccess)
        }
        #expect(delete(generic + [kSecUseOperationPrompt: "why"]) == errSecSuccess)
    }

    @Test func `leaving guarded items out is for searches alone`() {
        let skip: Item = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(add(generic + skip) == errSecParam)
        #expect(add(generic) == errSecSuccess)
        #expect(status(generic + skip) == errSecSuccess)
        #expect(update(generic + skip, [:]) == errSecParam)
        #expect(delete(generic + skip) == errSecParam)
    }

    @Test(arguments: ["u_ItemList", "u_UserIndependentKeychain", "u_CredRef"])
    func `lists of items and keychains of others can't be used`(key: String) {
        #expect(status(generic + [key.cf: [Data]()]) == errSecParam)
    }

    @Test func `an object that is no key, certificate or identity is no reference`() {
        for value: Any in ["reference", bytes("reference"), 5, NSObject()] {
            #expect(status(generic + [kSecValueRef: value]) == errSecParam)
            #expect(add(generic + [kSecValueRef: value]) == errSecParam)
        }
    }
}

@Suite("1. How the class is found", .keychain)
struct ClassResolutionTests {
    @Test func `a dictionary without class or reference is a wrong parameter`() {
        #expect(add([kSecAttrAccount: "account"]) == errSecParam)
        #expect(status([:]) == errSecParam)
        #expect(update([:], [:]) == errSecParam)
        #expect(delete([:]) == errSecParam)
    }

    @Test(arguments: ["", "apls", "GENP", "genp ", "generic", "kSecClassGenericPassword"])
    func `a class of another name does not exist`(name: String) {
        #expect(add([kSecClass: name]) == errSecNoSuchClass)
        #expect(status([kSecClass: name]) == errSecNoSuchClass)
        #expect(delete([kSecClass: name]) == errSecNoSuchClass)
    }

    @Test func `a class that is no text counts as missing`() {
        for value: Any in [5, true, bytes("genp"), NSNull(), Date()] {
            #expect(status([kSecClass: value]) == errSecParam)
        }
    }

    @Test func `a persistent reference says the class, too`() {
        #expect(add(generic + [kSecValueData: bytes("secret")]) == errSecSuccess)
        #expect(data([kSecValuePersistentRef: reference(generic)]) == bytes("secret"))
        #expect(data([kSecValuePersistentRef: reference(generic), kSecClass: 5]) == bytes("secret"))
    }

    @Test func `class and reference must not disagree`() {
        #expect(add(generic) == errSecSuccess)
        let query: Item = [kSecValuePersistentRef: reference(generic), kSecClass: kSecClassInternetPassword]
        #expect(status(query) == errSecNoSuchClass)
        #expect(delete(query) == errSecNoSuchClass)
    }
}
